"""The appraisal of a roster: receipts, totals, findings and facts, one frozen value for every renderer.

Forms, live previews, the command line, the API and imports all appraise with `appraise`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple, Protocol

from rosters.core import messages
from rosters.core.amounts import Amount, format_exact, limit_precision, parse_amount, to_amount
from rosters.core.appraisal_schema import AppraisalJson, ElementJson, FormationJson, StepJson
from rosters.core.documents import AnyDocument, Element, Formation, dumps
from rosters.core.findings import SHARED_FINDINGS, Fact, Finding, FindingType, Problem, path_to
from rosters.core.messages import Message, _
from rosters.core.receipts import Receipt, Step, Totals
from rosters.core.reference import GlossaryEntry
from rosters.core.rulebook import Scenario, Size, Terms, Words
from rosters.core.values import Options

Facts = Mapping[str, Any]
"""Facts for sheets, by name: plain JSON values. Each rulebook declares its own in ``FACTS``."""


class Rulebook(Protocol):
    """The interface of every ``systems/<x>/rules.py``. Each function is pure and raises nothing."""

    @property
    def EDITION(self) -> str: ...
    @property
    def WORDS(self) -> Words: ...
    @property
    def FORMULA(self) -> str:
        """The formula of the price in one line; "" in a game without points."""

    @property
    def SCENARIOS(self) -> Mapping[str, Scenario]: ...
    @property
    def SIZES(self) -> Sequence[Size]: ...
    @property
    def FINDINGS(self) -> Mapping[str, FindingType]: ...
    @property
    def FACTS(self) -> Mapping[str, Fact]: ...
    @property
    def LABELS(self) -> Mapping[str, str]:
        """The labels of a profile's keys, and as ``key-code`` the names of codes that the glossary lacks."""

    @property
    def Element(self) -> type[Element]: ...
    @property
    def Options(self) -> type[Options]: ...

    def price(self, profile: Any, terms: Terms[Any]) -> Receipt | None: ...
    def headcount(self, element: Any) -> int: ...
    def totals(self, sums: Sequence[Amount], terms: Terms[Any]) -> Totals: ...
    def check_element(self, element: Any, terms: Terms[Any]) -> Iterable[Problem]: ...
    def check_formation(self, formation: Any, terms: Terms[Any]) -> Iterable[Problem]: ...
    def check_roster(self, document: Any, totals: Totals, terms: Terms[Any]) -> Iterable[Problem]: ...
    def element_facts(self, element: Any, terms: Terms[Any]) -> Facts: ...
    def formation_facts(self, formation: Any, terms: Terms[Any]) -> Facts: ...
    def roster_facts(self, document: Any, terms: Terms[Any]) -> Facts: ...
    def describe(self, profile: Any, terms: Terms[Any]) -> str: ...
    def glossary(self) -> Iterable[GlossaryEntry]: ...


class HouseRule(NamedTuple):
    """A house rule in force: its name, its value, and both as text."""

    rule: str
    value: str | int | bool
    text: str


class PricedElement(NamedTuple):
    """An element with its receipt; ``unit_points`` and ``points`` (unit points × quantity) are None without points."""

    name: str
    quantity: int
    unit_points: Amount | None
    points: Amount | None
    receipt: Receipt | None
    facts: Facts


class PricedFormation(NamedTuple):
    """A formation with its points, rounded by the rules, and its exact sum."""

    name: str
    points: Amount | None
    exact: Amount | None
    elements: tuple[PricedElement, ...]
    facts: Facts


class Appraisal(NamedTuple):
    """Everything that the rules compute about a roster."""

    system: str
    edition: str
    name: str
    points: Amount | None
    exact: Amount | None
    budget: int | float | None
    quantity: int
    house_rules: tuple[HouseRule, ...]
    findings: tuple[Finding, ...]
    formations: tuple[PricedFormation, ...]
    facts: Facts

    @property
    def legal(self) -> bool:
        """Whether no finding is an error."""
        return all(finding.severity != "error" for finding in self.findings)

    @property
    def state(self) -> Message:
        """The state of the roster for others than its owner, who is told what is still to do."""
        if not self.quantity:
            return _("In progress")
        return _("Legal") if self.legal else _("Not legal")


