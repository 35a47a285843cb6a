"""Laws of play in all five games: any rosters have tracks, alerts, panels and a briefing that can be displayed."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rosters.core.amounts import format_amount
from rosters.core.appraisals import terms_of
from rosters.core.play import MAX_BOXES, Gauge, all_or_unknown, missing_points
from rosters.registry import SYSTEMS
from rosters.systems.msc.rules import SIDES
from rosters.systems.six_mm import tables as six_mm
from rosters.systems.urutsk.tables import FIRE
from rosters.systems.vsgmr.rules import KINDS
from tests.strategies import documents
from tests.support import read, roster_data, side, side_of


def without_points(force):
    """A side for somebody from whom its points are hidden."""
    units = tuple(unit._replace(points=None, elements=()) for unit in force.appraisal.formations)
    return force._replace(appraisal=force.appraisal._replace(points=None, exact=None, formations=units))


def is_table(panel):
    """Whether its cells are text and its rows as long as its heads."""
    rows = (panel.heads, *panel.rows) if panel.heads else panel.rows
    return bool(panel.title) and len({*map(len, rows)}) <= 1 and all(isinstance(c, str) for row in rows for c in row)


@pytest.mark.parametrize("slug", SYSTEMS)
@settings(max_examples=12)
@given(data=st.data())
def test_any_rosters_can_be_played(slug, data):
    play = SYSTEMS[slug].play
    sides = [side_of(data.draw(documents(slug))) for _ in range(2)]
    for document, _appraisal, _lines in sides:
        terms = terms_of(document)
        elements = document.elements
        for track in (track for element in elements for track in play.tracks(element, terms)):
            assert track.key in SYSTEMS[slug].rules.Mark.model_fields
            assert len(track.boxes) <= MAX_BOXES
        for line in (play.stat_line(element, terms) for element in elements):
            assert all(stat.head and stat.value and len(stat.by_scale) in (0, len(play.SCALES)) for stat in line.stats)
        places = {"", *(f"formations/{number}" for number in range(len(document.formations)))}
        assert {alert.where.split("/elements/")[0] for alert in play.alerts(document, terms)} <= places
        for gauge in play.gauges(document, terms):
            assert gauge.where in places
            assert 0 <= gauge.lost <= gauge.total
        assert all(map(is_table, play.panels(document, terms)))
    for forces in ([], sides[:1], sides, [*sides, without_points(sides[0])]):
        assert all(map(is_table, play.briefing(forces)))
        match = play.match(forces)
        assert all(isinstance(sentence, str) and sentence for sentence in (*match.sentences, *match.missing))


@pytest.mark.parametrize(("lost", "further"), [(0, {"a": 2, "b": 9}), (2, {"a": 1, "b": 7}), (3, {"b": 6}), (9, {})])
def test_losses_count_down_to_the_next_step_and_to_the_last(lost, further):
    gauge = Gauge("", "", lost, 15, "", ((2, ""), (3, ""), (9, "")), ("a", "b"))
    assert {label: number for number, label in gauge.to_go} == further


WORTH = {"mini-combat": {"power": 4321, "to_hit": 2, "morale": 6}, "msc": {"engine": 4321}}
WORTH["6mm"] = {"type": "MSK", "quantity": 720}


@pytest.mark.parametrize("slug", WORTH)
def test_hidden_points_are_not_in_a_briefing(slug):
    force = side(slug, [WORTH[slug]])
    shown, hidden = (
        {word for panel in SYSTEMS[slug].play.briefing([each, each]) for row in panel.rows for word in row}
        for each in (force, without_points(force))
    )
    assert format_amount(force.appraisal.points) in shown - hidden
    groups = [], [force], [force, without_points(force)]
    assert [SYSTEMS[slug].play.match(forces).matched for forces in groups] == [None] * 3


@pytest.mark.parametrize("slug", SYSTEMS)
def test_an_empty_roster_has_the_common_panels_and_glossary_and_help_explain_each_code_once(slug):
    play = SYSTEMS[slug].play
    none = {"type": "INF/A"} if slug == "6mm" else {"kind": "vehicle"} if slug in ("vsgmr", "mini-combat") else {}
    empty, absent = (read(data) for data in (roster_data(slug), roster_data(slug, [{**none, "quantity": 0}])))
    titles = [[panel.title for panel in play.panels(each, terms_of(each))] for each in (empty, absent)]
    assert titles[0] == titles[1]
    assert [[*play.alerts(each, terms_of(each))] for each in (empty, absent)] == [[], []]
    codes = [entry.code for entry in SYSTEMS[slug].rules.glossary()]
    assert len(codes) == len({*codes}) == {"mini-combat": 37, "6mm": 28, "msc": 0, "vsgmr": 32, "urutsk": 0}[slug]
    system = SYSTEMS[slug]
    codes = [term.code for term in system.help.terms()]
    own = {"6mm": {*six_mm.QUALITY, *six_mm.TRANSPORT}, "msc": {*SIDES}, "vsgmr": {*KINDS}, "urutsk": {*FIRE}}
    assert len(codes) == len({*codes})
    assert all(term.example for term in system.help.terms())
    assert ({*system.help.COMMON} <= {*codes}, len({*system.help.COMMON})) == (True, 10)
    assert {*codes} >= {entry.code for entry in system.rules.glossary()} | own.get(slug, {"Mo", "structure"})


def test_a_verdict_is_no_by_a_single_part_and_what_lacks_is_counted_from_the_highest():
    assert [all_or_unknown(parts) for parts in ([], [True], [True, None], [None, False])] == [True, True, None, False]
    (lacking,) = missing_points([("A", 10), ("B", 9), ("C", 8)], 1)
    assert (lacking.values["name"], str(lacking.values["gap"]), lacking.values["more"]) == ("C", "2 points", "1")
    assert [each.values["name"] for each in missing_points([("A", 1), ("B", 0)], 0)] == ["B"]
    assert [*missing_points([], 0)] == []
