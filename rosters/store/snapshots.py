"""What pages show of a roster: its state at a revision, in play or now, complete or as others may see it.

A revision is redacted by the roster's current settings. An element that is secret now, or was when it was deleted, is
secret in every revision, because an older version would reveal it.
"""

from collections.abc import Iterator
from typing import NamedTuple

from django.http import Http404

from rosters import registry
from rosters.core import appraisals
from rosters.core.amounts import format_amount
from rosters.core.appraisals import Appraisal, RosterState, edition_label
from rosters.core.diff import Change, Comparison
from rosters.core.documents import AnyDocument
from rosters.core.messages import _, join
from rosters.core.play import with_damage, without_damage
from rosters.models import Revision, Roster
from rosters.store import revisions
from rosters.store.play import play_of
from rosters.store.state import compute_state, current_document, hidden_parts, redacted_state, visible_state


class RevisionView(NamedTuple):
    """A revision, its stored state, and its appraisal by today's rules."""

    revision: Revision
    state: RosterState
    today: Appraisal

    @property
    def verdict(self) -> str:
        """Whether today's rules give another result, in a sentence."""
        return verdict(self.state.appraisal, self.today)


def get_revision(roster: Roster, number: int) -> Revision:
    """A revision of a roster. Raises Http404."""
    revision = roster.revisions.filter(number=number).first()
    if revision is None:
        raise Http404("There is no such revision.")
    return revision


def view_revision(roster: Roster, number: int, *, complete: bool) -> RevisionView:
    """A revision, redacted unless ``complete``. Raises Http404."""
    revision = get_revision(roster, number)
    state = _stored_state(revision)
    today = compute_state(state.document, state)
    if not complete:
        state, today = redact_state(roster, state), redact_state(roster, today)
    return RevisionView(revision, state, today.appraisal)


def state_at(roster: Roster, number: int | None, *, complete: bool, elements: bool = True) -> RosterState:
    """The state at a revision, or the current one (None), complete or as others see it. Raises Http404.

    Without ``elements`` those of a revision are not appraised one by one, which takes longest.
    """
    if number is None:
        return visible_state(roster, complete=complete)
    state = _stored_state(get_revision(roster, number), elements=elements)
    return state if complete else redact_state(roster, state)


def state_in_play(roster: Roster, *, complete: bool) -> RosterState:
    """The current state with its damage; unless ``complete``, redacted and without damage that is hidden."""
    state, current = visible_state(roster, complete=complete), play_of(roster)
    damage = current.damage if complete or current.shown else {}
    return state._replace(document=with_damage(state.document, damage))


def _stored_state(revision: Revision, *, elements: bool = True) -> RosterState:
    """The document and the appraisal that a revision stores, and its elements appraised by today's rules."""
    document, appraisal = revisions.unpack(revision)
    appraised = registry.appraise_elements(document) if elements else ()
    return RosterState(document, appraisals.from_json(appraisal), appraised)


# ---------------------------------------------------------------- as others see it


def redact_state(roster: Roster, state: RosterState) -> RosterState:
    """Redact a state of this roster, current or of any revision, and remove damage, which old revisions have."""
    hidden, document = hidden_parts(roster), without_damage(state.document)
    if hidden.secrets:
        document = _mark_secret(document, revisions.secret_ids(roster, current_document(roster), document))
    appraised = registry.appraise_elements(document, state.appraised) if state.appraised else ()
    return redacted_state(RosterState(document, state.appraisal, appraised), hidden)


def _mark_secret(document: AnyDocument, secret: frozenset[str]) -> AnyDocument:
    """The document with these elements marked secret too."""
    formations = tuple(
        formation.replace(
            elements=tuple(
                element.replace(secret=True) if element.id in secret else element for element in formation.elements
            ),
        )
        for formation in document.formations
    )
    return document.replace(formations=formations)


# ---------------------------------------------------------------- differences


def verdict(then: Appraisal, now: Appraisal) -> str:
    """Whether the appraisals ``then`` and ``now`` differ, in a sentence."""
    parts = [*_rule_differences(then, now)]
    if not parts and then.edition == now.edition:
        return _("Today’s rules say the same.")
    if not parts:
        return _("Today’s rules – {edition} – say the same.").format(edition=edition_label(now.edition))
    text = _("Today’s rules – {edition} – would differ: {differences}.")
    return text.format(edition=edition_label(now.edition), differences=join(parts, "; "))


def _rule_differences(then: Appraisal, now: Appraisal) -> Iterator[str]:
    if then.points != now.points:
        yield _("{now} {points} instead of {then}").format(
            now=format_amount(now.points),
            points=registry.SYSTEMS[now.system].rules.WORDS.points,
            then=format_amount(then.points),
        )
    if then.legal != now.legal:
        yield _("legal") if now.legal else _("not legal")
    if then.findings != now.findings:
        yield _("another rules check")
    if then.edition != now.edition:
        yield _("printed rules corrected since {edition}").format(edition=edition_label(then.edition))


def changes_since(roster: Roster, number: int) -> tuple[Change, ...]:
    """What has changed since a revision, as others may know it. Raises Http404."""
    before = state_at(roster, number, complete=False, elements=False)
    return tuple(compare(before, visible_state(roster, complete=False)).changes())


def compare(before: RosterState, after: RosterState) -> Comparison:
    """Two rosters of one game, matched."""
    return Comparison(before, after, registry.SYSTEMS[after.document.system].rules)
