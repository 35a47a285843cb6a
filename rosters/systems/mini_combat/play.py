"""Mini Combat at the table: elements lost, morale tests, the tables in use, and the battle of two forces.

PURE. Rulebook: Game Phases, Special Rules, Board Set-up, Battles and Appendix B of Mini Combat.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from rosters.core.amounts import Amount, format_exact, round_half_up, to_amount
from rosters.core.appraisals import PricedFormation
from rosters.core.documents import Document, Formation
from rosters.core.messages import join_names
from rosters.core.play import Alert, Match, Panel, Side, Track, all_agree
from rosters.core.reference import Capability
from rosters.systems.mini_combat.rules import (
    CAPABILITIES,
    SCENARIOS,
    Element,
    ForceTerms,
    Modifier,
    Options,
    abbreviation,
    formation_facts,
)
from rosters.systems.mini_combat.tables import (
    ATTACK,
    BATTLES,
    DEFENCE,
    DEPLOYED,
    DESTROY,
    DISTANCES,
    FORMS,
    KIND_NOTES,
    MODIFIERS,
    RECOVERS,
    TERRAIN,
    TURN,
    USUAL_LIMIT,
    WIN,
)

Force = Document[Element, Options]
Unit = Formation[Element]

MOST_NAMES = 6
"""A sentence lists no more names than this, and counts the rest."""


def tracks(element: Element, terms: ForceTerms) -> tuple[Track, ...]:
    """One box: the element is out, or it is not."""
    return (Track("out", "Out", ("",), "flag"),)


# ---------------------------------------------------------------- alerts


def out(element: Element) -> list[int]:
    """The numbers of its models that are out, from 1."""
    return [number for number, mark in enumerate(element.marks[: element.quantity], 1) if mark.out]


def standing(element: Element) -> bool:
    """At least one of its models is left."""
    return len(out(element)) < element.quantity


def alerts(document: Force, terms: ForceTerms) -> Iterator[Alert]:
    """Transports lost, morale tests, units destroyed; then what can be recovered, and the end of the force."""
    for f, unit in enumerate(document.formations):
        for e, element in enumerate(unit.elements):
            yield from _transport_lost(element, f"formations/{f}/elements/{e}")
        yield from _unit_losses(unit, f, terms)
    yield from _recoveries(document, terms)
    manned = [unit for unit in document.formations if any(element.quantity for element in unit.elements)]
    if manned and all(_destroyed(unit) for unit in manned):
        yield Alert("", "Every unit is destroyed: this force is wiped out.")


def _transport_lost(element: Element, where: str) -> Iterator[Alert]:
    lost = out(element)
    carried = max(0, sum(modifier.counted for modifier in element.capabilities if modifier.code == "T"))
    if lost and carried:
        each = "each element aboard" if carried == 1 else f"each of up to {carried} elements aboard"
        one = element.name or "The transport"
        names = one if element.quantity == 1 else f"{one} {_some([str(number) for number in lost])}"
        yield Alert(where, f"{names}: lost, so roll a D6 for {each}, which survives on 4 or more.")


def _unit_losses(unit: Unit, number: int, terms: ForceTerms) -> Iterator[Alert]:
    """Half of the elements lost, rounded up, asks for morale; all of them lost is the end (Morale phase)."""
    models, lost = sum(element.quantity for element in unit.elements), sum(len(out(e)) for e in unit.elements)
    where, name = f"formations/{number}", unit.name or f"Unit {number + 1}"
    if models and lost == models:
        yield Alert(where, f"{name}: destroyed, so the enemy scores all of its points.")
    elif models and lost >= formation_facts(unit, terms)["morale_test_at"]:
        test = _test(best_morale(element for element in unit.elements if standing(element)))
        yield Alert(where, f"{name}: {lost} of {models} elements lost, which gives half of its points; {test}.")


def best_morale(elements: Iterable[Element]) -> int:
    """The lowest target of a morale test among elements, 7 for none; 1 is fearless."""
    return min((element.stats.morale for element in elements), default=7)


def _test(morale: int) -> str:
    if morale <= 1:
        return "it is fearless and needs no morale test"
    if morale >= 7:
        return "no D6 reaches its morale, so remove it in the morale phase"
    return f"roll a D6 in the morale phase; {morale} or more holds, less removes the unit"


def _destroyed(unit: Unit) -> bool:
    return not any(standing(element) for element in unit.elements)


def _recoveries(document: Force, terms: ForceTerms) -> Iterator[Alert]:
    """Whoever still stands and can bring back something that was lost (Recover phase)."""
    elements = [element for unit in document.formations for element in unit.elements]
    for code, (what, kinds) in RECOVERS.items():
        helpers = [element.name for element in elements if code in element.codes and standing(element)]
        if helpers and any(out(element) and element.kind in kinds for element in elements):
            some = _some([*dict.fromkeys(name or "An element" for name in helpers)])
            yield Alert("", f"{some} may bring back a lost {what} within 10 cm in the recover phase.")


def _some(names: Sequence[str]) -> str:
    """The first names in a sentence, and how many more there are."""
    more = len(names) - MOST_NAMES
    return join_names([*names[:MOST_NAMES], *([f"{more} more"] if more > 0 else [])])


# ---------------------------------------------------------------- the reference panel


def panels(document: Force, terms: ForceTerms) -> Iterator[Panel]:
    """The turn, an attack, what changes it, morale, the capabilities and kinds in use, terrain, the battle."""
    present = [element for unit in document.formations for element in unit.elements if element.quantity]
    words = used(present)
    yield Panel("Turn", TURN)
    yield Panel("An attack", ATTACK)
    yield Panel("Modifiers", tuple((row.when, row.effect) for row in MODIFIERS if _needed(row.needs, words)))
    if reaches := tuple((row.what, row.reach) for row in DISTANCES if _needed(row.needs, words)):
        yield Panel("Distances", reaches)
    yield _morale(document, terms)
    if rows := tuple(_capability_rows(present, CAPABILITIES)):
        yield Panel("Capabilities", rows, ("Code", "Name", "What it does"))
    if defaults := tuple((kind.title(), " ".join(notes)) for kind, notes in KIND_NOTES.items() if kind in words):
        yield Panel("Free defaults", defaults)
    yield Panel("Terrain", TERRAIN, ("Terrain", "Save", "Effect"))
    if document.scenario is not None:
        yield Panel(SCENARIOS[document.scenario].name, BATTLES[document.scenario], text=_goal(document))


def _goal(document: Force) -> str:
    """The points that win under the document's own limit; "" where it has none above 0."""
    if document.budget is None or document.budget <= 0:
        return ""
    limit = to_amount(document.budget)
    if document.scenario != "defensive":
        return f"With {shown(limit)} points a side, {shown(limit * WIN)} points scored win."
    attack = limit / DEFENCE if document.side == "defender" else limit
    return f"With {shown(attack)} points of attackers, the defender must destroy {shown(attack * DESTROY)}."


