"""Battles: rosters of one game, each locked at a version.

A force is a roster in a battle: it is read at its locked version and appraised under the battle's own house rules and
scenario. Battles are written here; `rosters.store.writer` removes rosters from them and deletes those of an account,
and `rosters.store.bundle` restores them.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from fractions import Fraction
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Count, Exists, OuterRef, Prefetch, QuerySet
from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from rosters import registry
from rosters.core import documents, edits
from rosters.core.amounts import round_half_up, to_amount
from rosters.core.appraisals import RosterState, Rulebook, option_label
from rosters.core.cache import MemoryCache
from rosters.core.crests import new_seed
from rosters.core.documents import AnyDocument
from rosters.core.messages import translate
from rosters.core.values import MAX_INTEGER
from rosters.models import Battle, Browser, Force, Revision, Roster, Visibility
from rosters.registry import System
from rosters.store import revisions, writer
from rosters.store.access import Access, Requester, Visitor, access_of, battles_of
from rosters.store.compiled import compiled, compiled_query
from rosters.store.snapshots import redact_state
from rosters.store.state import (
    BYTES_PER_CHARACTER,
    compute_state,
    current_document,
    current_state,
    hidden_parts,
    visible_state,
)
from rosters.store.writer import Created
from rosters.web.http.permissions import browser_for
from rosters.web.http.rate_limit import client_network

MAX_FORCES = 8
"""Rosters of one battle."""
MAX_CHARACTERS = 400_000
"""JSON of all rosters of a battle together; eight of the largest samples have 46,000. One alone may have more."""
COMPLETE_SIZE = 2
"""The forces of a complete battle, to which only its editors can add more."""


class BattleError(Exception):
    """A change that a battle does not allow, as a sentence."""


# ---------------------------------------------------------------- reading


def sides_of(rules: Rulebook, scenario: str | None) -> Mapping[str, str]:
    """The sides of a scenario by name; none without a scenario."""
    known = rules.SCENARIOS.get(scenario or "")
    return known.sides if known else {}


def system_of(battle: Battle) -> System:
    """The game of a battle."""
    return registry.SYSTEMS[battle.system]


def options_of(battle: Battle) -> Any:
    """The battle's house rules as its system's value."""
    return system_of(battle).rules.Options.model_validate(battle.options)


def with_terms(document: AnyDocument, battle: Battle, side: str | None) -> AnyDocument:
    """The document under the battle's terms; a battle without a scenario leaves each roster its own."""
    rules, scenario = system_of(battle).rules, battle.scenario or document.scenario
    own = document.side if scenario == document.scenario else None
    chosen = side if side in sides_of(rules, scenario) else own
    return document.replace(options=options_of(battle), scenario=scenario, side=chosen)


class LockedRevision(NamedTuple):
    """A roster at one of its revisions: the complete document, its time, and the rules' edition of that time."""

    document: AnyDocument
    at: datetime
    edition: str


def locked_revision(roster: Roster, number: int) -> LockedRevision:
    """A revision of a roster. Raises Revision.DoesNotExist."""
    revision: Revision = roster.revisions.defer("packed").get(number=number)
    latest = number == roster.revision
    document = current_document(roster) if latest else revisions.document_of(revision)
    return LockedRevision(document, revision.at, revision.edition)


class LockedForce(NamedTuple):
    """A force at its locked version, complete or as others see it, under the battle's terms.

    ``key`` names everything that it depends on, so that what is computed from it can be cached.
    """

    key: tuple[Any, ...]
    own: LockedRevision
    state: RosterState


_locked_forces = MemoryCache[tuple[Any, ...], LockedForce](32 << 20)
"""By the key of the force: a third of the page of a battle, and of its odds."""


