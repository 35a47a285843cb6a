"""Every edit of a roster: what it changes, what it leaves alone, and what it cannot do."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from rosters.core import edits
from rosters.core.documents import LIMITS, write
from tests.strategies import EDITS, any_documents, edit_names, fleet, formation_like, ship
from tests.support import read, roster_data, without_ids

IN_ORDER = "f1:abc f2:de f3:"
ORDERS = [  # the edit of fleet(), and the ids that its formations hold afterwards; "+" is a new id
    *((EDITS["delete_formation"], "f2:de f3:"), (edits.delete_formation("f3"), "f1:abc f2:de")),
    *((edits.shift_formation("f1", 1), "f2:de f1:abc f3:"), (edits.shift_formation("f3", -1), "f1:abc f3: f2:de")),
    *((edits.delete_elements(["b", "d"]), "f1:ac f2:e f3:"), (edits.split_element("a"), "f1:a+bc f2:de f3:")),
    *((edits.duplicate_element("b"), "f1:ab+c f2:de f3:"), (edits.duplicate_element("e"), "f1:abc f2:de+ f3:")),
    *((edits.shift_element("a", 1), "f1:bac f2:de f3:"), (edits.shift_element("c", -1), "f1:acb f2:de f3:")),
    *((edits.shift_element("c", 1), "f1:ab f2:cde f3:"), (edits.shift_element("d", -1), "f1:abcd f2:e f3:")),
    (edits.shift_element("e", 1), "f1:abc f2:d f3:e"),  # into an empty one
    (edits.move_elements(["d", "a"], "f3"), "f1:bc f2:e f3:ad"),
    (edits.move_elements(["a"], "f1"), "f1:bca f2:de f3:"),
    (edits.move_elements(["a"], "f1", "c"), "f1:bac f2:de f3:"),
    (edits.move_elements(["e", "b"], "f1", "a"), "f1:beac f2:d f3:"),
    (edits.move_elements(["a"], "f2", "zz"), "f1:bc f2:dea f3:"),
    (edits.place_formation("f3", "f1"), "f3: f1:abc f2:de"),
    (edits.place_formation("f1"), "f2:de f3: f1:abc"),
    (edits.move_elements(["a", "a"], "f2"), "f1:bc f2:dea f3:"),
    *((EDITS[name], IN_ORDER) for name in ("settings", "update_formation", "replace_element")),
    *((edits.shift_formation(uid, by), IN_ORDER) for uid, by in (("f1", -1), ("f3", 1))),
    *((edits.delete_elements([]), IN_ORDER), (edits.split_element("b"), IN_ORDER)),
    *((edits.shift_element("a", -1), IN_ORDER), (edits.move_elements([], "f2"), IN_ORDER)),
]
GONE = [  # edits of what is not there; a formation is no element, and an element no formation
    *(edits.update_formation("zz", name="X"), edits.delete_formation("zz"), edits.shift_formation("zz", 1)),
    *(edits.add_elements("zz", [ship()]), edits.replace_element(ship(id="zz")), edits.replace_element(ship())),
    *(edits.delete_elements(["a", "zz"]), edits.split_element("zz"), edits.set_quantities({"a": 2, "zz": 1})),
    *(edits.shift_element("zz", 1), edits.move_elements(["a", "zz"], "f2"), edits.move_elements(["a"], "zz")),
    *(edits.duplicate_element(uid) for uid in ("zz", "f1")),
    *(edits.duplicate_formation(uid) for uid in ("zz", "a")),
]
MAX_IN_ALL = {key: limit.in_all for key, limit in LIMITS.items()}


def full_of(key):
    """fleet() with as much of one thing as there may be."""
    document, ships = fleet(), [ship() for _ in range(MAX_IN_ALL["elements"] - 5)]
    if key == "elements":
        return edits.add_elements("f3", ships)(document)
    if key == "formations":
        empty = tuple(formation_like(document) for _ in range(MAX_IN_ALL["formations"] - 3))
        return document.replace(formations=(*document.formations, *empty))
    return edits.add_elements("f3", [ship(notes="n" * 9_999) for _ in range(19)])(
        edits.settings(notes="n" * 9_800)(document)
    )


def more(document):
    """The document with one more element, as one that was stored may have."""
    first, *others = document.formations
    return document.replace(formations=(first.replace(elements=(*first.elements, ship())), *others))


# what there is as much of as there may be, and edits that would make more of it
TOO_MANY = [
    ("elements", edits.add_elements("f3", [ship()])),
    ("elements", edits.duplicate_element("a")),
    ("elements", edits.split_element("a")),
    ("elements", edits.duplicate_formation("f2")),
    ("elements", lambda document: edits.add_formation(edits.copy_formation(document.formations[1]))(document)),
    ("elements", lambda document: edits.replace_with(more(document))(document)),
    ("formations", edits.duplicate_formation("f1")),
    ("formations", lambda document: edits.add_formation(formation_like(document))(document)),
    ("text", edits.settings(notes="n" * 10_000)),
    ("text", edits.update_formation("f1", notes="n" * 1_000)),
    ("text", edits.replace_element(ship(id="a", notes="n" * 1_000))),
]
SPLITS = [  # quantity and marks (points of ENGINE lost) of an element before and after, and of what was split off
    *(((2, []), (1, []), (1, [])), ((3, [1, 2, 3]), (2, [1, 2]), (1, [3]))),
    *(((3, [1, 2]), (2, [1, 2]), (1, [])), ((10_000, [1]), (9_999, [1]), (1, []))),
]
RECOUNTED = [  # quantity and marks, the new quantity, and the marks that stay
    *(((3, [1, 2, 3]), 2, [1, 2]), ((3, [1, 2, 3]), 0, []), ((3, [1, 2]), 10_000, [1, 2]), ((3, [1]), 1, [1])),
]


def order(document):
    """The ids of each formation's elements after the id of the formation; "+" for one that is new."""
    formations = ((f.id, (str(e.id) if len(str(e.id)) == 1 else "+" for e in f.elements)) for f in document.formations)
    return " ".join(f"{uid}:{''.join(ids)}" for uid, ids in formations)