def used(elements: Iterable[Element]) -> frozenset[str]:
    """Words of the rules that elements bring in: kinds, known codes, abbreviations, forms, "scatters"."""
    found: set[str] = set()
    for element in elements:
        found.add(element.kind)
        for modifier in element.capabilities:
            if modifier.code is not None and modifier.code in CAPABILITIES:
                found |= {modifier.code, abbreviation(modifier), _form(modifier)}
                found |= {"scatters"} if modifier.scatters else set()
    return frozenset(found)


def _form(modifier: Modifier) -> str:
    """The form that is meant: "flying" where no other is chosen, "" where there are none."""
    return modifier.form or FORMS.get(modifier.code or "", ("",))[0]


def _needed(needs: tuple[str, ...], words: frozenset[str]) -> bool:
    return not needs or not words.isdisjoint(needs)


def _morale(document: Force, terms: ForceTerms) -> Panel:
    """When each unit tests, and on what while its best element lives."""
    rule = (
        "A unit that has lost half of its elements, rounded up, rolls a D6 in the morale phase against the best "
        "(lowest) morale among those left. That number or more holds; less removes the whole unit."
    )
    rows = tuple(
        (
            unit.name or f"Unit {number}",
            str(sum(element.quantity for element in unit.elements)),
            str(formation_facts(unit, terms)["morale_test_at"]),
            _holds(best_morale(element for element in unit.elements if element.quantity)),
        )
        for number, unit in enumerate(document.formations, 1)
        if any(element.quantity for element in unit.elements)
    )
    return Panel("Morale", rows, ("Unit", "Elements", "Tests when lost", "Holds on") if rows else (), rule)


