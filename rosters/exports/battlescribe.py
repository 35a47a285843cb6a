"""A roster as a BattleScribe 2.03 file, which New Recruit reads too; and our own document back out of such a file.

PURE. `.ros` is XML, `.rosz` a zip with one `.ros` inside. The whole document travels as JSON, without the ids of
formations and elements, in a hidden rule of the first force, so that a file of ours comes back without loss. No
file of ours has been opened in New Recruit or BattleScribe yet.
"""

from __future__ import annotations

import json
import re
import struct
import zlib
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from hashlib import sha256
from io import BytesIO
from typing import Any, NamedTuple
from xml.etree import ElementTree
from xml.etree.ElementTree import Element as Node
from xml.etree.ElementTree import SubElement
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from rosters.core import documents
from rosters.core.amounts import format_amount
from rosters.core.appraisals import Appraisal, Lines
from rosters.core.documents import AnyDocument, Element, Fault, InvalidDocument
from rosters.exports.card import Card
from rosters.exports.listing import Game, Group, Item, budget, groups, reasons

NAMESPACE = "http://www.battlescribe.net/schema/rosterSchema"
VERSION = "2.03"
REVISION = "1"
"""Of the game system; there is no catalogue beside it that could be newer."""
DOCUMENT_RULE = "Armybuilder document"
MEMBER = "roster.ros"
MOST_BYTES = 4 * documents.MAX_BYTES
"""A file is read up to this length, zipped and unzipped; a longer one is written without profiles and upgrades."""

CardOf = Callable[[Any], Card]
"""A system's ``card``, its terms filled in: ``partial(system.cards.card, terms=terms_of(document))``."""


def rosz(document: AnyDocument, appraisal: Appraisal, lines: Lines, game: Game, card: CardOf) -> bytes:
    """The roster as a `.rosz` file. The same roster gives the same bytes."""
    member = ZipInfo(MEMBER, (1980, 1, 1, 0, 0, 0))
    member.compress_type, member.create_system, member.external_attr = ZIP_DEFLATED, 3, 0o644 << 16
    out = BytesIO()
    with ZipFile(out, "w") as archive:
        archive.writestr(member, ros(document, appraisal, lines, game, card))
    return out.getvalue()


def ros(document: AnyDocument, appraisal: Appraisal, lines: Lines, game: Game, card: CardOf) -> bytes:
    """The roster as a `.ros` file. The same roster gives the same bytes."""
    text = embedded(document, appraisal)
    sheet = _Sheet(document, appraisal, game, text, identity(text))
    forces = [*groups(document, appraisal, lines)]
    whole = _bytes(sheet, forces, card)
    return whole if len(whole) <= MOST_BYTES else _bytes(sheet, forces, None)


def embedded(document: AnyDocument, appraisal: Appraisal) -> str:
    """The document as ASCII JSON without ids; without its budget where points are hidden."""
    data = documents.write(document)
    if appraisal.points is None:
        data["budget"] = None
    for formation in data["formations"]:
        for item in (formation, *formation["elements"]):
            item.pop("id", None)
    return json.dumps(data, ensure_ascii=True, separators=(",", ":"))


@lru_cache(maxsize=4096)
def identity(*parts: str) -> str:
    """An id in BattleScribe's manner: the same for the same parts, and different for others."""
    found = sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()
    return f"{found[:4]}-{found[4:8]}-{found[8:12]}-{found[12:16]}"


# ---------------------------------------------------------------- writing


class _Sheet(NamedTuple):
    """What every part of a file is written from. ``seed`` makes its ids its own."""

    document: AnyDocument
    appraisal: Appraisal
    game: Game
    text: str
    seed: str

    def own(self, *place: str | int) -> str:
        """The id of what stands at a place in this roster."""
        return identity(self.seed, *map(str, place))

    def kind(self, *names: str) -> str:
        """The id of a type or an entry: the same in every roster of the game."""
        return identity(self.game.slug, *names)


class _Rule(NamedTuple):
    """A rule to show; one without text is left out."""

    name: str
    text: str
    hidden: bool = False


