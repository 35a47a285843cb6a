"""The pictures of the home page, rendered once: a map with the counters of two armies, and counters of each game."""

from functools import cache

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy

from rosters import registry
from rosters.core.appraisals import terms_of
from rosters.core.documents import AnyDocument, Element
from rosters.core.reference import fixture
from rosters.drawing.landscape import landscape
from rosters.drawing.primitives import Picture
from rosters.drawing.svg import svg, symbol
from rosters.registry import SYSTEMS
from rosters.web.sharing import link_preview

HEADLINE = gettext_lazy("Design the army. Check every price. Play tonight.")
ABOUT = gettext_lazy(
    "A free roster builder for five free miniature wargames: points, rules check, record sheets to print, and a link "
    "for your opponent."
)
SCALE = 1.22
"""The scale of a counter on the map."""


def army(name: str) -> AnyDocument:
    """A sample roster by the name of its file."""
    return registry.read(fixture(f"armies/{name}"))


def element(name: str, number: int) -> Element:
    """An element of a sample roster, by its number in it."""
    elements: list[Element] = [each for formation in army(name).formations for each in formation.elements]
    return elements[number]


def _counter(name: str, number: int) -> Picture:
    """The counter of an element of a sample roster."""
    document = army(name)
    picture: Picture = SYSTEMS[document.system].drawing.counter_of(element(name, number), terms_of(document))
    return picture


@cache  # 0.2 s
def battle_map() -> SafeString:
    """The map with the counters of both armies, and where they advance."""
    symbols, uses = dict[str, str](), []
    for side, force in fixture("home")["map"].items():
        uses += [f'<path class="advance {side}" pathLength="1" d="{line}"/>' for line in force["advances"]]
        for number, x, y, degrees in force["counters"]:
            picture = _counter(force["army"], number)
            name, symbols[name], _width = symbol(picture)
            width, height = SCALE * picture.width, SCALE * picture.height
            size = f'x="{-width / 2:.1f}" y="{-height / 2:.1f}" width="{width:.1f}" height="{height:.1f}"'
            place = f'transform="translate({x} {y}) rotate({degrees})"'
            uses.append(f'<g class="counter {side}" {place}><use href="#{name}" {size}/></g>')
    return mark_safe(svg(landscape()).replace("</svg>", "".join((*symbols.values(), *uses)) + "</svg>"))


@cache  # a fifth of the index of the help, a sixth of the home page
def game_counters(slug: str) -> SafeString:
    """Two counters of a game."""
    shown = (_counter(each["army"], each["element"]) for each in fixture("home")["games"][slug])
    return mark_safe("".join(svg(picture, "medium") for picture in shown))


@cache  # a third of an empty shelf
def ghost_counters() -> SafeString:
    """One counter of each game in gray, where a list is empty."""
    shown = (_counter(each[0]["army"], each[0]["element"]) for each in fixture("home")["games"].values())
    return mark_safe("".join(svg(picture, "medium ghost") for picture in shown))


@cache  # a PNG
def home_preview_image() -> bytes:
    """The picture of a link to the home page: two counters of each game, one a side."""
    pairs = ([_counter(each["army"], each["element"]) for each in pair] for pair in fixture("home")["games"].values())
    return link_preview.site_picture(str(HEADLINE), str(ABOUT), [*zip(*pairs, strict=True)])
