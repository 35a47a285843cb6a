"""Playing 6MM: strength tracks, routs and army morale to announce, the tables that an army needs, ranges and moves.

Rulebook: 6MM, Gary Mitchell and the Southbourne Tabletop and Boardgamers (STaB).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from rosters.core import play
from rosters.core.amounts import format_amount
from rosters.core.appraisals import RosterState
from rosters.core.documents import Document
from rosters.core.findings import path_to
from rosters.core.messages import _, join, join_names, ngettext
from rosters.systems.six_mm import tables
from rosters.systems.six_mm.dice import has_rifles
from rosters.systems.six_mm.rules import (
    GUNNED,
    LONG_GUNS,
    MODERN,
    SET,
    SOFT,
    ArmyTerms,
    Element,
    Options,
    Stats,
    element_facts,
    features,
    headcount,
    roster_facts,
    signed,
    strength,
    type_name,
)
from rosters.systems.six_mm.tables import (
    ARMOUR,
    FOOT,
    GENERALS,
    GUNS,
    MOVES,
    ORDNANCE,
    QUALITY,
    TRANSPORT,
    TYPES,
    Case,
    Reach,
)

Army = Document[Element, Options]

MAX_NAMES = 6
"""The most names in a row of a briefing."""
MAX_GAP = 1
"""Points by which even armies may differ (2.2)."""
EACH_THRESHOLD = _("Roll a D6 once for each threshold crossed, −1 for each general lost. Stands off the board count.")
MORALE, MORALE_BY_ARMY = _("Army morale (7.1)"), _("Army morale (7.1): stands lost")
"""The titles of the panels whose numbers the record of an army has."""

SCALES = ()

# ---------------------------------------------------------------- the stand in play


def stat_line(element: Element, terms: ArmyTerms) -> play.StatLine:
    """Strength, the strength at which it routs, move and range in squares; the type and the rest in words."""
    facts = element_facts(element, terms)
    if not facts:
        return play.StatLine(())
    stats = (
        play.Stat(_("Strength"), str(facts["strength"])),
        play.Stat(_("Routs at"), str(facts["routs_at"])),
        play.Stat(_("Move"), move(element).text or "–", _("Move, in squares")),
        play.Stat(_("Range"), weapon_range(element).text or "–", _("Range, in squares")),
    )
    quality = QUALITY[element.quality].name if element.quality in QUALITY else element.quality
    kind = element.type_name if element.name.strip() else ""  # without a name it is the heading
    parts = (kind, quality if element.quality != "average" else "", *features(element))
    return play.StatLine(stats, join(filter(None, parts)))


def gauges(document: Army, terms: ArmyTerms) -> Iterator[play.Gauge]:
    """Army morale (7.1): the stands lost, and the losses at which the army tests."""
    stands = sum(map(headcount, document.elements))
    rows: Sequence[Sequence[int]] = roster_facts(document, terms)["army_morale"]
    if rows:
        steps = {lost: retreat_scores(die) for _percent, lost, die in rows}  # the worst of several shares of few stands
        lost = _eliminated(document.elements, terms)
        ahead = (_("more until the next morale roll"), _("more until the army retreats"))
        yield play.Gauge("", _("Army morale"), lost, stands, _("Roll a D6: retreats on"), tuple(steps.items()), ahead)


def figures(document: Army, terms: ArmyTerms) -> Iterator[play.KeyFigure]:
    """Strength, arms, quality, and the stands whose loss brings the first test of the army's morale (7.1)."""
    stands = [element for element in document.elements if element.type in TYPES]
    yield play.KeyFigure(_("Strength"), play.sum_of(stands, strength))
    for label, kinds in tables.ARMS:
        yield play.models_of(label, [stand for stand in stands if stand.type in kinds])
    yield play.models_of(_("Shooting"), [stand for stand in stands if weapon_range(stand).parts])
    yield play.models_of(_("Good or elite"), [stand for stand in stands if stand.quality in ("good", "elite")])
    rows: Sequence[Sequence[int]] = roster_facts(document, terms)["army_morale"]
    yield play.KeyFigure(_("First morale test at"), rows[0][1] if rows else 0)


