"""Models without a roster: priced and shown under the rules as written."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from rosters import registry
from rosters.core import documents
from rosters.core.appraisals import AppraisedElement, terms_of
from rosters.core.documents import AnyDocument, Element, Formation
from rosters.drawing.svg import Symbol
from rosters.registry import System
from rosters.web import roster_page


def document_with(system: System, elements: Iterable[Element] = ()) -> AnyDocument:
    """A document of a game with some elements, under the rules as written."""
    head = {"format": documents.FORMAT, "version": documents.VERSION, "system": system.slug, "name": ""}
    formation = Formation[Any](id="shelf", name="", elements=tuple(elements))
    return registry.read(head | {"formations": []}).replace(formations=(formation,))


class ShownModels(NamedTuple):
    """Models as a row shows them: name, description and counter."""

    element: Element
    description: str
    counter: Symbol


def shown_models(system: System, elements: Iterable[Element]) -> list[ShownModels]:
    """The elements of one game as rows show them."""
    document = document_with(system, elements)
    terms, [formation] = terms_of(document), registry.appraise_elements(document)
    return [_shown(system, appraised, terms) for appraised in formation.elements]


def _shown(system: System, appraised: AppraisedElement, terms: Any) -> ShownModels:
    return ShownModels(
        appraised.element, appraised.description, roster_page.strip_counter(system, appraised.element, terms)
    )
