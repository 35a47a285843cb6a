"""The form of a ship: weapons, unknown codes, and the highest ENGINE."""

from rosters.systems.msc.rules import SIDES
from tests.filled import page, saved, system_form

PLAIN = {"engine": 3, "shield": 3, "to_hit": 3, "weapons": ["F", "FL", "FR"]}


def test_weapons_keep_their_order_and_unknown_ones_are_kept_until_they_are_deselected():
    rows = [  # weapons, what is filled in, weapons after
        (["F", "FL", "FR"], {"weapons": None}, None),
        (["FR", "F"], {"weapons": ["F", "FL", "FR"]}, ["FR", "F", "FL"]),
        *((["F", "R", "F"], {"as_written": None}, ["F"]), (["F", "R", "F"], {"as_written": ["1"]}, ["F", "R"])),
        (["F", "R", "F"], {"weapons": ["RR"]}, ["R", "F", "RR"]),
    ]
    for before, changes, after in rows:
        assert saved("msc", {**PLAIN, "weapons": before}, **changes).get("weapons") == after
    assert "to_hit" not in saved("msc", PLAIN, to_hit="")


def test_the_highest_engine_is_five_or_six_with_the_house_rule():
    for options, engine in (({}, "5"), ({"max_engine": 6}, "6")):
        shown = page(system_form("msc", PLAIN, options=options))
        highest = {box["name"]: box["max"] for box in shown.inputs if "max" in box}
        assert highest == {"quantity": "10000", "engine": engine, "shield": "5", "to_hit": "5"}


def test_every_side_has_a_check_box_in_the_order_of_the_record_and_other_weapons_have_one_each():
    shown = page(system_form("msc", {"weapons": ["FL", "FL", "R", "<X>"]}))
    boxes = [box for box in shown.inputs if box["name"] == "weapons"]
    assert [(box["value"], "checked" in box) for box in boxes] == [(side, side == "FL") for side in SIDES]
    assert len([box for box in shown.inputs if box["name"] == "as_written"]) == 3
    assert [label for label in ("FL:", "R:", "“<X>”") if label not in shown.text] == []
