"""VSGMR at the table: who is out and what follows, the panels of a force, and the briefing of a battle.

PURE. Rulebook: VSGMR, Domino Writing; sections II, III, V, VI and VIII.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rosters.core.amounts import Amount, format_exact
from rosters.core.documents import Document
from rosters.core.messages import _, join_names
from rosters.core.play import Alert, Match, Panel, Side, Track, agreed_scenario, all_agree, missing_points, names_of
from rosters.core.reference import Trait
from rosters.systems.vsgmr import tables
from rosters.systems.vsgmr.rules import (
    ALIASES,
    GUYS,
    KINDS,
    MOUNTS,
    POWERS,
    SCENARIOS,
    TRAITS,
    Element,
    ForceTerms,
    Options,
    armor_of,
    powers_of,
    price,
)

Roster = Document[Element, Options]
BASIC = "basic"
NO_SCENARIO = _("No roster names a scenario, so the basic game is assumed.")
"""The scenario that a roster without one is played by."""
TITLES = {"mook": "Mook", "troop": "Troop", "hero": "Hero", "cavalry": "Cavalry", "vehicle": "Vehicle"}

# ---------------------------------------------------------------- boxes


def tracks(element: Element, terms: ForceTerms) -> tuple[Track, ...]:
    """One box: a figure is in the game or out of it."""
    return (Track("out", "Out", ("",), "flag"),)


# ---------------------------------------------------------------- alerts


def alerts(document: Roster, terms: ForceTerms) -> Iterator[Alert]:
    """What follows from figures that are out: the commander, mounts, some traits; then what the force has lost."""
    for f, warband in enumerate(document.formations):
        for e, figure in enumerate(warband.elements):
            for model, mark in enumerate(figure.marks, 1):
                for text in _consequences(figure, _model(figure, model)) if mark.out else ():
                    yield Alert(f"formations/{f}/elements/{e}", text)
    figures = figures_of(document)
    if _out(figures):
        yield from (Alert("", text) for text in _losses(figures, document, terms))


def figures_of(document: Roster) -> list[Element]:
    """Every line that stands for at least one figure."""
    return [figure for warband in document.formations for figure in warband.elements if figure.quantity]


def _model(figure: Element, number: int) -> str:
    name = figure.name.strip() or "A figure without a name"
    return f"{name} {number}" if figure.quantity > 1 else name


def _out(figures: Sequence[Element]) -> int:
    """How many figures are marked as out."""
    return sum(mark.out for figure in figures for mark in figure.marks)


def _consequences(figure: Element, name: str) -> Iterator[str]:
    """What a figure that is out brings about beside leaving the table."""
    if figure.commander and figure.kind in KINDS:
        yield f"{name}, the commander, is out: the battle goes on, for the rules attach no penalty to it."
    if figure.kind in MOUNTS:
        yield f"{name} is out: leave whoever it carried on the spot; a rider or driver goes on as a guy."
    for code, text in tables.TRAITS_LOST.items():
        if code in trait_codes(figure):
            yield f"{name} is out: {text}."


def trait_codes(figure: Element) -> set[str]:
    """The traits of a figure, each under the name that the rulebook lists."""
    return {ALIASES.get(slug, slug) for slug in figure.traits}


def _losses(figures: Sequence[Element], document: Roster, terms: ForceTerms) -> Iterator[str]:
    """What a force with losses has to hear: points given away, idle mounts, a goal out of reach, the end."""
    name, whole, out = document.name.strip() or "The force", _headcount(figures), _out(figures)
    lost: Amount = sum((price(figure, terms).each * _out([figure]) for figure in figures if _out([figure])), start=0)
    yield f"{name} has lost {out} of {_number(whole, 'figure')}, worth {_points(lost)} to whoever defeated them."
    if out >= whole:
        wiped_out = tables.SCENARIO_SETUP[terms.scenario or BASIC].wiped_out
        yield f"{name} {wiped_out.get(terms.side or '', wiped_out[''])}."
        return
    yield from _idle_mounts(figures)
    needed = to_escape(whole)
    if terms.scenario == "escape" and whole - out < needed:
        left = f"{whole - out} left of the {needed} that must cross"
        yield f"{name} can no longer win, with {left}: attack to stop the others."


def _idle_mounts(figures: Sequence[Element]) -> Iterator[str]:
    guys = [figure for figure in figures if figure.kind in GUYS]
    mounts = [figure for figure in figures if figure.kind in MOUNTS and "independent" not in figure.traits]
    left, riders = _standing(mounts), _standing(guys)
    if _out(guys) and left > riders:
        yield f"{_number(left, 'mount')} and {_number(riders, 'guy')} are left: a mount with nobody aboard cannot move."


def _headcount(figures: Sequence[Element]) -> int:
    return sum(figure.quantity for figure in figures)


def _standing(figures: Sequence[Element]) -> int:
    return _headcount(figures) - _out(figures)


def to_escape(figures: int) -> int:
    """How many of a force's original figures must cross to win the scenario Escape: more than half."""
    return figures // 2 + 1


