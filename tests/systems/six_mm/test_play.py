"""Playing 6MM: boxes, routs, army morale, panels and briefings, worked by hand from the rulebook's tables."""

from functools import partial

from rosters.core import appraisals
from rosters.core.values import LIMIT
from rosters.systems.six_mm import play, tables
from rosters.systems.six_mm.rules import PURCHASES
from tests import support
from tests.support import HERE, briefing, roster

panels, side = partial(support.panels, "6mm"), partial(support.side, "6mm")

LOST = {"strength": 4}
"""All that a WBD of poor quality has."""
CROWD = {"type": "WBD", "quality": "poor"}


def stand(type_, *lost, **profile):
    """A stand as document data, with the strength that each of its models has lost."""
    return {"type": type_, "marks": [{"strength": number} for number in lost], **profile}


def tracks(**profile):
    document = support.read(roster("6mm", [profile]))
    return play.tracks(document.formations[0].elements[0], appraisals.terms_of(document))


def alerts(*elements, where):
    """The values in the alerts of one position."""
    return [alert.text.values for alert in support.alerts("6mm", elements) if alert.where == where]


def published(name):
    return support.side_of(support.army("6mm", name))


TRACKS = [  # a stand, its strength, and the losses at which less than half is left
    *(({"type": "WBD", "quality": "poor"}, 4, 3), ({"type": "WBD"}, 5, 3), ({"type": "MSK"}, 6, 4)),
    *(({"type": "INF/A"} | more, strength, breaks_at) for more, strength, breaks_at in [
        ({}, 7, 4), ({"agreed": 1}, 8, 5), ({"quality": "good"}, 9, 5), ({"agreed": LIMIT}, 15, 8),
        ({"agreed": -LIMIT}, 4, 3),
    ]),
    ({"type": "TNK", "armour": "super-heavy", "quality": "elite", "general": "superior"}, 12, 7),
    ({"type": "SKI/F", "duplicates": [{"type": "TNK", "armour": "heavy"}]}, 4, 3),
]  # fmt: skip


def test_a_stand_has_a_box_for_each_strength_point_and_routs_below_half():
    for profile, strength, breaks_at in TRACKS:
        (track,) = tracks(**profile)
        assert (track.key, track.kind, len(track.boxes), track.breaks_at) == ("strength", "count", strength, breaks_at)
    assert [tracks(type=type_) for type_ in [*PURCHASES, "", "ZEP"]] == [()] * 4
    nine = partial(stand, "INF/A", quality="good")  # nine strength points: four left are below half
    for lost in (0, 1, 4):
        assert alerts(nine(lost), where=HERE) == []
    for lost, values in [(5, {"left": 4, "strength": 9}), (8, {"left": 1, "strength": 9}), (9, {}), (LIMIT, {})]:
        assert alerts(nine(lost), where=HERE) == [{"stand": "Element 1", **values}]
    assert alerts(stand("ZEP", 9), {"type": "WORKS", "quantity": 2}, where=HERE) == []


def test_alerts_come_in_document_order_and_name_a_model_only_among_several():
    found = support.alerts("6mm", [stand("WBD", 5), stand("WBD", 4), stand("WBD", 5)])
    assert [alert.where for alert in found] == [*(f"formations/0/elements/{n}" for n in range(3)), ""]
    found = alerts(stand("WBD", 0, 3, 5, quantity=4, name="Trinovantes"), where=HERE)
    assert [values["stand"] for values in found] == ["Trinovantes 2", "Trinovantes 3"]


