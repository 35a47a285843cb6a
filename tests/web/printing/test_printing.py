"""Every sheet of every game on every paper; and printing as a visitor meets it: addresses, limits, settings, marks."""

import json
import re
from functools import cache
from itertools import pairwise

import pytest
from django.core.cache import cache as counters
from django.core.management import call_command
from django.test import Client
from django.urls import get_resolver
from hypothesis import given, settings

from rosters.core.amounts import format_amount
from rosters.models import Roster
from rosters.pdf.job import Settings
from rosters.pdf.layout import PAPERS, TooManyPages
from rosters.registry import SYSTEMS
from rosters.store import state as states
from rosters.web.printing import service as printing
from tests.paper import blank, clear_margins, darkness, fields, printed, reader, texts, told
from tests.strategies import PATIENT, any_documents
from tests.support import FIXTURES, read, roster
from tools.fuzz import sheets as fuzz

SAMPLES = {
    "mini-combat": "second-world-war",
    "6mm": "rommel",
    "msc": "book-squadron",
    "vsgmr": "justice-team",
    "urutsk": "ferry-crossing-garrison",
}
EVERY = {slug: tuple(printing.sheets_of(system)) for slug, system in SYSTEMS.items()}
"""The codes of every sheet of each game."""


def army(slug):
    return json.loads((FIXTURES / "armies" / slug / f"{SAMPLES[slug]}.json").read_text())


def names(data):
    return [element["name"] for formation in data["formations"] for element in formation["elements"]]


@cache
def drawn(slug, **settings):
    """The pages of a sample army and their PDF, drawn once for all tests."""
    made = printed({**army(slug), "changed": "2026-11-21T10:00:00Z"}, address="http://localhost/s/abc", **settings)
    return made, made.pdf()


def spoiled(made, pdf):
    """The titles of sheets whose first page does not keep its margins or is too dark."""
    titles = [page.title for page in made.pages]
    firsts = {title: titles.index(title) for title in titles}
    return [title for title, at in firsts.items() if not clear_margins(pdf, at) or darkness(pdf, at) >= 0.12]


# ---------------------------------------------------------------- every sheet


@pytest.mark.parametrize("slug", SYSTEMS)
def test_every_sheet_keeps_its_margins_and_spares_the_ink(slug):
    """On every paper; in large print and colour as a form; and blank."""
    for paper in PAPERS:
        made, pdf = drawn(slug, sheets=EVERY[slug], paper=paper)
        assert len({page.title for page in made.pages}) == len(EVERY[slug])
        assert spoiled(made, pdf) == []
    form = {"large": True, "colour": True, "fillable": True, "marks": True, "merge": False}
    made, pdf = drawn(slug, sheets=EVERY[slug], **form)
    assert [page for page in range(len(made.pages)) if not clear_margins(pdf, page)] == []
    made = blank(slug, sheets=EVERY[slug])
    assert spoiled(made, made.pdf()) == []


@pytest.mark.parametrize("slug", SYSTEMS)
def test_the_pack_names_every_element_and_every_page_says_whose_it_is(slug):
    """The roster stands first, the reference last; the same input gives the same bytes."""
    data, (made, pdf) = army(slug), drawn(slug)
    pages = [" ".join(page.split()) for page in texts(pdf)]
    assert [name for name in names(data) if name.split()[0] not in " ".join(pages)] == []
    for number, page in enumerate(pages, start=1):
        head = (
            f"Page {number} of {len(pages)}",
            data["name"],
            SYSTEMS[data["system"]].rules.EDITION,
            "2026-11-21",
            "http://localhost/s/abc",
        )
        assert [words for words in head if words not in page] == []
    titles = list(dict.fromkeys(page.title for page in made.pages))
    assert (titles[0], titles[-1] in ("Reference", "Tables"), len(titles) >= 3) == ("Roster", True, True)
    assert drawn.__wrapped__(slug)[1] == pdf


@pytest.mark.parametrize("slug", [slug for slug in SYSTEMS if slug != "urutsk"])
def test_without_points_no_total_is_printed_anywhere(slug):
    data = {**army(slug), "notes": ""}
    data["formations"] = [{**formation, "notes": ""} for formation in data["formations"]]
    word, total = (
        SYSTEMS[slug].rules.WORDS.points,
        format_amount(printing.copy_of(read(data)).appraisal.points),
    )
    hidden = told(printed(data, sheets=EVERY[slug], points=False, receipts=False).pdf())
    assert re.search(rf"\d {word}\b", told(printed(data, sheets=("roster",), receipts=True).pdf()))
    assert f"{total} {word}" not in hidden
    assert f"{total} of " not in hidden
    assert not re.search(rf"\d {word}\b", told(printed(data, sheets=("roster",), points=False).pdf()))


