"""Every sheet of every game on every paper; and printing as a visitor meets it: addresses, limits, settings, marks."""

import json
import re

import pytest
from django.core.management import call_command
from django.http import QueryDict

from rosters.models import Roster
from rosters.pdf import fonts
from rosters.pdf.job import PrintOptions
from rosters.registry import SYSTEMS
from rosters.web.http.checks import routes
from rosters.web.printing import requests
from rosters.web.printing import service as printing
from tests import people, support
from tests.paper import blank, clear_margins, darkness, fields, pages_of, pdf_text, printed, reader, texts
from tests.support import FIXTURES

SAMPLES = {"mini-combat": "second-world-war", "6mm": "rommel", "msc": "book-squadron"}
SAMPLES |= {"vsgmr": "justice-team", "urutsk": "ferry-crossing-garrison"}
SAMPLES = {slug: support.sample_data(slug, sample) for slug, sample in SAMPLES.items()}
EVERY = {slug: tuple(printing.sheets_of(system)) for slug, system in SYSTEMS.items()}
"""The codes of every sheet of each game."""


# what is true of a game's own sheets is tested in tests/systems


def sheets_on(page):
    """The sheets that begin on a page."""
    return [title for title, level in page.bookmarks if level == 0]


@pytest.mark.parametrize("slug", SYSTEMS)
def test_every_sheet_of_a_sample_army_keeps_its_margins_and_spares_the_ink(slug):
    """Each sheet's first page, on other papers than A4, and blank; all pages in large print and colour as a form."""
    army, every = SAMPLES[slug], EVERY[slug]
    papers = [pages_of(army, sheets=every, paper=paper) for paper in ("letter", "a5")]
    for made in (*papers, blank(slug, sheets=every)):
        pdf, firsts = made.pdf(), {sheets_on(page)[0]: at for at, page in enumerate(made.pages) if sheets_on(page)}
        assert [sheet for sheet, at in firsts.items() if not clear_margins(pdf, at) or darkness(pdf, at) >= 0.12] == []
    names = {sheet.name for sheet in SYSTEMS[slug].sheets.SHEETS if sheet.code in every}
    assert {sheet for page in papers[0].pages for sheet in sheets_on(page)} == names
    made = pages_of(army, sheets=every, large=True, colour=True, fillable=True, marks=True, merge=False)
    pdf = made.pdf()
    assert [page for page in range(len(made.pages)) if not clear_margins(pdf, page)] == []


@pytest.mark.parametrize("slug", SYSTEMS)
def test_the_pack_names_every_element_and_every_page_says_whose_it_is(slug):
    """The roster stands first, the reference once; the same input gives the same bytes."""
    data = {**SAMPLES[slug], "changed": "2026-11-21T10:00:00Z", "budget": 3 if slug == "vsgmr" else None}
    names = [element["name"] for formation in data["formations"] for element in formation["elements"]]
    made = printed(data, address="http://localhost/s/abc")
    pdf = made.pdf()
    pages = [" ".join(page.split()) for page in texts(pdf)]
    assert [name for name in names if name.split()[0] not in " ".join(pages)] == []
    head = [data["name"], SYSTEMS[slug].name, "2026-11-21", "http://localhost/s/abc"]
    head += ["Not legal"] if slug == "vsgmr" else []
    for number, page in enumerate(pages, start=1):
        reason = ["limit of 3"] if slug == "vsgmr" and not made.pages[number - 1].cut else []
        assert support.missing([*head, *reason, f"Page {number} of {len(pages)}"], page) == []
    begun = [sheet for page in made.pages for sheet in sheets_on(page)]
    assert (begun[0], len({"Reference", "Tables"} & {*begun}), len(begun) >= 3) == ("Roster", 1, True)
    assert printed(data, address="http://localhost/s/abc").pdf() == pdf


