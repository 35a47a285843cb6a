"""VSGMR in play: damage, alerts, the reference panels of a roster, and the briefing of a battle.

Rulebook: VSGMR, Domino Writing; sections II, III, V, VI and VIII.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial

from rosters.core import play
from rosters.core.amounts import Amount, format_amount
from rosters.core.appraisals import RosterState
from rosters.core.documents import Document
from rosters.core.findings import path_to
from rosters.core.messages import Message, _, join, join_names, ngettext
from rosters.core.odds import DieRoll, die_roll
from rosters.core.reference import Trait
from rosters.core.rulebook import count_points
from rosters.systems.vsgmr import tables
from rosters.systems.vsgmr.rules import (
    GUYS,
    KIND_NAMES,
    KINDS,
    MOUNTS,
    POWERS,
    SCENARIOS,
    SUPPORT_NAMES,
    TRAITS,
    WORDS,
    Element,
    Options,
    Profile,
    RosterTerms,
    armor_of,
    power_name,
    powers_of,
    price,
    suggestion,
    trait_codes,
    trait_name,
)

Roster = Document[Element, Options]
BASIC = "basic"
"""The scenario of a roster that names none."""
NO_SCENARIO = _("No roster names a scenario, so the basic game is assumed.")

INCHES = _("25–32 mm, in inches")
PAPER = _("Sheets of paper, in inches")
SCALES = (INCHES, *(_("{figures}, in spaces").format(figures=scale.figures) for scale in tables.SCALES), PAPER)
UNITS = (_("inches"), *([_("spaces")] * len(tables.SCALES)), _("inches"))
"""The unit of each scale."""

# ---------------------------------------------------------------- the figure in play


def stat_line(element: Element, terms: RosterTerms) -> play.StatLine:
    """Move, half move and reach in every scale, then the die of each roll; traits and powers in words."""
    known = [pace for pace in _paces(element) if pace is not None]
    stats = []
    if known:
        moves = (_("Move"), [pace.move for pace in known]), (_("Half"), [pace.half for pace in known])
        reach = [pace.reach for pace in known if pace.reach is not None]
        for head, distances in (*moves, *([(_("Distance"), reach)] if reach else [])):
            texts = tuple(format_amount(distance) for distance in distances)
            stats.append(play.Stat(head, texts[0], by_scale=texts))
    for roll in tables.rolls(element, terms):
        if roll is not tables.BUILDING_ROLL:
            die = roll.target, roll.die, roll.dice
            stats.append(play.Stat(roll.name, DieRoll(*die).text, roll.note, roll=die_roll(*die)))
    words = (
        KIND_NAMES.get(element.kind, element.kind),
        _("commander") if element.commander else "",
        *(trait_name(code, element.support) for code in element.traits),
        *(power_name(*item) for item in powers_of(element)),
    )
    return play.StatLine(tuple(stats), join(word for word in words if word))


def _paces(figure: Profile) -> list[tables.Pace | None]:
    """The pace of a figure in each of the `SCALES`."""
    return [tables.pace(figure), *map(partial(_scaled, figure), tables.SCALES), tables.pace(figure, paper=True)]


def _scaled(figure: Profile, scale: tables.Scale) -> tables.Pace | None:
    """The pace of a figure in the spaces of a scale: the rules are written for a move unit of 6 and a reach of 12."""
    pace = tables.pace(figure)
    if pace is None:
        return None
    share = Fraction(scale.move, tables.MOVES["troop"].inches)
    reach = None if pace.reach is None else pace.reach * scale.short / tables.REACH
    return pace._replace(move=pace.move * share, half=pace.half * share, reach=reach)


def figures(document: Roster, terms: RosterTerms) -> Iterator[play.KeyFigure]:
    """The figures by kind, and those with distance attacks, armor, traits and super powers."""
    figures = figures_of(document)
    for kind in reversed(KINDS):
        yield play.models_of(KIND_NAMES[kind], [figure for figure in figures if figure.kind == kind])
    yield play.models_of(_("Distance attacks"), [figure for figure in figures if figure.distance])
    yield play.models_of(_("Automatic fire"), [figure for figure in figures if figure.automatic_fire])
    yield play.models_of(_("Armored"), [figure for figure in figures if armor_of(figure)])
    yield play.KeyFigure(_("Traits"), play.sum_of(figures, lambda figure: len(figure.traits)))
    yield play.KeyFigure(_("Super powers"), play.sum_of(figures, lambda figure: len(figure.powers)))


def gauges(document: Roster, terms: RosterTerms) -> Iterator[play.Gauge]:
    """In the scenario Escape: the losses that put its goal out of reach."""
    figures = figures_of(document)
    if terms.scenario == "escape" and (total := _headcount(figures)):
        step = (total - to_escape(total) + 1, "")
        ahead = (_("more until it cannot win"),)
        yield play.Gauge("", _("Losses"), _defeated(figures), total, _("Cannot win from"), (step,), ahead)


# ---------------------------------------------------------------- damage and alerts


def tracks(element: Element, terms: RosterTerms) -> tuple[play.Track, ...]:
    """One box: the figure is defeated or not."""
    return (play.Track("out", _("Defeated"), ("",), "flag", fatal=True),)


def alerts(document: Roster, terms: RosterTerms) -> Iterator[play.Alert]:
    """The consequences of defeated figures: commander, mounts, traits; then the losses of the roster."""
    for f, warband in enumerate(document.formations):
        for e, figure in enumerate(warband.elements):
            for number, mark in enumerate(figure.marks, 1):
                for text in _consequences(figure) if mark.out else ():
                    yield play.Alert(path_to(f, e), text.format(figure=_model_name(figure, number)))
    figures = figures_of(document)
    if _defeated(figures):
        yield play.Alert("", _tally(figures, document, terms), "tally")
        yield from (play.Alert("", text) for text in _losses(figures, document, terms))


def figures_of(document: Roster) -> list[Element]:
    """The elements with at least one figure."""
    return [figure for figure in document.elements if figure.quantity]


def _model_name(figure: Element, number: int) -> str:
    name = figure.display_name
    return join((name, str(number)), " ") if figure.quantity > 1 else name


def _defeated(figures: Sequence[Element]) -> int:
    return sum(mark.out for figure in figures for mark in figure.marks)


def _consequences(figure: Element) -> Iterator[Message]:
    """What follows from the defeat of a figure, as templates for its name."""
    if figure.commander and figure.kind in KINDS:
        yield _("{figure}, the commander, is defeated. The rules attach no penalty to this.")
    if figure.kind in MOUNTS:
        yield _("{figure} is defeated. What it carried stays on the spot; a rider or driver acts as a guy.")
    yield from (text for code, text in tables.TRAITS_LOST.items() if code in trait_codes(figure))


def _name_of(document: Roster) -> str:
    return document.name.strip() or _("This roster")


def _tally(figures: Sequence[Element], document: Roster, terms: RosterTerms) -> Message:
    """The points lost."""
    points: Amount = sum((price(figure, terms).unit_points * _defeated([figure]) for figure in figures), start=0)
    return _("{roster} has lost {lost} of {figures}, worth {points} to the opponent.").format(
        roster=_name_of(document),
        lost=_defeated(figures),
        figures=WORDS.count_elements(_headcount(figures)),
        points=count_points(points),
    )


def _losses(figures: Sequence[Element], document: Roster, terms: RosterTerms) -> Iterator[Message]:
    """Mounts without riders, a goal out of reach, and the end of the game."""
    name, total, lost = _name_of(document), _headcount(figures), _defeated(figures)
    if lost >= total:
        wiped_out = tables.SCENARIO_SETUP[terms.scenario or BASIC].wiped_out
        yield wiped_out.get(terms.side or "", wiped_out[""]).format(roster=name)
        return
    yield from _idle_mounts(figures)
    needed = to_escape(total)
    if terms.scenario == "escape" and total - lost < needed:
        text = _("{roster} can no longer win (figures needed: {needed}, left: {left}), but can stop the others.")
        yield text.format(roster=name, needed=needed, left=total - lost)


def _idle_mounts(figures: Sequence[Element]) -> Iterator[Message]:
    guys = [figure for figure in figures if figure.kind in GUYS]
    mounts = [figure for figure in figures if figure.kind in MOUNTS and "independent" not in figure.traits]
    left, riders = (_headcount(group) - _defeated(group) for group in (mounts, guys))
    if _defeated(guys) and left > riders:
        yield _("{mounts} and {guys} are left. A mount or vehicle without a rider or driver cannot move.").format(
            mounts=ngettext("{n} mount or vehicle", "{n} mounts or vehicles", left).format(n=left),
            guys=ngettext("{n} guy", "{n} guys", riders).format(n=riders),
        )


def _headcount(figures: Sequence[Element]) -> int:
    return sum(figure.quantity for figure in figures)


def to_escape(figures: int) -> int:
    """How many of a roster's original figures win the scenario Escape: more than half."""
    return figures // 2 + 1


