"""Forces found for a budget: what a design is worth against an enemy by exact odds, the selections that are worth most,
and a search that lets them fight.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import groupby, islice, permutations
from math import ceil, floor, lcm, sqrt
from typing import Any, NamedTuple

from rosters import registry
from rosters.balance.answers import Matchup
from rosters.balance.chains import ROUNDS
from rosters.balance.report import BATTLES, BLOCK, Settings, Study, Tally, Trial, wilson
from rosters.core import edits
from rosters.core.amounts import Amount, to_amount
from rosters.core.appraisals import RosterState, terms_of
from rosters.core.cache import MemoryCache
from rosters.core.documents import AnyDocument, Element, Formation, InvalidDocument, new_id, profile_key, write_element
from rosters.core.findings import Finding
from rosters.core.forces import ForceRule
from rosters.core.odds import DRAW, ENDS, LOSE, SIDES, WIN, AnyDuel, Side
from rosters.registry import SYSTEMS, System

BEST = 20
"""Selections that are proven best, with which the search begins."""
NEIGHBORS = 20
"""Neighbors of these that fight, too."""
MAX_SHOWN = 5
"""Forces that are left at the end of the search."""
MAX_TRIED = 100
"""Selections that are appraised, at most, to find the best legal ones."""
MAX_TARGETS = 5
"""Elements of an enemy against which a design is valued, those of most points."""
MIN_LOSS = 1 / 60
"""The least chance per round that is assumed for the loss of a model, so that its worth is finite."""


class Offer(NamedTuple):
    """A design that may be added to a roster: one of its own elements, or a copy, in a formation of that name."""

    element: Element
    group: str
    is_own: bool


def write_offers(offers: Sequence[Offer]) -> list[dict[str, Any]]:
    """Offers as JSON data."""
    return [{"element": write_element(each.element), "group": each.group, "own": each.is_own} for each in offers]


def read_offers(system: str, data: Sequence[Mapping[str, Any]]) -> list[Offer]:
    """Offers from JSON data that `write_offers` returned."""
    element = SYSTEMS[system].rules.Element
    return [Offer(element.model_validate(each["element"]), each["group"], each["own"]) for each in data]


class Proposal(NamedTuple):
    """How many of each offer are added, what they are worth together, and the points of the roster with them."""

    counts: tuple[int, ...]
    worth: float
    points: Amount | None


class Proposals(NamedTuple):
    """The best legal forces, then their neighbors.

    ``best`` is how many of them are proven to be the best. ``is_exact`` is False if prices were rounded to find them.
    ``worths`` are those of the offers, None without odds. ``errors`` are the findings of the first that is not
    legal, if none is.
    """

    forces: tuple[Proposal, ...]
    best: int
    is_exact: bool
    worths: tuple[float | None, ...]
    errors: tuple[Finding, ...]


# ---------------------------------------------------------------- what a design is worth


def points_left(document: AnyDocument, enemy: AnyDocument | None) -> Amount:
    """The points below the limit of a roster; without a limit, below the enemy. Figures in a game without points."""
    limit = size_of(enemy) if document.budget is None and enemy else to_amount(document.budget or 0)
    return max(Fraction(limit) - Fraction(size_of(document)), Fraction(0))


def size_of(document: AnyDocument) -> Amount:
    """The points of a roster; its figures in a game without points."""
    appraisal = registry.appraise(document)
    return appraisal.quantity if appraisal.exact is None else appraisal.exact


def price_of(document: AnyDocument, element: Element) -> Fraction:
    """The points of one model under the terms of a roster; 1 in a game without points."""
    receipt = SYSTEMS[document.system].rules.price(element, terms_of(document))
    return Fraction(1 if receipt is None else receipt.unit_points)


class _Target(NamedTuple):
    """An element of the enemy: its points, and its share of the enemy's points."""

    element: Element
    points: Fraction
    share: float


