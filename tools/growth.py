"""How pages grow with a roster and with the database: python -m tools.growth --rosters N.

It writes build/growth.json and puts both tables into docs/performance.md. The database is one of its own, or the
empty one that DATABASE_URL names. Times are through Django's test client with the whole middleware.
"""

import io
import json
import os
import re
import tempfile
from argparse import ArgumentParser
from pathlib import Path

FOLDER = tempfile.TemporaryDirectory(prefix="armybuilder-growth-")
os.environ.setdefault("DATABASE_URL", f"sqlite:///{FOLDER.name}/growth.sqlite3")
os.environ["DEBUG_HEADERS"], os.environ["LOG_LEVEL"] = "1", "ERROR"
os.environ["DJANGO_SETTINGS_MODULE"] = "armybuilder.settings"

import django  # noqa: E402 (after the environment says which database)

django.setup()

from django.conf import settings  # noqa: E402
from django.contrib.auth import get_user_model  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402
from django.db.models import Count  # noqa: E402
from django.test import Client  # noqa: E402

from rosters.core import edits  # noqa: E402
from rosters.models import Browser, Roster  # noqa: E402
from rosters.ops import seed as seeding  # noqa: E402
from rosters.store import writer  # noqa: E402
from rosters.web.battles import service as battles  # noqa: E402
from tools.bench import enlarged, sample, seconds  # noqa: E402

ENTRIES = (1, 10, 100, 1000, 2000)
DATABASES = (100, 1000, 10_000, 100_000)
TABLES = Path("docs") / "performance.md"
DATABASE_NAMES = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}


class Browsing:
    """Somebody whose browser may edit what it makes."""

    def __init__(self):
        self.client = Client()
        self.client.get("/new/msc")
        self.client.post("/new/msc", {"name": "First"})
        self.browser = Browser.objects.latest("pk")

    def figures(self, address, sent=None):
        """Milliseconds and queries of one address; a dict is posted."""
        ask = (lambda: self.client.get(address)) if sent is None else (lambda: self.client.post(address, sent()))
        response = ask()
        assert response.status_code in (200, 302), (address, response.status_code)
        return [1000 * seconds(ask, least=0.1, rounds=3), int(response["X-Queries"])]


def off():
    """Limits would end the measuring."""
    for name in dir(settings):
        if name.endswith("_A_MINUTE"):
            setattr(settings, name, 0)


# ---------------------------------------------------------------- a roster that grows

PAGES = {
    "builder": "/r/{token}/",
    "element form": "/r/{token}/element?id={element}",
    "formation form": "/r/{token}/formation?id={formation}",
    "settings": "/r/{token}/settings",
    "sharing": "/r/{token}/sharing",
    "play page": "/r/{token}/marks",
    "add elements": "/r/{token}/add",
    "history": "/r/{token}/history",
    "compare": "/s/{token}/compare?with={token}",
    "read-only page": "/s/{token}",
    "with every receipt": "/s/{token}?receipt=all",
    "fixed version": "/s/{token}/r1",
    "print page": "/s/{token}/print",
    "preview of page 1": "/s/{token}/page.png?sheet=roster",
    "PDF, roster sheet": "/s/{token}.pdf?sheet=roster",
    "card": "/s/{token}.png",
    "QR code": "/s/{token}/qr.svg",
    "JSON": "/s/{token}.json",
    "plain text": "/s/{token}.txt",
    "Markdown": "/s/{token}.md",
    "CSV": "/s/{token}.csv",
    "BattleScribe": "/s/{token}.rosz",
    "one line": "/s/{token}/line.txt",
    "battle": "/b/{battle}",
}


def of_rosters(most):
    """For each page, milliseconds and queries for each number of entries."""
    visitor, table = Browsing(), {}
    for number in (each for each in ENTRIES if each <= most):
        roster = writer.create(enlarged(sample("6mm"), number), browser=visitor.browser).roster
        formation = roster.formations.earliest("position")
        parts = {
            "token": roster.token,
            "formation": formation.uid,
            "element": formation.elements.earliest("position").uid,
            "battle": battles.create("", [battles.RosterRef(roster)], visitor.browser).token,
        }
        for name, address in PAGES.items():
            table.setdefault(name, []).append(visitor.figures(address.format(**parts)))
        numbers = iter(range(1, 10**9))
        field = f"quantity-{parts['element']}"
        saving = visitor.figures(
            f"/r/{roster.token}/quantities", lambda n=numbers, field=field: {field: 1 + next(n) % 2}
        )
        table.setdefault("saving a quantity", []).append(saving)
    return table