def edition_label(edition: str) -> str:
    """An edition as pages and sentences show it. Stored revisions, the API and exports keep the word of early releases,
    "reading".
    """
    return edition.replace("(reading ", "(interpretation ")


def terms_of(document: AnyDocument) -> Terms[Any]:
    """The terms under which ``document`` is appraised."""
    return Terms(document.options, document.scenario, document.side)


def headcount(rules: Rulebook, elements: Iterable[Any]) -> int:
    """The number of elements as the rules count them: in 6MM stands alone, not field works."""
    return sum(map(rules.headcount, elements))


@dataclass(frozen=True, eq=False)
class AppraisedElement:
    """The result of the rules for one element: its price, its problems and its description in one line."""

    element: Element
    priced: PricedElement
    problems: tuple[Problem, ...]
    description: str

    @cached_property
    def stored(self) -> tuple[bytes, dict[str, bytes]]:
        """The priced element as JSON, and the messages in it."""
        data = _element_json(self.priced)
        return dumps(data).encode(), _stored_messages(data)


@dataclass(frozen=True, eq=False)
class AppraisedFormation:
    """A formation with its appraised elements, and what the rules say of it as a whole, computed once."""

    formation: Formation[Any]
    elements: tuple[AppraisedElement, ...]
    rules: Rulebook
    terms: Terms[Any]

    @cached_property
    def problems(self) -> tuple[Problem, ...]:
        return tuple(self.rules.check_formation(self.formation, self.terms))

    @cached_property
    def facts(self) -> Facts:
        return self.rules.formation_facts(self.formation, self.terms)

    @cached_property
    def priced(self) -> tuple[PricedElement, ...]:
        return tuple(each.priced for each in self.elements)

    @cached_property
    def faulty(self) -> tuple[tuple[int, AppraisedElement], ...]:
        """The elements with problems, by their positions."""
        return tuple((position, each) for position, each in enumerate(self.elements) if each.problems)

    @cached_property
    def points(self) -> Amount:
        """The exact sum of the elements' points; 0 without points."""
        return sum((each.priced.points or 0 for each in self.elements), start=0)

    @cached_property
    def stored(self) -> bytes:
        """The priced elements as JSON."""
        return b",".join(each.stored[0] for each in self.elements)

    @cached_property
    def messages(self) -> dict[str, bytes]:
        """The messages in the facts and in the priced elements."""
        of_elements = (message for each in self.elements for message in each.stored[1].items())
        return _stored_messages(self.facts) | dict(of_elements)

    @cached_property
    def headcount(self) -> int:
        return headcount(self.rules, self.formation.elements)


AppraisedFormations = tuple[AppraisedFormation, ...]
"""The appraised elements of a document, by formation, in the document's order."""


class RosterState(NamedTuple):
    """A document with its appraisal, and its appraised elements, () where they are not needed."""

    document: AnyDocument
    appraisal: Appraisal
    appraised: AppraisedFormations = ()

    @property
    def appraised_elements(self) -> Iterator[AppraisedElement]:
        """The appraised elements of all formations, in order."""
        return (element for formation in self.appraised for element in formation.elements)


def appraise_elements(
    document: AnyDocument, rules: Rulebook, known: AppraisedFormations | None = None
) -> AppraisedFormations:
    """Appraise every element. Those that are equal in ``known``, appraised under the same terms, are reused."""
    terms = terms_of(document)
    before = {formation.formation.id: formation for formation in known or ()}
    unchanged = [_reuse_if_equal(formation, before.get(formation.id)) for formation in document.formations]
    changed = before.keys() - {each.formation.id for each in unchanged if each is not None}
    known_elements = {each.element.id: each for uid in changed for each in before[uid].elements}

    def appraise_one(element: Element) -> AppraisedElement:
        earlier = known_elements.get(element.id)
        if earlier is not None and (earlier.element is element or earlier.element == element):
            return earlier
        return _appraise_element(element, rules, terms)

    def appraise_formation(formation: Formation[Any]) -> AppraisedFormation:
        return AppraisedFormation(formation, tuple(map(appraise_one, formation.elements)), rules, terms)

    pairs = zip(document.formations, unchanged, strict=True)
    return tuple(appraise_formation(formation) if same is None else same for formation, same in pairs)


