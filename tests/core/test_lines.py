"""Quick add: what each line of text gives in each game, and that a line written for an element reads back to it."""

from itertools import pairwise
from unicodedata import category

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rosters import registry
from rosters.core import documents
from rosters.core.grammar import MIN_PREFIX, IndescribableElement, fold, vocabulary
from rosters.core.lines import MAX_LINE, parse_line, parse_options, write_line
from rosters.core.lists import MAX_BYTES, MAX_LINES, element_line, list_error, list_lines, parse_list, total_error
from rosters.core.rulebook import Terms
from rosters.registry import SYSTEMS
from tests import strategies
from tests.notation import ELEMENTS, rows
from tests.support import rules

READ = rows("""  # a line, its element in words, and its name
    6mm = 1 ski/m good Light cavalry = SKI/M good = Light cavalry
    6mm = 2 tnk heavy Heavy tanks = TNK heavy x2 = Heavy tanks
    6mm = 6 msk −1 Conscripts = MSK agreed=-1 x6 = Conscripts
    6mm = 6 msk -1 Conscripts = MSK agreed=-1 x6 = Conscripts
    6mm = 4 works Good earth = WORKS x4 = Good earth | 6mm = 3 transport Trucks = TRANSPORT x3 = Trucks
    6mm = art smoothbore transport Gun = ART smoothbore soft = Gun
    6mm = 2 cav/u or inf/u Dragoons = CAV/U x2 + INF/U = Dragoons
    6mm = ski/f good post-1906 or 2 tnk light Riders = SKI/F good post_1906 + TNK light x2 = Riders
    6mm = ski/m general superior Bonaparte = SKI/M superior = Bonaparte
    6mm = ski/m gen sup good Ney = SKI/M superior good = Ney | 6mm = cav/a inf gen Mack = CAV/A inferior = Mack
    6mm = ski/m (Gen - Sup) Ney = SKI/M superior = Ney | 6mm = 2 arty smoothbore Guns = ART smoothbore x2 = Guns
    6mm = general inf ski/f Mack = SKI/F inferior = Mack | 6mm = 6 MSK Line (MSK) = MSK x6 = Line (MSK)
    6mm = 6x Line Infantry (MSK) good = MSK good x6 = Line Infantry | 6mm = Foot [PKE] = PKE = Foot
    6mm = 1 ART smoothbore Foot battery = ART smoothbore = Foot battery
    6mm = 3 tnk heavy 88mm Tigers = TNK heavy breech-loader-130 x3 = Tigers
    6mm = art 152 mm Guns = ART breech-loader-heavy = Guns | 6mm = msk 75mm crew = MSK = 75mm crew
    6mm = art breech-loader-79 "75mm" = ART breech-loader-79 = 75mm
    6mm = 1 ski/m good superior general Boss = SKI/M good superior = Boss | 6mm = tnk super-heavy armor X
        = TNK super-heavy = X
    6mm = msk general:su armour:heavy X = MSK superior heavy = X | 6mm = pke x6 Phalanx = PKE x6 = Phalanx
    6mm = 2 horse artillery smoothbore Troop A = ART horse smoothbore x2 = Troop A
    6mm = Phalanx 6 × pke = PKE x6 = Phalanx | 6mm = msk Victory or Death = MSK = Victory or Death
    6mm = ６ ｍｓｋ －1 Guard = MSK agreed=-1 x6 = Guard | 6mm = msk "the ""Old"" guard" = MSK = the "Old" guard
    6mm = msk “Old guard” x2 = MSK x2 = Old guard | 6mm = „Alte Garde“ msk = MSK = Alte Garde
    6mm = msk «Vieille garde» = MSK = Vieille garde
    6mm = 1 armored cavalry elite Cuirassiers = CAV/A elite = Cuirassiers | 6mm = 6 mus Line = MSK x6 = Line
    6mm = 2 smoothbore artillery Battery = ART smoothbore x2 = Battery | 6mm = 3 knights = CAV/A x3 = knights
    6mm = 6 armored infantry Old Guard good = INF/A good x6 = Old Guard | 6mm = 2 88mm art Flak
        = ART breech-loader-130 x2 = Flak
    6mm = 2 elephants = PKE elephant x2 = | 6mm = 2 bows = ARC x2 = | 6mm = 4 pikemen = PKE x4 =
    6mm = 4 dragoons = CAV/U x4 = dragoons | 6mm = rifle = MSK = rifle | 6mm = 2 transports = TRANSPORT x2 =
    6mm = 4 unarmored cav = CAV/U x4 = | 6mm = 2 support wea Maxim = SKI/S x2 = Maxim
    6mm = 4 unarmoured cavalry Hussars = CAV/U x4 = Hussars
    6mm = art smoothbore Sons of War = ART smoothbore = Sons of War

    mini-combat = 10c IF MoF M0 TH5 R80 P4 Battery = 10c IF MoF to_hit=5 range=80 power=4 = Battery
    mini-combat = Walker mecha M15 TH3 R30 P5 A4 S5 Mo3 MW3 T2 Se x2
        = MW:3 T:2 Se kind=mecha movement=15 to_hit=3 range=30 power=5 armor=4 save=5 morale=3 x2 = Walker
    mini-combat = 2 inf m15cm TH- R20cm Rifles = kind=infantry movement=15 range=20 x2 = Rifles
    mini-combat = 3 cavalry shoot 4+ Fast = kind=cavalry to_hit=4 x3 = Fast
    mini-combat = 2 inf Pikemen deny charge fearless = Den:Ch kind=infantry x2 = Pikemen
    mini-combat = inf indirect fire 5cm area Mortar sv5 = IF 5c kind=infantry save=5 = Mortar
    vsgmr = hero tough weapon master Conan = hero tough weapon-master = Conan
    mini-combat = Fast cavalry = kind=cavalry = Fast | vsgmr = 4 troop rifle/bow Guard = troop distance x4 = Guard
    mini-combat = inf M10/TH4/R20 Foot = kind=infantry movement=10 to_hit=4 range=20 = Foot
    vsgmr = hero tough/stealth Bo = hero tough stealth = Bo | msc = Raider e3/s3/t4 f/fl = 3 3 4 F FL = Raider
    mini-combat = Team inf th 4+ mo 3 = kind=infantry to_hit=4 morale=3 = Team
    mini-combat = Team inf M12 TH7 S- Mo4 = kind=infantry movement=12 morale=4 = Team
    mini-combat = Jump inf Fly:jump Den:Ch Drp:scatters OS:5 ~IF custom "Own" +75%
        = Fly:jump Den:Ch Drp:scatters OS:5 (IF) own:75 kind=infantry = Jump
    mini-combat = M4 Sherman vehicle M30 TH4 = kind=vehicle movement=30 to_hit=4 = M4 Sherman
    mini-combat = Tank: vehicle M30 = kind=vehicle movement=30 = Tank
    mini-combat = T-34 vehicle M30 = kind=vehicle movement=30 = T-34

    msc = Raider E3 S3 T4 F FL FR = 3 3 4 F FL FR = Raider | msc = Raider F F FL e3 s3 t4 = 3 3 4 F F FL = Raider
    msc = 2 Lancer engine 4 shield: 3 to hit 4 F FL = 4 3 4 F FL x2 = Lancer
    msc = Cruiser 4/4/3 guns front, front left, front right = 4 4 3 F FL FR = Cruiser
    msc = raider 2 E3 = 3 0 0 = raider 2
    msc = Engine room E3 = 3 0 0 = Engine room | msc = Raider engines 3 shields 2 TH4 F = 3 2 4 F = Raider
    mini-combat = inf move 10 to-hit 4 range 20 power 2 armor 1 save5 morale 3 "Foot"
        = kind=infantry movement=10 to_hit=4 range=20 power=2 armor=1 save=5 morale=3 = Foot
    vsgmr = 2x Troop with distance attack (Gunners) = troop distance x2 = Gunners
    vsgmr = 4 thugs brave = mook x4 = thugs brave | vsgmr = 4 thugs Alpha = mook x4 = Alpha
    vsgmr = 4 thugs with guns = mook distance x4 = thugs | vsgmr = villain Dr Doom = hero = Dr Doom
    mini-combat = 5 infantry with rifles = kind=infantry x5 = rifles
    vsgmr = Soldiers (8): Troop guy, Light Armor = troop light x8 = Soldiers
    vsgmr = Bat-Guy: Commander, Tough trait, Major Super-Armor super power
        = hero commander tough super-armor:major = Bat-Guy
    6mm = 5 TNK (medium Pz IV) = TNK medium x5 = Pz IV | 6mm = CAV/U (General - Poor) = CAV/U inferior =
    urutsk = Riflemen: 4 R3 C2 = ranged=3 close=2 x4 = Riflemen
    vsgmr = 3 cavalry light armor - Riders = cavalry light x3 = Riders
    urutsk = Doc ranged 1 close 1 fate 3 ability 2 = ranged=1 close=1 fate=3 weapon_ability=2 = Doc
    urutsk = 4 ranged 3 close 2 weapon 1 fate 2 Tom = ranged=3 close=2 weapon_ability=1 fate=2 x4 = Tom
    msc = Raider 3/3/4 F,FL,FR x2 = 3 3 4 F FL FR x2 = Raider | msc = 6 × Ship 1 E3 = 3 0 0 x6 = Ship 1

    vsgmr = hero sharpshooter super-blast minor "Captain Tide" = hero sharpshooter super-blast:minor = Captain Tide
    vsgmr = cavalry Cavalry sergeant = cavalry = Cavalry sergeant | vsgmr = 5 mooks Thugs = mook x5 = Thugs
    mini-combat = 2 vehicles hits 4 Jeeps = kind=vehicle to_hit=4 x2 = Jeeps
    vsgmr = 3 troop distance heavy auto support:armor Guard
        = troop distance heavy automatic_fire support support=armor x3 = Guard
    vsgmr = hero SBl8 cause fear DS = hero super-blast:minor cause-fear double-strike =
    vsgmr = Hulk hero super fight d12 tough = hero super-fight:superior tough = Hulk
    vsgmr = hero superblast d8 = hero super-blast:minor =
    vsgmr = hero stealth tough = hero stealth tough =
    vsgmr = hero tough stealth Stealth = hero tough stealth = Stealth
    vsgmr = hero Large Bear = hero = Large Bear

    urutsk = 4 R3 C2 W1 fate2 autofire Riflemen = ranged=3 close=2 weapon_ability=1 fate=2 fire=autofire x4 = Riflemen
    urutsk = command Command team = command = Command team
    urutsk = R2 C3 burst "Flak team" protection:"flak" = ranged=2 close=3 fire=burst protection=flak = Flak team
    urutsk = Sergeant R-1 fate0 = ranged=-1 fate=0 = Sergeant
""")
ASKED = rows("""  # a line, and what its parses differ in, each with the name after @
    6mm = 1 ski/m general = SKI/M superior / SKI/M competent / SKI/M inferior
    6mm = 1 ski/m c-in-c = SKI/M superior / SKI/M competent / SKI/M inferior
    6mm = 1 ski/m (Gen) = SKI/M superior / SKI/M competent / SKI/M inferior
    6mm = 2 inf Guards = INF/A @ Guards / INF/U @ Guards
    6mm = 2 cav/u or inf/u good Dragoons = CAV/U quality=average + INF/U good / CAV/U good + INF/U good
    6mm = tnk Heavy Gun = TNK heavy @ Gun / TNK armour=None @ Heavy Gun
    6mm = Old good soldiers msk = MSK good @ Old soldiers / MSK quality=average @ Old good soldiers
    6mm = Old msk Guard = MSK @ Old Guard
    6mm = 4 good light cav = CAV/A good @ light cav / CAV/U good @ light cav
    6mm = 3 horsemen elite Templars = CAV/U elite x3 @ Templars / CAV/A elite x3 @ Templars
    vsgmr = troop armor Guard = troop light @ Guard / troop heavy @ Guard
    6mm = 4 heavy infantry = INF/U @ heavy infantry / INF/A @ heavy infantry
    mini-combat = Recon patrol inf M10 TH4 R20 P2 A1 = Rec @ patrol / kind=infantry @ Recon patrol
    mini-combat = Odd one = OS @ Odd / kind=other @ Odd one
    msc = R Rear guard E6 S2 T2 R = 6 2 2 R R @ Rear guard / 6 2 2 R @ R Rear guard
    msc = Raider E 3 S2 = 0 2 0 @ Raider E 3 | msc = Raider S 2 E3 = 3 0 0 @ Raider S 2
    vsgmr = hero light/heavy Guard = hero light @ Guard / hero heavy @ Guard | 6mm = 2 musket/pike A = MSK @ A / PKE @ A
    vsgmr = troop com Bob = troop commander @ Bob / troop combat-master @ Bob / troop @ com Bob
    vsgmr = 4 thugs close combat = mook combat-master @ thugs close / mook @ thugs close combat
    msc = frigate beam 3 shields 2 = 0 2 0 @ frigate beam 3
    msc = Raider E3 Fast S3 = 3 3 0 @ Raider Fast | urutsk = medic fate 3 healer R1 = ranged=1 fate=3 @ medic healer
    vsgmr = guy sword = mook @ sword / troop @ sword / hero @ sword
    vsgmr = hero Stealth Bomber = hero stealth @ Bomber / hero @ Stealth Bomber
    urutsk = Poor Tom R2 C1 = poor_condition @ Tom / poor_condition=False @ Poor Tom
""")
REFUSED = rows("""  # a line, and the parts of it that cannot be read
    6mm = 4 works good = good | 6mm = Vixen = Vixen | 6mm = 6 pke x6 A = x6 | 6mm = msk "A" "B" = "B"
    6mm = ski/f (Foot) @ 8 pts = @ | mini-combat = −3 inf M10 = −3 | 6mm = -3 msk A = -3 | msc = Raider engine 3.5 = 3.5
    6mm = msk good elite "A" = elite | 6mm = = | mini-combat = Team inf M12.5 TH7 S- Mo4 = 12.5
    mini-combat = M1 Den:x custom "y" = x / custom "y" | msc = Raider E3.5 = 3.5 | msc = 10001 Raider E1 = 10001
    msc = Raider "A" E3 = Raider | msc = A E3 E4 = E4 | vsgmr = kind:hro X = hro | vsgmr = 2 Guard = Guard
    vsgmr = x ² Guard = x ² Guard | urutsk = Tom R1000001 = R1000001
""")


