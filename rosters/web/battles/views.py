"""Battles: rosters of one game side by side, matched or not, frozen as agreed, and printed as one pack."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.text import slugify

from rosters import registry
from rosters.core import diff, edits
from rosters.core.appraisals import house_rules_in_force
from rosters.core.play import Match, Side
from rosters.models import Battle, Force, Revision, Roster, Visibility
from rosters.registry import System
from rosters.store.reference import reference
from rosters.store.state import RosterState
from rosters.web import roster_page
from rosters.web.battles import service as battles
from rosters.web.battles.forms import BattleForm
from rosters.web.battles.service import BattleError, PinnedRevision, RosterRef
from rosters.web.context import BattleContext, battle_view
from rosters.web.http import permissions
from rosters.web.http.conditional import file_response
from rosters.web.http.permissions import EDIT, READ, public_view
from rosters.web.http.rate_limit import rate_limited
from rosters.web.printing import service as printing
from rosters.web.printing.service import Copy, printing_limits
from rosters.web.printing.views import content_key, parse_print_options, render_print_errors
from rosters.web.sharing.links import show_edit_link

MAX_SHOWN = 60
"""Rosters of one's own that a page offers."""
MAX_CHANGES = 8
"""Sentences on what has changed since a force was frozen."""

# ---------------------------------------------------------------- what a page shows


class Seat(NamedTuple):
    """A force as this visitor may see it; ``state`` is None for one that is closed to them."""

    force: Force
    mine: bool
    state: RosterState | None = None
    own: PinnedRevision | None = None

    @property
    def roster(self) -> Roster:
        return self.force.roster

    @property
    def moved(self) -> bool:
        """Whether the roster has changed since it was frozen."""
        return self.force.revision != self.roster.revision

    @property
    def address(self) -> str:
        """The frozen link."""
        return battles.address_of(self.roster, self.force.revision)


def seats_of(request: HttpRequest, battle: Battle) -> list[Seat]:
    """The forces of a battle in their order."""
    forces = battle.forces.select_related("roster").order_by("position")
    return [_seat(force, battle, permissions.may_edit(request, force.roster)) for force in forces]


def _seat(force: Force, battle: Battle, mine: bool) -> Seat:
    roster = force.roster
    if roster.binned or (roster.visibility == Visibility.CLOSED and not mine):
        return Seat(force, mine)
    own = battles.pinned_revision(roster, force.revision)
    return Seat(force, mine, battles.document_in_battle(force, battle, own.document, mine), own)


def card(seat: Seat, battle: Battle, system: System) -> dict[str, Any]:
    """A force as its panel shows it."""
    base = {"seat": seat, "force": seat.force, "closed": seat.state is None}
    if seat.state is None or seat.own is None:
        return base
    document, appraisal = seat.state.document, seat.state.appraisal
    findings = roster_page.findings(document, appraisal.findings)
    return {
        **base,
        "name": document.name,
        "sheet": roster_page.roster_page(seat.state),
        "reasons": [finding for finding in findings if finding["severity"] == "error"],
        "others": [f for f in findings if f["severity"] != "error" and f["code"] != "house-rule"],
        "differing": list(battles.differing_rules(seat.own.document, document, system.rules)),
        "agreed": seat.own.at,
        "edition": "" if seat.own.edition == appraisal.edition else seat.own.edition,
        "since": list(_since(seat, battle, system)),
        "hidden_by_owner": seat.mine and seat.roster.visibility == Visibility.CLOSED,
    }


def _since(seat: Seat, battle: Battle, system: System) -> Iterator[str]:
    """What has changed in the roster since it was frozen, in sentences."""
    if not seat.moved or seat.state is None:
        return
    now = battles.latest_document(seat.force, battle, seat.mine)
    pair = Side(seat.state.document, seat.state.appraisal), Side(now.document, now.appraisal)
    found = diff.changes(*pair, system.rules, reference())
    yield from (change.text for change in found[:MAX_CHANGES])
    if len(found) > MAX_CHANGES:
        yield f"And {len(found) - MAX_CHANGES} more changes"


def _for_all(seat: Seat, battle: Battle) -> RosterState:
    """The force as everybody may see it, its owner too: what is drawn from this, others get to see."""
    own = seat.own or battles.pinned_revision(seat.roster, seat.force.revision)
    return battles.document_in_battle(seat.force, battle, own.document, False)


