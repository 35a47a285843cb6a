"""First steps on the page of help: what one can do, and where."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
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

    def arguments(self, about: str) -> list[str] | None:
        """The arguments of the address of a page about this; None where this visitor has no such page."""
        first = None if self.last else self.ready  # what a visitor without a roster may look at
        return {
            "": [],
            "no roster": None if self.last else [],
            "roster": [self.last.token] if self.last else None,
            "sample": first and [first.first.token],
            "first battle": first and [first.first.system, first.name],
            "battle": self.ready and [self.ready.first.system, self.ready.name],
            "game": [self.guided.slug],
        }[about]

    def url(self, link: "TaskLink") -> str:
        """The address of a link, or "" where this visitor has no such page."""
        arguments = self.arguments(link.about)
        if arguments is None:
            return ""
        return reverse(link.view, args=arguments) + link.suffix.format(token=self.last.token if self.last else "")


@dataclass(frozen=True)
class TaskLink:
    """A link of a task: its label, which is that of the button or menu item, its view, and what the page is about."""

    label: Any
    view: str
    about: str = ""
    suffix: str = ""
    """A query or a fragment, perhaps with the token of the visitor's last roster."""


@dataclass(frozen=True)
class HelpTask:
    """A task: its icon, title and text, further words by which it is found, and its links; ``keys`` where there are
    keys.
    """

    icon: str
    title: Any
    text: Any
    words: Any
    links: Sequence[TaskLink]
    keys: Any = ""


class HelpCard(NamedTuple):
    """A task as shown: its links are labels and addresses."""

    icon: str
    title: str
    text: SafeString
    keys: str
    links: Sequence[tuple[Any, str]]


TASKS = (
    HelpTask(
        "plus-lg",
        _("A first roster"),
        _("Choose a game and a points limit, then add elements. Prices and the rules check update at once."),
        _("army list begin create tutorial"),
        [
            TaskLink(_("New roster"), "new"),
            TaskLink(_("Build one with a guide"), "start", "game", "?guide=1"),
            TaskLink(_("Copy a sample roster"), "browse", suffix="?from=samples"),
        ],
    ),
    HelpTask(
        "list-check",
        _("Quick add and paste"),
        _("Write an element as a line below the list, such as {example}, and press Enter. Or paste a whole list."),
        _("type text units elements"),
        [
            TaskLink(_("Quick add"), "roster", "roster", "#line"),
            TaskLink(_("Paste a list"), "paste", "roster"),
            TaskLink(_("Import"), "import", "no roster"),
        ],
        keys=_("Press ? for all quick-add words."),
    ),
    HelpTask(
        "check-circle",
        _("Legal or not"),
        _(
            "Not legal: an error breaks a rule or the points limit. In progress: something is still to do. "
            "A warning is allowed, but unusual."
        ),
        _("rules check error note finding fix"),
        [
            TaskLink(_("Rules check"), "roster", "roster", "#findings"),
            TaskLink(_("All rules checked"), "explain-findings", "game"),
        ],
    ),
    HelpTask(
        "flag",
        _("A first battle"),
        _("Choose a ready-made battle, or any two rosters. “Who wins?” simulates 2,000 battles."),
        _("opponent odds balance simulation"),
        [
            TaskLink(_("Ready-made battle"), "sample-battle", "battle"),
            TaskLink(_("New battle"), "battle-new", suffix="?roster={token}"),
        ],
    ),
    HelpTask(
        "printer",
        _("Print"),
        _("Select sheets and paper, preview the pages, and open one PDF. You can also fill it in on a screen."),
        _("record sheets cards tokens download"),
        [TaskLink(_("Print"), "print", "roster"), TaskLink(_("Print a sample roster"), "print", "sample")],
    ),
    HelpTask(
        "dice-5",
        _("Play on the phone"),
        _("Open the owner link on your phone, or sign in there. Select Play and tap damage, also without a network."),
        _("losses offline turn device"),
        [
            TaskLink(_("Play"), "play", "roster"),
            TaskLink(_("Owner link (other devices)"), "links", "roster", "#owner-link"),
            TaskLink(_("Play a ready-made battle"), "sample-battle", "first battle"),
        ],
    ),
    HelpTask(
        "share",
        _("Share"),
        _("With the share link others can read, print and copy. Only an edit link lets them change it."),
        _("send private public hide secret qr fixed version"),
        [
            TaskLink(_("What others see"), "shared", "roster"),
            TaskLink(_("Who can open it"), "sharing", "roster"),
            TaskLink(_("Links and editors"), "links", "roster"),
            TaskLink(_("A shared sample roster"), "shared", "sample"),
        ],
    ),
    HelpTask(
        "box-arrow-up",
        _("Export"),
        _("Select More, then Export: as text, a table, a roster file, for BattleScribe, as PDF or as a picture."),
        _("csv json markdown file download backup save"),
        [
            TaskLink(_("Export"), "roster", "roster", "#export"),
            TaskLink(_("Back up"), "my-backup"),
            TaskLink(_("Import"), "import"),
        ],
    ),
    HelpTask(
        "arrow-counterclockwise",
        _("Undo and restore"),
        _("Every change is saved. Undo reverses the last one, History has all versions, Trash has deleted rosters."),
        _("redo delete remove recover bin save"),
        [
            TaskLink(_("Undo"), "roster", "roster", "#saved"),
            TaskLink(_("History"), "history", "roster"),
            TaskLink(_("Trash"), "bin"),
        ],
    ),
    HelpTask(
        "book",
        _("Errata and interpretations"),
        _("“Interpretation 2” in the rules of a roster is our second set of answers to what its rulebook leaves open."),
        _("edition rules version printed points reading"),
        [
            TaskLink(_("Rules interpretations"), "errata", suffix="#interpretations"),
            TaskLink(_("Errata"), "errata"),
        ],
    ),
    HelpTask(
        "archive",
        _("Everything you have"),
        _(
            "Rosters belong to this browser; with an account you find them on every device. The shelf lists the "
            "models that you own. Light or dark follows your device."
        ),
        _("dark mode theme settings sign in up log login password backup collection"),
        [
            TaskLink(_("My rosters"), "mine"),
            TaskLink(_("Shelf"), "my-shelf"),
            TaskLink(_("Account"), "account"),
        ],
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
        links = [(link.label, url) for link in task.links if (url := subject.url(link))]
        if has_all(patterns, *map(str, (task.title, task.text, task.words, *(label for label, _url in links)))):
            cards.append(HelpCard(task.icon, str(task.title), text, str(task.keys), links))
    return sorted(cards, key=lambda card: not has_all(patterns, card.title))