def locked_force(force: Force, battle: Battle, *, complete: bool) -> LockedForce:
    """A force at its locked version; redacted unless ``complete``."""
    roster, options = force.roster, documents.dumps(battle.options)
    terms = (battle.scenario, force.side, options)
    key = (roster.token, force.revision, roster.revision, hidden_parts(roster), complete, *terms)
    locked = _locked_forces.get(key)
    if locked is None:
        own = locked_revision(roster, force.revision)
        locked = LockedForce(key, own, state_in_battle(force, battle, own.document, complete=complete))
        _locked_forces.set(key, locked, len(roster.document) * BYTES_PER_CHARACTER)
    return locked


def visible_state_of(roster: Roster, document: AnyDocument, *, complete: bool) -> RosterState:
    """A document of this roster, appraised; redacted unless ``complete``."""
    state = compute_state(document, current_state(roster))  # elements under the same terms are not priced again
    return state if complete else redact_state(roster, state)


def state_in_battle(force: Force, battle: Battle, document: AnyDocument, *, complete: bool) -> RosterState:
    """A document of the force's roster, appraised under the battle's terms; redacted unless ``complete``."""
    return visible_state_of(force.roster, with_terms(document, battle, force.side), complete=complete)


def latest_state(force: Force, battle: Battle, *, complete: bool) -> RosterState:
    """The latest version of the force's roster under the battle's terms."""
    return state_in_battle(force, battle, current_state(force.roster).document, complete=complete)


def differing_rules(own: AnyDocument, here: AnyDocument, rules: Rulebook) -> Iterator[str]:
    """A sentence for each house rule, scenario or side of the roster's ``own`` that is not the battle's."""
    options = type(here.options)
    for rule, field in options.model_fields.items():
        mine, theirs = getattr(own.options, rule), getattr(here.options, rule)
        if mine != theirs:
            yield _difference(field.title or rule, *(option_label(options, rule, value) for value in (mine, theirs)))
    if own.scenario != here.scenario:
        scenarios = [rules.SCENARIOS.get(document.scenario or "") for document in (own, here)]
        yield _difference(_("Scenario"), *(scenario.name if scenario else _("none") for scenario in scenarios))
    elif own.side != here.side:
        sides = sides_of(rules, here.scenario)
        yield _difference(_("Side"), *(sides.get(document.side or "", _("none")) for document in (own, here)))


def _difference(term: str, own: str, here: str) -> str:
    text = _("%(term)s: %(roster)s in the roster, %(battle)s in this battle.")
    return text % {"term": translate(term), "roster": translate(own), "battle": translate(here)}


def is_hidden(roster: Roster, visitor: Visitor) -> bool:
    """Whether the visitor sees nothing of a roster in a battle, as it is private or in the bin."""
    is_public = roster.binned is None and roster.visibility != Visibility.CLOSED
    return not is_public and access_of(visitor, roster) == Access.READ


def requester_of(request: HttpRequest) -> Requester:
    """Who requests a report. Its network is stored as a keyed hash, since the site stores no IP address."""
    network = salted_hmac("reports", client_network(request), algorithm="sha256").hexdigest()
    return Requester(browser_for(request), network)


def title_of(battle: Battle, rosters: Iterable[Roster], visitor: Visitor) -> str:
    """The name of a battle; without one, the names of its rosters that are not hidden."""
    title = battle.name
    for roster in rosters:
        if roster.name and roster.name in title and is_hidden(roster, visitor):
            title = title.replace(roster.name, _("Private roster"))
    return title


class BattleSummary(NamedTuple):
    """A battle as lists show it, with its title, its game and the number of its rosters."""

    battle: Battle
    title: str
    system: System
    size: int


def battle_summaries(battles: QuerySet[Battle], limit: int, visitor: Visitor) -> list[BattleSummary]:
    """The first ``limit`` of these battles."""
    columns = ("name", "visibility", "binned", "owner", "edit_hash")
    forces = Force.objects.select_related("roster").only("battle", *(f"roster__{name}" for name in columns))
    rows = battles.annotate(size=Count("forces", distinct=True)).prefetch_related(Prefetch("forces", forces))[:limit]
    titled = ((each, title_of(each, [force.roster for force in each.forces.all()], visitor)) for each in rows)
    return [BattleSummary(battle, title, system_of(battle), battle.size) for battle, title in titled]


