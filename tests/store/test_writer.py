"""What the database keeps of a roster: the document as it was, a revision for every change, and the way back."""

import threading

import pytest
from django.db import IntegrityError, connection, transaction
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rosters import registry
from rosters.core import appraisals, documents, edits
from rosters.core.cache import MemoryCache
from rosters.core.play import damage_in, without_damage
from rosters.models import Revision, Roster
from rosters.ops import integrity
from rosters.store import access, revisions, state, writer
from rosters.store.elements import elements_named
from rosters.store.snapshots import state_in_play
from tests.concurrency import committed, run_in_threads
from tests.people import document_of, reload
from tests.strategies import SYSTEMS, any_documents, fleet, ship
from tests.strategies import documents as odd_documents
from tests.support import FIXTURES, roster_data, without_ids

pytestmark = [pytest.mark.django_db, pytest.mark.database]
FEWER = settings(max_examples=12 if connection.vendor == "sqlite" else 4)
"""For properties that write to the database."""


def create(document, **more):
    return writer.create(document, **more).roster


def rename(name):
    return edits.settings(name=name)


def check_projection(roster):
    """Summary, columns and rows repeat the document; no two rows claim one place."""
    row, document = reload(roster), document_of(roster)
    appraisal = registry.appraise(document)
    points = None if appraisal.points is None else float(max(min(appraisal.points, 10**15), -(10**15)))
    assert (row.points, row.legal, row.quantity) == (points, appraisal.legal, appraisal.quantity)
    assert [*integrity._projection(row, document)] == []
    positions = [*row.formations.values_list("position")], [*row.elements.values_list("formation", "position")]
    assert [len({*each}) for each in positions] == [len(each) for each in positions]


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_document_comes_back_as_it_went_in_can_become_any_other_and_undo_brings_it_back(system):
    @FEWER
    @given(st.tuples(odd_documents(system), odd_documents(system)))
    def check(pair):
        sent, other = (edits.with_ids(registry.read(data).replace(changed=None)) for data in pair)
        roster, document, other = create(sent), without_damage(sent), without_damage(other)
        check_projection(roster)
        assert damage_in(state_in_play(roster, complete=True).document) == damage_in(sent)
        assert document_of(roster) == document
        assert Roster.objects.defer(None).get(pk=roster.pk).document == documents.dumps(documents.write(document))
        revision, appraisal = roster.revisions.get(), registry.appraise(document)
        assert revisions.unpack(revision) == (document, documents.parse(documents.dumps(appraisals.to_json(appraisal))))
        assert (revision.edition, revision.restores) == (appraisal.edition, None)
        changed = writer.apply_edit(roster, edits.replace_with(other), "Replaced")
        assert (changed, document_of(roster)) == (document != other, other)
        check_projection(roster)
        writer.undo(roster)
        assert document_of(roster) == document
        check_projection(roster)

    check()


@FEWER
@given(any_documents(), st.randoms(use_true_random=False))
def test_elements_keep_any_new_order_and_any_new_formation(data, random):
    """Rows are numbered with gaps and moved as few as possible; the order must hold all the same."""
    roster = create(registry.read(data))
    for _ in range(3):
        document = document_of(roster)
        lines = document.elements
        formations = [f.replace(elements=()) for f in document.formations]
        random.shuffle(lines)
        random.shuffle(formations)
        for line in lines:
            place = random.randrange(len(formations))
            formations[place] = formations[place].replace(elements=(*formations[place].elements, line))
        wanted = document.replace(formations=tuple(formations))
        writer.apply_edit(roster, edits.replace_with(wanted), "Shuffled")
        assert document_of(roster) == wanted
        check_projection(roster)


CHANGED = edits.replace_element(ship(id="b", engine=9))

SHOWN = {"b-name": "New", "b-quantity": "1", "b-engine": "9", "b-shield": "0", "b-to_hit": "0"}
SHOWN |= {f"initial-{name}": value for name, value in SHOWN.items()}


def button(at, **sent):
    return lambda roster, editor: editor.post_to(roster, at, request_id="1", **sent)


