"""The redacted copy of a roster for everybody but its owner: document and appraisal without what the owner hides.

The points on the copy count secret elements. Everything else (models, facts, findings) describes the visible
elements only, so that the copy never reveals how many secret models there are; a note mentions secrets.
There is no such note when the points are hidden, because then nothing else reveals that anything is secret.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from rosters.core.appraisals import Appraisal, Facts, PricedFormation, Rulebook, terms_of
from rosters.core.documents import AnyDocument, Element, Formation
from rosters.core.findings import SHARED_FINDINGS, Finding, Problem, path_to
from rosters.core.messages import _
from rosters.core.receipts import Totals
from rosters.core.rulebook import Terms

HIDDEN_ERROR = Finding("hidden", "error", "", _("Something hidden on this copy is not legal."))
SECRET = Finding("something-secret", "note", "", _("Something secret is not on this copy."))
SECRET_IN_POINTS = SECRET._replace(message=_("Something secret is not on this copy; the points count it."))


class Hidden(NamedTuple):
    """What the owner hides from others: all points, all notes, all secret elements."""

    points: bool = False
    notes: bool = False
    secrets: bool = False


# ---------------------------------------------------------------- the document


def redact(document: AnyDocument, hidden: Hidden) -> AnyDocument:
    """The document without what is hidden. Ids stay; the secret flag of visible elements is removed.

    Elements without anything to hide are the same objects, so that they are not appraised again.
    """
    fields: dict[str, Any] = {
        "formations": tuple(_redact_formation(formation, hidden) for formation in document.formations)
    }
    if hidden.notes:
        fields["notes"] = ""
    if hidden.points:
        fields["budget"] = None
    return document.replace(**fields)


def _redact_formation(formation: Formation[Any], hidden: Hidden) -> Formation[Any]:
    visible = tuple(_redact_element(e, hidden) for e in formation.elements if _is_visible(e, hidden))
    return formation.replace(elements=visible, notes="" if hidden.notes else formation.notes)


def _is_visible(element: Element, hidden: Hidden) -> bool:
    return not (hidden.secrets and element.secret)


def _redact_element(element: Element, hidden: Hidden) -> Element:
    has_hidden_notes = hidden.notes and element.notes != ""
    if not has_hidden_notes and not element.secret:
        return element
    return element.replace(secret=False, notes="" if hidden.notes else element.notes)


# ---------------------------------------------------------------- its appraisal


def redact_appraisal(document: AnyDocument, appraisal: Appraisal, hidden: Hidden, rules: Rulebook) -> Appraisal:
    """The appraisal for ``redact(document, hidden)``. It is legal exactly if ``appraisal`` is.

    ``document`` and ``appraisal`` are the complete ones; ``rules`` are those of the system.
    """
    secret = [e for e in document.elements if not _is_visible(e, hidden)]
    copy = _without_secrets(document, appraisal, rules) if secret else appraisal
    if hidden.points:
        copy = _without_points(copy, rules)
    elif secret:
        copy = _add_finding(copy, SECRET if copy.points is None else SECRET_IN_POINTS)
    return copy if copy.legal == appraisal.legal else _add_finding(copy, HIDDEN_ERROR)


def _add_finding(appraisal: Appraisal, finding: Finding) -> Appraisal:
    return appraisal._replace(findings=(finding, *appraisal.findings))


def _without_secrets(document: AnyDocument, appraisal: Appraisal, rules: Rulebook) -> Appraisal:
    """The appraisal of the visible elements, with the points of the complete roster."""
    visible, terms = redact(document, Hidden(secrets=True)), terms_of(document)
    secret = [element for element in document.elements if element.secret]
    triples = zip(document.formations, visible.formations, appraisal.formations, strict=True)
    return appraisal._replace(
        quantity=appraisal.quantity - sum(rules.headcount(element) for element in secret),
        findings=tuple(_visible_findings(document, visible, appraisal, rules, terms)),
        formations=tuple(_visible_elements(complete, part, priced, rules, terms) for complete, part, priced in triples),
        facts=rules.roster_facts(visible, terms),
    )


def _visible_elements(
    complete: Formation[Any], part: Formation[Any], priced: PricedFormation, rules: Rulebook, terms: Terms[Any]
) -> PricedFormation:
    """The priced formation with only the elements of its visible ``part``."""
    if len(part.elements) == len(complete.elements):
        return priced
    pairs = zip(complete.elements, priced.elements, strict=True)
    elements = tuple(priced_element for element, priced_element in pairs if not element.secret)
    return priced._replace(elements=elements, facts=rules.formation_facts(part, terms))


def _visible_findings(
    document: AnyDocument, visible: AnyDocument, appraisal: Appraisal, rules: Rulebook, terms: Terms[Any]
) -> Iterator[Finding]:
    """The findings about visible elements, at their new positions, and those about formations and the roster that hold
    for the visible elements too.

    A finding about a formation or the roster may name or count a secret element, so it stays only if the rules
    return the same message for the visible part.
    """
    positions, problems_at = _positions(document), _check_visible(document, visible, appraisal, rules, terms)
    for finding in appraisal.findings:
        position = positions.get(finding.where)
        problems = problems_at.get(finding.where)
        remains = problems is None or finding.code == "house-rule" or Problem(finding.code, finding.message) in problems
        if position is not None and remains:
            yield finding._replace(where=position)


def _positions(document: AnyDocument) -> Mapping[str, str]:
    """Everything visible: its position in the document, and in the copy."""
    positions = {"": ""}
    for f, formation in enumerate(document.formations):
        positions[path_to(f)] = path_to(f)
        visible = [e for e, element in enumerate(formation.elements) if not element.secret]
        positions |= {path_to(f, old): path_to(f, new) for new, old in enumerate(visible)}
    return positions


def _check_visible(
    document: AnyDocument, visible: AnyDocument, appraisal: Appraisal, rules: Rulebook, terms: Terms[Any]
) -> Mapping[str, frozenset[Problem]]:
    """The problems of the visible part of the roster and of each formation with secret elements, by position.

    The points are those of the complete roster, so that findings about points stay.
    """
    of_formations = tuple(priced.points or 0 for priced in appraisal.formations)
    totals = Totals(None if appraisal.points is None else of_formations, appraisal.points, appraisal.exact)
    problems = {"": frozenset(rules.check_roster(visible, totals, terms))}
    for f, (complete, part) in enumerate(zip(document.formations, visible.formations, strict=True)):
        if len(part.elements) < len(complete.elements):
            problems[path_to(f)] = frozenset(rules.check_formation(part, terms))
    return problems


# ---------------------------------------------------------------- without points


def _without_points(appraisal: Appraisal, rules: Rulebook) -> Appraisal:
    """No amounts, no receipts, and only those findings and facts that are declared not to reveal points."""
    meanings = {**SHARED_FINDINGS, **rules.FINDINGS}
    visible_codes = {code for code, meaning in meanings.items() if not meaning.reveals_points}
    return appraisal._replace(
        points=None,
        exact=None,
        budget=None,
        findings=tuple(finding for finding in appraisal.findings if finding.code in visible_codes),
        formations=tuple(_unpriced_formation(formation, rules) for formation in appraisal.formations),
        facts=_facts_without_points(appraisal.facts, rules),
    )


def _unpriced_formation(formation: PricedFormation, rules: Rulebook) -> PricedFormation:
    elements = tuple(
        element._replace(unit_points=None, points=None, receipt=None, facts=_facts_without_points(element.facts, rules))
        for element in formation.elements
    )
    return formation._replace(
        points=None, exact=None, elements=elements, facts=_facts_without_points(formation.facts, rules)
    )


def _facts_without_points(facts: Facts, rules: Rulebook) -> Facts:
    """Undeclared facts, such as those of an earlier edition, are hidden too."""
    return {
        name: value for name, value in facts.items() if name in rules.FACTS and not rules.FACTS[name].reveals_points
    }
