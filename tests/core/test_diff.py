"""What differs between two forces: the sentences by hand, and what holds of any two."""

import copy
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rosters import registry
from rosters.core import diff
from rosters.core.appraisals import RosterState
from rosters.core.diff import ABSENT, Change, DiffCell
from rosters.core.documents import Element
from rosters.core.redaction import Hidden, redact, redact_appraisal
from tests.notation import ELEMENTS, rows, unit
from tests.strategies import EDITS, SYSTEMS, documents, fleet
from tests.support import finding_places, read, roster_data, rules

ARMIES = {  # the elements of the first formation by their ids: name and words
    "vsgmr": {"t": ("Thane", "hero commander tough"), "g": ("Guard", "hero heavy x3")},
    "msc": {"s": ("Nova", "3 3 3 F FL FR")},
    "mini-combat": {"e": ("Tank", "to_hit=4 range=20 power=3 armor=3 morale=4")},
    "6mm": {"n": ("Staff", "CAV/U superior"), "e": ("Guns", "ART smoothbore animal")},
    "urutsk": {"f": ("Scout", "command")},
}


def army(system, **changed):
    """The elements of an army, some in other words, with another name after @; an underscore is a space."""
    for uid, (name, words) in ARMIES[system].items():
        now, _, other = (changed.get(uid) or words).partition(" @ ")
        yield ELEMENTS[system](now, id=uid, name=other.replace("_", " ") or name)


THANE, GUARD = army("vsgmr")
(SHIP,), GENERALS_AND_GUNS = army("msc"), [*army("6mm")]
CHEAP_TANK = unit("to_hit=5 range=35 power=2 armor=4 morale=4", id="e", name="Tank")
BASIC = {"scenario": "basic"}


def side(document):
    document = read(document) if isinstance(document, dict) else document
    return RosterState(document, registry.appraise(document))


def compare(before, after, how=diff.changes):
    return how(side(before), side(after), rules(side(before).document.system))


def side_by_side(before, after, book):
    """Each row with both its cells."""
    return [(*row[:3], *row.cells(), row.differs) for row in diff.Comparison(before, after, book).rows()]


def sentences(before, after):
    return [change.text for change in compare(before, after)]


def force(system, *formations, **root):
    """Formations called A, B, C, with the ids a, b, c, each of the elements given."""
    data = roster_data(system, *([dict(element) for element in elements] for elements in formations), **root)
    for letter, formation in zip("abc", data["formations"], strict=False):
        formation |= {"id": letter, "name": letter.upper()}
    return data


