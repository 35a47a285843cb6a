"""Minimal Space Combat in play: damage tracks, alerts, reference panels and the briefing of a battle.

Rulebook: Minimal Space Combat, Timothy Swenson; rules 4 to 7, and the strategic game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rosters.core import play
from rosters.core.amounts import format_amount, with_minus_sign
from rosters.core.appraisals import RosterState
from rosters.core.documents import Document, Formation
from rosters.core.findings import path_to
from rosters.core.messages import Message, _, join, join_names
from rosters.core.odds import die_roll
from rosters.systems.msc import tables
from rosters.systems.msc.rules import (
    ENGINE,
    MAX_SIZE,
    MAX_STAT,
    SCENARIOS,
    SHIELD,
    SIDES,
    STRATEGIC,
    TO_HIT,
    WORDS,
    Element,
    FleetTerms,
    Mark,
    Options,
    formation_facts,
)

Fleet = Formation[Element]
Roster = Document[Element, Options]

SCALES = ()

# ---------------------------------------------------------------- the ship in play


def stat_line(element: Element, terms: FleetTerms) -> play.StatLine:
    """TO-HIT and the rolls that hit at each range; nothing to roll without weapons. The tracks show the rest."""
    if not weapons_of(element):
        return play.StatLine((play.Stat(TO_HIT, with_minus_sign(str(element.to_hit))),))
    name, scores = (
        _("Rolls that hit at {hexes} hexes"),
        ((hexes, element.to_hit + more) for hexes, more in tables.RANGES),
    )
    rolls = (play.Stat(hexes, hits(n), name.format(hexes=hexes), roll=die_roll(7 - n)) for hexes, n in scores)
    note = join((TO_HIT, with_minus_sign(str(element.to_hit))), " ")
    return play.StatLine((), table=play.StatTable(_("Hexes away"), _("Roll needed"), note, tuple(rolls)))


def gauges(document: Roster, terms: FleetTerms) -> Iterator[play.Gauge]:
    """None: ships break one by one."""
    yield from ()


def figures(document: Roster, terms: FleetTerms) -> Iterator[play.KeyFigure]:
    """SHIELD, ENGINE and weapons by side, of all ships and of the weakest."""
    ships = [ship for ship in document.elements if ship.quantity]
    yield play.KeyFigure(_("Total SHIELD"), play.sum_of(ships, lambda ship: ship.shield))
    yield play.KeyFigure(_("Lowest SHIELD"), min((ship.shield for ship in ships), default=0))
    yield play.KeyFigure(_("Total ENGINE"), play.sum_of(ships, lambda ship: ship.engine))
    yield play.KeyFigure(_("Lowest ENGINE"), min((ship.engine for ship in ships), default=0))
    yield play.KeyFigure(_("Weapons"), play.sum_of(ships, lambda ship: len(weapons_of(ship))))
    for side in SIDES:
        label = _("Weapons, {side}").format(side=side)
        yield play.models_of(label, [ship for ship in ships if side in ship.weapons])


# ---------------------------------------------------------------- tracks


def tracks(element: Element, terms: FleetTerms) -> tuple[play.Track, ...]:
    """The ovals of one ship on the Ship Turn Record, weapons only if it has any; and its SPEED, up to ENGINE."""
    weapons = weapons_of(element)
    stats = (_stat_track("engine", ENGINE, element.engine), _stat_track("shield", SHIELD, element.shield))
    speed = play.count_track("speed", _("SPEED"), element.engine)._replace(aside=True)
    named = (play.Track("weapons", _("Weapons"), weapons, "names", len(weapons)),) if weapons else ()
    return (*stats, *named, speed)


def _stat_track(key: str, label: str, points: int) -> play.Track:
    if points > play.MAX_BOXES:
        label = join((label, str(points)), " ")
    return play.count_track(key, label, points, points if points > 0 else None, fatal=key == "shield")


def weapons_of(element: Element) -> tuple[str, ...]:
    """The sides with a weapon, each once, in the order of the record."""
    return tuple(side for side in SIDES if side in element.weapons)


def destroyed(element: Element, mark: Mark) -> bool:
    """Whether the ship has lost all its SHIELD (rule 7)."""
    return 0 < element.shield <= mark.shield


# ---------------------------------------------------------------- alerts


def alerts(document: Roster, terms: FleetTerms) -> Iterator[play.Alert]:
    """Alerts of the ships, of each fleet after its ships, and of the roster; none without damage."""
    damaged = [f for f, fleet in enumerate(document.formations) if any(ship.marks for ship in fleet.elements)]
    for f in damaged:
        fleet = document.formations[f]
        for e, ship in enumerate(fleet.elements):
            yield from _ship_alerts(ship, path_to(f, e))
        yield from _fleet_alerts(fleet, path_to(f), terms)
    if damaged and _count(document.formations) and not _count([remaining(fleet) for fleet in document.formations]):
        name = document.name.strip() or _("The roster")
        text = (
            _("{roster} has no ships left. The enemy wins the strategic game.")
            if terms.scenario == STRATEGIC
            else _("{roster} has no ships left and is defeated, unless you agreed on other victory conditions.")
        )
        yield play.Alert("", text.format(roster=name))


def _ship_alerts(ship: Element, where: str) -> Iterator[play.Alert]:
    for number, mark in enumerate(ship.marks, 1):
        name, weapons = ship.display_name, weapons_of(ship)
        if ship.quantity > 1:
            name = join((name, str(number)), " ")
        if destroyed(ship, mark):
            text = _("{ship} has no SHIELD left and is destroyed. Remove it from the map.")
            yield play.Alert(where, text.format(ship=name), "event")
            continue
        if 0 < ship.engine <= mark.engine:
            text = _("{ship} has no ENGINE left and cannot move. Damage rolls of 5 now mark SHIELD.")
            yield play.Alert(where, text.format(ship=name))
        if weapons and {*weapons} <= {*mark.weapons}:
            text = _("{ship} has no weapons left and cannot fire. Damage rolls of 6 now mark SHIELD.")
            yield play.Alert(where, text.format(ship=name))


def _fleet_alerts(fleet: Fleet, where: str, terms: FleetTerms) -> Iterator[play.Alert]:
    """Whether all ships are destroyed; in the strategic game, else, its speed and dice if they have changed."""
    left, name = remaining(fleet), fleet.name.strip() or _("Unnamed fleet")
    ships = _count([left])
    if _count([fleet]) and not ships:
        yield play.Alert(where, _("{fleet} has no ships left. Remove its counter.").format(fleet=name), "event")
    elif terms.scenario == STRATEGIC:
        facts = formation_facts(left, terms)
        if facts != formation_facts(fleet, terms):
            text = _("{fleet} has {ships} left. Speed {speed}, attack dice {attack}, save dice {save}.")
            attack, save = facts["attack_dice"], facts["save_dice"]
            ships_left, speed = WORDS.count_elements(ships), facts["speed"]
            sentence = text.format(fleet=name, ships=ships_left, speed=speed, attack=attack, save=save)
            yield play.Alert(where, sentence)


def remaining(fleet: Fleet) -> Fleet:
    """The fleet without its destroyed ships, and each ship with its remaining ENGINE; itself if it is undamaged."""
    if not any(ship.marks for ship in fleet.elements):
        return fleet
    return fleet.replace(elements=tuple(left for ship in fleet.elements for left in _survivors(ship)))


def _survivors(ship: Element) -> Iterator[Element]:
    """The ships of one element that are not destroyed, as one element for each ENGINE, the highest first."""
    if not ship.marks:
        yield ship
        return
    engines = Counter(mark.engine for mark in ship.marks if not destroyed(ship, mark))
    engines[0] += max(0, ship.quantity - len(ship.marks))
    for lost, number in sorted(engines.items()):
        engine = max(min(ship.engine, 0), ship.engine - lost)
        yield ship.replace(engine=engine, quantity=number, marks=())


def _count(fleets: Sequence[Fleet]) -> int:
    """The number of ships."""
    return sum(ship.quantity for fleet in fleets for ship in fleet.elements)


# ---------------------------------------------------------------- panels


def panels(document: Roster, terms: FleetTerms) -> Iterator[play.Panel]:
    """The reference panels: the strategic game where it is played, then a battle phase by phase."""
    strategic = terms.scenario == STRATEGIC
    ships = [ship for ship in document.elements if ship.quantity]
    if strategic:
        yield from _strategic_panels(document, terms)
    yield play.Panel(_("Turn of a battle") if strategic else _("Turn"), tables.TURN)
    yield play.Panel(_("Move orders"), tables.MOVING)
    yield play.Panel(_("Firing"), tables.FIRING)
    yield range_panel(sorted({ship.to_hit for ship in ships if ship.weapons}))
    damage = _("Damage takes effect at once. A ship without SHIELD is destroyed.")
    yield play.Panel(_("Damage (D6 per hit)"), tables.DAMAGE, text=damage)
    sides = {side for ship in ships for side in weapons_of(ship)}
    if sides:
        names = tuple((side, name) for side, name in tables.SIDE_NAMES.items() if side in sides)
        yield play.Panel(_("Weapon sides"), names)


def _strategic_panels(document: Roster, terms: FleetTerms) -> Iterator[play.Panel]:
    yield play.Panel(_("Turn of the strategic game"), tables.STRATEGIC_TURN)
    yield play.Panel(_("Fleets and systems"), tables.CAMPAIGN)
    yield play.Panel(_("Strategic combat"), tables.STRATEGIC_COMBAT)
    fleets = [fleet for fleet in document.formations if _count([fleet])]
    if fleets:
        rows = tuple((fleet.name, *_speed_and_dice(formation_facts(fleet, terms))) for fleet in fleets)
        heads = (_("Fleet"), _("Speed"), _("Attack dice"), _("Save dice"))
        yield play.Panel(_("Fleets without damage"), rows, heads)


def _speed_and_dice(facts: Mapping[str, Any]) -> tuple[str, str, str]:
    """Speed, attack and save dice of a fleet; "–" for facts that a redacted copy leaves out."""
    speed, attack, save = (str(facts.get(key, "–")) for key in ("speed", "attack_dice", "save_dice"))
    return speed, attack, save


def range_panel(scores: Sequence[int]) -> play.Panel:
    """The rolls that hit at each range, for each TO-HIT: the range modifies TO-HIT, not the die."""
    modifiers = (_("Modifier"), *(with_minus_sign(f"{modifier:+}") for _range, modifier in tables.RANGES))
    rows = tuple((str(score), *(hits(score + modifier) for _range, modifier in tables.RANGES)) for score in scores)
    heads = (_("TO-HIT"), *(_("Range {hexes}").format(hexes=hexes) for hexes, _modifier in tables.RANGES))
    text = _("Close targets are easier to hit. The maximum range is 6 hexes.")
    return play.Panel(_("Rolls that hit"), (modifiers, *rows), heads, text)


def hits(score: int) -> str:
    """The rolls of a D6 that hit, for TO-HIT with its modifier."""
    if score < 1:
        return _("never")
    if score >= 6:
        return _("any")
    return "1" if score == 1 else f"1–{score}"


# ---------------------------------------------------------------- briefing


def briefing(sides: Sequence[RosterState]) -> Iterator[play.Panel]:
    """The first page of a battle: the rosters and their balance, setup, limits and victory conditions."""
    assumed = _("No roster names a scenario, so a tactical battle is assumed.")
    scenario, remark = play.agreed_scenario(sides, "tactical", assumed)
    strategic = scenario == STRATEGIC
    title = _("Scenario: {scenario}").format(scenario=SCENARIOS[scenario].name)
    yield play.Panel(title, text=join((text for text in (SCENARIOS[scenario].text, remark) if text), " "))
    yield rosters_panel(sides)
    fleets = tuple(
        (name, fleet.name, *_speed_and_dice(fleet.facts))
        for name, side in zip(play.roster_names(sides), sides, strict=True)
        for fleet in side.appraisal.formations
    )
    if strategic and fleets:
        heads = (_("Roster"), _("Fleet"), _("Speed"), _("Attack dice"), _("Save dice"))
        yield play.Panel(_("Fleets at the start"), fleets, heads)
    yield play.Panel(_("Set-up"), tables.SETUPS[scenario])
    yield play.Panel(_("Limits"), tuple(_limits(sides, strategic)))
    if sides:
        open_rule = _("The rules leave victory to the players. Agree on other conditions before the first turn.")
        yield play.Panel(_("Victory"), tuple(_goals(sides, strategic)), text="" if strategic else open_rule)
    if len(sides) == 1:
        yield _solo_panel(sides[0])


def rosters_panel(sides: Sequence[RosterState]) -> play.Panel:
    """Each roster in numbers, and whether they are balanced, that is, of equal build points."""
    rows = tuple(
        (
            name,
            _("hidden") if side.appraisal.points is None else format_amount(side.appraisal.points),
            str(side.appraisal.quantity),
            str(len(side.document.formations)),
            str(play.sum_of(side.document.elements, lambda ship: ship.shield)),
        )
        for name, side in zip(play.roster_names(sides), sides, strict=True)
    )
    heads = (_("Roster"), _("BP"), _("Ships"), _("Fleets"), _("Total SHIELD"))
    return play.Panel(_("Rosters"), rows, heads, join(match(sides).sentences, " "))


def match(sides: Sequence[RosterState]) -> play.Match:
    """Whether the rosters have equal build points."""
    if len(sides) < 2:
        return play.Match(None, (_("There is no second roster to compare with."),))
    points = zip(play.roster_names(sides), (side.appraisal.points for side in sides), strict=True)
    known = [(name, amount) for name, amount in points if amount is not None]
    if len(known) < len(sides):
        return play.Match(None, (_("Even rosters have equal BP. At least one total is hidden."),))
    lowest, highest = min(amount for _name, amount in known), max(amount for _name, amount in known)
    if lowest == highest:
        return play.Match(True, (_("Points: even ({points} BP each).").format(points=format_amount(lowest)),))
    text = _("Points: not even ({lowest} to {highest} BP, {gap} apart).").format(
        lowest=format_amount(lowest), highest=format_amount(highest), gap=format_amount(highest - lowest)
    )
    return play.Match(False, (text,), tuple(play.missing_points(known, 0, WORDS.count_points)))


def _limits(sides: Sequence[RosterState], strategic: bool) -> Iterator[tuple[str, str]]:
    if strategic:
        yield _("Ships"), _("Exactly 10, 15 or 20 BP each.")
        yield _("Starting BP"), _("Agree on a total. 525 BP, 35 ships of 15 BP, is an average game.")
        yield _("Income"), _("The home system alone pays for a ship of 15 BP in 15 turns.")
    else:
        text = _("At most {points} BP and ENGINE {engine} each.")
        yield _("Ships"), text.format(points=MAX_SIZE, engine=MAX_STAT)
    for name, side in zip(play.roster_names(sides), sides, strict=True):
        engine = getattr(side.document.options, "max_engine", MAX_STAT)
        if engine > MAX_STAT:
            text = _("House rule: ENGINE up to {engine}, ships up to {points} BP.")
            yield name, text.format(engine=engine, points=MAX_SIZE + engine - MAX_STAT)
    yield _("Turns"), _("No limit. Play until one side wins or you agree to end.")


def _goals(sides: Sequence[RosterState], strategic: bool) -> Iterator[tuple[str, Message]]:
    """The victory condition of each roster: the ships of the others to destroy."""
    names = play.roster_names(sides)
    counts = [
        _("{ships} of {roster}").format(ships=WORDS.count_elements(side.appraisal.quantity), roster=name)
        for name, side in zip(names, sides, strict=True)
    ]
    for index, name in enumerate(names):
        targets = join_names(counts[:index] + counts[index + 1 :]) or _("all enemy ships")
        goal = _("Destroy {ships}, or occupy an enemy home system.") if strategic else _("Destroy {ships}.")
        yield name, goal.format(ships=targets)


def _solo_panel(side: RosterState) -> play.Panel:
    """How to play against ships without a player, by the solo rules."""
    enemy = _("{roster} has {ships}. Give the side without a player more: it has no plan.").format(
        roster=play.roster_names([side])[0], ships=WORDS.count_elements(side.appraisal.quantity)
    )
    rows = (
        (_("Enemy"), enemy),
        (_("Orders"), _("Roll for each enemy ship on the movement table of its SPEED.")),
        (_("Targets"), _("Roll on the target table for each weapon with two or three ships in range.")),
    )
    return play.Panel(_("Solo play"), rows)


TABLE = 24, 15
"""The hexes of the plan of a map: its size is the players' choice."""


def plan(sides: Sequence[RosterState]) -> play.TablePlan:
    """A map of hexes; where the sides start is theirs to agree, such as at opposite edges."""
    scenario, _remark = play.agreed_scenario(sides, "tactical", "")
    strategic = scenario == STRATEGIC
    return play.TablePlan(
        *TABLE,
        step=1,
        scale=(5, _("5 hexes")),
        caption=_("Home systems are usually at opposite ends of the map. Sketch the systems.")
        if strategic
        else _("Agree where each side starts, such as at opposite edges."),
        turn=play.Panel(_("Turn of a battle") if strategic else _("Turn"), tables.TURN),
        lost=_("ships lost"),
        zones=play.edge_zones(TABLE, 2.6, len(sides), 0.5, agreed=True),
        hexes=True,
        turns=18,
    )
