"""6MM at the table: strength to cross off, routs and army morale to announce, the tables that an army needs.

PURE. Rulebook: 6MM, Gary Mitchell and the Southbourne Tabletop and Boardgamers (STaB).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

from rosters.core.amounts import Amount, format_exact
from rosters.core.documents import Document
from rosters.core.messages import join_names
from rosters.core.play import Alert, Match, Panel, Side, Track, count_track, missing_points
from rosters.systems.six_mm import tables
from rosters.systems.six_mm.rules import (
    GUNNED,
    LONG_GUNS,
    MODERN,
    SET,
    SOFT,
    WORDS,
    ArmyTerms,
    Element,
    Options,
    Stats,
    element_facts,
    headcount,
    roster_facts,
)
from rosters.systems.six_mm.tables import FOOT, GUNS, PANEL, TYPES, Case

Army = Document[Element, Options]

MOST_NAMES = 6
"""Names that one row of a briefing lists."""
FAIR_GAP = 1
"""Points by which matched armies may differ (2.2)."""
OTHERS_ROWS = "These tables leave out cases for stands that this army lacks; the opponent's panel has the others."
EACH_THRESHOLD = "Roll a D6 once for each threshold crossed, less 1 for each general lost; stands off the board count."

# ---------------------------------------------------------------- marks


def tracks(element: Element, terms: ArmyTerms) -> tuple[Track, ...]:
    """One box a strength point (4..15); it breaks when so many are lost that the stand routs (7.2)."""
    facts = element_facts(element, terms)
    if not facts:
        return ()
    strength: int = facts["strength"]
    return (count_track("strength", "Strength", strength, strength - facts["routs_at"]),)


def alerts(document: Army, terms: ArmyTerms) -> Iterator[Alert]:
    """Stands that rout or are gone, in document order; then the army: its morale, its last general."""
    for f, formation in enumerate(document.formations):
        for e, element in enumerate(formation.elements):
            where = f"formations/{f}/elements/{e}"
            yield from (Alert(where, text) for text in _stand_alerts(element, terms))
    yield from (Alert("", text) for text in _army_alerts(document, terms))


def _left(element: Element, terms: ArmyTerms) -> Iterator[tuple[int, int]]:
    """Model and strength left, for each model with marks; nothing for what has no strength."""
    facts = element_facts(element, terms)
    for model, mark in zip(range(element.quantity), element.marks, strict=False):
        if facts and mark.strength:
            yield model, facts["strength"] - mark.strength


def _stand_alerts(element: Element, terms: ArmyTerms) -> Iterator[str]:
    facts = element_facts(element, terms)
    for model, left in _left(element, terms):
        who = _called(element, model)
        if left <= 0 and element.general:
            yield f"{who}, a general, is eliminated: take 1 off every army-morale die from now on."
        elif left <= 0:
            yield f"{who} is eliminated: take the stand off the board."
        elif left <= facts["routs_at"]:
            yield (
                f"{who} has {left} of {facts['strength']} strength left, below half: "
                "it flees one standard move a turn until a 5 or 6 on a D6 rallies it."
            )


def _called(element: Element, model: int) -> str:
    """A model in a sentence: its name, and its number among several."""
    return f"{_title(element)} {model + 1}" if element.quantity > 1 else _title(element)


def _title(element: Element) -> str:
    return element.name.strip() or f"Unnamed {WORDS.element.lower()}"


def _elements(document: Army) -> Iterator[Element]:
    return (element for formation in document.formations for element in formation.elements)


def _gone(element: Element, terms: ArmyTerms) -> int:
    """How many models have no strength left."""
    return sum(left <= 0 for _, left in _left(element, terms))


def _army_alerts(document: Army, terms: ArmyTerms) -> Iterator[str]:
    stands = sum(headcount(element) for element in _elements(document))
    lost = sum(_gone(element, terms) for element in _elements(document))
    generals = [element for element in _elements(document) if element.general and headcount(element)]
    killed = sum(_gone(element, terms) for element in generals)
    reached = [row for row in roster_facts(document, terms)["army_morale"] if row[1] <= lost]
    if reached:
        percent, _, die = reached[-1]
        yield _morale(f"{lost} of {stands} stands lost, {percent} % or more:", die, killed)
    if killed and killed == sum(headcount(element) for element in generals):
        yield "No general is left to trace a line of command to: the rules say no more, so agree how stands move."


def _morale(lost: str, die: int, killed: int) -> str:
    """What an army does that has just crossed a threshold (7.1); ``killed``: its generals lost."""
    if die >= 6:
        return f"{lost} the army retreats from the board."
    less = f" less {killed} for the generals lost" if killed else ""
    on = "1" if die == 1 and not killed else f"{die} or less"
    return f"{lost} roll a D6{less}, once for crossing the threshold; the army retreats on {on}."


# ---------------------------------------------------------------- what an army uses


def _states(element: Element) -> Iterator[Stats]:
    """The stand and its other states, as far as there are any of them."""
    if element.quantity:
        yield element
        yield from (state for state in element.duplicates if state.quantity)


def _uses(document: Army) -> set[str]:
    """Words for what an army has, as ``tables.CONCERNS`` names it."""
    return {word for element in _elements(document) for word in _words(element)}


def _words(element: Element) -> Iterator[str]:
    if element.quantity and element.type in _PURCHASES:
        yield _PURCHASES[element.type]
    elif element.type in TYPES:
        for stats in _states(element):
            yield from _stats_words(stats) if stats.type in TYPES else ()
        agreed = any(stats.agreed for stats in _states(element))
        flags = {"general": element.general, "agreed": agreed, "states": element.duplicates}
        yield from (word for word, value in flags.items() if value and element.quantity)


_PURCHASES = {"WORKS": "works", "TRANSPORT": "transport"}


def _stats_words(stats: Stats) -> Iterator[str]:
    yield stats.type
    found = {
        "SKI": stats.type.startswith("SKI"),
        "foot": stats.type in FOOT,
        "mounted": stats.type in ("CAV/A", "CAV/U", "SKI/M"),
        "elephant": stats.type == "PKE" and stats.elephant,
        "guided": stats.type in MODERN and stats.guided,
        "SKI/F after 1906": stats.type == "SKI/F" and stats.post_1906,
        f"TNK {stats.armour or 'light'}": stats.type == "TNK",
        "off-board": stats.type == "ART" and stats.off_board and stats.gun in LONG_GUNS,
        "off-board 80-130": stats.type == "ART" and stats.off_board and stats.gun == LONG_GUNS[0],
    }
    yield from (word for word, present in found.items() if present)
    if _armed(stats):
        yield from (str(stats.gun), f"{stats.type} gun")
    if stats.type == "AIR" and stats.ordnance:
        yield from _air_words(stats.ordnance)


def _armed(stats: Stats) -> bool:
    """Whether the stand has a gun that its type allows."""
    return stats.gun is not None and stats.type in GUNNED and (stats.type, stats.gun) != ("TNK", "torsion")


def _air_words(ordnance: str) -> Iterator[str]:
    yield ordnance
    kinds = {"strafes": tables.STRAFES, "bombs": tables.BOMBS, "rockets": tables.ROCKETS}
    yield from (word for word, names in kinds.items() if ordnance in names)


# ---------------------------------------------------------------- panels


def panels(document: Army, terms: ArmyTerms) -> Iterator[Panel]:
    """The round, then command, moves, shooting, close combat, morale, single kinds of stand, terrain."""
    uses = _uses(document)
    terrain, plus, less, fight_plus, fight_less = (_filtered(title, uses) for title in PANEL)
    yield Panel("The round (3.3)", tables.ROUND)
    yield Panel("Command distance (4.1)", tables.COMMAND)
    yield from _stands_panel(document)
    yield Panel("Moving (4.3)", tables.MOVING)
    yield Panel("Charging (4.4)", tables.CHARGES)
    yield Panel("Shooting (5)", tables.SHOOTING, text=OTHERS_ROWS)
    yield from (plus, less)
    yield Panel("Close combat (6)", tables.CONTACT)
    yield from (fight_plus, fight_less)
    yield Panel("Hits of a close combat (6.5)", tables.OUTCOME)
    yield Panel("Routs and rallying (7.2, 7.3)", tables.ROUT)
    yield _morale_panel(document, terms)
    yield from _own_panels(uses)
    yield terrain
    yield Panel("Sight (8.6)", tables.SIGHT)


def _filtered(title: str, uses: set[str]) -> Panel:
    """A panel of the tables, without the cases that this army can neither cause nor suffer."""
    rows = tuple(row for row in PANEL[title] if _matters(row[0], uses))
    return Panel(title, rows)


def _matters(case: str, uses: set[str]) -> bool:
    return case not in tables.CONCERNS or not uses.isdisjoint(tables.CONCERNS[case])


def _stands_panel(document: Army) -> Iterator[Panel]:
    """Moves and ranges of the stands in use, in squares (tables 4 and 6)."""
    known = (stats for element in _elements(document) for stats in _states(element) if stats.type in TYPES)
    rows = dict.fromkeys((_kind(stats), move(stats), weapon_range(stats) or "-") for stats in known)
    if rows:
        yield Panel("Moves and ranges, in squares (tables 4 and 6)", (*rows,), ("Stand", "Move", "Range"))


def _kind(stats: Stats) -> str:
    """A stand by what its move and range depend on."""
    parts = [
        f"TNK {stats.armour or 'light'}" if stats.type == "TNK" else stats.type,
        GUNS[stats.gun].name if stats.gun and _armed(stats) else "",
        "horse artillery" if stats.type == "ART" and stats.horse else "",
        "off the board" if stats.type == "ART" and stats.off_board else "",
        _transport(stats),
        "guided" if stats.type in MODERN and stats.guided else "",
        tables.ORDNANCE[stats.ordnance].name if stats.type == "AIR" and stats.ordnance else "",
    ]
    return ", ".join(part for part in parts if part)


def _transport(stats: Stats) -> str:
    if stats.type == "ART" and stats.transport in ("animal", "none"):
        return "animal-drawn" if stats.transport == "animal" else "by hand"
    return "motor transport" if stats.type in SOFT and stats.transport == "soft" else ""


def _morale_panel(document: Army, terms: ArmyTerms) -> Panel:
    """Army morale (7.1), with the stands of this army where it has any."""
    rows: Sequence[Sequence[int]] = roster_facts(document, terms)["army_morale"]
    if rows:
        filled = tuple((f"{percent} %", str(lost), _retreats(die)) for percent, lost, die in rows)
        return Panel("Army morale (7.1)", filled, ("Loss", "Stands", "Retreats on"), EACH_THRESHOLD)
    bare = tuple((f"{10 * die} %", _retreats(die)) for die in range(1, 7))
    return Panel("Army morale (7.1)", bare, ("Loss", "Retreats on"), EACH_THRESHOLD)


def _retreats(die: int) -> str:
    """The scores that make an army retreat, from 1 to ``die``."""
    return "always" if die >= 6 else "1" if die == 1 else f"1 to {die}"


def _own_panels(uses: set[str]) -> Iterator[Panel]:
    """What only some kinds of stand have, for those in use."""
    kinds = tuple((f"{code} {kind.name}", kind.text) for code, kind in TYPES.items() if code in uses)
    if kinds:
        yield Panel("Types in use (table 1)", kinds)
    rows = tuple((title, text) for needs, title, text in tables.SPECIALS if not uses.isdisjoint(needs))
    if rows:
        yield Panel("Special rules in use", rows)


# ---------------------------------------------------------------- briefing


def briefing(sides: Sequence[Side]) -> Iterator[Panel]:
    """Forces and whether they match; setting up; what to agree; when each army retreats; the end."""
    heads = ("Army", "Points", "Stands", "Set up as", "Initiative")
    yield Panel("Forces", tuple(_force(side) for side in sides), heads, " ".join(match(sides).sentences))
    yield Panel("Setting up (3.1, 3.2)", tables.SETTING_UP, text="The rules have no scenarios: agree on the ground.")
    agreed = tuple(_to_agree(sides))
    if agreed:
        yield Panel("Agree beforehand", agreed)
    yield _retreat_panel(sides)
    yield Panel("The end (3.4)", tuple(_victory(sides)), text="There is no limit of turns.")


def _name(side: Side) -> str:
    return side.document.name.strip() or "Unnamed army"


def _force(side: Side) -> tuple[str, ...]:
    stands = side.appraisal.quantity
    return (_name(side), _points(side), str(stands), _sets(stands), _initiative(side.document))


def _points(side: Side) -> str:
    """The army's points as the rulebook counts them, and the exact sum where it had a half."""
    points, whole = side.appraisal.points, side.appraisal.exact
    if points is None:
        return "not shown"
    return (
        format_exact(points)
        if whole in (None, points)
        else f"{format_exact(points)} ({_decimals(whole)} before rounding)"
    )


