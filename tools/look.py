"""What a page's look and pace are held to, in a real browser: python -m tools.look prints each measure beside its goal.

A measure that does not hold is a failure. The site runs in a process of its own, on a database of its own.
"""

import os
import re
import sys
import tempfile
from secrets import token_hex

from playwright.sync_api import sync_playwright

FOLDER = tempfile.TemporaryDirectory(prefix="armybuilder-look-")
os.environ["DATABASE_URL"] = f"sqlite:///{FOLDER.name}/look.sqlite3"
os.environ["DJANGO_SETTINGS_MODULE"] = "armybuilder.settings"

import django  # noqa: E402 (after the environment says which database)

django.setup()

from rosters import registry  # noqa: E402
from rosters.models import Roster  # noqa: E402
from tools import chromium  # noqa: E402
from tools.samples import SAMPLE_OF, own  # noqa: E402
from tools.served import served  # noqa: E402

PHONE, TABLET, DESK = ({"width": width, "height": height} for width, height in ((360, 780), (768, 1024), (1280, 800)))
PLAYED = (
    ("6mm/boudicca", PHONE, 2100),
    ("msc/hearthward-navy", PHONE, 4600),
    ("msc/hearthward-navy", DESK, 2200),
    ("urutsk/ferry-crossing-garrison", PHONE, 2900),
)
"""Sample rosters on the play page, and the goal for its height."""
FULLEST = (("mini-combat/science-fiction-legions", "Titan"), ("6mm/rommel", "Infantry in half-tracks"))
"""Sample rosters, each with an element that has many options."""
FRENCH = [
    "6 msk +1 Line infantry",
    "2 msk elite +1 Guard infantry",
    "2 cav/u good Cavalry",
    "cav/a +1 Cuirassiers",
    "ski/m good superior general Napoleon",
    "2 art smoothbore no transport Cannon",
    "ski/m good Light cavalry",
]
"""Napoleon's army of the samples, as lines of quick add."""
SHORT = {"superior general": "superi", "smoothbore": "sm", "no transport": "no", "elite": "eli", "good": "go"}

BROKEN_WORDS = r"""() => {
  // for screen readers alone: in a box of a pixel
  const isHiding = (element) => element.clientWidth <= 1 && getComputedStyle(element).overflow === 'hidden';
  const isClipped = (element) => element && (isHiding(element) || isClipped(element.parentElement));
  const broken = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (parent.closest('script, style, svg, textarea, pre, code, .visually-hidden')) continue;
    if (!parent.checkVisibility() || isClipped(parent)) continue;
    for (const word of node.data.matchAll(/[^\s\u200b\-–—\/·×…]+/g)) {
      const range = document.createRange();
      range.setStart(node, word.index);
      range.setEnd(node, word.index + word[0].length);
      const lines = new Set([...range.getClientRects()].filter(box => box.width > 0).map(box => Math.round(box.top)));
      if (lines.size > 1) broken.push(word[0]);
    }
  }
  return broken;
}"""
COVERED = """() => {
  const element = document.activeElement, box = element.getBoundingClientRect();
  if (element === document.body || !box.width || !box.height) return null;
  const x = box.left + box.width / 2, y = box.top + box.height / 2;
  const top = document.elementFromPoint(x, y);
  const over = top && [...(function* () { for (let e = top; e; e = e.parentElement) yield e; })()]
    .find(e => ['sticky', 'fixed'].includes(getComputedStyle(e).position));
  const name = element.name || element.id || element.textContent.trim().slice(0, 30);
  return {name, hidden: !top || Boolean(over && !over.contains(element))};
}"""
"""The focused element, and whether something sticky lies over its middle; null at the end of the page."""
MISPLACED_TOOLS = """() => [...document.querySelectorAll('.site-menu > summary, .app-bar .tools .btn')]
  .filter(each => each.checkVisibility()).map(each => [each, each.getBoundingClientRect()])
  .filter(([, box], number, all) => number
    && (Math.abs(box.top - all[0][1].top) > 1 || box.left < all[number - 1][1].right + 4))
  .map(([each]) => each.textContent.trim())"""
"""The buttons of a builder's head that are not on the line of the first, or nearer than 4 px to the one before."""
TOTAL_IS_HIDDEN = """() => {
  scrollTo(0, 300);
  const { left, top } = document.querySelector('main .summary .total').getBoundingClientRect();
  return !document.elementFromPoint(left + 5, top + 5).closest('.summary');
}"""
"""Whether something lies over the points of a roster that is scrolled."""
WIDE = "document.documentElement.scrollWidth > innerWidth"
DOUBLE_LETTERS = """() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('html { font-size: 200% }');
  document.adoptedStyleSheets = [sheet];
}"""
TOPS = """(id) => {
  const rows = [...document.querySelectorAll('#grid tr[id]')], last = rows.findIndex(row => row.id === id);
  return Object.fromEntries(rows.slice(0, last + 1).map(row => [row.id, row.getBoundingClientRect().top]));
}"""
"""How far from the top of the window a row and those above it are, by id."""


