"""First steps on the page of help: what one can do, and where."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from rosters.registry import System
from rosters.store.pairs import SamplePair


class Subject(NamedTuple):
    """What the links of tasks lead to: the visitor's last roster, a ready-made battle, a game with a guide."""

    last: Any
    ready: SamplePair | None
    guided: System
    example: str
    """A line of quick add."""

    def link(self, view: str, *, or_sample: bool = False) -> str:
        """The address of a page of the last roster, perhaps of a sample without one, or ""."""
        roster = self.last or (self.ready and self.ready.first if or_sample else None)
        return reverse(view, args=[roster.token]) if roster else ""

    @property
    def battle(self) -> str:
        """The address of the ready-made battle, or ""."""
        return reverse("sample-battle", args=[self.ready.first.system, self.ready.name]) if self.ready else ""


Link = tuple[Any, str]
"""A label and an address, which is "" where there is no such page yet."""


class HelpTask(NamedTuple):
    """A task: its icon, title and text, its links, and further words by which it is found; ``keys`` where there are
    keys.
    """

    icon: str
    title: Any
    text: Any
    links: Callable[[Subject], Iterable[Link]]
    words: Any
    keys: Any = ""


class HelpCard(NamedTuple):
    """A task as shown."""

    icon: str
    title: str
    text: SafeString
    keys: str
    links: Sequence[Link]


TASKS = (
    HelpTask(
        "plus-lg",
        _("A first roster"),
        _("Choose a game and a points limit, then add elements. Prices and the rules check update at once."),
        lambda to: (
            (_("New roster"), reverse("new")),
            (_("Build one with a guide"), f"{reverse('start', args=[to.guided.slug])}?guide=1"),
            (_("Copy a sample"), f"{reverse('browse')}?from=samples"),
        ),
        _("army list begin create tutorial"),
    ),
    HelpTask(
        "list-check",
        _("Quick add and paste"),
        _("Write an element as a line below the list, such as {example}, and press Enter. Or paste a whole list."),
        lambda to: (
            ((_("Quick add"), f"{to.link('roster')}#line"), (_("Paste a list"), to.link("paste")))
            if to.last
            else ((_("Paste a list as a new roster"), reverse("import")),)
        ),
        _("type text units elements"),
        keys=_("The key ? shows the words."),
    ),
    HelpTask(
        "flag",
        _("A first battle"),
        _("Choose a ready-made battle, or any two rosters. “Who wins?” simulates 2,000 battles."),
        lambda to: (
            (_("See a ready-made battle"), to.battle),
            (_("New battle"), reverse("battle-new") + (f"?roster={to.last.token}" if to.last else "")),
        ),
        _("opponent odds balance simulation"),
    ),
    HelpTask(
        "printer",
        _("Print"),
        _("Select sheets and paper, preview the pages, and download one PDF, which you can also fill in on a screen."),
        lambda to: ((_("Print it") if to.last else _("Print a sample"), to.link("print", or_sample=True)),),
        _("record sheets cards tokens download"),
    ),
    HelpTask(
        "dice-5",
        _("Play on the phone"),
        _(
            "Open the roster on your phone with its owner link, or sign in. Select Play, and tap a box for each "
            "loss, also without a network."
        ),
        lambda to: (
            (
                (_("Play"), to.link("play")),
                (_("Open on another device"), f"{to.link('links')}#owner-link"),
            )
            if to.last
            else ((_("Play a ready-made battle"), to.battle),)
        ),
        _("damage offline turn"),
    ),
    HelpTask(
        "share",
        _("Share"),
        _("A link and its QR code let others read, print and copy. Only with an edit link can they change anything."),
        lambda to: ((_("What others see"), to.link("shared", or_sample=True)), (_("Sharing"), to.link("sharing"))),
        _("send private public hide secret"),
    ),
    HelpTask(
        "box-arrow-up",
        _("Export"),
        _("Select More, then Export: as text, a table, a document, for BattleScribe, as PDF or as a picture."),
        lambda to: ((_("Import"), reverse("import")), (_("Download everything"), reverse("account"))),
        _("csv json markdown file download backup save"),
    ),
    HelpTask(
        "arrow-counterclockwise",
        _("Undo and restore"),
        _(
            "Every change is saved at once. Undo reverses one change at a time, History has every version, and the "
            "bin has deleted rosters."
        ),
        lambda to: ((_("History"), to.link("history")), (_("Bin"), reverse("bin"))),
        _("redo delete remove recover trash save"),
    ),
    HelpTask(
        "book",
        _("Readings and errata"),
        _("“Reading 2” in the rules of a roster names our answers to what its rulebook leaves open."),
        lambda to: ((_("Readings"), f"{reverse('errata')}#reading"), (_("Errata"), reverse("errata"))),
        _("edition rules version printed points"),
    ),
    HelpTask(
        "archive",
        _("Everything you have"),
        _(
            "Rosters belong to this browser; with an account you find them on every device. The shelf lists the "
            "models that you own. Light or dark follows your device."
        ),
        lambda to: (
            (_("Account"), reverse("account")),
            (_("Import"), reverse("import")),
            (_("Shelf"), reverse("my-shelf")),
        ),
        _("dark mode theme settings sign in up log login password backup collection"),
    ),
)


Patterns = Sequence[re.Pattern[str]]
"""What a text of the help is searched by."""


def has_all(patterns: Patterns, *texts: str) -> bool:
    """Whether each pattern is in one of the texts."""
    text = " ".join(texts)
    return all(pattern.search(text) for pattern in patterns)


def help_cards(subject: Subject, patterns: Patterns = ()) -> list[HelpCard]:
    """The tasks that have all patterns, those with all in their titles first."""
    cards = []
    for task in TASKS:
        text = format_html(task.text, example=format_html("<b>{}</b>", subject.example))
        links = [(label, url) for label, url in task.links(subject) if url]
        if has_all(patterns, *map(str, (task.title, task.text, task.words, *(label for label, _url in links)))):
            cards.append(HelpCard(task.icon, str(task.title), text, str(task.keys), links))
    return sorted(cards, key=lambda card: not has_all(patterns, card.title))