@pytest.mark.parametrize("slug", ["6mm", "vsgmr"])
def test_names_are_printed_as_they_are_written_and_many_elements_continue_over_pages(slug):
    wild = ["Łódź", "Übermacht", "<b>bold</b> & <para>", "{{ x }} {% y %}", "Ωμέγα Живот"]
    first = SAMPLES[slug]["formations"][0]["elements"][0]
    lines = [{**first, "name": name} for name in [*wild, *(f"Line {number}" for number in range(200))]]
    pages = texts(printed(support.roster_data(slug, lines), sheets=("roster",), merge=False).pdf())
    assert len(pages) > 3
    said = " ".join(" ".join(pages).split())
    assert support.missing([*wild, "Line 0", "Line 100", "Line 199"], said) == []


@pytest.fixture
def mine(owner, without_limits):
    """A roster that the owner may edit."""
    return owner.copy_sample("msc/book-squadron")


ASKED = {
    200: ["paper=letter&large=1", "points=0", "sheet=records&sheet=roster", "formation=0", "formation=99"],
    400: ["paper=a3", "formation=x", "counters=31"],
    404: ["sheet=nope", "against=nothing"],
}


@pytest.mark.parametrize("name", [".pdf", "/page.png"])
def test_an_address_may_ask_for_settings_and_hears_what_is_wrong(stranger, mine, name, settings):
    for status, queries in ASKED.items():
        answers = {query: stranger.get(f"/s/{mine.token}{name}?{query}").status_code for query in queries}
        assert answers == dict.fromkeys(queries, status)
    settings.MOST_PAGES = 2
    assert stranger.get(f"/s/{mine.token}{name}").status_code == 400


def test_robots_txt_excludes_what_is_rendered_edited_or_past(stranger, mine):
    lines = (re.escape(line) for line in stranger.text("/robots.txt").splitlines() if line.startswith("Disallow:"))
    rules = "|".join(line.split(" ", 1)[1].replace(r"\*", ".*").replace(r"\$", "$") for line in lines)
    private = r"\.pdf|page\.png|print|^/r/|^/e/|/history$|/compare$|/r<"
    alone = [each["route"] for each in routes() if re.search(private, each["route"]) and "/api/" not in each["route"]]
    assert len(alone) >= 9
    assert [path for path in alone if not re.match(rules, re.sub(r"<\w+:\w+>", mine.token, path))] == []
    assert [path for path in ("/", "/books/", f"/s/{mine.token}") if re.match(rules, path)] == []


def test_print_settings_are_saved_with_the_roster_by_those_who_may_edit(owner, stranger, mine):
    place, kept = f"/s/{mine.token}/print", {"query": "asked=1&paper=letter&points=1&large=1&counters=30"}
    assert stranger.submit(f"{place}/default", **kept).status_code == 404
    assert owner.submit(f"{place}/default", **kept).status_code == 302
    form = owner.context(place)["form"]
    assert (form["paper"].value(), bool(form["large"].value())) == ("letter", True)
    assert not stranger.context(place)["form"]["large"].value()
    kept["query"] += "&sheet=reference&sheet=records&formation=1&fit=9&weapons=row"
    assert stranger.submit(f"{place}/default", **kept, **{"for": "mine"}).status_code == 404
    assert owner.submit(f"{place}/default", **kept, **{"for": "mine"}).status_code == 302
    assert owner.context(place)["form"].data.get("weapons") is None, "the roster's own settings win"
    same, other = ("msc/hearthward-navy", ["reference", "records"], "row"), ("6mm/rommel", None, None)
    for sample, sheets, weapons in (same, other):
        form = owner.context(f"/s/{owner.copy_sample(sample).token}/print")["form"]
        assert (form["paper"].value(), form.data.get("fit"), form.data.get("weapons")) == ("letter", None, weapons)
        assert sheets in (None, form["sheet"].value())
    theirs = stranger.context(f"/s/{people.sample_roster('msc/hearthward-navy').token}/print")["form"]
    assert theirs["paper"].value() == "a4"
    Roster.objects.filter(pk=mine.pk).update(print_settings={"paper": "papyrus"})
    assert owner.context(place)["form"]["paper"].value() == "a4", "what the sheets no longer know is let go"


