"""URUTSK minis at the table: Fate to cross off, figures and commanders lost, the tables that a force needs.

PURE. Rulebook: Old URUTSK minis combat rules, Kyrinn S. Eis.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rosters.core.documents import Document, Formation
from rosters.core.messages import join_names
from rosters.core.play import MAX_BOXES, Alert, Match, Panel, Side, Track, count_track, missing_points
from rosters.systems.urutsk import tables
from rosters.systems.urutsk.rules import WORDS, Element, FigureTerms, Options

Force = Document[Element, Options]

SHOCK_TEXT = "The text as we have it does not say when to roll: agree which hits call for it."
SECRET = "something-secret"
"""The finding of a copy on which something is left out."""
ORDER_TEXT = "The rules fix no order; this one is a proposal."

# ---------------------------------------------------------------- marks


def tracks(element: Element, terms: FigureTerms) -> tuple[Track, ...]:
    """One box a point of Fate, none below 1; with all of it lost, the figure is injured or worse."""
    label = f"Fate {element.fate}" if element.fate > MAX_BOXES else "Fate"
    return (count_track("fate", label, element.fate, element.fate if element.fate > 0 else None),)


def alerts(document: Force, terms: FigureTerms) -> Iterator[Alert]:
    """Figures at the end of their Fate, in document order; detachments and forces with nobody to command."""
    headless = _headless(document.formations)
    for f, formation in enumerate(document.formations):
        for e, element in enumerate(formation.elements):
            yield from (Alert(f"formations/{f}/elements/{e}", text) for text in _figure_alerts(element))
        if _headless([formation]) and not headless:
            yield Alert(f"formations/{f}", _uncommanded(formation))
    if headless:
        yield Alert("", "No command-capable figure has Fate left: at the next check all are out of command.")


def _figure_alerts(element: Element) -> Iterator[str]:
    for model, mark in zip(range(element.quantity), element.marks, strict=False):
        who = _called(element, model)
        if mark.fate > max(element.fate, 0):
            yield f"{who} is incapacitated: roll a D6, on 1 to 2 dead, 3 to 5 immobile, 6 unconscious for D6 minutes."
        elif mark.fate and mark.fate == element.fate:
            yield (
                f"{who} has lost all its Fate: injured by as many hits as it had, it acts again on the second round "
                "after, with 1 Fate less than before them; else the next hit incapacitates it."
            )


def _called(element: Element, model: int) -> str:
    """A model in a sentence: its name, and its number among several."""
    name = element.name.strip() or f"Unnamed {WORDS.element.lower()}"
    return f"{name} {model + 1}" if element.quantity > 1 else name


def _headless(formations: Iterable[Formation[Element]]) -> bool:
    """Whether there were command-capable figures and none of them has Fate left."""
    commanders = [element for formation in formations for element in formation.elements if element.command]
    present = sum(element.quantity for element in commanders)
    return present > 0 and present == sum(_lost(element) for element in commanders)


def _lost(element: Element) -> int:
    """How many models have lost all their Fate, as far as marks can tell."""
    marks = zip(range(element.quantity), element.marks, strict=False)
    return sum(mark.fate > 0 and mark.fate >= element.fate for _, mark in marks)


def _uncommanded(formation: Formation[Element]) -> str:
    name = formation.name.strip() or f"Unnamed {WORDS.formation.lower()}"
    return f"{name} has no commander with Fate left: at the next check, look for one of another within 10 yards."


# ---------------------------------------------------------------- panels


def panels(document: Force, terms: FigureTerms) -> Iterator[Panel]:
    """Scale and round, then shooting, melee, charges, what hits do, command, and what the force's weapons do."""
    present = [element for element in _elements(document) if element.quantity]
    fires: set[str] = {element.fire for element in present}
    yield Panel("Scale and time", tables.SCALE)
    yield Panel("The round", tables.ROUND, text=ORDER_TEXT)
    penalties = tuple((name, str(number)) for name, number in tables.RANGES.items())
    yield Panel("Range penalty", penalties, ("Range", "Off the die"))
    yield Panel("Ranged fire", tables.RANGED)
    yield Panel("Group fire", tables.GROUP)
    yield Panel("A clean miss, D6", tables.CLEAN_MISS)
    yield Panel("Melee", tables.MELEE)
    yield Panel("Mass charge", tables.CHARGE, text="Ranges are those of the receivers' weapons.")
    yield Panel("Command", tables.COMMAND)
    yield Panel("Hits against Fate", tables.FATE)
    yield Panel("Incapacitated, D6", tables.INCAPACITATED)
    yield Panel("Shock, D6", tables.SHOCK, text=SHOCK_TEXT)
    poor = any(element.poor_condition and element.fire == "autofire" for element in present)
    yield from _weapon_panels(fires, poor)


