"""Damaged files, wrong encodings, bombs and mere bytes, to everything that takes a file or a body.

`/import` as a file and as a paste, documents to the API, backups to `manage.py restore`, and players' zips.
"""

import io
import json
import zlib
from base64 import b64encode
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple
from urllib.parse import quote_from_bytes
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile

from django.contrib.auth import get_user_model
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from hypothesis import strategies as st

from rosters.models import Battle, Browser, Roster
from rosters.store import bundle, importing
from tests.support import FIXTURES
from tools.fuzz.kit import Tally, drawn, no_exception, sound, state, undone, whole
from tools.fuzz.site import furnished

MANY = 130 << 20
"""Bytes that a file in a bomb becomes: beyond what is read out of a zip of one's own."""
EMPTY = bundle.Manifest(format="armybuilder-backup", rosters=0, revisions=0)
MAX_TOLD = 200_000
"""Bytes of a failure that the report holds."""
SITE = {
    **dict.fromkeys(("README.txt", "accounts.jsonl", "battles.jsonl", "browsers.jsonl", "manifest.json"), b""),
    bundle.MANIFEST: bundle.to_line(EMPTY).encode(),
}
"""The files of a backup that holds nothing."""

# ---------------------------------------------------------------- what is genuine


def genuine(site):
    """Files that the site itself would take, by name."""
    visitor, roster = site.visitor("owner"), site.rosters["6mm"]
    army = FIXTURES / "armies" / "mini-combat" / "naval-squadron.json"
    lines = [json.dumps(json.loads(path.read_text())) for path in sorted(FIXTURES.glob("armies/msc/*.json"))]
    return {
        "army.json": army.read_bytes(),
        "armies.jsonl": "\n".join(lines).encode(),
        "army.ros": visitor.get(f"/s/{roster}.ros").content,
        "army.rosz": visitor.get(f"/s/{roster}.rosz").content,
        "own.zip": into_memory(bundle.write_player_zip, {Roster.objects.get(token=roster).pk: True}),
        "site.zip": into_memory(bundle.write),
    }


def into_memory(write, *arguments):
    file = io.BytesIO()
    write(*arguments, file)
    return file.getvalue()


# ---------------------------------------------------------------- bombs


DOCUMENT = '{"format":"armybuilder-roster","version":1,"system":"msc","name":"x","formations":%s}'
XML = (
    '<?xml version="1.0"?><!DOCTYPE r [%s]><roster xmlns="http://www.battlescribe.net/schema/rosterSchema">%s</roster>'
)
LAUGHS = "".join(f'<!ENTITY l{n + 1} "{f"&l{n};" * 10}">' for n in range(9))


def documents_to_read():
    """JSON that is deep, wide or large, within the bytes that are read."""
    keys = ",".join(f'"k{number}":0' for number in range(80_000))
    return {
        "deep": "[" * 500_000,
        "deep-objects": '{"a":' * 150_000,
        "deep-inside": DOCUMENT % ("[" * 900 + "]" * 900),
        "wide": DOCUMENT % f"[{'0,' * 400_000}0]",
        "wide-objects": DOCUMENT % f"[{'{},' * 300_000}{{}}]",
        "elements": DOCUMENT % f'[{{"name":"x","elements":[{"{}," * 250_000}{{}}]}}]',
        "keys": DOCUMENT[:-1] % "[]" + f",{keys}}}",
        "number": DOCUMENT % f"[{'9' * 900_000}]",
        "exponent": DOCUMENT.replace('"version":1', '"version":1,"budget":1e999999999') % "[]",
        "lines": "{}\n" * 300_000,
    }


def rosters_to_read():
    """XML of the same kind, and entities that grow or look outside."""
    attributes = " ".join(f"a{number}='x'" for number in range(80_000))
    return {
        "laughs": XML % (f'<!ENTITY l0 "lol">{LAUGHS}', "&l9;"),
        "quadratic": XML % (f'<!ENTITY a "{"a" * 50_000}">', "&a;" * 50_000),
        "outside": XML % ('<!ENTITY a SYSTEM "file:///etc/passwd">', "&a;"),
        "deep": "<a>" * 300_000,
        "wide": f"<roster>{'<a/>' * 250_000}</roster>",
        "attributes": f"<roster {attributes}/>",
    }


