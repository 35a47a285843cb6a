"""What a roster document may hold, what is refused and where, and that writing it loses nothing."""

import copy
import json

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rosters import documents, registry
from rosters.documents import MAX_BYTES, MAX_ELEMENTS, MAX_FAULTS, Refused, parse, write
from tests.strategies import HOUSE_RULES, PATIENT, SYSTEMS
from tests.strategies import documents as odd_documents
from tests.support import FIXTURES, roster

NAN, INFINITY = float("nan"), float("inf")
LONE = "\ud800"
ELEMENT = "formations/0/elements/0"
ARMIES = sorted(FIXTURES.glob("armies/*/*.json"))

# system: the least that an element of it must say
LEAST = {"mini-combat": {}, "6mm": {"type": "MSK"}, "msc": {}, "vsgmr": {"kind": "hero"}, "urutsk": {}}

NO_WHOLE_NUMBER = ["3", True, False, None, 3.0, 3.5, NAN, INFINITY, -INFINITY, 1e999, [3], {}]
NO_NUMBER = ["3", True, False, NAN, INFINITY, -INFINITY, 1e999, [3], {}]
NO_TEXT = [3, True, None, ["a"], {}]
NO_FLAG = [0, 1, "true", None, []]

# what stands at a key of an element instead: system, key, values that are refused
WRONG_VALUES = [
    ("msc", "quantity", [*NO_WHOLE_NUMBER, -1, 10_001, 10**400]),
    ("msc", "engine", [*NO_WHOLE_NUMBER, 1_000_001, -1_000_001, 10**400]),
    ("msc", "weapons", ["F", None, {"F": 1}, 1]),
    ("msc", "name", [*NO_TEXT, "x" * 121, "a\0b", f"a{LONE}b"]),
    ("msc", "notes", [*NO_TEXT, "x" * 10_001, "\0", LONE]),
    ("msc", "secret", NO_FLAG),
    ("msc", "marks", [None, {}, "x", 1]),
    ("msc", "id", [3, True, "", "x" * 37, "\0", LONE]),
    ("mini-combat", "to_hit", ["7", True, 3.0, 1_000_001]),
    ("mini-combat", "kind", ["tank", "Infantry", None, 1]),
    ("mini-combat", "command", NO_FLAG),
    ("mini-combat", "capabilities", [None, "MA", {"code": "MA"}]),
    ("6mm", "type", [*NO_TEXT, "x" * 61, "\0"]),
    ("6mm", "quality", [*NO_TEXT, "x" * 61]),
    ("6mm", "armour", ["thick", True, 1]),
    ("6mm", "gun", ["musket", 1]),
    ("6mm", "agreed", NO_WHOLE_NUMBER),
    ("6mm", "duplicates", [None, {}, "MSK"]),
    ("vsgmr", "kind", [*NO_TEXT, "x" * 61]),
    ("vsgmr", "support", ["magic", 1, True]),
    ("vsgmr", "powers", [None, [], "super-armor"]),
    ("urutsk", "fate", NO_WHOLE_NUMBER),
    ("urutsk", "fire", ["volley", None, 1]),
    ("urutsk", "protection", [*NO_TEXT, "x" * 10_001]),
]