def test_the_print_page_shows_every_page_and_an_error_at_its_field(stranger, mine, monkeypatch):
    """One page large, all small; each picture is drawn when it is asked for, and there are none beyond the last."""
    monkeypatch.setattr(fonts, "missing", lambda text: "\u9f8d" if mine.name in text else "")
    page = stranger.text(f"/s/{mine.token}/print?page=2").replace("&amp;", "&")
    assert "\u9f8d" in page
    images = re.findall(r'<img\s+src="([^"]+/page\.png[^"]+)"', page)
    last = stranger.context(f"/s/{mine.token}/print")["pages"]
    of_sheets, of_pages = images[: len(EVERY["msc"])], images[len(EVERY["msc"]) :]
    assert [re.search(r"sheet=(\w+)", image)[1] for image in of_sheets] == [*EVERY["msc"]]
    small = [(str(number), True) for number in range(1, len(last) + 1)]
    assert [(re.search(r"page=(\d+)", image)[1], "small=1" in image) for image in of_pages] == [*small, ("2", False)]
    pictures = [stranger.get(image) for image in images]
    assert {picture["Content-Type"] for picture in pictures} == {"image/png"}
    assert len({picture.content for picture in pictures[len(of_sheets) :]}) == len(of_pages)
    for number, status in ((len(last), 200), (len(last) + 1, 404), ("0", 404), ("x", 404)):
        assert stranger.get(f"/s/{mine.token}/page.png?page={number}").status_code == status
    links = re.findall(r'href="(/s/[^"]+/print\?sheet=(\w+))"', stranger.text(f"/s/{mine.token}"))
    assert [code for _link, code in links] == [*EVERY["msc"]]
    form = stranger.context(links[1][0])["form"]
    assert (form["sheet"].value(), form["points"].value()) == ([links[1][1]], True)
    form = stranger.context(f"/s/{mine.token}/print?asked=1&paper=a3&large=1&sheet=records", 422)["form"]
    assert ([*form.errors], bool(form["large"].value()), form["sheet"].value()) == (["paper"], True, ["records"])


def test_sheets_are_printed_in_the_order_that_is_chosen_and_only_on_the_pages_that_hold_them(stranger, mine):
    """The buttons that move a sheet work without a script."""
    place = f"/s/{mine.token}/print?asked=1&merge=1&points=1&sheet=reference&sheet=solo&sheet=roster"
    for moves, order in (
        ("", ["reference", "solo", "roster"]),
        ("&up=solo", ["solo", "reference", "roster"]),
        ("&up=reference&down=nope", ["reference", "solo", "roster"]),
        ("&down=reference", ["solo", "reference", "roster"]),
        ("&down=roster", ["reference", "solo", "roster"]),
    ):
        shown = stranger.context(place + moves)
        rows = [row.sheet.code for row in shown["form"].sheets()]
        assert ([code for code in rows if code in order], {*rows}) == (order, {*EVERY["msc"]})
        titles = list(dict.fromkeys(page.title for page in shown["pages"]))
        assert QueryDict(shown["query"]).getlist("sheet") == order
        assert titles[0] == printing.sheets_of(SYSTEMS["msc"])[order[0]].name.removesuffix(" panel")
    whole = stranger.context(f"{place}&sheet=records&sheet=map")
    tight = stranger.context(f"{place}&sheet=records&sheet=map&fit=1", 422)
    assert ([*tight["form"].errors], 1 < tight["min_pages"] <= len(whole["pages"])) == (["fit"], True)
    assert whole["fewer"] == (tight["min_pages"] if tight["min_pages"] < len(whole["pages"]) else 0)
    least = stranger.context(f"{place}&sheet=records&sheet=map&fit={tight['min_pages']}")
    assert len(least["pages"]) == tight["min_pages"]
    shown = {field.name: shown for field, _sheets, shown in whole["form"].choices()}
    assert (shown["weapons"], shown["spread"], shown["counters"]) == (True, True, False)


