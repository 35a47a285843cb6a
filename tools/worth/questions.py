"""What is measured: for each game plain elements, and what is changed of them, one thing at a time.

Everything here is our choice, and the page says so.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from rosters.core.reference import fixtures_folder

Fields = Mapping[str, Any]


class Row(NamedTuple):
    """A changed element: how many of it, and of those that come with it, are one purchase, for ``plain`` plain ones."""

    label: str
    parts: Sequence[tuple[Fields, int]]
    plain: int = 1


class Group(NamedTuple):
    """Rows of one kind; a stat has a row for each of its values."""

    title: str
    rows: Sequence[Row]
    stat: bool = False


class Study(NamedTuple):
    """A plain element, the force of it, and its changes.

    ``distance`` is that of the exact odds; with a ``ground`` nobody moves in the battles either. ``unit`` is the number
    of models in a unit, where morale is that of units.
    """

    key: str
    title: str
    plain: Fields
    models: int
    groups: Sequence[Group]
    distance: Any
    battles: int = 2_000
    policy: str | None = None
    ground: int | None = None
    unit: int | None = None


class Match(NamedTuple):
    """Two forces; 0 of the second are as many as its points pay for."""

    a: tuple[str, Fields, int]
    b: tuple[str, Fields, int]
    policy: str | None = None
    unit: int | None = None


class Game(NamedTuple):
    """The studies of a game, matches, questions (which of some rows of a study is the better purchase), and limits."""

    studies: Sequence[Study]
    matches: Sequence[Match]
    questions: Sequence[tuple[str, str, Sequence[str]]]
    readings: str
    unmeasured: str
    """What has a price and does nothing in these battles."""


def stat(title: str, key: str, values: Sequence[int | None], plain: Fields, none: str = "–") -> Group:
    """A row for each value of a stat."""
    labels = [f"{title} {none if value is None else value}" for value in values]
    rows = [Row(label, (({**plain, key: value}, 1),)) for label, value in zip(labels, values, strict=True)]
    return Group(title, rows, stat=True)


def changes(title: str, plain: Fields, rows: Sequence[tuple[str, Fields]]) -> Group:
    """A row for each change of the plain element."""
    return Group(title, [Row(label, (({**plain, **fields}, 1),)) for label, fields in rows])


def abilities(plain: Fields, *codes: tuple[str, Sequence[Fields]]) -> Group:
    """A row for each list of abilities of Mini Combat."""
    return changes("Abilities", plain, [(label, {"capabilities": [*each]}) for label, each in codes])


# ---------------------------------------------------------------- Mini Combat

UNIT = 4
RIFLES: Fields = {
    "kind": "infantry",
    "movement": 10,
    "to_hit": 4,
    "range": 30,
    "save": None,
    "power": 3,
    "armor": 1,
    "morale": 4,
}
SWORDS: Fields = {**RIFLES, "range": 0, "save": 6}
TANK: Fields = {**RIFLES, "kind": "vehicle", "movement": 30, "range": 60, "save": 6, "power": 5, "armor": 4}
LEGIONARY: Fields = {**RIFLES, "range": 5, "save": 5, "armor": 2, "morale": 3, "capabilities": [{"code": "Org"}]}
ORC: Fields = {**RIFLES, "range": 0, "save": 6, "morale": 5, "capabilities": [{"code": "Ch"}]}


def samples(system: str, wanted: Mapping[str, Sequence[str]]) -> Group:
    """Elements of sample rosters by name."""
    rows = []
    for file, names in wanted.items():
        document = json.loads((fixtures_folder() / "armies" / system / f"{file}.json").read_text(encoding="utf-8"))
        elements = {each["name"]: each for formation in document["formations"] for each in formation["elements"]}
        rows += [Row(name, (({**elements[name], "quantity": 1}, 1),)) for name in names]
    return Group("From the sample rosters", rows)


def code(name: str, **fields: Any) -> Fields:
    return {"code": name, **fields}


MINI_COMBAT = Game(
    studies=(
        Study(
            "rifles",
            "Riflemen",
            RIFLES,
            16,
            (
                stat("Movement", "movement", (0, 5, 10, 15, 20, 30), RIFLES),
                stat("To hit", "to_hit", (6, 5, 4, 3, 2), RIFLES),
                stat("Range", "range", (0, 10, 20, 30, 40, 60, 80), RIFLES),
                stat("Save", "save", (None, 6, 5, 4, 3, 2), RIFLES),
                stat("Power", "power", (2, 3, 4, 5), RIFLES),
                stat("Armor", "armor", (0, 1, 2, 3), RIFLES),
                stat("Morale", "morale", (6, 5, 4, 3, 2, 1), RIFLES),
                abilities(
                    RIFLES,
                    ("Multiple weapons 2", [code("MW", count=2)]),
                    ("Multiple weapons 3", [code("MW", count=3)]),
                    ("Cone template", [code("Cone")]),
                    ("Template 5 cm", [code("5c")]),
                    ("Template 10 cm", [code("10c")]),
                    ("Bombardment", [code("Bmb")]),
                    ("Scout", [code("Sc")]),
                    ("Stealth", [code("St")]),
                    ("Flying", [code("Fly")]),
                    ("Sharpshooter", [code("SS")]),
                    ("Move or fire", [code("MoF")]),
                    ("Fires every other turn", [code("Feot")]),
                    ("One shot", [code("OS")]),
                ),
                changes(
                    "Together",
                    RIFLES,
                    (
                        ("Movement 0 and move or fire", {"movement": 0, "capabilities": [code("MoF")]}),
                        (
                            "Range 60, Movement 0 and move or fire",
                            {"movement": 0, "range": 60, "capabilities": [code("MoF")]},
                        ),
                        ("Morale 6 and To hit 3", {"morale": 6, "to_hit": 3}),
                    ),
                ),
                samples(
                    "mini-combat",
                    {
                        "second-world-war": (
                            "Rifle squad",
                            "Machine-gun team",
                            "Mortar team",
                            "Rocket launcher team",
                            "Flamethrower team",
                            "Sniper",
                            "Armoured car",
                            "Half-track",
                            "Medium tank",
                        ),
                        "ancient-legions": ("Legionaries", "Warriors", "Archers", "Light horse", "Bolt thrower"),
                        "fantasy-hosts": ("Orc warriors", "Elven archers", "Rangers", "Trolls", "Wizard"),
                    },
                ),
            ),
            20,
            unit=UNIT,
        ),
        Study(
            "swords",
            "Swordsmen",
            SWORDS,
            16,
            (
                stat("Movement", "movement", (5, 10, 15, 20, 30), SWORDS),
                stat("Save", "save", (None, 6, 5, 4, 3), SWORDS),
                abilities(
                    SWORDS,
                    ("Charge", [code("Ch")]),
                    ("Melee advantage", [code("MA")]),
                    ("Multiple weapons 2", [code("MW", count=2)]),
                    ("Scout", [code("Sc")]),
                    ("Stealth", [code("St")]),
                ),
                changes("Together", SWORDS, (("Range 5 (javelins)", {"range": 5}), ("Range 30 (bows)", {"range": 30}))),
            ),
            0,
            unit=UNIT,
        ),
        Study(
            "tanks",
            "Tanks",
            TANK,
            12,
            (
                stat("Power", "power", (3, 4, 5, 6, 8), TANK),
                stat("Armor", "armor", (2, 3, 4, 5), TANK),
                stat("To hit", "to_hit", (6, 5, 4, 3, 2), TANK),
                stat("Save", "save", (None, 6, 5, 4, 3), TANK),
                changes(
                    "Abilities",
                    TANK,
                    (
                        ("Sharpshooter", {"capabilities": [code("SS")]}),
                        ("Sharpshooter with Power 3", {"power": 3, "capabilities": [code("SS")]}),
                        ("Multiple weapons 2", {"capabilities": [code("MW", count=2)]}),
                        ("Template 5 cm", {"capabilities": [code("5c")]}),
                        ("Stealth", {"capabilities": [code("St")]}),
                    ),
                ),
            ),
            60,
            unit=UNIT,
        ),
    ),
    matches=(
        Match(("Legionaries", LEGIONARY, 32), ("Orc warriors", ORC, 0), unit=UNIT),
        Match(("Legionaries", LEGIONARY, 32), ("Orc warriors", ORC, 0)),
        Match(("Riflemen", RIFLES, 20), ("Swordsmen", SWORDS, 0), unit=UNIT),
        Match(
            ("Riflemen with Range 60", {**RIFLES, "range": 60}, 16),
            ("Riflemen with Movement 30", {**RIFLES, "movement": 30}, 0),
            unit=UNIT,
        ),
    ),
    questions=(
        (
            "Which stat of a rifleman is worth raising?",
            "rifles",
            ("Movement 15", "To hit 3", "Range 40", "Save 6", "Power 4", "Armor 2", "Morale 3"),
        ),
        (
            "On which stat can a rifleman save points?",
            "rifles",
            ("Movement 5", "To hit 5", "Range 20", "Power 2", "Armor 0", "Morale 5"),
        ),
        (
            "What makes a tank better?",
            "tanks",
            ("Power 6", "Armor 5", "To hit 3", "Save 5", "Multiple weapons 2", "Stealth"),
        ),
        (
            "What makes a swordsman better?",
            "swords",
            ("Charge", "Melee advantage", "Multiple weapons 2"),
        ),
    ),
    readings="R1–R21, R90–R98",
    unmeasured=("fire arcs, maneuver limits, transport, deployment, indirect fire, cover, healing and organized units"),
)

# ---------------------------------------------------------------- 6MM

LEGION: Fields = {"type": "INF/A"}
MUSKETS: Fields = {"type": "MSK"}
MODERN: Fields = {"type": "SKI/F", "post_1906": True}
QUALITIES = (
    ("Poor", {"quality": "poor"}),
    ("Average", {}),
    ("Good", {"quality": "good"}),
    ("Elite", {"quality": "elite"}),
)


def general(label: str, plain: Fields, rating: str, stands: int = 12) -> Row:
    """One general in a force of plain stands."""
    return Row(label, (({**plain, "general": rating}, 1), (plain, stands - 1)), stands)


def types(*rows: tuple[str, Fields]) -> Group:
    return changes("Types", {}, rows)


SIX_MM = Game(
    studies=(
        Study(
            "legion",
            "Armored infantry, ancient",
            LEGION,
            12,
            (
                changes("Quality", LEGION, QUALITIES),
                types(
                    ("INF/U", {"type": "INF/U"}),
                    ("PKE", {"type": "PKE"}),
                    ("WBD", {"type": "WBD"}),
                    ("ARC", {"type": "ARC"}),
                    ("CAV/A", {"type": "CAV/A"}),
                    ("CAV/U", {"type": "CAV/U"}),
                    ("SKI/F", {"type": "SKI/F"}),
                    ("SKI/M", {"type": "SKI/M"}),
                    ("Elephants", {"type": "PKE", "elephant": True}),
                    ("Torsion artillery", {"type": "ART", "gun": "torsion", "transport": "animal"}),
                ),
            ),
            0,
            battles=1_000,
        ),
        Study(
            "muskets",
            "Musketeers",
            MUSKETS,
            12,
            (
                changes("Quality", MUSKETS, QUALITIES),
                types(
                    ("INF/A", {"type": "INF/A"}),
                    ("INF/U", {"type": "INF/U"}),
                    ("CAV/A", {"type": "CAV/A"}),
                    ("CAV/U", {"type": "CAV/U"}),
                    ("SKI/F", {"type": "SKI/F"}),
                    ("SKI/M", {"type": "SKI/M"}),
                    ("Smoothbore artillery", {"type": "ART", "gun": "smoothbore", "transport": "animal"}),
                    ("Rifled artillery", {"type": "ART", "gun": "rifled-muzzle-loader", "transport": "animal"}),
                ),
                Group(
                    "One general among twelve",
                    (
                        general("Superior general", MUSKETS, "superior"),
                        general("Competent general", MUSKETS, "competent"),
                        general("Inferior general", MUSKETS, "inferior"),
                    ),
                ),
            ),
            1,
            battles=1_000,
        ),
        Study(
            "modern",
            "Modern infantry",
            MODERN,
            12,
            (
                changes("Quality", MODERN, QUALITIES),
                types(
                    ("SKI/S", {"type": "SKI/S", "post_1906": True}),
                    ("Tank, light", {"type": "TNK", "armour": "light"}),
                    ("Tank, medium", {"type": "TNK", "armour": "medium"}),
                    ("Tank, heavy", {"type": "TNK", "armour": "heavy"}),
                    ("Tank, super-heavy", {"type": "TNK", "armour": "super-heavy"}),
                    ("Medium tank, gun to 79 mm", {"type": "TNK", "armour": "medium", "gun": "breech-loader-79"}),
                    ("Heavy tank, gun 80–130 mm", {"type": "TNK", "armour": "heavy", "gun": "breech-loader-130"}),
                    ("Artillery to 79 mm", {"type": "ART", "gun": "breech-loader-79", "transport": "soft"}),
                    ("Artillery 80–130 mm", {"type": "ART", "gun": "breech-loader-130", "transport": "soft"}),
                    ("Artillery above 130 mm", {"type": "ART", "gun": "breech-loader-heavy", "transport": "soft"}),
                ),
            ),
            2,
            battles=1_000,
        ),
    ),
    matches=(
        Match(
            ("Poor musketeers", {**MUSKETS, "quality": "poor"}, 18),
            ("Elite musketeers", {**MUSKETS, "quality": "elite"}, 0),
        ),
        Match(("CAV/A", {"type": "CAV/A"}, 12), ("Musketeers", MUSKETS, 0)),
        Match(("INF/A", LEGION, 12), ("WBD", {"type": "WBD"}, 0)),
    ),
    questions=(
        ("Few good stands, or many poor ones?", "muskets", ("Poor", "Average", "Good", "Elite")),
        (
            "Which ancient type beats its points against armored infantry?",
            "legion",
            ("INF/U", "PKE", "WBD", "ARC", "CAV/A", "CAV/U", "SKI/F", "SKI/M", "Elephants", "Torsion artillery"),
        ),
        (
            "Is a tank's armor worth its points?",
            "modern",
            ("Tank, light", "Tank, medium", "Tank, heavy", "Tank, super-heavy"),
        ),
        ("Which gun pays?", "modern", ("Artillery to 79 mm", "Artillery 80–130 mm", "Artillery above 130 mm")),
    ),
    readings="R30–R42, R100–R108",
    unmeasured=("terrain, command distance, recoils, aircraft, field works and transport"),
)

# ---------------------------------------------------------------- Minimal Space Combat

SHIP: Fields = {"engine": 3, "shield": 3, "to_hit": 3, "weapons": ["F", "FL", "FR"]}
SHIP_2: Fields = {**SHIP, "engine": 2, "shield": 4}
SHIP_3: Fields = {"engine": 4, "shield": 4, "to_hit": 5, "weapons": ["F"]}
ARMS = (("F",), ("F", "FL"), ("F", "FL", "FR"), ("F", "FL", "FR", "RL"), ("F", "FL", "FR", "RL", "RR"))


def ship(engine: int, shield: int, to_hit: int, weapons: int) -> Fields:
    return {"engine": engine, "shield": shield, "to_hit": to_hit, "weapons": ARMS[weapons - 1]}


SIZES = (
    ("10 BP: 2/2/2, 2 weapons", ship(2, 2, 2, 2)),
    ("20 BP: 4/4/4, 4 weapons", ship(4, 4, 4, 4)),
    ("25 BP: 5/5/5, 5 weapons", ship(5, 5, 5, 5)),
)
SHAPES = ((1, 5, 5, 2), (1, 4, 4, 3), (2, 4, 5, 2), (5, 2, 2, 3), (3, 3, 1, 4), (2, 2, 1, 5))
DESIGNS = (
    ("Ship 1 of the book: 3/3/3, 3 weapons", {}),
    ("Ship 2 of the book: 2/4/3, 3 weapons", SHIP_2),
    ("Ship 3 of the book: 4/4/5, 1 weapon", SHIP_3),
    *((f"{shape[0]}/{shape[1]}/{shape[2]}, {shape[3]} weapons", ship(*shape)) for shape in SHAPES),
)
"""Those of the book, some that exact odds rank high among all, and some of other shapes."""
FLEET = Study(
    "solo",
    "Ships by the solo tables",
    SHIP,
    6,
    (
        stat("ENGINE", "engine", (1, 2, 3, 4, 5), SHIP),
        stat("SHIELD", "shield", (1, 2, 3, 4, 5), SHIP),
        stat("TO-HIT", "to_hit", (1, 2, 3, 4, 5), SHIP),
        changes("Weapons", SHIP, [(f"Weapons {len(arms)}", {"weapons": arms}) for arms in ARMS])._replace(stat=True),
        changes("Designs of 15 BP", SHIP, DESIGNS),
        changes("Sizes", SHIP, SIZES),
    ),
    3,
    battles=1_000,
    policy="solo",
)
TOUGH, FAST, SHARP = ({**SHIP, key: 4} for key in ("shield", "engine", "to_hit"))
SHIP_MATCHES = (
    (("Ship 2 of the book", SHIP_2, 6), ("Ship 3 of the book", SHIP_3, 6)),
    (("ships 1/4/4 with 3 weapons", ship(1, 4, 4, 3), 6), ("Ship 1 of the book", SHIP, 6)),
    (("ships with SHIELD 4", TOUGH, 6), ("ships with ENGINE 4", FAST, 6)),
    (("ships with TO-HIT 4", SHARP, 6), ("ships with SHIELD 4", TOUGH, 6)),
    (
        ("small ships 2/2/2 with 2 weapons", ship(2, 2, 2, 2), 10),
        ("large ships 5/5/5 with 5 weapons", ship(5, 5, 5, 5), 4),
    ),
)

MSC = Game(
    studies=(FLEET,),
    matches=[Match(a, b, policy) for a, b in SHIP_MATCHES for policy in ("solo", "hunt")],
    questions=(
        ("Is a point best spent on SHIELD, ENGINE or TO-HIT?", "solo", ("SHIELD 4", "ENGINE 4", "TO-HIT 4")),
        ("Which ship for 15 BP (ENGINE/SHIELD/TO-HIT)?", "solo", tuple(label for label, _fields in DESIGNS)),
        (
            "Large ships, or many small ones (ENGINE/SHIELD/TO-HIT)?",
            "solo",
            ("10 BP: 2/2/2, 2 weapons", "20 BP: 4/4/4, 4 weapons", "25 BP: 5/5/5, 5 weapons"),
        ),
        ("How many weapons?", "solo", tuple(f"Weapons {number}" for number in range(1, 6))),
    ),
    readings="R51–R54, R110–R122",
    unmeasured=("obstacles and players who plan ahead"),
)

# ---------------------------------------------------------------- VSGMR

GUNNER: Fields = {"kind": "troop", "distance": True, "armor": "light"}
FIGHTER: Fields = {"kind": "troop", "armor": "light"}
HERO: Fields = {"kind": "hero", "distance": True, "armor": "heavy"}
SHOOTING = ("Area Effect Attack", "Cause Fear", "Ignores Armor", "Inspiration", "Revenge", "Sharpshooter")
SHOOTING += ("Sniper", "Stealth", "Tough")
FIGHTING = ("Cause Fear", "Combat Master", "Double Strike", "Ignores Armor", "Inspiration", "Revenge", "Tough")
TIERS = ("minor", "major", "superior")


def slug(label: str) -> str:
    """The code of a trait or power."""
    return label.lower().replace(" ", "-")


def traits(plain: Fields, labels: Sequence[str]) -> Group:
    return changes("Traits", plain, [(label, {"traits": [slug(label)]}) for label in labels])


def powers(plain: Fields, *labels: str) -> Group:
    rows = [(f"{label}, {tier}", {"powers": {slug(label): tier}}) for label in labels for tier in TIERS]
    return changes("Super powers", plain, rows)


def ridden(label: str, mount: Fields, rider: Fields) -> Row:
    return Row(label, ((mount, 1), (rider, 1)))


VSGMR = Game(
    studies=(
        Study(
            "gunners",
            "Troops with guns",
            GUNNER,
            12,
            (
                changes("Kind", GUNNER, (("Mook", {"kind": "mook"}), ("Troop", {}), ("Hero", {"kind": "hero"}))),
                changes(
                    "Armor",
                    GUNNER,
                    (("No armor", {"armor": None}), ("Light armor", {}), ("Heavy armor", {"armor": "heavy"})),
                ),
                changes(
                    "Attacks",
                    GUNNER,
                    (("No distance attack", {"distance": False}), ("Automatic fire", {"automatic_fire": True})),
                ),
                traits(GUNNER, SHOOTING),
                powers(GUNNER, "Super-Armor", "Super-Blast", "Super-Move"),
                Group(
                    "With a rider",
                    (
                        ridden("Cavalry and a mook", {"kind": "cavalry"}, {"kind": "mook"}),
                        ridden("Cavalry with guns and a mook", {"kind": "cavalry", "distance": True}, {"kind": "mook"}),
                        ridden("Vehicle with guns and a mook", {"kind": "vehicle", "distance": True}, {"kind": "mook"}),
                    ),
                ),
            ),
            12,
        ),
        Study(
            "fighters",
            "Troops with swords",
            FIGHTER,
            12,
            (
                changes("Kind", FIGHTER, (("Mook", {"kind": "mook"}), ("Troop", {}), ("Hero", {"kind": "hero"}))),
                changes(
                    "Armor",
                    FIGHTER,
                    (("No armor", {"armor": None}), ("Light armor", {}), ("Heavy armor", {"armor": "heavy"})),
                ),
                traits(FIGHTER, FIGHTING),
                powers(FIGHTER, "Super-Armor", "Super-Fight", "Super-Move"),
            ),
            0,
        ),
        Study(
            "heroes",
            "Heroes with guns",
            HERO,
            8,
            (
                changes("Armor", HERO, (("No armor", {"armor": None}), ("Light armor", {"armor": "light"}))),
                traits(HERO, SHOOTING),
                powers(HERO, "Super-Armor", "Super-Blast"),
            ),
            12,
        ),
    ),
    matches=(
        Match(("Mooks", {"kind": "mook"}, 40), ("Heroes", {"kind": "hero"}, 0)),
        Match(("Troops with swords", FIGHTER, 15), ("Troops with guns", GUNNER, 0)),
        Match(
            ("Troops without armor", {"kind": "troop"}, 30),
            ("Heroes with heavy armor", {"kind": "hero", "armor": "heavy"}, 0),
        ),
    ),
    questions=(
        ("Mooks, troops or heroes?", "gunners", ("Mook", "Troop", "Hero")),
        ("Armor, or more figures?", "fighters", ("No armor", "Light armor", "Heavy armor")),
        ("Which trait is worth its 2 points on a common gunner?", "gunners", SHOOTING),
        ("Which trait is worth its 2 points on a swordsman?", "fighters", FIGHTING),
        ("Which trait is worth its 2 points on a hero in heavy armor?", "heroes", SHOOTING),
    ),
    readings="R61–R74, R130–R138",
    unmeasured=("cover, skill rolls, flight, disabling, summoning and recruiting"),
)

# ---------------------------------------------------------------- URUTSK

MELEE = -1
"""The fixed ground of melee in URUTSK's battles."""
FIGURE: Fields = {"ranged": 2, "close": 1, "weapon_ability": 1, "fate": 3}