# ---------------------------------------------------------------- panels


def panels(document: Roster, terms: RosterTerms) -> Iterator[play.Panel]:
    """The reference panels: a round, the rolls, the traits and powers in use, the scenario, measures."""
    figures = figures_of(document)
    yield play.Panel(_("A round"), tables.ROUND, text=_("By agreement, take turns figure by figure within a step."))
    mounts = any(figure.kind in MOUNTS for figure in figures)
    yield play.Panel(_("Movement"), (*tables.MOVING, *(tables.RIDING if mounts else ())))
    if _kinds(figures):
        yield _by_scale(partial(_figures_panel, figures))
    yield rolls_panel(figures)
    yield play.Panel(_("Attacks and skill rolls"), tables.ATTACKING)
    yield from _knockback_panels(figures)
    yield play.Panel(_("Hits"), tables.DEFEAT)
    yield from _ability_panels(figures)
    scenario = terms.scenario or BASIC
    yield play.Panel(scenario_title(scenario), (*set_up_rows(scenario), *_end_rows(scenario)))
    yield from _measure_panels()


def _kinds(figures: Sequence[Element]) -> list[str]:
    """The kinds in use, from mook to vehicle."""
    used = {figure.kind for figure in figures}
    return [kind for kind in KINDS if kind in used]


