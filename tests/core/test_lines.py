"""Quick add: what each line of text gives in each game, and that a line written for an element reads back to it."""

from itertools import pairwise
from unicodedata import category

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rosters import registry
from rosters.core import documents
from rosters.core.grammar import MIN_PREFIX, NoLine, fold, vocabulary
from rosters.core.lines import MAX_LINE, read_line, write_line
from rosters.core.lists import MAX_BYTES, MAX_LINES, entry, list_of, wrong_total
from rosters.registry import SYSTEMS, read_list
from tests import strategies
from tests.support import army, rules

RAIDER = {"name": "Raider", "engine": 3, "shield": 3, "to_hit": 4, "weapons": ["F", "FL", "FR"]}
READ = {  # game: line: the element, of which name "" and quantity 1 are left out
    "6mm": {
        "1 ski/m good Light cavalry": {"type": "SKI/M", "quality": "good", "name": "Light cavalry"},
        "2 tnk heavy Heavy tanks": {"quantity": 2, "type": "TNK", "armour": "heavy", "name": "Heavy tanks"},
        "6 msk −1 Conscripts": {"quantity": 6, "type": "MSK", "agreed": -1, "name": "Conscripts"},
        "6 msk -1 Conscripts": {"quantity": 6, "type": "MSK", "agreed": -1, "name": "Conscripts"},
        "4 works Good earth": {"quantity": 4, "type": "WORKS", "name": "Good earth"},
        "3 transport Trucks": {"quantity": 3, "type": "TRANSPORT", "name": "Trucks"},
        "art smoothbore transport Gun": {"type": "ART", "gun": "smoothbore", "transport": "soft", "name": "Gun"},
        "2 cav/u or inf/u Dragoons": {
            **{"quantity": 2, "type": "CAV/U", "name": "Dragoons", "duplicates": [{"type": "INF/U"}]},
        },
        "ski/f good post-1906 or 2 tnk light Riders": {
            **{"type": "SKI/F", "quality": "good", "post_1906": True, "name": "Riders"},
            "duplicates": [{"type": "TNK", "armour": "light", "quantity": 2}],
        },
        "ski/m general superior Bonaparte": {"type": "SKI/M", "general": "superior", "name": "Bonaparte"},
        "msk general:su armour:heavy X": {"type": "MSK", "general": "superior", "armour": "heavy", "name": "X"},
        "pke x6 Phalanx": {"quantity": 6, "type": "PKE", "name": "Phalanx"},
        "Phalanx 6 × pke": {"quantity": 6, "type": "PKE", "name": "Phalanx"},
        "msk Victory or Death": {"type": "MSK", "name": "Victory or Death"},
        "６ ｍｓｋ －1 Guard": {"quantity": 6, "type": "MSK", "agreed": -1, "name": "Guard"},
        'msk "the ""Old"" guard"': {"type": "MSK", "name": 'the "Old" guard'},
    },
    "mini-combat": {
        "10c IF MoF M0 TH5 R80 P4 Battery": {
            **{"name": "Battery", "to_hit": 5, "range": 80, "power": 4},
            "capabilities": [{"code": "10c"}, {"code": "IF"}, {"code": "MoF"}],
        },
        "Walker mecha M15 TH3 R30 P5 A4 S5 Mo3 MW3 T2 Se x2": {
            **{"name": "Walker", "quantity": 2, "kind": "mecha", "movement": 15, "to_hit": 3, "range": 30, "power": 5},
            **{"armor": 4, "save": 5, "morale": 3},
            "capabilities": [{"code": "MW", "count": 3}, {"code": "T", "count": 2}, {"code": "Se"}],
        },
        "Team inf M12 TH7 S- Mo4": {"name": "Team", "kind": "infantry", "movement": 12, "morale": 4},
        'Jump inf Fly:jump Den:Ch Drp:scatters OS:5 ~IF custom "Larger blast" +75%': {
            **{"name": "Jump", "kind": "infantry"},
            "capabilities": [
                *({"code": "Fly", "form": "jump"}, {"code": "Den", "denies": "Ch"}, {"code": "Drp", "scatters": True}),
                *({"code": "OS", "turns": 5}, {"code": "IF", "waived": True}),
                {"custom": "Larger blast", "percent": 75},
            ],
        },
        "M4 Sherman vehicle M30 TH4": {"name": "M4 Sherman", "kind": "vehicle", "movement": 30, "to_hit": 4},
        "Tank: vehicle M30": {"name": "Tank", "kind": "vehicle", "movement": 30},
        "T-34 vehicle M30": {"name": "T-34", "kind": "vehicle", "movement": 30},
    },
    "msc": {
        "Raider E3 S3 T4 F FL FR": RAIDER,
        "Raider F F FL e3 s3 t4": {**RAIDER, "weapons": ["F", "F", "FL"]},
        "Raider 3/3/4 F,FL,FR x2": {**RAIDER, "quantity": 2},
        "6 × Ship 1 E3": {"quantity": 6, "name": "Ship 1", "engine": 3},
    },
    "vsgmr": {
        'hero sharpshooter super-blast minor "Captain Tide"': {
            **{"name": "Captain Tide", "kind": "hero", "traits": ["sharpshooter"], "powers": {"super-blast": "minor"}},
        },
        "cavalry Cavalry sergeant": {"kind": "cavalry", "name": "Cavalry sergeant"},
        "3 troop distance heavy auto support:armor Guard": {
            **{"quantity": 3, "kind": "troop", "distance": True, "armor": "heavy", "automatic_fire": True},
            **{"traits": ["support"], "support": "armor", "name": "Guard"},
        },
        "hero SBl8 cause fear DS": {
            **{"kind": "hero", "powers": {"super-blast": "minor"}, "traits": ["cause-fear", "double-strike"]},
        },
        "hero stealth tough": {"kind": "hero", "traits": ["stealth", "tough"]},
        "hero tough stealth Stealth": {"kind": "hero", "traits": ["tough", "stealth"], "name": "Stealth"},
        "hero Large Bear": {"kind": "hero", "name": "Large Bear"},
    },
    "urutsk": {
        "4 R3 C2 W1 fate2 autofire Riflemen": {
            **{"quantity": 4, "ranged": 3, "close": 2, "weapon_ability": 1, "fate": 2, "fire": "autofire"},
            "name": "Riflemen",
        },
        "command Command team": {"command": True, "name": "Command team"},
        'R2 C3 burst "Flak team" protection:"flak vest"': {
            **{"ranged": 2, "close": 3, "fire": "burst", "name": "Flak team", "protection": "flak vest"},
        },
        "Sergeant R-1 fate0": {"ranged": -1, "fate": 0, "name": "Sergeant"},
    },
}