URUTSK = Game(
    studies=(
        Study(
            "riflemen",
            "Riflemen",
            FIGURE,
            12,
            (
                stat("Ranged", "ranged", (0, 1, 2, 3, 4), FIGURE),
                stat("Close", "close", (0, 1, 2, 3, 4), FIGURE),
                stat("Weapon ability", "weapon_ability", (0, 1, 2, 3), FIGURE),
                stat("Fate", "fate", (1, 2, 3, 4, 5, 6), FIGURE),
                changes(
                    "Fire",
                    FIGURE,
                    (
                        ("Autofire", {"fire": "autofire"}),
                        ("Autofire, poor condition", {"fire": "autofire", "poor_condition": True}),
                        ("Burst", {"fire": "burst"}),
                    ),
                ),
            ),
            "short",
        ),
        Study(
            "spearmen",
            "Spearmen",
            {"close": 2, "fate": 2},
            12,
            (
                stat("Close", "close", (0, 1, 2, 3, 4), {"fate": 2}),
                stat("Fate", "fate", (1, 2, 3, 4, 5), {"close": 2}),
            ),
            "melee",
            ground=MELEE,
        ),
    ),
    matches=(
        Match(("Riflemen", FIGURE, 12), ("Spearmen", {"close": 2, "fate": 2}, 12)),
        Match(("Riflemen", FIGURE, 12), ("Riflemen with Fate 4", {**FIGURE, "fate": 4}, 12)),
        Match(
            ("Riflemen with Ranged 3", {**FIGURE, "ranged": 3}, 12), ("Riflemen with Fate 4", {**FIGURE, "fate": 4}, 12)
        ),
    ),
    questions=(
        (
            "What is one point more worth to a rifleman?",
            "riflemen",
            ("Ranged 3", "Close 2", "Weapon ability 2", "Fate 4"),
        ),
        ("What is one point more worth to a spearman?", "spearmen", ("Close 3", "Fate 3")),
        ("Which fire is best for a rifleman?", "riflemen", ("Autofire", "Autofire, poor condition", "Burst")),
    ),
    readings="R80–R87, R150–R156",
    unmeasured=("cover, charges, commands, shock and several targets of a burst"),
)

GAMES: Mapping[str, Game] = {"mini-combat": MINI_COMBAT, "6mm": SIX_MM, "msc": MSC, "vsgmr": VSGMR, "urutsk": URUTSK}
