"""A roster as text, as a table and as a BattleScribe file: true to its appraisal, safe to open, and read back whole."""

import csv
import io
import re
import struct
import zipfile
from collections import namedtuple
from contextlib import suppress
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rosters import registry
from rosters.core import amounts, documents
from rosters.core.appraisals import terms_of
from rosters.exports import battlescribe, text
from rosters.exports import csv as csv_export
from rosters.systems.mini_combat.rules import CAPABILITIES
from rosters.systems.vsgmr.rules import TRAITS
from tests import support
from tests.strategies import any_documents
from tests.support import missing, roster_data, without_ids

PRICED = ["mini-combat/naval-squadron", "6mm/rommel", "msc/book-squadron", "vsgmr/dwarves"]
"""A sample army of each system that has points."""
TEXTS = ("plain", "markdown", "one line")

NS = f"{{{battlescribe.NAMESPACE}}}"

Case = namedtuple("Case", "document appraisal lines game")
"""What every export takes."""


def case(data):
    document = registry.read(data)
    game, lines = registry.SYSTEMS[document.system], registry.appraise_elements(document)
    return Case(document, registry.appraise(document, lines), lines, game)


def army(slug):
    return case(support.sample_data(*slug.split("/")))


def hidden(found):
    """The same without points, as a redacted copy has it."""
    return found._replace(appraisal=found.appraisal._replace(points=None))


def exports(found):
    return {
        "plain": text.plain_text(*found),
        "markdown": text.markdown(*found),
        "one line": text.one_line(*found),
        "table": csv_export.csv_text(*found),
        "ros": battlescribe.ros(*found).decode(),
    }


def cells(found):
    """The rows of the table as a spreadsheet reads them, header first."""
    return [*csv.reader(io.StringIO(csv_export.csv_text(*found), newline=""), strict=True)]


def xml(found):
    return ElementTree.fromstring(battlescribe.ros(*found))


@pytest.mark.parametrize("slug", [*PRICED, "urutsk/ferry-crossing-garrison"])
def test_a_sample_army_is_listed_whole_in_every_export_and_a_game_without_points_has_none(slug):
    found = army(slug)
    roster, names = exports(found), [element.name for element in found.document.elements]
    for line in (line for formation in found.lines for line in formation.elements):
        counted = f"{line.element.quantity}x {line.element.name}"
        assert counted in roster["plain"]
        assert f"  {' '.join(line.description.split())}\n" in roster["plain"]
        assert text.escape_markdown(counted) in roster["markdown"]
        assert line.element.name in roster["one line"]
    assert [row[1] for row in cells(found)[1:]] == [node.get("name") for node in models(xml(found))] == names
    assert (
        ("<cost" in roster["ros"])
        == ("points" in roster["plain"] + roster["one line"] + roster["table"])
        == (slug in PRICED)
    )


@given(any_documents())
def test_every_readable_document_goes_through_every_export_and_back(data):
    """The same roster gives the same bytes whatever its ids; every element has the same characteristics, none empty."""
    found = case(data)
    for each in (found, hidden(found)):
        roster = exports(each)
        assert "\n" not in roster["one line"]
        assert len(cells(each)) == 1 + len(found.document.elements)
        assert_battlescribe(ElementTree.fromstring(roster["ros"]))
    packed = battlescribe.rosz(*found)
    assert documents.write(registry.read(battlescribe.document_in(packed))) == without_ids(found.document)
    assert battlescribe.rosz(*case(without_ids(found.document))) == packed
    terms = terms_of(found.document)
    each = [found.game.characteristics_of(element, terms).values for element in found.document.elements]
    assert all(value for values in each for _, value in values)
    assert len({tuple(name for name, _ in values) for values in each}) <= 1


