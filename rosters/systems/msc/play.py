"""Minimal Space Combat at the table: ovals to mark, what damage brings about, the panels, and the briefing.

PURE. Rulebook: Minimal Space Combat, Timothy Swenson; rules 4 to 7, and the strategic game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rosters.core.amounts import format_change, format_exact
from rosters.core.documents import Document, Formation
from rosters.core.messages import _, join_names
from rosters.core.play import (
    MAX_BOXES,
    Alert,
    Match,
    Panel,
    Side,
    Track,
    agreed_scenario,
    count_track,
    missing_points,
    names_of,
)
from rosters.systems.msc import tables
from rosters.systems.msc.rules import (
    LARGEST,
    MAX_STAT,
    SCENARIOS,
    SIDES,
    STRATEGIC_SIZES,
    WORDS,
    Element,
    FleetTerms,
    Mark,
    Options,
    formation_facts,
)

Fleet = Formation[Element]
Roster = Document[Element, Options]
TACTICAL, STRATEGIC = "tactical", "strategic"
NO_SCENARIO = _("No roster names a scenario, so a tactical battle is assumed.")

# ---------------------------------------------------------------- boxes


def tracks(element: Element, terms: FleetTerms) -> tuple[Track, ...]:
    """The ovals of one ship as the Ship Turn Record has them; the weapons only if there are any."""
    weapons = weapons_of(element)
    armament = (Track("weapons", "Weapons", weapons, "names", len(weapons)),) if weapons else ()
    return (_stat("engine", element.engine), _stat("shield", element.shield), *armament)


def _stat(key: str, bought: int) -> Track:
    """ENGINE or SHIELD: without the last point the ship stops, or is destroyed."""
    label = key.upper() if bought <= MAX_BOXES else f"{key.upper()} {bought}"
    return count_track(key, label, bought, bought if bought > 0 else None)


def weapons_of(element: Element) -> tuple[str, ...]:
    """The sides that hold a weapon, each once, in the order of the record."""
    return tuple(side for side in SIDES if side in element.weapons)


def destroyed(element: Element, mark: Mark) -> bool:
    """Whether damage has taken all the SHIELD that the ship had (rule 7)."""
    return 0 < element.shield <= mark.shield


# ---------------------------------------------------------------- alerts


def alerts(document: Roster, terms: FleetTerms) -> Iterator[Alert]:
    """Ships destroyed, stopped or silenced; then what their fleets can still do; then the force."""
    for f, fleet in enumerate(document.formations):
        for e, ship in enumerate(fleet.elements):
            for text in _ship_alerts(ship):
                yield Alert(f"formations/{f}/elements/{e}", text)
        for text in _fleet_alerts(fleet, terms):
            yield Alert(f"formations/{f}", text)
    ships, left = _ships(document.formations), _ships([remaining(fleet) for fleet in document.formations])
    if ships and not left:
        yield Alert("", _defeat(document))


def _ship_alerts(ship: Element) -> Iterator[str]:
    for model, mark in enumerate(ship.marks, 1):
        name = _model(ship, model)
        if destroyed(ship, mark):
            yield f"{name} has no SHIELD left: it is destroyed, take it off the map."
            continue
        if 0 < ship.engine <= mark.engine:
            yield f"{name} has no ENGINE left: it cannot move; a 5 on the damage die now marks SHIELD."
        weapons = weapons_of(ship)
        if weapons and {*weapons} <= {*mark.weapons}:
            yield f"{name} has no weapon left: it cannot fire; a 6 on the damage die now marks SHIELD."


def _model(ship: Element, number: int) -> str:
    name = ship.name.strip() or "A ship without a name"
    return f"{name} {number}" if ship.quantity > 1 else name


def _fleet_alerts(fleet: Fleet, terms: FleetTerms) -> Iterator[str]:
    """That a fleet is gone; or, in the strategic game, its speed and dice after its losses."""
    left, name = remaining(fleet), fleet.name.strip() or "The fleet without a name"
    if _ships([fleet]) and not _ships([left]):
        yield f"{name} has lost its last ship: take its counter away."
    elif terms.scenario == STRATEGIC:
        before, now = formation_facts(fleet, terms), formation_facts(left, terms)
        if now != before:
            dice = f"{now['attack_dice']} attack dice and {now['save_dice']} save dice"
            yield f"{name} has {_number(_ships([left]), 'ship')} left: it moves up to {now['speed']} and has {dice}."


def _defeat(document: Roster) -> str:
    name = document.name.strip() or "This force"
    if document.scenario == STRATEGIC:
        return f"{name} has no ship left: its whole fleet is destroyed, and the enemy wins."
    return f"{name} has no ship left: it is beaten, unless you agreed on another way to win."


def remaining(fleet: Fleet) -> Fleet:
    """The fleet as it is now: without its destroyed ships, and each ship with the ENGINE it has left."""
    return fleet.model_copy(update={"elements": tuple(left for ship in fleet.elements for left in _left(ship))})


def _left(ship: Element) -> Iterator[Element]:
    """The ships of one line that still fight: first those with a whole ENGINE, then the others by what is left."""
    engines = Counter(mark.engine for mark in ship.marks if not destroyed(ship, mark))
    engines[0] += max(0, ship.quantity - len(ship.marks))
    for lost, number in sorted(engines.items()):
        engine = max(min(ship.engine, 0), ship.engine - lost)
        yield ship.model_copy(update={"engine": engine, "quantity": number, "marks": ()})


def _ships(fleets: Sequence[Fleet]) -> int:
    return sum(ship.quantity for fleet in fleets for ship in fleet.elements)


def _number(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


# ---------------------------------------------------------------- panels


def panels(document: Roster, terms: FleetTerms) -> Iterator[Panel]:
    """The reference panel: the strategic game first where it is played, then a battle phase by phase."""
    strategic = terms.scenario == STRATEGIC
    ships = [ship for fleet in document.formations for ship in fleet.elements if ship.quantity]
    if strategic:
        yield from _strategic_panels(document, terms)
    yield Panel("A turn of a battle" if strategic else "A turn", tables.TURN)
    yield Panel("Move orders", tables.MOVING)
    yield Panel("Firing", tables.FIRING)
    yield range_panel(sorted({ship.to_hit for ship in ships if ship.weapons}))
    yield Panel(
        "Damage, a D6 for each hit",
        tables.DAMAGE,
        text="Damage counts at once. A ship without SHIELD is destroyed.",
    )
    yield from _weapon_panels(ships)


def _strategic_panels(document: Roster, terms: FleetTerms) -> Iterator[Panel]:
    yield Panel("A turn of the strategic game", tables.STRATEGIC_TURN)
    yield Panel("Fleets and systems", tables.CAMPAIGN)
    yield Panel("Combat by dice", tables.STRATEGIC_COMBAT)
    fleets = [fleet for fleet in document.formations if _ships([fleet])]
    if fleets:
        rows = tuple((fleet.name, *_dice(formation_facts(fleet, terms))) for fleet in fleets)
        yield Panel("Fleets at full strength", rows, ("Fleet", "Speed", "Attack dice", "Save dice"))


def _dice(facts: Mapping[str, Any]) -> tuple[str, str, str]:
    """Speed, attack and save dice of a fleet; a dash for what a redacted copy does not tell."""
    speed, attack, save = (str(facts.get(key, "–")) for key in ("speed", "attack_dice", "save_dice"))
    return speed, attack, save


def range_panel(scores: Sequence[int]) -> Panel:
    """What each TO-HIT needs at each range: the range changes the number needed, not the die."""
    change = ("any", *(format_change(more) for _, more in tables.RANGES))
    rows = tuple((str(score), *(needed(score + more) for _, more in tables.RANGES)) for score in scores)
    heads = ("TO-HIT", *(f"Range {hexes}" for hexes, _ in tables.RANGES))
    return Panel("The die needed", (change, *rows), heads, "Close targets are easier. Beyond 6 hexes nobody may fire.")


def needed(score: int) -> str:
    """The rolls of a D6 that hit, for a number needed."""
    if score < 1:
        return "never"
    if score >= 6:
        return "always"
    return "1" if score == 1 else f"1–{score}"


def _weapon_panels(ships: Sequence[Element]) -> Iterator[Panel]:
    """What the letters of the weapons on board mean."""
    sides = {side for ship in ships for side in weapons_of(ship)}
    if sides:
        rows = tuple((side, f"Fires through the {name} side.") for side, name in tables.SIDE_NAMES.items())
        yield Panel("Weapons on board", tuple(row for row in rows if row[0] in sides))


# ---------------------------------------------------------------- briefing


def briefing(sides: Sequence[Side]) -> Iterator[Panel]:
    """The first page of a battle: forces and whether they are even, set-up, limits, and how each one wins."""
    scenario, remark = agreed_scenario(sides, TACTICAL, NO_SCENARIO)
    yield Panel(f"Scenario: {SCENARIOS[scenario].name}", text=f"{SCENARIOS[scenario].text} {remark}".strip())
    yield forces_panel(sides)
    if scenario == STRATEGIC:
        yield from _fleets_panels(sides)
    yield Panel("Set-up", tables.SETUPS[scenario])
    yield Panel("Limits", tuple(_limits(sides, scenario)))
    if sides:
        yield Panel("Victory", tuple(_goals(sides, scenario)), text=_other_ways(scenario))
    if len(sides) == 1:
        yield _solo_panel(sides[0])


def forces_panel(sides: Sequence[Side]) -> Panel:
    """Each force in numbers, and whether they are even: that is, of equal build points."""
    rows = tuple(
        (name, _bp(side), str(side.appraisal.quantity), str(len(side.document.formations)), str(_shield(side)))
        for name, side in zip(names_of(sides), sides, strict=True)
    )
    return Panel("Forces", rows, ("Force", "BP", "Ships", "Fleets", "SHIELD in all"), " ".join(match(sides).sentences))


def _bp(side: Side) -> str:
    return "hidden" if side.appraisal.points is None else format_exact(side.appraisal.points)


def _shield(side: Side) -> int:
    """The SHIELD hits it takes to destroy every ship that the roster shows."""
    ships = [ship for fleet in side.document.formations for ship in fleet.elements]
    return sum(max(0, ship.shield) * ship.quantity for ship in ships)


def match(sides: Sequence[Side]) -> Match:
    """Whether the forces are even, that is, of equal build points."""
    if len(sides) < 2:
        return Match(None, ("There is no second force to compare with.",))
    named = zip(names_of(sides), (side.appraisal.points for side in sides), strict=True)
    known = [(name, points) for name, points in named if points is not None]
    if len(known) < len(sides):
        return Match(None, ("Even forces have equal BP; here at least one total is hidden.",))
    found = [points for _, points in known]
    lowest, highest = min(found), max(found)
    if lowest == highest:
        return Match(True, (f"The forces are even: {format_exact(lowest)} BP each.",))
    between = f"from {format_exact(lowest)} to {format_exact(highest)} BP, {format_exact(highest - lowest)} apart"
    said = f"The forces are not even: {between}; even forces have equal BP."
    return Match(False, (said,), tuple(missing_points(known, 0, WORDS.count_points)))


def _fleets_panels(sides: Sequence[Side]) -> Iterator[Panel]:
    rows = tuple(
        (name, fleet.name, *_dice(fleet.facts))
        for name, side in zip(names_of(sides), sides, strict=True)
        for fleet in side.appraisal.formations
    )
    if rows:
        yield Panel("Fleets at the start", rows, ("Force", "Fleet", "Speed", "Attack dice", "Save dice"))


def _limits(sides: Sequence[Side], scenario: str) -> Iterator[tuple[str, str]]:
    if scenario == STRATEGIC:
        yield "Ships", f"Exactly {', '.join(map(str, STRATEGIC_SIZES[:-1]))} or {STRATEGIC_SIZES[-1]} BP each."
        yield "BP to start", "Agree on one total; 525 BP, 35 ships of 15, is the average game."
        yield "Income", "The home system alone pays for a ship of 15 BP in 15 turns."
    else:
        yield "Ships", f"At most {LARGEST} BP and ENGINE {MAX_STAT} each."
    for name, side in zip(names_of(sides), sides, strict=True):
        engine = getattr(side.document.options, "max_engine", MAX_STAT)
        if engine > MAX_STAT:
            yield name, f"By its house rule: ENGINE up to {engine}, and ships up to {LARGEST + engine - MAX_STAT} BP."
    yield "Turns", "No limit; play until one side has won or you have had enough."


def _goals(sides: Sequence[Side], scenario: str) -> Iterator[tuple[str, str]]:
    """For each force: what it must destroy, counted in the ships of the others."""
    names = names_of(sides)
    for index, name in enumerate(names):
        preys = [(other, side) for place, (other, side) in enumerate(zip(names, sides, strict=True)) if place != index]
        ships = join_names(f"{_number(side.appraisal.quantity, 'ship')} of {other}" for other, side in preys)
        goal = f"Destroy all: {ships}." if preys else "Destroy every enemy ship."
        home = " Or occupy an enemy home system." if scenario == STRATEGIC else ""
        yield name, f"{goal}{home}"


def _other_ways(scenario: str) -> str:
    if scenario == STRATEGIC:
        return ""
    return "The rules leave victory to the players; this is the usual way. Agree on any other before the first turn."


def _solo_panel(side: Side) -> Panel:
    """The solo rules ask for more ships on the side without a player, as many as the player likes."""
    ships, [name] = _number(side.appraisal.quantity, "ship"), names_of([side])
    rows = (
        ("Enemy", f"{name} has {ships}: give the side without a player more, for it plans nothing."),
        ("Orders", "Roll for each of its ships on the movement table of its SPEED."),
        ("Targets", "Roll on the target table for each weapon with two or three ships in range."),
    )
    return Panel("Playing alone", rows)