def test_the_pdf_of_a_link_of_a_battle_and_of_blank_sheets_is_there_for_anyone_and_304_until_it_changes(
    owner, stranger, mine, monkeypatch
):
    first = stranger.get(f"/s/{mine.token}.pdf")
    assert (first["Content-Type"], "noindex" in first["X-Robots-Tag"]) == ("application/pdf", True)
    assert f"http://testserver/s/{mine.token.rstrip('-')}" in pdf_text(first.content), "a hyphen may end its line"
    for changed, status in ((False, 304), (True, 200)):
        if changed:
            owner.post_to(mine, "formation/add")
        answer = stranger.get(f"/s/{mine.token}.pdf", headers={"If-None-Match": first["ETag"]})
        assert (answer.status_code, bool(answer.content)) == (status, changed)
    same, another = (people.sample_roster(sample).token for sample in ("msc/hearthward-navy", "6mm/rommel"))
    response = stranger.get(f"/s/{mine.token}.pdf?against=http://testserver/s/{same}&sheet=roster")
    assert "against" in pdf_text(response.content)
    assert stranger.get(f"/s/{mine.token}.pdf?against={another}").status_code == 400
    for slug in SYSTEMS:
        assert stranger.get(f"/blank/{slug}.pdf")["Content-Type"] == "application/pdf"
        assert stranger.get(f"/blank/{slug}.pdf?sheet=nope").status_code == 404
    assert stranger.get("/blank/chess.pdf").status_code == 404
    known = {"If-None-Match": stranger.get("/blank/msc.pdf")["ETag"]}
    assert stranger.get("/blank/msc.pdf", headers=known).status_code == 304
    monkeypatch.setattr(requests, "release", lambda: "the next one")
    assert stranger.get("/blank/msc.pdf", headers=known).status_code == 200


def test_the_command_prints_files_lists_sheets_and_settings_and_refuses_faulty_files(tmp_path, capsys):
    out = tmp_path / "out.pdf"
    sample = str(FIXTURES / "armies/msc/book-squadron.json")
    call_command("sheets", sample, "-o", str(out), "--paper", "letter", "--fillable")
    assert f"{len(reader(out.read_bytes()).pages)} pages" in capsys.readouterr().out
    assert "f0.e0.m0.engine.0" in fields(out.read_bytes())
    assert reader(out.read_bytes()).pages[0].mediabox.width == pytest.approx(612)
    call_command("sheets", "--list", "--json")
    listed = json.loads(capsys.readouterr().out)
    codes = {slug: tuple(sheet["code"] for sheet in each["sheets"]) for slug, each in listed.items()}
    assert codes == EVERY
    assert "20" in listed["msc"]["settings"]["counters"]["answers"]
    assert set(PrintOptions.model_fields) - {"sheets", "formations", "choices"} <= set(listed["vsgmr"]["settings"])
    msc, six = (FIXTURES / f"armies/{slug}.json" for slug in ("msc/book-squadron", "6mm/rommel"))
    bad, out = tmp_path / "bad.json", tmp_path / "x.pdf"
    bad.write_text('{"format": "armybuilder-roster", "version": 1, "system": "msc", "name": 3}')
    refused = (([msc, "--sheet", "nope"], ["nope"]), ([msc, six, "--battle"], ["one game"]))
    for arguments, said in (*refused, ([bad], ["name", "formations"])):
        with pytest.raises(SystemExit) as left:
            call_command("sheets", *map(str, arguments), "-o", str(out))
        assert (left.value.code, support.missing(said, capsys.readouterr().err)) == (2, [])
    assert not out.exists()
