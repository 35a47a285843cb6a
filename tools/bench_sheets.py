"""Sheets against other PDF libraries, on the same content in the same run; part of the bench."""

import io
import itertools
import json
import time

import fontpkg_fira_sans
from fpdf import FPDF
from reportlab.pdfgen.canvas import Canvas

from rosters import registry
from rosters.pdf.fonts import REGULAR, face
from rosters.pdf.job import PrintOptions
from rosters.systems.msc.rules import SIDES
from rosters.web.printing import service as printing
from tests.support import FIXTURES

FONT = fontpkg_fira_sans.ROOT / "files" / "FiraSans-Regular.ttf"
SHIPS, OTHERS_SHIPS, WEASY_SHIPS = 1000, 1000, 20
HEAD = {"format": "armybuilder-roster", "version": 1, "system": "msc", "name": "Bench"}


def ships(number):
    """Ships that all differ in name, and in what they have bought."""
    designs = itertools.cycle(itertools.product(range(6), range(1, 6), range(6), range(6)))
    for count, (engine, shield, to_hit, weapons) in zip(range(number), designs, strict=False):
        yield {
            "name": f"Ship {count}",
            "engine": engine,
            "shield": shield,
            "to_hit": to_hit,
            "weapons": list(SIDES[:weapons]),
        }


def seconds(call):
    """Of the processor, the best of five runs, after one to warm up."""
    call()
    times = []
    for _ in range(5):
        start = time.process_time()
        call()
        times.append(time.process_time() - start)
    return min(times)


def copy_of(data):
    return printing.copy_of(registry.read(data), "http://localhost/s/AbCdEfGhIjKlMnOpQrStUv")


def figures():
    """Every figure: (name, value, unit, what it is beside, that one's value)."""
    fleet = copy_of({**HEAD, "formations": [{"name": "Fleet", "elements": list(ships(SHIPS))}]})
    records = PrintOptions(sheets=("records",))
    made = printing.roster_print([fleet], records)
    ours = SHIPS / seconds(lambda: printing.roster_print([fleet], records).pdf())
    floor = SHIPS / seconds(lambda: one_string_a_page(len(made.pages)))
    yield "Ship Turn Records a second", ours, "/s", "one string a page", floor
    yield "beside fpdf2", ours, "/s", "fpdf2", OTHERS_SHIPS / seconds(lambda: with_fpdf2(OTHERS_SHIPS))
    if weasyprint_runs():
        slow = WEASY_SHIPS / seconds(lambda: with_weasyprint(WEASY_SHIPS))
        yield "beside WeasyPrint", ours, "/s", "WeasyPrint", slow
    roster = PrintOptions(sheets=("roster",))
    pages = len(printing.roster_print([fleet], roster).pages)
    drawn = pages / seconds(lambda: printing.roster_print([fleet], roster).pdf())
    yield "roster pages a second", drawn, "/s", "one string a page", pages / seconds(lambda: one_string_a_page(pages))
    navy = copy_of(json.loads((FIXTURES / "armies/msc/hearthward-navy.json").read_text()))
    whole = seconds(lambda: printing.roster_print([navy], PrintOptions()).pdf())
    count = len(printing.roster_print([navy], PrintOptions()).pages)
    yield (
        f"the 35-ship pack, {count} pages",
        whole * 1000,
        "ms",
        "one string a page",
        seconds(lambda: one_string_a_page(count)) * 1000,
    )
    first = seconds(lambda: printing.roster_print([navy], PrintOptions()).pdf(last=1))
    yield "its first page", first * 1000, "ms", "one string a page", seconds(lambda: one_string_a_page(1)) * 1000


# ---------------------------------------------------------------- the others


def one_string_a_page(pages):
    """The floor: as many pages with a word on each."""
    canvas = Canvas(io.BytesIO(), invariant=1, pageCompression=1)
    face(REGULAR)
    for number in range(pages):
        canvas.setFont(REGULAR, 9)
        canvas.drawString(100, 100, f"Page {number}")
        canvas.showPage()
    canvas.save()