def match_of(seats: list[Seat], system: System) -> Match:
    """Whether the forces that this visitor sees are matched; not to be told while one is closed to them."""
    states = [seat.state for seat in seats if seat.state is not None]
    found = system.play.match([Side(state.document, state.appraisal) for state in states])
    if len(states) == len(seats):
        return found
    return Match(None, ("Not every force is open to you, so the match cannot be checked here.", *found.sentences))


def draw(
    request: HttpRequest, battle: Battle, editable: bool, more: dict[str, Any] | None = None, status: int = 200
) -> HttpResponse:
    """The page of a battle."""
    system, seats = battles.system_of(battle), seats_of(request, battle)
    options, words = battles.options_of(battle), system.rules.WORDS
    context = {
        "battle": battle,
        "editable": editable,
        "began": editable and permissions.is_creator(request, battle),
        "system": system,
        "words": words,
        "cards": [card(seat, battle, system) for seat in seats],
        "match": match_of(seats, system),
        "scenario": system.rules.SCENARIOS.get(battle.scenario or ""),
        "sides": battles.sides_of(system.rules, battle.scenario),
        "rules": list(house_rules_in_force(options)),
        "open": editable or len(seats) < battles.TWO_SIDES,
        "mine": _mine(request, battle.system, {seat.roster.pk for seat in seats}),
        "form": _form(battle, system, None),
        "printable": any(seat.state for seat in seats),
        "moved": any(seat.moved for seat in seats if seat.state),
    }
    response = render(request, "battles/battle.html", context | (more or {}), status=status)
    response["X-Robots-Tag"] = "noindex, nofollow"
    return response


def _mine(request: HttpRequest, system: str, without: set[int]) -> list[Roster]:
    found = permissions.my_rosters(request).filter(system=system).exclude(pk__in=without)
    return list(found[:MAX_SHOWN])


def _form(battle: Battle, system: System, data: QueryDict | None) -> BattleForm:
    options = battles.options_of(battle).model_dump()
    initial = {"name": battle.name, "scenario": battle.scenario, **options}
    return BattleForm(data, system=system, initial=initial)


# ---------------------------------------------------------------- starting


@public_view("GET", "POST")
@rate_limited("CREATIONS_A_MINUTE", "POST")
def new(request: HttpRequest) -> HttpResponse:
    """Begin a battle with rosters of one's own and pasted links; and the battles that there are."""
    if request.method == "POST":
        return begin(request, request.POST)
    return _new_page(request, {"picked": _selected_rosters(request)})


def _new_page(request: HttpRequest, context: dict[str, Any], status: int = 200) -> HttpResponse:
    mine = [(roster, registry.SYSTEMS[roster.system]) for roster in permissions.my_rosters(request)[:MAX_SHOWN]]
    known = battles.battle_summaries(permissions.my_battles(request), MAX_SHOWN)
    return render(request, "battles/new.html", {"mine": mine, "battles": known, **context}, status=status)


def _selected_rosters(request: HttpRequest) -> dict[str, Any]:
    """What the address asks for already: a roster by its token."""
    text = request.GET.get("roster", "")
    if not text:
        return {"tokens": [], "links": ""}
    roster, mine = permissions.roster_for(request, battles.link_in(text).token)
    address = request.build_absolute_uri(battles.address_of(roster))
    found = battles.battles_with(permissions.my_battles(request), roster)
    return {
        "tokens": [roster.token] if mine else [],
        "links": "" if mine else address,
        "name": roster.name,
        "battles": battles.battle_summaries(found, MAX_SHOWN),
    }


def begin(request: HttpRequest, sent: QueryDict) -> HttpResponse:
    """Make the battle, or say what stands in the way and keep what was typed."""
    try:
        wanted = [
            _roster_ref(request, text) for text in [*sent.getlist("roster"), *battles.lines_in(sent.get("links", ""))]
        ]
        if not wanted:
            raise BattleError("Tick a roster of yours, or paste the link of one.")
        browser, owner = permissions.browser_for(request), permissions.account_of(request)
        battle = battles.create(sent.get("name", "").strip().replace("\0", ""), wanted, browser, owner)
    except (BattleError, Unknown) as trouble:
        picked = {"tokens": sent.getlist("roster"), "links": sent.get("links", "")}
        status = 404 if isinstance(trouble, Unknown) else 422
        return _new_page(request, {"picked": picked, "trouble": str(trouble), "name": sent.get("name", "")}, status)
    return redirect("battle", battle.token)