def _by_scale(panel: Callable[[int], play.Panel]) -> play.Panel:
    """A panel of the first of the `SCALES`, with those of the others."""
    first, *others = map(panel, range(len(SCALES)))
    return first._replace(by_scale=tuple(others))


def _figures_panel(figures: Sequence[Element], scale: int) -> play.Panel:
    """How far the kinds in use move in one of the `SCALES`."""
    title = _("Figures, in {unit}").format(unit=UNITS[scale])
    rows = tuple(row for kind in _kinds(figures) for row in _move_rows(kind, figures, scale))
    return play.Panel(title, rows, (_("Kind"), _("Move"), _("Half"), _("Carries"), _("Dice")))


def _move_rows(kind: str, figures: Sequence[Element], scale: int) -> Iterator[tuple[str, ...]]:
    """A row for a kind, one for its large figures, and one for each of its tiers of Super-Move."""
    of_kind, move = [figure for figure in figures if figure.kind == kind], tables.MOVES[kind]
    yield KIND_NAMES[kind], *_moves(kind, scale), move.carries or "–", move.dice or "–"
    if kind == "cavalry" and any(figure.large for figure in of_kind):
        yield _("Large cavalry"), *_moves(kind, scale), tables.LARGE_CARRIES, "–"
    for tier, more in tables.EXTRA_HALF_MOVES.items():
        if any(figure.powers.get("super-move") == tier for figure in of_kind):
            name = _("… with {power}").format(power=power_name("super-move", tier))
            bonus = _("+{n} to initiative").format(n=more)
            yield name, *_moves(kind, scale, tier), "–", bonus


def _moves(kind: str, scale: int, tier: str = "") -> Iterator[str]:
    """The move and the half move of a kind in one of the `SCALES`, with a tier of Super-Move."""
    if pace := _paces(Profile(kind=kind, powers={"super-move": tier} if tier else {}))[scale]:
        yield from (format_amount(pace.move), format_amount(pace.half))


