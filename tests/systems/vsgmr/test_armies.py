"""The fourteen sample armies of section VII: each line typed from the rulebook, with its printed points."""

import json

from tests.support import FIXTURES, appraise

# slug: (printed points, printed figures, lines as (name, quantity, printed points of the whole line))
ARMIES = {
    "medieval-infantry": (23, 10, [("Captain of the Regiment", 1, 2), ("Standard Bearer", 1, 5), ("Soldier", 8, 16)]),
    "dwarves": (28, 5, [("Thane", 1, 4), ("Runepriest", 1, 6), ("Guard", 3, 18)]),
    "elves": (25, 7, [("Mage", 1, 7), ("Sentry", 2, 10), ("Foot Soldier", 4, 8)]),
    "orcs": (24, 7, [("Warlord", 1, 4), ("Mercenary", 2, 12), ("Warrior", 4, 8)]),
    "undead": (
        25,
        9,
        [
            ("Necromancer", 1, 6),
            ("Skeleton Archer", 2, 4),
            ("Skeletal Steed", 1, 2),
            ("Skeletal Steed Rider", 1, 1),
            ("Demon", 1, 7),
            ("Ghoul", 5, 5),
        ],
    ),
    "fantasy-adventurers": (
        27,
        5,
        [("Fighter", 1, 6), ("Cleric", 1, 5), ("Rogue", 1, 6), ("Wizard", 1, 5), ("Ranger", 1, 5)],
    ),
    "wild-west-bandit-gang": (22, 8, [("Gang Leader", 1, 5), ("Bandit", 3, 9), ("Horse", 4, 8)]),
    "zombie-horde": (20, 13, [("Patient Zero", 1, 4), ("First Infected", 2, 6), ("Minion", 10, 10)]),
    "horror-film-survivors": (
        19,
        4,
        [("Local Sheriff", 1, 5), ("Gun Nut", 1, 6), ("Scream Queen", 1, 3), ("High School Football Star", 1, 5)],
    ),
    "modern-infantry": (
        24,
        5,
        [("Sergeant", 1, 4), ("Soldier", 2, 8), ("Helicopter", 1, 8), ("Helicopter Pilot", 1, 4)],
    ),
    "justice-team": (42, 3, [("Super-Guy", 1, 18), ("Bat-Guy", 1, 14), ("Bird Sidekick", 1, 10)]),
    "mightiest-heroes": (38, 3, [("Spider-Guy", 1, 9), ("Claw-Guy", 1, 14), ("Big Green", 1, 15)]),
    "star-soldiers": (36, 3, [("Captain", 1, 10), ("Lieutenant", 1, 12), ("Heavy Weapons Specialist", 1, 14)]),
    "bug-aliens": (37, 8, [("Hive Queen", 1, 6), ("Bio-Weapon", 1, 7), ("Soldier", 6, 24)]),
}
WARNINGS = {
    "dwarves": ["trait-needs-armor"],  # the Runepriest buys Tough without armor
    "orcs": ["trait-alias"],  # the Warlord's Weapon Master
}


def army(slug):
    return json.loads((FIXTURES / "armies" / "vsgmr" / f"{slug}.json").read_text(encoding="utf-8"))


def test_every_line_is_worth_what_the_book_prints():
    assert {path.stem for path in (FIXTURES / "armies" / "vsgmr").glob("*.json")} == set(ARMIES)
    for slug, (_, _, lines) in ARMIES.items():
        found = appraise(army(slug)).formations[0].elements
        assert [(line.name, line.quantity, line.points) for line in found] == lines


def test_the_only_findings_are_the_books_own_oddities():
    for slug in ARMIES:
        assert [finding.code for finding in appraise(army(slug)).findings] == WARNINGS.get(slug, [])


def test_the_basic_game_is_set_where_its_suggestion_covers_the_army():
    for slug, (points, _, _) in ARMIES.items():
        assert army(slug)["scenario"] == ("basic" if 25 <= points <= 40 else None)
