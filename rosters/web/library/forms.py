"""Forms of My rosters, the bin and Browse."""

import re
from collections.abc import Hashable, Iterable
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, QueryDict
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from rosters.core import documents
from rosters.core.documents import MAX_BYTES
from rosters.core.grammar import american
from rosters.core.messages import translate
from rosters.models import MAX_FOLDER, MAX_TAGS, join_tags
from rosters.registry import SYSTEMS
from rosters.store import snapshots
from rosters.store.importing import MAX_FILES, MAX_ZIP_BYTES, Source
from rosters.store.search import RosterFilter
from rosters.web.http import permissions
from rosters.web.http.queries import PaginationForm, clean_line, cleaned_query
from rosters.web.library.queries import Counts
from rosters.web.library.selection import SelectedRostersForm
from rosters.web.sharing.links import parse_link

MAX_SEARCH = 120
"""Characters of a search."""
TOO_LARGE = "too-large"
"""The code of an error for more than is read at once."""
GAMES = [(slug, system.name) for slug, system in SYSTEMS.items()]


class LineField(forms.CharField):
    """One line of text, which need not be filled in."""

    def __init__(self, *, css: str = "form-control", **options: Any) -> None:
        super().__init__(required=False, **options)
        self.widget.attrs["class"] = css

    def to_python(self, value: Any) -> str:
        return clean_line(super().to_python(value) or "")


class TagField(LineField):
    """One tag: in lower case."""

    def to_python(self, value: Any) -> str:
        return super().to_python(value).lower()


class TagsField(LineField):
    """Comma-separated tags, each once; `split_tags` returns them one by one."""

    def to_python(self, value: Any) -> str:
        return join_tags(super().to_python(value).split(","))


def _select(label: Any, choices: Iterable[tuple[str, Any]]) -> forms.ChoiceField:
    widget = forms.Select({"class": "form-select"})
    return forms.ChoiceField(label=label, choices=[*choices], required=False, widget=widget)


def _radios(label: Any, choices: Iterable[tuple[str, Any]]) -> forms.ChoiceField:
    widget = forms.RadioSelect({"class": "form-check-input"})
    return forms.ChoiceField(label=label, choices=[*choices], required=False, widget=widget, initial="")


def _points(label: Any, placeholder: Any) -> forms.FloatField:
    attrs = {"class": "form-control", "inputmode": "decimal", "placeholder": placeholder, "aria-label": label}
    return forms.FloatField(label=label, required=False, min_value=0, max_value=1e15, widget=forms.TextInput(attrs))


MAX_WORDS = 8
"""Words of a search in help."""


STOP_WORDS = _(
    "a an and are be by can do does for from how i if in is it me my of on or the to what when where which who why with"
)
"""The words of a question that no term is searched by; static/js/help.js is told them."""
ENDING = re.compile(r"(?<=\w{3})(?:ies|es|s|(?<=\w{4})ed|d|ing)$")


class HelpSearchForm(forms.Form):
    """The words that terms of the help are searched by."""

    q = forms.CharField(required=False)

    @property
    def words(self) -> list[str]:
        """The words of the query without those of a question and without their endings."""
        query = american(cleaned_query(self)["q"].casefold())
        words = [word.strip('?!.,;:"()') for word in query.split()[:MAX_WORDS]]
        return [ENDING.sub("", word) for word in words if word and word not in str(STOP_WORDS).split()]


class CacheableForm(forms.Form):
    """A form that equals another one with the same ``cache_key``: `{% part %}` caches by the equality of its values."""

    cache_key: Hashable = None

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and isinstance(other, CacheableForm) and self.cache_key == other.cache_key

    def __hash__(self) -> int:
        return hash((type(self), self.cache_key))