def test_an_illegal_roster_says_so_with_the_reasons_on_every_page():
    data = {**army("vsgmr"), "budget": 3}
    assert all("Not legal:" in page and "limit of 3" in " ".join(page.split()) for page in texts(printed(data).pdf()))


@pytest.mark.parametrize("slug", SYSTEMS)
def test_names_are_printed_as_they_are_written_and_many_elements_continue_over_pages(slug):
    data = army(slug)
    wild = ["Łódź", "Übermacht", "<b>bold</b> & <para>", "{{ x }} {% y %}", "Ωμέγα Живот"]
    first = data["formations"][0]["elements"][0]
    lines = [{**first, "name": name} for name in [*wild, *(f"Line {number}" for number in range(200))]]
    data["formations"][0]["elements"] = lines
    pages = texts(printed(data, sheets=("roster",), merge=False).pdf())
    assert len(pages) > 3
    said = " ".join(" ".join(pages).split())
    assert [name for name in (*wild, "Line 0", "Line 100", "Line 199") if name not in said] == []


def test_what_would_be_endless_is_refused_with_a_sentence():
    for slug, system in SYSTEMS.items():
        data = army(slug)
        line = {**data["formations"][0]["elements"][0], "quantity": 10_000}
        data["formations"][0]["elements"] = [{**line, "name": f"{number}"} for number in range(200)]
        codes = tuple(code for code, sheet in printing.sheets_of(system).items() if not sheet.shared)
        with pytest.raises(TooManyPages, match="more than 20 pages"):
            printed(data, sheets=codes, merge=False, most=20)


def test_purchases_without_a_stand_and_the_set_up_of_a_scenario_are_drawn():
    army_of_6mm = roster("6mm", [{"type": "TNK"}, {"type": "WORKS", "quantity": 30}, {"type": "TRANSPORT"}])
    ambush = roster("vsgmr", [{"kind": "hero", "name": "龍 Łódź"}], scenario="ambush", side="target")
    for data in (army_of_6mm, ambush):
        made = printed(data, sheets=EVERY[data["system"]])
        assert spoiled(made, made.pdf()) == []


def test_chosen_formations_alone_are_printed():
    data = roster("msc", [{"name": "Alpha", "shield": 1}], [{"name": "Beta", "shield": 1}])
    said = told(printed(data, formations=(1,)).pdf())
    assert "Beta" in said
    assert "Alpha" not in said.replace("Alphabet", "")


def test_identical_elements_are_merged_or_printed_one_by_one():
    line = {"name": "Guard", "kind": "troop", "quantity": 2}
    data = roster("vsgmr", [line, line])
    merged, single = (printed(data, sheets=("cards",), merge=merge).pages for merge in (True, False))
    assert sum(len(page.puts) for page in merged) < sum(len(page.puts) for page in single) == 4


@pytest.mark.parametrize("slug", SYSTEMS)
def test_a_battle_pack_begins_with_the_battle_and_has_one_reference_panel(slug):
    data = army(slug)
    made = printed(data, {**data, "name": "The other side"}, draw=printing.battle_print)
    titles = [page.title for page in made.pages]
    assert titles[0] == "Battle"
    assert {*titles[-2:]} & {"Reference", "Tables"}
    assert sum(before != after == titles[-1] for before, after in pairwise(titles)) == 1
    said = told(made.pdf())
    assert "The other side" in said


def test_a_battle_is_between_rosters_of_one_game_and_a_sheet_is_one_of_its_game():
    with pytest.raises(printing.NotOneGame):
        printed(army("msc"), army("6mm"), draw=printing.battle_print)
    with pytest.raises(printing.UnknownSheet, match=r"nope.*roster"):
        printed(army("msc"), sheets=("nope",))


@settings(PATIENT, max_examples=20)
@given(any_documents())
def test_no_document_however_odd_fails_on_paper(data):
    fuzz.through_every_sheet(data, fuzz.some_settings(json.dumps(data, sort_keys=True)))


