"""Exports at their addresses, the card and the QR code of a link, and imports: read back, refused, and kept."""

import json
import re
import struct
from html import unescape

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from hypothesis import given

from rosters import registry
from rosters.core import documents, edits, redaction
from rosters.core.appraisals import RosterState
from rosters.exports import battlescribe
from rosters.models import Browser, Roster, Visibility
from rosters.store import importing, writer
from rosters.store.importing import Source
from rosters.store.snapshots import state_in_play
from rosters.web.sharing import downloads, link_preview
from tests.people import document_of, element_ids, sample_roster, url_of
from tests.strategies import any_documents
from tests.support import appraise, read, roster_data, without_ids

pytestmark = pytest.mark.usefixtures("db", "without_limits")

ENDINGS = {"json": "application/json", "ros": "application/xml", "rosz": "application/zip", "png": "image/png"}
ENDINGS |= {"pdf": "application/pdf"}
ENDINGS |= {end: f"text/{kind}; charset=utf-8" for end, kind in (("txt", "plain"), ("md", "markdown"), ("csv", "csv"))}


def test_every_export_has_its_address_its_kind_and_its_file_name(stranger):
    book = f"/s/{sample_roster('vsgmr/dwarves').token}"
    for ending, kind in ENDINGS.items():
        response = stranger.get(f"{book}.{ending}")
        assert (response.status_code, response["Content-Type"]) == (200, kind)
        if ending != "json":
            assert f'filename="dwarves.{ending}"' in response["Content-Disposition"]
            assert response["X-Robots-Tag"] == "noindex, nofollow"
    unknown = [".exe", ".xml", ".TXT", "/r999/qr.svg", *(f"/r999.{ending}" for ending in downloads.EXPORTS)]
    assert [place for place in unknown if stranger.get(book + place).status_code != 404] == []
    assert re.fullmatch(r"Dwarves · VSGMR · 28[^\n]*\n", stranger.text(f"{book}/line.txt"))
    for name in ('a "b" / c\r\nSet-Cookie: x', "Łódź", "...", "\x01", "龍" * 120, "CON"):
        head = stranger.get(f"/s/{stranger.create(roster_data('msc', name=name)).token}.csv")["Content-Disposition"]
        assert re.fullmatch(r"attachment; filename[^\r\n/]{,700}", head)


@pytest.mark.parametrize("ending", ["ros", "rosz", "txt", "md"])
def test_a_sample_army_goes_out_as_a_file_and_comes_back_whole(owner, ending):
    """But for notes, which are not in the list of a text."""
    roster = sample_roster("vsgmr/dwarves")
    send(owner, files=[(f"army.{ending}", owner.get(f"/s/{roster.token}.{ending}").content)])
    back = imported().get()
    before = redaction.redact(document_of(roster), redaction.Hidden(notes=ending in ("txt", "md")))
    assert without_ids(document_of(back)) == without_ids(before)
    assert (back.points, back.legal) == (roster.points, roster.legal)


def test_a_zip_of_a_player_is_previewed_with_names_and_points(owner):
    roster = owner.copy_sample("msc/book-squadron")
    archive = SimpleUploadedFile("backup.zip", b"".join(owner.get("/mine/backup")))
    ((shown, *_rest),) = owner.post("/import/preview", {"files": [archive]}).context["previewed"]
    assert (shown.name, shown.quantity, shown.points) == (roster.name, roster.quantity, roster.points)


@pytest.mark.parametrize("separator", [b",", b";"])
def test_elements_come_back_from_a_csv_or_are_refused(owner, separator):
    roster = sample_roster("msc/book-squadron")
    rows = owner.get(f"/s/{roster.token}.csv").content.replace(b",", separator)
    preview = owner.post("/import/preview", {"files": [SimpleUploadedFile("Squadron.csv", rows)]})
    ((shown, system, _crest, limit, strip),) = preview.context["previewed"]
    assert (shown.name, system.slug, shown.points, limit) == ("Squadron", "msc", roster.points, None)
    assert strip.names == ((1, "Ship 1"), (1, "Ship 2"), (1, "Ship 3"))
    assert not imported().exists()
    send(owner, files=[("Squadron.csv", rows)])
    expected = redaction.redact(document_of(roster), redaction.Hidden(notes=True))
    assert _formations(document_of(imported().get())) == _formations(expected)
    for text in ("formation,element,entry\nArmy,Odd one,\n", "[msc] Test\n// Odd one\n3/3/3 F"):
        assert [len(each["faults"]) for each in send(owner, text).context["unreadable"]] == [1]
    assert send(owner, "formation,entry,formation\nArmy,,Army\nShort\n").redirect_chain


def _formations(document):
    return without_ids(document)["formations"]