def battles_with(battles: QuerySet[Battle], roster: Roster) -> QuerySet[Battle]:
    """Those of these battles that include the roster."""
    return battles.filter(pk__in=Force.objects.filter(roster=roster).values("battle"))


@compiled
def battle_with(token: str, roster: int) -> QuerySet[Battle]:
    """The battle with this token, if it includes the roster."""
    return Battle.objects.filter(token=token, forces__roster=roster)


def latest_battle_with(visitor: Visitor, roster: Roster) -> Battle | None:
    """That of the visitor's battles with the roster which was changed last."""
    return _latest_battle_with(visitor.account or 0, visitor.browser, roster.pk)


@compiled
def _latest_battle_with(account: int, browser: str, roster: int) -> QuerySet[Battle]:
    return battles_of(account, browser).filter(forces__roster=roster)


class Lock(NamedTuple):
    """A battle in which the player of a roster has locked it: its link, its title for the visitor, the version."""

    token: str
    title: str
    revision: int


def lock_of(roster: Roster, visitor: Visitor) -> Lock | None:
    """The lock of a roster in that of the visitor's battles which was changed last."""
    battle = _locking_battle(visitor.account or 0, visitor.browser, roster.pk)
    if battle is None:
        return None
    forces = {force.roster_id: force for force in forces_with_rosters(battle)}
    title = title_of(battle, (force.roster for force in forces.values()), visitor)
    return Lock(battle.token, title, own.revision) if (own := forces.get(roster.pk)) else None


@compiled
def _locking_battle(account: int, browser: str, roster: int) -> QuerySet[Battle]:
    return battles_of(account, browser).filter(forces__roster=roster, forces__locked__isnull=False)


def solo_battles(owner: Any) -> QuerySet[Battle]:
    """The battles of an account in which nobody else has a roster: they are deleted with the account."""
    others = Force.objects.filter(battle=OuterRef("pk")).exclude(roster__owner=owner)
    return Battle.objects.filter(~Exists(others), owner=owner)


def forces_with_rosters(battle: Battle) -> Iterator[Force]:
    """The forces of a battle in their order, with their rosters."""
    forces, rosters = [*_forces(battle.pk)], {roster.pk: roster for roster in _rosters(battle.pk)}
    for force in forces:
        if roster := rosters.get(force.roster_id):  # a force may be removed in between
            force.battle, force.roster = battle, roster
            yield force


@compiled_query
def _forces(battle: int) -> QuerySet[Force]:
    return Force.objects.filter(battle=battle).order_by("position")


@compiled_query
def _rosters(battle: int) -> QuerySet[Roster]:
    return Roster.objects.filter(forces__battle=battle).order_by()


# ---------------------------------------------------------------- the other side


def opponent_of(battle: Battle, known: Sequence[RosterState]) -> AnyDocument:
    """An empty roster for the free side, with the budget that the scenario suggests against the first force.

    ``known`` are the forces as their opponent may see them.
    """
    system, first = system_of(battle), known[0] if known else None
    rules = system.rules
    scenario = battle.scenario or (first.document.scenario if first else None)
    side = free_side(rules, scenario, [state.document.side for state in known])
    if first and first.document.name:
        name = _("Opponent of %(roster)s") % {"roster": first.document.name}
    else:
        name = _("My %(game)s roster") % {"game": system.name}
    return registry.read(
        {
            "format": documents.FORMAT,
            "version": documents.VERSION,
            "system": system.slug,
            "name": name[:120],
            "budget": _budget_against(first, side, rules) if first else None,
            "scenario": scenario,
            "side": side,
            "options": battle.options,
            "crest": new_seed(),
            "formations": [{"name": f"{rules.WORDS.formation} 1", "elements": []}],
        }
    )