def _decimals(amount: Amount | None) -> str:
    """An amount as exact text, or cut to two decimals where none ends."""
    text = format_exact(amount or 0)
    return text if "/" not in text else f"about {format_exact(Fraction(round(100 * (amount or 0)), 100))}"


def _sets(stands: int) -> str:
    """How many times three stands are placed."""
    threes, rest = divmod(stands, SET)
    parts = [f"{threes} × {SET}" if threes else "", str(rest) if rest else ""]
    return " + ".join(part for part in parts if part) or "nothing"


def _initiative(document: Army) -> str:
    """What the general adds to the die; of several, what each would."""
    ratings = dict.fromkeys(str(element.general) for element in _elements(document) if element.general)
    present = [rating for rating in ratings if any(_leads(element, rating) for element in _elements(document))]
    return ", ".join(f"{rating} {tables.INITIATIVE[rating]}" for rating in present) or "no general"


def _leads(element: Element, rating: str) -> bool:
    return element.general == rating and headcount(element) > 0


def match(sides: Sequence[Side]) -> Match:
    """Whether the armies are matched: at most 1 point between the highest and the lowest (2.2)."""
    known = [(_name(side), side.appraisal.points) for side in sides if side.appraisal.points is not None]
    rule = "Matched armies differ by 1 point at most."
    if len(sides) < 2 or len(known) < len(sides):
        return Match(None, (rule, "Not all points are shown here.") if sides[1:] else (rule,))
    found = [points for _, points in known]
    gap = max(found) - min(found)
    verdict = "matched" if gap <= FAIR_GAP else "not matched"
    said = f"The armies are {verdict}: {format_exact(gap)} point{'' if gap == 1 else 's'} apart, of {FAIR_GAP} at most."
    return Match(gap <= FAIR_GAP, (said, *_beyond_two(sides)), tuple(missing_points(known, FAIR_GAP)))


