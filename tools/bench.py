"""Figures beside floors measured in the same run: python -m tools.bench [NAME] writes build/bench.json.

Times are of the processor, the best median of several rounds, through Django's test client with the whole middleware,
on a database of its own. A figure is only as good as its ratio to the floor beside it; one that is larger than its aim
is a failure. NAME picks the figures whose names contain it.
"""

import json
import os
import re
import statistics
import sys
import tempfile
import time
from importlib import import_module
from itertools import cycle
from pathlib import Path
from urllib.parse import urlencode

FOLDER = tempfile.TemporaryDirectory(prefix="armybuilder-bench-")
os.environ["DATABASE_URL"] = f"sqlite:///{FOLDER.name}/bench.sqlite3"
os.environ["DEBUG_HEADERS"], os.environ["LOG_LEVEL"] = "1", "ERROR"
os.environ["DJANGO_SETTINGS_MODULE"] = "armybuilder.settings"

import django  # noqa: E402 (after the environment says which database)

django.setup()

from django.conf import settings  # noqa: E402
from django.core.cache import caches  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.test import Client  # noqa: E402

from rosters import registry  # noqa: E402
from rosters.core import documents  # noqa: E402
from rosters.core.appraisals import terms_of  # noqa: E402
from rosters.pdf.job import PrintOptions  # noqa: E402
from rosters.store import writer  # noqa: E402
from rosters.store.state import read_document  # noqa: E402
from rosters.web.battles import service as battles  # noqa: E402
from rosters.web.http.permissions import browser_for  # noqa: E402
from rosters.web.printing import service as printing  # noqa: E402
from rosters.web.printing.requests import layouts  # noqa: E402
from rosters.web.sharing import cached  # noqa: E402
from tests.rendered_forms import parse_form  # noqa: E402
from tools.rates import rate  # noqa: E402
from tools.served import Visitor, served  # noqa: E402

settings.ROOT_URLCONF = "tools.bench_urls"
for limit in [name for name in dir(settings) if name.endswith("_A_MINUTE")]:
    setattr(settings, limit, 0)

SAMPLES = {
    "mini-combat": "second-world-war",
    "6mm": "rommel",
    "msc": "book-squadron",
    "vsgmr": "justice-team",
    "urutsk": "ferry-crossing-garrison",
}


ROUNDS = 7
"""Runs of a second for each address that is served, in turn: the machine has other work, too."""


def sample(system):
    """The sample army of a system that the figures are measured on."""
    path = settings.ARMIES / system / f"{SAMPLES[system]}.json"
    return registry.read(documents.parse(path.read_bytes()))


def enlarged(document, number):
    """A roster of ``number`` elements in formations of 25, made of the sample's elements in turn."""
    data = documents.write(document)
    elements = [element for formation in data["formations"] for element in formation["elements"]]
    many = [
        {**elements[n % len(elements)], "name": f"{elements[n % len(elements)]['name']} {n}"} for n in range(number)
    ]
    groups = [{"name": f"Group {n // 25}", "elements": many[n : n + 25]} for n in range(0, number, 25)]
    return registry.read({**data, "formations": groups})


def seconds(call, least=0.25, rounds=5):
    """Seconds for one call: the lowest of several rounds' medians."""
    return min(medians(call, least=least, rounds=rounds)[0])


def medians(*calls, least=0.25, rounds=5):
    """The medians of several rounds for each call, in turn: a shared machine is faster in some seconds."""
    found = [[] for _call in calls]
    for call in calls:
        call()
    for _ in range(rounds):
        for call, each in zip(calls, found, strict=True):
            times, end = [], time.process_time() + least / rounds
            while not times or time.process_time() < end:
                start = time.process_time()
                call()
                times.append(time.process_time() - start)
            each.append(statistics.median(times))
    return found


def prices(system):
    """Prices a second of the sample's elements, pure."""
    document, rules = sample(system), registry.SYSTEMS[system].rules
    elements = document.elements
    terms = terms_of(document)

    def price_all():
        for element in elements:
            rules.price(element, terms)

    return len(elements) / seconds(price_all)


