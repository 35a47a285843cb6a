"""The set-up of a scenario: the table from above, what to count, and the scales."""

from __future__ import annotations

from collections.abc import Iterator

from rosters.core.appraisals import RosterState
from rosters.core.messages import _, join
from rosters.core.play import MAX_BOXES, TablePlan
from rosters.pdf.battle_sheet import table_of
from rosters.pdf.blocks import BlankLine, Boxes, Column, Heading, Paragraph, Row, Space, Stack, TableHead, fill_in_cell
from rosters.pdf.canvas import MM, Block
from rosters.pdf.fonts import BOLD, REGULAR
from rosters.pdf.job import Job
from rosters.pdf.sections import ILLEGAL, MASTHEAD, STRIP, Group, Section, frame
from rosters.systems.vsgmr import play, tables
from rosters.systems.vsgmr.play import FIVE_ROUNDS, ROUNDS
from rosters.systems.vsgmr.rules import SCENARIOS

COUNT_POINTS = ("basic", "spawning")
"""The scenarios that are won by the points of defeated enemies."""
HITS, MAX_HITS = 2, 5
"""The hits that destroy the fortress if one player assaults it, and the number of its boxes, for more players."""
PAIRS = (Column("", 2.4, face=BOLD), Column("", 9))
MIN_PLAN = 75 * MM
"""The minimum height of the plan of the table with text of 9 points, if the scales are to be on the page too."""


def set_up(job: Job) -> Iterator[Section]:
    """The scenario of the roster: the table, set-up, victory, end and what to count; and the table of scales.

    The plan is as large as all of it allows on a page, or else the scenario without the scales.
    """
    width, height = frame(job.options.paper)
    available = height - MASTHEAD + STRIP - (ILLEGAL if job.header.illegal else 0)
    before, after = _blank_set_up(job) if job.blank else _set_up(job)
    scales, gap = _scales(), Space(0.6)
    available -= Stack((*before, gap, gap, *after)).height(job.style, width)
    min_plan = MIN_PLAN * job.style.scale
    below = scales.height(job.style, width)
    if available - below >= min_plan:
        available -= below
    table = table_of((job,), _plan(job), max(available, min_plan))
    yield Section(_("Set-up"), [Group((*before, gap, table, gap, *after)), Group([scales])])


def _plan(job: Job) -> TablePlan:
    """The table of the roster's scenario, or an empty one to sketch on."""
    plan = play.plan([RosterState(job.document, job.appraisal)])
    return plan._replace(zones=(), arrows=()) if job.blank else plan


Parts = tuple[tuple[Block, ...], tuple[Block, ...]]
"""What is above the plan, and what is below."""


def _set_up(job: Job) -> Parts:
    sides = [RosterState(job.document, job.appraisal)]
    slug = job.document.scenario or play.BASIC
    scenario, role = SCENARIOS[slug], play.roles_of(sides, slug)[0]
    side = scenario.sides.get(role, "")
    assumed = role and job.document.side != role
    title = play.scenario_title(slug)
    remark = _("This roster names no scenario, so the basic game is assumed.")
    text = scenario.text if job.document.scenario else join((scenario.text, remark), " ")
    before = (Heading(title, _("{side} (assumed)").format(side=side) if assumed else side), Paragraph(text))
    goals = [(_("Victory"), text) for _name, text in play.goals(sides, slug, [role])]
    end = (_("End"), tables.SCENARIO_SETUP[slug].ends)
    rows = (*play.table_rows(slug), *play.roster_rows(sides[0], role), *goals, end)
    pairs = (Row(PAIRS, row, 0.95, lines=30) for row in rows)
    return before, (*_tracks(slug, role, job.appraisal.quantity), Space(0.3), *pairs)


def _tracks(slug: str, role: str, quantity: int) -> Iterator[Block]:
    """Boxes for what the scenario counts."""
    if slug in FIVE_ROUNDS:
        yield _track(_("Rounds"), "rounds", ROUNDS)
    if slug in COUNT_POINTS:
        label = _("Points defeated")
        yield Row(PAIRS, (label, fill_in_cell("setup.defeated", label)), 0.95, min_lines=2)
    if slug == "escape" and quantity:
        needed = play.to_escape(quantity)
        label = _("Across ({needed} of {total} win)").format(needed=needed, total=quantity)
        yield _track(label, "across", min(needed, MAX_BOXES))
    if slug == "fortress-assault":
        label = _("Hits on the building (destroyed at the bar; one hit later for each further assaulter)")
        yield _track(label, "hits", MAX_HITS, HITS)
    if role == "spawner" and quantity > 1:
        label = _("Entered, of {n} waiting").format(n=quantity - 1)
        yield _track(label, "waiting", min(quantity - 1, MAX_BOXES))


def _track(label: str, name: str, number: int, breaks_at: int | None = None) -> Block:
    names = tuple(f"setup.{name}.{place}" for place in range(number))
    labels = tuple(str(place + 1) for place in range(number))
    tooltip = tuple(join((label, place), " ") for place in labels)
    boxes = Boxes(
        (False,) * number, breaks_at, names, size=1.5 if number <= ROUNDS else 1.0, labels=labels, tooltip=tooltip
    )
    return Row(PAIRS, (label, boxes.cell()), 0.95, lines=6)


def _scales() -> Stack:
    heads = (
        (_("Figures"), 2.3),
        (_("Examples"), 5),
        (_("A space"), 2.6),
        (_("Move unit"), 1.4),
        (_("Short range"), 1.4),
        (_("Long range"), 1.4),
    )
    columns = tuple(
        Column(head, share, "left" if n < 3 else "centre", face=BOLD if n == 0 else REGULAR)
        for n, (head, share) in enumerate(heads)
    )
    own = tuple(column._replace(face=BOLD) for column in columns)
    rows = [
        Row(
            own if scale.move == tables.MOVES["troop"].inches else columns,
            tuple(cell if isinstance(cell, str) else str(cell) for cell in scale),
            0.92,
        )
        for scale in tables.SCALES
    ]
    title = Heading(_("Scales"), _("in spaces"), 1.1)
    return Stack((Space(0.8), title, Paragraph(tables.SCALES_TEXT, 0.92), Space(0.2), TableHead(columns), *rows))


def _blank_set_up(job: Job) -> Parts:
    labels = {
        "scenario": _("Scenario"),
        "side": _("Side"),
        "commander": _("Commander"),
        "enemy": _("Opponent"),
        "how-we-win": _("Victory"),
    }
    lines = (BlankLine(label, f"setup.{name}") for name, label in labels.items())
    return (Heading(_("Set-up")), *lines), (_track(_("Rounds"), "rounds", ROUNDS),)
