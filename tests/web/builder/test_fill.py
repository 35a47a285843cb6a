"""The rest of a roster's points: what is proven at once, what a worker finds, one press that adds it."""

import json

import pytest
from django_tasks_db.models import DBTaskResult

from rosters.balance.report import Tally
from rosters.models import Report, ReportState, Roster
from rosters.store import pairs, reports, writer
from tests.people import SHIP, reload, url_of
from tests.support import roster_data

pytestmark = pytest.mark.usefixtures("without_limits")


def fleet(name, *ships, **root):
    return roster_data("msc", [{**SHIP, **ship} for ship in ships], name=name, **root)


@pytest.fixture
def mine(owner):
    """A fleet with two designs and room for two of the weaker one, in a battle with another."""
    roster = owner.create(fleet("Red", {"name": "Gun"}, {"name": "Hull", "weapons": []}, budget=50))
    owner.create_battle(
        roster, owner.create(fleet("Blue", {"name": "Foe", "quantity": 2}, {"name": "Ghost", "secret": True}))
    )
    return roster


def ask(owner, roster, **changed):
    page = owner.context(f"{url_of(roster)}fill")
    data = {"design": sorted(page["chosen"]), "against": page["form"]["against"].field.choices[0][0]}
    return owner.post(f"{url_of(roster)}fill", data | {"points": page["form"]["points"].value()} | changed)


def work():
    for task in DBTaskResult.objects.ready():
        reports.run_report.call(*task.args_kwargs["args"])


def test_a_force_is_proven_at_once_found_by_a_worker_and_added_by_one_press(owner, stranger, mine, monkeypatch):
    address = ask(owner, mine).url
    assert ask(owner, mine).url == address
    page = owner.context(address)
    assert (page["report"].state, page["results"][0].percents) == (ReportState.WAITING, {})
    assert [(n, offer.element.name) for n, offer, _counter in page["results"][0].added] == [(1, "Gun")]
    monkeypatch.setattr(
        reports, "fight", lambda trial, seed: Tally(400 - trial.first // 10, 100 + trial.first // 10, 0)
    )
    work()
    best = owner.context(address)["results"][0]
    assert 0 < best.percents["margin"] < best.percents["won"] < 100
    assert stranger.post(f"{address}/add", {"force": best.number}).status_code == 404
    before = reload(mine).document
    assert owner.post(f"{address}/add", {"force": "9" * 5000}).status_code == 404
    owner.post(f"{address}/add", {"force": best.number})
    assert reload(mine).quantity == 3
    owner.post(f"{address}/add", {"force": best.number})
    assert (reload(mine).quantity, owner.context(address)["may_add"]) == (3, False)
    owner.post(f"{url_of(mine)}undo")
    assert json.loads(reload(mine).document)["formations"] == json.loads(before)["formations"]


def test_no_secret_of_the_enemy_is_searched_with_and_what_is_hidden_later_hides_the_search(owner, mine):
    enemy = mine.forces.get().battle.forces.exclude(roster=mine).get().roster
    writer.update_roster(enemy, hide_secrets=True)
    address = ask(owner, mine).url
    assert "Ghost" not in json.dumps(Report.objects.values_list("question")[0])
    writer.update_roster(reload(enemy), hide_points=True)
    assert owner.get(address).status_code == 404


def test_what_cannot_be_found_is_refused_and_what_cannot_be_fought_is_shown_as_proven(owner, mine, settings):
    assert [ask(owner, mine, **each).status_code for each in ({"points": 51}, {"design": []}, {"points": 1})] == [
        422
    ] * 3
    troop = owner.create(roster_data("vsgmr", [{"kind": "troop"}], budget=25))
    other = owner.create(roster_data("vsgmr", [{"kind": "troop"}]))
    owner.create_battle(troop, other)
    assert ask(owner, troop).status_code == 422, "nobody can be the commander"
    settings.MOST_REPORTS = 1
    Report.objects.create(question={"a": {}}, seed=1, state=ReportState.WAITING)
    page = owner.context(ask(owner, mine).url)
    assert (page["report"].state, bool(page["errors"]), bool(page["results"])) == (ReportState.FAILED, True, True)


def test_designs_of_another_roster_are_copied_into_a_formation_of_their_own(owner, mine):
    source = owner.create(fleet("Yard", {"name": "Gun", "to_hit": 4, "quantity": 9}))
    page = owner.context(f"{url_of(mine)}fill?from={source.token}")
    key = f"{source.token}/0"
    assert key in page["chosen"]
    address = ask(owner, mine, **{"from": [source.token], "design": [key]}).url
    owner.post(f"{address}/add", {"force": 0})
    document = json.loads(reload(mine).document)
    added = document["formations"][-1]["elements"]
    assert [(each["name"], each.get("quantity", 1)) for each in added] == [("Gun (2)", 1)]


def test_the_usual_enemy_is_of_the_size_of_the_roster_and_results_say_both_sizes(owner):
    usual = pairs.pairs_of("msc")[0].second
    for budget, points in ((500, 525), (usual.points, usual.points), (None, usual.points)):
        mine = owner.create(fleet("Mine", {}, budget=budget))
        key = owner.context(f"{url_of(mine)}fill")["form"]["against"].value()
        assert Roster.objects.get(sample=key).points == points
    page = owner.context(ask(owner, mine, against=usual.sample, points=mine.points).url)
    assert (page["results"][0].size, page["enemy_size"]) == (f"{2 * mine.points:g}", f"{usual.points:g}")
