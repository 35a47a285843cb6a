"""The form of a ship: its sides, and what is as written, beyond what the forms of all games are held to."""

from hypothesis import given
from hypothesis import strategies as st

from rosters.systems.msc.rules import SIDES
from tests.filled import page, saved, system_form
from tests.support import appraise, roster

PLAIN = {"engine": 3, "shield": 3, "to_hit": 3, "weapons": ["F", "FL", "FR"]}
whole = st.integers(-1_000_000, 1_000_000) | st.integers(-1, 6)
weapons = st.lists(st.sampled_from([*SIDES, "R", "X", ""]), max_size=9)


def test_weapons_keep_their_order_and_what_is_as_written_is_kept_until_it_is_dropped():
    rows = [  # weapons, what is filled in, weapons after
        (["F", "FL", "FR"], {"weapons": None}, None),
        (["FR", "F"], {"weapons": ["F", "FL", "FR"]}, ["FR", "F", "FL"]),
        (["F", "R", "F"], {"as_written": None}, ["F"]),
        (["F", "R", "F"], {"as_written": ["1"]}, ["F", "R"]),
        (["F", "R", "F"], {"weapons": ["RR"]}, ["R", "F", "RR"]),
    ]
    for before, changes, after in rows:
        assert saved("msc", {**PLAIN, "weapons": before}, **changes).get("weapons") == after
    assert "to_hit" not in saved("msc", PLAIN, to_hit="")


def test_five_is_offered_for_the_engine_and_six_under_the_house_rule():
    for options, engine in (({}, "5"), ({"max_engine": 6}, "6")):
        shown = page(system_form("msc", PLAIN, options=options))
        most = {box["name"]: box["max"] for box in shown.inputs if "max" in box}
        assert most == {"quantity": "10000", "engine": engine, "shield": "5", "to_hit": "5"}


def test_every_side_has_a_box_in_the_order_of_the_record_and_odd_weapons_are_named():
    shown = page(system_form("msc", {"weapons": ["FL", "FL", "R", "<X>"]}))
    boxes = [box for box in shown.inputs if box["name"] == "weapons"]
    assert [(box["value"], "checked" in box) for box in boxes] == [(side, side == "FL") for side in SIDES]
    assert [word for word in ("FL: one weapon more", "R: the rear", "“<X>”") if word not in shown.text] == []
    assert "As written" not in page(system_form("msc", PLAIN)).text


def test_the_facts_of_a_ship_tell_how_far_it_fills_its_size():
    six, strategic = {"options": {"max_engine": 6}}, {"scenario": "strategic"}
    rows = [
        (PLAIN, {}, {"offensive": 9, "defensive": 3, "size": 15, "unspent": 0}),
        ({"engine": 3, "shield": 3}, {}, {"offensive": 0, "defensive": 3, "size": 10, "unspent": 4}),
        ({**PLAIN, "shield": 10}, {}, {"offensive": 9, "defensive": 10, "size": 25, "unspent": 3}),
        ({**PLAIN, "shield": 15}, {}, {"offensive": 9, "defensive": 15, "size": 25, "over": 2}),
        ({**PLAIN, "shield": 14}, six, {"offensive": 9, "defensive": 14, "size": 26, "unspent": 0}),
        ({**PLAIN, "shield": 9}, strategic, {"offensive": 9, "defensive": 9, "size": 20, "over": 1}),
        ({"weapons": ["R", "F", "F"]}, {}, {"offensive": 6, "defensive": 0, "size": 10, "unspent": 4}),
    ]
    for ship, head, facts in rows:
        assert appraise(roster("msc", [ship], **head)).formations[0].elements[0].facts == facts


@given(st.builds(dict, engine=whole, shield=whole, to_hit=whole, weapons=weapons))
def test_the_size_and_what_is_left_of_it_make_up_the_points(ship):
    line = appraise(roster("msc", [ship])).formations[0].elements[0]
    assert line.facts["size"] - line.facts.get("unspent", 0) + line.facts.get("over", 0) == line.each