def _reuse_if_equal(formation: Formation[Any], known: AppraisedFormation | None) -> AppraisedFormation | None:
    """The known appraised formation, if it is that of an equal formation."""
    equal = known is not None and (known.formation is formation or known.formation == formation)
    return known if equal else None


def _appraise_element(element: Element, rules: Rulebook, terms: Terms[Any]) -> AppraisedElement:
    receipt = rules.price(element, terms)
    each = receipt.unit_points if receipt else None
    points = each * element.quantity if each is not None else None
    priced = PricedElement(element.name, element.quantity, each, points, receipt, rules.element_facts(element, terms))
    return AppraisedElement(element, priced, tuple(rules.check_element(element, terms)), rules.describe(element, terms))


def appraise(document: AnyDocument, rules: Rulebook, appraised: AppraisedFormations | None = None) -> Appraisal:
    """Price and check a roster under its own house rules, scenario and side.

    ``appraised`` are its elements, if the caller has appraised them already.
    """
    appraised = appraised or appraise_elements(document, rules)
    terms = terms_of(document)
    sums = [formation.points for formation in appraised]
    totals = rules.totals(sums, terms)
    return Appraisal(
        system=document.system,
        edition=rules.EDITION,
        name=document.name,
        points=totals.points,
        exact=None if totals.exact is None else limit_precision(totals.exact),
        budget=document.budget,
        quantity=sum(formation.headcount for formation in appraised),
        house_rules=tuple(house_rules_in_force(document.options)),
        findings=tuple(_findings(document, rules, appraised, totals, terms)),
        formations=tuple(
            PricedFormation(
                formation.name,
                totals.formations[index] if totals.formations else None,
                limit_precision(sums[index]) if totals.formations else None,
                appraised[index].priced,
                appraised[index].facts,
            )
            for index, formation in enumerate(document.formations)
        ),
        facts=rules.roster_facts(document, terms),
    )


def total_points(document: AnyDocument, rules: Rulebook) -> Amount | None:
    """The points of a roster as `appraise` adds them up, without the rest of the appraisal."""
    terms = terms_of(document)
    sums = []
    for formation in document.formations:
        receipts = ((rules.price(element, terms), element.quantity) for element in formation.elements)
        sums.append(sum((receipt.unit_points * quantity for receipt, quantity in receipts if receipt), start=0))
    return rules.totals(sums, terms).points


def merge_elements(elements: Sequence[PricedElement]) -> PricedElement:
    """Merge equal elements into one: add up their quantities and points."""
    points = [each.points for each in elements if each.points is not None]
    return elements[0]._replace(
        quantity=sum(each.quantity for each in elements),
        points=sum(points) if len(points) == len(elements) else None,
    )


def points_difference(before: Amount | None, after: Amount | None) -> Amount | None:
    """The points ``after`` minus those ``before``; None in a game without points."""
    return None if before is None or after is None else after - before


def house_rules_in_force(options: Options) -> Iterator[HouseRule]:
    """The house rules that differ from their defaults, in the order of the system's Options."""
    for rule, field in type(options).model_fields.items():
        value = getattr(options, rule)
        if value != field.default:
            text = _("{rule}: {value}").format(rule=field.title or rule, value=option_label(type(options), rule, value))
            yield HouseRule(rule, value, text)