# ---------------------------------------------------------------- damage


def tracks(element: Element, terms: ArmyTerms) -> tuple[play.Track, ...]:
    """One box for each strength point (4..15); the bar is where the stand routs (7.2), until it rallies (7.3)."""
    facts = element_facts(element, terms)
    if not facts:
        return ()
    strength: int = facts["strength"]
    track = play.count_track("strength", _("Strength"), strength, strength - facts["routs_at"], fatal=True)
    rallied = play.Track("rallied", _("rallied"), ("",), "flag", aside=True)
    return track._replace(broken=_("routs"), clears=rallied.key), rallied


def alerts(document: Army, terms: ArmyTerms) -> Iterator[play.Alert]:
    """Stands that rout or are eliminated, in document order; then the army's morale and its last general."""
    for f, formation in enumerate(document.formations):
        for e, element in enumerate(formation.elements):
            if element.marks:
                yield from _stand_alerts(element, path_to(f, e), terms)
    yield from _army_alerts(document, terms)


def _remaining(element: Element, terms: ArmyTerms) -> Iterator[tuple[int, int]]:
    """Model and remaining strength, for each damaged model of an element that has strength."""
    facts = element_facts(element, terms)
    for model, mark in zip(range(element.quantity), element.marks, strict=False):
        if facts and mark.strength:
            yield model, facts["strength"] - mark.strength


def _stand_alerts(element: Element, where: str, terms: ArmyTerms) -> Iterator[play.Alert]:
    facts = element_facts(element, terms)
    for model, left in _remaining(element, terms):
        stand = join((element.display_name, str(model + 1)), " ") if element.quantity > 1 else element.display_name
        if left <= 0 and element.general:
            text = _("{stand}, a general, is eliminated: deduct 1 from all later army-morale dice.")
            yield play.Alert(where, text.format(stand=stand))
        elif left <= 0:
            yield play.Alert(where, _("{stand} is eliminated: take it off the board.").format(stand=stand), "event")
        elif left <= facts["routs_at"] and element.marks[model].rallied:
            text = _("{stand} has rallied with {left} of {strength} strength left. Any later hit routs it again.")
            yield play.Alert(where, text.format(stand=stand, left=left, strength=facts["strength"]))
        elif left <= facts["routs_at"]:
            text = _(
                "{stand} has {left} of {strength} strength left, below half: "
                "it flees one standard move a turn until a 5 or 6 on a D6 rallies it."
            )
            yield play.Alert(where, text.format(stand=stand, left=left, strength=facts["strength"]))


def _eliminated(elements: Iterable[Element], terms: ArmyTerms) -> int:
    damaged = (element for element in elements if element.marks)
    return sum(left <= 0 for element in damaged for _model, left in _remaining(element, terms))


def _army_alerts(document: Army, terms: ArmyTerms) -> Iterator[play.Alert]:
    lost = _eliminated(document.elements, terms)
    if not lost:
        return
    generals = [element for element in document.elements if element.general and headcount(element)]
    killed = _eliminated(generals, terms)
    reached = [row for row in roster_facts(document, terms)["army_morale"] if row[1] <= lost]
    if reached:
        percent, _stands, die = reached[-1]
        text = _morale(die, killed).format(
            lost=lost, stands=sum(map(headcount, document.elements)), percent=percent, die=die, generals=killed
        )
        yield play.Alert("", text) if die >= 6 else play.Alert("", text, "roll", str(percent))
    if killed and killed == sum(map(headcount, generals)):
        text = _("No general is left for a line of command. The rules do not say how stands move then: agree on it.")
        yield play.Alert("", text)


