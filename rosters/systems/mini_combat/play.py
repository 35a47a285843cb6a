"""Mini Combat in play: lost elements, morale tests, the tables that a roster needs, and battles.

Rulebook: Game Phases, Special Rules, Board Set-up, Battles and Appendix B of Mini Combat.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from rosters.core import play
from rosters.core.amounts import Amount, format_amount, round_half_up, to_amount
from rosters.core.appraisals import RosterState
from rosters.core.documents import Document, Formation
from rosters.core.findings import path_to
from rosters.core.messages import Message, _, join, join_names, ngettext
from rosters.core.odds import DieRoll, die_roll
from rosters.core.rulebook import count_points
from rosters.systems.mini_combat.grid import COLUMNS, TARGETS, cells
from rosters.systems.mini_combat.rules import (
    CAPABILITIES,
    DENY,
    SCENARIOS,
    Element,
    Modifier,
    Options,
    RosterTerms,
    abbreviation,
    capability_text,
    form_of,
    formation_facts,
    number_text,
)
from rosters.systems.mini_combat.tables import (
    ATTACK,
    BATTLES,
    DEFENSE,
    DEPLOYED,
    DESTROY,
    DISTANCES,
    KIND_NOTES,
    KINDS,
    MACHINES,
    MODIFIERS,
    ON_PLAN,
    RECOVERS,
    TERRAIN,
    TURN,
    USUAL_LIMIT,
    WIN,
    PanelRow,
)

Roster = Document[Element, Options]
Unit = Formation[Element]

MORALE_BY_UNIT = _("Morale by unit")
"""The title of a reference panel."""
MAX_NAMES = 6
"""The most names in a sentence; the rest are counted."""


SCALES = ()


def stat_line(element: Element, terms: RosterTerms) -> play.StatLine:
    """The seven stats under their letters; kind, command and abilities in words."""
    kind, *values, abilities = cells(element, terms)
    stats = (
        play.Stat(column.heading, cell.text, column.title, roll=roll_of(element, column.field))
        for column, cell in zip(COLUMNS[1:], values, strict=False)
    )
    return play.StatLine(tuple(stats), join(filter(None, (kind.text, abilities.text))))


def roll_of(element: Element, field: str) -> DieRoll | None:
    """The roll for a stat that is rolled for, before modifiers."""
    target = getattr(element, field) if field in TARGETS else None
    return None if target is None else die_roll(target)


def gauges(document: Roster, terms: RosterTerms) -> Iterator[play.Gauge]:
    """The losses of each unit of several elements, and those at which it tests morale."""
    for index, unit in enumerate(document.formations):
        if (size := unit_size(unit)) > 1:
            lost = sum(len(lost_models(element)) for element in unit.elements)
            step, ahead = (formation_facts(unit, terms)["morale_test_at"], ""), (_("more until its test"),)
            yield play.Gauge(path_to(index), _("Morale"), lost, size, _("Test at"), (step,), ahead)


def figures(document: Roster, terms: RosterTerms) -> Iterator[play.KeyFigure]:
    """Attacks, the longest range and the fastest move in cm, armor, and the units that test morale."""
    elements = [element for element in document.elements if element.quantity]
    shooting = [element for element in elements if element.stats.to_hit < 7 and element.range > 0]
    yield play.models_of(_("Shooting"), shooting)
    yield play.KeyFigure(_("Longest range"), max((element.range for element in shooting), default=0))
    yield play.KeyFigure(_("Fastest move"), max((element.movement for element in elements), default=0))
    yield play.KeyFigure(_("Total Power"), play.sum_of(elements, lambda element: element.power))
    yield play.KeyFigure(_("Total Armor"), play.sum_of(elements, lambda element: element.armor))
    machines = [element for element in elements if element.kind in MACHINES]
    yield play.models_of(_("Vehicles and machines"), machines)
    yield play.KeyFigure(_("Units"), len(document.formations))


def tracks(element: Element, terms: RosterTerms) -> tuple[play.Track, ...]:
    """One box: destroyed or not."""
    return (play.Track("out", _("Destroyed"), ("",), "flag", fatal=True),)


def lost_models(element: Element) -> list[int]:
    """The numbers of the destroyed models of an element, from 1."""
    return [number for number, mark in enumerate(element.marks[: element.quantity], 1) if mark.out]


def survives(element: Element) -> bool:
    """Whether an element has a model that is not destroyed."""
    return len(lost_models(element)) < element.quantity


def unit_name(unit: Unit, index: int) -> str:
    """The name of a unit, or its number."""
    return unit.name or _("Unit {number}").format(number=index + 1)


def unit_size(unit: Unit) -> int:
    """The number of elements of a unit, lost ones included."""
    return sum(element.quantity for element in unit.elements)


# ---------------------------------------------------------------- alerts


def alerts(document: Roster, terms: RosterTerms) -> Iterator[play.Alert]:
    """Lost transports, morale tests and destroyed units; then possible recoveries, and the end of the roster."""
    elements = document.elements
    damaged = [element for element in elements if lost_models(element)]
    if not damaged:
        return
    for f, unit in enumerate(document.formations):
        for e, element in enumerate(unit.elements):
            yield from _lost_transports(element, path_to(f, e))
        yield from _unit_losses(unit, f, terms)
    for code, (sentence, kinds) in RECOVERS.items():
        helpers = [element.name for element in elements if code in element.codes and survives(element)]
        if helpers and any(element.kind in kinds for element in damaged):
            names = _some([*dict.fromkeys(name or _("An element") for name in helpers)])
            yield play.Alert("", sentence.format(names=names))
    if not any(map(survives, elements)):
        yield play.Alert("", _("All units are destroyed."))


def _lost_transports(element: Element, where: str) -> Iterator[play.Alert]:
    lost = lost_models(element)
    carried = sum(modifier.counted for modifier in element.capabilities if modifier.code == "T")
    if lost and carried > 0:
        name = element.name or _("Transport")
        if element.quantity > 1:
            name = _("{name} {numbers}").format(name=name, numbers=_some([str(number) for number in lost]))
        text = ngettext(
            "{name}: lost. Roll a D6 for the element aboard, which survives on 4+.",
            "{name}: lost. Roll a D6 for each of up to {n} elements aboard, which survives on 4+.",
            carried,
        )
        yield play.Alert(where, text.format(name=name, n=carried), "event")


def _unit_losses(unit: Unit, index: int, terms: RosterTerms) -> Iterator[play.Alert]:
    """A morale test at half of the elements, rounded up; destruction at all of them (Morale phase)."""
    models, lost = unit_size(unit), sum(len(lost_models(element)) for element in unit.elements)
    where, name = path_to(index), unit_name(unit, index)
    if models and lost == models:
        yield play.Alert(where, _("{unit}: destroyed. The enemy scores all of its points.").format(unit=name))
    elif models and lost >= formation_facts(unit, terms)["morale_test_at"]:
        morale = best_morale(filter(survives, unit.elements))
        text = _("Roll a D6 in the morale phase: the unit holds on {n}+, otherwise remove it.").format(n=morale)
        if morale <= 1:
            text = _("It is fearless: no morale test.")
        elif morale >= 7:
            text = _("No D6 reaches its morale: remove it in the morale phase.")
        losses = _("{unit}: {lost} of {total} elements lost, worth half of its points to the enemy.")
        text = join([losses.format(unit=name, lost=lost, total=models), text], " ")
        yield play.Alert(where, text, "roll", name) if 1 < morale < 7 else play.Alert(where, text)


def best_morale(elements: Iterable[Element]) -> int:
    """The lowest morale target of elements, 7 without elements; 1 is fearless."""
    return min((element.stats.morale for element in elements), default=7)


def _some(names: Sequence[str]) -> str:
    """The first names, and the number of the others."""
    more = len(names) - MAX_NAMES
    return join_names([*names[:MAX_NAMES], *([_("{n} more").format(n=more)] if more > 0 else [])])


# ---------------------------------------------------------------- reference panels


def panels(document: Roster, terms: RosterTerms) -> Iterator[play.Panel]:
    """The turn, attacks, modifiers, distances, morale, the abilities and kinds of the roster, terrain, the battle."""
    present = [element for element in document.elements if element.quantity]
    known = [m for element in present for m in element.capabilities if m.row]
    kinds = {element.kind for element in present}
    words = {*kinds, *(word for m in known for word in (m.code, abbreviation(m), form_of(m)))}
    words |= {"scatters" for m in known if m.scatters}

    def relevant(rows: Iterable[PanelRow]) -> tuple[tuple[str, str], ...]:
        return tuple((row.label, row.text) for row in rows if not row.needs or not words.isdisjoint(row.needs))

    yield play.Panel(_("Turn"), TURN)
    yield play.Panel(_("Attack"), ATTACK)
    yield play.Panel(_("Modifiers"), relevant(MODIFIERS))
    if distances := relevant(DISTANCES):
        yield play.Panel(_("Distances"), distances)
    yield from _morale_panels(document, terms)
    if rows := tuple(_ability_rows(present)):
        yield play.Panel(_("Abilities"), rows, (_("Code"), _("Name"), _("Effect")))
    if defaults := tuple((KINDS[kind], text) for kind, text in KIND_NOTES.items() if kind in kinds):
        yield play.Panel(_("Kinds in use"), defaults)
    yield play.Panel(_("Terrain"), TERRAIN, (_("Terrain"), _("Save"), _("Effect")))
    if document.scenario is not None:
        yield play.Panel(SCENARIOS[document.scenario].name, BATTLES[document.scenario], text=_goal(document))


def _goal(document: Roster) -> str:
    """The points that win under the roster's own limit; "" without a limit above 0."""
    if document.budget is None or document.budget <= 0:
        return ""
    limit = to_amount(document.budget)
    if document.scenario != "defensive":
        text = _("With {limit} points per side, {goal} points win.")
        return text.format(limit=points_text(limit), goal=points_text(limit * WIN))
    limit = limit / DEFENSE if document.side == "defender" else limit
    text = _("With {limit} points of attackers, the defender must destroy {goal}.")
    return text.format(limit=points_text(limit), goal=points_text(limit * DESTROY))