def free_side(rules: Rulebook, scenario: str | None, taken: Sequence[str | None]) -> str | None:
    """The first side of a scenario that is free, else its last one; None if it has no sides."""
    sides = [*sides_of(rules, scenario)]
    return next((side for side in sides if side not in taken), sides[-1] if sides else None)


def _budget_against(force: RosterState, side: str | None, rules: Rulebook) -> int | float | None:
    """The force's budget, or else its points, in the proportion that the scenario suggests between the two sides."""
    document, points = force.document, force.appraisal.points
    base = document.budget if document.budget is not None else round_half_up(points) if points is not None else None
    if not base or base < 0:
        return None
    scenario = rules.SCENARIOS.get(document.scenario or "")
    suggested = scenario.suggested if scenario else {}
    own, other = suggested.get(document.side or ""), suggested.get(side or "")
    share = Fraction(other[1], own[1]) if own and other else Fraction(1)
    amount = min(Fraction(to_amount(base)) * share, Fraction(MAX_INTEGER))
    return amount.numerator if amount.denominator == 1 else float(amount)


# ---------------------------------------------------------------- writing


class RosterRef(NamedTuple):
    """A roster for a battle, and the version to lock; None for the latest. ``mine``: its player locks it."""

    roster: Roster
    revision: int | None = None
    mine: bool = False
    player: str = ""


@transaction.atomic
def create(name: str, refs: Sequence[RosterRef], browser: Browser | None, owner: Any = None) -> Battle:
    """Create a battle under the terms of its first roster; without ``browser`` and ``owner`` nobody may change it.
    Raises BattleError.
    """
    first = refs[0].roster
    terms = documents.write(current_document(first))
    battle = Battle.objects.create(
        system=first.system,
        name=name[:120] or _name_of([ref.roster for ref in refs]),
        scenario=terms["scenario"],
        options=terms["options"],
        owner=owner,
        creator=browser,
    )
    if browser is not None:
        battle.browsers.add(browser)
    for ref in refs:
        add(battle, ref)
    return battle


def copy_of_sample(sample: Roster, taken: Iterable[str], browser: Browser, owner: Any) -> Roster:
    """A copy of a sample roster as a player's own, with a number if the player has ``taken`` its name."""
    document = visible_state(sample, complete=False).document
    copied = edits.copy_roster(document, edits.numbered_name(sample.name, {*taken}))
    return writer.create(copied, browser=browser, owner=owner).roster


@transaction.atomic
def play_sample(battle: Battle, pk: int, taken: Iterable[str], browser: Browser, owner: Any = None) -> Roster:
    """Replace a sample roster, which nobody can play, with the player's own copy, and lock it."""
    force = get_object_or_404(_for_update(battle).forces.exclude(roster__sample=None).select_related("roster"), pk=pk)
    force.roster = copy_of_sample(force.roster, taken, browser, owner)
    force.revision, force.locked = force.roster.revision, timezone.now()
    force.save(update_fields=["roster", "revision", "locked"])
    battle.browsers.add(browser)
    return force.roster


def _name_of(rosters: Sequence[Roster]) -> str:
    """The name of a battle that gets none, without names of private rosters, which it would disclose."""
    known = (roster.name if roster.visibility != Visibility.CLOSED else _("Private roster") for roster in rosters)
    names = {f"roster{number}": name for number, name in zip((1, COMPLETE_SIZE), known, strict=False)}
    title = _("%(roster1)s against %(roster2)s") if rosters[1:] else _("Battle of %(roster1)s")
    return (title % names)[:120]


