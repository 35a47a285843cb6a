"""Exports at their addresses, the card and the QR code of a link, and imports: read back, refused, and kept."""

import csv
import io
import json
import re
import struct
import zipfile
from html import unescape

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from hypothesis import given

from rosters import registry
from rosters.core import documents, edits
from rosters.exports import battlescribe
from rosters.models import Browser, Roster, Visibility
from rosters.store import importing, writer
from rosters.store import state as states
from rosters.store.importing import Source
from rosters.web.sharing import downloads, share_card
from tests.strategies import PATIENT, any_documents
from tests.support import appraise, read, roster
from tests.web.builder.test_builder import document, start, use

pytestmark = pytest.mark.django_db

ENDINGS = {
    "json": "application/json",
    "txt": "text/plain; charset=utf-8",
    "md": "text/markdown; charset=utf-8",
    "csv": "text/csv; charset=utf-8",
    "ros": "application/xml",
    "rosz": "application/zip",
    "png": "image/png",
    "pdf": "application/pdf",
}
ARMIES = ["mini-combat/naval-squadron", "6mm/rommel", "msc/book-squadron", "vsgmr/dwarves"]
ARMIES += ["urutsk/ferry-crossing-garrison"]


@pytest.fixture
def owner():
    return Client()


@pytest.fixture
def stranger():
    return Client()


def without_ids(found):
    data = documents.write(edits.replace_fields(found, changed=None))
    for formation in data["formations"]:
        for item in (formation, *formation["elements"]):
            item.pop("id", None)
    return data


def book(slug="vsgmr/dwarves"):
    return Roster.objects.get(sample=slug)


# ---------------------------------------------------------------- exports


def test_every_export_has_its_address_its_kind_and_its_file_name_and_is_only_read(stranger):
    for ending, kind in ENDINGS.items():
        address = f"/s/{book().token}.{ending}"
        response = stranger.get(address)
        assert (response.status_code, response["Content-Type"]) == (200, kind)
        if ending != "json":
            assert f'filename="dwarves.{ending}"' in response["Content-Disposition"]
            assert response["X-Robots-Tag"] == "noindex, nofollow"
        assert {getattr(stranger, method)(address).status_code for method in ("post", "put", "delete")} == {405}


def test_an_export_that_is_unchanged_is_304_and_another_after_a_change(owner):
    made, endings = use(owner, "vsgmr/dwarves"), ["txt", "md", "csv", "ros", "rosz", "png"]
    for ending in endings:
        for address in (f"/s/{made.token}.{ending}", f"/s/{made.token}/r1.{ending}"):
            first = owner.get(address)
            again = owner.get(address, headers={"If-None-Match": first["ETag"]})
            assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])
            assert owner.get(address).content == first.content
    writer.apply_edit(made, edits.put_formation(str(document(made).formations[0].id), name="Others"), "Renamed")
    for ending in endings:
        frozen = owner.get(f"/s/{made.token}/r1.{ending}")
        live = owner.get(f"/s/{made.token}.{ending}", headers={"If-None-Match": frozen["ETag"]})
        assert (live.status_code, live.content != frozen.content) == (200, True)


def test_an_ending_or_a_revision_that_there_is_not_is_404(stranger):
    places = [*(f".{ending}" for ending in ("exe", "xml", "TXT")), "/r999/qr.svg"]
    places += [f"/r999.{ending}" for ending in downloads.EXPORTS]
    assert [place for place in places if stranger.get(f"/s/{book().token}{place}").status_code != 404] == []


def test_a_file_is_named_after_its_roster_whatever_that_is_called(owner):
    made, _ = start(owner, "msc")
    for name in ('a "b" / c\r\nSet-Cookie: x', "Łódź", "...", "\x01", "龍" * 120, "CON"):
        writer.apply_edit(made, edits.settings(name=name), "Renamed")
        head = owner.get(f"/s/{made.token}.csv")["Content-Disposition"]
        assert head.startswith("attachment; filename")
        assert not re.search(r"[\r\n/]", head)
        assert len(head) < 800