def _morale_panels(document: Roster, terms: RosterTerms) -> Iterator[play.Panel]:
    """How a unit tests; then when each one does, and its best morale."""
    rule = _(
        "A unit that has lost half of its elements, rounded up, rolls a D6 in the morale phase against the best "
        "(lowest) morale of those left. On this number or more it holds, otherwise the whole unit is removed."
    )
    yield play.Panel(_("Morale"), text=rule)
    rows = tuple(
        (
            unit_name(unit, index),
            str(unit_size(unit)),
            str(formation_facts(unit, terms)["morale_test_at"]),
            _("always") if best <= 1 else _("never") if best >= 7 else f"{best}+",
        )
        for index, unit in enumerate(document.formations)
        if unit_size(unit)
        for best in (best_morale(element for element in unit.elements if element.quantity),)
    )
    if rows:
        yield play.Panel(MORALE_BY_UNIT, rows, (_("Unit"), _("Elements"), _("Tests at losses of"), _("Holds on")))


def _ability_rows(elements: Iterable[Element]) -> Iterator[tuple[str, str, str]]:
    """Known capabilities in the order of the rulebook, one row each for all variants; then all others."""
    variants: dict[tuple[str, bool], Modifier] = {}
    for modifier in (modifier for element in elements for modifier in element.capabilities):
        variants.setdefault((abbreviation(modifier), modifier.code is None), modifier)
    present = {modifier.code for modifier in variants.values()}
    for code, row in CAPABILITIES.items():
        same = [modifier for modifier in variants.values() if modifier.code == code]
        if same:
            codes = code if code == DENY else join_names(map(abbreviation, same))
            yield codes, row.name, join([row.text, *filter(None, map(_variant_text, same))], " ")
        for modifier in same:
            if denied := modifier.denied:
                text = _("The enemy cannot use this: {rule}").format(rule=denied.text)
                if denied.code in present:
                    text = _("See {code}.").format(code=denied.code)
                yield abbreviation(modifier), _("Deny {ability}").format(ability=denied.name), text
    for modifier in variants.values():
        if modifier.row is None:
            name = _("Custom ability") if modifier.code is None else _("Unknown ability")
            yield abbreviation(modifier) or "?", name, capability_text(modifier)