def with_fpdf2(number):
    """The same records with fpdf2, two a page."""
    pdf = FPDF(format="A4")
    pdf.set_margins(6.35, 6.35)
    pdf.add_font("sheet", fname=str(FONT))
    for count, ship in enumerate(ships(number)):
        if count % 2 == 0:
            pdf.add_page()
        _fpdf_record(pdf, ship, count + 1, 20 + 137 * (count % 2))
    return bytes(pdf.output())


def _fpdf_record(pdf, ship, unit, top):
    pdf.set_font("sheet", size=9)
    pdf.text(6.35, top, "Ship Turn Record")
    pdf.text(6.35, top + 6, f"Ship Name: {ship['name']}")
    pdf.text(175, top + 6, f"Unit # {unit}")
    pdf.line(25, top + 7, 165, top + 7)
    for row, stat in enumerate(("engine", "shield")):
        pdf.text(6.35, top + 12 + row * 6, f"{stat.upper()}:")
        for place in range(5):
            style = "DF" if place >= ship[stat] else "D"
            pdf.ellipse(25 + place * 8.2, top + 9 + row * 6, 6, 3.6, style=style)
    pdf.text(6.35, top + 25, f"TO-HIT: {ship['to_hit']}")
    pdf.text(6.35, top + 31, "Weapons:")
    for place, side in enumerate(SIDES):
        pdf.text(25 + place * 16, top + 31, f"{side}:")
        pdf.ellipse(31 + place * 16, top + 28, 6, 3.6, style="D" if side in ship["weapons"] else "DF")
    _fpdf_turns(pdf, top + 36)


def _fpdf_turns(pdf, top):
    for block in (0, 1):
        left = 6.35 + block * 101
        for x, head in ((0, "Turn"), (11, "Speed"), (28, "Move")):
            pdf.text(left + x + 1, top + 4, head)
            pdf.line(left + x, top, left + x, top + 85)
        for turn in range(15):
            bottom = top + (turn + 2) * 5.3
            pdf.text(left + 4, bottom - 1.5, str(block * 15 + turn + 1))
            pdf.line(left, bottom, left + 95, bottom)


def weasyprint_runs():
    """Whether this machine has the libraries that WeasyPrint needs; the bench says so if not."""
    try:
        import weasyprint  # noqa: F401 (slow to import)
    except OSError as trouble:
        print(f"WeasyPrint cannot run here: {trouble}")
        return False
    return True


def with_weasyprint(number):
    """The same records with WeasyPrint, two a page."""
    from weasyprint import HTML

    records = "".join(_html_record(ship, count) for count, ship in enumerate(ships(number), start=1))
    return HTML(string=f"<style>{STYLE}</style>{records}").write_pdf()


STYLE = """
@page { size: A4; margin: 6.35mm } body { font: 9pt 'Fira Sans', sans-serif }
.record { height: 136mm }
.o { display: inline-block; width: 6mm; height: 3.6mm; border: .7pt solid; border-radius: 50% }
.full { background: #000 }
table { border-collapse: collapse; float: left; width: 48% } td { border: .4pt solid; height: 5mm }
"""


def _html_record(ship, unit):
    def ovals(stat):
        return "".join(f'<i class="o {"full" if n >= ship[stat] else ""}"></i> ' for n in range(5))

    weapons = "".join(f'{s}: <i class="o {"" if s in ship["weapons"] else "full"}"></i> ' for s in SIDES)
    rows = [range(1, 16), range(16, 31)]
    turns = "".join(
        "<table><tr><td>Turn<td>Speed<td>Move</tr>" + "".join(f"<tr><td>{n}<td><td></tr>" for n in half) + "</table>"
        for half in rows
    )
    head = f"<b>Ship Turn Record</b><p>Ship Name: {ship['name']} Unit # {unit}<p>ENGINE: {ovals('engine')}<br>"
    rest = f"SHIELD: {ovals('shield')}<br>TO-HIT: {ship['to_hit']}<p>Weapons: {weapons}"
    return f'<div class="record">{head}{rest}{turns}</div>'