def option_label(options: type[Options], rule: str, value: Any) -> str:
    """The value of a house rule as text: the system's own words, else yes, no, none, or the value itself."""
    if value is None or isinstance(value, bool):
        return _("none") if value is None else _("yes") if value else _("no")
    extra: Any = options.model_fields[rule].json_schema_extra or {}
    label: str = extra.get("words", {}).get(str(value), str(value))
    return label


def _findings(
    document: AnyDocument,
    rules: Rulebook,
    appraised: AppraisedFormations,
    totals: Totals,
    terms: Terms[Any],
) -> Iterator[Finding]:
    """The roster's findings first, then formation by formation, each followed by its elements."""

    def located(where: str, problems: Iterable[Problem]) -> Iterator[Finding]:
        for code, message in problems:
            yield Finding(code, finding_type(rules, code).severity, where, message)

    yield from located("", rules.check_roster(document, totals, terms))
    house_rules = house_rules_in_force(document.options)
    yield from located("", (Problem("house-rule", _("House rule: {rule}.").format(rule=r.text)) for r in house_rules))
    for f, formation in enumerate(appraised):
        yield from located(path_to(f), formation.problems)
        for e, element in formation.faulty:
            yield from located(path_to(f, e), element.problems)


def finding_types(rules: Rulebook) -> dict[str, FindingType]:
    """Every finding that a roster of this rulebook can have, by code: shared ones only if they can occur."""
    possible = {"house-rule": bool(rules.Options.model_fields), "over-budget": rules.WORDS.has_points}
    shared = {code: kind for code, kind in SHARED_FINDINGS.items() if possible.get(code, True)}
    return {**rules.FINDINGS, **shared}


def finding_type(rules: Rulebook, code: str) -> FindingType:
    """The type of a finding by its code. Raises KeyError if the rulebook does not declare it."""
    return rules.FINDINGS[code] if code in rules.FINDINGS else SHARED_FINDINGS[code]


def with_to_do(findings: Iterable[Finding], rules: Rulebook) -> Iterator[Finding]:
    """Findings as the owner is shown them: what the roster only lacks is to do."""
    for each in findings:
        yield each._replace(severity="to-do") if finding_type(rules, each.code).missing else each  # type: ignore[arg-type]


def count_errors(appraisal: Appraisal, rules: Rulebook) -> int:
    """The number of errors without what is to do, those with the same text counted as one."""
    findings = with_to_do(appraisal.findings, rules)
    return len({(each.code, each.message) for each in findings if each.severity == "error"})


# ---------------------------------------------------------------- to JSON


def to_json(appraisal: Appraisal) -> AppraisalJson:
    """The appraisal as plain JSON data."""
    return {
        "system": appraisal.system,
        "edition": appraisal.edition,
        "name": appraisal.name,
        "points": _number(appraisal.points),
        "exact": _text(appraisal.exact),
        "budget": appraisal.budget,
        "legal": appraisal.legal,
        "quantity": appraisal.quantity,
        "house_rules": [{"rule": r.rule, "value": r.value, "text": r.text} for r in appraisal.house_rules],
        "findings": [
            {"code": f.code, "severity": f.severity, "where": f.where, "message": f.message} for f in appraisal.findings
        ],
        "formations": [_formation_json(formation) for formation in appraisal.formations],
        "facts": dict(appraisal.facts),
    }


def to_stored_json(appraisal: Appraisal, appraised: AppraisedFormations) -> bytes:
    """`to_json` with the id and the values of each message beside it, as revisions store it.

    Bytes, joined: one character beyond Latin-1 doubles a text of a megabyte, and formatting copies it several times.
    """
    data: dict[str, Any] = {**to_json(appraisal._replace(formations=()))}
    facts = data.pop("facts")
    del data["formations"]
    used, parts = _stored_messages(data), []
    for formation, appraised_formation in zip(appraisal.formations, appraised, strict=True):
        emptied = dumps(_formation_json(formation._replace(elements=()))).encode()
        used |= appraised_formation.messages
        parts.append(b"".join((emptied.removesuffix(b"]}"), appraised_formation.stored, b"]}")))
    used |= _stored_messages(facts)
    rest = b'],"facts":%b,"messages":[%b]}' % (dumps(facts).encode(), b",".join(used.values()))
    return b"".join((dumps(data).encode()[:-1], b',"formations":[', b",".join(parts), rest))