def test_a_share_link_is_imported_as_the_visitor_sees_it(owner, stranger):
    roster = owner.create(FLEET)
    link = f"http://testserver/s/{roster.token}"
    for client, visible in ((owner, 1), (stranger, 0)):
        send(client, f"{link}\n{link}/r1\n")
        pair = imported().exclude(pk=roster.pk).order_by("-pk")[:2]
        assert [len(document_of(each).formations[0].elements) for each in pair] == [visible] * 2
    writer.update_roster(roster, visibility=Visibility.CLOSED)
    assert send(stranger, link).context["form"].has_error("text", "unknown")


def state_of(data):
    document = read(data)
    return RosterState(document, appraise(data), registry.appraise_elements(document))


@given(any_documents())
def test_any_roster_has_a_card_and_a_summary_and_is_imported_as_it_is(data):
    state = state_of(data)
    assert len(link_preview.summary(state)) <= 200
    assert link_preview.preview_content(*state, registry.SYSTEMS[data["system"]])
    source = Source("x", documents.dumps(documents.write(state.document)).encode())
    assert importing.read([source]) == ((state.document,), (), (), ())


def tags(page):
    found = re.findall(r'<meta (?:property|name)="((?:og|twitter):[^"]+)" content="([^"]*)">', page)
    return {name: unescape(value) for name, value in found}


def test_the_card_is_a_picture_that_says_name_game_points_verdict_and_formations(monkeypatch):
    game = registry.SYSTEMS["vsgmr"]
    names = ["Dwarves", "The long-winded and never-ending name of a host " * 2, "W" * 120, "龍👩‍🚀 \x01", ""]
    for groups, name in zip((0, 1, 4, 30, 1), names, strict=True):
        many = [[{"kind": "troop", "name": "M" * 100, "quantity": 7}] * 9] * groups
        face = link_preview.preview_content(*state_of(roster_data("vsgmr", *many, name=name)), game)
        picture = link_preview.picture(face)
        assert (picture[:4], struct.unpack(">II", picture[16:24])) == (b"\x89PNG", (1200, 630))
    assert picture == link_preview.picture(face)
    state = state_of(
        roster_data("vsgmr", [{"kind": "troop", "name": "Guard", "quantity": 3}], name="Dwarves", budget=30)
    )
    face = link_preview.preview_content(*state, game)
    assert (face.name, face.game, face.points, "30" in face.limit) == ("Dwarves", "VSGMR", "3", True)
    monkeypatch.setattr(link_preview, "page_as_png", lambda pdf, _scale: pdf)
    assert b"ZillaSlab" in link_preview.picture(face)
    assert (face.legal, [each.label for each in face.elements], face.more) == (state.appraisal.legal, ["3 × Guard"], "")
    face = link_preview.preview_content(*state._replace(appraisal=state.appraisal._replace(points=None)), game)
    assert (face.points, face.limit) == ("", "")


def test_a_page_gives_a_chat_its_title_and_picture_and_has_its_own_qr_code_and_a_menu_whose_links_open(owner, stranger):
    roster = owner.copy_sample("mini-combat/second-world-war")
    name, renamed = roster.name, '"><script>' * 12
    writer.apply_edit(roster, edits.settings(name=renamed), "Renamed")
    address = f"http://testserver/s/{roster.token}"
    page = stranger.text(f"/s/{roster.token}")
    live, frozen = tags(page), tags(stranger.text(f"/s/{roster.token}/r1"))
    assert '"><script>' not in page
    assert (live["og:description"][-1], len(live["og:description"]) <= 200) == ("…", True)
    assert frozen["og:description"].startswith(f"{name} · Mini Combat · ")
    for found, url, title in ((live, address, renamed), (frozen, f"{address}/r1", name)):
        assert (found["og:title"], found["og:url"]) == (title, url)
        assert found["og:image"] == found["twitter:image"] == f"{url}.png"
        assert (found["og:image:width"], found["og:image:height"]) == ("1200", "630")
    assert 'content="http://testserver/card.png"' in stranger.text("/")
    assert stranger.get("/card.png").content[:4] == b"\x89PNG"
    roster, codes = owner.copy_sample(), set()
    shared = f"/s/{roster.token}"
    for client, path in ((stranger, shared), (stranger, f"{shared}/r1"), (owner, url_of(roster))):
        page = client.text(path)
        links = re.findall(r'href="([^"]+)"', page.split('<details class="menu more')[1].split("</details>")[0])
        assert len(links) >= 8
        assert [link for link in links if client.get(link).status_code != 200] == []
        if client is stranger:
            assert f'src="{path}/qr.svg"' in page
            code = client.get(f"{path}/qr.svg")
            assert (code["Content-Type"], b"style" in code.content) == ("image/svg+xml", False)
            codes.add(code.content)
    assert len(codes) == 2


FLEET = roster_data(
    "msc", [{"id": "a", "engine": 3, "shield": 3, "quantity": 2, "secret": True, "marks": [{"engine": 1}]}]
)
LINE = json.dumps(FLEET)
FAULTY = json.dumps({**FLEET, "name": 3, "budget": "many", "formations": [{"name": "F", "elements": [{"engine": 1}]}]})