ASKED = {  # game: line: what the readings differ in
    "6mm": {
        "1 ski/m general": [{"general": "superior"}, {"general": "competent"}, {"general": "inferior"}],
        "2 inf Guards": [{"type": "INF/A"}, {"type": "INF/U"}],
        "2 cav/u or inf/u good Dragoons": [
            {"quality": "average", "duplicates": [{"type": "INF/U", "quality": "good"}]},
            {"quality": "good", "duplicates": [{"type": "INF/U", "quality": "good"}]},
        ],
        "tnk Heavy Gun": [{"armour": "heavy", "name": "Gun"}, {"armour": None, "name": "Heavy Gun"}],
        "Old good soldiers msk": [
            {"quality": "good", "name": "Old soldiers"},
            {"quality": "average", "name": "Old good soldiers"},
        ],
        "Old msk Guard": [{"type": "MSK", "name": "Old Guard"}],
    },
    "mini-combat": {
        "Recon patrol inf M10 TH4 R20 P2 A1": [
            {"name": "patrol", "capabilities": [{"code": "Rec"}]},
            {"name": "Recon patrol", "capabilities": []},
        ],
    },
    "msc": {
        "R Rear guard E6 S2 T2 R": [
            {"name": "Rear guard", "weapons": ["R", "R"], "engine": 6},
            {"name": "R Rear guard", "weapons": ["R"], "engine": 6},
        ],
        "Raider E3 Fast S3": [{"name": "Raider Fast", "engine": 3}, {"name": "Raider E3 Fast", "engine": 0}],
    },
    "vsgmr": {
        "guy sword": [{"kind": "mook", "name": "sword"}, {"kind": "troop"}, {"kind": "hero"}],
        "hero Stealth Bomber": [
            {"traits": ["stealth"], "name": "Bomber"},
            {"traits": [], "name": "Stealth Bomber"},
        ],
    },
    "urutsk": {
        "Poor Tom R2 C1": [{"poor_condition": True, "name": "Tom"}, {"poor_condition": False, "name": "Poor Tom"}],
    },
}