@transaction.atomic
def create_rematch(battle: Battle, browser: Browser, owner: Any = None) -> Battle:
    """Create a battle of the same versions under the same terms, with the sides swapped, for those who may change it.

    Its forces are not locked: each player does that again.
    """
    forces = list(battle.forces.select_related("roster"))
    shared = _lock_shared(force.roster for force in forces)
    forces = [force for force in forces if force.roster_id in shared]
    rosters, browsers = [force.roster for force in forces], [*battle.browsers.all()]
    name = battle.name if battle.name != _name_of(rosters) else _name_of(rosters[::-1])
    terms = {"system": battle.system, "scenario": battle.scenario, "options": battle.options}
    rematch = Battle.objects.create(name=name, owner=owner, creator=browser, **terms)
    rematch.browsers.set([*browsers, browser])
    Force.objects.bulk_create(
        Force(
            battle=rematch,
            roster=other.roster,
            revision=other.revision,
            position=number,
            side=force.side,
            player=other.player,
        )
        for number, (force, other) in enumerate(zip(forces, reversed(forces), strict=True), 1)
    )
    return rematch


@transaction.atomic
def add(battle: Battle, ref: RosterRef, *, editor: bool = True) -> Force:
    """Add a roster, locked at a version; without ``editor`` only to a free side. Raises BattleError."""
    battle = _for_update(battle)
    roster, forces = ref.roster, list(battle.forces.all())
    number = roster.revision if ref.revision is None else ref.revision
    if roster.system != battle.system:
        names = {"roster": roster.name, "game": system_of(battle).name}
        raise BattleError(_("“%(roster)s” is for another game. This battle is for %(game)s.") % names)
    if any(force.roster_id == roster.pk for force in forces):
        raise BattleError(_("“%(roster)s” is already in this battle.") % {"roster": roster.name})
    if not _lock_shared([roster]):
        raise BattleError(_("The share link of “%(roster)s” was reset just now.") % {"roster": roster.name})
    if len(forces) >= MAX_FORCES:
        raise BattleError(_("A battle has at most %(max)d rosters.") % {"max": MAX_FORCES})
    if len(forces) >= COMPLETE_SIZE and not editor:
        raise BattleError(_("Somebody else has joined this battle in the meantime."))
    if forces:
        _check_size([*((force.roster, force.revision) for force in forces), (roster, number)])
        if battle.name == _name_of([forces[0].roster]):  # not a name that somebody chose
            battle.name = _name_of([*(force.roster for force in forces), roster][:COMPLETE_SIZE])
            battle.save(update_fields=["name"])
    return Force.objects.create(
        battle=battle,
        roster=roster,
        position=max((force.position for force in forces), default=0) + 1,
        revision=roster.revisions.get(number=number).number,
        locked=timezone.now() if ref.mine else None,
        side=_side_for(battle, roster, [force.side for force in forces]),
        player=ref.player,
    )


def _check_size(versions: Iterable[tuple[Roster, int]]) -> None:
    """Raise BattleError if the rosters together are too large to be appraised for one page."""
    texts = [documents.dumps(documents.write(locked_revision(*version).document)) for version in versions]
    if len("".join(texts)) > MAX_CHARACTERS:
        raise BattleError(_("These rosters are too large for one battle. Split them into smaller ones."))


def _side_for(battle: Battle, roster: Roster, taken: Sequence[str | None]) -> str | None:
    """The roster's own side if it is built for this scenario, else one that is free."""
    document = current_document(roster)
    if battle.scenario == document.scenario and document.side:
        return document.side
    return free_side(system_of(battle).rules, battle.scenario, taken)


@transaction.atomic
def create_opponent(
    battle: Battle, document: AnyDocument, browser: Browser, owner: Any = None, *, editor: bool = True
) -> Created:
    """Create the opposing roster, add it, and let its creator change the battle. Raises BattleError."""
    created = writer.create(document, browser=browser, owner=owner)
    join(battle, RosterRef(created.roster), browser, editor=editor)
    return created


@transaction.atomic
def join(battle: Battle, ref: RosterRef, browser: Browser, *, editor: bool = True) -> Force:
    """Add the roster that a visitor plays, and let the visitor change the battle. Raises BattleError."""
    force = add(battle, ref, editor=editor)
    battle.browsers.add(browser)
    return force


