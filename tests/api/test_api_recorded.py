"""Recorded requests to the API get the answers they got when they were recorded: status, headers and JSON.

Every answer is what the OpenAPI document says, too.
`RECORD=1 pytest tests/api/test_api_recorded.py` records today's answers in tests/data/api_requests.json anew.
"""

import io
import json
import os
import re
from difflib import unified_diff
from pathlib import Path

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.utils import timezone
from pypdf import PdfReader

from rosters.models import ApiToken, Browser, Revision, Roster, hashed
from tests.api.openapi import validate_response

pytestmark = pytest.mark.django_db

FILE = Path(__file__).parent.parent / "data" / "api_requests.json"
HEADERS = (
    *("Allow", "Cache-Control", "Content-Disposition", "Content-Type", "ETag", "Last-Modified", "Link", "Location"),
    *("Retry-After", "Set-Cookie", "Vary", "WWW-Authenticate", "X-Robots-Tag"),
)
LISTS = ("Allow", "Vary")
"""Headers in which the order of the words says nothing."""
SENTENCES = {"message", "summary", "text", "label", "title", "purpose", "description", "today", "edition"}
"""Keys whose text may be worded anew, as a name beside a code may: only whether there is a text is compared."""
UNKNOWN = [
    (r"\d{4}-\d\d-\d\dT[\d:.]+(?:Z|\+00:00)", "{time}"),
    (r'(?<="id":")[0-9a-f]{12}(?=")', "{id}"),
    (r"(?<=\")[0-9a-f]{64}(?=\")", "{etag}"),
]
"""What no recording can know: times, the ids of what came without one, and the hash of a drawing."""


def world(recorded):
    """Make the accounts and rosters that the requests are about; the session of the owner's browser."""
    users = {}
    for name, token in recorded["accounts"].items():
        users[name] = get_user_model().objects.create_user(name, f"{name}@example.org", is_active=name != "gone")
        ApiToken.objects.create(user=users[name], name="a program", key_hash=hashed(token))
    for token, made in recorded["rosters"].items():
        make_roster(recorded, token, **made)
    Roster.objects.filter(sample="msc/book-squadron").update(token=recorded["sample"])
    browser = Browser.objects.create(key_hash=hashed(recorded["browser"]))
    browser.rosters.add(*Roster.objects.filter(token__in=recorded["rosters"]))
    owner = Client()
    owner.force_login(users["owner"])
    return owner.cookies["sessionid"].value


def make_roster(recorded, token, *, document, secret, account=None, revisions=1, binned=False, **fields):
    """Create a roster as a program does, and give it the token and the secret that the requests name."""
    headers = {"Authorization": f"Bearer {recorded['accounts'][account]}"} if account else {}
    body = json.dumps(recorded["documents"][document])
    made = Client().post("/api/v1/rosters", body, content_type="application/json", headers=headers).json()
    roster = Roster.objects.get(token=made["token"])
    first = roster.revisions.values().get()
    del first["id"]
    Revision.objects.bulk_create(Revision(**{**first, "number": number}) for number in range(2, revisions + 1))
    fields |= {"token": token, "edit_hash": hashed(secret), "revision": revisions}
    Roster.objects.filter(pk=roster.pk).update(**fields, binned=timezone.now() if binned else None)


def ask(row, recorded, seen, settings):
    """Send a recorded request; the response. ``seen`` stands for the placeholders in it."""
    request = json.dumps({name: row[name] for name in ("path", "headers") if name in row})
    for name, value in seen.items():
        request = request.replace(f"{{{name}}}", json.dumps(value)[1:-1])
    request = json.loads(request)
    for name, value in {**recorded["settings"], **row.get("settings", {})}.items():
        setattr(settings, name, value)
    body = (row.get("text", "") * row.get("times", 1)).encode("latin-1")
    if "document" in row:
        body = json.dumps({**recorded["documents"][row["document"]], **row.get("with", {})}).encode()
    return Client().generic(row["method"], request["path"], body, headers=request.get("headers", {}))


def answer(row, response, seen):
    """What is kept of a response; what it tells anew goes into ``seen``."""
    if response.status_code == 201:
        seen.update({name: response.json()[name] for name in ("token", "secret")})
    kept = {name: known(response[name], seen) for name in HEADERS if name in response}
    if response.status_code == 304:  # what describes a body has no say where there is none
        kept = {name: value for name, value in kept.items() if not name.startswith("Content-")}
    if response.get("Content-Type") == "application/pdf":
        seen["etag"] = response["ETag"].strip('"')
    if 0 < int(kept.get("Retry-After", 0)) <= 60:
        kept["Retry-After"] = "{seconds}"
    kept |= {name: ", ".join(sorted(re.split(", *", kept[name]))) for name in LISTS if name in kept}
    return {"status": response.status_code, "headers": kept, **content(row, response, seen)}


def content(row, response, seen):
    """JSON as data (only some keys of it, where the row says so), a PDF by its pages, anything else as text."""
    if not response.content or row["method"] == "HEAD":  # servers leave it out, a test client may not
        return {}
    kind = response.get("Content-Type", "")
    if kind == "application/pdf":
        return {"pages": len(PdfReader(io.BytesIO(response.content)).pages)}
    text = known(response.content.decode(), seen)
    if kind != "application/json":
        return {"text": text}
    return {"json": {name: value for name, value in json.loads(text).items() if name in row.get("only", (name,))}}


def known(text, seen):
    """A text with placeholders for what differs every time."""
    for name in ("secret", "token"):
        text = text.replace(seen.get(name, "\0"), f"{{{name}}}")
    for pattern, name in UNKNOWN:
        text = re.sub(pattern, name, text)
    return text


def comparable(value):
    """An answer in which sentences, which may be worded anew, are only there or not."""
    if isinstance(value, dict):
        sentences = {*SENTENCES, "name"} if "code" in value else SENTENCES
        return {
            key: bool(each) if key in sentences and isinstance(each, str) else comparable(each)
            for key, each in value.items()
        }
    return [comparable(each) for each in value] if isinstance(value, list) else value


def test_recorded_requests_get_the_recorded_answers(settings):
    recorded = json.loads(FILE.read_text(encoding="utf-8"))
    seen, before, found = {"session": world(recorded)}, Roster.objects.count(), []
    for row in recorded["requests"]:
        response = ask(row, recorded, seen, settings)
        validate_response(row["method"], response.wsgi_request.path, response)
        got = answer(row, response, seen)
        if os.environ.get("RECORD"):
            row["answer"] = got
        want, got = (json.dumps(comparable(each), indent=1, sort_keys=True) for each in (row["answer"], got))
        if want != got:
            found += [row["name"], *unified_diff(want.splitlines(), got.splitlines(), n=2, lineterm="")]
    if os.environ.get("RECORD"):
        FILE.write_text(json.dumps(recorded, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    assert not found, "\n".join(found)
    statuses = [row["answer"]["status"] for row in recorded["requests"]]
    assert (len(statuses) >= 60, Roster.objects.count() - before) == (True, statuses.count(201))
