"""The columns of a Mini Combat roster: kind, the seven stats as the formula abbreviates them, abilities in words."""

from __future__ import annotations

from collections.abc import Mapping

from rosters.core.grid import DASH, MORE_OPTIONS, OPTIONS, GridCell, GridColumn, stat
from rosters.core.messages import _, join
from rosters.systems.mini_combat.lines import GRAMMAR
from rosters.systems.mini_combat.rules import DENY, Element, Modifier, RosterTerms, abbreviation, form_of
from rosters.systems.mini_combat.tables import COUNTS, FORM_NAMES, KINDS, SHORT, STAT_LETTERS, STATS

COLUMNS = (
    GridColumn(_("Kind"), _("Kind"), "kind", pictured=True),
    *(
        GridColumn(letter, title, key, stat=True, unit="\xa0cm" if key in ("movement", "range") else "")
        for letter, (key, title) in zip(STAT_LETTERS, STATS.items(), strict=True)
    ),
    GridColumn(_("Abilities"), _("Abilities"), OPTIONS),
)
SHARED_FIELDS = ("kind", *STATS, MORE_OPTIONS)
DICE: Mapping[int | float | None, str] = {number: f"{number}+" for number in range(1, 8)}
TEXTS: Mapping[str, Mapping[int | float | None, str]] = {
    "range": {0: DASH},
    "to_hit": {**DICE, 7: DASH, 0: _("auto")},
    "save": {**DICE, 7: DASH},
    "morale": {**DICE, None: _("fearless"), 1: _("fearless")},
}
"""How targets and a range in melee are shown; other stats are numbers."""
TARGETS = ("to_hit", "save", "morale")


def cells(element: Element, terms: RosterTerms) -> tuple[GridCell, ...]:
    """An element; no kind in words for "other"."""
    kind: str = KINDS[element.kind] if element.kind != "other" else ""
    if element.command:
        kind = _("{kind}, command").format(kind=kind) if kind else _("command")
    stats = (stat(getattr(element, key), TEXTS.get(key, {}), "{}+" if key in TARGETS else "{}") for key in STATS)
    return (
        GridCell(kind, element.kind),
        *stats,
        GridCell(
            join(map(_in_words, element.capabilities)),
            " ".join(GRAMMAR.write_options(element)),
            join(map(_explained, filter(_has_text, element.capabilities)), "\n"),
        ),
    )


def category(element: Element) -> str:
    """The kind."""
    return KINDS[element.kind]


def _has_text(modifier: Modifier) -> bool:
    return modifier.row is not None and (form_of(modifier) or modifier.code) in SHORT


def _explained(modifier: Modifier) -> str:
    return _("{ability}: {text}").format(
        ability=_in_words(modifier), text=SHORT[form_of(modifier) or modifier.code or ""]
    )


def _in_words(modifier: Modifier) -> str:
    """An ability by its name, with what its abbreviation says beside the code: "Transport 4", "Fly, jump"."""
    name: str
    if modifier.row is None:
        name = abbreviation(modifier)
    elif modifier.code == DENY:
        denied = modifier.denied.name if modifier.denied else modifier.denies or "?"
        name = _("Deny {ability}").format(ability=denied)
    elif form := form_of(modifier):
        name = FORM_NAMES[form][0]
    elif modifier.code in COUNTS:
        name = join((modifier.row.name, str(modifier.counted)), " ")
    else:
        name = modifier.row.name
    return _("{ability} (waived)").format(ability=name) if modifier.waived else name