def _morale(die: int, generals: int) -> str:
    """The sentence for an army that has just crossed a threshold (7.1) with so many generals lost."""
    if die >= 6:
        return _("Stands lost: {lost} of {stands}, {percent}\xa0% or more. The army retreats from the board.")
    if generals:
        return _(
            "Stands lost: {lost} of {stands}, {percent}\xa0% or more. Roll a D6 − {generals} (generals lost), once for "
            "crossing the threshold. The army retreats on {die} or less."
        )
    return _(
        "Stands lost: {lost} of {stands}, {percent}\xa0% or more. Roll a D6, once for crossing the threshold. "
        "The army retreats on {die} or less."
    )


# ---------------------------------------------------------------- what an army uses


def _forms(element: Element) -> Iterator[Stats]:
    """The stand and its alternates of known types, without those of quantity 0."""
    if element.quantity and element.type in TYPES:
        yield element
        yield from (stats for stats in element.duplicates if stats.quantity and stats.type in TYPES)


def _uses(element: Element) -> Iterator[str]:
    """What an element is and has, as the cases in ``tables`` name it."""
    if not headcount(element):
        yield from (element.type,) if element.quantity else ()
        return
    forms = [*_forms(element)]
    for stats in forms:
        yield from _stats_uses(stats)
    flags = {
        "general": element.general,
        "traits": any(stats.agreed for stats in forms),
        "alternates": element.duplicates,
    }
    yield from (word for word, value in flags.items() if value and forms)


def _stats_uses(stats: Stats) -> Iterator[str]:
    kind, gun, ordnance = stats.type, stats.gun, stats.ordnance if stats.type == "AIR" else None
    off_board = kind == "ART" and stats.off_board and gun in LONG_GUNS
    flags = {
        kind: True,
        "SKI": kind.startswith("SKI"),
        "open arms": kind in ("SKI/F", "MSK") and not has_rifles(stats),
        "off-board": off_board,
        "off-board 80-130": off_board and gun == LONG_GUNS[0],
        "strafes": ordnance in tables.STRAFES,
        "bombs": ordnance in tables.BOMBS,
        "rockets": ordnance in tables.ROCKETS,
    }
    return (word for word, present in flags.items() if present)


def _armed(stats: Stats) -> bool:
    """Whether the stand has a gun that its type allows."""
    return stats.gun is not None and stats.type in GUNNED and (stats.type, stats.gun) != ("TNK", "torsion")


# ---------------------------------------------------------------- panels


def panels(document: Army, terms: ArmyTerms) -> Iterator[play.Panel]:
    """The round, then command, moves, shooting, close combat, morale, single kinds of stand, terrain."""
    uses = {word for element in document.elements for word in _uses(element)}

    def panel(table: tuple[str, tuple[Case, ...]]) -> play.Panel:
        title, cases = table
        return play.Panel(title, tuple(_matching(cases, uses)))

    yield play.Panel(_("The round (3.3)"), tables.ROUND)
    yield play.Panel(_("Command distance (4.1)"), tables.COMMAND)
    yield from _stands_panel(document)
    yield play.Panel(_("Moving (4.3)"), tables.MOVING)
    yield play.Panel(_("Charge (4.4)"), tables.CHARGES)
    yield play.Panel(_("Shooting (5)"), tables.SHOOTING)
    yield play.Panel(*tables.SHOOTING_PLUS)
    yield play.Panel(*tables.SHOOTING_MINUS)
    yield play.Panel(_("Close combat (6)"), tables.CONTACT)
    yield play.Panel(*tables.CONTACT_PLUS)
    yield play.Panel(*tables.CONTACT_MINUS)
    yield play.Panel(_("Hits of a close combat (6.5)"), tables.OUTCOME)
    yield play.Panel(_("Routs and rallying (7.2, 7.3)"), tables.ROUT)
    # The shares alone: the panel of a battle pack is for several armies, and each record has the stands of its own.
    morale = tuple((f"{percent}\xa0%", retreat_scores(die)) for percent, die in tables.MORALE_STEPS)
    yield play.Panel(MORALE, morale, (_("Loss"), _("Retreats on (D6)")), EACH_THRESHOLD)
    kinds = tuple((join((code, kind.name), " "), kind.text) for code, kind in TYPES.items() if code in uses)
    if kinds:
        yield play.Panel(_("Types in use (table 1)"), kinds)
    specials = tuple(_matching(tables.SPECIALS, uses))
    if specials:
        yield play.Panel(_("Special rules in use"), specials)
    yield panel(tables.TERRAIN)
    yield play.Panel(_("Sight (8.6)"), tables.SIGHT)