def _variant_text(modifier: Modifier) -> str:
    """A count or a roll as a sentence; "" for other capabilities."""
    code = abbreviation(modifier)
    if modifier.code == "T":
        return _("{code} carries {n}.").format(code=code, n=number_text(modifier.counted))
    if modifier.code == "MW":
        return _("{code} rolls {n}× to hit.").format(code=code, n=number_text(modifier.counted))
    if modifier.on is not None:
        return _("{code} works on {n}+ of a D6.").format(code=code, n=modifier.on)
    return ""


# ---------------------------------------------------------------- battles


class Party(NamedTuple):
    """A roster in a battle. ``role`` is "attacker" or "defender", "" if unknown or in a standard battle.

    ``points`` is None if they are hidden, ``limit`` if the roster has none.
    """

    name: str
    role: str
    points: Amount | None
    limit: Amount | None
    side: RosterState


class Camp(NamedTuple):
    """Allies: their role, their names, their points together (None: hidden), their limit, and the points left.

    ``left`` is negative if they exceed the limit, and 0 if their points are hidden.
    """

    role: str
    name: str
    points: Amount | None
    limit: Amount
    left: Amount


class BattleTerms(NamedTuple):
    """The terms of a battle: its limit (in a defensive battle the attacker's), and a sentence for each assumption.

    ``agreed`` is whether the limits of the rosters fit together, None if no roster has one.
    """

    scenario: str
    limit: Amount
    agreed: bool | None
    parties: tuple[Party, ...]
    camps: tuple[Camp, ...]
    assumptions: tuple[str, ...]

    @property
    def mixed_rules(self) -> bool:
        """Whether the rosters have different house rules."""
        return len({party.side.document.options for party in self.parties}) > 1