def _targets(enemy: AnyDocument) -> list[_Target]:
    """The elements of an enemy that have odds, equal ones once, those of most points first."""
    system = SYSTEMS[enemy.system]
    models = [(each, price_of(enemy, each)) for each in enemy.elements if _has_odds(system, each)]
    groups: dict[Any, list[tuple[Element, Fraction]]] = {}
    for each, points in models:
        groups.setdefault(profile_key(each), []).append((each, points))
    totals = [(sum(each.quantity * points for each, points in group), group[0]) for group in groups.values()]
    largest = sorted((each for each in totals if each[0] > 0), key=lambda each: -each[0])[:MAX_TARGETS]
    all_points = sum(total for total, _first in largest)
    return [_Target(element, points, float(total / all_points)) for total, (element, points) in largest]


def _has_odds(system: System, element: Element) -> bool:
    return element.quantity > 0 and not [*system.odds.problems(element)]


def worths(document: AnyDocument, elements: Sequence[Element], enemy: AnyDocument) -> list[float | None]:
    """What one model of each element is worth against an enemy, in points of these elements on average; None without
    odds (docs/balance.md, F1 to F4).
    """
    system, targets = SYSTEMS[document.system], _targets(enemy)
    raw = [
        _raw_worth(system, each, targets) if targets and not [*system.odds.problems(each)] else None
        for each in elements
    ]
    rated = [(each, price_of(document, element)) for each, element in zip(raw, elements, strict=True) if each]
    total = sum(each for each, _points in rated)
    scale = float(sum(points for _each, points in rated)) / total if total else 1.0
    return [None if each is None else each * scale for each in raw]


