"""6MM at the table: boxes, routs, army morale, panels and briefings, worked by hand from the rulebook's tables."""

import json

import pytest

from rosters import registry
from rosters.core import appraisals
from rosters.core.play import Side
from rosters.core.values import LIMIT
from rosters.systems.six_mm import play, tables
from rosters.systems.six_mm.rules import PURCHASES
from tests.support import FIXTURES, roster

HERE = "formations/0/elements/0"
LOST = {"strength": 4}
"""All that a WBD of poor quality has."""
CROWD = {"type": "WBD", "quality": "poor"}


def stand(type_, *lost, **profile):
    """A stand as document data, with the strength that each of its models has lost."""
    return {"type": type_, "marks": [{"strength": number} for number in lost], **profile}


def army(*elements, **root):
    return registry.read(roster("6mm", [*elements], **root))


def terms(document):
    return appraisals.terms_of(document)


def tracks(**profile):
    document = army(profile)
    return play.tracks(document.formations[0].elements[0], terms(document))


def alerts(*elements):
    document = army(*elements)
    return [*play.alerts(document, terms(document))]


def texts(*elements, where=""):
    return [alert.text for alert in alerts(*elements) if alert.where == where]


def panels(*elements):
    document = army(*elements)
    return {panel.title: panel for panel in play.panels(document, terms(document))}


def cases(*elements):
    """The first cells of every row of every panel of an army."""
    return {row[0] for panel in panels(*elements).values() for row in panel.rows}


def side(data):
    document = registry.read(data)
    return Side(document, registry.appraise(document))


def published(name):
    return side(json.loads((FIXTURES / "armies" / "6mm" / f"{name}.json").read_text()))


def briefing(*sides):
    return {panel.title: panel for panel in play.briefing(sides)}


# ---------------------------------------------------------------- tracks

TRACKS = [
    # a stand, its strength, and the losses at which less than half is left
    ({"type": "WBD", "quality": "poor"}, 4, 3),
    ({"type": "WBD"}, 5, 3),
    ({"type": "MSK"}, 6, 4),
    ({"type": "INF/A"}, 7, 4),
    ({"type": "INF/A", "agreed": 1}, 8, 5),
    ({"type": "INF/A", "quality": "good"}, 9, 5),
    ({"type": "INF/A", "quality": "elite"}, 10, 6),
    ({"type": "TNK"}, 5, 3),
    ({"type": "TNK", "armour": "super-heavy", "quality": "elite", "general": "superior"}, 12, 7),
    ({"type": "INF/A", "agreed": LIMIT}, 15, 8),
    ({"type": "INF/A", "agreed": -LIMIT}, 4, 3),
    ({"type": "SKI/F", "duplicates": [{"type": "TNK", "armour": "heavy"}]}, 4, 3),
]


def test_a_stand_has_a_box_for_each_strength_point_and_routs_below_half():
    for profile, strength, breaks_at in TRACKS:
        (track,) = tracks(**profile)
        assert (track.key, track.kind, len(track.boxes), track.breaks_at) == ("strength", "count", strength, breaks_at)
        assert 2 * (strength - breaks_at) < strength <= 2 * (strength - breaks_at + 1)


def test_what_has_no_strength_has_no_boxes():
    for type_ in [*PURCHASES, "", "ZEP"]:
        assert tracks(type=type_) == ()


# ---------------------------------------------------------------- alerts


def test_a_stand_routs_below_half_its_strength_and_is_eliminated_without_any():
    """Nine strength points: four left are below half."""
    for lost in (0, 1, 4):
        assert alerts(stand("INF/A", lost, quality="good")) == []
    for lost, words in ((5, "has 4 of 9"), (8, "has 1 of 9"), *((each, "eliminated") for each in (9, 10, LIMIT))):
        (text,) = texts(stand("INF/A", lost, quality="good"), where=HERE)
        assert words in text
    assert alerts(stand("ZEP", 9), {"type": "WORKS", "quantity": 2}) == []


def test_alerts_come_in_document_order_and_name_a_model_only_among_several():
    found = alerts(stand("WBD", 5), stand("WBD", 4), stand("WBD", 5))
    assert [alert.where for alert in found] == [*(f"formations/0/elements/{n}" for n in range(3)), ""]
    found = texts(stand("WBD", 0, 3, 5, quantity=4, name="Trinovantes"), where=HERE)
    assert [text.split(" ", 2)[:2] for text in found] == [["Trinovantes", "2"], ["Trinovantes", "3"]]


