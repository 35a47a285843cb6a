"""Playing 6MM: boxes, routs, army morale, panels and briefings, worked by hand from the rulebook's tables."""

from functools import partial

from rosters.core import appraisals
from rosters.core.play import set_box
from rosters.core.values import MAX_INTEGER
from rosters.systems.six_mm import play, tables
from rosters.systems.six_mm.rules import PURCHASES
from tests import support
from tests.notation import rows, stand
from tests.support import FIRST, briefing, roster_data

panels, side = partial(support.panels, "6mm"), partial(support.side, "6mm")


def losing(text, *lost, **more):
    """A stand with the strength that each of its models has lost."""
    return stand(text, marks=[{"strength": number} for number in lost], **more)


def tracks(text):
    document = support.read(roster_data("6mm", [stand(text)]))
    return play.tracks(document.formations[0].elements[0], appraisals.terms_of(document))


def alerts(*elements, where):
    """The values in the alerts of one position."""
    return [alert.text.values for alert in support.alerts("6mm", elements) if alert.where == where]


def published(name):
    return support.side_of(support.sample_data("6mm", name))


TRACKS = rows(f"""  # a stand, its strength, and the losses at which less than half is left
    WBD poor = 4 3 | WBD = 5 3 | MSK = 6 4 | INF/A = 7 4 | INF/A agreed=1 = 8 5 | INF/A good = 9 5
    INF/A agreed={MAX_INTEGER} = 15 8 | INF/A agreed=-{MAX_INTEGER} = 4 3 | TNK super-heavy elite superior = 12 7
    SKI/F + TNK heavy = 4 3
""")


def test_a_stand_has_a_box_for_each_strength_point_and_is_announced_once_it_routs_below_half():
    for text, expected in TRACKS:
        track, rallied = tracks(text)
        assert (track.key, track.kind) == ("strength", "count")
        assert f"{len(track.boxes)} {track.breaks_at}" == expected, text
    rout = {"strength": 1, "rallied": True}
    assert set_box(rout, rallied, 0, marked=False) == {"strength": 1}
    assert set_box(rout, track, 1, marked=True) == {"strength": 2}, "any later hit routs it again"
    assert [tracks(type_) for type_ in [*PURCHASES, "ZEP"]] == [()] * 3
    for lost in (0, 1, 4):  # of nine strength points, four left are below half
        assert alerts(losing("INF/A good", lost), where=FIRST) == []
    for lost, values in [(5, {"left": 4, "strength": 9}), (8, {"left": 1, "strength": 9}), (9, {}), (MAX_INTEGER, {})]:
        assert alerts(losing("INF/A good", lost), where=FIRST) == [{"stand": "Element 1", **values}]
    assert alerts(losing("ZEP", 9), stand("WORKS x2"), where=FIRST) == []
    found = support.alerts("6mm", [losing("WBD", 5), losing("WBD", 4), losing("WBD", 5)])
    assert [alert.where for alert in found] == [*(f"formations/0/elements/{n}" for n in range(3)), ""]
    found = alerts(losing("WBD x4", 0, 3, 5, name="Trinovantes"), where=FIRST)
    assert [values["stand"] for values in found] == ["Trinovantes 2", "Trinovantes 3"]