def special_rules(element: Element) -> Iterator[tuple[str, str]]:
    """The special rules that an element uses, with their effects."""
    return _matching(tables.SPECIALS, {*_uses(element)})


def _matching(cases: Iterable[Case], uses: set[str]) -> Iterator[tuple[str, str]]:
    """The cases that an army with these uses can cause or suffer."""
    return ((case, effect) for needs, case, effect in cases if not needs or not uses.isdisjoint(needs))


def _stands_panel(document: Army) -> Iterator[play.Panel]:
    """Moves and ranges of the stands in use, in squares (tables 4 and 6)."""
    known = (stats for element in document.elements for stats in _forms(element))
    firearms = not before_firearms(document)
    rows = dict.fromkeys(
        (_kind(stats), move(stats).text, weapon_range(stats, firearms=firearms).text or "–") for stats in known
    )
    if rows:
        heads = (_("Stand"), _("Move"), _("Range"))
        yield play.Panel(_("Moves and ranges, in squares (tables 4 and 6)"), (*rows,), heads)


def _kind(stats: Stats) -> str:
    """A stand by what its move and range depend on."""
    art = stats.type == "ART"
    carried = stats.transport and (art or (stats.transport == "soft" and stats.type in SOFT))
    parts = (
        join((type_name(stats.type), f"({stats.type})"), " "),  # the key to the codes of other panels
        ARMOUR[stats.armour or "light"].name if stats.type == "TNK" else "",
        GUNS[stats.gun].name if stats.gun and _armed(stats) else "",
        _("horse artillery") if art and stats.horse else "",
        _("off the board") if art and stats.off_board else "",
        TRANSPORT[stats.transport] if stats.transport and carried else "",
        _("guided weapons") if stats.type in MODERN and stats.guided else "",
        ORDNANCE[stats.ordnance].name if stats.type == "AIR" and stats.ordnance else "",
    )
    return join((part for part in parts if part), " · ")


def retreat_scores(die: int) -> str:
    """The scores on which an army retreats, from 1 to ``die``."""
    return _("always") if die >= 6 else "1" if die == 1 else f"1–{die}"


# ---------------------------------------------------------------- briefing


def briefing(sides: Sequence[RosterState]) -> Iterator[play.Panel]:
    """Armies and whether they match; the end; setting up; what to agree; when each army retreats."""
    heads = (_("Army"), _("Points"), _("Stands"), _("Set up as"), _("Initiative"))
    yield play.Panel(_("Armies"), tuple(_army(side) for side in sides), heads, join(match(sides).sentences, " "))
    yield play.Panel(_("The end (3.4)"), tables.END)
    ground = _("The rules have no scenarios: agree on the terrain.")
    yield play.Panel(_("Setting up (3.1, 3.2)"), tables.SETTING_UP, text=ground)
    agreed = tuple(_to_agree(sides))
    if agreed:
        yield play.Panel(_("Agree beforehand"), agreed)
    columns = [{row[2]: str(row[1]) for row in _thresholds(side)} for side in sides]
    rows = (
        (f"{percent}\xa0%", retreat_scores(die), *(column.get(die, "–") for column in columns))
        for percent, die in tables.MORALE_STEPS
    )
    retreats = (_("Loss"), _("Retreats on (D6)"), *map(_army_name, sides))
    yield play.Panel(MORALE_BY_ARMY, tuple(rows), retreats, EACH_THRESHOLD)


