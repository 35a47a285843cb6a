"""Markers of Mini Combat: objectives, and what elements with certain abilities have done."""

from rosters.core.messages import _
from rosters.drawing import signs
from rosters.pdf.markers import Marker, marker_sheet

MARKERS = marker_sheet(
    (
        Marker(_("Objective"), _("Held by the only units within 10\u00a0cm"), signs.FLAG),
        Marker(_("Stood still"), _("Move or fire: may shoot"), signs.PAUSE),
        Marker(_("Fired"), _("Fires every other turn: not in the next one"), signs.BURST),
        Marker(_("Shot used"), _("One shot: never fires again"), signs.SPENT),
        Marker(_("Revealed"), _("Seen like any other element"), signs.EYE),
        Marker(_("Dropped"), _("Acts from the next turn on"), signs.PARACHUTE),
    )
)