def battle_of(sides: Sequence[RosterState]) -> BattleTerms:
    """The battle of these rosters: scenario, roles and limit from their documents, or by assumption."""
    usual = _("No roster names a scenario, so a standard battle is assumed.")
    scenario, why = play.agreed_scenario(sides, "standard", usual)
    assumptions = [why] if why else []
    parties = [_party(name, side) for name, side in zip(play.roster_names(sides), sides, strict=True)]
    if scenario == "defensive":
        parties, why = _with_roles(parties)
        limit, agreed, more = _attackers_limit(parties)
    else:
        parties, why = [party._replace(role="") for party in parties], ""
        limit, agreed, more = _common_limit(parties)
    assumptions += [sentence for sentence in (why, more) if sentence]
    groups = [[party for party in parties if party.role == role] for role in ("attacker", "defender")]
    allies = [group for group in groups if group] if scenario == "defensive" else [[party] for party in parties]
    camps = tuple(_camp(group, limit) for group in allies)
    return BattleTerms(scenario, limit, agreed, tuple(parties), camps, tuple(assumptions))


def _party(name: str, side: RosterState) -> Party:
    document = side.document
    limit = to_amount(document.budget) if document.budget is not None and document.budget > 0 else None
    return Party(name, document.side or "", side.appraisal.points, limit, side)