def _holds(morale: int) -> str:
    return "always" if morale <= 1 else "never" if morale >= 7 else f"{morale}+"


def _capability_rows(elements: Iterable[Element], known: Mapping[str, Capability]) -> Iterator[tuple[str, str, str]]:
    """Known capabilities in the order of the rulebook, each once with its variants; then all others."""
    variants: dict[str, Modifier] = {}
    for modifier in (modifier for element in elements for modifier in element.capabilities):
        variants.setdefault(abbreviation(modifier) if modifier.code else f"own {modifier.custom}", modifier)
    for code, row in known.items():
        if had := [modifier for modifier in variants.values() if modifier.code == code]:
            said = [sentence for modifier in had if (sentence := _variant(modifier))]
            codes = "Den" if code == "Den" else join_names(abbreviation(modifier) for modifier in had)
            yield codes, row.name, " ".join([row.text, *said])
            yield from _denials(had, known, {modifier.code for modifier in variants.values()})
    for modifier in variants.values():
        if modifier.custom is not None:
            yield modifier.custom or "?", "Own rule", "Agree before the game on what it does."
        elif modifier.code not in known:
            yield modifier.code or "?", "Not in the rulebook", "Agree before the game on what it does, or leave it out."


def _denials(
    had: Iterable[Modifier], known: Mapping[str, Capability], codes: set[str | None]
) -> Iterator[tuple[str, str, str]]:
    """What each denial stops, in full unless it has a row of its own."""
    for modifier in had:
        if denied := known.get(modifier.denies or ""):
            text = f"See {denied.code}." if denied.code in codes else f"The enemy may not: {denied.text}"
            yield abbreviation(modifier), f"Deny {denied.name}", text


def _variant(modifier: Modifier) -> str:
    """How many, on what roll or for how long, as a sentence; "" where the code says it all."""
    name = abbreviation(modifier)
    said = [
        f"{name} carries {modifier.counted}." if modifier.code == "T" else "",
        f"{name} rolls {modifier.counted} times to hit." if modifier.code == "MW" else "",
        f"{name} works on {modifier.on} or more of a D6." if modifier.on is not None else "",
        f"{name} is priced for a game of {modifier.turns} turns." if modifier.turns is not None else "",
    ]
    return " ".join(sentence for sentence in said if sentence)


# ---------------------------------------------------------------- the briefing


class Party(NamedTuple):
    """A force of a battle. ``role`` is "attacker" or "defender", "" in a standard battle; ``worth`` may be hidden."""

    name: str
    role: str
    worth: Amount | None
    budget: Amount | None
    side: Side


class Battle(NamedTuple):
    """What is played: the limit (in a defensive battle the attacker's), and what had to be assumed."""

    scenario: str
    limit: Amount
    parties: tuple[Party, ...]
    assumed: tuple[str, ...]

    def limit_of(self, role: str) -> Amount:
        """Points that a side with this role may have."""
        return Fraction(self.limit) * DEFENCE if role == "defender" else self.limit


def briefing(sides: Sequence[Side]) -> Iterator[Panel]:
    """The set-up, the forces against their limits, what each must score, and the value of every unit."""
    battle = battle_of(sides)
    scenario = SCENARIOS[battle.scenario]
    yield Panel(scenario.name, BATTLES[battle.scenario], text=" ".join(battle.assumed))
    yield _forces(battle)
    yield Panel("Victory", tuple(_victory(battle)), text=" ".join(_out_of_reach(battle)))
    if rows := tuple(_deployments(battle)):
        yield Panel("Deployed apart", rows, ("Force", "Element", "Where"))
    for party in battle.parties:
        yield _values(party)


