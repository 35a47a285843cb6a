"""A page of all counters, plots and crests: what the samples have, counters in both sizes and all colors, 96 crests.

`python -m tools.pictures` takes its picture, light and dark; the file build/pictures/specimens.html can be opened too.
"""

import json
from html import escape
from pathlib import Path

from rosters import registry
from rosters.core.amounts import format_amount
from rosters.core.appraisals import terms_of
from rosters.core.crests import seed_from
from rosters.drawing.crest import crest
from rosters.drawing.svg import svg
from tests.support import FIXTURES

STYLES = ("../assets/css/app.css", *(f"../../static/css/{name}.css" for name in ("tokens", "counters", "plots")))
LAYOUT = """body { margin: 0; padding: 24px; background: var(--card); color: var(--ink); font-family: var(--text) }
h2 { font: 600 30px var(--display); margin: 24px 0 12px }
div { display: flex; flex-wrap: wrap; gap: 12px; margin-bottom: 16px } figure { width: 138px; margin: 0 }
figure > div { gap: 6px; margin: 6px 0 2px } figure:has(> :is(.plot, .gauge)) { width: 320px }
figcaption { font: 14px/1.2 var(--condensed); color: var(--soft) }"""
CRESTS, PLOTS = 96, 6


def figure(system, element, terms, points):
    """The counters of one element: large, then small in each color, medium and tiny."""
    draw = system.drawing.counter_of
    small = draw(element, terms, False, points)
    sizes = "".join(svg(small, classes) for classes in ("", "red", "grey", "medium", "medium red", "tiny"))
    large = svg(draw(element, terms, True, points))
    return f"<figure>{large}<div>{sizes}</div><figcaption>{escape(element.name)}</figcaption></figure>"


def section(name, title, pictures):
    """A part of the page, of which a picture is taken."""
    return f'<section id="{name}"><h2>{escape(title)}</h2><div>{"".join(pictures)}</div></section>'


def write_page(path):
    """Write the page: of each game, the elements of its samples that look different."""
    parts = []
    for slug, system in registry.SYSTEMS.items():
        figures, plots = {}, {}
        for sample in sorted((FIXTURES / "armies" / slug).glob("*.json")):
            document = registry.read(json.loads(sample.read_text(encoding="utf-8")))
            lines = registry.appraise(document).formations
            for formation, priced in zip(document.formations, lines, strict=True):
                for element, line in zip(formation.elements, priced.elements, strict=True):
                    points = "" if line.unit_points is None else format_amount(line.unit_points)
                    small = svg(system.drawing.counter_of(element, terms_of(document), False, points))
                    figures.setdefault(small, figure(system, element, terms_of(document), points))
                    if plot := system.drawing.plot_of(element, terms_of(document)):
                        for picture in (plot.picture,) if plot.picture else plot.row_pictures:
                            plots.setdefault(svg(picture), element.name)
        parts.append(section(slug, system.name, figures.values()))
        shown = [f"<figure>{plot}<figcaption>{escape(name)}</figcaption></figure>" for plot, name in plots.items()]
        parts.append(section(f"plots-{slug}", system.drawing.PLOT, shown[:: max(1, len(shown) // PLOTS)][:PLOTS]))
    crests = [crest(seed_from(f"specimen {number}")) for number in range(CRESTS)]
    parts += [
        section(f"crests-{size or 'small'}", "Crests", [svg(each, size) for each in crests]) for size in ("large", "")
    ]
    links = "".join(f'<link rel="stylesheet" href="{each}">' for each in STYLES)
    head = f'<!doctype html><meta charset="utf-8"><title>Counters and crests</title>{links}<style>{LAYOUT}</style>'
    Path(path).write_text(head + "".join(parts), encoding="utf-8")