def test_texts_and_the_table_hold_the_roster(stranger):
    token, found = book().token, document(book())
    names = [element.name for formation in found.formations for element in formation.elements]
    for ending in ("txt", "md"):
        text = stranger.get(f"/s/{token}.{ending}").content.decode()
        assert [name for name in (found.name, "28", *names) if name not in text] == []
    line = stranger.get(f"/s/{token}/line.txt").content.decode()
    assert line.startswith("Dwarves · VSGMR · 28")
    assert line.count("\n") == 1
    rows = [*csv.DictReader(io.StringIO(stranger.get(f"/s/{token}.csv").content.decode(), newline=""))]
    assert [row["element"] for row in rows] == names


@pytest.mark.parametrize("slug", ARMIES)
def test_a_sample_army_of_each_game_goes_out_by_battlescribe_and_comes_back_whole(owner, slug):
    made = book(slug)
    for ending in ("ros", "rosz"):
        body = owner.get(f"/s/{made.token}.{ending}").content
        send(owner, files=[(f"army.{ending}", body)])
        back = newest()
        assert without_ids(document(back)) == without_ids(document(made))
        assert (back.points, back.legal) == (made.points, made.legal)


def state_of(data):
    found = read(data)
    return states.RosterState(found, appraise(data), registry.lines_of(found))


@PATIENT
@given(any_documents())
def test_any_roster_has_every_export_a_card_and_a_summary_and_is_read_back(data):
    state, game = state_of(data), registry.SYSTEMS[data["system"]]
    for export in (downloads.EXPORTS[ending] for ending in ("txt", "md", "csv")):
        assert isinstance(export.make(state, game), bytes)
    assert len(share_card.summary(state)) <= 200
    assert share_card.card_content(*state, game)
    source = Source("x", documents.dumps(documents.write(state.document)).encode())
    assert importing.read([source]) == ((state.document,), (), ())


# ---------------------------------------------------------------- what a chat shows


def tags(page):
    found = re.findall(r'<meta (?:property|name)="((?:og|twitter):[^"]+)" content="([^"]*)">', page)
    return {name: unescape(value) for name, value in found}


def test_a_page_tells_a_chat_its_title_its_summary_and_its_picture(stranger):
    token = book().token
    found = tags(stranger.get(f"/s/{token}").content.decode())
    assert found["og:title"] == "Dwarves"
    assert found["og:description"].startswith("Dwarves · VSGMR · 28")
    assert found["og:url"] == f"http://testserver/s/{token}"
    assert found["og:image"] == found["twitter:image"] == f"http://testserver/s/{token}.png"
    assert (found["og:image:width"], found["og:image:height"]) == ("1200", "630")
    assert found["twitter:card"] == "summary_large_image"


def test_a_frozen_page_tells_of_its_revision_and_a_long_summary_is_cut_and_no_name_becomes_markup(owner, stranger):
    made = use(owner, "mini-combat/second-world-war")
    name = document(made).name
    writer.apply_edit(made, edits.settings(name='"><script>' * 12), "Renamed")
    found = tags(stranger.get(f"/s/{made.token}/r1").content.decode())
    assert (found["og:title"], found["og:image"]) == (name, f"http://testserver/s/{made.token}/r1.png")
    page = stranger.get(f"/s/{made.token}").content.decode()
    found = tags(page)
    assert len(found["og:description"]) <= 200
    assert found["og:description"].endswith("…")
    assert '<script>"' not in page
    assert '"><script>' not in page


def test_the_card_is_a_picture_of_1200_by_630():
    names = ["Dwarves", "The long-winded and never-ending name of a host " * 2, "W" * 120, "龍👩‍🚀 \x01", ""]
    for groups, name in zip((0, 1, 4, 30, 1), names, strict=True):
        many = [[{"kind": "troop", "name": "M" * 100, "quantity": 7}] * 9] * groups
        face = share_card.card_content(*state_of(roster("vsgmr", *many, name=name)), registry.SYSTEMS["vsgmr"])
        picture = share_card.picture(face)
        assert picture.startswith(b"\x89PNG")
        assert struct.unpack(">II", picture[16:24]) == (1200, 630)
        assert picture == share_card.picture(face)