# ---------------------------------------------------------------- addresses


@pytest.fixture
def visitor(db):
    counters.clear()
    return Client()


@pytest.fixture
def mine(visitor):
    """A roster that the visitor may edit."""
    source = Roster.objects.get(sample="msc/book-squadron")
    response = visitor.post(f"/s/{source.token}/copy")
    return Roster.objects.get(token=response.url.split("/")[2])


def test_the_pdf_of_a_roster_is_there_for_anyone_with_the_link(mine, db):
    response = Client().get(f"/s/{mine.token}.pdf")
    assert response["Content-Type"] == "application/pdf"
    assert "noindex" in response["X-Robots-Tag"]
    assert f"http://testserver/s/{mine.token}" in told(response.content)


def test_an_unchanged_pdf_is_answered_with_304_and_a_changed_one_is_not(visitor, mine):
    first = visitor.get(f"/s/{mine.token}.pdf")
    again = visitor.get(f"/s/{mine.token}.pdf", headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    visitor.post(f"/r/{mine.token}/formation/add")
    later = visitor.get(f"/s/{mine.token}.pdf", headers={"If-None-Match": first["ETag"]})
    assert later.status_code == 200


def test_an_address_may_ask_for_settings_and_hears_what_is_wrong(visitor, mine):
    asked = {
        "paper=letter&large=1": 200,
        "points=0": 200,
        "sheet=records&sheet=roster": 200,
        "formation=0": 200,
        "formation=99": 200,
        "counters=30": 200,
        "sheet=nope": 404,
        "paper=a3": 400,
        "formation=x": 400,
        "counters=31": 400,
        "against=nothing": 404,
    }
    for name in (f"/s/{mine.token}.pdf", f"/s/{mine.token}/page-one.png"):
        assert {query: visitor.get(f"{name}?{query}").status_code for query in asked} == asked


def test_pages_beyond_the_limit_are_refused_with_a_sentence(visitor, mine, settings):
    settings.MOST_PAGES = 2
    assert visitor.get(f"/s/{mine.token}.pdf").status_code == 400


def disallowed(rules, path):
    """Whether robots.txt forbids a path: as RFC 9309 reads * and $."""
    patterns = [line.split(":", 1)[1].strip() for line in rules.splitlines() if line.startswith("Disallow:")]
    found = (re.escape(pattern).replace(r"\*", ".*").replace(r"\$", "$") for pattern in patterns)
    return any(re.match(pattern, path) for pattern in found)


def test_crawlers_are_told_to_leave_everything_that_is_drawn_alone(visitor, mine):
    rules = visitor.get("/robots.txt").content.decode()
    drawn = [route for route in routes() if re.search(r"\.pdf|page-one|print|^r/|^e/", route)]
    assert len(drawn) >= 6
    for route in drawn:
        path = "/" + re.sub(r"<\w+:\w+>", mine.token, route)
        assert disallowed(rules, path), path
    assert not disallowed(rules, "/")
    assert not disallowed(rules, "/books/")
    assert not disallowed(rules, f"/s/{mine.token}")


def routes():
    def walk(patterns, before=""):
        for pattern in patterns:
            here = before + str(pattern.pattern)
            if hasattr(pattern, "url_patterns"):
                yield from walk(pattern.url_patterns, here)
            else:
                yield here

    return [route for route in walk(get_resolver().url_patterns) if not route.startswith("admin")]


def test_the_print_page_shows_page_one_and_the_number_of_pages(visitor, mine):
    page = visitor.get(f"/s/{mine.token}/print").content.decode()
    assert 'data-pages="6"' in page
    image = re.search(r'<img src="([^"]+page-one[^"]+)"', page)[1].replace("&amp;", "&")
    picture = visitor.get(image)
    assert picture["Content-Type"] == "image/png"
    assert picture.content[:8] == b"\x89PNG\r\n\x1a\n"


def test_print_settings_are_kept_with_the_roster_by_those_who_may_edit(visitor, mine):
    kept = {"query": "asked=1&paper=letter&points=1&large=1&counters=30"}
    assert Client().post(f"/s/{mine.token}/print/default", kept).status_code == 404
    assert visitor.post(f"/s/{mine.token}/print", kept).status_code == 303, "a page of before"
    assert visitor.post(f"/s/{mine.token}/print/default", kept).status_code == 302
    page = visitor.get(f"/s/{mine.token}/print").content.decode()
    assert "paper=letter" in page
    assert "large=1" in page
    other = Client().get(f"/s/{mine.token}/print").content.decode()
    assert "large=1" not in other


def test_the_print_page_shows_an_error_at_its_field_and_keeps_the_rest(visitor, mine):
    answer = visitor.get(f"/s/{mine.token}/print?asked=1&paper=a3&large=1&sheet=records")
    assert (answer.status_code, [*answer.context["form"].errors]) == (422, ["paper"])
    assert answer.context["form"]["large"].value()
    assert answer.context["form"]["sheet"].value() == ["records"]


def test_settings_that_the_sheets_no_longer_know_are_let_go(visitor, mine):
    Roster.objects.filter(pk=mine.pk).update(print_settings={"paper": "papyrus"})
    assert visitor.get(f"/s/{mine.token}/print").status_code == 200


def test_blank_sheets_of_every_game_have_an_address(visitor):
    for slug in SYSTEMS:
        assert visitor.get(f"/blank/{slug}.pdf")["Content-Type"] == "application/pdf"
        assert visitor.get(f"/blank/{slug}.pdf?sheet=nope").status_code == 404
    assert visitor.get("/blank/chess.pdf").status_code == 404


def test_two_rosters_of_one_game_make_a_battle_pack(visitor, mine):
    other = Roster.objects.get(sample="msc/hearthward-navy")
    response = visitor.get(f"/s/{mine.token}.pdf?against=http://testserver/s/{other.token}&sheet=roster")
    assert "against" in told(response.content)
    stranger = Roster.objects.get(sample="6mm/rommel")
    assert visitor.get(f"/s/{mine.token}.pdf?against={stranger.token}").status_code == 400


# ---------------------------------------------------------------- damage


def test_damage_is_printed_when_it_is_asked_for_and_changes_no_points(visitor, mine):
    before = Roster.objects.get(pk=mine.pk).points
    uid = states.read_document(mine).formations[0].elements[0].id
    visitor.post(f"/r/{mine.token}/marks/box", {"box": f"{uid} 0 shield 2"})
    assert Roster.objects.get(pk=mine.pk).points == before
    without, with_damage = (visitor.get(f"/s/{mine.token}.pdf?sheet=records&marks={on}").content for on in (0, 1))
    assert without != with_damage


# ---------------------------------------------------------------- the command


def sheets(*arguments, **options):
    call_command("sheets", *arguments, **options)


@pytest.mark.django_db
def test_the_command_prints_files(tmp_path, capsys):
    out = tmp_path / "out.pdf"
    sheets(str(FIXTURES / "armies/msc/book-squadron.json"), "-o", str(out), "--paper", "letter", "--fillable")
    assert "6 pages" in capsys.readouterr().out
    assert "f0.e0.m0.engine.0" in fields(out.read_bytes())
    assert reader(out.read_bytes()).pages[0].mediabox.width == pytest.approx(612)


@pytest.mark.django_db
def test_the_command_refuses_unknown_sheets_two_games_and_faulty_files(tmp_path, capsys):
    msc, six = (str(FIXTURES / f"armies/{slug}.json") for slug in ("msc/book-squadron", "6mm/rommel"))
    bad, out = tmp_path / "bad.json", tmp_path / "x.pdf"
    bad.write_text('{"format": "armybuilder-roster", "version": 1, "system": "msc", "name": 3}')
    for arguments, said in (
        ([msc, "--sheet", "nope"], ["nope"]),
        ([msc, six, "--battle"], ["one game"]),
        ([str(bad)], ["name", "formations"]),
    ):
        with pytest.raises(SystemExit) as left:
            sheets(*arguments, "-o", str(out))
        assert left.value.code == 2
        error = capsys.readouterr().err
        assert [words for words in said if words not in error] == []
    assert not out.exists()


@pytest.mark.django_db
def test_the_command_lists_sheets_and_settings(capsys):
    sheets("--list", "--json")
    found = json.loads(capsys.readouterr().out)
    assert set(found) == set(SYSTEMS)
    assert "records" in [sheet["code"] for sheet in found["msc"]["sheets"]]
    assert found["msc"]["settings"]["counters"]["answers"]["20"] == "20 mm"
    assert set(Settings.model_fields) - {"sheets", "formations", "choices"} <= set(found["vsgmr"]["settings"])