REFUSED = {  # game: line: the parts that cannot be read
    "6mm": {
        "4 works good": ["good"],
        "Vixen": ["Vixen"],
        "6 pke x6 A": ["x6"],
        'msk "A" "B"': ['"B"'],
        'msk good elite "A"': ["elite"],
        "": [""],
    },
    "mini-combat": {"Team inf M12.5 TH7 S- Mo4": ["12.5"], 'M1 Den:x custom "y"': ["x", 'custom "y"']},
    "msc": {"Raider E3.5": ["3.5"], "10001 Raider E1": ["10001"], 'Raider "A" E3': ["Raider"], "A E3 E4": ["E4"]},
    "vsgmr": {"kind:hro X": ["hro"], "2 Guard": ["2 Guard"], "x ² Guard": ["x ² Guard"]},
    "urutsk": {"Tom R1000001": ["R1000001"]},
}


def rows(table):
    return [(game, line, expected) for game, lines in table.items() for line, expected in lines.items()]


def grammar(game):
    return SYSTEMS[game].grammar


def texts(data):
    """Every text in document data, keys of maps included."""
    if not isinstance(data, dict | list):
        return str(data)
    return "".join(map(texts, [*data, *data.values()] if isinstance(data, dict) else data))


@pytest.mark.parametrize(("game", "text", "expected"), rows(READ))
def test_a_line_is_read_as_one_element_and_every_part_of_it_is_understood(game, text, expected):
    line = read_line(grammar(game), text)
    assert line.element == rules(game).Element.model_validate({"name": "", **expected}), line
    spans = line.readings[0].spans
    assert all(a.end <= b.start for a, b in pairwise(spans))
    assert {*"".join(text[a.end : b.start] for a, b in pairwise(spans))} <= {*" ,"}


@pytest.mark.parametrize(("game", "text", "expected"), rows(ASKED))
def test_an_ambiguous_line_gives_every_reading_with_what_distinguishes_it(game, text, expected):
    line = read_line(grammar(game), text)
    found = [reading.element.model_dump(mode="json") for reading in line.readings]
    assert len(found) == len(expected)
    for data, part in zip(found, expected, strict=True):
        read = rules(game).Element.model_validate({**data, **part}).model_dump(mode="json")
        assert read == data
    assert line.element is None
    assert len({reading.label for reading in line.readings}) == len(found)


def test_a_name_alone_is_that_of_an_element_to_copy_and_an_empty_one_has_to_be_confirmed():
    line = read_line(grammar("msc"), "2 Vixen")
    assert (line.element, line.bare, line.quantity, line.words) == (None, True, 2, "Vixen")
    assert [reading.element for reading in line.readings] == [rules("msc").Element(name="Vixen", quantity=2)]


@pytest.mark.parametrize(("game", "text", "parts"), rows(REFUSED))
def test_what_cannot_be_read_is_marked_and_gives_no_element(game, text, parts):
    line = read_line(grammar(game), text)
    assert line.readings == ()
    assert [text[error.start : error.end] for error in line.errors] == parts
    assert all(error.message for error in line.errors)