def test_army_morale_of_fifteen_stands_is_rolled_for_at_each_threshold():
    """Fifteen units: 2, 3, 5, 6, 8, 9 lost. Works and transport are no stands, and who routs is not lost."""
    works = {"type": "WORKS", "quantity": 90}
    reached = {2: 10, 3: 20, 4: 20, 5: 30, 6: 40, 7: 40, 8: 50, 9: 60, 15: 60}
    for lost, percent in reached.items():
        (values,) = alerts(works, {**CROWD, "quantity": 15, "marks": [LOST] * lost}, where="")
        assert values == {"lost": lost, "stands": 15, "percent": percent, "die": percent // 10, "generals": 0}
    texts = [support.alerts("6mm", [{**CROWD, "quantity": 15, "marks": [LOST] * n}])[-1].text for n in (2, 8, 9, 15)]
    rolled, same, always, also = (text.template for text in texts)  # from 60 % on there is nothing to roll
    assert (rolled == same, same == always, always == also) == (True, False, True)
    for marks in ([], [LOST], [{"strength": 3}] * 15):
        assert alerts({**CROWD, "quantity": 15, "marks": marks}, where="") == []


def test_lost_generals_are_deducted_from_army_morale_and_the_last_is_announced():
    general, other = stand("CAV/U", 6, general="competent"), stand("CAV/U", general="inferior")
    (morale,) = alerts(general, other, {**CROWD, "quantity": 13, "marks": [LOST]}, where="")
    assert morale["generals"] == 1
    for lost, found in [([6, 6], [2, None]), ([6], []), ([5, 6], []), ([], [])]:
        values = alerts(stand("CAV/U", *lost, general="competent", quantity=2), {**CROWD, "quantity": 13}, where="")
        assert [value.get("generals") for value in values] == found
    templates = [support.alerts("6mm", [each])[0].text.template for each in (general, stand("CAV/U", 6))]
    assert templates[0] != templates[1]


RIFLES, M130 = "SKI/F or MSK with breech-loading rifles or better", "Breech-loader, 80–130\xa0mm"
HOWITZER = {"type": "ART", "gun": "breech-loader-130", "off_board": True}

ONLY = [  # a stand, cases that it brings, and cases that it does not bring
    ({"type": "WBD"}, {"Woods: all others", "SKI/F after 1915, or a charging WBD"}, {"Woods: PKE", "SKI/S"}),
    ({"type": "PKE"}, {"Woods: PKE", "PKE to its front"}, {"Woods: all others", "Backstep"}),
    ({"type": "CAV/A"}, {"Woods: CAV, ART, TNK"}, {"INF/A against the same", "Limbering"}),
    ({"type": "INF/A"}, {"INF/A against the same", "Backstep"}, {"Medium TNK", "Infantry squares"}),
    ({"type": "MSK"}, {"Infantry squares", RIFLES}, {"Evading"}),
    ({"type": "SKI/F"}, {"Target is SKI", "Attacker is SKI", "Evading"}, {"SKI/S", "Guided missile"}),
    ({"type": "SKI/F", "guided": True}, {"Guided missile"}, {"Off-board artillery"}),
    ({"type": "SKI/F", "post_1906": True}, {"SKI/F after 1915, or a charging WBD"}, {"PKE to its front"}),
    ({"type": "SKI/S"}, {"SKI/S", "Then indirect fire or bombs"}, {"Evading", "Gun on a TNK"}),
    ({"type": "ART", "gun": "smoothbore"}, {"Smoothbore muzzle-loader", "Limbering"}, {"Gun on a TNK", "Tanks"}),
    (HOWITZER, {M130, "Off-board artillery", "Chemical weapons"}, {"Breech-loader above 130\xa0mm", "Bombs"}),
    ({"type": "TNK", "armour": "medium", "gun": "breech-loader-79"}, {"Medium TNK", "Gun on a TNK"}, {"Heavy TNK"}),
    ({"type": "TNK"}, {tables.SHOOTING_MINUS[1][2][1], "Tanks"}, {"Gun on a TNK", "Medium TNK"}),
    ({"type": "WBD", "gun": "smoothbore", "guided": True}, set(), {"Smoothbore muzzle-loader", "Guided missile"}),
    ({"type": "AIR", "ordnance": "bomber"}, {"Aircraft", "Bombs", M130}, {"Rockets"}),
    ({"type": "AIR", "ordnance": "attack-helicopter"}, {"Rockets", "SKI/S"}, {"Bombs", "Chemical weapons"}),
    ({"type": "AIR", "ordnance": "fighter"}, {"Strafing", RIFLES}, {"Shooter is SKI", "Bombs"}),
    ({"type": "AIR"}, {"Aircraft"}, {"Bombs", "Rockets", "Strafing"}),
    ({"type": "WORKS"}, {"Field works"}, {"Aircraft"}),
    ({"type": "WBD", "general": "inferior"}, {"General"}, {"Field works"}),
    ({"type": "SKI/F", "duplicates": [{"type": "TNK"}]}, {"Alternate stands", "Tanks"}, {"Limbering"}),
    ({"type": "SKI/F", "duplicates": [{"type": "TNK", "quantity": 0}]}, {"Evading"}, {"Tanks"}),
]


def cases(*elements):
    """The first cells of every row of every panel of an army."""
    return {row[0] for panel in panels(elements).values() for row in panel.rows}


def test_panels_contain_what_the_army_uses_and_nothing_else():
    panels = (tables.TERRAIN, tables.SHOOTING_PLUS, tables.SHOOTING_MINUS, tables.CONTACT_PLUS, tables.CONTACT_MINUS)
    every = [*tables.SPECIALS, *(case for _, table in panels for case in table)]
    assert cases().isdisjoint(case for needs, case, _ in every if needs)
    for profile, present, absent in ONLY:
        found = cases(profile)
        assert (profile, present - found, absent & found) == (profile, set(), set())
        assert cases({**profile, "quantity": 0}) == cases()


def test_moves_and_ranges_are_listed_once_for_identical_stands():
    """Table 4: artillery with soft transport 4; table 6: 80 to 130 mm 9; a tank's gun shoots 3 squares less."""
    tank = {"type": "TNK", "armour": "medium", "gun": "breech-loader-79"}
    gun = {"type": "ART", "gun": "breech-loader-130", "transport": "soft"}
    found = panels([tank, {**tank, "quality": "good"}, gun, {"type": "WBD"}])
    rows = found["Moves and ranges, in squares (tables 4 and 6)"].rows
    assert [(row[0].split(" ")[0], row[2]) for row in rows] == [("TNK", "4"), ("ART", "9"), ("WBD", "–")]


def test_army_morale_is_computed_for_the_stands_of_the_army():
    rows = panels([{"type": "WBD", "quantity": 15}])["Army morale (7.1)"].rows
    assert [(row[1], row[-1]) for row in rows][::5] == [("2", "1"), ("9", "always")]
    assert panels([])["Army morale (7.1)"].rows[1] == ("20\xa0%", "1–2")


def test_the_briefing_of_a_published_battle_has_its_numbers():
    """Rommel is worth 119.5, Monty 122.5: rounded 120 and 123, three apart."""
    sides = [published("rommel"), published("monty")]
    found, match = briefing(*sides), play.match(sides)
    rows = [(row[0], *row[1].values.values(), *row[2:]) for row in found["Armies"].rows]
    assert rows == [
        ("Rommel's Afrika Korps", "120", "119.5", "15", "5 × 3", "competent 0"),
        ("Monty's Desert Rats", "123", "122.5", "15", "5 × 3", "competent 0"),
    ]
    assert (match.matched, match.sentences[0].values) == (False, {"n": 3})
    assert found["Army morale (7.1): stands lost"].rows[2] == ("30\xa0%", "1–3", "5", "5")
    assert [text.values for _, text in found["The end (3.4)"].rows] == [{}, {"n": 9}, {"n": 9}]


def test_the_briefing_lists_what_to_agree_and_for_which_stands():
    rows = dict(briefing(published("suetonius"), published("rommel"))["Agree beforehand"].rows)
    assert rows["Special traits"].values["stands"] == "Legionaries (+1)"
    assert rows["Ordnance"].values["stands"] == "Stuka"
    assert "Field works" not in rows
    many = side([{"type": "ARC", "name": f"Bows {number}"} for number in range(8)])
    assert (
        dict(briefing(many)["Agree beforehand"].rows)["Bows"].values["stands"]
        == "Bows 0, Bows 1, Bows 2, Bows 3, Bows 4, Bows 5 and 2 more"
    )
    for gun, listed in [("breech-loader-130", True), ("breech-loader-heavy", False)]:
        battery = {"type": "ART", "gun": gun, "off_board": True}
        panel = briefing(side([battery, {"type": "ARC"}]))["Agree beforehand"]
        assert ("Off-board guns" in dict(panel.rows)) is listed


def test_armies_are_matched_up_to_one_point_apart():
    """A WBD is 5 points, a pool of transport 1 each."""
    for pools, matched, gap in [((0, 0), True, 0), ((1, 0), True, 1), ((0, 2), False, 2), ((1, 0, 2), False, 2)]:
        sides = [side([{"type": "WBD"}, {"type": "TRANSPORT", "quantity": n}]) for n in pools]
        match = play.match(sides)
        assert (match.matched, match.sentences[0].values) == (matched, {"n": gap})
        assert len(match.sentences) == len(pools) - 1
        assert len(match.missing) == sum(max(pools) - n > 1 for n in pools)
    assert play.match([published("boudicca")]).matched is None


GENERALS = [  # ratings, and what the briefing shows
    *(([{"general": "superior"}], "superior +1"), ([{"general": "inferior"}, {"general": "inferior"}], "inferior −1")),
    *(([{"general": "superior", "quantity": 0}, {"general": "competent"}], "competent 0"), ([], "no general")),
]


def test_the_briefing_has_the_sets_of_three_the_initiative_and_the_points_of_an_army():
    def row(*stands):
        return briefing(side(stands))["Armies"].rows[0]

    for stands, sets in [(0, "–"), (2, "2"), (3, "1 × 3"), (20, "6 × 3 + 2"), (21, "7 × 3"), (22, "7 × 3 + 1")]:
        assert row({"type": "WBD", "quantity": stands})[3] == sets
    for generals, initiative in GENERALS:
        assert row(*({"type": "CAV/U", **general} for general in generals))[4] == initiative
    forms = row({"type": "WBD", "duplicates": [{"type": "WBD"}, {"type": "SKI/F"}]})
    assert forms[1].values == {"points": "5", "exact": "4.67"}  # (5 + 5 + 4) / 3