def rolls_panel(figures: Sequence[Element]) -> play.Panel:
    """The lowest die that succeeds: in general, and for each kind in use with its bonus."""
    kinds, armors = _kinds(figures), {armor_of(figure) for figure in figures if figure.kind in KINDS}
    rows = tuple(
        (name, f"{least}+", *(_least(kind, roll, least) for kind in kinds))
        for code, name, roll, least in tables.ROLLS
        if roll != "armor" or code in armors
    )
    heads = (_("Roll"), _("Result"), *(KIND_NAMES[kind] for kind in kinds))
    twice = any(figure.automatic_fire and figure.distance for figure in figures)
    notes = (
        (bool(kinds), _("The columns by kind show the number needed on the die itself.")),
        (any("7+" in row for row in rows), _("A six-sided die cannot show 7+.")),
        (twice, _("Automatic fire: roll two dice for a distance attack and use the higher.")),
    )
    return play.Panel(_("Rolls"), rows, heads, join((text for applies, text in notes if applies), " "))


def _least(kind: str, roll: str, least: int) -> str:
    if roll == "skill" and kind not in GUYS:
        return "–"
    return f"{least - tables.BONUSES[kind].get(roll, 0)}+"


def _knockback_panels(figures: Sequence[Element]) -> Iterator[play.Panel]:
    """The distances of knockback, up to the largest die in the roster; none where nobody knocks back."""
    powers = [POWERS.get(item) for figure in figures for item in figure.powers.items()]
    largest = max((row.die for row in powers if row and row.power in tables.KNOCKBACK_POWERS), default=0)
    if largest > tables.KNOCKBACK_ABOVE:
        yield _by_scale(partial(_knockback_panel, largest))


def _knockback_panel(largest: int, scale: int) -> play.Panel:
    heads = (_("Die"), *(target for target, _kind in tables.KNOCKBACK_KINDS))
    rows = tuple((str(die), *knockback(die, scale)) for die in range(tables.KNOCKBACK_ABOVE + 1, largest + 1))
    return play.Panel(_("Knockback"), rows, heads, tables.KNOCKBACK_TEXT.format(unit=UNITS[scale]))


def knockback(die: int, scale: int = 0) -> tuple[str, ...]:
    """How far each kind of target is knocked back by a die of 8 or more, in one of the `SCALES`."""
    paces = (_paces(Profile(kind=kind))[scale] for _target, kind in tables.KNOCKBACK_KINDS)
    return tuple(format_amount((die - tables.KNOCKBACK_ABOVE) * pace.half) for pace in paces if pace)


def _ability_panels(figures: Sequence[Element]) -> Iterator[play.Panel]:
    used = {code for figure in figures for code in trait_codes(figure)}
    if traits := tuple((row.name, _trait_text(row, figures)) for code, row in TRAITS.items() if code in used):
        yield play.Panel(_("Traits"), traits)
    used_powers = {item for figure in figures for item in powers_of(figure)}
    if powers := tuple((power_name(*item), row.text) for item, row in POWERS.items() if item in used_powers):
        yield play.Panel(_("Super powers"), powers)


def _trait_text(trait: Trait, figures: Sequence[Element]) -> str:
    """The text of a trait; for Support also the rolls that are chosen in this roster."""
    chosen = sorted({figure.support for figure in figures if figure.support and "support" in figure.traits})
    if trait.code != "support" or not chosen:
        return trait.text
    rolls = join_names(SUPPORT_NAMES[roll] for roll in chosen)
    return join((trait.text, _("In this roster: {rolls}.").format(rolls=rolls)), " ")


def scenario_title(scenario: str) -> Message:
    """The title of the panel of a scenario."""
    return _("Scenario: {name}").format(name=SCENARIOS[scenario].name)


def _end_rows(scenario: str) -> Iterator[tuple[str, str]]:
    """When a scenario ends, and how each side wins."""
    setup = tables.SCENARIO_SETUP[scenario]
    yield _("End"), setup.ends
    for side, text in setup.wins.items():
        yield _("Victory: {side}").format(side=tables.SIDE_NAMES[side]) if side else _("Victory"), text