def grammar(game):
    return SYSTEMS[game].grammar


def texts(data):
    """Every text in document data, keys of maps included."""
    if not isinstance(data, dict | list):
        return str(data)
    return "".join(map(texts, [*data, *data.values()] if isinstance(data, dict) else data))


@pytest.mark.parametrize(("game", "text", "element", "name"), READ)
def test_a_line_is_read_as_one_element_and_every_part_of_it_is_understood(game, text, element, name):
    line = parse_line(grammar(game), text)
    assert line.element == rules(game).Element.model_validate(ELEMENTS[game](element, name=name)), line
    spans = line.parses[0].spans
    assert all(a.end <= b.start for a, b in pairwise(spans))
    assert {*"".join(text[a.end : b.start] for a, b in pairwise(spans))} <= {*" ,()/"}


@pytest.mark.parametrize("game", SYSTEMS)
def test_the_example_of_a_game_breaks_no_rule(game):
    element = parse_line(grammar(game), grammar(game).example).element
    assert [*rules(game).check_element(element, Terms(rules(game).Options(), None, None))] == []


@pytest.mark.parametrize(("game", "text", "parses"), ASKED)
def test_an_ambiguous_line_gives_every_parse_with_what_distinguishes_it(game, text, parses):
    line = parse_line(grammar(game), text)
    for parse, expected in zip(line.parses, parses.split(" / "), strict=True):
        words, _, name = expected.partition(" @ ")
        data = parse.element.model_dump(mode="json")
        part = ELEMENTS[game](words, **({"name": name} if name else {}))
        assert rules(game).Element.model_validate({**data, **part}) == parse.element
    assert line.element is None
    assert len({parse.label for parse in line.parses}) == len(line.parses)