class Site:
    """A client whose browser may edit, and rosters for it."""

    def __init__(self):
        self.client = Client()
        request = type("Request", (), {"COOKIES": {}})()
        self.browser = browser_for(request)
        self.client.cookies[settings.BROWSER_COOKIE] = request.COOKIES[settings.BROWSER_COOKIE]

    def roster(self, system, number):
        return writer.create(enlarged(sample(system), number), browser=self.browser).roster

    def get(self, address):
        response = self.client.get(address)
        assert response.status_code == 200, (address, response.status_code)
        return response

    def bare(self):
        self.get("/bare")

    def post(self, address, data, status, **headers):
        self.client.cookies.pop("messages", None)  # a browser reads them on the page that follows
        sent = data if isinstance(data, str) else urlencode(data, doseq=True)
        form = "application/x-www-form-urlencoded"
        response = self.client.post(address, sent, content_type=form, headers=headers)
        assert response.status_code == status, (address, response.status_code)
        return response


def form_data(roster, document, element):
    """What a browser would send for an element's form as it stands."""
    system = registry.SYSTEMS[roster.system]
    form = system.forms.ElementForm(rules=system.rules, terms=terms_of(document), element=element)
    return dict(parse_form(form).form_data().lists())


def rows(wanted):
    """Every figure: name, value and unit; with a floor its name and value, the ratio, and the largest one aimed at."""
    from tools import bench_battles, bench_sheets  # the other PDF libraries are an extra, which growth does without

    yield from bench_battles.rows(wanted)
    site = Site()
    for system in registry.SYSTEMS:
        yield {"figure": f"prices a second, {system}", "value": prices(system), "unit": "/s"}
    for number in (10, 100, 1000):
        document = enlarged(sample("6mm"), number)
        value = seconds(lambda document=document: registry.appraise(document))
        yield {"figure": f"appraisal of {number} elements", "value": value * 1000, "unit": "ms"}
    for number in (10, 100, 1000):
        roster = site.roster("6mm", number)
        floor = seconds(lambda number=number: site.get(f"/plain/{number}"))
        address = f"/r/{roster.token}/"
        response = site.get(address)
        yield {
            **compared(
                f"roster page of {number} elements", seconds(lambda a=address: site.get(a)), "plain rows", floor
            ),
            "queries": int(response["X-Queries"]),
            "kB": len(response.content) / 1000,
        }
    yield from shared_page(site)
    for system in registry.SYSTEMS:
        for part in (taps, quantities, edits_of):
            yield from part(site, system)
    for system in registry.SYSTEMS:
        yield from every_page(site, system, wanted)
    yield from prints(site)
    for name, value, unit, floor_name, floor in bench_sheets.figures():
        row = {"figure": name, "value": value, "unit": unit, "floor": floor_name, "floor_value": floor}
        yield {**row, "ratio": value / floor}


def shared_page(site):
    """The shared page of 100 elements: drawn, and, by the server that ships, from the cache and unchanged (304)."""
    roster, stranger = site.roster("6mm", 100), Client()
    address = f"/s/{roster.token}"

    def draw():
        cached.clear_responses()
        return stranger.get(address)

    floor = seconds(lambda: site.get("/plain/100"))
    response = draw()
    drawn = seconds(draw)
    yield {
        **compared("shared page of 100 elements", drawn, "plain rows", floor),
        "queries": int(response["X-Queries"]),
        "kB": len(response.content) / 1000,
    }
    with served(os.environ["DATABASE_URL"]) as server:
        tag = Visitor(server).get(address)[1]["ETag"]
        asked = {"/health": {}, address: {}, f"{address}?": {"If_None_Match": tag}}
        rates = {path: [] for path in asked}
        for _ in range(ROUNDS):
            for path, headers in asked.items():
                rates[path].append(rate(server.address + path, **headers))
    floors, pages, known = rates.values()
    for name, values, least in (("the same, served", pages, 0.5), ("the same, served, 304", known, 0.6)):
        value, floor = (1 / statistics.median(each) for each in (values, floors))
        # In turn, because others work here, too; a round in which nothing was answered says nothing.
        ratio = statistics.median(b / a for a, b in zip(values, floors, strict=True) if a)
        yield compared(name, value, "/health", floor, round(1 / least, 2)) | {"ratio": ratio}