MORALE = [  # stands lost of fifteen, the threshold reached, and the highest score at which it retreats
    *((2, 10, "1"), (3, 20, "2"), (4, 20, "2"), (5, 30, "3"), (6, 40, "4"), (7, 40, "4"), (8, 50, "5")),
    *((9, 60, None), (15, 60, None)),
]


def test_army_morale_of_fifteen_stands_is_rolled_for_at_each_threshold():
    """Fifteen units: 2, 3, 5, 6, 8, 9 lost. Works and transport are no stands, and who routs is not lost."""
    works = {"type": "WORKS", "quantity": 90}
    for lost, percent, score in MORALE:
        (text,) = texts(works, {**CROWD, "quantity": 15, "marks": [LOST] * lost})
        assert text.startswith(f"{lost} of 15 stands lost, {percent} %")
        assert ("a D6" in text) is bool(score)
        assert f"retreats {f'on {score}' if score else 'from'}" in text
    for marks in ([], [LOST], [{"strength": 3}] * 15):
        assert texts({**CROWD, "quantity": 15, "marks": marks}) == []


def test_lost_generals_take_one_off_the_die_for_army_morale_and_the_last_is_announced():
    general, other = stand("CAV/U", 6, general="competent"), stand("CAV/U", general="inferior")
    rest = {**CROWD, "quantity": 13, "marks": [LOST]}
    assert "general" in texts(general, other, rest, where=HERE)[0]
    (morale,) = texts(general, other, rest)
    assert "a D6 less 1 " in morale
    for lost, last in (([6, 6], True), ([6], False), ([5, 6], False), ([], False)):
        found = texts(stand("CAV/U", *lost, general="competent", quantity=2), {**CROWD, "quantity": 13})
        assert any(text.startswith("No general") for text in found) is last
        assert not last or "a D6 less 2 " in found[0]
    assert not [text for text in texts(stand("WBD", 5)) if text.startswith("No general")]


# ---------------------------------------------------------------- panels


def test_the_panels_are_in_the_order_of_play():
    common = [title.partition(" (")[0] for title in panels()]
    assert common[:5] == ["The round", "Command distance", "Moving", "Charging", "Shooting"]
    assert common[-3:] == ["Army morale", "Terrain and moves", "Sight"]
    titles = [*panels({"type": "MSK", "quantity": 3})]
    assert titles[2].startswith("Moves and ranges")
    assert [title.partition(" in use")[0] for title in titles[-4:-2]] == ["Types", "Special rules"]


def test_the_common_panels_hold_no_case_of_a_single_kind_of_stand():
    assert cases().isdisjoint(tables.CONCERNS)


def test_every_case_that_can_be_left_out_is_a_case_of_the_tables():
    """A row that is worded anew in the tables must be worded anew in CONCERNS."""
    assert {*tables.CONCERNS} <= {case for rows in tables.PANEL.values() for case, _ in rows}