def test_a_name_alone_is_that_of_an_element_to_copy_and_an_empty_one_has_to_be_confirmed():
    line = parse_line(grammar("msc"), "2 Vixen")
    assert (line.element, line.bare, line.quantity, line.words) == (None, True, 2, "Vixen")
    assert [parse.element for parse in line.parses] == [rules("msc").Element(name="Vixen", quantity=2)]


@pytest.mark.parametrize(("game", "text", "parts"), REFUSED)
def test_what_cannot_be_read_is_marked_and_gives_no_element(game, text, parts):
    line = parse_line(grammar(game), text)
    assert line.parses == ()
    assert [text[error.start : error.end] for error in line.errors] == parts.split(" / ")
    assert all(error.message for error in line.errors)


def has(element, setting):
    """Whether an element has what a word sets."""
    key, _, item = setting.key.partition(".")
    value = getattr(element, key)
    if setting.appends:
        return (setting.value["code"] if isinstance(setting.value, dict) else setting.value) in [
            getattr(each, "code", each) for each in value
        ]
    return (value[item] if item else value) == setting.value


TYPE_KEYS, STATS = ("type", "kind"), {"msc": "E3", "urutsk": "R1"}


@pytest.mark.parametrize("game", SYSTEMS)
def test_every_label_of_a_type_or_an_option_is_a_word_of_quick_add_and_no_part_of_the_name(game):
    """Lower and upper case, singular and plural, in one line and in a list."""
    of_one = [word for word in grammar(game).words if len(word.senses) == 1]
    types = {word.label: word.senses[0].settings[0] for word in of_one if word.senses[0].settings[0].key in TYPE_KEYS}
    for word in of_one:
        setting = word.senses[0].settings[0]
        between = next(
            (t.lower() for t, each in types.items() if grammar(game).allows(each.value, setting)), STATS.get(game)
        )
        named = {label.lower() for label in types} & {word.label.lower(), word.label.lower().split()[-1]}
        template = "4 {} Alpha" if named else f"4 {{}} {between} Alpha"  # an ability beside the name would be asked
        plural = [f"{word.label}s"] if word.label in types and word.label[-1] not in "sty" else []
        for label in (word.label, word.label.lower(), word.label.upper(), word.label.removesuffix("s"), *plural):
            line = parse_line(grammar(game), template.format(label))
            [formation] = parse_list(game, grammar(game), f"# A\n{line.text}").formations
            assert formation.lines[0].line == line
            alone = parse_line(grammar(game), f"4 {label}")
            assert word.label not in types or {parse.element.name for parse in alone.parses} == {""}, alone
            assert line.element is not None, line
            assert line.element.name == "Alpha"
            assert all(has(line.element, each) for each in word.senses[0].settings), line