@transaction.atomic
def lock_latest_versions(
    battle: Battle, pks: Collection[int], own: Collection[int] = (), browser: Browser | None = None
) -> int:
    """Select the latest version of each of these forces; return how many changed. Raises BattleError.

    Those in ``own`` are locked by their player, who joins the battle by that: ``browser`` may change it from then on.
    Others keep the version that their player has locked.
    """
    battle, changed = _for_update(battle), 0
    forces = list(battle.forces.select_related("roster"))
    moved = {each.pk for each in forces if each.pk in pks and (each.pk in own or each.locked is None)}
    if len(forces) > 1:
        _check_size((each.roster, each.roster.revision if each.pk in moved else each.revision) for each in forces)
    for force in forces:
        if force.pk in moved and (force.revision != force.roster.revision or (force.pk in own and not force.locked)):
            changed += 1
            locked = timezone.now() if force.pk in own else None
            Force.objects.filter(pk=force.pk).update(revision=force.roster.revision, locked=locked)
    if own and browser is not None:
        battle.browsers.add(browser)
    battle.save(update_fields=["changed"])
    return changed


@transaction.atomic
def remove(battle: Battle, pk: int) -> None:
    """Remove a force from the battle; its roster does not change."""
    battle = _for_update(battle)
    battle.forces.filter(pk=pk).delete()
    battle.save(update_fields=["changed"])


@transaction.atomic
def set_side(battle: Battle, pk: int, side: str) -> None:
    """Set the side of a force; "" or a side that the scenario lacks means the roster's own."""
    battle = _for_update(battle)
    known = side in sides_of(system_of(battle).rules, battle.scenario)
    battle.forces.filter(pk=pk).update(side=side if known else None)
    battle.save(update_fields=["changed"])


@transaction.atomic
def set_player(battle: Battle, pk: int, player: str) -> None:
    """Set the name of the player of a force, "" for none."""
    battle = _for_update(battle)
    battle.forces.filter(pk=pk).update(player=player)
    battle.save(update_fields=["changed"])


@transaction.atomic
def update_terms(battle: Battle, name: str, scenario: str | None, options: Any) -> None:
    """Set name, scenario and house rules; forces without a side of that scenario get one."""
    battle = _for_update(battle)
    battle.name, battle.scenario = name, scenario
    battle.options = options.model_dump(mode="json", exclude_defaults=True)
    battle.save()
    sides = sides_of(system_of(battle).rules, scenario)
    forces = list(battle.forces.select_related("roster"))
    taken = [force.side for force in forces if force.side in sides]
    for force in (force for force in forces if force.side not in sides):
        side = _side_for(battle, force.roster, taken) if sides else None
        taken.append(side)
        Force.objects.filter(pk=force.pk).update(side=side)


@transaction.atomic
def delete(battle: Battle) -> None:
    """Delete the battle and its link permanently; its rosters do not change."""
    _for_update(battle).delete()


def claim(battles: QuerySet[Battle], owner: Any) -> int:
    """Make an account the owner of battles that have none; return how many."""
    return Battle.objects.filter(pk__in=battles.values("pk"), owner=None).update(owner=owner)


def _lock_shared(rosters: Iterable[Roster]) -> set[int]:
    """The primary keys of those of these rosters whose share links are still as they were read, locked.

    A reset removes a roster from its battles; one that came back would show its new link.
    """
    tokens = {roster.pk: roster.token for roster in rosters}
    locked = Roster.objects.select_for_update(no_key=True).filter(pk__in=tokens).order_by("pk")
    return {pk for pk, token in locked.values_list("pk", "token") if token == tokens[pk]}


def _for_update(battle: Battle) -> Battle:
    """The battle as it is now, for one writer at a time. Raises Http404 if it was deleted in the meantime."""
    return get_object_or_404(Battle.objects.select_for_update(), pk=battle.pk)
