"""Rosters that are large, or larger than what comes in may be: shown page by page, kept, and never made larger."""

import io
import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from rosters.core.documents import LIMITS
from rosters.models import Roster
from rosters.store import bundle
from rosters.web.battles import service as battles
from rosters.web.sharing import compare
from tests.people import add_element, document_of, element_ids, message_levels, reload, url_of
from tests.support import roster_data

LARGE = roster_data("msc", [{"engine": 9}] * 130, [{"engine": 9}] * 30, [])
"""161 rows and, by ENGINE 9, an error for each ship."""
LONG = roster_data("msc", [{"weapons": ["F"] * (LIMITS["weapons"].per_element + 2)}])
"""A ship with more weapons than may come in."""


@pytest.fixture
def large(owner):
    return owner.create(LARGE)


def rows(sheet):
    return [row.id for section in sheet.formations for row in section.rows]


@pytest.mark.parametrize("at", ["/r/{}/", "/s/{}", "/s/{}/r1", "/r/{}/add?from={}"])
def test_a_large_roster_is_shown_page_by_page(owner, large, at):
    query = "&" if "?" in at else "?"
    address = at.format(*[large.token] * 2) + query
    first, second, beyond = (owner.context(f"{address}page={n}")["roster_page"] for n in (1, 2, 9))
    assert len(rows(first)) == 100
    assert rows(first) + rows(second) == [uid for group in element_ids(large) for uid in group]
    continued = [(len(section.rows), section.continued) for section in second.formations]
    assert continued == [(30, True), (30, False), (0, False)]
    assert rows(beyond) == rows(second)


def test_an_element_a_formation_and_a_receipt_are_on_their_page_to_which_a_change_leads_back(owner, large):
    (_, (*_, last), _), formation = element_ids(large), document_of(large).formations[2].id
    for query in (f"at={last}", f"at={formation}", f"receipt={last}"):
        for address in (url_of(large), f"/s/{large.token}"):
            assert owner.context(f"{address}?{query}")["roster_page"].page.number == 2, query
    assert owner.context(url_of(large, "?at=gone"))["roster_page"].page.number == 1
    sent = {f"quantity-{last}": "7", f"initial-quantity-{last}": "1", "page": "2"}
    assert owner.post_to(large, "quantities", **sent).url == url_of(large, "?page=2")
    assert owner.post_to(large, "element/duplicate", element=last, page="2").url == url_of(
        large, f"?at={last}#e-{last}"
    )
    refused = owner.post_to(large, "quantities", **sent | {f"quantity-{last}": "many"})
    assert (refused.status_code, refused.context["roster_page"].page.number) == (422, 2)


def test_findings_and_a_comparison_are_shown_page_by_page_and_lead_to_their_element(owner, large, monkeypatch):
    sheet = owner.context(f"/s/{large.token}")["roster_page"]
    numbers = sheet.findings_page.paginator.page_range
    pages = [owner.context(f"/s/{large.token}?findings={n}")["roster_page"].findings_page for n in numbers]
    shown = [place for page in pages for finding in page for place in finding.places]
    assert sorted(shown) == sorted(sheet.findings)
    last = element_ids(large)[1][-1]
    assert {finding.link for finding in shown} >= {f"?at={last}#e-{last}"}
    small = owner.create(roster_data("msc", [{"engine": 9}]))
    assert owner.context(url_of(small))["roster_page"].findings[0].link == f"#e-{element_ids(small)[0][0]}"
    monkeypatch.setattr(compare, "ROWS_PER_PAGE", 60)
    owner.post_to(
        large, "quantities", **{f"quantity-{uid}": 2 for formation in element_ids(large) for uid in formation}
    )
    address = f"/s/{large.token}/compare?with=r1&only=1"
    pages = [owner.context(f"{address}&page={n}&changes={n}") for n in (1, 2, 3)]
    assert [len(page["changes"]) for page in pages] == [100, 61, 61], "160 ships and the total"
    assert [sum(len(group) for _, group in page["groups"]) for page in pages[:2]] == [60, 60]
    assert "page=2" in owner.text(address)


