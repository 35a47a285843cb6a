"""Short notations for the tables of tests: rows of text, and elements of the games in a few words."""

import re

from rosters.systems.mini_combat.tables import KEYS
from rosters.systems.six_mm.tables import ARMOUR, GENERALS, GUNS, ORDNANCE, QUALITY, TRANSPORT

TABLES = {"armour": ARMOUR, "general": GENERALS, "gun": GUNS, "transport": TRANSPORT, "ordnance": ORDNANCE}
STAND = {word: name for name, table in {**TABLES, "quality": QUALITY}.items() for word in table}
UNITS = {
    # (2 + 4 + 1 + 3 + 2) x 3 x 3 / 5 = 21.6
    "line": {"movement": 10, "range": 20, "save": 6, "power": 3, "armor": 2, "to_hit": 4, "morale": 4},
    # (1 + 20 + 0 + 8 + 1) x 3 x 4 / 5 = 72
    "gun": {"movement": 5, "range": 100, "power": 8, "armor": 1, "to_hit": 3, "morale": 4},
    "rifle": {"range": 40, "power": 3, "armor": 1, "to_hit": 4},
    # 100 x 1 x 5 / 5 = 100: points are percentages
    "hundred": {"power": 100, "to_hit": 2, "morale": 6},
}
FIGURE = dict.fromkeys(("light", "heavy"), "armor")
FLAGS = ("commander", "distance", "automatic_fire", "large")


def rows(text):
    """The cells of a table: a row ends with its line or a bar, a cell with an equals sign; # starts a comment.

    A line that is indented further continues its row.
    """
    lines = re.sub(r"\n {8,}(?=\S)", " ", text).splitlines()
    parts = (part.strip() for line in lines for part in line.partition("  #")[0].split("|"))
    return [tuple(cell.strip() for cell in re.split(r"(?:^|\s)=(?=\s|$)", part)) for part in parts if part]


def number(text):
    return int(text) if re.fullmatch(r"-?\d+", text) else {"None": None, "False": False}.get(text, text)


def profile(words, known):
    """A value for each word that is known, ``x3`` as a quantity, ``agreed=1`` as it says, and other words as flags."""
    found = {}
    for word in words:
        name, equals, value = word.partition("=")
        if equals or re.fullmatch(r"x\d+", word):
            found |= {name: number(value)} if equals else {"quantity": int(word[1:])}
        else:
            found[known.get(word, word)] = word if word in known else True
    return found


def stand(text, **more):
    """A stand of 6MM: its type, then its values and flags; each alternate after a plus sign."""
    first, *others = ({"type": code, **profile(words, STAND)} for code, *words in map(str.split, text.split(" + ")))
    return first | ({"duplicates": others} if others else {}) | more


def figure(text, **more):
    """A figure of VSGMR: its kind, then its flags, armor, powers with their tiers, and traits."""
    kind, *words = text.split()
    powers = dict(word.split(":") for word in words if ":" in word)
    plain = [word for word in words if word in FLAGS or word in FIGURE or "=" in word or re.fullmatch(r"x\d+", word)]
    traits = [word for word in words if word not in plain and ":" not in word]
    return {"kind": kind, "traits": traits, **({"powers": powers} if powers else {}), **profile(plain, FIGURE), **more}


def unit(text, **more):
    """An element of Mini Combat: one of UNITS or nothing, changed stats, and capabilities.

    ``MW:3`` is a variant; ``(MA)`` is waived, ``own:5`` is a custom capability, and ``own:5*`` one with its own factor.
    """
    words = text.split()
    stats = [word for word in words if word == "command" or "=" in word or re.fullmatch(r"x\d+", word)]
    found = UNITS.get(text.split(" ")[0], {}) | profile(stats, {})
    capabilities = [capability(word) for word in words if word not in stats and word not in UNITS]
    return found | ({"capabilities": capabilities} if capabilities else {}) | more


def capability(word):
    """One capability of Mini Combat, as in `unit`."""
    code, _colon, variant = word.strip("()").partition(":")
    waived = {"waived": True} if word[0] == "(" else {}
    if code == "own":
        return {"custom": "Own", "percent": float(variant.rstrip("*")), "separate": variant[-1] == "*", **waived}
    key = next((key for key, owners in KEYS.items() if code in owners), "")
    return {"code": code, **({key: key == "scatters" or number(variant)} if variant else {}), **waived}


def ship(text, **more):
    """A ship of Minimal Space Combat: ENGINE, SHIELD, TO-HIT, and the sides of its weapons."""
    engine, shield, to_hit, *words = text.split()
    weapons, rest = [word for word in words if word[0] != "x"], [word for word in words if word[0] == "x"]
    stats = {"engine": int(engine), "shield": int(shield), "to_hit": int(to_hit), "weapons": weapons}
    return stats | profile(rest, {}) | more


def fighter(text, **more):
    """A figure of URUTSK: its scores and flags."""
    return profile(text.split(), {}) | more


ELEMENTS = {"mini-combat": unit, "6mm": stand, "msc": ship, "vsgmr": figure, "urutsk": fighter}