RIFLES = "SKI/F or MSK with breech-loading rifles or better"
ONLY = [
    # a stand, cases that are there because of it, and cases that it does not bring
    ({"type": "WBD"}, {"Woods: all others", "SKI/F after 1915, or a charging WBD"}, {"Woods: PKE", "SKI/S"}),
    ({"type": "PKE"}, {"Woods: PKE", "PKE to its front"}, {"Woods: all others", "Backstep"}),
    ({"type": "CAV/A"}, {"Woods: CAV, ART, TNK"}, {"INF/A against the same", "Limbering"}),
    ({"type": "INF/A"}, {"INF/A against the same", "Backstep"}, {"Medium TNK", "Infantry squares"}),
    ({"type": "MSK"}, {"Infantry squares", "SKI/F or MSK with breech-loading rifles or better"}, {"Evading"}),
    ({"type": "SKI/F"}, {"Target is SKI", "Attacker is SKI", "Evading"}, {"SKI/S", "Guided missile"}),
    ({"type": "SKI/F", "guided": True}, {"Guided missile"}, {"Off-board artillery"}),
    ({"type": "SKI/F", "post_1906": True}, {"SKI/F after 1915, or a charging WBD"}, {"PKE to its front"}),
    ({"type": "SKI/S"}, {"SKI/S", "Then indirect fire or bombs"}, {"Evading", "Gun on a TNK"}),
    ({"type": "ART", "gun": "smoothbore"}, {"Smoothbore muzzle-loader", "Limbering"}, {"Gun on a TNK", "Tanks"}),
    (
        {"type": "ART", "gun": "breech-loader-130", "off_board": True},
        {"Breech-loader, 80 to 130 mm", "Off-board artillery", "Chemical weapons"},
        {"Breech-loader above 130 mm", "Bombs"},
    ),
    ({"type": "TNK", "armour": "medium", "gun": "breech-loader-79"}, {"Medium TNK", "Gun on a TNK"}, {"Heavy TNK"}),
    ({"type": "TNK"}, {"Light TNK; INF/A without gunpowder against it", "Tanks"}, {"Gun on a TNK", "Medium TNK"}),
    ({"type": "TNK", "gun": "torsion"}, {"Tanks"}, {"Gun on a TNK"}),
    ({"type": "WBD", "gun": "smoothbore", "guided": True}, set(), {"Smoothbore muzzle-loader", "Guided missile"}),
    ({"type": "AIR", "ordnance": "bomber"}, {"Aircraft", "Bombs", "Breech-loader, 80 to 130 mm"}, {"Rockets"}),
    ({"type": "AIR", "ordnance": "attack-helicopter"}, {"Rockets", "SKI/S"}, {"Bombs", "Chemical weapons"}),
    ({"type": "AIR", "ordnance": "fighter"}, {"Strafing", RIFLES}, {"Firer is SKI", "Bombs"}),
    ({"type": "AIR"}, {"Aircraft"}, {"Bombs", "Rockets", "Strafing"}),
    ({"type": "WORKS"}, {"Field works"}, {"Aircraft"}),
    ({"type": "WBD", "general": "inferior"}, {"General"}, {"Field works"}),
    ({"type": "SKI/F", "duplicates": [{"type": "TNK"}]}, {"Stands with states", "Tanks"}, {"Limbering"}),
    ({"type": "SKI/F", "duplicates": [{"type": "TNK", "quantity": 0}]}, {"Evading"}, {"Tanks"}),
    ({"type": "ZEP", "gun": "smoothbore"}, set(), {"Smoothbore muzzle-loader", "Aircraft"}),
]


def test_panels_contain_what_the_army_uses_and_nothing_else():
    for profile, there, absent in ONLY:
        found = cases(profile)
        assert there <= found
        assert found.isdisjoint(absent)
        assert cases({**profile, "quantity": 0}) == cases()


def test_moves_and_ranges_are_listed_once_for_stands_that_are_alike():
    """Table 4: artillery with soft transport 4; table 6: 80 to 130 mm 9; a tank's gun shoots 3 squares less."""
    tank = {"type": "TNK", "armour": "medium", "gun": "breech-loader-79"}
    gun = {"type": "ART", "gun": "breech-loader-130", "transport": "soft"}
    found = panels(tank, {**tank, "quality": "good"}, gun, {"type": "WBD"})
    assert found["Moves and ranges, in squares (tables 4 and 6)"].rows == (
        ("TNK medium, breech-loader to 79 mm", "slow 3, medium 4, fast 6", "4"),
        ("ART, breech-loader, 80 to 130 mm, motor transport", "4", "9"),
        ("WBD", "2, charging 3", "-"),
    )


def test_army_morale_is_worked_out_for_the_stands_of_the_army():
    assert panels({"type": "WBD", "quantity": 15})["Army morale (7.1)"].rows == (
        ("10 %", "2", "1"),
        ("20 %", "3", "1 to 2"),
        ("30 %", "5", "1 to 3"),
        ("40 %", "6", "1 to 4"),
        ("50 %", "8", "1 to 5"),
        ("60 %", "9", "always"),
    )


def test_army_morale_without_stands_shows_the_shares():
    assert panels()["Army morale (7.1)"].rows[1] == ("20 %", "1 to 2")


# ---------------------------------------------------------------- briefing