@pytest.mark.parametrize("change", [
    button("undo"), button("redo"),
    button("element/up", element="b", **{"quantity-b": "7", "initial-quantity-b": "1"}),
    button("element/cell", element="b", field="engine", expected="9", value="5"),
    button("formation/elements?id=f1", **SHOWN | {"b-engine": "5"}),
    button("line/add", line="Raider 3/3/4 F FL FR", anyway="1"),
    button("history/1/restore"),
    lambda roster, _: writer.replace(reload(roster), CHANGED(document_of(roster)).replace(name="New"), None),
])  # fmt: skip
def test_a_change_is_appraised_before_the_roster_is_locked(monkeypatch, change, owner, friend):
    """By an editor with a link, in a process that has not read the roster."""
    roster, depths, appraise = owner.create(fleet()), [], appraisals._appraise_element
    friend.get(roster.edit_link)
    writer.apply_edit(roster, CHANGED, "Changed")
    writer.apply_edit(reload(roster), rename("Undone"), "")
    writer.undo(reload(roster))
    version, outside = reload(roster).revision, len(connection.savepoint_ids)
    monkeypatch.setattr(state, "_cache", MemoryCache(1 << 20))
    monkeypatch.setattr(
        appraisals,
        "_appraise_element",
        lambda *given: (depths.append(len(connection.savepoint_ids)), appraise(*given))[1],
    )
    change(roster, friend)
    assert ({*depths}, reload(roster).revision > version) == ({outside}, True)


def test_a_change_of_one_element_touches_no_other_row_and_a_new_order_is_written_at_once(django_assert_max_num_queries):
    roster = create(fleet())
    before = {row["uid"]: row for row in roster.elements.values()}
    writer.apply_edit(roster, edits.replace_element(ship(id="b", engine=9)), "Changed")
    after = {row["uid"]: row for row in roster.elements.values()}
    assert {uid for uid in before if before[uid] != after[uid]} == {"b"}
    writer.apply_edit(roster, edits.duplicate_element("b"), "Added")
    assert {row["uid"]: row for row in roster.elements.values() if row["uid"] in after} == after
    ships = [{"id": str(number)} for number in range(50)]
    roster = create(registry.read(roster_data("msc", ships)))
    with django_assert_max_num_queries(20):
        writer.replace(roster, registry.read(roster_data("msc", ships[::-1])), None)
    check_projection(roster)


def test_a_change_that_changes_nothing_writes_nothing():
    roster = create(fleet())

    def rows():
        tables = (roster.formations, roster.elements, roster.revisions, Roster.objects.filter(pk=roster.pk))
        return [[*table.order_by("pk").values()] for table in tables]

    before = rows()
    for edit in (
        rename("Test"),
        edits.replace_with(fleet()),
        edits.settings(budget=100.0),
        edits.replace_element(fleet().formations[0].elements[1]),
        edits.set_quantities({"a": 3}),
        edits.delete_elements([]),
        edits.shift_formation("f1", -1),
        edits.split_element("b"),
    ):
        assert writer.apply_edit(roster, edit, "Nothing") is False
    with pytest.raises(edits.ElementNotFound):
        writer.apply_edit(roster, edits.delete_elements(["zz"]), "Impossible")
    assert rows() == before


def test_a_change_that_was_rolled_back_is_not_taken_for_one_of_another_process(monkeypatch):
    roster = create(fleet())
    with transaction.atomic():
        writer.apply_edit(roster, rename("Rolled back"), "")
        assert state.current_state(reload(roster)).document.name == "Rolled back"
        transaction.set_rollback(True)
    with monkeypatch.context() as other_process:
        other_process.setattr(state, "_cache", MemoryCache(1 << 20))
        writer.apply_edit(roster, rename("Saved"), "")
    assert state.current_state(reload(roster)).document.name == "Saved"


def test_revisions_are_numbered_from_one_none_ever_changes_and_a_long_summary_is_cut_to_its_column():
    roster = create(fleet())
    for number, name in enumerate("BCDED", 2):
        kept = [*roster.revisions.order_by("number").values()]
        assert writer.apply_edit(roster, rename(name), f"To {name}") if number < 6 else writer.undo(roster)
        assert reload(roster).revision == number
        assert [*roster.revisions.order_by("number").values()][:-1] == kept
    every = roster.revisions.order_by("number")
    assert [each.number for each in every] == [1, 2, 3, 4, 5, 6]
    assert [revisions.unpack(each).document.name for each in every] == ["Test", "B", "C", "D", "E", "D"]
    with pytest.raises(IntegrityError), transaction.atomic():
        Revision.objects.create(roster=roster, number=1, at=every[0].at, summary="", edition="", packed=every[0].packed)
    roster = create(fleet())
    writer.apply_edit(roster, rename("B"), "é" * 400)
    assert writer.undo(roster) == "é" * 300
    assert roster.revisions.first().summary == f"Undone: {'é' * 292}"