@cache
def bombs():
    """Small things that become large, or deep, or many."""
    xml = {name: text.encode() for name, text in rosters_to_read().items()}
    nothing, size = zipped({"a.ros": bytes(MANY)}), MANY.to_bytes(4, "little")
    return {
        **{f"{name}.json": text.encode() for name, text in documents_to_read().items()},
        **{f"{name}.ros": text for name, text in xml.items()},
        **{f"{name}.rosz": zipped({"a.ros": text}) for name, text in xml.items()},
        "zeros.rosz": nothing,
        "nested.rosz": zipped({"a.ros": nothing, "b.rosz": nothing}),
        "many.rosz": zipped({f"{number}.ros": b"" for number in range(8_000)}),
        "names.rosz": zipped({f"{'x' * 60_000}{number}.ros": b"" for number in range(8)}),
        "zeros.zip": zipped(SITE | {bundle.ACCOUNTS: bytes(MANY)}),
        "deep.zip": zipped(SITE | {bundle.MANIFEST: b"[" * MANY}),
        "own-zeros.zip": zipped({"rosters/a.b.json": bytes(MANY), "manifest.json": b"{}"}),
        "lying.rosz": nothing.replace(size, (100).to_bytes(4, "little")),
        "huge.rosz": nothing.replace(size, b"\xfe\xff\xff\xff"),
        "zlib.json": zlib.compress(bytes(MANY)),
    }


