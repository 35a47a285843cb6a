"""Links of a roster (share link, fixed versions), and parsing of pasted ones."""

import re
from typing import NamedTuple

from django.urls import reverse

from rosters.models import Roster


class Link(NamedTuple):
    """A parsed link: a roster by its token ("" for none), and one of its versions or None."""

    token: str
    version: int | None = None


_LINK = re.compile(r"(?:.*/[sre]/)?([\w-]{1,40})(?:/r(\d{1,9}))?(?:\.[a-z]+)?(?:[/?#].*)?", re.ASCII)


def parse_link(text: str) -> Link:
    """The roster that a line names: any address of it, or its bare token."""
    match = _LINK.fullmatch(text.strip()[:500])
    return Link(match[1], int(match[2]) if match[2] else None) if match else Link("")


def version_path(roster: Roster, number: int | None = None) -> str:
    """The path of a roster's read-only page, or of one of its fixed versions."""
    if number is None:
        return reverse("shared", args=[roster.token])
    return reverse("frozen", args=[roster.token, number])