def _camp(allies: Sequence[Party], limit: Amount) -> Camp:
    role, points = allies[0].role, _sum([party.points for party in allies])
    limit = limit * DEFENSE if role == "defender" else limit
    return Camp(
        role, join_names(party.name for party in allies), points, limit, 0 if points is None else limit - points
    )


def _sum(amounts: Sequence[Amount | None]) -> Amount | None:
    """The sum of amounts; None if one is unknown, or there are none."""
    known = [amount for amount in amounts if amount is not None]
    return sum(known) if known and len(known) == len(amounts) else None


def _common_limit(parties: Sequence[Party]) -> tuple[Amount, bool | None, str]:
    """The limit of a standard battle, whether it is agreed, and what is assumed.

    The highest limit if they differ, and the points of the largest roster if there is none.
    """
    limits = {party.limit for party in parties if party.limit is not None}
    if not limits:
        largest = max((party.points for party in parties if party.points is not None), default=0)
        limit = largest if largest > 0 else USUAL_LIMIT["standard"]
        text = _("No roster has a points limit: {limit} points are assumed.")
        return limit, None, text.format(limit=points_text(limit))
    limit = max(limits)
    text = _("The points limits differ: {limit} points are assumed.").format(limit=points_text(limit))
    return limit, len(limits) == 1, text if len(limits) > 1 else ""


def _attackers_limit(parties: Sequence[Party]) -> tuple[Amount, bool | None, str]:
    """The attacker's limit in a defensive battle, whether the limits fit together, and what is assumed.

    Without a limit of their own it is twice the defender's, else their points, else the rulebook's.
    """
    attackers = [party for party in parties if party.role == "attacker"]
    limit: Amount
    own = _sum([party.limit for party in attackers])
    theirs = _sum([party.limit for party in parties if party.role == "defender"])
    if own is not None:
        if theirs is None or theirs == own * DEFENSE:
            return own, True, ""
        text = _("The defender's limit is half of the attacker's: {limit} points, not {other}.")
        return own, False, text.format(limit=points_text(own * DEFENSE), other=points_text(theirs))
    if theirs is not None:
        limit = Fraction(theirs) / DEFENSE
        text = _("The attacker's limit is assumed to be twice the defender's: {limit} points.")
        return limit, True, text.format(limit=points_text(limit))
    agreed = True if any(party.limit is not None for party in parties) else None
    points = _sum([party.points for party in attackers]) or 0
    limit = points if points > 0 else USUAL_LIMIT["defensive"]
    text = _("No roster has a points limit: {limit} points for the attacker are assumed.")
    return limit, agreed, text.format(limit=points_text(limit))


def _with_roles(parties: list[Party]) -> tuple[list[Party], str]:
    """The parties with their roles, and what is assumed.

    A roster without a side gets the role that is missing, else it attacks. If all have the same, the roster with the
    most points attacks the others.
    """
    roles = {party.role for party in parties}
    if not parties or ("" not in roles and (len(roles) == 2 or len(parties) == 1)):
        return parties, ""
    if len(roles) == 1:
        most = max(range(len(parties)), key=lambda index: parties[index].points or 0)
        parties = [p._replace(role="attacker" if index == most else "defender") for index, p in enumerate(parties)]
    else:
        other = "defender" if "defender" not in roles else "attacker"
        parties = [party._replace(role=party.role or other) for party in parties]
    attackers = join_names(party.name for party in parties if party.role == "attacker")
    text = _("The rosters do not say who attacks; the attacker is assumed to be {names}.")
    return parties, text.format(names=attackers)


def points_text(amount: Amount | None) -> str:
    """Points to two decimals at most; a dash if they are hidden."""
    return "–" if amount is None else format_amount(Fraction(round_half_up(amount * 100), 100))