def _beyond_two(sides: Sequence[Side]) -> Iterator[str]:
    if len(sides) > 2:
        yield "The rules are written for two armies: join these in two camps."


def _to_agree(sides: Sequence[Side]) -> Iterator[tuple[str, str]]:
    """What to settle before the battle, and for which stands."""
    elements = [element for side in sides for element in _elements(side.document)]
    for case in tables.TO_AGREE:
        names = [*dict.fromkeys(_named(element, case) for element in elements if _meets(element, case))]
        if names:
            yield case[1], f"{case[2]}: {_listed(names)}."


def _meets(element: Element, case: Case) -> bool:
    return not {*_words(element)}.isdisjoint(case[0])


def _named(element: Element, case: Case) -> str:
    """An element in a list of names; where peculiarities are agreed, with its own."""
    agreed = f" ({element.agreed:+})" if element.agreed and "agreed" in case[0] else ""
    return _title(element) + agreed


def _listed(names: Sequence[str]) -> str:
    if len(names) <= MOST_NAMES:
        return join_names(names)
    return join_names([*names[:MOST_NAMES], f"{len(names) - MOST_NAMES} more"])


def _retreat_panel(sides: Sequence[Side]) -> Panel:
    """Stands lost at which each army rolls for retreat (7.1); "-" for an army without stands."""
    columns = [{row[2]: str(row[1]) for row in _thresholds(side)} for side in sides]
    rows = ((f"{10 * die} %", _retreats(die), *(column.get(die, "-") for column in columns)) for die in range(1, 7))
    heads = ("Loss", "Retreats on", *(_name(side) for side in sides))
    return Panel("Army morale (7.1): stands lost", tuple(rows), heads, EACH_THRESHOLD)