def set_up_rows(scenario: str) -> Iterator[tuple[str, str]]:
    """The set-up of a scenario side by side, and its special rules."""
    setup = tables.SCENARIO_SETUP[scenario]
    yield from ((tables.SIDE_NAMES[side] if side else _("Set-up"), text) for side, text in setup.deploy.items())
    yield from setup.shared


def _measure_panels() -> Iterator[play.Panel]:
    scales = tuple(
        (each.figures, each.space, str(each.move), str(each.short), str(each.long)) for each in tables.SCALES
    )
    heads = (_("Figures"), _("A space"), _("Move unit"), _("Short range"), _("Long range"))
    yield play.Panel(tables.SCALES_TITLE, scales, heads, tables.SCALES_TEXT)
    yield play.Panel(_("Measuring with paper"), tables.PAPER_MEASURES, (_("Measure"), _("Move unit"), _("Half")))
    yield solo_panel()


def solo_panel() -> play.Panel:
    """Which figures of each side act if one player plays both."""
    return play.Panel(_("Solo play"), tables.SOLO, (_("D6"), _("At the start of each turn of a side")))


# ---------------------------------------------------------------- briefing


def briefing(sides: Sequence[RosterState]) -> Iterator[play.Panel]:
    """The first page of a battle: scenario, rosters and whether they are even, set-up, limits, and victory."""
    scenario, remark = play.agreed_scenario(sides, BASIC, NO_SCENARIO)
    roles = roles_of(sides, scenario)
    texts = (SCENARIOS[scenario].text, remark, *_assumed(sides, scenario, roles), *_vacant(scenario, roles))
    yield play.Panel(scenario_title(scenario), text=join((text for text in texts if text), " "))
    yield _rosters_panel(sides, scenario, roles)
    yield play.Panel(_("Set-up"), tuple(_battle_set_up(sides, scenario, roles)))
    points = _("Suggestions are not binding. Points that are not spent are lost.")
    yield play.Panel(_("Limits"), ((_("End"), tables.SCENARIO_SETUP[scenario].ends), (_("Points"), points)))
    if sides:
        yield play.Panel(_("Victory"), tuple(goals(sides, scenario, roles)))
    if len(sides) == 1:
        yield solo_panel()


def roles_of(sides: Sequence[RosterState], scenario: str) -> list[str]:
    """The scenario's side of each roster: its own, else the first free one, else the last; "" if there are none."""
    own = [_own_role(side, scenario) for side in sides]
    free = [slug for slug in SCENARIOS[scenario].sides if slug not in own]
    last = ["", *SCENARIOS[scenario].sides][-1]
    return [role or (free.pop(0) if free else last) for role in own]


def _own_role(side: RosterState, scenario: str) -> str:
    """The side that the roster itself names for this scenario."""
    return side.document.side or "" if side.document.scenario == scenario else ""


def _assumed(sides: Sequence[RosterState], scenario: str, roles: Sequence[str]) -> Iterator[Message]:
    """A sentence about the rosters that name no side of the scenario."""
    assumed = [
        _("{roster} as {side}").format(roster=name, side=SCENARIOS[scenario].sides[role])
        for name, side, role in zip(play.roster_names(sides), sides, roles, strict=True)
        if role and not _own_role(side, scenario)
    ]
    if assumed:
        yield _("Sides assumed: {sides}.").format(sides=join_names(assumed))


def _vacant(scenario: str, roles: Sequence[str]) -> Iterator[Message]:
    """A sentence about the sides of the scenario without a player."""
    vacant = [name for role, name in SCENARIOS[scenario].sides.items() if role not in roles]
    if vacant:
        yield _("No player for: {sides}.").format(sides=join_names(vacant))


def _rosters_panel(sides: Sequence[RosterState], scenario: str, roles: Sequence[str]) -> play.Panel:
    rows = tuple(
        (
            name,
            SCENARIOS[scenario].sides.get(role, "–"),
            _("hidden") if side.appraisal.points is None else format_amount(side.appraisal.points),
            str(side.appraisal.quantity),
            _suggested(side, scenario, role),
        )
        for name, side, role in zip(play.roster_names(sides), sides, roles, strict=True)
    )
    heads = (_("Roster"), _("Side"), _("Points"), _("Figures"), _("Suggested points"))
    return play.Panel(_("Rosters"), rows, heads, join(match(sides).sentences, " "))


