"""VSGMR: prices, findings, scenarios and reference lists, worked by hand from the rulebook's sections IV to VIII."""

from fractions import Fraction

from rosters.core.rulebook import Terms
from rosters.systems.vsgmr import rules
from rosters.systems.vsgmr.rules import FINDINGS, POWERS, SCENARIOS, TRAITS, Options, Profile, describe, price
from tests.notation import figure, rows
from tests.support import FIRST, FIXTURES, appraise, finding_codes, roster_data, sample_data

HALF = Fraction(1, 2)
TERMS = Terms(Options(), None, None)
BOSS = "hero commander"
"""The least that makes a roster legal. Two points."""


def receipt(text):
    return price(Profile.model_validate(figure(text)), TERMS)


def points(text):
    return receipt(text).unit_points


def warband(*texts, **root):
    return roster_data("vsgmr", [*map(figure, filter(None, texts))], **root)


KIND_PRICES = {  # kind: bare, in light and in heavy armor, a commander in heavy armor
    "mook": (HALF, 1 + HALF, 2 + HALF, 2 + HALF),
    **{"troop": (1, 2, 3, 3), "hero": (2, 3, 4, 2), "cavalry": (2, 2, 3, 3), "vehicle": (3, 3, 4, 4)},
}
TRAIT_CODES = (
    "area-effect-attack cause-fear combat-master disable double-strike flight ignores-armor independent inspiration "
    "recruit revenge sharpshooter sniper stealth summon support tough"
)
POWER_PRICES = {  # points at minor, major and superior
    **{"super-armor": (3, 4, 5), "super-blast": (2, 3, 4), "super-fight": (2, 3, 4), "super-move": (2, 3, 4)},
    "super-skill": (1, 2, 3),
}
TIERS = {"minor": 8, "major": 10, "superior": 12}
PRICES = rows("""  # heavy armor is free to a hero commander, what is bought on top neither charged nor refunded
    hero commander = 2 | hero commander light = 2 | hero commander armor=mithril = 2 | troop commander = 1
    troop commander light = 2 | wizard tough distance heavy super-move:minor = 0 | troop armor=mithril = 1
    vehicle armor=mithril = 3 | troop automatic_fire = 1 | troop juggling = 1 | hero independent tough independent = 4
    troop super-nap:minor super-move:cosmic = 1 | vehicle super-skill:superior = 3
    cavalry super-skill:minor super-move:minor = 4
    troop combat-master weapon-master weapon-master = 7  # every copy is priced
""")
FOUND = rows("""  # a figure, and its findings in alphabetical order; of an unknown kind nothing else is checked
    mook = | hero commander light = | hero tough commander super-armor:minor = | cavalry tough super-armor:major =
    troop tough light super-armor:major = | troop sharpshooter sniper area-effect-attack distance automatic_fire =
    mook distance super-blast:superior super-skill:minor = | vehicle independent super-move:minor =
    troop combat-master double-strike super-fight:minor = | troop support support=distance =
    troop support support=hand-to-hand = | troop support support=armor = | troop support support=skill =
    troop support=skill large = | Hero = unknown-kind
    wizard juggling tough tough commander armor=silk automatic_fire = unknown-kind
    cavalry commander = commander-must-be-guy | vehicle independent commander = commander-must-be-guy
    mook commander = mook-commander | troop commander = troop-commander | troop armor=mithril = unknown-armor
    vehicle automatic_fire = automatic-fire-without-distance | troop juggling = unknown-trait
    troop stealth flight stealth = duplicate-trait | troop weapon-master = trait-alias
    troop weapon-master combat-master = duplicate-trait trait-alias
    mook independent = independent-guy | troop independent = independent-guy | hero independent = independent-guy
    troop sharpshooter = trait-needs-distance | cavalry area-effect-attack = trait-needs-distance
    vehicle sniper sharpshooter = trait-needs-distance trait-needs-distance
    hero tough = trait-needs-armor | troop tough commander = trait-needs-armor troop-commander
    troop tough armor=mithril = trait-needs-armor unknown-armor | vehicle support = support-roll-not-chosen
    troop super-nap:minor = unknown-power | vehicle super-skill:cosmic = unknown-power
    vehicle super-skill:superior = super-skill-only-guys | hero super-armor:minor = power-needs-armor
    vehicle super-blast:major = power-needs-distance
""")
ROSTERS = rows(f"""
    {BOSS} = | {BOSS}, vehicle independent x9 = | {BOSS}, wizard commander x5 =
    {BOSS}, mook, troop, cavalry x2, vehicle = | {BOSS}, troop x3, mook x3 =
    {BOSS}, troop commander x0, cavalry x0, vehicle = | = no-commander | hero x3 = no-commander
    {BOSS} x0 = no-commander | {BOSS}, {BOSS} = several-commanders | {BOSS} x2 = several-commanders
    {BOSS}, vehicle commander = several-commanders | {BOSS}, troop, mook commander = several-commanders
    {BOSS}, cavalry, vehicle = mount-without-rider | {BOSS}, cavalry x2 large = mount-without-rider
    {BOSS}, wizard, cavalry x2 = mount-without-rider | {BOSS}, mook = mooks-replace-troops
    {BOSS}, troop x3, mook x4 = mooks-replace-troops | {BOSS}, hero x4, mook x2 = mooks-replace-troops
""")
SUGGESTIONS = rows("""  # scenario, side, points within the suggestion, points outside it
    basic = = 25 40 = 24 24.5 41 | escape = = 25 40 = 24 24.5 41 | transport = = 25 40 = 24 24.5 41
    spawning = = 25 40 = 24 24.5 41 | spawning = infiltrator = 25 40 = 24 24.5 41
    spawning = spawner = 25 40 = 24 24.5 41 | = = 2 24 100 = | ambush = = 2 25 100 = | ambush = target = 2 25 40 = 41
    ambush = ambusher = 2 25 = 25.5 41 | fortress-assault = = 2 20 100 = | fortress-assault = assaulter = 2 20 = 21 41
    fortress-assault = defender = 2 20 40 = 41
""")
WARNINGS = (
    "troop-commander trait-alias trait-needs-distance trait-needs-armor power-needs-armor power-needs-distance "
    "support-roll-not-chosen mooks-replace-troops over-suggested-budget"
)
ARMIES = rows("""  # section VII: the number of figures and the printed points of each line
    medieval-infantry = 1 2, 1 5, 8 16 | dwarves = 1 4, 1 6, 3 18 | elves = 1 7, 2 10, 4 8 | orcs = 1 4, 2 12, 4 8
    undead = 1 6, 2 4, 1 2, 1 1, 1 7, 5 5 | fantasy-adventurers = 1 6, 1 5, 1 6, 1 5, 1 5
    wild-west-bandit-gang = 1 5, 3 9, 4 8 | zombie-horde = 1 4, 2 6, 10 10
    horror-film-survivors = 1 5, 1 6, 1 3, 1 5 | modern-infantry = 1 4, 2 8, 1 8, 1 4 | justice-team = 1 18, 1 14, 1 10
    mightiest-heroes = 1 9, 1 14, 1 15 | star-soldiers = 1 10, 1 12, 1 14 | bug-aliens = 1 6, 1 7, 6 24
""")
ARMY_WARNINGS = {"dwarves": ["trait-needs-armor"], "orcs": ["trait-alias"]}
"""The Runepriest buys Tough without armor, and the Warlord has Weapon Master."""


