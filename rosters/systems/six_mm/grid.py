"""The columns of a 6MM roster: type, quality, options, move, range, and strength down to the rout."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rosters.core.grid import DASH, OPTIONS, BoxesCell, GridCell, GridColumn
from rosters.core.messages import _, join
from rosters.systems.six_mm.lines import GRAMMAR
from rosters.systems.six_mm.play import move, weapon_range
from rosters.systems.six_mm.rules import ArmyTerms, Element, element_facts, features, type_name
from rosters.systems.six_mm.tables import FLOWN_OVER, GUNS, PURCHASES, QUALITY, TRANSPORT

COLUMNS = (
    GridColumn(_("Type"), _("Type"), "type"),
    GridColumn(_("Quality"), _("Quality"), "quality"),
    GridColumn(_("Options"), _("Options"), OPTIONS),
    GridColumn(_("Move"), _("Move in squares"), stat=True, extra=True),
    GridColumn(_("Range"), _("Range in squares"), stat=True, extra=True),
    GridColumn(_("Strength, routs at"), _("Strength, and the strength at which the stand routs"), extra=True),
)
SHARED_FIELDS = ("type", "quality", "agreed", "transport")
SHORTENED: Mapping[str, str] = {
    GUNS["smoothbore"].name: _("smoothbore"),
    GUNS["breech-loader-79"].name: _("gun to 79\xa0mm"),
    GUNS["breech-loader-130"].name: _("gun 80–130\xa0mm"),
    GUNS["breech-loader-heavy"].name: _("gun above 130\xa0mm"),
    FLOWN_OVER: _("flown over"),
}
"""Words for a narrow column; the options in full are the title of their cell."""

FOOT, MOUNTED, OTHER = _("Foot"), _("Mounted"), _("Other")
CATEGORIES: Mapping[str, str] = {
    **dict.fromkeys(("INF/A", "INF/U", "WBD", "PKE", "ARC", "MSK", "SKI/F", "SKI/S"), FOOT),
    **dict.fromkeys(("CAV/A", "CAV/U", "SKI/M"), MOUNTED),
    "ART": _("Artillery"),
    "TNK": _("Tanks"),
    "AIR": _("Aircraft"),
}


def cells(element: Element, terms: ArmyTerms) -> tuple[GridCell | BoxesCell, ...]:
    """A stand; alternate stands are parted by slashes. Of moves and ranges the usual one is shown."""
    if element.type in PURCHASES:
        return GridCell(element.type_name, element.type), *(GridCell(""),) * (len(COLUMNS) - 1)
    forms = (element, *element.duplicates)
    qualities = [QUALITY[each.quality].name if each.quality in QUALITY else each.quality for each in forms]
    options = [[*features(each), *([TRANSPORT[each.transport]] if each.transport else [])] for each in forms]
    shown, full = (_slashed(map(join, each)) for each in ([map(_shortened, parts) for parts in options], options))
    facts = element_facts(element, terms)
    strength, routs_at = facts.get("strength", 0), facts.get("routs_at", 0)
    words = _("{strength}, routs at {routs_at}").format(strength=strength, routs_at=routs_at)
    return (
        GridCell(_slashed(type_name(each.type) or DASH for each in forms), element.type),
        GridCell(_slashed(dict.fromkeys(qualities)), element.quality),
        GridCell(shown, " ".join(GRAMMAR.write_options(element)), full if full != shown else ""),
        *(
            GridCell(_slashed(dict.fromkeys(_shortened((*reach(each).parts, DASH)[0]) for each in forms)))
            for reach in (move, weapon_range)
        ),
        BoxesCell(strength, strength - routs_at, words) if facts else GridCell(""),
    )


def category(element: Element) -> str:
    """The branch of the stand, or of the first of alternate stands; generals are command."""
    return _("Command") if element.general else CATEGORIES.get(element.type, OTHER)


def _shortened(text: str) -> str:
    return SHORTENED.get(text, text)


def _slashed(texts: Iterable[str]) -> str:
    return join((text for text in texts if text), " / ")
