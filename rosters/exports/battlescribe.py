"""Export a roster as a BattleScribe 2.03 file, which New Recruit reads too, and import the document from such a file.

`.ros` is XML, `.rosz` a zip with one `.ros` inside. The complete document is embedded as JSON, without the ids
of formations and elements, in a hidden rule of the first force, so that our own files are imported without loss.
None of them has been opened in New Recruit or BattleScribe yet.
"""

from __future__ import annotations

import json
import re
import struct
import zlib
from collections.abc import Iterable, Iterator
from hashlib import sha256
from io import BytesIO
from typing import Any, NamedTuple
from xml.etree import ElementTree
from xml.etree.ElementTree import Element as Node
from xml.etree.ElementTree import SubElement
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from rosters.core import documents
from rosters.core.amounts import Amount, format_decimal
from rosters.core.appraisals import Appraisal, AppraisedFormations, terms_of
from rosters.core.documents import NOT_UTF8, TOO_LARGE, AnyDocument, Element, InvalidDocument, invalid
from rosters.core.messages import _
from rosters.exports.characteristics import Upgrade
from rosters.exports.listing import Game, ListedElement, ListedFormation, budget, groups, reasons

NAMESPACE = "http://www.battlescribe.net/schema/rosterSchema"
VERSION = "2.03"
REVISION = "1"
"""The revision of the game system. It never changes, as there is no catalogue that could be newer."""
DOCUMENT_RULE = "Armybuilder document"
MEMBER = "roster.ros"
MAX_BYTES = 4 * documents.MAX_BYTES
"""The largest file that is read, zipped or unzipped."""
MAX_COMPLETE = 3_000_000
"""Bytes of the largest export with profiles and upgrades; a larger one is written without them."""


def rosz(document: AnyDocument, appraisal: Appraisal, appraised: AppraisedFormations, game: Game) -> bytes:
    """The roster as a `.rosz` file. The same roster gives the same bytes."""
    member = ZipInfo(MEMBER, (1980, 1, 1, 0, 0, 0))
    member.compress_type, member.create_system, member.external_attr = ZIP_DEFLATED, 3, 0o644 << 16
    out = BytesIO()
    with ZipFile(out, "w") as archive:
        archive.writestr(member, ros(document, appraisal, appraised, game))
    return out.getvalue()


def ros(document: AnyDocument, appraisal: Appraisal, appraised: AppraisedFormations, game: Game) -> bytes:
    """The roster as a `.ros` file. The same roster gives the same bytes."""
    text = embedded(document, appraisal)
    export = _Export(document, appraisal, game, text, identity(text))
    forces = [*groups(document, appraisal, appraised)]
    complete = _bytes(export, forces)
    return complete if len(complete) <= MAX_COMPLETE else _bytes(export._replace(complete=False), forces)


def embedded(document: AnyDocument, appraisal: Appraisal) -> str:
    """The document as ASCII JSON without ids, and without its budget if points are hidden."""
    data = documents.write(document)
    if appraisal.points is None:
        data["budget"] = None
    for formation in data["formations"]:
        for item in (formation, *formation["elements"]):
            item.pop("id", None)
    return json.dumps(data, ensure_ascii=True, separators=(",", ":"))


def identity(*parts: str) -> str:
    """An id in BattleScribe's format, derived from the parts."""
    digest = sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()
    return f"{digest[:4]}-{digest[4:8]}-{digest[8:12]}-{digest[12:16]}"


# ---------------------------------------------------------------- writing


class _Export(NamedTuple):
    """The roster to export, with the text of its document. ``seed`` makes the ids unique to it.

    Elements have profiles and upgrades if it is ``complete``, otherwise only their description.
    """

    document: AnyDocument
    appraisal: Appraisal
    game: Game
    text: str
    seed: str
    complete: bool = True

    def own(self, *place: str | int) -> str:
        """The id of a position in this roster."""
        return identity(self.seed, *map(str, place))

    def kind(self, *names: str) -> str:
        """The id of a type or an entry; the same in every roster of the game."""
        return identity(self.game.slug, *names)


class _Rule(NamedTuple):
    """A rule to write; one without text is left out."""

    name: str
    text: str
    hidden: bool = False


