"""The terms of a rulebook on the help pages, which each game declares in its `help.py`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from rosters.core.messages import Message, _, join
from rosters.core.receipts import Receipt, format_operation

if TYPE_CHECKING:
    from rosters.core.appraisals import RosterState


class Term(NamedTuple):
    """A term of a rulebook in our words: its code, name, text and group, its price, and an example.

    ``profile`` is an element, as document data, whose counter shows the term; without one, the game's ``DIAGRAMS`` do.
    """

    code: str
    name: str
    text: str
    group: str
    price: str = ""
    example: str = ""
    profile: Mapping[str, Any] | None = None


def with_examples(terms: Iterable[Term], examples: Mapping[str, str]) -> Iterator[Term]:
    """Terms with their examples by code; a term that has none there keeps its own."""
    return (term._replace(example=examples.get(term.code, term.example)) for term in terms)


PRICE_GROUP = _("Points and cost")


def price_term(text: str, receipt: Receipt, points: str, profile: Mapping[str, Any]) -> Term:
    """How an element is priced: the formula in words, and the receipt of ``profile``, whose price is ``points``."""
    return Term("price", _("Price"), text, PRICE_GROUP, "", _worked(receipt, points), profile)


def _worked(receipt: Receipt, points: str) -> Message:
    steps = join((join((step.label, format_operation(step.change)), " ") for step in receipt.steps), "; ")
    return _("Example: {steps}. Cost: {points}.").format(steps=steps, points=points)


class GuideStep(NamedTuple):
    """A step of the guide to a first roster: what to do and why, on which page, and whether a roster shows it is done.

    ``page`` is "settings", "element" (the form of the roster's first element, or of a new one), "add" or "more" (that
    of a new one), "roster" or "print". The last step is never done: its page ends the guide.
    """

    title: str
    text: str
    page: str
    is_done: Callable[[RosterState], bool]


class Help(Protocol):
    """The interface of every ``systems/<x>/help.py``."""

    GUIDE: Sequence[GuideStep]
    """The steps of a guided first roster; none in a game without a guide."""

    EXAMPLES: Mapping[str, str]
    """Examples of terms and house rules by their codes, beside those that are computed."""

    COMMON: Sequence[str]
    """The codes of ten terms that are looked up most."""

    def terms(self) -> Iterable[Term]:
        """Every term, by group."""