SENTENCES = rows(f"""  # an army, the id of an element, its words before and after, and the sentences in order
    msc = s = = = | vsgmr = g = = hero heavy x5 = +2 Guard, now 5; 12 to 20 points / Total 16 to 24 points
    vsgmr = t = = hero commander = Thane lost Tough; 4 to 2 points / Total 16 to 14 points
    vsgmr = g = = hero heavy x3 @ Shield-guard = Renamed Guard to Shield-guard
    vsgmr = g = hero heavy x3 sniper super-fight:minor = hero heavy x3 flight super-fight:major
        = Guard gained Flight and lost Sniper; Super-Fight (minor) to Super-Fight (major); 24 to 27 points
        / Total 28 to 31 points
    vsgmr = t = = hero tough made-up = Thane gained made-up (Traits) and lost Commander / Now not legal
    msc = s = = 4 3 4 F FL = Nova lost FR (Weapons); ENGINE 3 to 4, TO-HIT 3 to 4
    msc = s = = 3 3 3 FL F FR = Nova: Weapons in another order
    msc = s = 3 3 3 F FL FR @ _ = 5 1 3 F FL FR x2 @ _
        = (no name): ENGINE 3 to 5, SHIELD 3 to 1 / +1 (no name), now 2; 15 to 30 BP / Total 15 to 30 BP
    mini-combat = e = to_hit=4 range=20 power=3 armor=3 morale=4 T:4 own:5
        = to_hit=4 range=20 power=3 armor=3 morale=4 T:5 Se save=5 movement=10
        = Tank gained Sealed and lost Own (percentage 5); Movement 0 to 10, Save none to 5, Transport (number 4)
        to Transport (number 5); 37 to 62 points / Total 37 to 62 points
    6mm = n = = CAV/U superior + SKI/F good = Staff gained Skirmishers on foot (Quality good)
    urutsk = f = = command secret notes=n = Notes of Scout changed / Scout is now secret
    urutsk = f = command secret = = Scout is no longer secret
    urutsk = f = = command poor_condition ranged=2 x3 protection={"x" * 100}
        = Scout gained Poor condition; Ranged 0 to 2, Cover and armor changed / +2 Scout, now 3
""")
MOVED = [  # the elements of the formations before and after, and the sentences
    ([[THANE, GUARD], []], [[THANE], [GUARD]], ["Moved Guard to B"]),
    ([[THANE, GUARD]], [[GUARD, THANE]], ["A in another order"]),
    ([[THANE]], [[THANE, GUARD]], ["Added: 3 Guard, 12 points", "Total 4 to 16 points"]),
    ([[THANE, GUARD]], [[GUARD]], ["Removed: Thane, 4 points", "Total 16 to 12 points", "Now not legal"]),
]
ROOTS = [  # keys of the roster before and after, and the sentences
    ({"name": "Dwarves"}, {"name": "Deep Dwarves"}, "Name Dwarves to Deep Dwarves"),
    *(({"budget": 25}, {"budget": 30.5}, "Points limit 25 to 30.5"), (BASIC, {}, "Scenario Basic game to none")),
    ({"budget": 25}, {"budget": 3}, "Points limit 25 to 3", "Now not legal"),
    *(({"budget": 3}, {}, "Points limit 3 to none", "Now legal"), ({"notes": "a"}, {}, "Notes of the roster changed")),
    (BASIC, {"scenario": "ambush", "side": "target"}, "Scenario Basic game to Ambush, Target"),
]
HOUSE_RULES = {"naval": True, "sum_floor": 5, "rounding": "none"}
HOUSE_TEXTS = ["House rule Minimum multiplier after discounts (%): none to 5"]
HOUSE_TEXTS += ["House rule Rounding: each element to the total of each unit", "House rule Naval game: no to yes"]
HOUSE_TEXTS += ["Tank: 16 to 15.6 points"]
CHANGES = [  # two rosters, and the sentences
    *(
        (
            force(game, army(game, **{uid: before})),
            force(game, army(game, **{uid: after})),
            [*texts.split(" / ")] if texts else [],
        )
        for game, uid, before, after, texts in SENTENCES
    ),
    *((force("vsgmr", *before), force("vsgmr", *after), texts) for before, after, texts in MOVED),
    *((force("vsgmr", [THANE], **was), force("vsgmr", [THANE], **now), [*texts]) for was, now, *texts in ROOTS),
    (force("mini-combat", [CHEAP_TANK]), force("mini-combat", [CHEAP_TANK], options=HOUSE_RULES), HOUSE_TEXTS),
]


@pytest.mark.parametrize(("before", "after", "texts"), CHANGES)
def test_a_change_has_its_sentences(before, after, texts):
    assert sentences(before, after) == texts


def test_formations_come_and_go_with_who_is_in_them_and_without_ids_things_are_known_by_their_names():
    before = force("vsgmr", [THANE], [GUARD])
    after = copy.deepcopy(before)
    after["formations"][0] |= {"name": "First", "notes": "n"}
    after["formations"][1] |= {"id": "new", "name": "Second"}
    assert compare(before, after) == (
        Change("formations/0", "Renamed warband A to First"),
        Change("formations/0", "Notes of warband First changed"),
        Change("formations/1", "Added: warband Second"),
        Change("formations/1/elements/0", "Moved Guard to Second"),
        Change("", "Removed: warband B"),
    )
    del after["formations"][1]
    removed = ["Removed: warband B", "Removed: 3 Guard, 12 points", "Total 16 to 4 points"]
    assert sentences(before, after)[2:] == removed
    turned = {**before, "formations": before["formations"][::-1]}
    assert compare(before, turned) == (Change("", "Warbands in another order"),)
    # Elements by their formation's name as well; the first of a name is the first of it afterwards.
    before = force("vsgmr", [THANE, GUARD, {**GUARD, "quantity": 1}], [GUARD])
    after = copy.deepcopy(before)
    for data in (before, after):
        for formation in data["formations"]:
            formation.pop("id")
            for element in formation["elements"]:
                element.pop("id")
    after["formations"][0]["elements"][2]["quantity"] = 2
    after["formations"][1]["elements"][0]["name"] = "Watch"
    assert compare(before, after) == (
        Change("formations/0/elements/2", "+1 Guard, now 2; 4 to 8 points"),
        Change("formations/1/elements/0", "Added: 3 Watch, 12 points"),
        Change("", "Removed: 3 Guard, 12 points"),
        Change("", "Total 32 to 36 points"),
    )


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_field_of_a_profile_has_a_label(system):
    book = rules(system)
    own = {*book.Element.model_fields} - {*Element.model_fields}
    classes = book.Element.model_json_schema()["$defs"]
    nested = {key for name, each in classes.items() if name != "Mark" for key in each["properties"]}
    assert (own | nested) - {*book.LABELS, "code", "custom"} == set()


