"""Laws of play in all five games: any rosters have tracks, alerts, panels and a briefing that can be drawn."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rosters.core.appraisals import terms_of
from rosters.core.play import MAX_BOXES, Panel, Side
from rosters.registry import SYSTEMS
from tests.strategies import PATIENT, documents
from tests.support import appraise, read, roster


def side(data):
    return Side(read(data), appraise(data))


def hidden(force):
    """A side as somebody sees it from whom its points are hidden."""
    units = tuple(unit._replace(points=None, elements=()) for unit in force.appraisal.formations)
    return force._replace(appraisal=force.appraisal._replace(points=None, exact=None, formations=units))


def assert_drawable(panels):
    """Cells are text, and rows as wide as their heads or as their fellows."""
    for panel in panels:
        assert isinstance(panel, Panel)
        assert panel.title
        assert len({len(row) for row in panel.rows} | ({len(panel.heads)} if panel.heads else set())) <= 1
        assert all(isinstance(cell, str) for row in (panel.heads, *panel.rows) for cell in row)


@pytest.mark.parametrize("slug", SYSTEMS)
@settings(PATIENT, max_examples=20)
@given(data=st.data())
def test_any_rosters_can_be_played(slug, data):
    play = SYSTEMS[slug].play
    sides = [side(data.draw(documents(slug))) for _ in range(2)]
    for document, _ in sides:
        terms = terms_of(document)
        keys = set(SYSTEMS[slug].rules.Mark.model_fields)
        elements = [element for formation in document.formations for element in formation.elements]
        for track in (track for element in elements for track in play.tracks(element, terms)):
            assert track.key in keys
            assert len(track.boxes) <= MAX_BOXES
        places = {"", *(f"formations/{number}" for number in range(len(document.formations)))}
        for alert in play.alerts(document, terms):
            assert alert.where.split("/elements/")[0] in places
            assert alert.text.endswith(".")
        assert_drawable(play.panels(document, terms))
    for forces in ([], sides[:1], sides, [*sides, hidden(sides[0])]):
        assert_drawable(play.briefing(forces))


@pytest.mark.parametrize("slug", SYSTEMS)
def test_nothing_is_announced_and_only_the_common_panels_are_there_for_nobody(slug):
    play = SYSTEMS[slug].play
    nobody = {"type": "INF/A"} if slug == "6mm" else {"kind": "vehicle"} if slug in ("vsgmr", "mini-combat") else {}
    empty, absent = (read(data) for data in (roster(slug), roster(slug, [{**nobody, "quantity": 0}])))
    titles = [[panel.title for panel in play.panels(each, terms_of(each))] for each in (empty, absent)]
    assert titles[0] == titles[1]
    assert [[*play.alerts(each, terms_of(each))] for each in (empty, absent)] == [[], []]


@pytest.mark.parametrize("slug", ["mini-combat", "6mm", "msc"])
def test_hidden_points_are_not_told_in_a_briefing(slug):
    worth = {
        "mini-combat": {"power": 4321, "to_hit": 2, "morale": 6},
        "6mm": {"type": "MSK", "quantity": 720},
        "msc": {"engine": 4321},
    }
    force = side(roster(slug, [worth[slug]]))
    shown, secret = (
        {word for panel in SYSTEMS[slug].play.briefing([each, each]) for row in panel.rows for word in row}
        for each in (force, hidden(force))
    )
    assert str(force.appraisal.points) in shown - secret


@pytest.mark.parametrize("slug", SYSTEMS)
def test_the_glossary_explains_each_word_once_in_a_sentence(slug):
    entries = [*SYSTEMS[slug].rules.glossary()]
    assert len(entries) == len({entry.code for entry in entries})
    assert len(entries) == {"mini-combat": 37, "6mm": 28, "msc": 0, "vsgmr": 32, "urutsk": 0}[slug]
    assert all(entry.text.endswith(".") for entry in entries)