_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 cannot hold, not even escaped."""


def clean(text: str) -> str:
    """Text for XML; invalid characters become U+FFFD, the replacement character."""
    return _NO_XML.sub("\ufffd", text)


def _label(name: str, fallback: str) -> str:
    """A name, or the fallback if it is blank."""
    return name if name.strip() else fallback


def _bytes(export: _Export, forces: list[ListedFormation]) -> bytes:
    root = _roster(export)
    nodes = SubElement(root, "forces")
    for f, group in enumerate(forces):
        _add_force(nodes, export, f, group)
    if not forces:
        _open_force(nodes, export, 0, export.game.rules.WORDS.formation, "")
    body: str = ElementTree.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n{body}'.encode()


def _add(parent: Node, tag: str, attributes: dict[str, str], text: str | None = None) -> Node:
    node = SubElement(parent, tag, {name: clean(value) for name, value in attributes.items()})
    node.text = None if text is None else clean(text)
    return node


def _roster(export: _Export) -> Node:
    game = export.game
    root = Node("roster", {"xmlns": NAMESPACE, "id": export.own("roster")})
    root.set("name", clean(_label(export.document.name, game.name)))
    root.set("battleScribeVersion", VERSION)
    root.set("gameSystemId", export.kind("system"))
    root.set("gameSystemName", game.name)
    root.set("gameSystemRevision", REVISION)
    _add_cost(root, "cost", export, export.appraisal.points)
    _add_cost(root, "costLimit", export, budget(export.appraisal))
    return root


def _add_cost(parent: Node, tag: str, export: _Export, amount: Amount | None) -> None:
    if amount is not None:
        costs, name = SubElement(parent, f"{tag}s"), export.game.rules.WORDS.points
        _add(costs, tag, {"name": name, "typeId": export.kind("points"), "value": format_decimal(amount)})


def _add_force(parent: Node, export: _Export, f: int, group: ListedFormation) -> None:
    name = _label(group.formation.name, export.game.rules.WORDS.formation)
    force = _open_force(parent, export, f, name, group.formation.notes)
    if group.items:
        selections = SubElement(force, "selections")
        for e, item in enumerate(group.items):
            _add_element(selections, export, (f, e), item)


def _open_force(parent: Node, export: _Export, f: int, name: str, notes: str) -> Node:
    """A force with its rules; the first one also has the rules of the roster."""
    attributes = {"id": export.own(f), "name": name, "entryId": export.kind("force")}
    attributes |= {"catalogueId": export.kind("system"), "catalogueRevision": REVISION}
    force = _add(parent, "force", {**attributes, "catalogueName": export.game.name})
    own = [_Rule(f"{export.game.rules.WORDS.formation} notes", notes)]
    _add_rules(force, export, (f,), [*_roster_rules(export), *own] if f == 0 else own)
    return force


def _roster_rules(export: _Export) -> Iterator[_Rule]:
    """Notes, house rules and errors of the roster, and the document itself."""
    yield _Rule("Roster notes", export.document.notes)
    yield _Rule("House rules", "\n".join(rule.text for rule in export.appraisal.house_rules))
    yield _Rule("Not legal", "\n".join(reasons(export.document, export.appraisal)))
    yield _Rule(DOCUMENT_RULE, export.text, hidden=True)


def _add_rules(parent: Node, export: _Export, place: tuple[int, ...], candidates: Iterable[_Rule]) -> None:
    """The rules that have a text."""
    shown = [rule for rule in candidates if rule.text]
    rules = SubElement(parent, "rules") if shown else parent
    for number, (name, text, hidden) in enumerate(shown):
        own = export.own(*place, "rule", number)
        rule = _add(rules, "rule", {"id": own, "name": name, "hidden": str(hidden).lower()})
        _add(rule, "description", {}, text)


def _add_element(parent: Node, export: _Export, place: tuple[int, int], item: ListedElement) -> None:
    """An element; its parts in the order that the format requires."""
    node = _add(parent, "selection", _selection(export, place, item.element))
    description = "" if export.complete else item.description
    _add_rules(node, export, place, [_Rule("Description", description), _Rule("Notes", item.element.notes)])
    if export.complete:
        values, upgrades = export.game.characteristics_of(item.element, terms_of(export.document))
        _add_profile(node, export, place, item.element.name, values)
        if upgrades:
            _add_upgrades(node, export, place, item.element.quantity, upgrades)
    _add_cost(node, "cost", export, item.points)


def _selection(export: _Export, place: tuple[int, int], element: Element) -> dict[str, str]:
    """The attributes of an element; a purchase without models is an upgrade."""
    rules = export.game.rules
    own = {"customName": element.name} if element.name.strip() else {}
    profile = json.dumps(documents.profile_of(element), sort_keys=True)
    return {
        "id": export.own(*place),
        "name": _label(element.name, rules.WORDS.element),
        **own,
        "entryId": export.kind("entry", profile),
        "number": str(element.quantity),
        "type": "model" if rules.headcount(element) == element.quantity else "upgrade",
    }


def _add_profile(
    parent: Node, export: _Export, place: tuple[int, int], name: str, characteristics: Iterable[tuple[str, str]]
) -> None:
    kind = export.game.rules.WORDS.element
    attributes = {"id": export.own(*place, "profile"), "name": _label(name, kind), "hidden": "false"}
    attributes |= {"typeId": export.kind("profile", kind), "typeName": kind}
    profile = _add(SubElement(parent, "profiles"), "profile", attributes)
    values = SubElement(profile, "characteristics")
    for label, value in characteristics:
        _add(values, "characteristic", {"name": label, "typeId": export.kind("profile", kind, label)}, value)


def _add_upgrades(
    parent: Node, export: _Export, place: tuple[int, int], quantity: int, upgrades: Iterable[Upgrade]
) -> None:
    """Each upgrade, once for every model of the element."""
    selections = SubElement(parent, "selections")
    for u, upgrade in enumerate(upgrades):
        name = _label(upgrade.name, "Upgrade")
        attributes = {"id": export.own(*place, "upgrade", u), "name": name, "entryId": export.kind("upgrade", name)}
        attributes |= {"number": str(quantity), "type": "upgrade"}
        _add_rules(_add(selections, "selection", attributes), export, (*place, u), [_Rule(name, upgrade.rule_text)])


# ---------------------------------------------------------------- reading


def document_in(data: bytes) -> Any:
    """The document, as parsed JSON, inside a `.ros` or `.rosz` file of ours. Raises InvalidDocument for others."""
    if len(data) > MAX_BYTES:
        raise invalid(TOO_LARGE, size=f"{len(data):,}", most=f"{MAX_BYTES:,}")
    xml = _unzipped(data) if data.startswith(b"PK") else data
    return documents.parse(_unescape(_document_text(_root(xml))))


_BROKEN = (BadZipFile, zlib.error, EOFError, OSError, RuntimeError, ValueError, OverflowError, struct.error)
"""The exceptions of the standard library for damaged or unusual archives."""


def _unzipped(data: bytes) -> bytes:
    """The only member of an archive, limited to MAX_BYTES."""
    try:
        with ZipFile(BytesIO(data)) as archive:
            member = _only_member(archive)
            with archive.open(member) as file:
                content = file.read(MAX_BYTES + 1)
    except _BROKEN:
        raise invalid(_("is not a zip archive that can be read")) from None
    if len(content) > MAX_BYTES:
        raise _too_long()
    return content


def _too_long() -> InvalidDocument:
    return invalid(_("unpacks to more than {most} bytes"), most=f"{MAX_BYTES:,}")


def _only_member(archive: ZipFile) -> ZipInfo:
    members = archive.infolist()
    if len(members) != 1:
        raise invalid(_("holds {number} files; a .rosz file holds one"), number=f"{len(members):,}")
    member = members[0]
    if not member.filename.lower().endswith(".ros"):
        raise invalid(_("holds no .ros file"))
    if member.flag_bits & 1 or member.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
        raise invalid(_("is packed in a way that is not read here"))
    if member.file_size > MAX_BYTES:
        raise _too_long()
    return member


def _root(xml: bytes) -> Node:
    """Parse the XML of a file. Document types are rejected, so there are no entities to expand."""
    try:
        text = xml.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise invalid(NOT_UTF8, number=error.start) from None
    if re.search("<!(DOCTYPE|ENTITY)", text, re.IGNORECASE):
        raise invalid(_("declares a document type or entities, which are not read here"))
    try:
        return ElementTree.fromstring(text)
    except (ElementTree.ParseError, ValueError) as error:
        raise invalid(_("is not a BattleScribe roster: {error}"), error=str(error)) from None


def _document_text(root: Node) -> str:
    """The JSON of our document, from the rule that embeds it."""
    names = {"": NAMESPACE}
    if root.tag != f"{{{NAMESPACE}}}roster":
        raise invalid(_("is not a BattleScribe roster"))
    for rule in root.iterfind("forces/force/rules/rule", names):
        if rule.get("name") == DOCUMENT_RULE:
            return rule.findtext("description", "", names)
    raise invalid(_("was not made by Armybuilder: it holds no Armybuilder document"))


_ESCAPES = re.compile(r"\\\\|(?:\\u(?!00[01]|0022|005[Cc])[0-9A-Fa-f]{4})+")


def _unescape(text: str) -> str:
    """JSON with non-ASCII characters unescaped: the size limit is that of the document, not of its escapes."""
    return _ESCAPES.sub(lambda match: match[0] if match[0] == "\\\\" else json.loads(f'"{match[0]}"'), text)