# fields of an element, and the paths below it at which they are refused
WRONG_ELEMENTS = [
    ("msc", {"weapons": ["F", 1, "x" * 61]}, ["weapons/1", "weapons/2"]),
    ("msc", {"marks": [{"engine": -1}]}, ["marks/0/engine"]),
    ("msc", {"marks": [{"engine": True}]}, ["marks/0/engine"]),
    ("msc", {"marks": [{"fate": 1}]}, ["marks/0/fate"]),
    ("msc", {"marks": [{}, {}]}, ["marks"]),
    ("msc", {"quantity": 0, "marks": [{}]}, ["marks"]),
    ("msc", {"quantity": -1, "marks": [{}]}, ["marks", "quantity"]),
    ("msc", {"armor": 2, "kind": "hero"}, ["armor", "kind"]),
    ("msc", {"Engine": 2}, ["Engine"]),
    ("mini-combat", {"capabilities": [{}]}, ["capabilities/0/code"]),
    ("mini-combat", {"capabilities": [{"code": None}]}, ["capabilities/0/code"]),
    ("mini-combat", {"capabilities": [{"code": "MA", "scatters": True}]}, ["capabilities/0/scatters"]),
    ("mini-combat", {"capabilities": [{"code": "MA"}, {"code": "T", "turns": 3}]}, ["capabilities/1/turns"]),
    ("mini-combat", {"capabilities": [{"code": "OS", "turns": 0}]}, ["capabilities/0/turns"]),
    ("mini-combat", {"capabilities": [{"code": "Heal", "on": 5}]}, ["capabilities/0/on"]),
    ("mini-combat", {"capabilities": [{"code": "Fly", "form": "ethereal"}]}, ["capabilities/0/form"]),
    ("mini-combat", {"capabilities": [{"code": "T", "count": 2.0}]}, ["capabilities/0/count"]),
    ("mini-combat", {"capabilities": [{"code": "x" * 61}]}, ["capabilities/0/code"]),
    ("mini-combat", {"capabilities": [{"custom": "Own"}]}, ["capabilities/0/percent"]),
    ("mini-combat", {"capabilities": [{"custom": "Own", "percent": NAN}]}, ["capabilities/0/percent"]),
    ("mini-combat", {"capabilities": [{"custom": "Own", "percent": True}]}, ["capabilities/0/percent"]),
    ("mini-combat", {"capabilities": [{"custom": "Own", "percent": 10**400}]}, ["capabilities/0/percent"]),
    ("mini-combat", {"capabilities": [{"code": "MA", "percent": 5}]}, ["capabilities/0/percent"]),
    ("mini-combat", {"capabilities": [{"code": "MA", "custom": "Own", "percent": 5}]}, ["capabilities/0/custom"]),
    ("6mm", {"type": "WORKS", "quality": "good"}, ["quality"]),
    ("6mm", {"type": "TRANSPORT", "marks": []}, ["marks"]),
    ("6mm", {"duplicates": [{"type": "MSK", "name": "Two"}]}, ["duplicates/0/name"]),
    ("6mm", {"duplicates": [{"quantity": 2}]}, ["duplicates/0/type"]),
    ("6mm", {"duplicates": [{"type": "MSK", "quantity": -1}]}, ["duplicates/0/quantity"]),
    ("6mm", {"duplicates": [{"type": "MSK", "duplicates": []}]}, ["duplicates/0/duplicates"]),
    ("vsgmr", {"traits": ["tough", 1]}, ["traits/1"]),
    ("vsgmr", {"powers": {"super-armor": 1}}, ["powers/super-armor"]),
    ("vsgmr", {"powers": {"x" * 61: "superior"}}, ["powers/" + "x" * 61]),
    ("vsgmr", {"marks": [{"out": 1}]}, ["marks/0/out"]),
    ("urutsk", {"points": 3}, ["points"]),
]