PAGES = {
    "builder": "/r/{token}/",
    "element form": "/r/{token}/element?id={element}",
    "new element": "/r/{token}/element?in={formation}",
    "formation form": "/r/{token}/formation?id={formation}",
    "settings": "/r/{token}/settings",
    "sharing": "/r/{token}/sharing",
    "links and editors": "/r/{token}/links",
    "play page": "/r/{token}/marks",
    "add elements": "/r/{token}/add?from={token}",
    "history": "/r/{token}/history",
    "compare": "/s/{token}/compare?with={token}",
    "with every receipt": "/s/{token}?receipt=all",
    "shared history": "/s/{token}/history",
    "fixed version": "/s/{token}/r1",
    "print page": "/s/{token}/print",
    "battle": "/b/{battle}",
}
FORMS = ("element form", "new element")
ROW = re.compile(rb"<tr[ >]|<li[ >]|<option|<label")
"""What counts as a row: of a table, of a list, of a choice or of a form."""
MODEL = re.compile(rb'name="box"\s+value="(\S+ \d+) ')
"""On the play page each model counts as a row, however many boxes it has."""
FEW = 15
"""The largest ratio to a bare view of a page with few rows: its frame takes longer than they do."""


def every_page(site, system, wanted):
    """Each page of 1, 100 and 1,000 elements beside the plain page of as many rows.

    Of one element only the forms have an aim: in the other pages the frame takes longer than what they show.
    """
    for number in (1, 100, 1000):
        roster = site.roster(system, number)
        first = read_document(roster).formations[0]
        battle = battles.create("", [battles.RosterRef(roster)], site.browser).token
        parts = {"token": roster.token, "formation": first.id, "element": first.elements[0].id, "battle": battle}
        for name, address in PAGES.items():
            figure, page = f"{name} of {number}, {system}", address.format(**parts)
            if wanted in figure:
                content = site.get(page).content
                rows = len(ROW.findall(content)) + len({*MODEL.findall(content)})
                addresses = (page, f"/plain/{rows}", "/bare")
                calls = [lambda a=a: site.get(a) for a in addresses]
                drawn, plain, bare = map(min, medians(*calls, least=0.1, rounds=4))
                few = 4 * plain < FEW * bare
                floor, aim = (("bare view", bare), FEW) if few else ((f"{rows} plain rows", plain), 4)
                yield compared(figure, drawn, *floor, aim if number > 1 or name in FORMS else None)


def beside(name, call, floor_name, floor, aim=None):
    """A call beside a floor that is called in turn with it."""
    value, least = map(min, medians(call, floor))
    return compared(name, value, floor_name, least, aim)


def taps(site, system):
    """A tap on a box of the play page."""
    address = f"/r/{site.roster(system, 100).token}/marks"
    box = re.search(r'name="box"\s+value="([^"]+) 1"', site.get(address).content.decode())[1]
    marked = cycle("10")

    def tap():
        site.post(f"{address}/box", {"request_id": "", "box": f"{box} {next(marked)}"}, 302)

    yield beside(f"a tap on a box, {system}", tap, "bare view", site.bare)


def quantities(site, system):
    """Saving one quantity of 100 elements, and of 1,000 beside it."""

    def saving(number):
        roster, turn = site.roster(system, number), cycle((2, 3))
        field = f"quantity-{read_document(roster).formations[0].elements[0].id}"
        return lambda: site.post(f"/r/{roster.token}/quantities", {field: next(turn)}, 302)

    of_100 = saving(100)
    yield beside(f"saving a quantity of 100, {system}", of_100, "bare view", site.bare, 20)
    yield beside(f"saving a quantity of 1000, {system}", saving(1000), "that of 100", of_100, 3)


def edits_of(site, system):
    """The live receipt and a saved edit on a roster of 100 elements."""
    roster = site.roster(system, 100)
    document = read_document(roster)
    element = document.formations[1].elements[3]
    data = form_data(roster, document, element)
    preview = f"/r/{roster.token}/element/preview?id={element.id}"
    save, turn = f"/r/{roster.token}/element?id={element.id}", iter(range(10**9))
    sent = urlencode(data, doseq=True)

    def live():
        site.post(preview, sent, 200, **{"HX-Request": "true", "HX-Target": "preview"})

    def edit():
        site.post(save, {**data, "notes": [f"note {next(turn)}"]}, 302)

    yield beside(f"live receipt, {system}", live, "bare view", site.bare, 10)
    yield beside(f"saving an edit, {system}", edit, "bare view", site.bare)