def _number(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _points(points: Amount) -> str:
    return f"{format_exact(points)} point{'' if points == 1 else 's'}"


# ---------------------------------------------------------------- panels


def panels(document: Roster, terms: ForceTerms) -> Iterator[Panel]:
    """The reference panel: a round step by step, then the traits and powers of this force, then its scenario."""
    figures = figures_of(document)
    end = () if terms.scenario else tuple(_end_rows(BASIC))
    yield Panel("A round", (*tables.ROUND, *end), text="By agreement, take turns figure by figure within a step.")
    yield from _moving_panels(figures)
    yield rolls_panel(figures)
    yield Panel("Attacks and skills", tables.ATTACKING)
    yield from _knockback_panels(figures, terms)
    yield Panel("Hits", tables.DEFEAT)
    yield from _ability_panels(figures, terms)
    if terms.scenario:
        yield Panel(f"Scenario: {SCENARIOS[terms.scenario].name}", tuple(_scenario_rows(terms.scenario)))
    yield from _measure_panels()


def _moving_panels(figures: Sequence[Element]) -> Iterator[Panel]:
    mounts = any(figure.kind in MOUNTS for figure in figures)
    yield Panel("Moving", (*tables.MOVING, *(tables.RIDING if mounts else ())))
    rows = tuple(row for kind in _kinds(figures) for row in _move_rows(kind, figures))
    if rows:
        yield Panel("Figures, in inches", rows, ("Kind", "Move", "Half", "Carries", "Dice"))


def _kinds(figures: Sequence[Element]) -> list[str]:
    """The kinds in use, from mook to vehicle."""
    used = {figure.kind for figure in figures}
    return [kind for kind in tables.MOVES if kind in used]


def _move_rows(kind: str, figures: Sequence[Element]) -> Iterator[tuple[str, ...]]:
    """A row for a kind, one for its large figures, and one for each tier of Super-Move that some of them have."""
    alike = [figure for figure in figures if figure.kind == kind]
    move = tables.MOVES[kind]
    half = format_exact(move.half)
    yield TITLES[kind], str(move.inches), half, move.carries or "–", move.dice or "–"
    if kind == "cavalry" and any(figure.large for figure in alike):
        yield "Large cavalry", str(move.inches), half, tables.LARGE_CARRIES, "–"
    for tier, more in tables.HALF_MOVES_MORE.items():
        if any(figure.powers.get("super-move") == tier for figure in alike):
            yield (
                f"… Super-Move, {tier}",
                format_exact(move.inches + more * move.half),
                half,
                "–",
                f"+{more} to initiative",
            )


def rolls_panel(figures: Sequence[Element]) -> Panel:
    """The least die that succeeds: as the rules say it, and for each kind in use with its bonus taken off."""
    kinds, armors = _kinds(figures), {armor_of(figure) for figure in figures if figure.kind in KINDS}
    rows = tuple(
        (label, f"{least}+", *(_least(kind, roll, least) for kind in kinds))
        for label, roll, least in tables.ROLLS
        if tables.ARMOR_ROLLS.get(label) in {None, *armors}
    )
    heads = ("Roll", "Result", *(TITLES[kind] for kind in kinds))
    twice = any(figure.automatic_fire and figure.distance for figure in figures)
    notes = (
        (bool(kinds), "The columns by kind say what the die itself must show."),
        (any("7+" in row for row in rows), "Six sides cannot reach 7+."),
        (twice, "Automatic fire: roll two dice for a distance attack and keep the higher."),
    )
    return Panel("Rolls", rows, heads, " ".join(text for holds, text in notes if holds))


def _least(kind: str, roll: str, least: int) -> str:
    if roll == "skill" and kind not in GUYS:
        return "–"
    return f"{least - tables.BONUSES[kind].get(roll, 0)}+"


def _knockback_panels(figures: Sequence[Element], terms: ForceTerms) -> Iterator[Panel]:
    """How far a target flies, up to the largest die that this force rolls; nothing where nobody knocks back."""
    powers = [POWERS.get(item) for figure in figures for item in figure.powers.items()]
    largest = max((row.die for row in powers if row and row.power in tables.KNOCKBACK_POWERS), default=0)
    rows = tuple((str(die), *knockback(die)) for die in range(tables.KNOCKBACK_ABOVE + 1, largest + 1))
    if rows:
        heads = ("Die", *(target for target, _ in tables.KNOCKBACK_KINDS))
        yield Panel("Knockback", rows, heads, tables.KNOCKBACK_TEXT)


def knockback(die: int) -> tuple[str, ...]:
    """Inches that each kind of target is knocked back when the die shows ``die``, 8 or more."""
    halves = die - tables.KNOCKBACK_ABOVE
    return tuple(format_exact(halves * tables.MOVES[kind].half) for _, kind in tables.KNOCKBACK_KINDS)


def _ability_panels(figures: Sequence[Element], terms: ForceTerms) -> Iterator[Panel]:
    used = {code for figure in figures for code in trait_codes(figure)}
    traits = [trait for code, trait in TRAITS.items() if code in used]
    if traits:
        yield Panel("Traits", tuple((trait.name, _trait_text(trait, figures)) for trait in traits))
    have = {item for figure in figures for item in powers_of(figure)}
    powers = [power for item, power in POWERS.items() if item in have]
    if powers:
        yield Panel("Super powers", tuple((f"{power.name}, {power.tier}", power.text) for power in powers))


def _trait_text(trait: Trait, figures: Sequence[Element]) -> str:
    """What a trait does; of Support also which rolls this force has chosen."""
    chosen = sorted({figure.support for figure in figures if figure.support and "support" in figure.traits})
    if trait.code != "support" or not chosen:
        return trait.text
    return f"{trait.text} Chosen here: {join_names(roll.replace('-', ' ') for roll in chosen)}."


def _scenario_rows(scenario: str) -> Iterator[tuple[str, str]]:
    """A scenario from set-up to victory, side by side."""
    yield from _set_up_rows(scenario)
    yield from _end_rows(scenario)


def _end_rows(scenario: str) -> Iterator[tuple[str, str]]:
    setup = tables.SCENARIO_SETUP[scenario]
    yield "End", setup.ends
    yield from ((f"{_side_name(scenario, side)} win" if side else "Victory", text) for side, text in setup.wins.items())


def _set_up_rows(scenario: str) -> Iterator[tuple[str, str]]:
    setup = tables.SCENARIO_SETUP[scenario]
    yield from ((_side_name(scenario, side) or "Set-up", text) for side, text in setup.deploy.items())
    yield from setup.together


def _side_name(scenario: str, side: str) -> str:
    name = SCENARIOS[scenario].sides.get(side)
    return f"{name}s" if name else ""


def _measure_panels() -> Iterator[Panel]:
    scales = tuple(
        (each.figures, each.space, str(each.move), str(each.short), str(each.long)) for each in tables.SCALES
    )
    heads = ("Figures", "A space", "Move unit", "Short range", "Long range")
    yield Panel("Scales", scales, heads, tables.SCALES_TEXT)
    yield Panel("Measuring with paper", tables.PAPER_MEASURES, ("What", "Move unit", "Half"))
    yield solo_panel()


def solo_panel() -> Panel:
    """Who acts in a turn of each side when one player plays both."""
    return Panel("Playing alone", tables.SOLO, ("D6", "At the start of the turn of each side"))


# ---------------------------------------------------------------- briefing


def briefing(sides: Sequence[Side]) -> Iterator[Panel]:
    """The first page of a battle: forces and whether they are even, set-up, limits, and how each one wins."""
    scenario, remark = agreed_scenario(sides, BASIC, NO_SCENARIO)
    roles = roles_of(sides, scenario)
    assumed = _assumed(sides, scenario, roles)
    said = " ".join(part for part in (SCENARIOS[scenario].text, remark, assumed) if part)
    yield Panel(f"Scenario: {SCENARIOS[scenario].name}", text=said)
    yield _forces_panel(sides, scenario, roles)
    yield Panel("Set-up", tuple(_battle_set_up(sides, scenario, roles)))
    yield Panel("Limits", tuple(_limits(scenario)))
    if sides:
        yield Panel("Victory", tuple(_goals(sides, scenario, roles)))
    if len(sides) == 1:
        yield solo_panel()


def roles_of(sides: Sequence[Side], scenario: str) -> list[str]:
    """The side that each force takes: its own, else the first that is free, else the last; "" where there are none."""
    own = [_own_role(side, scenario) for side in sides]
    free = [slug for slug in SCENARIOS[scenario].sides if slug not in own]
    spare = ["", *SCENARIOS[scenario].sides][-1]
    return [role or (free.pop(0) if free else spare) for role in own]


def _own_role(side: Side, scenario: str) -> str:
    """The side that the roster itself names for this scenario."""
    return side.document.side or "" if side.document.scenario == scenario else ""


def _assumed(sides: Sequence[Side], scenario: str, roles: Sequence[str]) -> str:
    """What the rosters do not say about their sides: who was given which, and which nobody plays."""
    rows = zip(names_of(sides), sides, roles, strict=True)
    given = [
        f"{name} as {_role(scenario, role)}" for name, side, role in rows if role and not _own_role(side, scenario)
    ]
    return " ".join([*([f"Sides assumed: {join_names(given)}."] if given else []), *_vacant(scenario, roles)])


def _vacant(scenario: str, roles: Sequence[str]) -> Iterator[str]:
    """A sentence where a side of the scenario has nobody."""
    vacant = [_role(scenario, role) for role in SCENARIOS[scenario].sides if role not in roles]
    if vacant:
        yield f"Nobody plays {join_names(vacant)} yet."


def _role(scenario: str, role: str) -> str:
    return SCENARIOS[scenario].sides.get(role, "")


def _forces_panel(sides: Sequence[Side], scenario: str, roles: Sequence[str]) -> Panel:
    rows = tuple(
        (
            name,
            _role(scenario, role) or "–",
            _worth(side),
            str(side.appraisal.quantity),
            _suggested(side, scenario, role),
        )
        for name, side, role in zip(names_of(sides), sides, roles, strict=True)
    )
    heads = ("Force", "Side", "Points", "Figures", "Suggested points")
    return Panel("Forces", rows, heads, " ".join(match(sides).sentences))


def _worth(side: Side) -> str:
    return "hidden" if side.appraisal.points is None else format_exact(side.appraisal.points)


def _bounds(scenario: str, role: str) -> tuple[int | None, int]:
    """The points that a scenario suggests for a side, lowest and highest (section VIII)."""
    return SCENARIOS[scenario].suggested[role]


def _suggested(side: Side, scenario: str, role: str) -> str:
    """The suggestion, and how far the force is outside it."""
    points, (lowest, highest) = side.appraisal.points, _bounds(scenario, role)
    text = f"at most {highest}" if lowest is None else f"{lowest} to {highest}"
    if points is not None and points > highest:
        return f"{text}: {format_exact(points - highest)} over"
    if points is not None and lowest is not None and points < lowest:
        return f"{text}: {format_exact(lowest - points)} short"
    return text


Worth = tuple[str, Amount | None]
"""The name of a force, and its points."""
Groups = Mapping[tuple[int | None, int], Sequence[Worth]]
"""Forces by the points that the scenario suggests for them."""


def match(sides: Sequence[Side]) -> Match:
    """Whether the forces are even: at most 5 points apart (section IV).

    Where the scenario gives its sides different points: each within its suggestion, and at most 5 below it.
    """
    scenario, _remark = agreed_scenario(sides, BASIC, NO_SCENARIO)
    roles = roles_of(sides, scenario)
    groups = _groups(sides, scenario, roles)
    sentences = tuple(_evenness(sides, scenario, groups))
    if len(sides) < 2:
        return Match(None, sentences, tuple(_vacant(scenario, roles)))
    compared = [_even(group) for group in groups.values()]
    vacant, missing = [*_vacant(scenario, roles)], [text for group in groups.values() for text in _behind(group)]
    if len(groups) > 1:
        compared += [_as_suggested(force, bounds[1]) for bounds, group in groups.items() for force in group]
        missing = [text for bounds, group in groups.items() for text in _beside(group, bounds[1])]
    return Match(all_agree([*compared, not vacant]), sentences, (*missing, *vacant))


def _groups(sides: Sequence[Side], scenario: str, roles: Sequence[str]) -> Groups:
    groups: dict[tuple[int | None, int], list[Worth]] = {}
    for name, side, role in zip(names_of(sides), sides, roles, strict=True):
        groups.setdefault(_bounds(scenario, role), []).append((name, side.appraisal.points))
    return groups


def _even(group: Sequence[Worth]) -> bool | None:
    found = [points for _, points in group if points is not None]
    if found and max(found) - min(found) > tables.FAIR_DIFFERENCE:
        return False
    return True if len(group) in (1, len(found)) else None


def _behind(group: Sequence[Worth]) -> Iterator[str]:
    """What the forces below the others lack; nothing while points are hidden."""
    known = [(name, points) for name, points in group if points is not None]
    yield from missing_points(known, tables.FAIR_DIFFERENCE) if len(known) == len(group) else ()


def _as_suggested(force: Worth, highest: int) -> bool | None:
    points = force[1]
    return None if points is None else highest - tables.FAIR_DIFFERENCE <= points <= highest


def _beside(group: Sequence[Worth], highest: int) -> Iterator[str]:
    """What each force lacks of its suggestion, or has beyond it."""
    for name, points in group:
        if points is not None and points > highest:
            yield f"{name} has {_points(points - highest)} more than the {highest} suggested."
        elif points is not None and points < highest:
            yield f"{name} lacks {_points(highest - points)} of the {highest} suggested."


def _evenness(sides: Sequence[Side], scenario: str, groups: Groups) -> Iterator[str]:
    """How forces to which the scenario gives the same points compare (section IV)."""
    yield from (_apart(group) for group in groups.values() if len(group) > 1)
    if len(groups) > 1:
        yield "This scenario gives its sides different points on purpose; compare each force with its suggestion."
    if len(sides) == 1:
        yield from _fair_enemy(sides[0], scenario)


def _apart(group: Sequence[Worth]) -> str:
    names, found = join_names(name for name, _ in group), [points for _, points in group if points is not None]
    if len(found) < len(group):
        return f"Even forces are within {tables.FAIR_DIFFERENCE} points; not all points of {names} are shown."
    lowest, highest = min(found), max(found)
    between = f"{_points(highest - lowest)} apart ({format_exact(lowest)} to {format_exact(highest)})"
    if highest - lowest <= tables.FAIR_DIFFERENCE:
        return f"{names} are even: {between}, and {tables.FAIR_DIFFERENCE} are allowed."
    return f"{names} are not even: {between}, where {tables.FAIR_DIFFERENCE} are allowed."


def _fair_enemy(side: Side, scenario: str) -> Iterator[str]:
    """What an enemy may cost, where both sides of a scenario have the same points."""
    points, alike = side.appraisal.points, len({*SCENARIOS[scenario].suggested.values()}) == 1
    if points is not None and alike:
        lowest = max(points - tables.FAIR_DIFFERENCE, 0)
        yield f"An even enemy has {format_exact(lowest)} to {format_exact(points + tables.FAIR_DIFFERENCE)} points."


def _battle_set_up(sides: Sequence[Side], scenario: str, roles: Sequence[str]) -> Iterator[tuple[str, str]]:
    yield "Table", "Scatter walls, trees, rocks and buildings over about 4 by 6 feet before anybody sets up."
    yield from _set_up_rows(scenario)
    yield "Same spot", "No order is set. Where two want one spot, the higher die takes it; roll ties again."
    for name, side, role in zip(names_of(sides), sides, roles, strict=True):
        yield f"{name}: commander", _commander(side)
        if role == "spawner":
            waiting = max(side.appraisal.quantity - 1, 0)
            yield f"{name}: waiting", f"{_number(waiting, 'figure')} to bring on by the die."


def _commander(side: Side) -> str:
    """Who commands a force: a figure that the other players must be able to tell."""
    found = [figure for figure in figures_of(side.document) if figure.commander and figure.kind in KINDS]
    if not found:
        return "None is named; name a guy who is no mook."
    return f"Show the others {join_names(figure.name.strip() or 'the figure without a name' for figure in found)}."


def _limits(scenario: str) -> Iterator[tuple[str, str]]:
    yield "End", tables.SCENARIO_SETUP[scenario].ends
    yield "Points", "Suggestions are not binding. Points not spent are lost."


def _goals(sides: Sequence[Side], scenario: str, roles: Sequence[str]) -> Iterator[tuple[str, str]]:
    """For each force how it wins, with the numbers of these forces."""
    wins, names = tables.SCENARIO_SETUP[scenario].wins, names_of(sides)
    assaulters = max(roles.count("assaulter"), 1)
    for index, (name, side, role) in enumerate(zip(names, sides, roles, strict=True)):
        others = [
            (other, enemy)
            for place, (other, enemy) in enumerate(zip(names, sides, strict=True))
            if place != index and (not role or roles[place] != role)
        ]
        text = wins.get(role, wins.get("", ""))
        yield name, f"{text} {_number_of_goal(scenario, role, side, others, assaulters)}".strip()


def _number_of_goal(scenario: str, role: str, side: Side, others: Sequence[tuple[str, Side]], assaulters: int) -> str:
    figures = side.appraisal.quantity
    if scenario == "escape":
        return f"That is {to_escape(figures)} of {_number(figures, 'figure')}." if figures else "It has no figures."
    if scenario == "transport":
        return ""
    if role == "assaulter":
        return f"It falls to hit number {assaulters + 1}."
    enemies = join_names(_at_stake(name, enemy, scenario) for name, enemy in others)
    return f"To defeat: {enemies}." if enemies else ""


def _at_stake(name: str, enemy: Side, scenario: str) -> str:
    """An enemy force as a goal: its figures, and its points where they decide."""
    figures = _number(enemy.appraisal.quantity, "figure")
    counted = scenario in ("basic", "spawning") and enemy.appraisal.points is not None
    return f"{name}, {_points(enemy.appraisal.points or 0)} in {figures}" if counted else f"{name}, {figures}"