def test_the_briefing_of_a_published_battle_has_its_numbers():
    """Rommel is worth 119.5, Monty 122.5: rounded 120 and 123, three apart."""
    found = briefing(published("rommel"), published("monty"))
    assert found["Forces"].rows == (
        ("Rommel's Afrika Korps", "120 (119.5 before rounding)", "15", "5 × 3", "competent 0"),
        ("Monty's Desert Rats", "123 (122.5 before rounding)", "15", "5 × 3", "competent 0"),
    )
    assert found["Forces"].text == "The armies are not matched: 3 points apart, of 1 at most."
    assert found["Army morale (7.1): stands lost"].rows[2] == ("30 %", "1 to 3", "5", "5")
    assert ("Rommel's Afrika Korps: retreats", "without a die once 9 of its 15 stands are lost.") in found[
        "The end (3.4)"
    ].rows


@pytest.mark.parametrize(("gun", "asked"), [("breech-loader-130", True), ("breech-loader-heavy", False)])
def test_only_guns_of_a_class_that_begins_below_100_mm_are_agreed_to_be_off_the_board(gun, asked):
    battery = {"name": "Siege train", "type": "ART", "gun": gun, "off_board": True}
    panel = briefing(side(roster("6mm", [battery]))).get("Agree beforehand")
    assert bool(panel and "Siege train" in dict(panel.rows)["Off-board guns"]) is asked


def test_the_briefing_tells_what_to_agree_and_for_whom():
    rows = dict(briefing(published("suetonius"), published("rommel"))["Agree beforehand"].rows)
    assert rows["Peculiarities"].endswith(": Legionaries (+1).")
    assert rows["Ordnance"].endswith(": Stuka.")
    assert "Field works" not in rows


def test_a_long_list_of_names_is_cut():
    many = [{"type": "ARC", "name": f"Bows {number}"} for number in range(8)]
    rows = dict(briefing(side(roster("6mm", many)))["Agree beforehand"].rows)
    assert rows["Bows"].endswith("Bows 5 and 2 more.")


def test_armies_are_matched_up_to_one_point_apart():
    """A WBD is 5 points, a pool of transport 1 each."""
    for more, verdict in [
        (0, "matched: 0 points apart"),
        (1, "matched: 1 point apart"),
        (2, "not matched: 2 points apart"),
    ]:
        pool = {"type": "TRANSPORT", "quantity": more}
        text = briefing(side(roster("6mm", [{"type": "WBD"}])), side(roster("6mm", [{"type": "WBD"}, pool])))[
            "Forces"
        ].text
        assert text.startswith(f"The armies are {verdict}")


def test_three_armies_are_compared_from_the_highest_to_the_lowest():
    sides = [side(roster("6mm", [{"type": "WBD"}, {"type": "TRANSPORT", "quantity": n}])) for n in (1, 0, 2)]
    assert briefing(*sides)["Forces"].text.startswith("The armies are not matched: 2 points apart, of 1 at most. The")


def test_one_army_alone_is_briefed_too():
    assert briefing(published("boudicca"))["Forces"].rows[0][3] == "7 × 3"
    assert briefing(published("boudicca"))["Forces"].text == "Matched armies differ by 1 point at most."


def test_stands_are_placed_three_at_a_time_and_a_short_set_last():
    for stands, sets in [(0, "nothing"), (2, "2"), (3, "1 × 3"), (20, "6 × 3 + 2"), (21, "7 × 3"), (22, "7 × 3 + 1")]:
        assert briefing(side(roster("6mm", [{"type": "WBD", "quantity": stands}])))["Forces"].rows[0][3] == sets


def test_initiative_follows_the_rating_of_the_general():
    rows = [
        ([], "no general"),
        ([{"general": "superior"}], "superior +1"),
        ([{"general": "inferior"}, {"general": "inferior"}], "inferior -1"),
        ([{"general": "superior", "quantity": 0}, {"general": "competent"}], "competent 0"),
    ]
    for generals, initiative in rows:
        army = [{"type": "CAV/U", **general} for general in generals]
        assert briefing(side(roster("6mm", army)))["Forces"].rows[0][4] == initiative


def test_an_average_of_three_states_is_cut_to_two_decimals():
    """(5 + 5 + 4) / 3 is 14/3, rounded 5."""
    states = {"type": "WBD", "duplicates": [{"type": "WBD"}, {"type": "SKI/F"}]}
    assert briefing(side(roster("6mm", [states])))["Forces"].rows[0][1] == "5 (about 4.67 before rounding)"


# ---------------------------------------------------------------- any army