GOAL = 3
"""Seconds for 1,000 records, and for the sheets of 1,000 elements."""
OLD_RECORD, OLD_PACK, OLD_PAGES = 8.9, 13.7, 12
"""At 8ce3b3e, before records were drawn from their numbers: a request of one beside a page with a string (13.8 ms and
1.55 ms), and the sheets of 35 ships beside as many pages as they then had (38 ms and 2.8 ms).
"""


def prints(site):
    """Sheets of 1,000 elements, a request of one record and the sheets of 35 ships; fields beside none."""
    from tools.bench_sheets import HEAD, copy_of, one_string_a_page, seconds, ships  # as above

    def drawn(document, *sheets, fillable=False):
        copy, options = copy_of(document), PrintOptions(sheets=sheets, fillable=fillable)
        return lambda: printing.roster_print([copy], options).pdf()

    fleet = {**HEAD, "formations": [{"name": "Fleet", "elements": [*ships(1000)]}]}
    yield compared("1,000 different ship records", seconds(drawn(fleet, "records")), "the goal", GOAL, 1)
    for system in registry.SYSTEMS:
        document = documents.write(enlarged(sample(system), 1000))
        yield compared(f"sheets of 1,000 elements, {system}", seconds(drawn(document)), "the goal", GOAL, 1)
    roster = site.roster("msc", 1)

    def request():
        layouts.clear()
        caches["responses"].clear()
        site.get(f"/r/{roster.token}/sheets.pdf?sheet=records")

    floor = seconds(lambda: one_string_a_page(1))
    yield compared("one ship record, requested", seconds(request), "a string on a page", floor, 2 * OLD_RECORD)
    navy = documents.parse((settings.ARMIES / "msc/hearthward-navy.json").read_bytes())
    floor = seconds(lambda: one_string_a_page(OLD_PAGES))
    yield compared("sheets of 35 ships", seconds(drawn(navy)), f"{OLD_PAGES} pages", floor, 2 * OLD_PACK)
    plain, fillable = drawn(navy, "records"), drawn(navy, "records", fillable=True)
    yield compared("35 fillable records", seconds(fillable), "plain ones", seconds(plain), 3)
    sizes = [len(draw()) / 1000 for draw in (fillable, plain)]
    row = {"figure": "the same, size", "value": sizes[0], "unit": "kB", "floor": "plain ones", "floor_value": sizes[1]}
    yield {**row, "ratio": sizes[0] / sizes[1], "aim": 4}


def compared(name, value, floor_name, floor, aim=None):
    return {
        "aim": aim,
        "figure": name,
        "value": value * 1000,
        "unit": "ms",
        "floor": floor_name,
        "floor_value": floor * 1000,
        "ratio": value / floor,
    }


def main():
    call_command("migrate", verbosity=0)
    call_command("load", verbosity=0)
    import_module("armybuilder.asgi")  # every view is imported, and the garbage collector set, as in the server
    found, wanted = [], "".join(sys.argv[1:2])
    for row in rows(wanted):
        if wanted not in row["figure"]:
            continue
        found.append(row)
        unit = row["unit"]
        floor = f"{row['ratio']:6.2f} × {row['floor']} ({row['floor_value']:,.3f} {unit})" if "ratio" in row else ""
        extra = f"  {row['queries']} queries, {row['kB']:.0f} kB" if "queries" in row else ""
        if row.get("aim"):
            extra += f"  aim {row['aim']}{', MISSED' if missed(row) else ''}"
        print(f"{row['figure']:<38}{row['value']:>12,.3f} {row['unit']:<4}{floor}{extra}", flush=True)
    path = Path("build") / "bench.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({"element_sizes": [10, 100, 1000], "rows": found}, indent=1))
    misses = [row["figure"] for row in found if missed(row)]
    print(f"{len(misses)} of {sum(bool(row.get('aim')) for row in found)} aims missed", *misses, sep="\n  ")
    raise SystemExit(bool(misses))


def missed(row):
    """Whether a figure is larger than its aim."""
    return bool(row.get("aim")) and row["ratio"] > row["aim"]


if __name__ == "__main__":
    main()