def zipped(members):
    file = io.BytesIO()
    with ZipFile(file, "w", ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return file.getvalue()


# ---------------------------------------------------------------- damage


class Harm(NamedTuple):
    """One thing that is done to bytes, at a place between 0 and 1."""

    how: str
    place: float
    length: int
    data: bytes


ENCODINGS = ("utf-16", "utf-32", "utf-8-sig", "utf-7", "cp037", "punycode")
WORDS = [
    *(
        b"9" * 5000,
        b"1e400",
        b"-1e400",
        b"NaN",
        b"-Infinity",
        b"null",
        b"true",
        b"{}",
        b"[]",
        b'""',
        b"9223372036854775808",
    ),
    *(
        b"-1",
        b"0.1",
        b'"\\u0000"',
        b'"\\ud800"',
        b'"\xff"',
        b"<!--",
        b"]]>",
        b"&#0;",
        b"&#xD800;",
        b"\0",
        b"PK\3\4",
        b"{",
    ),
]


def harmed(data, harm):
    """The bytes after one harm."""
    at, until = int(harm.place * len(data)), int(harm.place * len(data)) + harm.length
    harms = {
        "cut": lambda: data[:at],
        "put": lambda: data[:at] + harm.data + data[at:],
        "over": lambda: data[:at] + harm.data + data[at + len(harm.data) :],
        "lose": lambda: data[:at] + data[until:],
        "again": lambda: data[:until] + data[at:],
        "value": lambda: with_value(data, at, harm.data),
        "encoded": lambda: data.decode("latin-1").encode(ENCODINGS[harm.length % len(ENCODINGS)], "replace"),
    }
    return harms[harm.how]()


def with_value(data, at, value):
    """The next JSON value or XML text after a place, replaced."""
    start = min((found for found in (data.find(mark, at) for mark in (b":", b">")) if found >= 0), default=-1)
    ends = [found for found in (data.find(mark, start + 1) for mark in (b",", b"}", b"<", b"\n")) if found >= 0]
    return data[: start + 1] + value + data[min(ends) :] if start >= 0 and ends else data


def inside(data, harm):
    """A zip with one of its files harmed, so that it is still a zip; other bytes as they are."""
    try:
        with ZipFile(io.BytesIO(data)) as archive:
            members = {member.filename: archive.read(member) for member in archive.infolist()}
    except (BadZipFile, zlib.error, NotImplementedError, EOFError, RuntimeError, OSError, ValueError):
        return data
    name = [*members][harm.length % len(members)] if members else "a.ros"
    return zipped(members | {name: harmed(members.get(name, b""), harm)})


# ---------------------------------------------------------------- cases


class UploadCase(NamedTuple):
    """A case: what is sent where, ``source`` finding a file or a bomb, harmed inside first."""

    target: str
    source: int
    bomb: bool
    inner: tuple[Harm, ...]
    outer: tuple[Harm, ...]
    mere: bytes | None


HARMS = st.builds(
    Harm,
    st.sampled_from(["cut", "put", "over", "lose", "again", "value", "value", "encoded"]),
    st.floats(0, 1, exclude_max=True),
    st.integers(1, 400),
    st.sampled_from(WORDS) | st.binary(max_size=40),
)
TARGETS = ("file", "file", "paste", "appraise", "create", "replace", "restore", "own")
CASES = st.builds(
    UploadCase,
    st.sampled_from(TARGETS),
    st.integers(0, 2**20),
    st.sampled_from([True, False, False]),
    st.lists(HARMS, max_size=2).map(tuple),
    st.just(()) | st.lists(HARMS, max_size=2).map(tuple),
    st.sampled_from([False] * 7 + [True]).flatmap(lambda mere: st.binary(max_size=3000) if mere else st.none()),
)
FITTING = {"restore": ("site.zip",), "own": ("own.zip",), "file": ()}
"""What each target understands; the rest understand documents."""


class Desk:
    """A site and its files, and the ways in."""

    def __init__(self):
        self.site = furnished()
        self.files, self.before = genuine(self.site), state()
        bombs()  # made now, so that no case is charged with their memory

    def build_file(self, case):
        """The name and the bytes of a case."""
        if case.mere is not None:
            return "bytes", case.mere
        fitting = FITTING.get(case.target, ("army.json", "armies.jsonl")) if case.source % 4 else ()
        known = bombs() if case.bomb else {name: self.files[name] for name in fitting or self.files}
        name = [*known][case.source // 4 % len(known)]
        data = known[name]
        for harm in case.inner if not case.bomb else ():
            data = inside(data, harm) if data.startswith(b"PK") else harmed(data, harm)
        for harm in case.outer:
            data = harmed(data, harm)
        return name, data

    def send(self, case):
        """Send it; what came of it. Every roster that is new or has changed must be whole."""
        name, data = self.build_file(case)
        outcome = getattr(self, case.target)(name, data)
        whole(self.before)
        return f"{case.target} {outcome}"

    def file(self, name, data):
        files = [SimpleUploadedFile(name, data)]
        return sound(self.site.visitor("browser").post("/import", {"files": files, "text": ""})).status_code

    def paste(self, name, data):
        body = f"text={quote_from_bytes(data)}"
        kind = "application/x-www-form-urlencoded"
        return sound(self.site.visitor("browser").generic("POST", "/import", body, kind)).status_code

    def appraise(self, name, data):
        return self.body("POST", "/api/v1/appraise", data)

    def create(self, name, data):
        return self.body("POST", "/api/v1/rosters", data)

    def replace(self, name, data):
        return self.body("PUT", f"/api/v1/rosters/{self.site.rosters['msc']}", data)

    def body(self, method, address, data):
        head = {"Authorization": f"Bearer {self.site.api_token}", "If-Match": "*"}
        client = self.site.visitor("stranger")
        return sound(client.generic(method, address, data, "application/json", headers=head)).status_code

    def restore(self, name, data):
        """Into a database that holds nothing: the command refuses with a sentence, or all is there."""
        for model in (Battle, Roster, Browser, get_user_model()):
            model.objects.all().delete()
        with TemporaryDirectory() as folder:
            path = Path(folder) / "site.zip"
            path.write_bytes(data)
            try:
                call_command("restore", str(path), stdout=io.StringIO())
            except CommandError as reason:
                refused = str(reason)
            else:
                return "restored"
        assert "Nothing was restored." in refused
        assert "Traceback" not in refused
        assert not Roster.objects.exists()
        return "refused"

    def own(self, name, data):
        try:
            rosters, _on_shelf = importing.read_player_zip(data)
        except bundle.BundleError:
            return "refused"
        return "read" if rosters else "empty"


def run(cases, seed):
    tally = Tally()
    with undone():
        desk = Desk()

        def each(case):
            with tally.case(lambda: report(desk, case)), undone(), no_exception():
                tally.figures[desk.send(case)] += 1

        drawn(cases, seed, CASES, each)
    return tally


def report(desk, case):
    """How to send a case again: its bytes, or where they are many, the file and what was done to it."""
    name, data = desk.build_file(case)
    found = {"target": case.target, "file": name, "bytes": len(data), "how": str(case)}
    return found | ({"base64": b64encode(data).decode()} if len(data) <= MAX_TOLD else {})