# root keys instead, and the paths at which they are refused
WRONG_ROOTS = [
    ("msc", {"format": "roster"}, ["format"]),
    ("msc", {"version": 2}, ["version"]),
    ("msc", {"version": 0}, ["version"]),
    ("msc", {"version": 1.0}, ["version"]),
    ("msc", {"version": True}, ["version"]),
    ("msc", {"name": None}, ["name"]),
    ("msc", {"name": "x" * 121}, ["name"]),
    ("msc", {"name": "a\0"}, ["name"]),
    ("msc", {"notes": "x" * 10_001}, ["notes"]),
    ("msc", {"options": None}, ["options"]),
    ("msc", {"options": []}, ["options"]),
    ("msc", {"changed": "yesterday"}, ["changed"]),
    ("msc", {"changed": 2026}, ["changed"]),
    ("msc", {"formations": None}, ["formations"]),
    ("msc", {"formations": {}}, ["formations"]),
    ("msc", {"formations": [1, {"name": "A"}, "x"]}, ["formations/0", "formations/2"]),
    ("msc", {"formations": [{}]}, ["formations/0/name"]),
    ("msc", {"formations": [{"name": "A", "elements": [{}]}]}, ["formations/0/elements/0/name"]),
    ("msc", {"formations": [{"name": "A", "elements": [[]]}]}, ["formations/0/elements/0"]),
    ("msc", {"formations": [{"name": "A", "elements": None}]}, ["formations/0/elements"]),
    ("msc", {"formations": [{"name": "A", "points": 3}]}, ["formations/0/points"]),
    ("msc", {"format\0": 1, "Notes": ""}, ["Notes", "format\0"]),
    ("msc", {"scenario": "basic"}, ["scenario"]),
    ("msc", {"scenario": "tactical", "side": "attacker"}, ["side"]),
    ("mini-combat", {"scenario": "standard", "side": "attacker"}, ["side"]),
    ("mini-combat", {"scenario": "defensive", "side": "ambusher"}, ["side"]),
    ("mini-combat", {"side": "attacker"}, ["side"]),
    ("vsgmr", {"scenario": "ambush", "side": "defender"}, ["side"]),
    ("vsgmr", {"scenario": "fortress-assault", "side": "target"}, ["side"]),
    ("6mm", {"scenario": "standard"}, ["scenario"]),
    ("6mm", {"side": "attacker"}, ["side"]),
    ("urutsk", {"scenario": "basic", "side": "x"}, ["scenario", "side"]),
    ("urutsk", {"budget": 5}, ["budget"]),
    ("urutsk", {"budget": 0}, ["budget"]),
    ("urutsk", {"options": {"star": "none"}}, ["options/star"]),
    ("mini-combat", {"options": {"star": "some", "sum_floor": 0}}, ["options/star", "options/sum_floor"]),
    ("mini-combat", {"options": {"sum_floor": 101}}, ["options/sum_floor"]),
    ("mini-combat", {"options": {"no_attack_factor": True}}, ["options/no_attack_factor"]),
    ("mini-combat", {"options": {"rounding": "unit", "naval": 1}}, ["options/naval", "options/rounding"]),
    ("6mm", {"options": {"torsion_factor": 2}}, ["options/torsion_factor"]),
    ("msc", {"options": {"max_engine": 4}}, ["options/max_engine"]),
    *(("msc", {"budget": value}, ["budget"]) for value in [*NO_NUMBER, 1_000_001, -1_000_001.5, 10**400]),
]

# bytes that hold no document at all, and what is said about them
UNPARSED = [
    (b"", "is not JSON"),
    (b"{", "is not JSON"),
    (b"{'format': 1}", "is not JSON"),
    (b'{"name": "a\nb"}', "is not JSON"),
    (b"{} {}", "is not JSON"),
    (b'{"name": "\xff"}', "is not UTF-8"),
    ("{}".encode("utf-16"), "is not UTF-8"),
    (b'{"name": "A", "notes": "", "name": "B"}', "'name' stands twice"),
    (b'{"formations": [{"elements": [{"engine": 1, "engine": 2}]}]}', "'engine' stands twice"),
    (b'{"budget": ' + b"9" * 5_000 + b"}", "is not usable JSON"),
    (b"[" * 101 + b"0" + b"]" * 101, "nested too deep"),
    (b"[" * 5_000 + b"]" * 5_000, "nested too deep"),
    (b'{"a":' * 100_000 + b"1" + b"}" * 100_000, "nested too deep"),
    (b" " * (MAX_BYTES + 1), "at most 1,048,576"),
]

# JSON texts that Python's parser lets through, and the paths at which they are refused
PARSED_ALL_THE_SAME = [
    ('"budget": NaN', ["budget"]),
    ('"budget": Infinity', ["budget"]),
    ('"budget": -Infinity', ["budget"]),
    ('"budget": 1e999', ["budget"]),
    ('"budget": ' + "9" * 400, ["budget"]),
    ('"budget": true', ["budget"]),
    ('"notes": "\\u0000"', ["notes"]),
    ('"notes": "\\ud800"', ["notes"]),
    ('"notes": "\\udc00\\ud800"', ["notes"]),
]