def test_the_card_says_name_game_points_verdict_and_formations():
    elements = [{"kind": "troop", "name": "Guard", "quantity": 3}]
    state = state_of(roster("vsgmr", elements, name="Dwarves", budget=30))
    face = share_card.card_content(*state, registry.SYSTEMS["vsgmr"])
    assert (face.name, face.game, face.points) == ("Dwarves", "VSGMR", "3")
    assert "30" in face.limit
    assert face.legal is state.appraisal.legal
    assert face.groups == (("Formation 1", "3 Guards"),)
    unseen = state._replace(appraisal=state.appraisal._replace(points=None))
    face = share_card.card_content(*unseen, registry.SYSTEMS["vsgmr"])
    assert (face.points, face.limit) == ("", "")


def test_the_card_is_drawn_once(owner, monkeypatch):
    made, drawn = use(owner, "vsgmr/dwarves"), []
    writer.apply_edit(made, edits.settings(name="Drawn but once"), "Renamed")
    picture = share_card.picture
    monkeypatch.setattr(share_card, "picture", lambda face: drawn.append(face) or picture(face))
    for _ in range(3):
        assert owner.get(f"/s/{made.token}.png").status_code == 200
    assert len(drawn) == 1


def test_each_page_has_the_qr_code_of_its_own_address(owner, stranger):
    made = use(owner, "vsgmr/dwarves")
    for path in (f"/s/{made.token}", f"/s/{made.token}/r1"):
        page = stranger.get(path).content.decode()
        assert f'src="{path}/qr.svg"' in page
        assert f'value="http://testserver{path}"' in page
        response = stranger.get(f"{path}/qr.svg")
        assert response["Content-Type"] == "image/svg+xml"
        assert b"style" not in response.content
        assert stranger.get(f"{path}/qr.svg", headers={"If-None-Match": response["ETag"]}).status_code == 304
    one, other = (stranger.get(f"/s/{made.token}{place}/qr.svg").content for place in ("", "/r1"))
    assert one != other


def test_the_export_menu_stands_on_both_pages_and_each_of_its_links_opens(owner, stranger):
    made = use(owner, "vsgmr/dwarves")
    for client, path in (
        (stranger, f"/s/{made.token}"),
        (owner, f"/r/{made.token}/"),
        (stranger, f"/s/{made.token}/r1"),
    ):
        menu = client.get(path).content.decode().split('<details class="menu')[1].split("</details>")[0]
        links = re.findall(r'href="([^"]+)"', menu)
        assert len(links) >= 8
        for link in links:
            assert client.get(link).status_code == 200, link


# ---------------------------------------------------------------- imports


def send(client, text="", files=()):
    uploads = [SimpleUploadedFile(name, body if isinstance(body, bytes) else body.encode()) for name, body in files]
    return client.post("/import", {"text": text, "files": uploads}, follow=True)


def newest():
    return Roster.objects.filter(sample=None).order_by("-pk")[0]


def count():
    return Roster.objects.filter(sample=None).count()


FLEET = roster("msc", [{"id": "a", "engine": 3, "shield": 3, "quantity": 2, "secret": True, "marks": [{"engine": 1}]}])
LINE = json.dumps(FLEET)
FAULTY = json.dumps({**FLEET, "name": 3, "budget": "many", "formations": [{"name": "F", "elements": [{"engine": 1}]}]})


def test_a_pasted_roster_becomes_ones_own_with_new_ids_and_all_that_it_held(owner, stranger):
    page = send(owner, text=LINE)
    made = newest()
    assert page.redirect_chain[-1][0] == f"/r/{made.token}/"
    assert f"/e/{made.token}/" in page.content.decode()
    assert without_ids(document(made)) == without_ids(read(FLEET))
    assert document(made).formations[0].elements[0].id != "a"
    assert stranger.get(f"/r/{made.token}/").status_code == 302
    assert made.visibility == Visibility.LINK


def test_several_files_become_as_many_rosters(owner):
    lines = "\n".join(json.dumps({**FLEET, "name": f"Line {number}"}) for number in range(3)) + "\r\n\n"
    pretty = json.dumps({**FLEET, "name": "Pretty"}, indent=1)
    page = send(owner, text=LINE, files=[("a.json", "\ufeff" + pretty), ("b.jsonl", "\ufeff" + lines)])
    assert page.redirect_chain[-1][0] == "/"
    names = {made.name for made in Roster.objects.filter(sample=None)}
    assert names == {"Test", "Pretty", "Line 0", "Line 1", "Line 2"}
    assert "Imported 5 rosters" in page.content.decode()