def _army_name(side: RosterState) -> str:
    return side.document.name.strip() or _("Unnamed army")


def _army(side: RosterState) -> tuple[str, ...]:
    """The row of an army: name, points, stands, how many times three of them are placed, initiative."""
    stands = side.appraisal.quantity
    threes, rest = divmod(stands, SET)
    sets = " + ".join([f"{threes} × {SET}"] * (threes > 0) + [str(rest)] * (rest > 0))
    return _army_name(side), _points(side), str(stands), sets or "–", _initiative(side.document)


def _points(side: RosterState) -> str:
    """The army's points: the sum, and what the rulebook counts it as (2.2) if it is rounded."""
    points, exact = side.appraisal.points, side.appraisal.exact
    if points is None:
        return _("not shown")
    if exact in (None, points):
        return format_amount(points)
    return _("{exact}, counts as {points}").format(points=format_amount(points), exact=format_amount(exact))


def _initiative(document: Army) -> str:
    """What the general adds to the die; of several, what each would."""
    ratings = dict.fromkeys(element.general for element in document.elements if headcount(element))
    known = (GENERALS[rating] for rating in ratings if rating)
    return join(join((rating.name, signed(rating.value)), " ") for rating in known) or _("no general")


def match(sides: Sequence[RosterState]) -> play.Match:
    """Whether the armies are even: at most 1 point between the highest and the lowest (2.2)."""
    known = [(_army_name(side), side.appraisal.points) for side in sides if side.appraisal.points is not None]
    if len(sides) < 2 or len(known) < len(sides):
        rule = _("Even armies differ by 1 point at most.")
        return play.Match(None, (rule, _("Not all points are shown here.")) if sides[1:] else (rule,))
    amounts = [points for _army_name, points in known]
    gap = int(max(amounts) - min(amounts))
    if gap <= MAX_GAP:
        verdict = _("Points: even ({n} apart, 1 is allowed).")
    else:
        verdict = _("Points: not even ({n} apart, 1 is allowed).")
    camps = (_("The rules are written for two armies: divide these into two camps."),) if sides[2:] else ()
    return play.Match(gap <= MAX_GAP, (verdict.format(n=gap), *camps), tuple(play.missing_points(known, MAX_GAP)))


def _to_agree(sides: Sequence[RosterState]) -> Iterator[tuple[str, str]]:
    """What to agree before the battle, and for which stands."""
    elements = [
        (element, {*_uses(element)} - ({"open arms"} if before_firearms(side.document) else set()))
        for side in sides
        for element in side.document.elements
    ]
    for needs, title, text in tables.TO_AGREE:
        names = {
            _with_trait(element) if "traits" in needs else element.display_name: None
            for element, uses in elements
            if not uses.isdisjoint(needs)
        }
        if names:
            n = len(names) - MAX_NAMES
            more = [ngettext("{n} more", "{n} more", n).format(n=n)] if n > 0 else []
            yield title, text.format(stands=join_names([*[*names][:MAX_NAMES], *more]))


def _with_trait(element: Element) -> str:
    return join((element.display_name, f"({signed(element.agreed)})"), " ") if element.agreed else element.display_name


def _thresholds(side: RosterState) -> Iterable[Sequence[int]]:
    facts: Mapping[str, Sequence[Sequence[int]]] = side.appraisal.facts
    return facts.get("army_morale", ())


# ---------------------------------------------------------------- ranges and moves


HAND_TO_HAND = ("INF/A", "INF/U", "WBD", "PKE", "ARC")
"""The foot of the ages before firearms."""