def test_what_would_exceed_a_limit_is_said_in_the_form_and_nothing_typed_is_lost(owner):
    full = roster_data("msc", *([{"notes": "n" * 9_980}] * 2 for _ in range(10)))
    mine = owner.create(full)
    group, element = document_of(mine).formations[0].id, element_ids(mine)[0][0]
    notes = "m" * 9_950 + "\n" + "typed" * 9
    stats = {"engine": "3", "shield": "3", "to_hit": "3", "quantity": "1"}
    more = {
        f"formation?id={group}": {"name": "New", "notes": notes},
        "settings": {"name": "New", "notes": notes, "max_engine": "5"},
        f"element?in={group}": {"name": "New", "notes": notes, **stats},
        f"element?id={element}": {"name": "New" * 40, "notes": "n" * 9_980 + "typed", **stats},
    }
    for at, sent in more.items():
        refused = owner.post_to(mine, at, **sent)
        assert refused.status_code == 422, at
        assert "200,000 characters of text" in refused.content.decode(), at
        assert refused.context["form"]["notes"].value() == sent["notes"], at
    preview = owner.post_to(mine, "settings/preview", **more["settings"])
    assert preview.context["preview"] == {"invalid": True}
    assert reload(mine).revision == 1
    assert message_levels(owner.post_to(mine, "formation/duplicate", formation=group, follow=True)) == ["error"]


def test_what_comes_in_beyond_a_limit_is_refused_with_its_path_and_what_was_stored_goes_on(owner, friend):
    """It is shown, exported, restored and made smaller."""
    path = "formations/0/elements/0/weapons"
    refused = [owner.post(f"/api/v1/{at}", LONG, content_type="application/json") for at in ("rosters", "appraise")]
    assert [(each.status_code, each.json()["errors"][0]["path"]) for each in refused] == [(400, path)] * 2
    (faulty,) = owner.submit("/import", text=json.dumps(LONG)).context["unreadable"]
    assert [fault.path for fault in faulty["faults"]] == [path]
    assert not Roster.objects.filter(sample=None).exists()
    mine = owner.create(LONG)
    for address in (url_of(mine), f"/s/{mine.token}", f"/s/{mine.token}.pdf", f"/s/{mine.token}/r1.csv"):
        assert owner.get(address).status_code == 200
    archive = io.BytesIO()
    bundle.write_player_zip({mine.pk: True}, archive)
    response = friend.post("/import", {"files": SimpleUploadedFile("own.zip", archive.getvalue()), "text": ""})
    assert response.status_code == 302
    copy = Roster.objects.filter(sample=None).last()
    assert document_of(copy) == document_of(mine)
    for number, status in ((42, 200), (43, 400), (41, 200), (42, 400), (3, 200)):
        data = json.loads(owner.get(f"/r/{mine.token}/document.json").content)
        data["formations"][0]["elements"][0] |= {"weapons": ["F"] * number, "name": f"With {number}"}
        assert owner.put_document(mine, data, mine.edit_link).status_code == status, number
    assert owner.post_to(mine, "history/1/restore").status_code == 302
    assert len(document_of(mine).formations[0].elements[0].weapons) == 42


def test_rosters_that_are_too_large_together_do_not_meet_in_a_battle(owner, monkeypatch):
    red, blue, green = (owner.create(roster_data("msc", [{}])) for _ in range(3))
    monkeypatch.setattr(battles, "MAX_CHARACTERS", 800)
    battle = owner.create_battle(red, blue)
    assert owner.post_to(battle, "add", link=f"/s/{green.token}").status_code == 422
    add_element(blue)
    assert owner.post_to(battle, "pin").status_code == 302
    for _more in range(9):
        add_element(blue)
    assert owner.post_to(battle, "pin").status_code == 422
    assert [force.revision for force in battle.forces.order_by("position")] == [1, 2]
    assert owner.get(url_of(battle)).status_code == 200, "what is locked is shown"
    assert owner.post_to(battle, f"forces/{battle.forces.first().pk}/remove").status_code == 302
    assert owner.post_to(battle, "pin").status_code == 302, "one alone may be of any size"