def _suggested(side: RosterState, scenario: str, role: str) -> str:
    """The suggested points, and how far the roster is outside them."""
    points, (lowest, highest) = side.appraisal.points, SCENARIOS[scenario].suggested[role]
    suggested = suggestion(lowest, highest)
    if points is not None and points > highest:
        return _("{suggestion}: {points} over").format(suggestion=suggested, points=format_amount(points - highest))
    if points is not None and lowest is not None and points < lowest:
        return _("{suggestion}: {points} below").format(suggestion=suggested, points=format_amount(lowest - points))
    return suggested


Worth = tuple[str, Amount | None]
"""The name of a roster, and its points."""
Groups = Mapping[tuple[int | None, int], Sequence[Worth]]
"""Rosters by the points that the scenario suggests for them."""


def match(sides: Sequence[RosterState]) -> play.Match:
    """Whether the rosters are even: at most 5 points apart (section IV).

    If the scenario suggests different points for its sides: each at most 5 points below its suggestion, and none above.
    """
    scenario, _remark = play.agreed_scenario(sides, BASIC, NO_SCENARIO)
    roles = roles_of(sides, scenario)
    groups = _groups(sides, scenario, roles)
    sentences, vacant = tuple(_evenness(sides, scenario, groups)), [*_vacant(scenario, roles)]
    if len(sides) < 2:
        return play.Match(None, sentences, tuple(vacant))
    compared = [_even(group) for group in groups.values()]
    missing = [text for group in groups.values() for text in _behind(group)]
    if len(groups) > 1:
        compared += [
            None if points is None else highest - tables.MAX_DIFFERENCE <= points <= highest
            for (_low, highest), group in groups.items()
            for _name, points in group
        ]
        missing = [text for (_low, highest), group in groups.items() for text in _off_suggestion(group, highest)]
    return play.Match(play.all_or_unknown([*compared, not vacant]), sentences, (*missing, *vacant))


def _groups(sides: Sequence[RosterState], scenario: str, roles: Sequence[str]) -> Groups:
    groups: dict[tuple[int | None, int], list[Worth]] = {}
    for name, side, role in zip(play.roster_names(sides), sides, roles, strict=True):
        groups.setdefault(SCENARIOS[scenario].suggested[role], []).append((name, side.appraisal.points))
    return groups


def _even(group: Sequence[Worth]) -> bool | None:
    known = [points for _name, points in group if points is not None]
    if known and max(known) - min(known) > tables.MAX_DIFFERENCE:
        return False
    return True if len(group) in (1, len(known)) else None


def _behind(group: Sequence[Worth]) -> Iterator[str]:
    """What the rosters below the others lack; nothing while points are hidden."""
    known = [(name, points) for name, points in group if points is not None]
    yield from play.missing_points(known, tables.MAX_DIFFERENCE) if len(known) == len(group) else ()


def _off_suggestion(group: Sequence[Worth], highest: int) -> Iterator[Message]:
    """How far each roster is below or above its suggestion."""
    for name, points in group:
        if points is not None and points > highest:
            text, off = _("{roster}: {points} above the suggested {n}."), points - highest
        elif points is not None and points < highest:
            text, off = _("{roster}: {points} below the suggested {n}."), highest - points
        else:
            continue
        yield text.format(roster=name, points=count_points(off), n=highest)


def _evenness(sides: Sequence[RosterState], scenario: str, groups: Groups) -> Iterator[Message]:
    """How the rosters compare for which the scenario suggests the same points (section IV)."""
    yield from (_difference(group) for group in groups.values() if len(group) > 1)
    if len(groups) > 1:
        yield _("This scenario suggests different points for its sides. Compare each roster with its suggestion.")
    points, alike = (
        sides[0].appraisal.points if len(sides) == 1 else None,
        len({*SCENARIOS[scenario].suggested.values()}),
    )
    if points is not None and alike == 1:
        lowest, highest = max(points - tables.MAX_DIFFERENCE, 0), points + tables.MAX_DIFFERENCE
        text = _("An even opponent has {lowest}–{highest} points.")
        yield text.format(lowest=format_amount(lowest), highest=format_amount(highest))