def _rounded_points(amount: Amount) -> Message:
    """Points with their noun, to two decimals at most."""
    return count_points(Fraction(round_half_up(amount * 100), 100))


def match(sides: Sequence[RosterState]) -> play.Match:
    """Whether each side keeps to the agreed limit: one for all, or half of it for the defender (Battles)."""
    battle = battle_of(sides)
    parts = [
        len(battle.camps) > 1 or None,
        battle.agreed,
        None if battle.mixed_rules else True,
        *(None if camp.points is None or battle.agreed is None else camp.left >= 0 for camp in battle.camps),
    ]
    text = _("{name} can still add {points} points.")
    missing = [text.format(name=camp.name, points=points_text(camp.left)) for camp in battle.camps if camp.left > 0]
    if battle.agreed is None:
        missing = [_("Set a points limit for one of the rosters to compare them.")]
    return play.Match(play.all_or_unknown(parts), (*battle.assumptions, *_comparison(battle)), tuple(missing))


def _comparison(battle: BattleTerms) -> Iterator[str]:
    """Whether each side keeps to its limit; in a standard battle also the difference of their points."""
    camps = battle.camps
    for camp in camps:
        if camp.left < 0:
            text = _("{name} is {points} above its limit: reduce it, or agree on a larger battle.")
            yield text.format(name=camp.name, points=_rounded_points(-camp.left))
    if battle.mixed_rules:
        yield _("The rosters have different house rules, so their points do not compare.")
    known = [camp.points for camp in camps if camp.points is not None]
    if len(known) < len(camps):
        yield _("Points are hidden, so the balance cannot be checked.")
    elif len(camps) > 1:
        if all(camp.left >= 0 for camp in camps):
            if battle.agreed:
                yield _("All rosters are within their limits.")
            else:
                yield _("Agree on one points limit.")
        if battle.scenario == "standard":
            yield _("The difference is {points}.").format(points=_rounded_points(max(known) - min(known)))


# ---------------------------------------------------------------- the briefing


def briefing(sides: Sequence[RosterState]) -> Iterator[play.Panel]:
    """The set-up, the rosters against their limits, the points that win, and the value of every unit."""
    battle = battle_of(sides)
    yield play.Panel(SCENARIOS[battle.scenario].name, BATTLES[battle.scenario], text=join(battle.assumptions, " "))
    rows = tuple(
        (
            camp.name,
            SCENARIOS["defensive"].sides.get(camp.role, "–"),
            points_text(camp.points),
            points_text(None if battle.agreed is None else camp.limit),
            points_text(None if battle.agreed is None or camp.points is None else camp.left),
        )
        for camp in battle.camps
    )
    heads = (_("Roster"), _("Side"), _("Points"), _("Limit"), _("Left"))
    yield play.Panel(_("Rosters"), rows, heads, join(_comparison(battle), " "))
    yield play.Panel(_("Victory"), tuple(_victory(battle)), text=join(_out_of_reach(battle), " "))
    if deployments := tuple(_deployments(battle)):
        yield play.Panel(_("Special deployment"), deployments, (_("Roster"), _("Element"), _("Where")))
    for party in battle.parties:
        yield _values(party)


def _victory(battle: BattleTerms) -> Iterator[tuple[str, str]]:
    if battle.scenario == "standard":
        text = _("wins with {goal} points, half of {limit}.")
        text = text.format(goal=points_text(battle.limit * WIN), limit=points_text(battle.limit))
        yield from ((party.name, text) for party in battle.parties)
        return
    names = {**SCENARIOS["defensive"].sides, **{camp.role: camp.name for camp in battle.camps}}
    yield names["attacker"], _("wins by holding 6 of the 8 markers.")
    text = _("wins by destroying {goal} points of the attacker, two thirds of {limit}; also if both sides succeed.")
    goal, limit = points_text(battle.limit * DESTROY), points_text(battle.limit)
    yield names["defender"], text.format(goal=goal, limit=limit)