# what the schema refuses too: a change of a small document of each system
SCHEMA_REFUSES = [
    {"speed": 3},
    {"system": "chess"},
    {"system": None},
    {"format": "roster"},
    {"version": 2},
    {"name": None},
    {"name": "x" * 121},
    {"name": "a\0b"},
    {"budget": "30"},
    {"budget": 1_000_001},
    {"notes": 3},
    {"options": {"chess": True}},
    {"options": []},
    {"formations": {}},
    {"formations": [{}]},
    {"formations": [{"name": "A", "points": 3}]},
    {"formations": [{"name": "A", "elements": [{}]}]},
    {"formations": [{"name": "A", "elements": [{"name": "B", "quantity": -1}]}]},
    {"formations": [{"name": "A", "elements": [{"name": "B", "quantity": True}]}]},
    {"formations": [{"name": "A", "elements": [{"name": "B", "kind": 7, "type": 7}]}]},
]


def small(system, element=None, **root):
    return {**roster(system, [{**LEAST[system], **(element or {})}]), **root}


def read(data):
    return registry.read(data)


def refused(data):
    """The faults of a document that must be refused, as {path: message}."""
    with pytest.raises(Refused) as caught:
        read(data)
    faults = caught.value.faults
    assert len({fault.path for fault in faults}) == len(faults), "each path is told once"
    assert all(fault.message for fault in faults)
    return {fault.path: fault.message for fault in faults}


def shortened(value):
    """A value as the name of a case."""
    return ascii(value)[:30]


# ---------------------------------------------------------------- refusals

EVERY_WRONG_VALUE = [
    pytest.param(system, key, value, id=f"{system}-{key}-{shortened(value)}")
    for system, key, values in WRONG_VALUES
    for value in values
]


@pytest.mark.parametrize(("system", "key", "value"), EVERY_WRONG_VALUE)
def test_a_value_of_the_wrong_type_or_size_is_refused_at_its_path(system, key, value):
    assert [*refused(small(system, {key: value}))] == [f"{ELEMENT}/{key}"]


@pytest.mark.parametrize(("system", "fields", "paths"), WRONG_ELEMENTS)
def test_what_is_wrong_inside_an_element_is_refused_at_its_path(system, fields, paths):
    assert sorted(refused(small(system, fields))) == [f"{ELEMENT}/{path}" for path in paths]


@pytest.mark.parametrize(("system", "root", "paths"), WRONG_ROOTS)
def test_what_is_wrong_at_the_root_is_refused_at_its_path(system, root, paths):
    assert sorted(refused(small(system, **root))) == paths


@pytest.mark.parametrize("key", ["format", "version", "system", "name", "formations"])
@pytest.mark.parametrize("system", SYSTEMS)
def test_a_missing_key_is_refused_by_name(system, key):
    data = small(system)
    del data[key]
    assert [*refused(data)] == [key]


@pytest.mark.parametrize(("system", "key"), [("6mm", "type"), ("vsgmr", "kind")])
def test_a_profile_that_must_say_what_it_is_is_refused_when_it_does_not(system, key):
    assert refused(roster(system, [{}])) == {f"{ELEMENT}/{key}": "is missing"}


@pytest.mark.parametrize("data", [None, [], "roster", 3, True, [{"format": "armybuilder-roster"}]])
def test_what_is_no_object_is_refused_as_a_whole(data):
    assert refused(data) == {"": "must be an object"}


@pytest.mark.parametrize("system", ["chess", "", None, 3, ["msc"], {}, "MSC", "mini_combat"])
def test_an_unknown_system_is_refused_with_the_names_of_those_that_are_known(system):
    found = refused({**small("msc"), "system": system})
    assert found == {"system": "must be one of mini-combat, 6mm, msc, vsgmr, urutsk"}


def test_faults_are_told_at_once_even_where_the_system_is_unknown():
    data = {"system": "chess", "version": 2, "name": 3, "king": "e1", "formations": [{"elements": {}}]}
    names = {"formations/0/elements", "formations/0/name", "name"}
    assert refused(data).keys() == {"format", "king", "system", "version", *names}


@pytest.mark.parametrize("system", SYSTEMS)
def test_an_option_of_another_system_is_an_unknown_key(system):
    others = {name for other in SYSTEMS if other != system for name in HOUSE_RULES[other]} - {*HOUSE_RULES[system]}
    found = refused(small(system, options=dict.fromkeys(others, True)))
    assert found == dict.fromkeys((f"options/{name}" for name in others), "is not a key that is known here")


