"""The columns of a roster's table, which each game declares in its `grid.py`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from rosters.core.rulebook import Terms

OPTIONS = "options"
"""The field of the column that is edited as a text in the words of quick add."""
MORE_OPTIONS = "more-options"
"""The field that adds an option to several selected elements."""
DASH = "–"
"""A stat that an element does not have."""


class GridColumn(NamedTuple):
    """A column between an element's name and its points.

    ``field`` is the field of the element form that its cells edit, or `OPTIONS`, "" where they are computed. A
    ``stat`` is short, in the middle of its column, and has ``heading`` beside it where the columns do not fit.
    ``extra`` columns are left out of a narrow window; ``pictured`` ones, which counters show, are only spoken there.
    Sentences have the ``unit`` behind the number.
    """

    heading: str
    title: str
    field: str = ""
    stat: bool = False
    extra: bool = False
    pictured: bool = False
    unit: str = ""


class GridCell(NamedTuple):
    """What a cell shows, the value of its field in the element form, and what explains it to a pointer."""

    text: str
    value: str = ""
    title: str = ""


class BoxesCell(NamedTuple):
    """A cell with boxes to cross off in play; a rule applies once ``breaks`` of them are crossed off."""

    boxes: int
    breaks: int
    text: str
    """The same in words."""
    value: str = ""


class ElementGrid(Protocol):
    """The interface of every ``systems/<x>/grid.py``."""

    @property
    def COLUMNS(self) -> Sequence[GridColumn]: ...
    @property
    def SHARED_FIELDS(self) -> Sequence[str]:
        """The fields of the element form that are set for several selected elements at once, and `MORE_OPTIONS`."""

    def cells(self, element: Any, terms: Terms[Any]) -> tuple[GridCell | BoxesCell, ...]:
        """The cells of an element, one for each column."""

    def category(self, element: Any) -> str:
        """What kind of troops the bar of points counts an element among; "" for its formation."""


def stat(value: int | float | None, texts: Mapping[int | float | None, str], text: str = "{}") -> GridCell:
    """A stat as its form has it, "" for none; shown as ``texts`` say, else in ``text``."""
    if value is None:
        return GridCell(texts.get(None, DASH))
    return GridCell(texts.get(value) or text.format(str(value).replace("-", "−")), str(value))
