"""Every form of every page, filled in wrongly by each kind of visitor, and addresses with anything in them.

A case is drawn as plain numbers and words; which form, field and button they mean is worked out on the page. Of each
answer that sends the browser on, the next page is looked at too.
"""

import re
from functools import cache
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

from django.urls import resolve
from hypothesis import strategies as st

from rosters.models import Roster
from rosters.registry import SYSTEMS
from tests.strategies import ODD_NAMES
from tools.fuzz.found import forms_on
from tools.fuzz.kit import Tally, drawn, no_exception, sound, state, undone, whole
from tools.fuzz.site import VISITORS, furnished, ids_of

OF_A_ROSTER = (
    *("/r/{t}/", "/r/{t}/history", "/r/{t}/sharing", "/r/{t}/marks", "/r/{t}/settings", "/r/{t}/formation?id={f}"),
    *("/r/{t}/links", "/r/{t}/links/{link}/replace", "/r/{t}/links/{link}/revoke", "/r/{t}/editors/{editor}/remove"),
    *("/r/{t}/crest", "/s/{t}/tools", "/r/{t}/paste", "/r/{t}/formation/elements?id={f}"),
    *("/r/{t}/edit-link", "/r/{t}/element?in={f}", "/r/{t}/element?id={e}", "/r/{t}/add?from={sample}&in={f}"),
    *("/s/{t}", "/s/{t}/print", "/s/{t}/compare", "/s/{t}/history", "/s/{t}/r1", "/battle/new?roster={t}"),
)
OF_THE_SITE = (
    *("/", "/books/", "/import", "/mine/", "/mine/bin", "/check", "/battle/new", "/b/{battle}", "/b/{battle}/delete"),
    *("/b/{battle}/add", "/b/{battle}/terms"),
    *("/account/", "/account/claim", "/account/delete", "/account/tokens", "/account/login/", "/account/logout/"),
    *("/account/signup/", "/account/email/", "/account/password/change/", "/account/password/set/"),
    *("/account/sessions", "/account/password/reset/", "/account/reauthenticate/", "/account/login/code/confirm/"),
    *("/account/confirm-email/", "/account/confirm-email/abc/", "/account/password/reset/key/1-abc/"),
    *("/account/2fa/totp/activate/", "/account/2fa/recovery-codes/generate/"),
)
NOT_ON_A_PAGE = {
    "roster": "answers forms of an older release",
    "play": "answers forms of an older release",
    **dict.fromkeys(["add-from", "battle", "bin", "mine", "print"], "answers forms of an older release"),
    **dict.fromkeys(["element-cell", "set-selected", "preview-selected"], "the table's script sends it"),
    "formation-place": "the table's script sends it",
    "start-preview": "htmx sends it while a list is typed",
    "element-odds": "htmx sends it while a form is filled in",
    "battle-join": "for a friend who has a roster of that game and does not play yet",
    "battle-report-stop": "its button stands beside the progress of a report",
    "fix": "its button stands beside a finding",
    "sample-report": "a matched pair has no token, and its button stands on the page of samples",
    "sample-battle": "a matched pair has no token, and its button stands on the page of samples",
    "battle-side": "the game that is walked has no sides",
    "bin-empty": "its form confirms what the form on the page of the bin began",
    "bin-undo": "its form stands in the message after a deletion",
    "guide-leave": "its button stands on the pages of a guided roster",
    "end-session": "the account is signed in in one browser",
    "mine-unarchive": "its button stands where only archived rosters are listed",
    "account_confirm_email": "its form stands behind a link of a mail",
    "account_reset_password_from_key": "its form stands behind a link of a mail",
    "account_set_password": "for accounts without a password, which there are none of",
    "account_confirm_login_code": "sign-in by code is off",
    **dict.fromkeys(["mfa_authenticate", "mfa_deactivate_totp", "mfa_reauthenticate"], "needs an authenticator app"),
}
"""Routes that take what is sent, and that no page of the fuzzer sends to by a form."""
BY_HAND = (
    *("/account/confirm-email/abc/", "/account/password/reset/key/1-abc/", "/account/password/set/"),
    *(
        "/r/{t}/element/cell",
        "/r/{t}/selected/set",
        "/r/{t}/selected/preview",
        "/r/{t}/formation/place",
        "/new/msc/preview",
    ),
)
"""Sent to without a form."""

ADDRESSES = (
    *("/s/{t}.json", "/s/{t}.txt", "/s/{t}.md", "/s/{t}.csv", "/s/{t}.ros", "/s/{t}.rosz", "/s/{t}.png"),
    *("/s/{t}/line.txt", "/s/{t}/qr.svg", "/s/{t}.pdf", "/s/{t}/page.png", "/blank/msc.pdf", "/explain/msc"),
    *("/s/{t}/r1.json", "/s/{t}/r1.csv", "/s/{t}/r1.png", "/r/{t}/document.json", "/e/{t}/abc", "/b/{battle}.pdf"),
    *("/mine/backup", "/account/download", "/schema/roster.json", "/errata/", "/api/", "/health", "/ready", "/metrics"),
)
"""Addresses without forms, that answer to what stands in them."""
PARAMETERS = (
    *("before", "since", "receipt", "q", "page", "from", "with", "only", "in", "id", "next", "sheet", "paper"),
    *("against", "formation", "roster", "others", "sort", "folder", "tag", "system", "archive", "asked", "points"),
)
"""Names that addresses ask with, somewhere."""