class RosterFilterForm(PaginationForm, CacheableForm):
    """The filters of My rosters; what is not valid is reported at its field and does not filter."""

    q = LineField(label=_("Search"), max_length=MAX_SEARCH, widget=forms.TextInput({"type": "search"}))
    game = _select(_("Game"), [("", _("All games")), *GAMES])
    folder = LineField(label=_("Folder"), widget=forms.Select)
    tag = TagField(label=_("Tag"), widget=forms.Select)
    archived = _select(_("Archive"), [("", _("In use")), ("1", _("Archived")), ("all", _("Both"))])
    least = _points(_("Points, at least"), _("from"))
    most = _points(_("Points, at most"), _("to"))
    sort = _select(
        _("Sort by"),
        [("changed", _("Last changed")), ("points", _("Most points")), ("name", _("Name")), ("game", _("Game"))],
    )

    def offer(self, counts: Counts) -> None:
        """Set the choices: existing games, folders and tags, each with its number of rosters."""
        self.cache_key = (tuple(self.data.items()), counts)
        self.fields["q"].widget.attrs["placeholder"] = _("Name, tag or element")
        games = [(system.slug, f"{system.name} ({number})") for system, number in counts.games]
        self.fields["game"].widget.choices = [("", _("All games")), *games]
        for name, everything, pairs in (
            ("folder", _("All folders"), counts.folders),
            ("tag", _("All tags"), counts.tags),
        ):
            present = self.cleaned_data.get(name)
            missing = [] if not present or present in dict(pairs) else [(present, f"{present} (0)")]
            labels = [(label, f"{label} ({number})") for label, number in pairs]
            self.fields[name].widget.choices = [("", everything), *labels, *missing]
            if len(labels) + len(missing) == 0:
                del self.fields[name]
        if not counts.archived and not self.cleaned_data.get("archived"):
            del self.fields["archived"]

    @property
    def is_filtering(self) -> bool:
        """Whether the filters leave out rosters that are listed by default."""
        return any(value not in ("", None) for name, value in self.cleaned_data.items() if name not in ("sort", "page"))


class BulkActionForm(SelectedRostersForm, CacheableForm):
    """The selected rosters, and what was typed beside the buttons."""

    folder = LineField(label=_("Folder"), max_length=MAX_FOLDER, css="form-control form-control-sm")
    tags = TagsField(label=_("Tags"), max_length=MAX_TAGS, css="form-control form-control-sm")

    def __init__(self, rosters: QuerySet[Any], data: Any = None, *, tags_required: bool = False) -> None:
        super().__init__(rosters, data)
        self.fields["tags"].required = tags_required
        self.fields["tags"].error_messages["required"] = _("Enter the tags first.")
        for name, words in (("folder", _("empty: no folder")), ("tags", _("comma-separated"))):
            self.fields[name].widget.attrs |= {"placeholder": words, "list": f"known-{name}", "autocomplete": "off"}


class DeletePermanentlyForm(SelectedRostersForm):
    """The selected rosters, and whether the visitor has confirmed."""

    confirmed = forms.BooleanField(required=False)


class FilesInput(forms.FileInput):
    """Several files at once."""

    allow_multiple_selected = True


class FilesField(forms.FileField):
    """Any number of files."""

    widget = FilesInput

    def clean(self, data: Any, initial: Any = None) -> list[Any]:
        return [super(FilesField, self).clean(file, initial) for file in data or []]


class ImportForm(forms.Form):
    """Rosters as files, as a pasted text or by share links; ``sources`` once they are valid."""

    files = FilesField(  # type: ignore[assignment]  # declared fields are no attributes of a form
        label=_("Files"),
        required=False,
        allow_empty_file=True,
        widget=FilesInput({"accept": ".json,.jsonl,.ndjson,.txt,.md,.csv,.ros,.rosz,.zip,application/json"}),
    )
    text = forms.CharField(
        label=_("Or paste a share link, text, Markdown, CSV or JSON"),
        required=False,
        strip=False,
        widget=forms.Textarea({"rows": 8, "spellcheck": "false"}),
    )

    def __init__(self, data: Any = None, files: Any = None, *, request: Any = None) -> None:
        super().__init__(data, files, auto_id="%s")
        self.request = request
        self.fields["files"].widget.attrs |= {"class": "form-control", "aria-describedby": "about-files about-zip"}
        self.fields["text"].widget.attrs["class"] = "form-control font-monospace"

    def clean_files(self) -> list[Source]:
        files = self.cleaned_data["files"]
        if len(files) > MAX_FILES:
            text = gettext("These are %(count)s files; at most %(most)s can be imported at once.")
            raise ValidationError(text, TOO_LARGE, {"count": len(files), "most": MAX_FILES})
        for file in files:
            _check_size(file.name, file.size)
        return [Source(file.name, file.read()) for file in files]

    def clean_text(self) -> list[Source]:
        text = self.cleaned_data["text"]
        lines = text.split()
        if lines and all(line.startswith(("https://", "http://")) for line in lines):
            return [_linked_source(self.request, line) for line in lines[:MAX_FILES]]
        pasted = Source(gettext("Pasted text"), text.encode("utf-8", "replace"))
        _check_size(pasted.name, len(pasted.data))
        return [pasted] if text.strip() else []

    def clean(self) -> dict[str, Any]:
        if not self.errors and not self.sources:
            raise ValidationError(gettext("There was nothing to import. Paste a roster, or choose a file."))
        return self.cleaned_data

    @property
    def sources(self) -> list[Source]:
        return [*self.cleaned_data["text"], *self.cleaned_data["files"]]

    @property
    def error_status(self) -> int:
        """413 if something is too large, else 400."""
        return 413 if any(error.code == TOO_LARGE for each in self.errors.as_data().values() for error in each) else 400