class Measures:
    """The measures that were taken, and whether all hold."""

    def __init__(self):
        self.failed = []

    def add(self, name, value, goal, detail=""):
        """A value that may be at most its goal."""
        holds = value <= goal
        if not holds:
            self.failed.append(name)
        print(
            f"{name:<66}{value:>8,} {'≤' if holds else '>'} {goal:,}{'' if holds else '  MISSED'} {detail}", flush=True
        )


class Look:
    """A browser on a site with the sample rosters."""

    def __init__(self, browser, site, tokens, measures):
        self.site, self.tokens, self.measures = site, tokens, measures
        self.page = browser.new_page(viewport=DESK)
        self.page.set_default_timeout(60_000)

    def copy_of(self, sample):
        """The address of a roster of this browser's own that began as a sample."""
        return own(self.page, self.site.address, self.tokens[sample])

    def empty_roster(self, system):
        """The address of a new roster, whose page is open."""
        self.page.goto(f"{self.site.address}/new/{system}")
        with self.page.expect_navigation():
            self.page.locator("main form button.btn-primary").first.click()
        return re.match(r".*/r/[\w-]+/", self.page.url)[0]

    def over_limit(self, system):
        """The address of a copy of a sample that is four points over its limit, with a change to undo."""
        builder = self.copy_of(SAMPLE_OF[system])
        points = float(self.page.locator(".summary [data-points]").get_attribute("data-points"))
        self.page.goto(builder + "settings")
        if self.page.locator('[name="size"]').count():
            self.page.locator('[name="size"][value="other"]').check()
        self.page.locator('[name="budget"]').fill(f"{points - 4:g}")
        self.page.locator('[name="budget"]').press("Enter")
        self.page.locator(".verdict .bad").wait_for()
        return builder

    def height(self, address, viewport):
        self.page.set_viewport_size(viewport)
        self.page.goto(address)
        return self.page.evaluate("document.documentElement.scrollHeight")

    def new_element(self, builder):
        """The address of the form of a roster's new element."""
        self.page.goto(builder)
        href = self.page.locator('a[href*="/element?in="]').first.get_attribute("href")
        return self.site.address + href


def editors(look):
    """Heights of the forms of new elements, and of some with many options."""
    for sample, name in FULLEST:
        look.page.goto(look.copy_of(sample))
        form = look.page.locator("#grid th > a", has_text=name).first.get_attribute("href")
        look.measures.add(f"editor, {name}, 360 px wide: height", look.height(look.site.address + form, PHONE), 1500)
    for system in registry.SYSTEMS:
        address = look.new_element(look.copy_of(SAMPLE_OF[system]))
        if system == "mini-combat":
            look.measures.add(f"editor, {system}, 1280 px wide: height", look.height(address, DESK), 900)
        look.measures.add(f"editor, {system}, 360 px wide: height", look.height(address, PHONE), 1500)
        steps = look.page.locator(".step").evaluate_all("all => all.map(each => each.getBoundingClientRect().width)")
        lacking = max((44 - width for width in steps), default=0)
        look.measures.add(f"editor, {system}, 360 px wide: what steps lack of 44 px", max(round(lacking), 0), 0)
        stops, hidden = focus_stops(look.page)
        look.measures.add(f"editor, {system}, 360 px wide: of {stops} stops hidden", len(hidden), 0, hidden)


def focus_stops(page):
    """How many elements Tab reaches, and the names of those under something sticky."""
    page.evaluate("document.activeElement.blur(); scrollTo(0, 0)")
    stops, hidden = 0, []
    for _ in range(400):
        page.keyboard.press("Tab")
        page.wait_for_timeout(20)  # for a row that opens
        stop = page.evaluate(COVERED)
        if stop is None:
            break
        stops += 1
        hidden += [stop["name"]] * stop["hidden"]
    return stops, hidden