def _thresholds(side: Side) -> Iterable[Sequence[int]]:
    facts: Mapping[str, Sequence[Sequence[int]]] = side.appraisal.facts
    return facts.get("army_morale", ())


def _victory(sides: Sequence[Side]) -> Iterator[tuple[str, str]]:
    yield "The battle ends", "when a side leaves the field or concedes; both may retreat at once."
    for side in sides:
        certain = next((row[1] for row in _thresholds(side) if row[2] == 6), None)
        if certain is not None:
            stands = side.appraisal.quantity
            yield f"{_name(side)}: retreats", f"without a die once {certain} of its {stands} stands are lost."


# ---------------------------------------------------------------- moves and ranges


def weapon_range(stats: Stats) -> str:
    """How far a stand shoots, in squares; the alternatives where its profile does not say; "" for no shooting."""
    if stats.type in ("ART", "TNK"):
        return _gun_range(stats)
    if stats.type == "AIR" and stats.ordnance in (None, "unarmed"):
        return ""
    guided = ", guided AT 4, AA 2" if stats.guided and stats.type in ("SKI/F", "SKI/S") else ""
    return tables.RANGES.get(stats.type, "") + guided


def _gun_range(stats: Stats) -> str:
    if stats.gun is None or (stats.gun == "torsion" and stats.type == "TNK"):
        return ""
    squares = tables.GUNS[stats.gun].range
    if stats.type == "TNK":
        return str(squares + tables.TANK_RANGE)
    on_board = squares + tables.HORSE_RANGE if stats.horse else squares
    return f"{on_board}, from off the board 10 onto it" if stats.off_board else str(on_board)