@pytest.mark.parametrize("slug", PRICED)
def test_points_are_those_of_the_appraisal_and_hidden_ones_appear_nowhere(slug):
    open_copy = army(slug)
    priced = [line for formation in open_copy.appraisal.formations for line in formation.elements]
    shown = [(amounts.format_decimal(line.unit_points), amounts.format_decimal(line.points)) for line in priced]
    root = xml(open_copy)
    assert [(row[3], row[4]) for row in cells(open_copy)[1:]] == shown
    costs = [node.find(f"{NS}costs/{NS}cost").get("value") for node in (root, *models(root))]
    assert costs == [amounts.format_decimal(open_copy.appraisal.points), *(points for _, points in shown)]
    found = hidden(case({**documents.write(open_copy.document), "notes": ""}))  # an author may write of points
    roster = exports(found)
    assert {*cells(found)[0]}.isdisjoint({"each", "points"})
    assert not any(re.search(rf"\d+ {found.game.rules.WORDS.points}\b", roster[name]) for name in TEXTS)
    assert "<cost" not in roster["ros"]
    assert battlescribe.document_in(roster["ros"].encode())["budget"] is None
    names = [f"{element.quantity}x {element.name}\n" for element in found.document.elements]
    assert missing(names, roster["plain"]) == []


def test_the_text_and_the_line_of_a_small_roster_and_why_and_where_one_is_not_legal():
    roster = exports(army("vsgmr/dwarves"))
    assert roster["plain"] == (
        "Dwarves\nVSGMR · Basic game\n28 of 30 points\nLegal\n\n"
        "Warband: 28 points\n"
        "1x Thane 4\n  Hero, commander, heavy armor, Tough\n"
        "1x Runepriest 6\n  Hero, Inspiration, Tough\n  Tough needs armor, and the rulebook gives this figure none.\n"
        "3x Guard 18\n  Hero, heavy armor, Tough\n\n"
        "Notes\nFew and hard to kill.\n\n"
        "Entries\n[vsgmr] Dwarves\nlimit: 30\nscenario: basic\n# Warband\n"
        "hero commander tough Thane\nhero inspiration tough Runepriest\n3 hero heavy tough Guard\n"
    )
    assert roster["one line"] == "Dwarves · VSGMR · 28/30 points · legal · Warband: Thane, Runepriest, 3 Guards"
    found = case(roster_data("msc", [{"engine": 9, "shield": 1}], [], options={"max_engine": 6}))
    roster, fault = exports(found), "ENGINE is 9. It must be 0 to 6."
    assert f"Not legal:\n- Element 1: {fault}\n- Formation 2: The fleet" in roster["plain"]
    assert missing(("**not legal**", f"\n- {text.escape_markdown(f'Element 1: {fault}')}\n"), roster["markdown"]) == []
    assert " · not legal · " in roster["one line"]
    assert f"Element 1: {fault}" in rules_of(xml(found))["Not legal"]
    assert f"error: {fault}" in cells(found)[1][6]
    assert all("Highest ENGINE" in roster[name] for name in ("plain", "markdown", "ros"))


HOSTILE = [
    *("# Title", "* item", "- item", "+ item", "1. item", "1) item", "> quote", "    code", "```", "~~~", "---", "==="),
    *("[a](http://b)", "![a](b)", "<b>x</b>", "<!-- x -->", "&lt;", "`x`", "**x**", "__x__", "~~x~~", "|a|b|", "a\\"),
    *("http://example.com", "www.example.com", "a@example.com", "@all", ":smile:", "a\n# b", "a\r\n\r\n* b", "a  \nb"),
    *("a\u2028# b", "a\x0b# b", "$x$", "x^2^", "==x=="),
]
PLAIN_SIGNS = re.compile(r"(?<!\\)(?:\\\\)*[`*_{}\[\]()<>#+\-.!|~&$:@=^]")


def named(name, element=None):
    """A roster of one element in which every name and note is the same."""
    data = roster_data("vsgmr", [element or {"kind": "hero", "traits": [name], "notes": name}], name=name, notes=name)
    data["formations"][0] |= {"name": name, "notes": name}
    data["formations"][0]["elements"][0]["name"] = name
    return case(data)