def test_an_id_may_stand_once_in_a_roster_be_it_of_a_formation_or_an_element():
    data = roster("msc", [{"id": "a"}, {"id": "b"}], [{"id": "a"}, {"id": "c"}])
    data["formations"][0]["id"] = "c"
    assert sorted(refused(data)) == ["formations/1/elements/0/id", "formations/1/elements/1/id"]


def test_2000_elements_are_read_and_one_more_is_refused():
    most = [{}] * (MAX_ELEMENTS - 1)
    assert sum(len(f.elements) for f in read(roster("msc", most, [{}])).formations) == MAX_ELEMENTS
    assert [*refused(roster("msc", most, [{}, {}]))] == ["formations"]


def test_of_more_faults_than_anybody_reads_only_the_number_is_told():
    most = {**roster("msc"), "formations": [0] * MAX_FAULTS}
    assert len(refused(most)) == MAX_FAULTS
    assert refused({**most, "name": 3}) == {"": "has 10,001 faults; at most 10,000 are told"}


def test_all_faults_of_a_document_are_told_at_once():
    data = roster("msc", [{"engine": "x", "marks": [{}, {}]}, {"quantity": -1, "id": "a"}], [{"id": "a", "speed": 1}])
    data |= {"budget": NAN, "scenario": "basic", "options": {"naval": True}, "king": 1, "version": 3}
    del data["name"]
    assert sorted(refused(data)) == sorted(
        [
            "budget",
            "formations/0/elements/0/engine",
            "formations/0/elements/0/marks",
            "formations/0/elements/1/quantity",
            "formations/1/elements/0/id",
            "formations/1/elements/0/speed",
            "king",
            "name",
            "options/naval",
            "scenario",
            "version",
        ]
    )


@pytest.mark.parametrize(("raw", "said"), UNPARSED, ids=lambda value: shortened(value[:20]))
def test_bytes_that_hold_no_document_are_refused_as_a_whole(raw, said):
    with pytest.raises(Refused, match=said) as caught:
        parse(raw)
    assert [fault.path for fault in caught.value.faults] == [""]


def test_a_hundred_lists_in_each_other_are_still_read():
    assert parse(b"[" * 100 + b"0" + b"]" * 100)


@pytest.mark.parametrize(("text", "paths"), PARSED_ALL_THE_SAME)
def test_numbers_and_texts_that_json_cannot_mean_are_refused_at_their_path(text, paths):
    head = json.dumps({key: value for key, value in small("msc").items() if key not in ("budget", "notes")})
    assert [*refused(parse(f"{head[:-1]}, {text}}}"))] == paths


@pytest.mark.parametrize("depth", [3, 100, 500, 900])
def test_deep_nesting_that_can_be_parsed_is_refused_where_it_stands(depth):
    deep = json.loads("[" * depth + "]" * depth)
    assert [*refused(small("msc", {"engine": deep, "marks": [deep]}, odd=deep, budget=deep))] == [
        "budget",
        f"{ELEMENT}/engine",
        f"{ELEMENT}/marks/0",
        "odd",
    ]


def test_a_document_of_exactly_one_mebibyte_is_parsed():
    assert parse(b"{}" + b" " * (MAX_BYTES - 2)) == {}


def test_a_byte_order_mark_is_no_reason_to_refuse():
    assert parse(b"\xef\xbb\xbf" + json.dumps(small("msc")).encode()) == small("msc")


TEXT = st.text(st.characters(categories=["L", "P", "Cs", "Cc"]), max_size=4)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
"""Any JSON, lone surrogates and NUL included."""


@PATIENT
@given(st.data(), JSON)
def test_a_readable_document_with_anything_put_anywhere_is_read_or_refused_and_never_breaks(data, thing):
    whole = data.draw(st.sampled_from(SYSTEMS).flatmap(odd_documents))
    holder, key = data.draw(st.sampled_from([*places(whole)]))
    holder[key] = thing
    try:
        document = read(whole)
    except Refused:
        return
    assert read(write(document)) == document


def places(value):
    """Every (list or object, index or key) inside a document."""
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
        yield value, key
        if isinstance(inner, (dict, list)):
            yield from places(inner)