class Unknown(Exception):
    """A pasted link that leads to no roster that this visitor may read."""

    def __init__(self, text: str) -> None:
        super().__init__(f"There is no roster at “{text[:80]}”.")


def _roster_ref(request: HttpRequest, text: str) -> RosterRef:
    """The roster that a pasted line names. Raises Unknown, for a closed one too."""
    link = battles.link_in(text)
    try:
        roster, _ = permissions.roster_for(request, link.token)
        if link.revision is not None:
            roster.revisions.only("pk").get(number=link.revision)
    except (Http404, Revision.DoesNotExist):
        raise Unknown(text) from None
    return RosterRef(roster, link.revision)


# ---------------------------------------------------------------- one battle


@battle_view(READ, "GET", POST=EDIT)
def battle(ctx: BattleContext) -> HttpResponse:
    """The battle, and what its editors may do to it."""
    request, found, editable = ctx.request, ctx.battle, ctx.editable
    if request.method != "POST":
        return draw(request, found, editable)
    verb, _, number = request.POST.get("do", "").partition(" ")
    action = ACTIONS.get(verb)
    if action is None:
        raise Http404("This browser may not change this battle that way.")
    try:
        pks = _pks(found, number)
        return action(request, found, pks) or redirect("battle", found.token)
    except (BattleError, Unknown) as trouble:
        more = {"trouble": str(trouble), "typed": request.POST.get("link", "")}
        return draw(request, found, True, more, status=404 if isinstance(trouble, Unknown) else 422)
    except Battle.DoesNotExist:
        raise Http404("This battle was deleted meanwhile.") from None


def _pks(battle: Battle, number: str) -> list[int]:
    """The forces that a button is about: the one that it names, else all. Raises Http404 for another battle's."""
    known = list(battle.forces.values_list("pk", flat=True))
    if not number:
        return known
    chosen = [pk for pk in known if str(pk) == number]
    if not chosen:
        raise Http404("There is no such force in this battle.")
    return chosen


Action = Callable[[HttpRequest, Battle, list[int]], HttpResponse | None]


def add(request: HttpRequest, battle: Battle, pks: list[int]) -> None:
    """Add the roster that is chosen or pasted."""
    text = request.POST.get("link", "").strip() or request.POST.get("roster", "")
    if not text:
        raise BattleError("Paste the link of a roster, or choose one of yours.")
    force = battles.add(battle, _roster_ref(request, text))
    messages.success(request, f"Added {force.roster.name}.")


def pin_revisions(request: HttpRequest, battle: Battle, pks: list[int]) -> None:
    """Freeze one force, or all, at their newest revisions; not those that are closed to this visitor."""
    open_ones = [seat.force.pk for seat in seats_of(request, battle) if seat.state is not None]
    moved = battles.pin_latest_revisions(battle, [pk for pk in pks if pk in open_ones])
    messages.success(request, "Agreed on the newest revisions." if moved else "These are the newest revisions already.")


def remove(request: HttpRequest, battle: Battle, pks: list[int]) -> None:
    """Take out one force: one's own, and who began the battle any."""
    if len(pks) != 1:
        return
    removable = [
        seat.force.pk for seat in seats_of(request, battle) if seat.mine or permissions.is_creator(request, battle)
    ]
    if pks[0] not in removable:
        raise BattleError("Only who began this battle takes out somebody else's force.")
    battles.remove(battle, pks[0])
    messages.success(request, "Removed from the battle. The roster itself stays as it is.")


def side(request: HttpRequest, battle: Battle, pks: list[int]) -> None:
    """Choose the side of one force."""
    if len(pks) == 1:
        battles.choose_side(battle, pks[0], request.POST.get("side", ""))


def settings(request: HttpRequest, battle: Battle, pks: list[int]) -> HttpResponse | None:
    """Name, scenario and house rules."""
    form = _form(battle, battles.system_of(battle), request.POST)
    if not form.is_valid():
        return draw(request, battle, True, {"form": form}, status=422)
    battles.update_terms(battle, **form.settings())
    messages.success(request, "The terms of the battle are changed.")
    return None