def _elements(document: Force) -> Iterator[Element]:
    return (element for formation in document.formations for element in formation.elements)


def _weapon_panels(fires: set[str], poor: bool) -> Iterator[Panel]:
    """How the weapons of the force differ from each other, where it has any; bursts only if there are some."""
    rows = [(name, f"{least} or more") for fire, (name, least) in tables.ROLLS_AGAIN.items() if fire in fires]
    rows += [tables.AUTOFIRE_GROUP] if "autofire" in fires else []
    rows += [tables.POOR] if poor else []
    if rows:
        yield Panel("Weapons in use: modified results that roll again", tuple(rows))
    if "burst" in fires:
        yield Panel("Bursts", tables.BURST)


# ---------------------------------------------------------------- briefing


def briefing(sides: Sequence[Side]) -> Iterator[Panel]:
    """Forces by their figures, what the rules leave open, and the numbers that command and charges ask for."""
    heads = ("Force", WORDS.elements, WORDS.formations, "Command-capable")
    yield Panel("Forces", tuple(_force(side) for side in sides), heads, " ".join(match(sides).sentences))
    yield Panel("Agree beforehand", tables.TO_AGREE)
    odds = tuple(_odds(sides))
    if odds:
        yield Panel("Charging three to one", odds, text="So many chargers make the receivers drop their 2s as well.")
    yield Panel("Victory", (("Aim", "The rules name none: agree on one, and on when to stop."),))


def _force(side: Side) -> tuple[str, ...]:
    commanders = sum(element.quantity for element in _elements(side.document) if element.command)
    return (
        _name(side),
        str(side.appraisal.quantity),
        str(len(side.appraisal.formations)),
        str(commanders) if commanders else "none: all are out of command at the first check",
    )


def _name(side: Side) -> str:
    return side.document.name.strip() or "Unnamed force"


def match(sides: Sequence[Side]) -> Match:
    """Whether the forces have the same number of figures; the rules have no points to match."""
    none = "The rules have no points and no balance of their own: compare figures and scores."
    if len(sides) < 2:
        return Match(None, (none,))
    if any(finding.code == SECRET for side in sides for finding in side.appraisal.findings):
        return Match(None, (none, "Not all figures are shown here."))
    rows = [(_name(side), side.appraisal.quantity) for side in sides]
    counts = [count for _, count in rows]
    gap = max(counts) - min(counts)
    if not gap:
        return Match(True, (none, f"All forces have {_figures(counts[0])}."))
    most = [name for name, count in rows if count == max(counts)]
    said = f"{join_names(most)} {'has' if len(most) == 1 else 'have'} {gap} more than the smallest force."
    return Match(False, (none, said), tuple(missing_points(rows, 0, WORDS.count_elements)))


def _figures(number: int) -> str:
    return f"{number} {WORDS.element if number == 1 else WORDS.elements}".lower()


def _odds(sides: Sequence[Side]) -> Iterator[tuple[str, str]]:
    """How many chargers a whole force must face for odds of three to one, and who can bring them."""
    for index, side in enumerate(sides):
        needed = tables.OVERWHELMING * side.appraisal.quantity
        others = [other for number, other in enumerate(sides) if number != index]
        able = [_name(other) for other in others if other.appraisal.quantity >= needed > 0]
        if needed and others:
            who = f"{join_names(able)} can" if able else "nobody has so many"
            yield f"All of {_name(side)}", f"{needed} chargers: {who}"