def battle_of(sides: Sequence[Side]) -> Battle:
    """The battle of these forces: scenario, roles and limit from their documents, else assumed and said so."""
    scenario, assumed = _scenario(sides)
    names = Counter(side.document.name for side in sides)
    parties = tuple(_party(side, number, names) for number, side in enumerate(sides, 1))
    if scenario == "defensive":
        parties, more = _with_roles(parties)
        limit, why = _attack_limit(parties)
        return Battle(scenario, limit, parties, (*assumed, *more, *why))
    limit, why = _agreed_limit(parties)
    return Battle(scenario, limit, parties, (*assumed, *why))


def _scenario(sides: Sequence[Side]) -> tuple[str, tuple[str, ...]]:
    named = [side.document.scenario for side in sides]
    chosen = [*dict.fromkeys(scenario for scenario in named if scenario in SCENARIOS)]
    first = chosen[0] if chosen else "standard"
    if len(chosen) > 1:
        return first, (f"The forces name different battles; the first one, {SCENARIOS[first].name}, is assumed.",)
    if not chosen or None in named:
        return first, (f"Not every force names its battle; a {SCENARIOS[first].name.lower()} is assumed.",)
    return first, ()


def _party(side: Side, number: int, names: Mapping[str, int]) -> Party:
    """A force by its name, with its number where that is not enough; a budget above 0 is its limit."""
    document = side.document
    budget = to_amount(document.budget) if document.budget is not None and document.budget > 0 else None
    name = document.name if document.name.strip() else "Force"
    told = name if name == document.name and names[name] == 1 else f"{name} {number}"
    return Party(told, document.side or "", side.appraisal.points, budget, side)


def _agreed_limit(parties: Sequence[Party]) -> tuple[Amount, tuple[str, ...]]:
    """The forces' own limit; the highest if they differ; without any, what the larger force is worth."""
    budgets = {party.budget for party in parties if party.budget is not None}
    if budgets:
        limit = max(budgets)
        return limit, (f"Their limits differ; {shown(limit)} points are assumed.",) if len(budgets) > 1 else ()
    worth = max((party.worth for party in parties if party.worth is not None), default=0)
    limit = worth if worth > 0 else USUAL_LIMIT["standard"]
    return limit, (f"No force has a limit; {shown(limit)} points are assumed.",)


def _with_roles(parties: tuple[Party, ...]) -> tuple[tuple[Party, ...], tuple[str, ...]]:
    """Attackers and defenders. A force without a side takes the one that is missing, else it attacks.

    Where no two are told apart, the force that is worth most attacks the others.
    """
    roles = {party.role for party in parties}
    if not parties or ("" not in roles and (len(roles) == 2 or len(parties) == 1)):
        return parties, ()
    if len(roles) == 1:
        most = max(range(len(parties)), key=lambda index: parties[index].worth or 0)
        taken = tuple(p._replace(role="attacker" if i == most else "defender") for i, p in enumerate(parties))
    else:
        other = "defender" if "defender" not in roles else "attacker"
        taken = tuple(party._replace(role=party.role or other) for party in parties)
    attackers = join_names(party.name for party in taken if party.role == "attacker")
    return taken, (f"The sides are not settled; it is assumed that {attackers} attacks.",)


def _attack_limit(parties: Sequence[Party]) -> tuple[Amount, tuple[str, ...]]:
    """The attacker's limit: their own; else twice the defender's; else what they are worth, or the book's."""
    attackers, defenders = _role(parties, "attacker"), _role(parties, "defender")
    own, theirs = _limits(attackers), _limits(defenders)
    if own is not None:
        differs = theirs is not None and theirs != own * DEFENCE
        why = (
            f"The defender's limit is half of the attacker's, {shown(own * DEFENCE)} points, not {shown(theirs or 0)}."
        )
        return own, (why,) if differs else ()
    if theirs is not None:
        return theirs / DEFENCE, (
            f"The attacker's limit is assumed to be twice the defender's: {shown(theirs / DEFENCE)}.",
        )
    worth = _worth(attackers) or 0
    limit = worth if worth > 0 else USUAL_LIMIT["defensive"]
    return limit, (f"No force has a limit; {shown(limit)} points for the attacker are assumed.",)


def _role(parties: Iterable[Party], role: str) -> list[Party]:
    return [party for party in parties if party.role == role]