def ids(document):
    return [each.id for f in document.formations for each in (f, *f.elements)]


@pytest.mark.parametrize("name", EDITS)
def test_an_edit_leaves_the_old_document_alone_and_makes_one_that_can_be_read_with_each_id_once(name):
    assert set(EDITS) == edit_names()
    before, same = fleet(), write(fleet())
    after = EDITS[name](before)
    assert write(before) == same != write(after)
    whole = edits.with_ids(after)
    assert {*ids(after)} - {None} <= {*ids(whole)}
    assert None not in ids(whole)
    assert len(set(ids(whole))) == len(ids(whole))
    assert read(write(whole)) == edits.with_ids(whole) == whole


def test_an_edit_that_adds_beyond_a_limit_says_how_many_and_others_go_on():
    for key, edit in TOO_MANY:
        full = full_of(key)
        with pytest.raises(edits.LimitExceeded, match=f" {MAX_IN_ALL[key]:,} .* \\d") as error:
            edit(full)
        assert len(error.value.faults) == 1, key
    full = edits.delete_elements(["e"])(full_of("elements"))
    for edit in (edits.shift_element("a", 1), edits.move_elements(["a", "d"], "f3"), edits.split_element("b")):
        assert len(edit(full).elements) <= MAX_IN_ALL["elements"]