def _linked_source(request: HttpRequest, link: str) -> Source:
    """The roster at a link of this site, as the visitor sees it. Raises ValidationError."""
    named = parse_link(link)
    try:
        roster, access = permissions.roster_for(request, named.token)
        state = snapshots.state_at(roster, named.version, complete=bool(access))
    except Http404:
        raise ValidationError(gettext("There is no roster at “%(link)s”."), "unknown", {"link": link[:80]}) from None
    return Source(link[:80], documents.dumps(documents.write(state.document)).encode())


def _check_size(name: str, size: int) -> None:
    limit = MAX_ZIP_BYTES if name.lower().endswith(".zip") else MAX_BYTES
    if size > limit:
        text = gettext("%(name)s is %(size)s bytes long; at most %(most)s can be imported.")
        raise ValidationError(text, TOO_LARGE, {"name": name[:120], "size": f"{size:,}", "most": f"{limit:,}"})


SAMPLES, PLAYERS = "samples", "players"
"""The choices of where rosters are from."""


class BrowseForm(PaginationForm):
    """The filters of Browse; what is not valid is reported at its field and does not filter."""

    q = LineField(label=_("Search"), max_length=MAX_SEARCH, widget=forms.TextInput({"type": "search"}))
    system = _radios(_("Game"), [("", _("All games")), *GAMES])
    least = _points(_("Points, at least"), _("from"))
    most = _points(_("Points, at most"), _("to"))
    scenario = _select(_("Scenario"), [])
    legal = forms.BooleanField(
        label=_("Legal only"), required=False, widget=forms.CheckboxInput({"class": "form-check-input"})
    )

    def __init__(self, data: Any) -> None:
        super().__init__(data, auto_id="browse_%s")
        sources = [("", _("All rosters")), (SAMPLES, _("Sample rosters")), (PLAYERS, _("Community rosters"))]
        self.fields["from"] = _radios(_("From"), sources)
        self.fields["q"].widget.attrs["placeholder"] = _("Name, tag or element")
        chosen = SYSTEMS.get(self.data.get("system", ""))
        choices = [
            (f"{slug}/{scenario}", f"{translate(each.name)}" if chosen else f"{system.name}: {translate(each.name)}")
            for slug, system in SYSTEMS.items()
            if chosen in (None, system)
            for scenario, each in system.rules.SCENARIOS.items()
        ]
        self.fields["scenario"].choices = [("", _("All scenarios")), *choices]  # type: ignore[attr-defined]
        if not choices:
            del self.fields["scenario"]

    @property
    def criteria(self) -> RosterFilter:
        """The valid fields as the search takes them."""
        get = self.cleaned_data.get
        return RosterFilter(
            system=get("system", ""),
            words=get("q", ""),
            least=get("least"),
            most=get("most"),
            legal=get("legal", False),
            scenario=get("scenario", ""),
        )

    @property
    def active_filters(self) -> Iterable[tuple[Any, str]]:
        """What each filter beside the search asks for, with the query that removes it."""
        for name, value in self.cleaned_data.items():
            if name in ("q", "page") or value in ("", None, False):
                continue
            field, query = self.fields[name], QueryDict(mutable=True)
            query.update({other: text for other, text in self.data.items() if other not in (name, "page")})
            if isinstance(field, forms.ChoiceField):
                yield dict(field.choices)[value], query.urlencode()  # type: ignore[arg-type]
            else:
                yield (field.label if value is True else f"{field.label} {value:g}"), query.urlencode()