@FEWER
@given(st.lists(st.sampled_from("ABCD<<>"), max_size=9))
@example([*"BC<<>B>CD<<>>"])
def test_undo_and_redo_lead_along_the_changes_and_name_them(steps):
    """Against a model: a stack of documents, and one of what was undone, which the next change empties."""
    roster = create(fleet().replace(name="A"))
    stack, undone = ["A"], []
    for step in steps:
        if step == "<":
            assert writer.undo(roster) == (f"To {stack[-1]}" if stack[1:] else None)
            if stack[1:]:
                undone.append(stack.pop())
        elif step == ">":
            assert writer.redo(roster) == (f"To {undone[-1]}" if undone else None)
            stack += [undone.pop()] if undone else []
        elif writer.apply_edit(roster, rename(step), f"To {step}"):
            stack, undone = [*stack, step], []
        steps_now = writer.undo_and_redo(reload(roster))
        summaries = [change and change.summary for change in steps_now]
        assert summaries == [f"To {stack[-1]}" if stack[1:] else None, f"To {undone[-1]}" if undone else None]
        assert document_of(roster).name == reload(roster).name == stack[-1]


def test_samples_are_as_in_their_files_and_one_that_is_loaded_again_is_written_only_if_it_changed():
    for path in FIXTURES.glob("armies/*/*.json"):
        sample = Roster.objects.get(sample=f"{path.parent.name}/{path.stem}")
        check_projection(sample)
        document = registry.read(documents.parse(path.read_bytes()))
        assert without_ids(document_of(sample)) == without_ids(document)
    newer = document.replace(name="Newer")
    assert [writer.load_sample("msc/test", each) for each in (document, document, newer, newer)] == [True, False] * 2
    sample = Roster.objects.get(sample="msc/test")
    assert [revision.number for revision in sample.revisions.all()] == [2, 1]
    assert (sample.edit_hash, [*sample.browsers.all()]) == ("", [])


@committed
def test_changes_and_undos_at_the_same_time_leave_one_true_row():
    """No change of another element is lost; the last revision, the rows and the summary say the same."""
    shared = create(fleet())

    def work(uid, undoing):
        for quantity in range(11, 15):
            writer.apply_edit(shared, edits.set_quantities({uid: quantity}), f"{uid} to {quantity}")
            if undoing:
                writer.undo(shared)

    assert run_in_threads(*(lambda uid=uid: work(uid, False) for uid in "abd")) == []
    counted = {element.id: element.quantity for element in document_of(shared).elements}
    assert counted == {"a": 14, "b": 14, "c": 1, "d": 14, "e": 1}
    assert run_in_threads(lambda: work("a", True), lambda: work("d", True)) == []
    row = reload(shared)
    assert row.revision == row.revisions.count() == row.revisions.first().number
    assert revisions.unpack(row.revisions.first()).document == document_of(shared)
    check_projection(shared)


@committed
def test_a_reader_never_sees_half_a_change():
    shared, seen, done = create(fleet()), set(), threading.Event()

    def write():
        try:
            for _ in range(10):
                writer.apply_edit(shared, edits.duplicate_formation("f1"), "Duplicated")
                writer.undo(shared)
        finally:
            done.set()

    def read_on():
        while not done.is_set():
            seen.add(tuple(len(formation.elements) for formation in document_of(shared).formations))

    assert run_in_threads(write, read_on, read_on) == []
    assert seen <= {(3, 2, 0), (3, 3, 2, 0)}


def test_the_database_keeps_readers_and_writers_apart():
    """SQLite by its write-ahead log, PostgreSQL by showing what is committed only."""
    asked = {"sqlite": ("PRAGMA journal_mode", "wal"), "postgresql": ("SHOW transaction_isolation", "read committed")}
    ask, answer = asked[connection.vendor]
    with connection.cursor() as cursor:
        cursor.execute(ask)
        assert cursor.fetchone() == (answer,)


def test_samples_come_first_then_ones_own_and_never_anybody_elses(owner, stranger, django_assert_max_num_queries):
    ship = {"name": "Ship 1", "quantity": 4, "engine": 5, "notes": "n", "secret": True}
    mine = owner.create(roster_data("msc", [ship, {**ship, "name": "SHIP 1"}, {**ship, "name": "Łódź"}], name="Mine"))
    stranger.create(roster_data("msc", [{"name": "Ship 1", "engine": 1}], name="Theirs"))
    owner.create(roster_data("vsgmr", [{"name": "Ship 1", "kind": "hero"}]))
    names = ["ship  1", "Ship 1", "Łódź", "Ship", "", *(f"Name {n}" for n in range(1_000))]
    visitor = access.Visitor(browser=owner.browser.key_hash)
    with django_assert_max_num_queries(4):
        found = elements_named("msc", names, visitor)
    assert {*found} == {"Ship 1", "ship  1", "Łódź"}
    [sample, own] = found["Ship 1"]
    assert (sample.is_sample, sample.element.engine) == (True, 3)
    assert (own.is_sample, own.roster, own.token) == (False, "Mine", mine.token)
    assert (own.element.engine, own.element.quantity, own.element.notes, own.element.secret) == (5, 4, "n", False)
    assert [each.is_sample for each in elements_named("msc", names, access.Visitor())["Ship 1"]] == [True]