def phone(look):
    """The builder and the play page on a phone."""
    for system in registry.SYSTEMS:
        builder = look.copy_of(SAMPLE_OF[system])
        look.height(builder, PHONE)
        top = look.page.locator("tbody tr th").first.bounding_box()["y"]
        look.measures.add(f"builder, {system}, 360 px wide: first element from the top", round(top), 200)
        stops, hidden = focus_stops(look.page)
        look.measures.add(f"builder, {system}, 360 px wide: of {stops} stops hidden", len(hidden), 0, hidden)
        misplaced = look.page.evaluate(MISPLACED_TOOLS)
        look.measures.add(f"builder, {system}, 360 px wide: misplaced tools", len(misplaced), 0, misplaced)
        look.page.set_viewport_size(TABLET)
        look.measures.add(f"builder, {system}, 768 px wide: points hidden", int(look.page.evaluate(TOTAL_IS_HIDDEN)), 0)
        look.page.locator('#grid [name="pick"]').first.check()
        scrolled = look.page.locator(".bulk-fields").evaluate("each => each.scrollWidth - each.clientWidth")
        look.measures.add(f"builder, {system}, 768 px wide: fields of a selection out of sight", scrolled, 0)
    look.height(look.over_limit("6mm") + "history", PHONE)
    top = look.page.locator(".revisions tr[id]").first.bounding_box()["y"]
    look.measures.add("history, 360 px wide: first change from the top", round(top), 240)
    for sample, viewport, goal in PLAYED:
        height = look.height(look.copy_of(sample) + "marks", viewport)
        look.measures.add(f"play, {sample}, {viewport['width']} px wide: height", height, goal)


def save_in_panel(page):
    """Change the quantity in the element's form, and save it."""
    quantity = page.locator('#editor-panel [name="quantity"]')
    quantity.fill("4")
    quantity.press("Enter")
    quantity.wait_for(state="detached")


def press(row, action):
    """Press a button of a row; its dots unfold it, or on a phone the menu of the line under the row."""
    menu = row.page.locator(f"#{row.get_attribute('id')} + .opened:visible summary")
    if menu.count():
        menu.click()
        row = menu.locator("..")
    else:
        row.locator(".tools").hover()
    row.locator(f'[formaction$="/element/{action}"]').click()


ACTIONS = {
    "quantity": lambda row: row.locator(".quantity").fill("3") or row.locator(".quantity").press("Enter"),
    "cell": lambda row: row.locator("td[data-label][data-v]").first.click() or row.page.keyboard.type("13\n"),
    "panel": lambda row: row.locator("th a").click() or save_in_panel(row.page),
    "duplicate": lambda row: press(row, "duplicate"),
    "split": lambda row: press(row, "split"),
    "delete": lambda row: press(row, "delete"),
    "undo": lambda row: row.page.locator('#messages button[form="undo"]').click(),
}


def elements_of(look, token):
    """The elements of a saved roster without ids and notes, in order."""
    document = look.page.request.get(f"{look.site.address}/s/{token}.json").json()
    elements = [element for formation in document["formations"] for element in formation["elements"]]
    return [{key: value for key, value in each.items() if key not in ("id", "notes")} for each in elements]


def token_of(builder):
    return builder.split("/r/")[1].strip("/")


def typed_army(look, name, lines, goal):
    """Type lines into an empty roster by keyboard alone, from the first key after the page has loaded."""
    token = token_of(look.empty_roster("6mm"))
    look.page.locator("#line:focus").wait_for()  # browsers focus it with the first frame, perhaps after the load
    for line in lines:
        look.page.keyboard.type(line + "\n", delay=20)
        look.page.wait_for_function("() => document.activeElement.id === 'line' && document.activeElement.value === ''")
    look.page.locator("#grid tr[id]").nth(len(lines) - 1).wait_for()
    meant = elements_of(look, look.tokens["6mm/napoleon"])
    wrong = [typed for typed in elements_of(look, token) if typed not in meant]
    look.measures.add(f"Napoleon's French, {name}: keys", sum(len(line) + 1 for line in lines), goal)
    look.measures.add(f"Napoleon's French, {name}: elements typed wrong", len(wrong), 0, wrong)


def pace(look):
    """Keys for an army of seven lines, and clicks for another quality of ten elements."""
    look.page.set_viewport_size(DESK)
    abbreviated = [re.sub("|".join(SHORT), lambda word: SHORT[word[0]], line) for line in FRENCH]
    typed_army(look, "words", FRENCH, 195)
    typed_army(look, "abbreviated", abbreviated, 165)
    token = token_of(look.empty_roster("6mm"))
    for number, letter in enumerate("ABCDEFGHIJ"):
        look.page.keyboard.type(f"msk Battalion {letter}\n", delay=20)
        look.page.locator("#grid tr[id]").nth(number).wait_for()
    bar, boxes = look.page.locator(".bulk"), look.page.locator('#grid tr[id] [name="pick"]')
    actions = [
        boxes.first.click,
        lambda: boxes.last.click(modifiers=["Shift"]),
        lambda: bar.locator('[data-set="quality"]').select_option("elite"),
        lambda: bar.locator("[data-apply]").click(),
    ]
    for act in actions:
        act()
    bar.locator("[data-undo]").wait_for()
    same = sum(each.get("quality") != "elite" for each in elements_of(look, token))
    look.measures.add("ten elements of another quality: actions", len(actions), 4)
    look.measures.add("ten elements of another quality: left as they were", same, 0)


