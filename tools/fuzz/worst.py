"""The worst documents that the limits allow, for each game, on every page of a roster: none takes long or much.

Seconds are of the processor, so that a busy machine measures nearly the same; each page is asked for when nothing of
the roster is in memory.
"""

import gc
import time
from pathlib import Path

from django.conf import settings
from django.core.cache import caches

from rosters import registry
from rosters.core import edits
from rosters.core.documents import LIMITS
from rosters.models import Browser, hashed, new_secret
from rosters.registry import SYSTEMS
from rosters.store import access, revisions, writer
from rosters.store import state as states
from rosters.templatetags import rosters as tags
from rosters.web.battles import service as battles
from rosters.web.battles.service import RosterRef
from rosters.web.builder.element_forms import _untouched_fields
from rosters.web.builder.settings import _changes
from rosters.web.printing.requests import layouts
from rosters.web.printing.views import previews
from rosters.web.sharing.cached import clear_responses
from tools.fuzz.forms import ADDRESSES, OF_A_ROSTER
from tools.fuzz.kit import Tally, no_exception, sound, undone
from tools.fuzz.site import visitor

MAX_SECONDS, MAX_MIB, MAX_BYTES = 2.0, 150, 3_000_000
MORE = (
    *("/s/{t}?receipt=all", "/r/{t}/?receipt=all", "/s/{t}?page=2", "/s/{t}?since=1", "/s/{t}/compare?with=r1"),
    *("/s/{t}.pdf?sheet=roster", "/s/{t}.pdf?receipts=1&large=1", "/s/{t}.pdf?fillable=1"),
    *("/api/v1/rosters/{t}", "/api/v1/rosters/{t}/revisions/1", "/mine/", "/b/{battle}"),
)
PAGES = [
    page
    for page in dict.fromkeys([*OF_A_ROSTER, *ADDRESSES, *MORE])
    if page in MORE or ("{t}" in page and "/abc" not in page)
]
SHAPES = ("elements", "lists", "texts")
"""As many elements as there may be; few with the longest lists; the longest texts."""

# ---------------------------------------------------------------- documents