@pytest.mark.parametrize(
    ("text", "type_"), [("general", "Infantry"), ("fighter-bomber", "Aircraft"), ("Bonaparte", "Muskets")]
)
def test_a_line_without_a_type_offers_those_that_complete_it(text, type_):
    (error,) = parse_line(grammar("6mm"), text).errors
    labels = [word.label for word in error.missing]
    assert type_ in labels
    assert all(parse_line(grammar("6mm"), f"{text} {word.text}").parses for word in error.missing)
    assert ("Field works" in labels) == (text == "Bonaparte")
    assert {*labels} <= {word.label for word in vocabulary(grammar("6mm"))}, "the names of the list of words"


MISSPELLED = rows("""  # a line, the word that is none, and what it may be
    6mm = 4 muskett elite Guard = muskett = Muskets | 6mm = 4 wizzards = wizzards = | 6mm = 2 Old hosts = Old hosts =
    6mm = 4 suport weapon Maxim = suport weapon = Support weapons | 6mm = 2 skif = skif = Skirmishers on foot
    6mm = 4 cavlry = cavlry = Cavalry, Unarmored cavalry | vsgmr = 3 tropps Guard = tropps = Troop
    vsgmr = hero armor:hevy X = hevy = heavy | mini-combat = M1 Den:x = x =
""")