def movement(look):
    """How far a row and those above it move when something is done with it."""
    for viewport in (PHONE, DESK):
        look.page.set_viewport_size(viewport)
        look.page.goto(look.copy_of(SAMPLE_OF["mini-combat"]))
        row = look.page.locator("#grid tr[id]").nth(6)  # above what a notice covers
        row.locator(".sum").click()
        uid, moved = row.get_attribute("id"), {}
        for name, act in ACTIONS.items():
            row = look.page.locator(f"#{uid}")
            row.hover()
            before = look.page.evaluate(TOPS, uid)
            revision = look.page.locator("#grid").get_attribute("data-revision")
            act(row)
            look.page.wait_for_function(
                "(old) => document.getElementById('grid').dataset.revision !== old", arg=revision
            )
            look.page.wait_for_timeout(100)
            uid = [*before][-2] if name == "delete" else uid
            after = look.page.evaluate(TOPS, uid)
            moved[name] = max(abs(after[each] - top) for each, top in before.items() if each in after)
        label = f"builder, {viewport['width']} px wide: movement above the pointer"
        look.measures.add(label, round(max(moved.values())), 0, {k: v for k, v in moved.items() if v})


def words(look):
    """Words broken inside, and pages wider than the window, from 320 to 1280 px."""
    addresses = [look.site.address + path for path in ("/", "/books/", "/mine/", "/import", "/battles/new")]
    for system in registry.SYSTEMS:
        addresses += [f"{look.site.address}/{path}/{system}" for path in ("new", "explain")]
        builder = look.copy_of(SAMPLE_OF[system])
        addresses += [builder + path for path in ("", "settings", "sharing", "links", "history", "marks", "add")]
        addresses += [look.new_element(builder), builder.replace("/r/", "/s/"), builder.replace("/r/", "/s/") + "print"]
    addresses.append(look.over_limit("6mm"))
    broken, wide = set(), set()
    for address in addresses:
        for width in (320, 360, 768, 1280):
            look.page.set_viewport_size({"width": width, "height": 900})
            look.page.goto(address)
            broken |= {(word, width) for word in look.page.evaluate(BROKEN_WORDS)}
            if look.page.evaluate(WIDE):
                wide.add((address.removeprefix(look.site.address), width))
            if width == PHONE["width"]:
                look.page.evaluate(DOUBLE_LETTERS)
                if look.page.evaluate(WIDE):
                    wide.add((address.removeprefix(look.site.address) + ", letters of twice the size", width))
    look.measures.add(f"words broken inside, {len(addresses)} pages at four widths", len(broken), 0, sorted(broken))
    look.measures.add("pages wider than the window", len(wide), 0, sorted(wide))


def first_screen(look):
    """A new roster: nothing is red, and no secret link is shown. The first game of the home page can be started."""
    with look.page.context.browser.new_context(viewport=PHONE) as visitor:
        page = visitor.new_page()
        page.goto(look.site.address)
        start = page.locator(".game .btn-primary").first.bounding_box()
        look.measures.add("home, 360 px wide: end of the first game's button", round(start["y"] + start["height"]), 780)
    look.empty_roster("6mm")
    text = look.page.locator("main").inner_text()
    look.measures.add("new roster: marks of an error", look.page.locator("main .bad:visible").count(), 0)
    secrets = len(re.findall(r"/edit/|/e/", text)) + look.page.locator('input[value*="/e/"]').count()
    look.measures.add("new roster: secret links", secrets, 0)


def cold_page(look):
    """The builder in a browser that has nothing cached."""
    builder = look.copy_of(SAMPLE_OF["6mm"])
    look.page.goto("about:blank")
    session = look.page.context.new_cdp_session(look.page)
    session.send("Network.enable")
    session.send("Network.clearBrowserCache")
    sizes = []
    session.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    look.page.goto(builder, wait_until="networkidle")
    sent = [size for size in sizes if size]  # none for what the page itself holds, or what was fetched before
    look.measures.add("builder, cold: requests", len(sent), 12)
    look.measures.add("builder, cold: kB", round(sum(sent) / 1000), 240)
    session.detach()


PARTS = {part.__name__: part for part in (editors, phone, pace, movement, words, first_screen, cold_page)}


def main():
    measures = Measures()
    production = {"PRODUCTION": "1", "HTTPS": "0", "SECRET_KEY": token_hex(32), "STATIC_ROOT": f"{FOLDER.name}/static"}
    with served(os.environ["DATABASE_URL"], **production) as site:  # compressed, as visitors get it
        tokens = dict(Roster.objects.exclude(sample=None).values_list("sample", "token"))
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium.installed(), args=chromium.FLAGS)
            look = Look(browser, site, tokens, measures)
            for name in sys.argv[1:] or PARTS:
                PARTS[name](look)
            browser.close()
    raise SystemExit(bool(measures.failed))


if __name__ == "__main__":
    main()