def _difference(group: Sequence[Worth]) -> Message:
    names, known = (
        join_names(name for name, _points in group),
        [points for _name, points in group if points is not None],
    )
    if len(known) < len(group):
        text = _("Even rosters are within {allowed} points. Not all points of {rosters} are shown.")
        return text.format(rosters=names, allowed=tables.MAX_DIFFERENCE)
    apart = max(known) - min(known)
    even = _("Points of {rosters}: even ({points} apart, {allowed} are allowed).")
    uneven = _("Points of {rosters}: not even ({points} apart, {allowed} are allowed).")
    return (even if apart <= tables.MAX_DIFFERENCE else uneven).format(
        rosters=names, points=count_points(apart), allowed=tables.MAX_DIFFERENCE
    )


def _battle_set_up(sides: Sequence[RosterState], scenario: str, roles: Sequence[str]) -> Iterator[tuple[str, str]]:
    yield from table_rows(scenario)
    for name, side, role in zip(play.roster_names(sides), sides, roles, strict=True):
        for label, text in roster_rows(side, role):
            yield _("{roster}: {label}").format(roster=name, label=label), text


def table_rows(scenario: str) -> Iterator[tuple[str, str]]:
    """The set-up of the table and of the sides."""
    yield _("Table"), _("Place walls, trees, rocks and buildings on about 4 by 6 feet before the set-up.")
    yield from set_up_rows(scenario)
    yield _("Same spot"), _("There is no order of set-up. If two players want a spot, the higher die takes it.")


def roster_rows(side: RosterState, role: str) -> Iterator[tuple[str, str]]:
    """What a roster announces at the set-up: its commander, and how many figures wait."""
    commanders = [
        figure.display_name for figure in figures_of(side.document) if figure.commander and figure.kind in KINDS
    ]
    shown = _("Show the other players: {commanders}.").format(commanders=join_names(commanders))
    yield _("Commander"), shown if commanders else _("None. Choose a hero or a troop.")
    if role == "spawner":
        waiting = WORDS.count_elements(max(side.appraisal.quantity - 1, 0))
        yield _("Waiting"), _("{figures} to enter by die roll.").format(figures=waiting)


def goals(sides: Sequence[RosterState], scenario: str, roles: Sequence[str]) -> Iterator[tuple[str, str]]:
    """How each roster wins, with the numbers of figures and points of these rosters."""
    wins, names = tables.SCENARIO_SETUP[scenario].wins, play.roster_names(sides)
    for index, (name, side, role) in enumerate(zip(names, sides, roles, strict=True)):
        enemies = [
            _at_stake(other, enemy, scenario)
            for place, (other, enemy) in enumerate(zip(names, sides, strict=True))
            if place != index and (not role or roles[place] != role)
        ]
        text = wins.get(role) or wins[""]
        if scenario == "escape":
            figures = side.appraisal.quantity
            needed = _("Needed: {needed} of {figures}.").format(
                needed=to_escape(figures), figures=WORDS.count_elements(figures)
            )
            yield name, join((text, needed if figures else _("This roster has no figures.")), " ")
        elif role == "assaulter":
            hits = _("It falls to hit number {n}.").format(n=roles.count("assaulter") + 1)
            yield name, join((text, hits), " ")
        elif enemies and scenario != "transport":
            yield name, join((text, _("To defeat: {enemies}.").format(enemies=join_names(enemies))), " ")
        else:
            yield name, text


def _at_stake(name: str, enemy: RosterState, scenario: str) -> Message:
    """An enemy roster as a goal: its figures, and its points if they decide."""
    figures, points = WORDS.count_elements(enemy.appraisal.quantity), enemy.appraisal.points
    if scenario not in ("basic", "spawning") or points is None:
        return _("{roster}, {figures}").format(roster=name, figures=figures)
    return _("{roster}, {points} in {figures}").format(roster=name, points=count_points(points), figures=figures)


