"""Pages of odds: the matrix and the pairs of a battle, an element against an opponent, the builder's column."""

import pytest

from rosters.balance import odds
from rosters.core.odds import percent
from rosters.registry import SYSTEMS
from tests.people import ELEMENTS, document_of, url_of
from tests.support import roster_data

pytestmark = pytest.mark.usefixtures("without_limits")


def test_the_builder_shows_the_mean_odds_of_each_element_in_a_column_that_is_saved_with_the_roster(owner, friend):
    guard, scout, rider = (
        {"name": name, "close": n, "fate": n} for n, name in enumerate(("Guard", "Scout", "Rider"), 1)
    )
    mine = owner.create(roster_data("urutsk", [guard, scout]))
    owner.create_battle(mine, owner.create(roster_data("urutsk", [{**guard, "quantity": 3}, rider])))

    def column():
        page = owner.context(url_of(mine))["roster_page"]
        return [row.cells[-1][1].text for row in page.formations[0].rows] if page.more_columns else None

    assert (column(), friend.post_to(mine, "odds/column", query="measure=kill").status_code) == (None, 404)
    owner.post_to(mine, "odds/column", query="measure=kill&distance=short&odds-against=nobody")
    kills = [
        [float(odds("urutsk", each, foe, {"distance": "short"}, exact=False)["a"]["kill"]) for foe in (guard, rider)]
        for each in (guard, scout)
    ]
    means = [percent((3 * first + last) / 4).split("\u00a0")[0] for first, last in kills]
    assert column() == means
    assert [
        mean.text for _row, _cells, mean in owner.context(f"{url_of(mine)}odds?measure=kill&distance=short")["table"]
    ] == means
    link = owner.context(url_of(mine))["roster_page"].formations[0].rows[1].cells[-1][1].link
    (((row, cells, mean),), models) = (
        owner.context(link)[name] for name in ("table", "models")
    )  # the receipt of one mean
    assert (row.name, mean.text, [cell.b.quantity for cell in cells], models) == ("Scout", means[1], [3, 1], 4)
    owner.post_to(mine, "odds/column", query="")
    assert column() is None


def test_the_chance_of_a_roll_opens_its_receipt(stranger):
    seen = stranger.context("/explain/vsgmr/roll?target=5&die=8&dice=2")  # fails if both dice show 1 to 4
    assert [each.percent for _modifier, each in seen["modified"]][2:5] == [
        percent(1 - share**2) for share in (5 / 8, 4 / 8, 3 / 8)
    ]
    assert [succeeds for _face, succeeds in seen["faces"]] == [False] * 4 + [True] * 4
    assert stranger.get("/explain/vsgmr/roll?target=5&die=7&dice=2").status_code == 400
    assert "/explain/mini-combat/roll?target=4&amp;die=6&amp;dice=1" in stranger.text("/explain/mini-combat")


KEYS = ("An attack hits", "An attack takes it out")


@pytest.mark.parametrize("slug", ELEMENTS)
def test_odds_of_a_battle_are_those_of_the_pair_under_the_conditions(owner, slug):
    data = {"name": "Guard", **ELEMENTS[slug]}
    battle = owner.create_battle(*(owner.create(roster_data(slug, [data])) for _side in "ab"))
    conditions = {"distance": [*SYSTEMS[slug].odds.RANGES][1]}
    solved = odds(slug, data, data, conditions, exact=False)
    for measure, chance in (("win", solved["duel"]["win"]), ("kill", solved["a"]["kill"])):
        seen = owner.context(f"{url_of(battle)}/odds?measure={measure}&distance={conditions['distance']}")
        ((_row, (cell,), _mean),) = seen["table"]
        assert (cell.value or 0) == pytest.approx(chance)
    mine, other = (force.roster for force in battle.forces.order_by("position"))
    first, second = (document_of(each).elements[0].id for each in (mine, other))
    asked = f"{url_of(battle)}/odds/pair?a={first}&b={second}"
    seen = owner.context(f"{asked}&distance={conditions['distance']}&a_cover=nonsense&b_side=Q")
    assert seen["form"].conditions == SYSTEMS[slug].odds.Conditions(**conditions)
    assert dict(seen["pair"].attacks[0].numbers)["An attack takes it out"] == percent(solved["a"]["kill"])
    assert seen["pair"].rounds[-1][1] == percent(solved["duel"]["win"])
    assert owner.get(f"{asked}x").status_code == 404
    typical = owner.context(f"{url_of(mine)}element/odds?id={first}&odds-against=typical/{slug}&odds-target=t2")
    assert [row.name for row in typical["targets"]] == [name for name, _profile in SYSTEMS[slug].odds.TARGETS]
    assert typical["target"].element.id == "t2"
    for row in typical["ranges"]:  # each number opens its receipt
        shown = [next(each.text for each in mine if each.label == label) for _n, mine in row.receipts for label in KEYS]
        assert shown == [row.texts[column] for column in (0, 1, 3, 4)]
