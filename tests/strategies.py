"""Odd but readable roster documents of every system, as data for hypothesis; and one of every kind of edit."""

import inspect
from functools import cache
from typing import Literal, get_args, get_origin

from hypothesis import strategies as st

from rosters.core import edits
from rosters.core.values import MAX_INTEGER
from rosters.systems.mini_combat import tables as mini_combat
from rosters.systems.mini_combat.rules import CAPABILITIES
from rosters.systems.six_mm import tables as six_mm
from rosters.systems.vsgmr.rules import POWERS, TRAITS
from tests.support import FOLDERS, read, roster_data, rules

SYSTEMS = [*FOLDERS]

ODD_NAMES = [
    *("", " ", "Ω" * 120, "<script>alert('1')</script>", 'O\'Brien & "Sons" {{ x }} {% y %}', "שלום עולם"),
    *("e\u0301\u200d\u202e 👩‍🚀", "\ufeff\uffff\t\n\r", "formations/0", "NaN"),
]

HOUSE_RULES = {  # system: its house rules, each with every value or a range of them, the default among them
    "mini-combat": {
        **dict.fromkeys(("immobile_is_limited", "naval"), st.booleans()),
        **{"star": st.sampled_from([*mini_combat.SEPARATE, "all"]), "rounding": st.sampled_from(["element", "none"])},
        **{"sum_floor": st.none() | st.integers(1, 100), "no_attack_factor": st.integers(0, 1)},
    },
    "6mm": {
        **dict.fromkeys(("tank_gun_reduced", "animal_is_no_transport", "traits_agreed"), st.booleans()),
        "torsion_factor": st.integers(0, 1),
    },
    "msc": {"max_engine": st.integers(5, 6)},
    "vsgmr": {},
    "urutsk": {},
}


def texts(longest, shortest=0):
    """Any text that a document may hold."""
    letters = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
    short = st.text(letters, min_size=shortest, max_size=min(longest, 12))
    return short | st.just(("é👑" * longest)[:longest])


WHOLES = st.integers(0, 7) | st.integers(-2, 30) | st.integers(-MAX_INTEGER, MAX_INTEGER)
WHOLES |= st.sampled_from([-MAX_INTEGER, MAX_INTEGER])
NUMBERS = st.one_of(WHOLES, st.floats(-MAX_INTEGER, MAX_INTEGER), st.sampled_from([0.1, -0.0, 5e-324, 33.3]))
NAMES = st.sampled_from(ODD_NAMES) | texts(120)
NOTES = st.sampled_from(ODD_NAMES) | texts(400)
IDS = st.sampled_from(["a", "b", "c"]) | texts(36, shortest=1)
LOSSES = st.integers(0, 3) | st.just(MAX_INTEGER)


def codes(known):
    """One of the known codes, mostly; else any text where the rules have a finding for it."""
    known = st.sampled_from([*known])
    return known | known | texts(60)


@cache
def variants(code):
    """A capability by its code, with the keys of its variants."""
    values = {
        "scatters": st.booleans(),
        "count": WHOLES,
        "denies": codes(CAPABILITIES),
        "on": st.just(4),
        "turns": st.integers(1, 12) | st.integers(1, MAX_INTEGER),
        "form": st.sampled_from(mini_combat.FORMS.get(code, ("",))),
    }
    own = {key: values[key] for key, owners in mini_combat.KEYS.items() if code in owners}
    return dictionaries({"code": st.just(code)}, {**own, "waived": st.booleans()})


def dictionaries(required, optional):
    return st.fixed_dictionaries(required, optional=optional)


def by_type(annotation, numbers):
    kinds = get_args(annotation)
    if type(None) in kinds:
        return st.none() | by_type(kinds[0], numbers)
    if get_origin(annotation) is Literal:
        return st.sampled_from(kinds)
    return st.booleans() if annotation is bool else numbers


def fields(model, numbers=WHOLES, **own):
    """The fields of a model as data: flags, choices and ``numbers`` by their types, texts and lists as given."""
    drawn = {name: own.get(name, by_type(field.annotation, numbers)) for name, field in model.model_fields.items()}
    required = {name: drawn.pop(name) for name, field in model.model_fields.items() if field.is_required()}
    return dictionaries(required, drawn)


CUSTOM = dictionaries({"custom": NAMES, "percent": NUMBERS}, dict.fromkeys(("separate", "waived"), st.booleans()))
QUALITY = codes(six_mm.QUALITY)
STATES = {"type": codes([*six_mm.TYPES, "WORKS"]), "quality": QUALITY, "quantity": st.integers(0, 10_000)}
OWN = {  # the texts and lists of a profile
    "mini-combat": {"capabilities": st.lists(codes(CAPABILITIES).flatmap(variants) | CUSTOM, max_size=6)},
    "6mm": {
        "type": codes(six_mm.TYPES).filter(lambda code: code not in rules("6mm").PURCHASES),
        "quality": QUALITY,
        "duplicates": st.lists(fields(rules("6mm").Alternate, **STATES), max_size=2),
    },
    "msc": {"weapons": st.lists(codes(["F", "FL", "FR", "RL", "RR", "R"]), max_size=6)},
    "vsgmr": {
        "kind": codes(["mook", "troop", "hero", "cavalry", "vehicle"]),
        "armor": st.none() | codes(["light", "heavy"]),
        "traits": st.lists(codes([*TRAITS, "weapon-master"]), max_size=4),
        "powers": st.dictionaries(*map(codes, zip(*POWERS, strict=True)), max_size=3),
    },
    "urutsk": {"protection": NOTES},
}