_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 cannot hold, not even escaped."""


def clean(text: str) -> str:
    """Text that XML can hold: what it cannot is U+FFFD, the replacement character."""
    return _NO_XML.sub("\ufffd", text)


def _label(name: str, otherwise: str) -> str:
    """A name; where it is blank, another word."""
    return name if name.strip() else otherwise


def _bytes(sheet: _Sheet, forces: list[Group], card: CardOf | None) -> bytes:
    """The file; without ``card`` an element has its description only."""
    root = _roster(sheet)
    nodes = SubElement(root, "forces")
    for f, group in enumerate(forces):
        _add_force(nodes, sheet, f, group, card)
    if not forces:
        _open_force(nodes, sheet, 0, sheet.game.rules.WORDS.formation, "")
    body: str = ElementTree.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n{body}'.encode()


def _add(parent: Node, tag: str, attributes: dict[str, str], text: str | None = None) -> Node:
    node = SubElement(parent, tag, {name: clean(value) for name, value in attributes.items()})
    node.text = None if text is None else clean(text)
    return node


def _roster(sheet: _Sheet) -> Node:
    game = sheet.game
    root = Node("roster", {"xmlns": NAMESPACE, "id": sheet.own("roster")})
    root.set("name", clean(_label(sheet.document.name, game.name)))
    root.set("battleScribeVersion", VERSION)
    root.set("gameSystemId", sheet.kind("system"))
    root.set("gameSystemName", game.name)
    root.set("gameSystemRevision", REVISION)
    points = "" if sheet.appraisal.points is None else format_amount(sheet.appraisal.points)
    _add_cost(root, "cost", sheet, points)
    _add_cost(root, "costLimit", sheet, budget(sheet.appraisal))
    return root


def _add_cost(parent: Node, tag: str, sheet: _Sheet, value: str) -> None:
    if value:
        costs = SubElement(parent, f"{tag}s")
        _add(costs, tag, {"name": sheet.game.rules.WORDS.points, "typeId": sheet.kind("points"), "value": value})


def _add_force(parent: Node, sheet: _Sheet, f: int, group: Group, card: CardOf | None) -> None:
    name = _label(group.formation.name, sheet.game.rules.WORDS.formation)
    force = _open_force(parent, sheet, f, name, group.formation.notes)
    if group.items:
        selections = SubElement(force, "selections")
        for e, item in enumerate(group.items):
            _add_element(selections, sheet, (f, e), item, card)


def _open_force(parent: Node, sheet: _Sheet, f: int, name: str, notes: str) -> Node:
    """A force with its rules; the first one carries what is said of the whole roster."""
    attributes = {"id": sheet.own(f), "name": name, "entryId": sheet.kind("force")}
    attributes |= {"catalogueId": sheet.kind("system"), "catalogueRevision": REVISION}
    force = _add(parent, "force", {**attributes, "catalogueName": sheet.game.name})
    own = [_Rule(f"{sheet.game.rules.WORDS.formation} notes", notes)]
    _add_rules(force, sheet, (f,), [*_of_roster(sheet), *own] if f == 0 else own)
    return force


def _of_roster(sheet: _Sheet) -> Iterator[_Rule]:
    """What a reader should know of the whole roster, and the document itself."""
    yield _Rule("Roster notes", sheet.document.notes)
    yield _Rule("House rules", "\n".join(rule.text for rule in sheet.appraisal.house_rules))
    yield _Rule("Not legal", "\n".join(reasons(sheet.document, sheet.appraisal)))
    yield _Rule(DOCUMENT_RULE, sheet.text, hidden=True)


def _add_rules(parent: Node, sheet: _Sheet, place: tuple[int, ...], found: Iterable[_Rule]) -> None:
    """A list of the rules that say something."""
    said = [rule for rule in found if rule.text]
    rules = SubElement(parent, "rules") if said else parent
    for number, (name, text, hidden) in enumerate(said):
        own = sheet.own(*place, "rule", number)
        rule = _add(rules, "rule", {"id": own, "name": name, "hidden": str(hidden).lower()})
        _add(rule, "description", {}, text)


def _add_element(parent: Node, sheet: _Sheet, place: tuple[int, int], item: Item, card: CardOf | None) -> None:
    """An element; its parts in the order that the format asks for."""
    node = _add(parent, "selection", _selection(sheet, place, item.element))
    in_words = "" if card else item.description
    _add_rules(node, sheet, place, [_Rule("Description", in_words), _Rule("Notes", item.element.notes)])
    if card:
        made = card(item.element)
        _add_profile(node, sheet, place, item.element, made)
        _add_upgrades(node, sheet, place, item.element, made)
    _add_cost(node, "cost", sheet, item.points)


def _selection(sheet: _Sheet, place: tuple[int, int], element: Element) -> dict[str, str]:
    """Attributes of an element: a purchase that stands for no models is an upgrade."""
    rules = sheet.game.rules
    own = {"customName": element.name} if element.name.strip() else {}
    profile = json.dumps(documents.profile_of(element), sort_keys=True)
    return {
        "id": sheet.own(*place),
        "name": _label(element.name, rules.WORDS.element),
        **own,
        "entryId": sheet.kind("entry", profile),
        "number": str(element.quantity),
        "type": "model" if rules.headcount(element) == element.quantity else "upgrade",
    }


def _add_profile(parent: Node, sheet: _Sheet, place: tuple[int, int], element: Element, card: Card) -> None:
    name, kind = _label(element.name, sheet.game.rules.WORDS.element), card.type_name
    attributes = {"id": sheet.own(*place, "profile"), "name": name, "hidden": "false"}
    attributes |= {"typeId": sheet.kind("profile", kind), "typeName": kind}
    profile = _add(SubElement(parent, "profiles"), "profile", attributes)
    values = SubElement(profile, "characteristics")
    for label, value in card.characteristics:
        _add(values, "characteristic", {"name": label, "typeId": sheet.kind("profile", kind, label)}, value)


def _add_upgrades(parent: Node, sheet: _Sheet, place: tuple[int, int], element: Element, card: Card) -> None:
    """Each upgrade, for as many models as have it: all."""
    if not card.upgrades:
        return
    selections = SubElement(parent, "selections")
    for u, upgrade in enumerate(card.upgrades):
        name = _label(upgrade.name, "Upgrade")
        attributes = {"id": sheet.own(*place, "upgrade", u), "name": name, "entryId": sheet.kind("upgrade", name)}
        attributes |= {"number": str(element.quantity), "type": "upgrade"}
        _add_rules(_add(selections, "selection", attributes), sheet, (*place, u), [_Rule(name, upgrade.rule_text)])


# ---------------------------------------------------------------- reading


def document_in(data: bytes) -> Any:
    """The document, as parsed JSON, inside a `.ros` or `.rosz` file of ours. Raises InvalidDocument for others."""
    if len(data) > MOST_BYTES:
        raise _refused(f"is {len(data):,} bytes long; at most {MOST_BYTES:,} are read")
    xml = _unzipped(data) if data.startswith(b"PK") else data
    return documents.parse(_shortened(_document_text(_root(xml))))


def _refused(message: str) -> InvalidDocument:
    return InvalidDocument([Fault("", message)])


_BROKEN = (BadZipFile, zlib.error, EOFError, OSError, RuntimeError, ValueError, OverflowError, struct.error)
"""What the standard library raises for archives that are damaged or strange."""


def _unzipped(data: bytes) -> bytes:
    """The one member of an archive, never more than MOST_BYTES of it."""
    try:
        with ZipFile(BytesIO(data)) as archive:
            member = _only_member(archive)
            with archive.open(member) as file:
                found = file.read(MOST_BYTES + 1)
    except _BROKEN:
        raise _refused("is not a zip archive that can be read") from None
    if len(found) > MOST_BYTES:
        raise _too_long()
    return found


def _too_long() -> InvalidDocument:
    return _refused(f"unpacks to more than {MOST_BYTES:,} bytes")


def _only_member(archive: ZipFile) -> ZipInfo:
    members = archive.infolist()
    if len(members) != 1:
        raise _refused(f"holds {len(members):,} files; a .rosz file holds one")
    member = members[0]
    if not member.filename.lower().endswith(".ros"):
        raise _refused("holds no .ros file")
    if member.flag_bits & 1 or member.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
        raise _refused("is packed in a way that is not read here")
    if member.file_size > MOST_BYTES:
        raise _too_long()
    return member


def _root(xml: bytes) -> Node:
    """The XML of a file, which declares nothing of its own: no document type, so no entities."""
    try:
        text = xml.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _refused(f"is not UTF-8 (byte {error.start})") from None
    if re.search("<!(DOCTYPE|ENTITY)", text, re.IGNORECASE):
        raise _refused("declares a document type or entities, which are not read here")
    try:
        return ElementTree.fromstring(text)
    except (ElementTree.ParseError, ValueError) as error:
        raise _refused(f"is not a BattleScribe roster: {error}") from None


def _document_text(root: Node) -> str:
    """The JSON in the rule that holds our document."""
    names = {"": NAMESPACE}
    if root.tag != f"{{{NAMESPACE}}}roster":
        raise _refused("is not a BattleScribe roster")
    for rule in root.iterfind("forces/force/rules/rule", names):
        if rule.get("name") == DOCUMENT_RULE:
            return rule.findtext("description", "", names)
    raise _refused("was not made by Armybuilder: it holds no Armybuilder document")


_ESCAPES = re.compile(r"\\\\|(?:\\u(?!00[01]|0022|005[Cc])[0-9A-Fa-f]{4})+")


def _shortened(text: str) -> str:
    """JSON with its letters beyond ASCII written out: it is the document that has a limit, not its escapes."""
    return _ESCAPES.sub(lambda found: found[0] if found[0] == "\\\\" else json.loads(f'"{found[0]}"'), text)