def test_army_morale_of_fifteen_stands_is_rolled_for_at_each_threshold_less_the_generals_lost():
    """Fifteen units: 2, 3, 5, 6, 8, 9 lost. Works and transport are no stands, and who routs is not lost."""
    for lost, percent in {2: 10, 3: 20, 4: 20, 5: 30, 6: 40, 7: 40, 8: 50, 9: 60, 15: 60}.items():
        (values,) = alerts(stand("WORKS x90"), losing("WBD poor x15", *[4] * lost), where="")
        assert values == {"lost": lost, "stands": 15, "percent": percent, "die": percent // 10, "generals": 0}
    found = [support.alerts("6mm", [losing("WBD poor x15", *[4] * n)])[-1] for n in (2, 8, 9, 15)]
    rolled, same, always, also = ((each.text.template, each.kind) for each in found)
    assert (rolled == same, same == always, always == also) == (True, False, True)
    assert (rolled[1], always[1]) == ("roll", ""), "from 60 % on there is nothing to roll"
    for marks in ([], [4], [3] * 15):
        assert alerts(losing("WBD poor x15", *marks), where="") == []
    general = losing("CAV/U competent", 6)
    (morale,) = alerts(general, stand("CAV/U inferior"), losing("WBD poor x13", 4), where="")
    assert morale["generals"] == 1
    for lost, found in [([6, 6], [2, None]), ([6], []), ([5, 6], []), ([], [])]:
        values = alerts(losing("CAV/U competent x2", *lost), stand("WBD poor x13"), where="")
        assert [value.get("generals") for value in values] == found
    first, plain = (support.alerts("6mm", [each])[0] for each in (general, losing("CAV/U", 6)))
    assert (first.text.template == plain.text.template, first.kind, plain.kind) == (False, "", "event")


ONLY = rows("""  # a stand, cases that it brings, and cases that it does not bring
    WBD = Woods: all others = Woods: PKE
    PKE = Woods: PKE = Woods: all others / Backstep
    CAV/A = Woods: CAV, ART, TNK = Limbering
    INF/A = Backstep = Infantry squares
    MSK = Infantry squares = Evading
    SKI/F guided = Evading / Woods: SKI = Off-board artillery
    SKI/S = Woods: SKI = Evading
    ART smoothbore = Limbering = Tanks
    ART breech-loader-130 off_board = Off-board artillery / Chemical weapons = Bombs
    AIR bomber = Aircraft / Bombs = Rockets
    AIR attack-helicopter = Rockets = Bombs / Chemical weapons
    AIR fighter = Strafing = Bombs | AIR = Aircraft = Bombs / Rockets / Strafing
    WORKS = Field works = Aircraft | WBD inferior = General = Field works
    SKI/F + TNK = Alternate stands / Tanks = Limbering | SKI/F + TNK x0 = Evading = Tanks
""")


def cases(*elements):
    """The first cells of every row of every panel of an army."""
    return {row[0] for panel in panels(elements).values() for row in panel.rows}


def test_panels_contain_what_the_army_uses_once_and_nothing_else_but_the_tables_of_the_dice():
    """Table 4: artillery with soft transport 4; table 6: 80 to 130 mm 9; a tank's gun shoots 3 squares less."""
    every = [*tables.SPECIALS, *tables.TERRAIN[1]]
    assert cases().isdisjoint(case for needs, case, _ in every if needs)
    for text, present, absent in ONLY:
        found = {case.replace("\xa0", "~") for case in cases(stand(text))}
        assert ({*present.split(" / ")} - {""} - found, {*absent.split(" / ")} & found) == (set(), set()), text
        assert cases(stand(text, quantity=0)) == cases()
    for table in (tables.SHOOTING_PLUS, tables.SHOOTING_MINUS, tables.CONTACT_PLUS, tables.CONTACT_MINUS):
        assert {case for case, _effect in table[1]} <= cases(stand("CAV/U"))
    # Table 4: artillery with soft transport 4; table 6: 80 to 130 mm 9; a tank's gun shoots 3 squares less.
    texts = ("TNK medium breech-loader-79", "TNK medium breech-loader-79 good", "ART breech-loader-130 soft", "WBD")
    found = panels([*map(stand, texts)])
    moves = found["Moves and ranges, in squares (tables 4 and 6)"].rows
    assert [(row[0].split(" ")[0], row[2]) for row in moves] == [("Tanks", "4"), ("Artillery", "9"), ("Warband", "–")]


def test_the_briefing_of_a_battle_has_its_numbers_and_the_thresholds_of_each_army():
    """Table of 7.1: each tenth of the stands, rounded up. A pack has one reference for all its armies."""
    twenty, more = (side([stand(f"WBD x{stands}")]) for stands in (20, 21))
    rows = briefing(twenty, more)["Army morale (7.1): stands lost"].rows
    assert [row[2:] for row in rows] == [("2", "3"), ("4", "5"), ("6", "7"), ("8", "9"), ("10", "11"), ("12", "13")]
    shares = panels([stand("WBD x41")])["Army morale (7.1)"].rows
    assert (shares[1], shares[5]) == (("20\xa0%", "1–2"), ("60\xa0%", "always"))
    # Rommel is worth 119.5, Monty 122.5: rounded 120 and 123, three apart.
    sides = [published("rommel"), published("monty")]
    found, match = briefing(*sides), play.match(sides)
    assert [(row[0], *row[1].values.values(), *row[2:]) for row in found["Armies"].rows] == [
        ("Rommel's Afrika Korps", "120", "119.5", "15", "5 × 3", "competent 0"),
        ("Monty's Desert Rats", "123", "122.5", "15", "5 × 3", "competent 0"),
    ]
    assert (match.matched, match.sentences[0].values) == (False, {"n": 3})
    assert found["Army morale (7.1): stands lost"].rows[2] == ("30\xa0%", "1–3", "5", "5")


def test_the_briefing_lists_what_to_agree_and_for_which_stands():
    def agreed(*sides):
        return dict(briefing(*sides)["Agree beforehand"].rows)

    found = agreed(published("suetonius"), published("rommel"))
    assert found["Special traits"].values["stands"] == "Legionaries (+1)"
    assert found["Ordnance"].values["stands"] == "Stuka"
    assert "Field works" not in found
    assert agreed(side([stand("ARC", name=" ")]))["Bows"].values["stands"] == "Archers", "its type"
    bows = agreed(side([stand("ARC", name=f"Bows {number}") for number in range(8)]))["Bows"].values["stands"]
    assert bows == "Bows 0, Bows 1, Bows 2, Bows 3, Bows 4, Bows 5 and 2 more"
    for gun, listed in [("breech-loader-130", True), ("breech-loader-heavy", False)]:
        assert ("Off-board guns" in agreed(side([stand(f"ART {gun} off_board"), stand("ARC")]))) is listed


def test_armies_are_matched_up_to_one_point_apart_and_the_briefing_has_their_sets_initiative_and_points():
    """A WBD is 5 points, a pool of transport 1 each."""
    for pools, matched, gap in [((0, 0), True, 0), ((1, 0), True, 1), ((0, 2), False, 2), ((1, 0, 2), False, 2)]:
        sides = [side([{"type": "WBD"}, {"type": "TRANSPORT", "quantity": n}]) for n in pools]
        match = play.match(sides)
        assert (match.matched, match.sentences[0].values) == (matched, {"n": gap})
        assert len(match.sentences) == len(pools) - 1
        assert len(match.missing) == sum(max(pools) - n > 1 for n in pools)
    assert play.match([published("boudicca")]).matched is None

    def row(*stands):
        return briefing(side(stands))["Armies"].rows[0]

    for stands, sets in [(0, "–"), (2, "2"), (3, "1 × 3"), (20, "6 × 3 + 2"), (21, "7 × 3"), (22, "7 × 3 + 1")]:
        assert row(stand("WBD", quantity=stands))[3] == sets
    for texts, initiative in [
        *((["CAV/U superior"], "superior +1"), (["CAV/U inferior"] * 2, "inferior −1"), ([], "no general")),
        (["CAV/U superior x0", "CAV/U competent"], "competent 0"),
    ]:
        assert row(*map(stand, texts))[4] == initiative
    forms = row(stand("WBD + WBD + SKI/F"))
    assert forms[1].values == {"points": "5", "exact": "4.67"}  # (5 + 5 + 4) / 3