def move(stats: Stats) -> str:
    """How far a stand moves, in squares; the alternatives where its profile does not say."""
    if stats.type == "ART":
        return _artillery_move(stats)
    if stats.type == "AIR":
        return _air_move(stats)
    carried = ", carried 4" if stats.transport == "soft" and stats.type in tables.FOOT else ""
    return (tables.MOVES.get(stats.type, "2") if stats.type in tables.TYPES else "") + carried


def _artillery_move(stats: Stats) -> str:
    animal = "3" if stats.horse else "2"
    choices = {"soft": "4", "animal": animal, "none": "1"}
    if stats.transport is None:
        return animal if stats.horse else "motor 4, animals 2, by hand 1"
    return choices[stats.transport]


def _air_move(stats: Stats) -> str:
    if stats.ordnance == "attack-helicopter":
        return "2 to 10"
    fixed_wing = stats.ordnance not in (None, "unarmed")
    return "8 to 24" if fixed_wing else "rotary 2 to 10, fixed wing 8 to 24"


def open_ranges(stats: Stats) -> int:
    """How many parts of `weapon_range`, from the first, are alternatives that the player chooses from."""
    return 2 if stats.type in ("ARC", "MSK", "SKI/F") else 0


def open_moves(stats: Stats) -> int:
    """How many parts of `move`, from the first, are alternatives that the player chooses from."""
    unset_team = stats.type == "ART" and stats.transport is None and not stats.horse
    unset_wing = stats.type == "AIR" and stats.ordnance in (None, "unarmed")
    return 3 if stats.type == "TNK" or unset_team else 2 if unset_wing else 0