def test_no_text_of_a_user_becomes_markdown_or_a_formula_and_the_table_keeps_numbers_and_quotes():
    """Every sign with a meaning is escaped, and a name never leaves its line."""
    for name in HOSTILE:
        roster, _, entries = exports(named(name))["markdown"].rpartition("\n## Entries\n\n")
        assert (entries.count("\n```") > 0, entries.count("\n")) == (True, 5)
        assert PLAIN_SIGNS.search(text.escape_markdown(name)) is None
        assert roster.count("\n# ") + roster.startswith("# ") == 1
        assert roster.count("\n## ") == 2  # the formation and the notes
        bare = roster.replace("\nNot legal:\n", "").replace("\n## ", "\n").replace("\n- ", "\n").replace("**", "")
        assert PLAIN_SIGNS.search(bare.removeprefix("# ")) is None
    header, *rows, end = csv_export.csv_text(*army("msc/book-squadron")[:4]).split("\r\n")
    assert header == "formation,element,quantity,each,points,description,findings,notes,entry"
    assert (len(rows), end, [row for row in rows if "\n" in row]) == (3, "", [])
    notes = 'a "b", c\r\nd\ne\rf'
    _, row = cells(case(roster_data("msc", [{"engine": -5, "quantity": 3, "notes": notes}])))
    assert (row[2:5], row[-2:]) == (["3", "-5", "-15"], [notes, "3 -5/0/0 Element 1"])
    for start in SIGNS:
        name = f'{start}HYPERLINK("http://x","y")'
        _, row = cells(named(name))
        assert row[0] == row[1] == row[-2] == f"'{name}"
        assert not any(cell.startswith(SIGNS) for cell in row)


SIGNS = ("=", "+", "-", "@", "\t", "\r", "\n", *"\uff1d\uff0b\uff0d\uff20")
"""Start a formula in a spreadsheet."""

LISTS = ["costs", "costLimits", "forces", "rules", "profiles", "selections", "categories", "characteristics"]
SHAPES = {  # tag: its children in the order of the format, and its required attributes
    "roster": ("costs costLimits forces", "id name battleScribeVersion gameSystemId gameSystemName gameSystemRevision"),
    **dict.fromkeys(("cost", "costLimit"), ("", "name typeId value")),
    "force": ("rules profiles selections", "id name entryId catalogueId catalogueRevision catalogueName"),
    "selection": ("rules profiles selections costs categories", "id name entryId number type"),
    "profile": ("characteristics", "id name typeId typeName hidden"),
    "characteristic": ("", "name typeId"),
    "rule": ("description", "id name hidden"),
    "description": ("", ""),
}


def assert_battlescribe(root):
    """The file has the elements and attributes of the format, in its order, and its ids are unique."""
    assert all(node.tag.startswith(NS) for node in root.iter())
    assert (root.tag, root.get("battleScribeVersion")) == (f"{NS}roster", "2.03")
    for node in root.iter():
        name, *children = (each.tag.removeprefix(NS) for each in (node, *node))
        if name in LISTS:
            assert set(children) == {name.removesuffix("s")}
            continue
        order, attributes = SHAPES[name]
        assert {*node.attrib} - ({"customName"} if name == "selection" else set()) == {*attributes.split()}
        assert children == [child for child in order.split() if child in children]
    ids = [node.get("id") for node in root.iter() if node.get("id") is not None]
    assert len(ids) == len(set(ids))
    for selection in root.iter(f"{NS}selection"):
        assert selection.get("type") in {"unit", "model", "upgrade"}
        assert selection.get("number").isdigit()
    for cost in (*root.iter(f"{NS}cost"), *root.iter(f"{NS}costLimit")):
        assert re.fullmatch(r"-?\d+(\.\d+)?", cost.get("value"))


def models(root):
    return root.findall(f"{NS}forces/{NS}force/{NS}selections/{NS}selection")


def rules_of(root):
    """The rules of the first force, by name."""
    found = root.find(f"{NS}forces/{NS}force").iterfind(f"{NS}rules/{NS}rule")
    return {rule.get("name"): rule.findtext(f"{NS}description") for rule in found}