def _out_of_reach(battle: BattleTerms) -> Iterator[str]:
    """A sentence for each side that cannot score enough points against the rosters of its enemies."""
    share = WIN if battle.scenario == "standard" else DESTROY
    for camp in battle.camps:
        if camp.role == "attacker":
            continue
        points = _sum([enemy.points for enemy in battle.camps if enemy is not camp])
        if points is not None and points < battle.limit * share:
            text = _("{name} cannot score {goal} points, because the enemy has {points}: lower the limit.")
            goal = points_text(battle.limit * share)
            yield text.format(name=camp.name, goal=goal, points=points_text(points))


def _deployments(battle: BattleTerms) -> Iterator[tuple[str, str, str]]:
    """Elements with a special deployment, in the order of the set-up."""
    for code, where in DEPLOYED.items():
        for party in battle.parties:
            for element in party.side.document.elements:
                if element.quantity and code in element.codes:
                    yield party.name, _("{name} ({code})").format(name=element.name, code=code), where


def _values(party: Party) -> play.Panel:
    """What each unit scores when destroyed and when half of it is lost, One shots, and the points scored so far."""
    rows, used, scored, any_lost = [], [], Fraction(0), False
    for index, (unit, priced) in enumerate(
        zip(party.side.document.formations, party.side.appraisal.formations, strict=False)
    ):
        test, lost = priced.facts.get("morale_test_at", 0), sum(len(lost_models(element)) for element in unit.elements)
        half = None if priced.points is None else Fraction(priced.points) / 2
        size = sum(element.quantity for element in priced.elements)
        halved = (str(test), points_text(half)) if size > test else ("–", "–")
        rows.append((unit_name(unit, index), str(size), *halved, points_text(priced.points)))
        any_lost = any_lost or lost > 0
        if lost and half is not None and lost >= test:
            scored += half if any(map(survives, unit.elements)) else 2 * half
        for element, line in zip(unit.elements, priced.elements, strict=False):
            if element.quantity and "OS" in element.codes and line.unit_points is not None:
                text = _("Each {name} that has fired scores {half} instead of {points}.")
                name, value = element.name or _("element"), Fraction(line.unit_points)
                used.append(text.format(name=name, half=points_text(value / 2), points=points_text(value)))
    if any_lost and party.points is not None:
        used.append(_("The losses so far score {points} points for the enemy.").format(points=points_text(scored)))
    title = _("Values: {roster}").format(roster=party.name)
    heads = (_("Unit"), _("Elements"), _("Half at losses of"), _("Half"), _("Full"))
    return play.Panel(title, tuple(rows), heads, join(used, " "))


TABLE = 180, 120
"""The usual table in cm, seen from a long edge."""
DEPTH, DEFENDED = 20, 40
"""How far from their own edge the sides deploy, and a defender (Battles), in cm."""


def plan(sides: Sequence[RosterState]) -> play.TablePlan:
    """The table in cm, with the strip in which each side deploys."""
    battle = battle_of(sides)
    zones = play.edge_zones(TABLE, DEPTH, len(sides))
    if battle.scenario == "defensive":
        roles = [party.role for party in battle.parties]
        seats = {role: tuple(n for n, own in enumerate(roles) if own == role) for role in ("defender", "attacker")}
        zones = (
            play.Zone(0, 0, TABLE[0], DEFENDED, seats["defender"], _("{names}: deploy here, with 8 markers")),
            play.Zone(0, TABLE[1] - DEPTH, TABLE[0], DEPTH, seats["attacker"]),
        )
    return play.TablePlan(
        *TABLE,
        step=10,
        scale=(20, _("20 cm")),
        caption=_("A field is 10 cm; the table is 120 × 180 cm."),
        turn=play.Panel(_("Turn"), TURN),
        lost=_("elements lost"),
        zones=zones,
        turns=12,
        terrain=ON_PLAN,
    )