def delete(request: HttpRequest, battle: Battle, pks: list[int]) -> HttpResponse:
    """Ask first. Only who began the battle comes this far."""
    _require_creator(request, battle)
    return render(request, "battles/delete.html", {"battle": battle, "size": len(pks)})


def confirm_delete(request: HttpRequest, battle: Battle, pks: list[int]) -> HttpResponse:
    """Delete the battle for good."""
    _require_creator(request, battle)
    battles.delete(battle)
    messages.success(request, f"Deleted the battle “{battle.name}”.")
    return redirect("battle-new")


def _require_creator(request: HttpRequest, battle: Battle) -> None:
    if not permissions.is_creator(request, battle):
        raise BattleError("Only who began this battle deletes it. You can take your own force out.")


ACTIONS: dict[str, Action] = {
    "add": add,
    "agree": pin_revisions,
    "remove": remove,
    "side": side,
    "settings": settings,
    "delete": delete,
    "delete-sure": confirm_delete,
}


@rate_limited("CREATIONS_A_MINUTE")
@battle_view(READ, "POST")
def opponent(ctx: BattleContext) -> HttpResponse:
    """Take the other side, with a roster of one's own or a new one that begins with its budget and side.

    A battle that has its two sides is added to by its editors alone.
    """
    request, found, editable = ctx.request, ctx.battle, ctx.editable
    if not editable and found.forces.count() >= battles.TWO_SIDES:
        raise Http404("This battle has its sides.")
    try:
        chosen = request.POST.get("roster", "")
        return _join(request, found, chosen, editable) if chosen else _build_opponent(request, found, editable)
    except BattleError as trouble:
        return draw(request, found, editable, {"trouble": str(trouble)}, status=422)
    except Battle.DoesNotExist:
        raise Http404("This battle was deleted meanwhile.") from None


def _join(request: HttpRequest, battle: Battle, token: str, editable: bool) -> HttpResponse:
    roster, mine = permissions.roster_for(request, battles.link_in(token).token)
    if not mine:
        raise Http404("That is no roster of this browser.")
    battles.join(battle, roster, permissions.browser_for(request), editor=editable)
    return redirect("battle", battle.token)


def _build_opponent(request: HttpRequest, battle: Battle, editable: bool) -> HttpResponse:
    known = [_for_all(seat, battle) for seat in seats_of(request, battle) if seat.own is not None]
    document = battles.opponent_of(battle, known)
    browser, owner = permissions.browser_for(request), permissions.account_of(request)
    made = battles.make_opponent(battle, document, browser, owner, editor=editable)
    show_edit_link(request, made.roster, made.secret)
    text = f"This roster is in the battle “{battle.name}”. When it is ready, agree there on the newest."
    messages.info(request, text, extra_tags=f"battle {battle.token}")
    return redirect("roster", made.roster.token)


# ---------------------------------------------------------------- on paper


@rate_limited("PDFS_A_MINUTE")
@render_print_errors
@battle_view(READ, "GET")
def pdf(ctx: BattleContext) -> HttpResponse:
    """The battle pack: the briefing, each force's sheets as frozen and as others see them, one reference panel."""
    request, found = ctx.request, ctx.battle
    copies = [_copy(request, seat, found) for seat in seats_of(request, found) if seat.state is not None]
    if not copies:
        raise Http404("This battle has no force to print.")
    settings = parse_print_options(battles.system_of(found), request.GET, {})
    key = content_key(copies, settings, "battle")
    made = printing.battle_print
    response = file_response(request, key, "application/pdf", lambda: made(copies, settings, printing_limits()).pdf())
    response["Content-Disposition"] = f'inline; filename="{(slugify(found.name) or "battle")[:60]}.pdf"'
    return response


def _copy(request: HttpRequest, seat: Seat, battle: Battle) -> Copy:
    """A force as everybody sees it, with its frozen link for the QR code."""
    state = _for_all(seat, battle)
    document = edits.replace_fields(state.document, changed=seat.own.at.isoformat() if seat.own else None)
    return Copy(document, state.appraisal, state.lines, reference(), request.build_absolute_uri(seat.address))