def upgrades(system, element):
    """Names of an element's upgrades and the texts of their rules."""
    (node,) = models(xml(case(roster_data(system, [element]))))
    found = node.findall(f"{NS}selections/{NS}selection")
    assert all(each.get("type") == "upgrade" and each.get("number") == node.get("number") for each in found)
    return [(each.get("name"), each.findtext(f"{NS}rules/{NS}rule/{NS}description")) for each in found]


def test_a_battlescribe_file_has_profiles_points_ids_of_its_own_and_upgrades_with_their_rules():
    root = xml(army("msc/book-squadron"))
    total, limit = root.find(f"{NS}costs/{NS}cost"), root.find(f"{NS}costLimits/{NS}costLimit")
    assert (total.get("name"), total.get("value"), limit.get("value")) == ("BP", "45", "45")
    profile = models(root)[0].find(f"{NS}profiles/{NS}profile")
    assert (profile.get("name"), profile.get("typeName")) == ("Ship 1", "Ship")
    found = [(node.get("name"), node.text) for node in profile.iter(f"{NS}characteristic")]
    assert found == [("ENGINE", "3"), ("SHIELD", "3"), ("TO-HIT", "3"), ("Weapons", "F FL FR")]
    one, other = (xml(case(roster_data("msc", [{"engine": engine}]))) for engine in (1, 2))
    assert one.get("id") != other.get("id")
    types = [[node.get(key) for node in each.iter() for key in ("gameSystemId", "typeId")] for each in (one, other)]
    assert types[0] == types[1]
    figure = {"kind": "hero", "traits": ["tough", "support", "weapon-master", "x"], "support": "armor", "quantity": 2}
    found = upgrades("vsgmr", {**figure, "powers": {"super-armor": "minor", "y": "z"}})
    names = ["Tough", "Support (armor rolls)", "Weapon Master (Combat Master)", "x", "Super-Armor (minor)", "y (z)"]
    assert [name for name, rule in found if rule] == names
    assert found[0][1] == TRAITS["tough"].text
    capabilities = [{"code": "T", "count": 4}, {"code": "Den", "denies": "Ch"}, {"custom": "Own", "percent": 1}]
    transport, deny, *others = upgrades("mini-combat", {"capabilities": [*capabilities, {"code": "?"}]})
    assert transport == (f"{CAPABILITIES['T'].name} (T4)", CAPABILITIES["T"].text)
    assert CAPABILITIES["Ch"].text in deny[1]
    assert [name for name, _ in others] == ["Own", "?"]
    purchase_and_stand = roster_data("6mm", [{"type": code, "quantity": 4} for code in ("WORKS", "ARC")])
    nodes = models(xml(case(purchase_and_stand)))
    assert [(node.get("type"), node.get("number")) for node in nodes] == [("upgrade", "4"), ("model", "4")]


def test_what_xml_cannot_hold_is_kept_in_the_document_and_a_long_file_is_written_shorter_and_comes_back(monkeypatch):
    name = "a\x01b\x1f\uffffc\ud7ff\U0001f451"
    root = xml(named(name))
    assert root.get("name") == rules_of(root)["Roster notes"] == "a\ufffdb\ufffd\ufffdc\ud7ff\U0001f451"
    assert battlescribe.document_in(battlescribe.ros(*named(name)))["notes"] == name
    notes = 'é\\u00e9\\\\é"\U0001f451\x7f\x80\n' * 500
    data = roster_data("msc", *[[{"notes": notes}] for _ in range(75)], name="é")
    assert 750_000 < len(documents.dumps(data).encode()) < documents.MAX_BYTES
    found = case(data)
    assert len(battlescribe.embedded(found.document, found.appraisal)) > documents.MAX_BYTES
    assert registry.read(battlescribe.document_in(battlescribe.rosz(*found))) == found.document

    found = case(roster_data("mini-combat", [{"movement": 10, "capabilities": [{"code": "MA"}, {"code": "Sc"}]}] * 9))
    whole = battlescribe.ros(*found)
    monkeypatch.setattr(battlescribe, "MAX_COMPLETE", len(whole) - 1)
    roster = battlescribe.ros(*found)
    assert len(roster) < len(whole)
    assert (
        models(ElementTree.fromstring(roster))[0].findtext(f"{NS}rules/{NS}rule/{NS}description").startswith("move 10")
    )
    assert registry.read(battlescribe.document_in(roster)) == found.document