def profiles(system):
    """A profile as document data."""
    return fields(rules(system).Profile, **OWN[system])


def elements(system):
    """An element as document data, with no more marks than models."""
    lists = {"weapons": st.lists(codes(["F", "FL"]), max_size=2), "states": st.lists(codes(["dead"]), max_size=2)}
    mark = fields(rules(system).Mark, LOSSES, **lists)
    bare = {"quantity": st.integers(0, 4) | st.integers(0, 10_000), "id": IDS, "notes": NOTES, "secret": st.booleans()}
    own = {**bare, **OWN[system], "name": NAMES, "marks": st.lists(mark, max_size=3)}
    full = fields(rules(system).Element, **own).map(
        lambda data: {**data, "marks": data["marks"][: data.get("quantity", 1)]} if "marks" in data else data
    )
    if system != "6mm":
        return full
    return full | dictionaries({"name": NAMES, "type": st.sampled_from(["WORKS", "TRANSPORT"])}, bare)


def places(system):
    """A scenario and one of its sides, or none."""
    scenarios = rules(system).SCENARIOS.items()
    every = [(scenario, side) for scenario, what in scenarios for side in (None, *what.sides)]
    return st.sampled_from([(None, None), *every])


@cache
def documents(system):
    """A readable document of one system, as data: as odd as the format allows, and not normalised."""
    formation = dictionaries(
        {"name": NAMES}, {"id": IDS, "notes": NOTES, "elements": st.lists(elements(system), max_size=4)}
    )
    constants = {"format": "armybuilder-roster", "version": 1, "system": system}
    required = {
        **{key: st.just(value) for key, value in constants.items()},
        **{"name": NAMES, "formations": st.lists(formation, max_size=3), "place": places(system)},
    }
    optional = {
        "budget": st.none() | NUMBERS if system != "urutsk" else st.none(),
        **{"options": dictionaries({}, HOUSE_RULES[system]), "notes": NOTES},
        "crest": st.none() | st.integers(0, 2**32 - 1).map("{:08x}".format),
    }
    return dictionaries(required, optional).map(readable)


def readable(data):
    """The drawn scenario and side as keys; none of both, left out. The first of each id stays."""
    scenario, side = data.pop("place")
    seen = set()
    for formation in data["formations"]:
        for item in (formation, *formation.get("elements", ())):
            if (uid := item.pop("id", None)) not in {None, *seen}:
                item["id"] = uid
                seen.add(uid)
    return {**data, "scenario": scenario, "side": side} if scenario else data


def any_documents():
    """A readable document of any system, as data."""
    return st.sampled_from(SYSTEMS).flatmap(documents)


def fleet():
    """A document on which every edit in EDITS changes something."""
    three = {"quantity": 3, "engine": 3, "shield": 3, "to_hit": 3, "weapons": ["F", "FL", "FR"]}
    marks = [{"engine": 1}, {"shield": 2}, {"weapons": ["F"]}]
    first = [{"id": "a", **three, "marks": marks}, {"id": "b", "shield": 5, "secret": True}, {"id": "c", "notes": "x"}]
    root = {"budget": 100, "scenario": "tactical", "options": {"max_engine": 6}}
    data = roster_data("msc", first, [{"id": "d", "quantity": 2}, {"id": "e"}], [], **root)
    for number, formation in enumerate(data["formations"], 1):
        formation["id"] = f"f{number}"
    return read(data)


def ship(name="New", **fields):
    return rules("msc").Element(name=name, **fields)


def formation_like(document, **fields):
    return document.formations[0].replace(id=None, elements=(), **fields)


# name of the function in edits.py: such an edit, made for fleet()
EDITS = {
    "settings": edits.settings(name="Renamed", budget=None, scenario=None, options=rules("msc").Options()),
    "replace_with": lambda document: edits.replace_with(edits.copy_roster(document, "Copy"))(document),
    "restore": lambda document: edits.restore(edits.copy_roster(document, "Copy"))(document),
    "add_formation": lambda document: edits.add_formation(formation_like(document, name="More"))(document),
    "update_formation": edits.update_formation("f2", name="Second", notes="n"),
    "delete_formation": edits.delete_formation("f1"),
    "duplicate_formation": edits.duplicate_formation("f1"),
    "split_formation": edits.split_formation("f1", [{"a"}, {"c"}]),
    "shift_formation": edits.shift_formation("f1", 1),
    "place_formation": edits.place_formation("f1", "f3"),
    "add_elements": edits.add_elements("f3", [ship(), ship(quantity=2)]),
    "replace_element": edits.replace_element(ship(id="b", engine=9)),
    "replace_elements": edits.replace_elements([ship(id="b", engine=9), ship(id="d")]),
    "compose_edits": edits.compose_edits([edits.delete_elements(["b"]), edits.split_element("a")]),
    "delete_elements": edits.delete_elements(["b", "d"]),
    "duplicate_element": edits.duplicate_element("a"),
    "split_element": edits.split_element("a"),
    "set_quantities": edits.set_quantities({"a": 1, "e": 0}),
    "shift_element": edits.shift_element("c", 1),
    "move_elements": edits.move_elements(["d", "a"], "f3"),
}


def edit_names():
    """Every function of edits.py that makes an edit, but for those that only wrap one."""
    notes = {name: function.__annotations__ for name, function in inspect.getmembers(edits, inspect.isfunction)}
    return {n for n, each in notes.items() if each.get("return") == "Edit" and [*each.values()].count("Edit") == 1}