@pytest.mark.parametrize("part", ["~", '"', 'a:"', "x ", "1,", "-", "a-", "msk or ", "recon x ", 'custom "x" ', "guy "])
def test_a_hostile_line_is_read_or_refused_and_no_more(part):
    for game in SYSTEMS:
        line = read_line(grammar(game), part * (MAX_LINE // len(part)))
        assert line.readings or line.errors


@pytest.mark.parametrize("game", SYSTEMS)
@strategies.PATIENT
@given(st.data())
def test_a_written_line_reads_back_to_its_element(game, data):
    """But for id, notes, secret and marks; only texts with line breaks or control characters have no line."""
    element = rules(game).Element.model_validate(data.draw(strategies.elements(game)))
    bare = element.model_copy(update={"id": None, "notes": "", "secret": False, "marks": ()})
    try:
        line = write_line(grammar(game), element)
    except NoLine:
        assert {"Cc", "Zl", "Zp"} & {*map(category, texts(documents.write_element(bare)))}
        return
    assert read_line(grammar(game), line).element == bare


@pytest.mark.parametrize("game", SYSTEMS)
def test_help_shows_every_word_once_with_an_abbreviation_that_means_it(game):
    words = vocabulary(grammar(game))
    assert len({each.word for each in words}) == len(words)
    for each in words:
        assert grammar(game).spellings[fold(each.shortest)][0].label == each.label
        assert fold(each.shortest) == fold(each.word) or len(each.shortest) >= MIN_PREFIX


def test_napoleons_french_take_165_keys_at_most():
    lines = ["6 ms +1 Line infantry", "2 ms eli +1 Guard infantry", "2 cav/u go Cavalry", "cav/a +1 Cuirassiers"]
    lines += ["ski/m go superi Napoleon", "2 art sm no Cannon", "ski/m go Light cavalry"]
    read = [read_line(grammar("6mm"), line).element for line in lines]
    napoleons = registry.read(army("6mm", "napoleon")).formations[0].elements
    assert read == [each.model_copy(update={"notes": ""}) for each in napoleons]
    assert sum(len(line) + len("\n") for line in lines) <= 165


# ---------------------------------------------------------------- lists


def names_in(read):
    return [(formation.name, [line.line.element.name for line in formation.lines]) for formation in read.formations]


def test_a_pasted_list_has_formations_bullets_and_totals():
    text = "\n6 msk A 42\n- 2 msk B\n\n\n• msk C (6)\nHorse:\n* cav/u D\n# Empty\n\n# Guns\n\tart sm E = 3 points\n"
    read = read_list("6mm", text)
    assert names_in(read) == [("", ["A", "B"]), ("", ["C"]), ("Horse", ["D"]), ("Empty", []), ("Guns", ["E"])]
    lines = [each for formation in read.formations for each in formation.lines]
    assert [(each.number, each.line.total) for each in lines] == [(2, 42), (3, None), (6, 6), (8, None), (12, 3)]
    assert wrong_total(lines[0].line, 44) == "You wrote 42, it is 44."
    assert wrong_total(lines[0].line, 42) is wrong_total(lines[0].line, None) is wrong_total(lines[1].line, 9) is None


@pytest.mark.parametrize("text", ["msk A\n" * (MAX_LINES + 1), "#\n" * (MAX_LINES + 1), "x" * (MAX_BYTES + 1)])
def test_a_list_that_is_too_long_is_refused(text):
    read = read_list("6mm", text)
    assert (bool(read.error), read.formations) == (True, ())


@pytest.mark.parametrize("game", SYSTEMS)
@strategies.PATIENT
@given(st.data())
def test_a_roster_comes_back_from_the_list_in_a_text(game, data):
    """But for ids, notes, secrets, marks and crest, and line breaks in names."""
    document = registry.read(data.draw(strategies.documents(game)))
    lines = [*list_of(grammar(game), document)]
    read = read_list(game, "\n".join(["Title", "not: a line", *lines, "```", "more"]))
    assert read.error == ""
    same = {"name": "".join(" " if category(c) in ("Cc", "Zl", "Zp") else c for c in document.name)}
    same |= {key: value for key in ("budget", "scenario", "side") if (value := getattr(document, key)) is not None}
    options = document.options.model_dump(mode="json", exclude_defaults=True)
    assert {"name": "", **read.root} == same | ({"options": options} if options else {})
    for formation, found in zip(document.formations, read.formations, strict=True):
        written = [entry(grammar(game), element) for element in formation.elements]
        assert [each.line.text for each in found.lines] == [line for line in written if line]
        assert all(each.line.element for each in found.lines)