def test_an_edit_changes_its_part_alone_and_puts_each_element_where_it_belongs_and_new_ones_last():
    found = [(edit, order(edit(fleet()))) for edit, _ in ORDERS]
    assert found == ORDERS
    for edit in GONE:
        with pytest.raises(edits.ElementNotFound):
            edit(fleet())
    after = EDITS["settings"](fleet())
    assert (after.name, after.budget, after.scenario, after.options.max_engine) == ("Renamed", None, None, 5)
    assert after.formations == fleet().formations
    after = edits.update_formation("f1", name="Home", notes="n")(fleet())
    (first, *rest), (old, *others) = after.formations, fleet().formations
    assert (first.name, first.notes, first.elements, rest) == ("Home", "n", old.elements, others)
    after = edits.add_formation(formation_like(fleet(), name="More"))(fleet())
    assert [f.name for f in after.formations] == ["Formation 1", "Formation 2", "Formation 3", "More"]
    after = edits.add_elements("f2", [ship("X"), ship("Y")])(fleet())
    assert [e.name for e in after.formations[1].elements] == ["Element 1", "Element 2", "X", "Y"]
    after, new = edits.replace_element(ship("Better", id="b", engine=5))(fleet()), ship("Better", id="b", engine=5)
    assert after.formations[0].elements[1] == new
    assert [e for e in after.elements if e.id != "b"] == [e for e in fleet().elements if e.id != "b"]


def test_a_copied_formation_or_roster_has_new_ids_and_no_marks():
    after = edits.duplicate_formation("f1")(fleet())
    first, copy = after.formations[:2]
    assert {e.id for e in copy.elements}.isdisjoint(e.id for e in fleet().elements)
    assert [e.replace(id=None, marks=()) for e in first.elements] == [e.replace(id=None) for e in copy.elements]
    assert (copy.name, copy.notes) == (first.name, first.notes)
    before = fleet().replace(changed="2026-11-21")
    after = edits.copy_roster(before, "Mine")
    assert set(ids(after)).isdisjoint(ids(before))
    assert (after.name, after.changed) == ("Mine", None)
    assert without_ids(after)["options"] == without_ids(before)["options"]
    assert all(element.marks == () for element in after.elements)


def damaged(quantity, losses):
    marks = [{"engine": loss} for loss in losses]
    return read(roster_data("msc", [{"id": "a", "quantity": quantity, "marks": marks}]))


def losses(document):
    return [(element.quantity, [mark.engine for mark in element.marks]) for element in document.elements]


def test_splitting_takes_the_last_model_and_its_marks_and_a_new_quantity_those_of_models_that_go():
    for before, kept, split in SPLITS:
        after = edits.split_element("a")(damaged(*before))
        assert losses(after) == [kept, split]
        assert after.elements[0].id == "a"
    for document in (damaged(0, []), damaged(1, [])):
        assert edits.split_element("a")(document) == document
    for before, quantity, marks in RECOUNTED:
        assert losses(edits.set_quantities({"a": quantity})(damaged(*before))) == [(quantity, marks)]


WITH_IDS = any_documents().map(lambda data: edits.with_ids(read(data)))


@given(WITH_IDS, st.data())
def test_duplicating_and_deleting_the_copy_is_the_identity_and_splitting_keeps_models_and_marks(document, data):
    assume(document.elements)
    uid = str(data.draw(st.sampled_from(document.elements)).id)
    after = edits.duplicate_element(uid)(document)
    (copy,) = set(ids(after)) - set(ids(document))
    assert len(after.elements) == len(document.elements) + 1
    assert edits.delete_elements([copy])(after) == document
    split = edits.split_element(uid)(document)
    for count in (lambda e: e.quantity, lambda e: len(e.marks)):
        assert sum(map(count, split.elements)) == sum(map(count, document.elements))
    assert all(len(element.marks) <= element.quantity for element in split.elements)
    place = data.draw(st.integers(0, len(document.formations) - 1))
    doubled = edits.duplicate_formation(str(document.formations[place].id))(document)
    assert len(set(ids(doubled))) == len(ids(doubled))
    assert edits.delete_formation(str(doubled.formations[place + 1].id))(doubled) == document