# ---------------------------------------------------------------- what is typed

NUMBERS = [
    *("-1", "0", "1", "1e400", "-1e400", "NaN", "Infinity", "1e-400", "1_000", "0x10", "½", "1.5", "1,5", "+1", " 1 "),
    *("9" * 9, "9" * 10, "9" * 19, "9" * 20, "9" * 5000, "0" * 5000 + "1", "1" + "0" * 8, "000000000" + "9" * 30),
    *("²", "٣", "٣" * 5000, "١٢", "", "2147483648", "9223372036854775808", "-9223372036854775809", "10000", "10001"),
]
HOSTILE = [
    *(
        "",
        " ",
        "\0",
        "a\0b",
        "on",
        "null",
        "[]",
        "{}",
        "true",
        "\ud800",
        "\udcff",
        "x" * 121,
        "😀" * 121,
        "-1",
        "9" * 20,
    ),
    *("x" * 20_001, "é" * 110_000, "\n" * 5000, "{{ 7|add:7 }}", "{% debug %}", "%s%n%(x)s", "{0.__class__}"),
    *("../../etc/passwd", "=1+1", "a\r\nSet-Cookie: a=b", "//evil.example/", "\\\\evil.example", "javascript:alert(1)"),
    *("http://evil.example/", "http://[", "http://a:99999999/s/x", "/s/", "/s/a/r", "/s/a/r999999999999", "r0"),
    *("restore 0", "restore 999999999", "up ", "element a", "formation ", "move-picked", "settings", "side", "x 1 y 2"),
    *("a 0 engine 0", "a 99999999999999999999 out 0", "a -1 out -1", "somebody@example.org", "a@b", "@"),
]
LETTERS = st.characters(codec=None)
DRAWN = st.one_of(
    st.sampled_from(ODD_NAMES), st.text(LETTERS, max_size=30), st.integers().map(str), st.floats().map(str)
)