def _limits(parties: Sequence[Party]) -> Fraction | None:
    """Allies' limits together; None where one has none, or nobody is there."""
    budgets = [party.budget for party in parties if party.budget is not None]
    return Fraction(sum(budgets)) if budgets and len(budgets) == len(parties) else None


def _worth(parties: Sequence[Party]) -> Amount | None:
    """What allies are worth together; None where one hides its points."""
    known = [party.worth for party in parties if party.worth is not None]
    return sum(known) if len(known) == len(parties) else None


def shown(amount: Amount | None) -> str:
    """Points to two decimals at most; a dash for hidden ones."""
    return "-" if amount is None else format_exact(Fraction(round_half_up(amount * 100), 100))


def _camps(battle: Battle) -> list[tuple[str, list[Party]]]:
    """Who stands together: the two sides of a defensive battle, else each force for itself."""
    if battle.scenario != "defensive":
        return [("", [party]) for party in battle.parties]
    return [(role, allies) for role in ("attacker", "defender") if (allies := _role(battle.parties, role))]


def _forces(battle: Battle) -> Panel:
    """Each side's points beside its limit, and whether they match."""
    rows = []
    for role, allies in _camps(battle):
        limit, worth = battle.limit_of(role), _worth(allies)
        left = None if worth is None else limit - worth
        rows.append((join_names(p.name for p in allies), role.title() or "-", shown(worth), shown(limit), shown(left)))
    text = " ".join(_compared(battle))
    return Panel("Forces", tuple(rows), ("Force", "Side", "Points", "Limit", "Left"), text)


class Camp(NamedTuple):
    """Who stands together: their names, points (None: hidden) and limit."""

    name: str
    worth: Amount | None
    limit: Amount

    @property
    def left(self) -> Amount:
        """Points that may still be added, below 0 for those that are too many; 0 while they are hidden."""
        return 0 if self.worth is None else self.limit - self.worth


def _compared_camps(battle: Battle) -> list[Camp]:
    return [
        Camp(join_names(party.name for party in allies), _worth(allies), battle.limit_of(role))
        for role, allies in _camps(battle)
    ]


def match(sides: Sequence[Side]) -> Match:
    """Whether each side keeps the limit that is agreed: the same for all, or half of it for a defender (Battles)."""
    battle = battle_of(sides)
    camps, agreed = _compared_camps(battle), _limit_agreed(battle)
    parts = [
        len(camps) > 1 or None,
        agreed,
        None if _different_rules(battle) else True,
        *(None if camp.worth is None or agreed is None else camp.left >= 0 for camp in camps),
    ]
    missing = [f"{camp.name} may still add {shown(camp.left)} points." for camp in camps if camp.left > 0]
    if agreed is None:
        missing = ["Give a force a budget: without a limit there is nothing to keep to."]
    return Match(all_agree(parts), (*battle.assumed, *_compared(battle)), tuple(missing))


def _limit_agreed(battle: Battle) -> bool | None:
    """Whether the forces' own limits go together; None where no force has any."""
    budgets = {party.budget for party in battle.parties if party.budget is not None}
    if not budgets:
        return None
    if battle.scenario != "defensive":
        return len(budgets) == 1
    own, theirs = _limits(_role(battle.parties, "attacker")), _limits(_role(battle.parties, "defender"))
    return own is None or theirs is None or theirs == own * DEFENCE


def _different_rules(battle: Battle) -> bool:
    return len({party.side.document.options for party in battle.parties}) > 1


def _compared(battle: Battle) -> Iterator[str]:
    """Whether each side keeps its limit; in a standard battle also how far the forces are apart."""
    camps = _compared_camps(battle)
    for camp in camps:
        if camp.left < 0:
            yield f"{camp.name} is {shown(-camp.left)} points above its limit: trim it, or agree on a larger battle."
    if _different_rules(battle):
        yield "They are priced under different house rules, so their points do not compare."
    known = [camp.worth for camp in camps if camp.worth is not None]
    if len(known) < len(camps):
        yield "Points are hidden, so the match cannot be checked."
    elif len(camps) > 1:
        if all(camp.left >= 0 for camp in camps):
            yield _within_limits(_limit_agreed(battle))
        if battle.scenario == "standard":
            yield f"They differ by {shown(max(known) - min(known))} points."