def archive(*members, method=zipfile.ZIP_DEFLATED):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as roster:
        for name, data in members:
            roster.writestr(name, data)
    return out.getvalue()


LAUGHS = b"""<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>
<roster xmlns="http://www.battlescribe.net/schema/rosterSchema"><forces><force>&b;</force></forces></roster>"""

OTHER = b'<roster xmlns="http://www.battlescribe.net/schema/rosterSchema"><forces><force/></forces></roster>'


def patched(data, mark, offset, value):
    """An archive with other bytes in its directory."""
    changed = bytearray(data)
    struct.pack_into("<I", changed, changed.rindex(mark) + offset, value)
    return bytes(changed)


BLANK = archive(("a.ros", b" " * (battlescribe.MAX_BYTES + 100)))
ONE = archive(("a.ros", OTHER))
REFUSED = {  # why, and the files that are refused for it
    "is not a BattleScribe roster": [
        *(b"", b"{}", b"<roster/>", OTHER[:-3], archive(("a.ros", b"PK")), b"<a>" * 200_000 + b"</a>" * 200_000),
    ],
    "was not made by Armybuilder": [OTHER],
    "declares a document type": [LAUGHS, b"\xef\xbb\xbf" + LAUGHS, archive(("a.ros", LAUGHS))],
    "is not UTF-8": [LAUGHS.decode().encode("utf-16")],
    "is not a zip archive that can be read": [
        *(b"PK\x03\x04", patched(BLANK, b"PK\x01\x02", 24, 100)),  # the second has a wrong length
    ],
    "holds 0 files": [archive()],
    "holds 2 files": [archive(("a.ros", OTHER), ("b.ros", OTHER))],
    "holds no .ros file": [archive(("a.txt", OTHER))],
    "is packed in a way": [  # the second is encrypted
        *(archive(("a.ros", OTHER), method=zipfile.ZIP_LZMA), patched(ONE, b"PK\x01\x02", 8, 1)),
    ],
    "unpacks to more than": [BLANK],
    "bytes long": [b"<" * (battlescribe.MAX_BYTES + 1)],
}


def test_a_file_that_is_not_ours_is_refused_with_a_reason():
    whole = battlescribe.ros(*army("vsgmr/dwarves"))
    before, after = re.split(rb"(?<=<description>)\{.*?(?=</description>)", whole)
    spoiled = (b"", b"[", b"\\ud800", b'{"a":1,"a":2}', b'"\\ud800"', b"1" * 5000)
    for why, files in {**REFUSED, "": [before + put + after for put in spoiled]}.items():
        for data in files:
            with pytest.raises(documents.InvalidDocument) as caught:
                battlescribe.document_in(data)
            (fault,) = caught.value.faults
            assert (fault.path, why in fault.message) == ("", True), (data[:40], why)
    with pytest.raises(documents.InvalidDocument):  # by the reader of documents
        registry.read(battlescribe.document_in(whole.replace(b'"version":1', b'"version":9')))


@given(st.sampled_from([battlescribe.ros, battlescribe.rosz]), st.data())
def test_a_damaged_file_is_read_or_refused_and_nothing_else_happens(write, draw):
    data = bytearray(write(*army("msc/book-squadron")))
    for _ in range(draw.draw(st.integers(1, 4))):
        data[draw.draw(st.integers(0, len(data) - 1))] = draw.draw(st.integers(0, 255))
    cut = draw.draw(st.none() | st.integers(0, len(data)))
    with suppress(documents.InvalidDocument):
        battlescribe.document_in(bytes(data[:cut]))