def _stored_messages(data: Any) -> dict[str, bytes]:
    """The messages in JSON data, each as JSON, by its text."""
    return {text: dumps(messages.to_data(each)).encode() for text, each in messages.messages_in(data).items()}


def from_stored(stored: Mapping[str, Any]) -> dict[str, Any]:
    """Parse `to_stored_json`: the result of `to_json`, with its texts as messages.

    Appraisals without ids, from before there were messages, keep their English text.
    """
    data = {key: value for key, value in stored.items() if key != "messages"}
    if isinstance(stored.get("messages"), list):
        with suppress(RecursionError):  # a forged history may be nested as deep as JSON allows
            return dict(messages.restore_messages(data, stored["messages"]))
    return data


def _formation_json(formation: PricedFormation) -> FormationJson:
    return {
        "name": formation.name,
        "points": _number(formation.points),
        "exact": _text(formation.exact),
        "facts": dict(formation.facts),
        "elements": [_element_json(element) for element in formation.elements],
    }


def _element_json(element: PricedElement) -> ElementJson:
    data: ElementJson = {
        "name": element.name,
        "quantity": element.quantity,
        "each": _text(element.unit_points),
        "points": _text(element.points),
        "receipt": receipt_json(element.receipt),
    }
    if element.facts:
        data["facts"] = dict(element.facts)
    return data


def receipt_json(receipt: Receipt | None) -> list[StepJson]:
    """A receipt as labelled steps, every amount as exact text."""
    steps = receipt.steps if receipt else ()
    return [{"label": label, "change": change, "subtotal": format_exact(subtotal)} for label, change, subtotal in steps]


def _number(amount: Amount | None) -> int | float | None:
    """A total as a JSON number: an integer if possible. The key ``exact`` beside it has the exact text."""
    if amount is None or isinstance(amount, int):
        return amount
    return amount.numerator if amount.denominator == 1 else float(Fraction(amount))


def _text(amount: Amount | None) -> str | None:
    return None if amount is None else format_exact(amount)


# ---------------------------------------------------------------- from JSON


def from_json(data: Mapping[str, Any]) -> Appraisal:
    """Parse the result of `to_json`, without any loss. Legality follows from the findings."""
    return Appraisal(
        system=data["system"],
        edition=data["edition"],
        name=data["name"],
        points=_total(data["points"], data["exact"]),
        exact=_amount(data["exact"]),
        budget=data["budget"],
        quantity=data["quantity"],
        house_rules=tuple(HouseRule(**rule) for rule in data["house_rules"]),
        findings=tuple(Finding(**finding) for finding in data["findings"]),
        formations=tuple(_formation_from(formation) for formation in data["formations"]),
        facts=data["facts"],
    )


def _formation_from(data: Mapping[str, Any]) -> PricedFormation:
    elements = tuple(_element_from(element) for element in data["elements"])
    points = _total(data["points"], data["exact"])
    return PricedFormation(data["name"], points, _amount(data["exact"]), elements, data["facts"])


def _element_from(data: Mapping[str, Any]) -> PricedElement:
    each, points = _amount(data["each"]), _amount(data["points"])
    steps = (Step(step["label"], step["change"], parse_amount(step["subtotal"])) for step in data["receipt"])
    receipt = None if each is None else Receipt(tuple(steps))
    return PricedElement(data["name"], data["quantity"], each, points, receipt, data.get("facts", {}))


def _total(number: int | float | None, text: str | None) -> Amount | None:
    """A total from its JSON number, or from the exact text if the number is rounded."""
    if number is None or isinstance(number, int):
        return number
    exact = _amount(text)
    return exact if exact is not None and float(exact) == number else to_amount(number)


def _amount(text: str | None) -> Amount | None:
    return None if text is None else parse_amount(text)