TABLE = 72, 48
"""The table in inches, 6 by 4 feet."""
EDGE = 8
"""The depth of the strip along a side of the table in the plan: the rules give none."""
HALF = 3
"""Half a move unit of guys in inches (section II)."""
BUILDING = 24, 20, 24, 8
"""The building of the scenario Fortress assault, two move units from the strip of the assaulters."""
SPOTS: Mapping[str, tuple[play.Spot, ...]] = {
    "spawning": tuple(
        play.Spot(x, y, 2, str(n)) for n, (x, y) in enumerate(((36, 11), (4, 24), (36, 37), (68, 24)), start=1)
    ),
    "transport": (play.Spot(36, 24, 2, _("Object")),),
}
"""Where figures enter in Spawning by the die, for a spawner at the far edge: opposite, on its right, its own side, on
its left; and what is carried in Transport.
"""
_APART = play.Arrow(10, EDGE, 40, _("at least 2 move units apart"))
ARROWS: Mapping[str, tuple[play.Arrow, ...]] = {
    "basic": (_APART,),
    "escape": (_APART, play.Arrow(64, EDGE, 48, _("to the opposite edge"))),
    "transport": (_APART, play.Arrow(64, 0, 24, _("and back"))),
}
"""The distances between the sides, and the way to go."""
IN_FIELD = 10
"""How much further from the edge they are where third and fourth sides set up along it."""
ROUNDS = 5
FIVE_ROUNDS = ("basic", "escape", "transport", "spawning")
"""The scenarios that end after five rounds at the latest (section VIII)."""


def plan(sides: Sequence[RosterState]) -> play.TablePlan:
    """The table of the scenario in inches."""
    scenario, _remark = play.agreed_scenario(sides, BASIC, "")
    roles = roles_of(sides, scenario)
    return play.TablePlan(
        *TABLE,
        step=6,
        scale=(6, _("1 move unit, 6 inches")),
        caption=_("A field is 6 inches; the table is 6 by 4 feet."),
        turn=play.Panel(_("A round"), tables.ROUND),
        lost=_("figures defeated"),
        zones=_zones(scenario, roles),
        spots=SPOTS.get(scenario, ()),
        arrows=tuple(_arrows(scenario, len(sides))),
        building=BUILDING if scenario == "fortress-assault" else None,
        turns=ROUNDS if scenario in FIVE_ROUNDS else 12,
        last_turn=ROUNDS if scenario in FIVE_ROUNDS else 0,
        turns_label=_("Rounds"),
        terrain=tables.ON_PLAN,
    )


def _arrows(scenario: str, sides: int) -> Iterator[play.Arrow]:
    for arrow in ARROWS.get(scenario, ()):
        inward = IN_FIELD if arrow.x * 2 < TABLE[0] else -IN_FIELD
        yield arrow if sides < 3 else arrow._replace(x=arrow.x + inward)


def _zones(scenario: str, roles: Sequence[str]) -> tuple[play.Zone, ...]:
    """Where the sides of a scenario set up, those without a roster too."""
    near, far = play.edge_zones(TABLE, EDGE, 2)

    def zone(role: str, place: play.Zone, label: str = "") -> play.Zone:
        seats = tuple(seat for seat, own in enumerate(roles) if own == role)
        return place._replace(seats=seats, label=label, other=tables.SIDE_NAMES[role])

    if scenario == "spawning":
        return zone("infiltrator", near), zone("spawner", far, _("{names}: one figure, the others by die roll"))
    if scenario == "ambush":
        target = zone("target", play.Zone(20, 17, 32, 14), _("{names}: in the open"))
        return target, zone("ambusher", near, _("{names}: behind terrain and buildings"))
    if scenario == "fortress-assault":
        left, low, width, height = BUILDING
        around = play.Zone(left - HALF, low - HALF, width + 2 * HALF, height + 2 * HALF)
        defender = zone("defender", around, _("{names}: within half a move unit of the building"))
        return defender, zone("assaulter", near, _("{names}: 2 move units away from the building"))
    if len(roles) == 1:
        return near, far._replace(seats=(), other=_("Another roster"))
    return play.edge_zones(TABLE, EDGE, len(roles))
