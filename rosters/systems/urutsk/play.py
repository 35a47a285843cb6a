"""URUTSK minis in play: Fate, alerts, reference panels and the briefing of a battle.

Rulebook: Old URUTSK minis combat rules, Kyrinn S. Eis.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import attrgetter

from rosters.core import play
from rosters.core.amounts import with_minus_sign
from rosters.core.appraisals import RosterState
from rosters.core.documents import Document, Formation
from rosters.core.findings import path_to
from rosters.core.messages import Message, _, join, join_names
from rosters.core.odds import die_roll
from rosters.systems.urutsk import tables
from rosters.systems.urutsk.rules import LABELS, WORDS, Element, FigureTerms, Options

Roster = Document[Element, Options]

SECRET = "something-secret"
"""The code of the finding of a redacted roster."""
MAX_ROUNDS = 4
"""Boxes for lost rounds on the record."""
ROUND = play.Panel(_("Round"), tables.ROUND, text=_("The rulebook gives no order; this one is a proposal."))

SCALES = ()

# ---------------------------------------------------------------- the figure in play


def stat_line(element: Element, terms: FigureTerms) -> play.StatLine:
    """The scores, and the faces that explode at each range without cover; weapon and protection in words."""
    scores = (
        play.Stat(_("Ranged"), with_minus_sign(str(element.ranged))),
        play.Stat(_("Close"), with_minus_sign(str(element.close))),
        play.Stat(_("Weapon"), with_minus_sign(str(element.weapon_ability)), LABELS["weapon_ability"]),
    )
    texts = tables.exploding_by_range(element.fire, element.ranged).split()
    faces = [tables.lowest_exploding(element.fire, element.ranged - penalty) for _code, _name, penalty in tables.RANGES]
    ranges = (
        play.Stat(name, text, _("Faces that explode"), roll=die_roll(face or 7))
        for (_code, name, _penalty), text, face in zip(tables.RANGES, texts, faces, strict=True)
    )
    words = (
        tables.FIRE[element.fire].lower,
        _("poor condition") if element.poor_condition else "",
        _("command-capable") if element.command else "",
        element.protection,
    )
    table = play.StatTable(_("Range"), _("Explodes on"), _("roll again"), tuple(ranges))
    return play.StatLine(scores, join(word for word in words if word), table)


def gauges(document: Roster, terms: FigureTerms) -> Iterator[play.Gauge]:
    """None: the rules have no morale."""
    yield from ()


def figures(document: Roster, terms: FigureTerms) -> Iterator[play.KeyFigure]:
    """The sum of each score, the figures in command and those with more than single fire."""
    figures = document.elements
    for score in ("ranged", "close", "weapon_ability", "fate"):
        yield play.KeyFigure(LABELS[score], play.sum_of(figures, attrgetter(score)))
    yield play.models_of(_("Command-capable"), filter(attrgetter("command"), figures))
    yield play.models_of(_("Autofire or burst"), [figure for figure in figures if figure.fire != "single"])


# ---------------------------------------------------------------- tracks

STATES: Mapping[str, Message] = {
    "ammunition": _("ammo out"),
    "spare": _("spare used"),
    "command": _("no command"),
    "injured": _("injured"),
    "immobile": _("immobile"),
    "unconscious": _("unconscious"),
    "dead": _("dead"),
}
"""The states of a figure that its record has a box for."""


def tracks(element: Element, terms: FigureTerms) -> tuple[play.Track, ...]:
    """One box per point of Fate; the rounds that a figure loses; its ammunition, and its wounds."""
    label = _("Fate")
    if element.fate > play.MAX_BOXES:
        label = join((label, str(element.fate)), " ")
    return (
        play.count_track("fate", label, element.fate, element.fate if element.fate > 0 else None),
        play.count_track("rounds", _("Rounds lost"), MAX_ROUNDS)._replace(rare=True),
        play.Track("states", _("State"), (*STATES,), "names", None, (*STATES.values(),), rare=True, fatal_box="dead"),
    )


# ---------------------------------------------------------------- alerts


def alerts(document: Roster, terms: FigureTerms) -> Iterator[play.Alert]:
    """Alerts of the figures, of each detachment after its figures, and of the roster."""
    leaderless = _lost_all_commanders(document.formations)
    for f, formation in enumerate(document.formations):
        for e, element in enumerate(formation.elements):
            yield from _figure_alerts(element, path_to(f, e))
        if _lost_all_commanders([formation]) and not leaderless:
            text = _(
                "{detachment} has no commander with Fate left. At the next command check it needs one within 10 yards."
            )
            name = formation.name.strip() or _("Unnamed detachment")
            yield play.Alert(path_to(f), text.format(detachment=name))
    if leaderless:
        yield play.Alert("", _("No commander has Fate left. At the next command check all figures are out of command."))


def _figure_alerts(element: Element, where: str) -> Iterator[play.Alert]:
    for number, mark in enumerate(element.marks[: element.quantity], 1):
        name = element.display_name
        if element.quantity > 1:
            name = join((name, str(number)), " ")
        if mark.fate > max(element.fate, 0):
            text = _("{figure} is incapacitated. Roll a D6: 1–2 dead, 3–5 immobile, 6 unconscious for D6 minutes.")
            yield play.Alert(where, text.format(figure=name), "roll", str(number))
        elif mark.fate and mark.fate == element.fate:
            text = _(
                "{figure} has lost all its Fate. If hits equaled its Fate, it is injured: it acts again on the second "
                "round after, with 1 Fate less than before those hits. Otherwise the next hit incapacitates it."
            )
            yield play.Alert(where, text.format(figure=name))


def _lost_all_commanders(formations: Iterable[Formation[Element]]) -> bool:
    """Whether there are command-capable figures, all of them without Fate left."""
    commanders = [element for formation in formations for element in formation.elements if element.command]
    fallen = sum(0 < mark.fate >= element.fate for element in commanders for mark in element.marks[: element.quantity])
    return 0 < sum(element.quantity for element in commanders) == fallen


# ---------------------------------------------------------------- panels


def panels(document: Roster, terms: FigureTerms) -> Iterator[play.Panel]:
    """The reference panels, and at the end the weapons of the roster."""
    yield play.Panel(_("Scale and time"), tables.SCALE)
    yield ROUND
    penalties = tuple((name, f"−{penalty}" if penalty else "0") for _code, name, penalty in tables.RANGES)
    yield play.Panel(_("Range penalty"), penalties, (_("Range"), _("Penalty")))
    yield play.Panel(_("Ranged fire"), tables.RANGED)
    yield play.Panel(_("Group fire"), tables.GROUP)
    yield play.Panel(_("Clean miss (D6)"), tables.CLEAN_MISS)
    yield play.Panel(_("Melee"), tables.MELEE)
    dice = [(name, f"{face}–6" if face < 6 else "6") for name, face in (*tables.CHARGERS, *tables.RECEIVERS)]
    charge = tuple((name, _("Explodes on {faces}").format(faces=faces)) for name, faces in dice)
    first, *rest = tables.CHARGE
    yield play.Panel(_("Mass charge"), (first, *charge, *rest), text=_("Ranges are those of the receivers’ weapons."))
    yield play.Panel(_("Command"), tables.COMMAND)
    yield play.Panel(_("Hits compared with Fate"), tables.FATE)
    yield play.Panel(_("Incapacitated (D6)"), tables.INCAPACITATED)
    shock = _("The rulebook does not say when to roll. Agree which hits require it.")
    yield play.Panel(_("Shock (D6)"), tables.SHOCK, text=shock)
    yield from _weapon_panels([element for element in document.elements if element.quantity])


def _weapon_panels(elements: Sequence[Element]) -> Iterator[play.Panel]:
    """The rules of the weapons in use."""
    in_use = {element.fire for element in elements}
    rows = [
        (fire.name, _("Modified {lowest} or more").format(lowest=fire.explodes))
        for code, fire in tables.FIRE.items()
        if code in in_use
    ]
    rows += [tables.AUTOFIRE_GROUP] if "autofire" in in_use else []
    rows += [tables.POOR] if any(element.poor_condition and element.fire == "autofire" for element in elements) else []
    if rows:
        yield play.Panel(_("Exploding dice of the weapons in use"), tuple(rows))
    if "burst" in in_use:
        yield play.Panel(_("Bursts"), tables.BURST)


# ---------------------------------------------------------------- briefing


def briefing(sides: Sequence[RosterState]) -> Iterator[play.Panel]:
    """The rosters in figures, what the rules leave open, and the figures needed for a charge of 3:1."""
    heads = (_("Roster"), _("Figures"), _("Detachments"), _("Command-capable"))
    rows = tuple(_counts(side) for side in sides)
    yield play.Panel(_("Rosters"), rows, heads, join(match(sides).sentences, " "))
    yield play.Panel(_("Agree before the game"), tables.TO_AGREE)
    odds = tuple(_overwhelming_rows(sides))
    if odds:
        yield play.Panel(_("3:1 charge"), odds, text=_("At 3:1 or more the receivers also discard their 2s."))
    yield play.Panel(_("Victory"), ((_("Conditions"), _("The rules give none. Agree on them, and on when to stop.")),))


def _counts(side: RosterState) -> tuple[str, ...]:
    commanders = sum(element.quantity for element in side.document.elements if element.command)
    return (
        _name(side),
        str(side.appraisal.quantity),
        str(len(side.appraisal.formations)),
        str(commanders) if commanders else _("None: all are out of command at the first command check"),
    )


def _name(side: RosterState) -> str:
    return side.document.name.strip() or _("Unnamed roster")


def match(sides: Sequence[RosterState]) -> play.Match:
    """Whether the rosters have the same number of figures."""
    no_points = _("The rules have no points. Compare figures and scores.")
    if len(sides) < 2:
        return play.Match(None, (no_points,))
    if any(finding.code == SECRET for side in sides for finding in side.appraisal.findings):
        return play.Match(None, (no_points, _("Some figures are hidden.")))
    rows = [(_name(side), side.appraisal.quantity) for side in sides]
    fewest, most = min(count for _name, count in rows), max(count for _name, count in rows)
    if fewest == most:
        equal = _("All rosters have {figures}.").format(figures=WORDS.count_elements(most))
        return play.Match(True, (no_points, equal))
    largest = join_names(name for name, count in rows if count == most)
    text = _("Largest roster: {rosters}, {figures} more than the smallest.").format(
        rosters=largest, figures=WORDS.count_elements(most - fewest)
    )
    return play.Match(False, (no_points, text), tuple(play.missing_points(rows, 0, WORDS.count_elements)))


def _overwhelming_rows(sides: Sequence[RosterState]) -> Iterator[tuple[str, str]]:
    """For each roster that another can charge at 3:1: the figures needed, and the rosters that have them."""
    for index, side in enumerate(sides):
        needed = tables.OVERWHELMING * side.appraisal.quantity
        others = [other for number, other in enumerate(sides) if number != index]
        able = join_names(_name(other) for other in others if other.appraisal.quantity >= needed)
        if needed and able:
            text = _("{n} figures, available to {rosters}")
            yield _("Against {roster}").format(roster=_name(side)), text.format(n=needed, rosters=able)


TABLE = 72, 48
"""The fields of the plan of a table: the rules give no size."""


def plan(sides: Sequence[RosterState]) -> play.TablePlan:
    """An empty table: the rules give neither its size nor where the sides start."""
    return play.TablePlan(
        *TABLE,
        step=6,
        scale=(0, _("Yards per field:")),
        caption=_("Agree where each side starts."),
        turn=ROUND,
        lost=_("figures lost"),
        zones=play.edge_zones(TABLE, 8, len(sides), agreed=True),
        turns_label=_("Rounds"),
        terrain=tables.ON_PLAN,
    )
