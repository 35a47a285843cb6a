"""What the points miss: the committed measurements are those of the command, and the sentences say what they say."""

import pytest

from rosters.balance import worth
from rosters.balance.worth import Row
from rosters.registry import SYSTEMS
from tools.worth import document
from tools.worth.measure import even_fight, jobs, measured, work
from tools.worth.questions import GAMES

ROWS = [("mini-combat", "rifles", "Morale 1"), ("urutsk", "riflemen", "Burst")]


def row(label, price, low, worth, high):
    return Row(label=label, price=price, low=low, worth=worth, high=high, exact=None, models=1)


PLAIN, CHEAP, DEAR = row("Plain", 1, 0.9, 1, 1.1), row("Cheap", 2, 5, 6, 7), row("Dear", 4, 1, 1.2, 1.4)
ENDLESS = row("Endless", 2, 8, None, None)


@pytest.mark.parametrize(("slug", "key", "label"), ROWS)
def test_the_committed_measurements_are_reproduced(slug, key, label):
    study = next(study for study in GAMES[slug].studies if study.key == key)
    wanted = next(each for group in study.groups for each in group.rows if each.label == label)
    committed = next(study for study in worth.measurements_of(SYSTEMS[slug]).studies if study.key == key)
    assert Row(**measured(slug, study, wanted)) == next(row for row in committed.rows if row.label == label)


def test_an_even_fight_is_found_from_any_guess_and_one_that_is_never_even_has_a_bound():
    """Each plain element more costs a twentieth of the battles, so that half are won against ten and a half."""
    for guess in (1, 9, 10, 11, 40):
        found = even_fight(lambda number, battles: min(max(1 - (number - 0.5) / 20, 0), 1), guess, 40, 400)
        assert [round(found[name], 2) for name in ("low", "worth", "high")] == [9.52, 10.5, 11.48]
    for score, low, high in ((1, 40, None), (0, None, 1)):
        found = even_fight(lambda number, battles, score=score: score, 10, 40, 400)
        assert found == {"worth": None, "low": low, "high": high}


def test_an_answer_names_the_best_only_as_far_as_chance_allows():
    also = row("Also", 1, 0.8, 0.95, 1.05)
    for rows, best, last in (
        *(([DEAR, CHEAP, PLAIN], ["Cheap"], "Dear"), ([CHEAP, PLAIN, ENDLESS], ["Endless"], "Plain")),
        *(([PLAIN, also, DEAR], ["Plain", "Also"], "Dear"), ([PLAIN, also], [], "")),
    ):
        values = {name: str(text).split(",")[0] for name, text in worth.answer_of(worth.ranked(rows)).values.items()}
        assert [values[name] for name in ("best", "second") if name in values] == best
        assert values.get("last", "") == last


def test_everything_that_is_asked_is_measured_a_match_is_reproduced_and_the_document_has_the_same_numbers(
    monkeypatch, tmp_path
):
    """Each question finds all of its rows, and the data has a row for each job of the command."""
    games = worth.measurements().games
    rows = [row for game in games for study in game.studies for row in study.rows]
    assert len(rows) == sum(job[0] == "row" for job in jobs())
    for game in games:
        labels = {study.key: [row.label for row in study.rows] for study in game.studies}
        assert [each for each in game.questions if not {*each.rows} <= {*labels[each.study]}] == []
        assert [plain for study in game.studies for plain in study.rows if plain.price == 0] == []
    committed = worth.measurements_of(SYSTEMS["mini-combat"]).matches[0]
    assert worth.Match(**work(("match", "mini-combat", 0, 0, 0))) == committed
    assert committed.win > 1 / 2
    monkeypatch.setattr(document, "DOCS", tmp_path)
    committed = {path.name: path.read_bytes() for path in (worth.path().parents[1] / "docs").glob("worth*")}
    document.write()
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == committed