def test_figures_have_the_price_of_their_kind_armor_attacks_traits_and_powers_with_a_step_for_each_choice():
    for kind, (bare, *armored) in KIND_PRICES.items():
        texts = (kind, f"{kind} light", f"{kind} heavy", f"{kind} commander heavy")
        assert [points(text) for text in texts] == [bare, *armored]
        assert points(f"{kind} distance large") == bare + 1
        assert points(f"{kind} distance automatic_fire") == bare + 2
    for code in TRAIT_CODES.split():
        kinds = ["cavalry", "vehicle"] if code == "independent" else KIND_PRICES
        assert {points(f"{kind} {code}") - KIND_PRICES[kind][0] for kind in kinds} == {2}
    for power, prices in POWER_PRICES.items():
        for kind in ("mook", "troop", "hero") if power == "super-skill" else KIND_PRICES:
            assert tuple(points(f"{kind} {power}:{tier}") - KIND_PRICES[kind][0] for tier in TIERS) == prices
    assert [row for row in PRICES if points(row[0]) != int(row[1])] == []
    assert points(f"{BOSS} {'tough stealth ' * 5_000}") == 2 + 20_000
    steps = receipt("vehicle flight heavy distance automatic_fire").steps
    assert [(step.change, step.subtotal) for step in steps] == [("+3", 3), ("+1", 4), ("+1", 5), ("+1", 6), ("+2", 8)]
    found = appraise(roster_data("vsgmr", [figure(BOSS), figure("mook x3")], [figure("vehicle independent")]))
    assert [band.points for band in found.formations] == [3 + HALF, 5]
    assert (found.points, found.exact, found.quantity) == (8 + HALF, 8 + HALF, 5)