def before_firearms(document: Army) -> bool:
    """Whether an army has foot, engines or elephants of the ages before firearms, and no stand of a later one."""
    forms = [stats for element in document.elements for stats in _forms(element)]
    early = any(stats.type in HAND_TO_HAND or stats.elephant or stats.gun == "torsion" for stats in forms)
    late = any(
        stats.type in ("MSK", "SKI/S", "TNK", "AIR")
        or stats.post_1906
        or stats.transport == "soft"
        or (stats.gun or "torsion") != "torsion"
        for stats in forms
    )
    return early and not late


def weapon_range(stats: Stats, *, firearms: bool = True) -> Reach:
    """How far a stand shoots, in squares, with or without ``firearms`` in its army; no parts if it does not."""
    if not firearms and stats.type == "SKI/F":
        return Reach(tables.RANGES["SKI/F"].parts[:1])
    if stats.type in ("ART", "TNK"):
        return _gun_range(stats)
    if stats.type == "AIR":
        return _ordnance_range(stats.ordnance)
    reach = tables.RANGES.get(stats.type, Reach())
    reach = tables.RIFLED if has_rifles(stats) else reach
    guided = tables.GUIDED_RANGES if stats.guided and stats.type in MODERN else ()
    return reach._replace(parts=(*reach.parts, *guided))


def _ordnance_range(ordnance: str | None) -> Reach:
    if ordnance in (None, "unarmed"):
        return Reach()
    guns = tables.RANGES["SKI/S"].parts if ordnance == "attack-helicopter" else ()
    rockets = (tables.ROCKET_RANGE,) if ordnance in tables.ROCKETS else ()
    return Reach((*guns, tables.FLOWN_OVER, *rockets))


def _gun_range(stats: Stats) -> Reach:
    if stats.gun is None or (stats.gun == "torsion" and stats.type == "TNK"):
        return Reach()
    squares = GUNS[stats.gun].range
    if stats.type == "TNK":
        return Reach((str(squares + tables.TANK_RANGE),))
    on_board = str(squares + tables.HORSE_RANGE if stats.horse else squares)
    return Reach((on_board, _("from off the board\xa010")) if stats.off_board else (on_board,))


def move(stats: Stats) -> Reach:
    """How far a stand moves, in squares; no parts for an unknown type."""
    if stats.type not in TYPES:
        return Reach()
    if stats.type == "ART":
        return _artillery_move(stats)
    if stats.type == "AIR":
        if stats.ordnance in (None, "unarmed"):
            return MOVES["unknown wing"]
        return MOVES["rotary" if stats.ordnance == "attack-helicopter" else "fixed wing"]
    reach = MOVES.get(stats.type, Reach(("2",)))
    carried = stats.transport == "soft" and stats.type in FOOT
    return reach._replace(parts=(*reach.parts, _("carried\xa04"))) if carried else reach


def _artillery_move(stats: Stats) -> Reach:
    if stats.transport is None and not stats.horse:
        return MOVES["unknown team"]
    animals = "3" if stats.horse else "2"
    squares = {"soft": "4", "none": "1"}.get(stats.transport or "", animals)
    return Reach((squares,) if squares == "1" else (squares, _("by hand\xa01")))


TABLE = 24, 18
"""The squares of the plan of a table: as many as the players like (3.1), here 120 x 90 cm."""
FROM_EDGE, RING = 4, 1
"""Stands set up at most four squares in, and never on the outermost ring (3.2)."""


def plan(sides: Sequence[RosterState]) -> play.TablePlan:
    """A table of squares of 50 mm, with the squares in which each army sets up."""
    return play.TablePlan(
        *TABLE,
        step=1,
        scale=(4, _("20 cm")),
        caption=_("A field is 50 mm; the table is 120 × 90 cm."),
        turn=play.Panel(_("The round (3.3)"), tables.ROUND),
        lost=_("stands lost"),
        zones=play.edge_zones(TABLE, FROM_EDGE - RING, len(sides), RING),
        numbered=True,
        turns=18,
        turns_label=_("Rounds"),
        turns_text=_("Mark the side with the initiative."),
        terrain=tables.ON_PLAN,
    )