def test_a_faulty_file_names_every_fault_with_its_place_and_nothing_is_imported(owner):
    page = send(
        owner, text=LINE, files=[("all.jsonl", f"{LINE}\n{FAULTY}"), ("bad <b>.json", FAULTY), ("bad.json", "{")]
    )
    text = unescape(page.content.decode())
    assert page.status_code == 400
    assert count() == 0
    for fault in ("name", "budget", "formations/0/elements/0/name"):
        assert f"<code>{fault}</code>" in text
    assert [name for name in ("all.jsonl, line 2", "bad <b>.json", "bad.json") if name not in text] == []
    assert "<h3>bad <b>" not in page.content.decode()
    assert LINE in text
    assert not Browser.objects.exists()


def test_what_is_no_roster_is_400_and_changes_nothing(owner):
    for text in ("", " \n", "[]", "null", "{}", "[" * 5000, '{"a": 1, "a": 2}', "\x00", "<", "PK"):
        assert send(owner, text=text).status_code == 400
    assert count() == 0


def test_more_than_twenty_files_or_a_mebibyte_is_413_before_anything_is_read(owner, monkeypatch):
    monkeypatch.setattr(importing, "read", None)
    assert send(owner, text="kept", files=[(f"{n}.json", LINE) for n in range(21)]).status_code == 413
    large = send(owner, text="kept words", files=[("large.json", b" " * (documents.MAX_BYTES + 1))])
    assert large.status_code == 413
    assert "large.json is 1,048,577 bytes long" in large.content.decode()
    assert "kept words" in large.content.decode()
    assert send(owner, text=" x" * documents.MAX_BYTES).status_code == 413
    assert send(owner, text="x" * 3_000_000).status_code == 413
    assert send(owner, files=[(f"{n}.json", LINE) for n in range(101)]).status_code == 413
    assert count() == 0


def test_a_request_that_is_far_too_large_is_413_wherever_it_goes(owner, settings):
    settings.MOST_SENT = 1000
    for address in ("/import", "/new/msc", "/"):
        assert owner.post(address, {"name": "x" * 2000}).status_code == 413
    said = {"CONTENT_LENGTH": f"{'0' * 20}2000"}
    assert owner.generic("POST", "/import", b"x" * 2000, **said).status_code == 413
    settings.MOST_SENT = 0
    assert owner.post("/import", {"text": "x" * 2000}).status_code == 400


def test_more_than_a_hundred_rosters_are_refused_at_once(owner):
    page = send(owner, files=[("all.jsonl", "\n".join([LINE] * 101))])
    assert page.status_code == 400
    assert "at most 100 rosters at once" in page.content.decode()
    assert count() == 0


def test_files_that_are_no_rosters_are_refused_by_name(owner):
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("roster.ros", b" " * 5_000_000)
    foreign = f'<roster xmlns="{battlescribe.NAMESPACE}" name="x"/>'
    entity = '<!DOCTYPE x [<!ENTITY a "b">]><roster/>'
    files = [
        ("bomb.rosz", bomb.getvalue()),
        ("foreign.ros", foreign),
        ("entity.ros", entity),
        ("x.png", b"\x89PNG\xff"),
    ]
    page = send(owner, files=files).content.decode()
    for name, _ in files:
        assert name in page
    assert count() == 0


def test_many_faults_are_counted_rather_than_listed_all(owner):
    faulty = {**FLEET, "formations": [{"name": n} for n in range(500)]}
    page = send(owner, text=json.dumps(faulty)).content.decode()
    assert "and 400 more" in page
    assert len(page) < 100_000


def test_importing_is_all_or_nothing_when_saving_fails_too(owner, monkeypatch):
    create, made = writer.create, []

    def failing(document, **more):
        if made:
            raise RuntimeError("the disk is full")
        made.append(create(document, **more))
        return made[0]

    monkeypatch.setattr(writer, "create", failing)
    with pytest.raises(RuntimeError):
        send(owner, files=[("a.json", LINE), ("b.json", LINE)])
    assert count() == 0
