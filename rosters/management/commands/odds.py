"""Print the exact odds of one element against another, in words or as one line of JSON each.

Exits with 2 if a question cannot be answered.
"""

import json
import re
import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from rosters import registry
from rosters.balance.answers import Matchup, answer, read
from rosters.balance.words import CHANCES, DISTRIBUTIONS, NUMBERS
from rosters.core import documents, messages
from rosters.core.documents import Element, Fault, InvalidDocument
from rosters.core.messages import translate
from rosters.core.odds import SIDES, Receipt
from rosters.management.commands.appraise import InputDocument, sources


class Command(BaseCommand):
    requires_system_checks = []  # works without a database, and without a configured site
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("a", metavar="A", help="FILE#F/E: element E of formation F of a roster document (0/0)")
        parser.add_argument("b", metavar="B", nargs="?", help="its enemy; A alone can be -, which reads JSON Lines")
        parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="a condition of the duel")
        parser.add_argument("--json", action="store_true", help="print one answer as JSON on each line")

    def handle(self, *args: Any, a: str, b: str | None, **options: Any) -> None:
        if (a == "-") != (b is None) or (a == "-" and options["set"]):
            raise CommandError(_("Name two documents, or - alone to read questions as JSON Lines."), returncode=2)
        conditions = dict(parse_condition(text) for text in options["set"])
        failed = False
        for source in sources([a]) if b is None else [None]:
            try:
                question = documents.parse(source.raw) if source else read_question(a, b or "", conditions)
                matchup = read(question)
                result = answer(question)
            except InvalidDocument as error:
                failed = True
                self._print_errors(source, error, options["json"])
                continue
            self.stdout.write(documents.dumps(result) if options["json"] else "\n".join(in_words(matchup, result)))
        if failed:
            sys.exit(2)

    def _print_errors(self, source: InputDocument | None, error: InvalidDocument, as_json: bool) -> None:
        if as_json:
            self.stdout.write(documents.dumps({"errors": [fault._asdict() for fault in error.faults]}))
            return
        for fault in error.faults:
            line = f"{source.line}: " if source else ""
            self.stderr.write(f"{line}{fault.path or _('question')}: {fault.message}")


def parse_condition(text: str) -> tuple[str, Any]:
    """A condition given as KEY=VALUE; a value that is no JSON is text. Raises CommandError."""
    key, equals, value = text.partition("=")
    if not equals:
        raise CommandError(_("“{text}” is not KEY=VALUE.").format(text=text), returncode=2)
    try:
        return key, json.loads(value)
    except ValueError:
        return key, value


def read_question(a: str, b: str, conditions: Mapping[str, Any]) -> dict[str, Any]:
    """The question about two elements of documents. Raises InvalidDocument with the errors of both."""
    faults: list[Fault] = []
    both = (_read_element(side, place, faults) for side, place in zip(SIDES, (a, b), strict=True))
    elements_read = [*filter(None, both)]
    if not faults and elements_read[0][0] != elements_read[1][0]:
        faults.append(Fault("b/system", messages._("must be {code}").format(code=elements_read[0][0])))
    if faults:
        raise InvalidDocument(faults)
    (system, first), (_system, second) = elements_read
    elements = {"a": documents.write_element(first), "b": documents.write_element(second)}
    return {"system": system, **elements, "conditions": conditions}


def _read_element(side: str, place: str, faults: list[Fault]) -> tuple[str, Element] | None:
    """The system and the element at FILE#F/E, or None and its errors."""
    match = re.fullmatch(r"(.*?)(?:#(\d+)/(\d+))?", place, re.DOTALL)
    file, formation, element = match.groups() if match else (place, None, None)
    (source,) = sources([file])
    try:
        if source.error:
            raise InvalidDocument([Fault("", source.error)])
        document = registry.read(documents.parse(source.raw))
        return document.system, document.formations[int(formation or 0)].elements[int(element or 0)]
    except InvalidDocument as error:
        faults += [Fault(f"{side}/{fault.path}".rstrip("/"), fault.message) for fault in error.faults]
    except IndexError:
        faults.append(Fault(side, messages._("has no such element")))
    return None


# ---------------------------------------------------------------- words


def in_words(matchup: Matchup, result: Mapping[str, Any]) -> Iterator[str]:
    """An answer as lines of text, with the receipts of its chances."""
    duel = matchup.duel(exact=True, limited=False)
    yield _("{a} (A) against {b} (B)").format(a=matchup.a.display_name, b=matchup.b.display_name)
    for key, value in result["conditions"].items():
        yield f"  {key} = {documents.dumps(value)}"
    titles = _("A attacks, B only defends itself"), _("B attacks, A only defends itself")
    for side, title in zip(SIDES, titles, strict=True):
        yield title
        yield from _rows({**result[side], **result[side]["destroy"]})
        for key, receipt in duel.receipts(side).items():
            yield from _receipt(CHANCES[key], receipt)
    yield _("Round 1 of both")
    yield from _rows({"initiative": result["initiative"], **result["exchange"]})
    yield _("To the end")
    yield from _rows({**result["duel"], "by_round": None, "so_far": result["duel"]["by_round"]})
    if "strategic" in result:
        yield _("Strategic combat")
        yield from _rows(result["strategic"])
    yield ""


def _rows(values: Mapping[str, Any]) -> Iterator[str]:
    for key, value in values.items():
        if value is None:
            continue
        if key in CHANCES:
            yield f"  {translate(CHANCES[key]):<28}{percent(value)}"
        elif key in NUMBERS:
            yield f"  {translate(NUMBERS[key]):<28}{float(Fraction(value)):.2f}"
        elif key in DISTRIBUTIONS:
            yield f"  {translate(DISTRIBUTIONS[key]):<28}{_distribution(value)}"


def _receipt(title: str, receipt: Receipt) -> Iterator[str]:
    """The factors of a chance, and below each what changes its die, with the readings of docs/odds.md."""
    yield "  " + _("{chance}, because:").format(chance=translate(title))
    for factor in receipt:
        yield f"    {percent(str(factor.chance))} {translate(factor.label)} [{factor.readings}]".removesuffix(" []")
        for modifier in factor.modifiers:
            yield f"      {modifier} {translate(modifier.label)} [{modifier.reading}]"


def _distribution(values: Any) -> str:
    if isinstance(values, Mapping):
        return ", ".join(f"{outcome}: {percent(chance)}" for outcome, chance in values.items())
    each = ([chances] if isinstance(chances, str) else chances for chances in values)
    return ", ".join(" / ".join(percent(chance) for chance in chances) for chances in each)


def percent(chance: str) -> str:
    """A chance in percent, with its fraction if that is short: "66.7 % (2/3)"."""
    exact = f" ({chance})" if "/" in chance and len(chance) <= 7 else ""
    return f"{100 * float(Fraction(chance)):.1f}\u00a0%{exact}"