def spread(key, number, longest=None):
    """How many items of a list each of so many elements has."""
    limit = LIMITS[key]
    return min(limit.per_element or limit.in_all, max(1, limit.in_all // number), longest or limit.in_all)


def custom(place, item):
    return {"custom": f"Own {place} {item}", "percent": place % 90 + 1}


def profile(system, place, number):
    """The profile of one of so many elements: no two alike, much of it unknown, so that much is found wrong."""
    codes = {key: [f"{key[0]}{place % 97}{n}" for n in range(spread(key, number))] for key in ("traits", "powers")}
    capabilities = [{"code": code} for code in ("T", "MW", "Drp", "Sub", "Fly", "Ch", "X1", "X2", "X3", "X4")] * 4
    capabilities = capabilities[: spread("capabilities", number)]
    if place < LIMITS["custom"].in_all:
        capabilities[-1] = custom(place, 1)
    return {
        "mini-combat": {"movement": place % 40, "to_hit": place % 8, "power": 9, "capabilities": capabilities},
        "6mm": {
            "type": ("TNK", "ART", "X")[place % 3],
            "duplicates": [{"type": "TNK", "armour": "heavy"}, {"type": "Y"}][: spread("duplicates", number)] * 5,
        },
        "msc": {"engine": place % 9, "weapons": ["F", "FL", "X", "FR"] * (spread("weapons", number) // 4)},
        "vsgmr": {"kind": "hero", "traits": codes["traits"], "powers": dict.fromkeys(codes["powers"], "superior")},
        "urutsk": {"ranged": place % 9 - 1, "fate": place % 5, "fire": "burst"},
    }[system]


def trim(elements, scale):
    """Leave out what the roster may not hold in all."""
    left = {key: int(limit.in_all * scale) for key, limit in LIMITS.items()}
    for element in elements:
        for key in ("capabilities", "duplicates", "weapons", "traits", "powers"):
            if key in element:
                items = element[key]
                kept = min(len(items), LIMITS[key].per_element, left[key])
                element[key] = dict([*items.items()][:kept]) if isinstance(items, dict) else items[:kept]
                left[key] -= kept


def texts_in(value):
    """Every text in JSON data, and every code that is a key of powers."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from value.get("powers", ())
        yield from (text for each in value.values() for text in texts_in(each))
    elif isinstance(value, list):
        yield from (text for each in value for text in texts_in(each))


def worst(system, shape, scale=1.0):
    """A document at the limits, ``scale`` of them for a short trial."""
    most = max(1, int(LIMITS["elements"].in_all * scale))
    number = most // 10 if shape == "lists" else most
    elements = [
        {
            "name": f"{place} and on",
            "notes": f"{place} and more " * 900 if shape == "texts" and place < 3 else "",
            "quantity": place % 3 + 1,
            "secret": place % 7 == 0,
            **profile(system, place, number),
        }
        for place in range(number)
    ]
    trim(elements, scale)
    if shape == "texts":
        left = int(LIMITS["text"].in_all * 0.95 * scale) - sum(map(len, texts_in(elements)))
        for element in elements:
            element["name"] += f"{'漢é W' * 40}"[: max(0, min(left // number, 98))]
    groups = min(LIMITS["formations"].in_all, number)
    formations = [{"name": f"Group {place}", "elements": elements[place::groups]} for place in range(groups)]
    return {
        "format": "armybuilder-roster",
        "version": 1,
        "system": system,
        "name": "Worst",
        "formations": formations,
    }


# ---------------------------------------------------------------- pages


def forget():
    """Drop what the process keeps of rosters, so that the next page works it out anew."""
    held = (states._cache, revisions._secrets, layouts, previews, _untouched_fields, _changes)
    for cache in (*held, *caches.all()):
        cache.clear()
    clear_responses()
    tags._render_part.cache_clear()
    gc.collect()


def memory(line):
    """MiB, from a line of the process's status."""
    text = Path("/proc/self/status").read_text()
    return int(text.partition(f"{line}:")[2].split()[0]) // 1024


def ask(client, address):
    """Ask for a page; fail if it takes too long, too much memory, or too many bytes, twice: the first time in a process
    it may also compile templates.
    """
    for _time in range(2):
        forget()
        Path("/proc/self/clear_refs").write_text("5")  # the peak begins anew
        before, start = memory("VmRSS"), time.process_time()
        with no_exception():
            response = sound(client.get(address))
        seconds, mib, size = time.process_time() - start, memory("VmHWM") - before, len(response.content)
        if seconds <= MAX_SECONDS and mib <= MAX_MIB and size <= MAX_BYTES:
            return seconds, mib, size
    raise AssertionError(f"{seconds:.2f} s, {mib} MiB, {size:,} bytes")


class Roster:
    """A worst roster with a past and a battle, and the browser that may edit it."""

    def __init__(self, system, shape, scale):
        secret = new_secret()
        browser = Browser.objects.create(key_hash=hashed(secret))
        document = registry.read(worst(system, shape, scale), limited=True)
        roster = writer.create(document, browser=browser).roster
        document = states.current_state(roster).document
        every = {str(each.id): each.quantity + 1 for each in document.elements}
        writer.apply_edit(roster, edits.set_quantities(every), "Changed every element")
        roster.refresh_from_db()
        third = registry.read(worst(system, shape, scale / 3), limited=True)
        battle = battles.create("", [RosterRef(writer.create(third).roster) for _side in range(2)], browser)
        self.client = visitor({settings.BROWSER_COOKIE: secret})
        group = document.formations[0]
        place = {"t": roster.token, "f": group.id, "e": group.elements[0].id, "sample": roster.token}
        link = access.create_link(roster, "Ana's phone").pk
        self.place = place | {"battle": battle.token, "link": link, "editor": roster.editors.get().pk}


def run(cases, seed, systems=tuple(SYSTEMS), shapes=SHAPES, scale=1.0):
    tally = Tally()
    for system in systems:
        for shape in shapes:
            with undone():
                roster = Roster(system, shape, scale)
                for page in PAGES:
                    address = page.format(**roster.place)
                    with tally.case(lambda case=(system, shape, page): {"case": case}):
                        seconds, mib, size = ask(roster.client, address)
                        for name, figure in (("ms", int(seconds * 1000)), ("MiB", mib), ("kB", size // 1000)):
                            tally.figures[f"most {name}"] = max(tally.figures[f"most {name}"], figure)
    return tally