class Spoiled(NamedTuple):
    """What happens to a control; ``number`` finds it, and finds the value too unless one is ``drawn``."""

    number: int
    how: str
    drawn: str

    def value(self, field):
        """What is typed into a field: numbers of all kinds where it takes a number, mostly."""
        if self.how == "drawn":
            return self.drawn
        known = NUMBERS if self.number % 4 and (field.kind == "number" or field.value.isdecimal()) else HOSTILE
        return known[self.number // 4 % len(known)]


class FormCase(NamedTuple):
    """A case."""

    who: str
    place: int
    system: int
    form: int
    button: int
    spoiled: tuple[Spoiled, ...]
    everything: bool
    more: tuple[tuple[str, str], ...]
    multipart: bool


INDEX = st.integers(0, 2**20)
HOWS = st.sampled_from(["typed", "typed", "typed", "drawn", "left out", "twice", "offered", "turned"])
CASES = st.builds(
    FormCase,
    st.sampled_from([*VISITORS[:2], *VISITORS]),
    INDEX,
    INDEX,
    INDEX,
    INDEX,
    st.lists(st.builds(Spoiled, INDEX, HOWS, DRAWN), min_size=1, max_size=5).map(tuple),
    st.sampled_from([True, False, False]),
    st.lists(st.tuples(st.sampled_from(PARAMETERS), st.sampled_from(HOSTILE + NUMBERS) | DRAWN), max_size=2).map(tuple),
    st.booleans(),
)


def filled(form, case):
    """The pairs that are sent: the form's own, its button, and what was spoiled: some controls, or all of them."""
    pairs = [*form.pairs(), *pressed(form, case)]
    if case.everything:
        first = case.spoiled[0]
        for place, field in enumerate(form.fields):
            pairs = spoil(pairs, field, first._replace(number=first.number + 4 * place))
    for spoiled in case.spoiled[: 0 if case.everything or not form.fields else None]:
        pairs = spoil(pairs, form.fields[spoiled.number % len(form.fields)], spoiled)
    return [*pairs, *(case.more if case.button % 3 == 0 else ())]


def pressed(form, case):
    """The form's first button, or any: each verb as often as any other, however many rows have it."""
    verbs = {(name, value.partition(" ")[0]): (name, value) for name, value in form.buttons}
    return [[*verbs.values()][0 if case.button % 2 else case.button // 2 % len(verbs)]] if verbs else []


def spoil(pairs, field, spoiled):
    """The pairs with one control spoiled."""
    others = [pair for pair in pairs if pair[0] != field.name]
    if spoiled.how == "left out":
        return others
    if spoiled.how == "twice":
        return [*pairs, (field.name, spoiled.value(field))]
    if spoiled.how == "turned":
        return [*others, (field.name, field.value)]
    if spoiled.how == "offered" and field.offers:
        return [*others, (field.name, field.offers[spoiled.number % len(field.offers)])]
    return [*others, (field.name, spoiled.value(field))]


# ---------------------------------------------------------------- what is sent


class Walk:
    """A furnished site, and every page of it that has forms."""

    def __init__(self, systems=tuple(SYSTEMS)):
        self.site = furnished()
        self.sample = Roster.objects.filter(sample__startswith="msc/").first().token
        self.known = [(token, *ids_of(token)) for slug, token in self.site.rosters.items() if slug in systems]
        self.pages = [*OF_A_ROSTER, *OF_A_ROSTER, *OF_THE_SITE, *(f"/new/{slug}" for slug in systems)]
        self.before = state()
        self.forms_of = cache(self.read)

    def address(self, place, number):
        """An address with tokens and ids in it; of a roster of any game."""
        token, formation, element, link, editor = self.known[number % len(self.known)]
        ids = {"t": token, "f": formation, "e": element, "link": link, "editor": editor}
        return place.format(**ids, sample=self.sample, battle=self.site.battle)

    def read(self, who, address):
        """The forms of a page, as a visitor sees it."""
        with undone(), no_exception():
            response = self.site.visitor(who).get(address, follow=True)
            sound(response)
            if not response.headers.get("Content-Type", "").startswith("text/html"):
                return []
            return [*forms_on(response.request["PATH_INFO"] + asked_of(response), response.content.decode())]

    def send(self, case):
        """Send a form; look at the answer, at where it leads, and at every roster that has changed. What came of it."""
        client, (method, address, pairs) = self.site.visitor(case.who), self.request(case)
        response = sound(ask(client, method, address, pairs, case.multipart))
        for _ in range(3):
            if response.status_code not in (301, 302, 303):
                break
            place = response.headers["Location"]
            assert re.match(r"/(?!/)", place), f"leads away from the site, to {place!r}"
            response = sound(client.get(place))
        token = re.match(r"/[rs]/([\w-]{22})", address)
        whole(self.before, *token.groups() if token else ())
        return f"{method} {response.status_code}"

    def request(self, case):
        """Method, address and pairs of a case."""
        if case.form % 6 == 0:
            places = (*ADDRESSES, *OF_A_ROSTER)
            return (
                "get",
                with_replaced_part(self.address(places[case.place % len(places)], case.system), case),
                case.more,
            )
        places = (*self.pages, *BY_HAND)
        page = self.address(places[case.place % len(places)], case.system)
        forms = self.forms_of(case.who, page)
        if not forms:
            return (
                "post",
                page,
                [*case.more, *((name, each.drawn) for name, each in zip(PARAMETERS, case.spoiled, strict=False))],
            )
        form = forms[case.form % len(forms)]
        return form.method, with_replaced_part(form.action, case), filled(form, case)


def asked_of(response):
    query = response.request["QUERY_STRING"]
    return f"?{query}" if query else ""


def with_replaced_part(address, case):
    """The address; of some cases with one part of it replaced."""
    if case.button % 7:
        return address
    parts = re.split(r"([/?=&.])", address)
    places = [number for number, part in enumerate(parts) if part and part not in "/?=&."]
    if places:
        parts[places[case.form % len(places)]] = quote(case.spoiled[0].drawn, errors="surrogatepass")
    return "".join(parts)


def ask(client, method, address, pairs, multipart):
    """What a browser does with a form. Text that no encoding knows is sent as the bytes that it stands for."""
    coded = urlencode(pairs, errors="surrogatepass")
    if method == "get":
        return client.get(address if not coded else f"{address.partition('?')[0]}?{coded}")
    if multipart:
        body, boundary = parts_of(pairs), "multipart/form-data; boundary=XX"
        return client.generic("POST", address, body, boundary)
    return client.generic("POST", address, coded.encode(), "application/x-www-form-urlencoded")


def parts_of(pairs):
    """Pairs as the parts of a form that has files."""
    heads = (f'--XX\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n' for name, value in pairs)
    return "".join([*heads, "--XX--\r\n"]).encode("utf-8", "surrogatepass")


def routes_sent_to(walk):
    """The names of the routes that the forms of an owner's and a stranger's pages are sent to."""
    for who in ("owner", "stranger"):
        for page in dict.fromkeys(walk.pages):
            for form in walk.forms_of(who, walk.address(page, 0)):
                if form.method == "post":
                    yield resolve(form.action.partition("?")[0]).url_name


def run(cases, seed):
    """So many forms and addresses."""
    tally = Tally()
    with undone():
        walk = Walk()

        def each(case: Any):
            with tally.case(lambda: to_send_again(walk, case)), undone(), no_exception():
                tally.figures[walk.send(case)] += 1

        drawn(cases, seed, CASES, each)
    return tally


def to_send_again(walk, case):
    """How to send a case again, the tokens of this site in it."""
    method, address, pairs = walk.request(case)
    return {"who": case.who, "method": method, "address": address, "pairs": ascii(pairs)[:4000]}