# ---------------------------------------------------------------- reading and writing


def test_what_is_left_out_has_its_default():
    document = read({key: small("vsgmr")[key] for key in ("format", "version", "system", "name", "formations")})
    assert (document.budget, document.scenario, document.side, document.notes) == (None, None, None, "")
    assert document.changed is None
    (element,) = document.formations[0].elements
    assert (element.id, element.quantity, element.notes, element.secret, element.marks) == (None, 1, "", False, ())
    assert (element.commander, element.armor, element.traits, element.powers) == (False, None, (), {})


def test_a_formation_may_be_empty_and_so_may_a_roster():
    assert read({**small("msc"), "formations": []}).formations == ()
    assert read({**small("msc"), "formations": [{"name": ""}]}).formations[0].elements == ()


@pytest.mark.parametrize("value", [0, -5, 0.5, 30.0, 1_000_000, -0.0])
def test_a_budget_is_any_finite_number_and_a_whole_one_is_written_whole(value):
    written = write(read(small("msc", budget=value)))["budget"]
    assert written == value
    assert isinstance(written, int) == (value == int(value))


# system: house rules at their defaults
DEFAULTS = {
    "mini-combat": {
        "star": "recommended",
        "sum_floor": None,
        "no_attack_factor": 0,
        "immobile_is_limited": False,
        "rounding": "element",
        "naval": False,
    },
    "6mm": {"tank_gun_reduced": False, "animal_is_no_transport": False, "torsion_factor": 0},
    "msc": {"max_engine": 5},
    "vsgmr": {},
    "urutsk": {},
}


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_house_rule_at_its_default_is_read_and_dropped_on_writing(system):
    assert {*DEFAULTS[system]} == {*HOUSE_RULES[system]}
    assert write(read(small(system, options=DEFAULTS[system])))["options"] == {}


def test_a_house_rule_that_departs_is_written():
    options = {"star": "none", "naval": True}
    assert write(read(small("mini-combat", options={**options, "rounding": "element"})))["options"] == options


def test_a_fault_leaves_the_data_as_it_was():
    data = small("msc", {"engine": "x", "marks": [{}, {}]}, king=1)
    before = copy.deepcopy(data)
    refused(data)
    assert data == before


@pytest.mark.parametrize("system", SYSTEMS)
def test_writing_what_was_read_loses_nothing_and_is_stable(system):
    @PATIENT
    @given(odd_documents(system))
    def check(data):
        document = read(data)
        written = write(document)
        assert read(written) == document
        assert write(read(written)) == written
        assert parse(documents.dumps(written)) == written

    check()


# ---------------------------------------------------------------- the schema


@pytest.fixture(scope="module")
def schema():
    return documents.schema(registry.document_types())


@pytest.fixture(scope="module")
def by_schema(schema):
    return jsonschema.Draft202012Validator(schema)


def test_the_schema_is_valid_draft_2020_12(schema):
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    jsonschema.Draft202012Validator.check_schema(schema)


def test_the_schema_is_json_and_the_same_each_time(schema):
    again = documents.schema(registry.document_types())
    assert json.dumps(again, allow_nan=False) == json.dumps(schema, allow_nan=False)


@pytest.mark.parametrize("path", ARMIES, ids=lambda path: path.stem)
def test_the_schema_accepts_every_sample_army(by_schema, path):
    assert [error.message for error in by_schema.iter_errors(json.loads(path.read_text(encoding="utf-8")))] == []


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_schema_accepts_whatever_is_read_as_sent_and_as_written(by_schema, system):
    @PATIENT
    @given(odd_documents(system))
    def check(data):
        for version in (data, write(read(data))):
            assert [(error.json_path, error.message) for error in by_schema.iter_errors(version)] == []

    check()


@pytest.mark.parametrize("change", SCHEMA_REFUSES, ids=shortened)
@pytest.mark.parametrize("system", SYSTEMS)
def test_the_schema_refuses_what_the_reader_refuses(by_schema, system, change):
    good, bad = small(system), {**small(system), **change}
    assert by_schema.is_valid(good)
    assert refused(bad)
    assert not by_schema.is_valid(bad)