# ---------------------------------------------------------------- a database that grows


def rare_word():
    """A word that one listed roster alone has."""
    roster = Roster.objects.filter(visibility="listed", sample=None).first()
    writer.apply_edit(roster, edits.settings(name="Zyzzyva Guard"), "Renamed")
    return "zyzzyva"


def of_databases(most):
    """For each page, milliseconds and queries for each number of rosters."""
    table, made = {}, 0
    for number in (each for each in DATABASES if each <= most):
        for _ in seeding.seed(number - made, number):
            pass
        made = number
        analyse()
        visitor = Browsing()
        busiest = Roster.objects.values("owner").exclude(owner=None).annotate(n=Count("pk")).latest("n")
        own = Browsing()
        own.client.force_login(get_user_model().objects.get(pk=busiest["owner"]))
        token = Roster.objects.filter(visibility="link", sample=None, owner=busiest["owner"]).first().token
        pages = {
            "home": (visitor, "/"),
            "Browse": (visitor, "/books/"),
            "gallery, twentieth page": (visitor, "/books/?page=20"),
            "gallery: a rare word": (visitor, f"/books/?q={rare_word()}"),
            "gallery: a common word": (visitor, "/books/?q=legion"),
            "gallery: two common words": (visitor, "/books/?q=iron+legion"),
            "gallery: a game and points": (visitor, "/books/?q=120&system=vsgmr"),
            "gallery: no such word": (visitor, "/books/?q=qqqqqq"),
            "read-only page": (visitor, f"/s/{token}"),
            "history": (visitor, f"/s/{token}/history"),
            "builder": (own, f"/r/{token}/"),
            "my rosters": (own, "/mine/"),
            "my rosters: search": (own, "/mine/?q=iron&sort=points"),
            "starting a roster": (visitor, "/new/6mm"),
        }
        print(number, f"(the account has {busiest['n']} rosters)", flush=True)
        for name, (who, address) in pages.items():
            table.setdefault(name, []).append(who.figures(address))
    return table


def analyse():
    """What a database does by itself in time: look at what its tables hold."""
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


# ---------------------------------------------------------------- tables


def in_markdown(heads, table):
    """A table with milliseconds, and queries behind them where they are not the same in every column."""
    lines = ["| | " + " | ".join(f"{head:,}" for head in heads) + " | queries |", "|---|" + "---:|" * (len(heads) + 1)]
    for name, figures in table.items():
        queries = sorted({queries for _, queries in figures})
        said = str(queries[0]) if len(queries) == 1 else f"{queries[0]} to {queries[-1]}"
        lines.append(f"| {name} | " + " | ".join(f"{ms:,.1f}" for ms, _ in figures) + f" | {said} |")
    return "\n".join(lines)


def put(name, text):
    """Put a table between its marks in the page about performance."""
    page = TABLES.read_text()
    mark = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end -->)", re.DOTALL)
    assert mark.search(page), f"{TABLES} has no place for {name}"
    TABLES.write_text(mark.sub(lambda found: found[1] + text + "\n" + found[2], page))


def main():
    parser = ArgumentParser()
    parser.add_argument("--rosters", type=int, default=DATABASES[-1], help="the largest database")
    parser.add_argument("--entries", type=int, default=ENTRIES[-1], help="the largest roster")
    asked = parser.parse_args()
    call_command("migrate", verbosity=0)
    call_command("load", stdout=io.StringIO())
    if Roster.objects.filter(sample=None).exists():
        raise SystemExit("The database holds rosters already: growth is measured in an empty one.")
    off()
    database = DATABASE_NAMES[connection.vendor]
    found = {"entries": of_rosters(asked.entries), "database": of_databases(asked.rosters)}
    for part, sizes, most in (("entries", ENTRIES, asked.entries), ("database", DATABASES, asked.rosters)):
        text = in_markdown([size for size in sizes if size <= most], found[part])
        print(text)
        put(f"{part}, {database}", text)
    path = Path("build") / f"growth-{connection.vendor}.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