def hidden(given_side):
    """The side as others see it, without points."""
    rulebook = rules(given_side.document.system)
    everything = Hidden(True, True, True)
    return RosterState(redact(given_side.document, everything), redact_appraisal(*given_side[:2], everything, rulebook))


@given(st.sampled_from(SYSTEMS).flatmap(lambda system: st.tuples(documents(system), documents(system))))
def test_any_two_documents_of_a_system_can_be_compared(pair):
    """Every change stands at a place of the later one; every element is in one row; none differs from itself.

    Where one side hides its points, nothing is said of them.
    """
    one, other = map(side, pair)
    book = rules(one.document.system)
    found = diff.changes(one, other, book)
    assert {change.where for change in found} <= finding_places(other.document)
    table = [row for row in side_by_side(one, other, book) if row[0] == "element"]
    for given_side, cells in ((one, [row[3] for row in table]), (other, [row[4] for row in table])):
        lines = [line for formation in given_side.appraisal.formations for line in formation.elements]
        shown = sorted((cell.quantity, cell.points or 0) for cell in cells if cell is not ABSENT)
        assert shown == sorted((line.quantity, line.points or 0) for line in lines)
    assert diff.changes(one, side(one.document), book) == ()
    assert [row for row in side_by_side(one, one, book) if row[-1]] == []
    for left, right in ((hidden(one), hidden(other)), (one, hidden(other)), (hidden(one), other)):
        texts = [change.text for change in diff.changes(left, right, book)]
        assert [text for text in texts if text.startswith(("Total", "Points limit"))] == []
        assert {cell.points for row in side_by_side(left, right, book) for cell in row[3:5]} <= {None}


def test_every_edit_of_a_builder_is_a_change_and_amounts_differ_even_where_two_decimals_are_equal():
    texts = diff._amounts(Fraction(1, 3), Fraction(100001, 300000))
    assert texts == {"old": "1/3", "new": "100001/300000"}
    assert [name for name, edit in EDITS.items() if not compare(fleet(), edit(fleet()))] == []


def test_two_forces_side_by_side():
    before = force("msc", [SHIP, {**SHIP, "id": "u", "name": "Old"}], budget=40)
    after = force("msc", [{**SHIP, "name": "Super", "engine": 5, "to_hit": 1}], [{**SHIP, "id": "v"}], budget=40)
    line = "ENGINE 3, SHIELD 3, TO-HIT 3, weapons F FL FR"
    super_line = "ENGINE 5, SHIELD 3, TO-HIT 1, weapons F FL FR"
    lines = compare(before, after, side_by_side)
    assert lines[:3] == [
        ("element", "A", "Super (was Nova)", DiffCell(line, 1, 15), DiffCell(super_line, 1, 15), True),
        ("element", "A", "Old", DiffCell(line, 1, 15), ABSENT, True),
        ("fact", "A", "Offensive", DiffCell("18"), DiffCell("7"), True),
    ]
    table = {row[:3]: row[3:] for row in lines}
    assert table["fact", "A", "Speed"] == (DiffCell("3"), DiffCell("5"), True)
    assert table["element", "B", "Nova"] == (ABSENT, DiffCell(line, 1, 15), True)
    assert table["total", "A", "Total"] == (DiffCell(points=30), DiffCell(points=15), True)
    assert table["total", "B", "Total"] == (ABSENT, DiffCell(points=15), True)
    assert table["total", "", "Points limit"] == (DiffCell("40"), DiffCell("40"), False)
    assert table["total", "", "House rules"] == (DiffCell("none"), DiffCell("none"), False)
    assert table["total", "", "Rules check"] == (DiffCell("Legal"), DiffCell("Legal"), False)
    assert lines[-1] == ("total", "", "Total", DiffCell("", 2, 30), DiffCell("", 2, 30), False)
    lines = compare(force("6mm", GENERALS_AND_GUNS[:1]), force("6mm", GENERALS_AND_GUNS), side_by_side)
    assert "Army morale" not in [row[2] for row in lines], "tables are left to the sheets"