def test_figures_and_rosters_have_the_findings_of_the_clauses_that_they_break():
    assert [row for row in FOUND if finding_codes(warband(row[0], BOSS), FIRST) != row[1].split()] == []
    assert [row for row in ROSTERS if finding_codes(warband(*row[0].split(", ")), "") != row[1].split()] == []
    boss, mounts = figure(BOSS), figure("cavalry x2")
    assert (
        finding_codes(roster_data("vsgmr", [boss, mounts], [figure("troop"), figure("mook")])) == []
    )  # over all warbands
    assert finding_codes(roster_data("vsgmr", [boss], [boss])) == ["several-commanders"]
    tried = {code for row in FOUND + ROSTERS for code in row[1].split()} | {"over-suggested-budget"}
    severities = {code: "warning" if code in WARNINGS.split() else "error" for code in tried}
    severities["below-suggested-budget"] = "note"
    assert {code: kind.severity for code, kind in FINDINGS.items()} == severities


def test_a_scenario_suggests_points_for_each_side():
    for scenario, side, inside, outside in SUGGESTIONS:
        for total in map(Fraction, f"{inside} {outside}".split()):
            texts = BOSS, f"troop x{int(total - 2)}", f"mook x{int(2 * (total % 1))}"
            found = finding_codes(warband(*texts, scenario=scenario or None, side=side or None), "")
            over = total > max(map(Fraction, inside.split()))
            expected = [f"{'over' if over else 'below'}-suggested-budget"] * (total in map(Fraction, outside.split()))
            assert found == expected, (scenario, side, total)
    budgets = {
        size.budget: max(high for _, high in SCENARIOS[size.scenario].suggested.values()) for size in rules.SIZES
    }
    assert all(budget <= high for budget, high in budgets.items())
    assert all({*scenario.sides} <= {*scenario.suggested} for scenario in SCENARIOS.values())


DESCRIPTIONS = rows("""
    cavalry independent large = Cavalry, large, light armor, Independent
    hero support support=armor distance automatic_fire = Hero, distance attack, automatic fire, Support (armor rolls)
    mook weapon-master = Mook, Weapon Master (Combat Master)
    wizard juggling commander nap:long super-move:major = wizard, commander, juggling, Super-Move (major), nap (long)
""")


def test_a_description_names_all_that_a_figure_has_and_the_reference_lists_are_those_of_the_rulebook():
    assert [row for row in DESCRIPTIONS if describe(Profile.model_validate(figure(row[0])), TERMS) != row[1]] == []
    assert [(row.code, row.number) for row in TRAITS.values()] == [(c, n) for n, c in enumerate(TRAIT_CODES.split(), 1)]
    assert [(row.power, row.tier, row.die, row.points) for row in POWERS.values()] == [
        (power, tier, die, price)
        for power, prices in POWER_PRICES.items()
        for (tier, die), price in zip(TIERS.items(), prices, strict=True)
    ]
    assert [row.number for row in POWERS.values()] == [*range(1, 16)]
    names = [*TRAITS.values(), *POWERS.values()]
    assert len({row.abbreviation for row in names}) == len(names) == len([*rules.glossary()]) == 32
    assert all(row.text.endswith(".") for row in names)


def test_every_line_of_a_sample_army_costs_what_the_rulebook_prints():
    published = {path.stem for path in (FIXTURES / "armies" / "vsgmr").glob("*.json")} - {"harbor-patrol", "smugglers"}
    assert published == {slug for slug, _ in ARMIES}
    for slug, lines in ARMIES:
        data = sample_data("vsgmr", slug)
        found = appraise(data)
        assert ", ".join(f"{line.quantity} {line.points}" for line in found.formations[0].elements) == lines
        assert [finding.code for finding in found.findings] == ARMY_WARNINGS.get(slug, [])
        assert data["scenario"] == ("basic" if 25 <= found.points <= 40 else None)