def _raw_worth(system: System, element: Element, targets: Sequence[_Target]) -> float | None:
    """The root of the points that a model takes in a round, divided by the chance that it is lost in a round."""
    distances = [*system.odds.RANGES]
    near_and_middle = (distances[0], distances[len(distances) // 2])
    taken = lost = 0.0
    for target in targets:
        for distance in near_and_middle:
            rates = _rates(system, element, target.element, distance)
            if not rates:
                return None
            taken += target.share * float(target.points) * rates[0]
            lost += target.share * rates[1]
    return sqrt(taken / len(near_and_middle) / max(lost / len(near_and_middle), MIN_LOSS))


_known_rates = MemoryCache[tuple[Any, ...], tuple[float, ...]](8 << 20)
"""The rates of equal pairs; none for a pair that takes too long to compute."""
RATES_BYTES = 2048


def _rates(system: System, a: Element, b: Element, distance: Any) -> tuple[float, ...]:
    """The chance in a round that A beats B, and that B beats A, each alone; none if that takes too long to compute."""
    key = (system.slug, profile_key(a), profile_key(b), distance)
    rates = _known_rates.get(key)
    if rates is None:
        conditions = system.odds.Conditions.model_validate({"distance": distance})
        try:
            duel = Matchup(system, a, b, conditions).duel()
            rates = tuple(_rate(duel, side) for side in SIDES)
        except InvalidDocument:
            rates = ()
        _known_rates.set(key, rates, RATES_BYTES)
    return rates


def _rate(duel: AnyDuel, side: Side) -> float:
    """The chance to beat the other in the first rounds, for each round that this takes on average."""
    states, rounds, beaten = {duel.start: 1.0}, 0.0, 0.0
    ends = (WIN, DRAW) if side == "a" else (LOSE, DRAW)
    for _round in range(ROUNDS):
        rounds += sum(states.values())
        after: dict[Any, float] = {}
        for state, chance in states.items():
            for following, next_chance in duel.attack(state, side).items():
                after[following] = after.get(following, 0.0) + chance * float(next_chance)
        beaten += sum(after.get(end, 0.0) for end in ends)
        states = {state: chance for state, chance in after.items() if state not in ENDS}
    return beaten / rounds


# ---------------------------------------------------------------- proposals


def propose_forces(
    document: AnyDocument, offers: Sequence[Offer], enemy: AnyDocument, points: Amount, maximum: int | None
) -> Proposals:
    """The legal forces that are worth most for the points, with up to ``maximum`` of each offer, and their one-swap
    neighbors, best first.
    """
    worth_of_each = worths(document, [offer.element for offer in offers], enemy)
    priced = [
        Priced(offer, price_of(document, offer.element), worth or 0.0, min(maximum or MAX_ADDED, MAX_ADDED))
        for offer, worth in zip(offers, worth_of_each, strict=True)
    ]
    known = RosterState(document, registry.appraise(document), registry.appraise_elements(document))
    rules = SYSTEMS[document.system].force_rules
    best, is_exact, errors = _best_legal(known, priced, Fraction(points), rules)
    if not best:  # what is only advice gives way
        best, is_exact, errors = _best_legal(known, priced, Fraction(points), _binding(document, rules))
    tried = (
        _appraised(known, offers, counts, worth)[0] for worth, counts in _neighbors(best, priced, Fraction(points))
    )
    forces = (*best, *islice(filter(None, tried), NEIGHBORS))
    return Proposals(forces, len(best), is_exact, tuple(worth_of_each), () if best else errors)


class Priced(NamedTuple):
    """An offer with its price, its worth, and the most that may be added."""

    offer: Offer
    price: Fraction
    worth: float
    maximum: int


def _best_legal(
    known: RosterState, priced: Sequence[Priced], points: Fraction, rules: Sequence[ForceRule]
) -> tuple[list[Proposal], bool, tuple[Finding, ...]]:
    """The best legal forces, whether prices were exact, and what is wrong with the first one that is not legal."""
    from rosters.balance.solver import Knapsack  # noqa: PLC0415 - imports NumPy, which no page needs

    knapsack = Knapsack(_designs(priced, rules), points, [_condition(known.document, rule) for rule in rules])
    best, wrong = list[Proposal](), tuple[Finding, ...]()
    for selection in islice(knapsack.ranked(), MAX_TRIED):
        proposal, errors = _appraised(known, [each.offer for each in priced], selection.counts, selection.value)
        best += [proposal] if proposal and any(selection.counts) else []
        wrong = wrong or errors
        if len(best) == BEST:
            break
    return best, knapsack.is_exact, wrong


MAX_ADDED = 400
"""The most models of one design that are added."""


def _designs(priced: Sequence[Priced], rules: Sequence[ForceRule]) -> list[Any]:
    """Offers as the solver sees them."""
    from rosters.balance.solver import Design  # noqa: PLC0415

    return [
        Design(
            each.price,
            each.worth,
            each.maximum if each.worth and each.price > 0 else 0,
            tuple(rule.weigh(each.offer.element) for rule in rules),
        )
        for each in priced
    ]


def _binding(document: AnyDocument, rules: Sequence[ForceRule]) -> list[ForceRule]:
    """The rules without which a roster is not legal."""
    findings = SYSTEMS[document.system].rules.FINDINGS
    return [rule for rule in rules if findings[rule.finding].severity == "error"]


def _condition(document: AnyDocument, rule: ForceRule) -> Any:
    """A rule, of which the roster has a part already. What exceeds it already may stay."""
    from rosters.balance.solver import Condition  # noqa: PLC0415

    start = sum(rule.weigh(element) * element.quantity for element in document.elements)
    maximum = None if rule.maximum is None else max(rule.maximum, start)
    return Condition(start, rule.minimum, maximum, rule.multiple)


def _appraised(
    known: RosterState, offers: Sequence[Offer], counts: Sequence[int], worth: float
) -> tuple[Proposal | None, tuple[Finding, ...]]:
    """The proposal if it is legal, else its errors."""
    try:
        document = with_additions(known.document, offers, counts)
        appraisal = registry.appraise(document, registry.appraise_elements(document, known.appraised))
    except edits.LimitExceeded:
        return None, ()
    errors = tuple(each for each in appraisal.findings if each.severity == "error")
    return (None if errors else Proposal(tuple(counts), worth, appraisal.points)), errors


def _neighbors(
    best: Sequence[Proposal], priced: Sequence[Priced], points: Fraction
) -> list[tuple[float, tuple[int, ...]]]:
    """Selections in which one model was swapped for as many of another as fit, those worth most first."""
    near: dict[tuple[int, ...], float] = {}
    for proposal in best:
        left = points - sum(number * each.price for number, each in zip(proposal.counts, priced, strict=True))
        for out, into in permutations(range(len(priced)), 2):
            old, new = priced[out], priced[into]
            if not proposal.counts[out] or not new.worth or not 0 < new.price <= left + old.price:
                continue
            counts = [*proposal.counts]
            fitting = min((left + old.price) // new.price, new.maximum - counts[into])
            counts[out] -= 1
            counts[into] += fitting
            near[tuple(counts)] = proposal.worth - old.worth + fitting * new.worth
    known = {proposal.counts for proposal in best}
    return sorted(((worth, counts) for counts, worth in near.items() if counts not in known), reverse=True)


# ---------------------------------------------------------------- additions


def addition_edit(document: AnyDocument, offers: Sequence[Offer], counts: Sequence[int]) -> edits.Edit:
    """The edit that adds a selection: to the roster's own elements, and copies in formations named as their own."""
    added = [(offer, number) for offer, number in zip(offers, counts, strict=True) if number]
    own = {str(offer.element.id): number for offer, number in added if offer.is_own}
    copies = [(offer, number) for offer, number in added if not offer.is_own]
    return edits.compose_edits([*_raise_quantities(own), *(_add_copies(document, copies) if copies else ())])


def models_in(counts: Sequence[int]) -> int:
    """The number of models that a selection adds."""
    return sum(counts)


def _raise_quantities(numbers: Mapping[str, int]) -> Iterator[edits.Edit]:
    """The edit that adds these numbers of models to elements, by their ids; none without numbers."""

    def edit(document: AnyDocument) -> AnyDocument:
        now = {uid: edits.find_element(document, uid)[1].quantity for uid in numbers}
        return edits.set_quantities({uid: now[uid] + number for uid, number in numbers.items()})(document)

    if numbers:
        yield edit


def _add_copies(document: AnyDocument, copies: Sequence[tuple[Offer, int]]) -> Iterator[edits.Edit]:
    """The edits that add copies, in a formation for each group."""
    taken = {element.name for element in document.elements}
    for group, members in groupby(sorted(copies, key=lambda each: each[0].group), key=lambda each: each[0].group):
        elements = []
        for offer, number in members:
            name = edits.numbered_name(offer.element.name, taken)
            taken.add(name)
            elements.append(edits.copy_element(offer.element).replace(name=name, quantity=number, secret=False))
        yield edits.add_formation(Formation[Any](id=new_id(), name=group, elements=tuple(elements)))


def with_additions(document: AnyDocument, offers: Sequence[Offer], counts: Sequence[int]) -> AnyDocument:
    """The roster with a selection added. Raises ElementNotFound and LimitExceeded."""
    return addition_edit(document, offers, counts)(document)


# ---------------------------------------------------------------- the search


def search(forces: Sequence[AnyDocument], enemy: AnyDocument, settings: Settings) -> Study:
    """The forces that win most often against an enemy."""
    return _successive_halving([(force, enemy) for force in forces], settings, lambda tally: -tally.score)


def _successive_halving(
    pairs: Sequence[tuple[AnyDocument, AnyDocument]], settings: Settings, rank: Callable[[Tally], float]
) -> Study:
    """The pairs of lowest rank: all fight with the same dice, and the better half fights on until few are left."""
    tallies = [Tally()] * len(pairs)
    alive, first = [*range(len(pairs))], 0
    while len(alive) > MAX_SHOWN or (alive and first < settings.battles):
        for place in alive:
            a, b = pairs[place]
            tallies[place] += yield Trial("search", a, b, settings.policies[0], first)
        alive.sort(key=lambda place: (rank(tallies[place]), place))
        alive, first = alive[: _survivors(len(alive))], first + BLOCK
    return {"forces": [{"force": place, **_score_of(tallies[place])} for place in alive]}


def planned_trials(forces: int) -> int:
    """How many trials a search has, without NumPy, since pages ask."""
    trials, first = 0, 0
    while forces > MAX_SHOWN or (forces and first < BATTLES):
        trials, first, forces = trials + forces, first + BLOCK, _survivors(forces)
    return trials


def _survivors(forces: int) -> int:
    return max(MAX_SHOWN, (forces + 1) // 2) if forces > MAX_SHOWN else forces


def _score_of(tally: Tally) -> dict[str, Any]:
    """The share of battles that a force wins, where a draw counts half, with its confidence interval."""
    return {"share": tally.score, "interval": wilson(tally.score * tally.battles, tally.battles)}


def percents_of(score: Mapping[str, Any]) -> dict[str, int]:
    """The share of battles of a force that was found, with its margin, in percent; nothing before it has fought."""
    if "share" not in score:
        return {}
    low, high = score["interval"]
    # no number of battles makes a result certain
    return {"won": round(100 * score["share"]), "margin": max(round(50 * (high - low)), 1)}


def percents_of_share(share: float, battles: int) -> dict[str, int]:
    """The same for a share of this many battles, where a draw counts half."""
    return percents_of({"share": share, "interval": wilson(share * battles, battles)})


# ---------------------------------------------------------------- two forces from one shelf

Owned = Sequence[tuple[Element, int]]
"""Models that somebody owns: elements, and how many of each."""
Limits = tuple[Amount, Amount]
"""The points of a force at most, and by how much two may differ."""
GRID, MIN_GRID, MAX_TABLE = 400, 40, 4_000_000
"""Steps of worth in which a split is evened, at most and at least, and the size of its tables. Points are exact unless
the tables would be larger; then they are rounded, and those of a split are checked.
"""
SLACK = Fraction(1, 50)
"""The share of the points that halves may leave, so that they need not be equal to the point."""
MAX_POOLS, MAX_POOL_CELLS = 30, 8_000_000
"""Selections of owned models that are split, those first that use most points: how many, and the size of their tables
together.
"""
NEAR_FULL = 0.85
"""The least points of a selection that is split, beside the first one that has legal halves."""
MAX_HALVES = 20
"""Halves of each that are appraised."""


class Split(NamedTuple):
    """Two legal forces of owned models: how many of each design both have."""

    a: tuple[int, ...]
    b: tuple[int, ...]


def split_forces(empty: AnyDocument, owned: Owned, points: Amount, within: Amount) -> list[Split]:
    """Splits of owned models into two legal forces of up to some points each, which differ by some points at most.

    Those of most equal worth come first (docs/balance.md, F6).

    ``empty`` is a roster of the game without elements, for the terms. A game without points counts models.
    """
    everything = _force(empty, owned, [number for _element, number in owned])
    worth_of_each = worths(empty, [element for element, _number in owned], everything)
    priced = [
        Priced(Offer(element, "", is_own=False), price_of(empty, element), worth or 0.0, number if worth else 0)
        for (element, number), worth in zip(owned, worth_of_each, strict=True)
    ]
    rules = [rule for rule in SYSTEMS[empty.system].force_rules if not rule.by_choice]
    strictness = (rules, _binding(empty, rules))  # what is only advice gives way
    splits = (_splits(empty, owned, priced, each, (points, within)) for each in strictness)
    return next(filter(None, splits), [])


def _splits(
    empty: AnyDocument, owned: Owned, priced: Sequence[Priced], rules: Sequence[ForceRule], limits: Limits
) -> list[Split]:
    """The legal splits of those models that use most of the points, best first."""
    from rosters.balance.solver import Knapsack  # noqa: PLC0415 - imports NumPy, which no page needs

    both = [
        rule._replace(minimum=rule.minimum and 2 * rule.minimum, maximum=rule.maximum and 2 * rule.maximum)
        for rule in rules
    ]
    designs = [each._replace(value=float(each.price)) for each in _designs(priced, both)]
    maximum = 2 * Fraction(limits[0]) - int(min(Fraction(limits[1]), SLACK * limits[0]))
    pools = Knapsack(designs, maximum, [_condition(empty, rule) for rule in both]).ranked()
    best: list[Split] = []
    cells, threshold = 0, 0.0
    for pool in islice(pools, MAX_POOLS):
        if pool.value < threshold or cells > MAX_POOL_CELLS or len(best) >= BEST:
            break
        used = [each._replace(maximum=number) for each, number in zip(priced, pool.counts, strict=True)]
        knapsack = _halves(used, rules, limits)
        cells += knapsack.cells
        halves = islice(knapsack.ranked(), MAX_HALVES)
        splits = (_split(empty, owned, used, half.counts, limits) for half in halves)
        best += [each for each in splits if each is not None]
        threshold = threshold or (NEAR_FULL * pool.value if best else 0.0)
    return best[:BEST]


def _halves(used: Sequence[Priced], rules: Sequence[ForceRule], limits: Limits) -> Any:
    """The knapsack of half of these models, by worth at most half, by points within the limits, so that the rest keeps
    the rules.
    """
    from rosters.balance.solver import Condition, Knapsack  # noqa: PLC0415

    total = sum((each.maximum * each.price for each in used), Fraction(0))
    worth = sum(each.maximum * each.worth for each in used) or 1.0
    points, within = map(Fraction, limits)
    minimum, maximum = max((total - within) / 2, total - points), min((total + within) / 2, points)
    scale = Fraction(lcm(*(each.price.denominator for each in used)))
    steps = MAX_TABLE // (len(used) + 1)
    if maximum * scale > steps // MIN_GRID:
        scale = steps // MIN_GRID / maximum
    grid = min(GRID, steps // max(int(maximum * scale), 1))
    conditions = [Condition(0, floor(minimum * scale), ceil(maximum * scale))]
    for rule in rules:
        number = sum(rule.weigh(each.offer.element) * each.maximum for each in used)
        low, high = rule.minimum, rule.maximum
        lower = [each for each in (low, None if high is None else number - high) if each is not None]
        upper = [each for each in (high, None if low is None else number - low) if each is not None]
        conditions.append(Condition(0, max(lower, default=None), min(upper, default=None), rule.multiple))
    designs = [
        design._replace(
            price=Fraction(round(each.worth / worth * grid)),
            weights=(round(each.price * scale), *design.weights),
        )
        for each, design in zip(used, _designs(used, rules), strict=True)
    ]
    return Knapsack(designs, Fraction(grid, 2), conditions)


def _split(
    empty: AnyDocument, owned: Owned, used: Sequence[Priced], a: tuple[int, ...], limits: Limits
) -> Split | None:
    """A split if both forces are legal and their points are within the limits, else None."""
    split = Split(a, tuple(each.maximum - number for each, number in zip(used, a, strict=True)))
    first, second = (sum((n * each.price for n, each in zip(side, used, strict=True)), Fraction(0)) for side in split)
    if not all(map(any, split)) or max(first, second) > limits[0] or abs(first - second) > limits[1]:
        return None
    appraisals = [registry.appraise(force) for force in forces_of(empty, owned, split)]
    fits = all(each.points is None or each.points <= limits[0] for each in appraisals)  # with a general that was chosen
    return split if fits and all(each.legal for each in appraisals) else None


def forces_of(empty: AnyDocument, owned: Owned, halves: Split) -> tuple[AnyDocument, AnyDocument]:
    """Both forces of a split as rosters."""
    return _force(empty, owned, halves.a), _force(empty, owned, halves.b)


def _force(empty: AnyDocument, owned: Owned, counts: Sequence[int]) -> AnyDocument:
    """A roster of some of the owned models, in one formation."""
    elements = (
        edits.copy_element(element).replace(quantity=number)
        for (element, _owned), number in zip(owned, counts, strict=True)
        if number
    )
    formation = Formation[Any](id=new_id(), name=empty.name, elements=tuple(elements))
    return _with_choices(empty.replace(formations=(formation,)))


def _with_choices(document: AnyDocument) -> AnyDocument:
    """A roster with the models that a rule lets it choose, such as a general: the best, as the rules check proposes."""
    system = SYSTEMS[document.system]
    for rule in system.force_rules:
        number = sum(rule.weigh(element) * element.quantity for element in document.elements)
        if rule.by_choice and rule.minimum is not None and number < rule.minimum:
            changes = (fix.change for fix in system.fixes.FIXES[rule.finding](document, document))
            choose = next((change for change in changes if callable(change)), None)
            document = choose(document) if choose else document
    return document


def match(pairs: Sequence[tuple[AnyDocument, AnyDocument]], settings: Settings) -> Study:
    """The pairs of forces that are nearest to an even fight."""
    return _successive_halving(pairs, settings, lambda tally: abs(tally.score - 1 / 2))