def _within_limits(agreed: bool | None) -> str:
    """What it means that nobody is above the limit."""
    if agreed:
        return "All are within their limits: the forces match."
    return "Agree on one limit first." if agreed is None else "Their limits do not go together: agree on one."


def _victory(battle: Battle) -> Iterator[tuple[str, str]]:
    if battle.scenario == "standard":
        for party in battle.parties:
            yield party.name, f"wins with {shown(battle.limit * WIN)} points scored, half of {shown(battle.limit)}."
        return
    named = {role: join_names(party.name for party in allies) for role, allies in _camps(battle)}
    goal = shown(battle.limit * DESTROY)
    yield named.get("attacker", "Attacker"), "wins by holding six of the eight markers."
    yield (
        named.get("defender", "Defender"),
        f"wins by destroying {goal} points of the attacker, two thirds of {shown(battle.limit)}; "
        "also if both sides succeed.",
    )


def _out_of_reach(battle: Battle) -> Iterator[str]:
    """A sentence for whoever cannot score enough from what the enemy has brought."""
    if battle.scenario == "defensive":
        goals = [("The defender", battle.limit * DESTROY, _role(battle.parties, "attacker"))]
    else:
        others = [(p.name, [other for other in battle.parties if other is not p]) for p in battle.parties]
        goals = [(name, battle.limit * WIN, enemies) for name, enemies in others]
    for name, goal, enemies in goals:
        worth = _worth(enemies)
        if enemies and worth is not None and worth < goal:
            yield f"{name} cannot score {shown(goal)} points, as the enemy is worth {shown(worth)}: lower the limit."


def _deployments(battle: Battle) -> Iterator[tuple[str, str, str]]:
    """Elements with models that do not deploy with the rest, in the order of the set-up."""
    for code, where in DEPLOYED.items():
        for party in battle.parties:
            for unit in party.side.document.formations:
                for element in unit.elements:
                    if element.quantity and code in element.codes:
                        yield party.name, f"{element.name} ({code})", where


def _values(party: Party) -> Panel:
    """What each unit gives when destroyed, and when half of its elements are lost."""
    priced, units = party.side.appraisal.formations, party.side.document.formations
    rows = tuple(
        (
            unit.name or f"Unit {number}",
            str(sum(element.quantity for element in found.elements)),
            str(found.facts.get("morale_test_at", "-")),
            shown(_half(found)),
            shown(found.points),
        )
        for number, (unit, found) in enumerate(zip(units, priced, strict=False), 1)
    )
    text = " ".join([*_one_shots(party), *_given(party)])
    return Panel(f"Values: {party.name}", rows, ("Unit", "Elements", "Half when lost", "Half value", "Value"), text)


def _half(unit: PricedFormation) -> Amount | None:
    return None if unit.points is None else Fraction(unit.points) * WIN


def _one_shots(party: Party) -> Iterator[str]:
    """Elements with One shot count half once they have fired (Special Rules)."""
    for unit, found in zip(party.side.document.formations, party.side.appraisal.formations, strict=False):
        for element, line in zip(unit.elements, found.elements, strict=False):
            if element.quantity and "OS" in element.codes and line.each is not None:
                half = shown(Fraction(line.each) / 2)
                yield f"Each {element.name or 'element'} that has fired counts {half} instead of {shown(line.each)}."


def _given(party: Party) -> Iterator[str]:
    """What the losses marked so far give the enemy; nothing where none are, or points are hidden."""
    given: Amount = 0
    lost_any = False
    for unit, found in zip(party.side.document.formations, party.side.appraisal.formations, strict=False):
        lost = sum(len(out(element)) for element in unit.elements)
        lost_any = lost_any or lost > 0
        if lost and found.points is not None and lost >= found.facts.get("morale_test_at", 0):
            given += found.points if _destroyed(unit) else Fraction(found.points, 2)
    if lost_any and party.worth is not None:
        yield f"The losses marked so far give the enemy {shown(given)} points."