@pytest.mark.parametrize(("game", "text", "word", "near"), MISSPELLED)
def test_a_word_that_the_game_has_not_is_named_with_those_that_are_like_it(game, text, word, near):
    (error,) = parse_line(grammar(game), text).errors
    assert (text[error.start : error.end], ", ".join(each.label for each in error.near)) == (word, near)
    assert word in error.message


@pytest.mark.parametrize(
    ("game", "text", "typed"),
    [("6mm", "foo bar baz", True), ("6mm", "tan Tigers", True), ("mini-combat", "2 inf P5", False)],
)
def test_a_type_that_is_but_begun_is_asked_in_a_pasted_list_and_an_attack_without_to_hit_everywhere(game, text, typed):
    assert (parse_line(grammar(game), text).element is not None) == typed
    line = parse_line(grammar(game), text, pasted=True)
    assert (line.element, len(line.parses)) == (None, 1)
    assert all(parse_line(grammar(game), f"{word.text} {text}").element for word in line.errors[0].missing[:1])
    assert line.errors[0].missing


@pytest.mark.parametrize(
    "part", ["~", '"', 'a:"', "recon/", "x ", "1,", "-", "a-", "msk or ", "recon x ", 'custom "x" ', "guy "]
)
def test_a_hostile_line_is_read_or_refused_and_no_more(part):
    for game in SYSTEMS:
        line = parse_line(grammar(game), part * (MAX_LINE // len(part)))
        assert line.parses or line.errors


@pytest.mark.parametrize("game", SYSTEMS)
@given(st.data())
def test_a_written_line_reads_back_to_its_element(game, data):
    """But for id, notes, secret and marks; only texts with line breaks or control characters have no line."""
    element = rules(game).Element.model_validate(data.draw(strategies.elements(game)))
    bare = element.replace(id=None, notes="", secret=False, marks=())
    try:
        line = write_line(grammar(game), element)
    except IndescribableElement:
        assert {"Cc", "Zl", "Zp"} & {*map(category, texts(documents.write_element(bare)))}
        return
    assert parse_line(grammar(game), line).element == bare
    options = " ".join(grammar(game).write_options(element))
    assert parse_options(grammar(game), element, options) == element


@pytest.mark.parametrize("game", SYSTEMS)
def test_help_shows_every_word_once_with_an_abbreviation_that_means_it(game):
    words = vocabulary(grammar(game))
    assert len({each.word for each in words}) == len(words)
    for each in words:
        assert grammar(game).spellings[fold(each.shortest)][0].label == each.label
        assert {near.label for near in grammar(game).near(f"{each.word}x")[1]} <= {word.label for word in words}
        assert fold(each.shortest) == fold(each.word) or len(each.shortest) >= MIN_PREFIX


def names_in(read):
    return [(formation.name, [line.line.element.name for line in formation.lines]) for formation in read.formations]


def test_a_pasted_list_has_formations_bullets_and_totals():
    text = "\n6 msk A = 42\n- 2 msk B 5\n\n\n• msk C (6)\nHorse:\n* cav/u D\n# Empty\n\n# Guns\n\tart sm E = 1,003 BP\n"
    read = parse_list("6mm", SYSTEMS["6mm"].grammar, text + "Total: 1,056 points")
    assert names_in(read) == [("", ["A", "B 5"]), ("", ["C"]), ("Horse", ["D"]), ("Empty", []), ("Guns", ["E"])]
    lines = [each for formation in read.formations for each in formation.lines]
    assert [(each.number, each.line.total) for each in lines] == [(2, 42), (3, None), (6, 6), (8, None), (12, 1003)]
    assert total_error(lines[0].line, 6) == "You wrote 42; it is 6 each, 36 in all."
    assert [total_error(lines[0].line, each) for each in (42, 7, None)] == [None] * 3
    assert total_error(lines[1].line, 9) is None
    assert total_error(lines[2].line, 5) == "You wrote 6; it is 5."
    assert list_error(read, (100, 2)) == "Your list says 1,056; read so far: 102."
    assert list_error(read, (1056,)) is list_error(read, (None,)) is None
    assert parse_list("6mm", grammar("6mm"), "msk A\nTotal: 6\nmsk B\nTotal: 12").total is None


PRICED = rows("""  # a game, pasted lines, the name of the last one's element, and its total
    6mm = 6 msk Line 36 = Line = 36 | 6mm = 6 msk Line 6 = Line = 6 | 6mm = 6 msk Line 7 = Line = 7
    6mm = 6 msk Line 3 = Line 3 = | 6mm = 2 art sm Guns 4 / 6 msk Line 7 / 6 msk Guard 10 = Guard = 10
    6mm = 6 msk Line 1 / 6 msk Line 2 / 6 msk Line 3 = Line 3 = | 6mm = msk Line 6 = Line =
    6mm = 1 msk Line / SKI/M (General - Superior) Wellington 7 = Wellington = 7
    6mm = 6x MSK (Line Infantry) - 8 = Line Infantry = 8 | 6mm = 1 SKI/M (Gen - Sup) 7 = = 7
    6mm = 2 arty smoothbore 4 = = 4 | 6mm = [6mm] Army / 6 msk Line 36 = Line 36 =
    msc = 2 Raider 3/3/4 F 12 = Raider = 12 | urutsk = 4 R3 Riflemen 7 = Riflemen 7 =
""")


@pytest.mark.parametrize(("game", "text", "name", "total"), PRICED)
def test_a_number_at_the_end_of_a_pasted_line_is_its_price_if_it_costs_that(game, text, name, total):
    def price(element):
        receipt = rules(game).price(element, Terms(rules(game).Options(), None, None))
        return receipt and receipt.unit_points

    [formation] = parse_list(game, grammar(game), text.replace(" /", "\n"), price).formations
    line = formation.lines[-1].line
    assert (line.element.name, line.total) == (name, int(total) if total else None)


NAMED = rows("""  # a game, pasted lines, the name of the formation, and the names of its elements
    6mm = Wellington's Army / / 6 msk A = Wellington's Army = A
    msc = • Home fleet / • Raider 3/3/4 F = Home fleet = Raider | 6mm = 6 saucers / 6 msk A = = ; A
    6mm = Saucers / Plates / 6 msk A = = ; ; A
    6mm = 6 msk Line, 2x art sm Guns; 1 × cav/u Lancers = = Line; Guns; Lancers
    msc = 2 Raider 3/3/4 F, FL, 1 Scout 2/2/5 F = = Raider; Scout | 6mm = 6 msk "Line, 2 x guns" = = Line, 2 x guns
    6mm = 6 msk Line, 2 flying saucers = = Line, 2 flying saucers | 6mm = 3x Line infantry, 2x art sm Guns = = ; Guns
""")


@pytest.mark.parametrize(("game", "text", "name", "names"), NAMED)
def test_a_pasted_list_may_begin_with_a_name_and_elements_on_one_line_are_parted(game, text, name, names):
    [formation] = parse_list(game, grammar(game), text.replace(" /", "\n")).formations
    found = [each.line.element.name if each.line.element else "" for each in formation.lines]
    assert (formation.name, "; ".join(found)) == (name, names)


@pytest.mark.parametrize(
    ("game", "text", "elements"),
    [
        (
            "vsgmr",
            "Dwarves (8 points, 4 figures)\nThane: Commander, Cause\nFear trait — 4 points\nMage: Hero guy, Support "
            "trait (Note: for\nall rolls) — 4 points\nGuards (2): Troop guy, Light Armor — 4 points (2 each)",
            [("Dwarves", "Thane", 1, ""), ("Dwarves", "Mage", 1, "for all rolls"), ("Dwarves", "Guards", 2, "")],
        ),
        (
            "6mm",
            "Army\n\nNumbers\tDescriptions\tValue\n7\tINF/A (Legion)\t7\n\nB\n\nNumbers\tDescription\tValue\n2\tARC\t5",
            [("Army", "Legion", 7, ""), ("B", "", 2, "")],
        ),
        (
            "msc",
            "\tENGINE\tSHIELDS\tTO-HIT\tWeapons\nShip 1\t3\t4\t3\tF,FL\nB\t2\t2\t2\tF",
            [("", "Ship 1", 1, ""), ("", "B", 1, "")],
        ),
        (
            "mini-combat",
            "Unit\tQty\tM\tTH\tPts\nRifles 2\t6\t10\t4+\t9\nX\t1\t5\t6+\t9",
            [("", "Rifles 2", 6, ""), ("", "X", 1, "")],
        ),
    ],
)
def test_lists_are_read_as_rulebooks_and_spreadsheets_have_them(game, text, elements):
    """With headings, tables, pages that wrap lines, and notes."""
    read = parse_list(game, grammar(game), text, lambda _element: 1)
    lines = [(formation.name, each.line.element) for formation in read.formations for each in formation.lines]
    assert [(name, each and each.name, each and each.quantity, each and each.notes) for name, each in lines] == elements


def test_a_special_trait_of_an_older_export_is_read_in_a_pasted_list_but_not_in_a_name():
    read = parse_list("6mm", SYSTEMS["6mm"].grammar, '6 MSK -3 "Old -3 guard"\n2 MSK −2 Rabble')
    elements = [each.line.element for formation in read.formations for each in formation.lines]
    assert [(each.name, each.agreed) for each in elements] == [("Old -3 guard", -3), ("Rabble", -2)]


@pytest.mark.parametrize("text", ["msk A\n" * (MAX_LINES + 1), "#\n" * (MAX_LINES + 1), "x" * (MAX_BYTES + 1)])
def test_a_list_that_is_too_long_is_refused(text):
    read = parse_list("6mm", SYSTEMS["6mm"].grammar, text)
    assert (bool(read.error), read.formations) == (True, ())


@pytest.mark.parametrize("game", SYSTEMS)
@given(st.data())
def test_a_roster_comes_back_from_the_list_in_a_text(game, data):
    """But for ids, notes, secrets, marks and crest, and line breaks in names."""
    document = registry.read(data.draw(strategies.documents(game)))
    lines = [*list_lines(grammar(game), document)]
    read = parse_list(game, SYSTEMS[game].grammar, "\n".join(["Title", "not: a line", *lines, "```", "more"]))
    assert read.error == ""
    same = {"name": "".join(" " if category(c) in ("Cc", "Zl", "Zp") else c for c in document.name)}
    same |= {key: value for key in ("budget", "scenario", "side") if (value := getattr(document, key)) is not None}
    options = document.options.model_dump(mode="json", exclude_defaults=True)
    assert {"name": "", **read.root} == same | ({"options": options} if options else {})
    for formation, found in zip(document.formations, read.formations, strict=True):
        written = [element_line(grammar(game), element) for element in formation.elements]
        assert [each.line.text for each in found.lines] == [line for line in written if line]
        assert all(each.line.element for each in found.lines)