def send(client, text="", files=()):
    uploads = [SimpleUploadedFile(name, body if isinstance(body, bytes) else body.encode()) for name, body in files]
    return client.post("/import", {"text": text, "files": uploads}, follow=True)


def imported():
    return Roster.objects.filter(sample=None)


def test_a_pasted_roster_becomes_ones_own_with_new_ids_and_several_files_as_many(owner, stranger):
    page = send(owner, text=LINE)
    roster = imported().get()
    assert page.redirect_chain[-1][0] == url_of(roster)
    assert without_ids(state_in_play(roster, complete=True).document) == without_ids(read(FLEET))
    assert element_ids(roster) != [["a"]]
    assert stranger.get(url_of(roster)).status_code == 302
    assert roster.visibility == Visibility.LINK
    lines = "\n".join(json.dumps({**FLEET, "name": f"Line {number}"}) for number in range(3)) + "\r\n\n"
    pretty = json.dumps({**FLEET, "name": "Pretty"}, indent=1)
    page = send(owner, text=LINE, files=[("a.json", "\ufeff" + pretty), ("b.jsonl", "\ufeff" + lines)])
    assert page.redirect_chain[-1][0] == "/mine/"
    assert sorted(each.name for each in imported()) == ["Line 0", "Line 1", "Line 2", "Pretty", "Test", "Test (2)"]


def test_every_fault_is_reported_with_its_place_what_was_pasted_stays_and_nothing_is_imported(owner):
    files = {
        "all.jsonl": f"{LINE}\n{FAULTY}",
        "bad <b>.json": FAULTY,
        "bad.json": "{",
        "long.csv": f"formation,entry\n{'x' * 140_000},E3",
        "foreign.ros": f'<roster xmlns="{battlescribe.NAMESPACE}" name="x"/>',
        "foreign.rosz": b"PK\x03\x04",
        "x.png": b"\x89PNG\xff",
        "limit.txt": "[msc] x\nlimit: -5\nRaider E3",
        "list.txt": "My fleet\n[msc] x\nRaider E3.5\nR Rear E1 R",
    }
    typed = '\n {"name": "</textarea><b>", \n'
    page = send(owner, text=typed, files=[*files.items()])
    html = page.content.decode()
    kept = html.split("<textarea")[1].split(">", 1)[1].split("</textarea>")[0]
    assert unescape(kept).removeprefix("\n") == typed
    assert (page.status_code, imported().count(), Browser.objects.count()) == (400, 0, 0)
    faulty = {each["name"]: each["faults"] for each in page.context["unreadable"]}
    assert {*faulty} == {*files, "Pasted text", "all.jsonl, line 2"} - {"all.jsonl"}
    assert {fault.path for fault in faulty["bad <b>.json"]} >= {"name", "budget", "formations/0/elements/0/name"}
    assert [fault.path for fault in faulty["limit.txt"]] == ["budget"]
    assert [fault.message for fault in faulty["list.txt"]] == [
        "Line 3, “3.5”: “3.5” must be a whole number",
        "Line 4 can be read in several ways: Weapon on side R, name “Rear”; name “R Rear”",
    ]
    assert "<h3>bad <b>" not in html
    assert "<code>formations/0/elements/0/name</code>" in html


def test_what_is_no_roster_is_400_and_what_is_too_large_413_before_anything_is_read(owner, monkeypatch, settings):
    for text in ("", " \n", "[]", "null", "{}", "[" * 5000, '{"a": 1, "a": 2}', "\x00", "<", "PK"):
        assert send(owner, text=text).status_code == 400
    assert send(owner, files=[("all.jsonl", "\n".join([LINE] * 101))]).status_code == 400
    many = send(owner, text=json.dumps({**FLEET, "formations": [{"name": n} for n in range(250)]}))
    assert (many.status_code, many.context["unreadable"][0]["more"], len(many.content) < 100_000) == (400, 150, True)
    assert not imported().exists()
    monkeypatch.setattr(importing, "read", None)
    large = send(owner, text="kept words", files=[("large.json", b" " * (documents.MAX_BYTES + 1))])
    assert (large.status_code, "kept words" in large.content.decode()) == (413, True)
    for text, number in ((" x" * documents.MAX_BYTES, 0), ("x" * 3_000_000, 0), ("", 21), ("", 101)):
        assert send(owner, text, [(f"{n}.json", LINE) for n in range(number)]).status_code == 413
    settings.MOST_SENT = 1000
    for address in ("/import", "/new/msc", "/"):
        assert owner.post(address, {"name": "x" * 2000}).status_code == 413
    said = {"CONTENT_LENGTH": f"{'0' * 20}2000"}
    assert owner.generic("POST", "/import", b"x" * 2000, **said).status_code == 413
    monkeypatch.undo()
    settings.MOST_SENT = 0
    assert owner.post("/import", {"text": "x" * 2000}).status_code == 400
    assert not imported().exists()
