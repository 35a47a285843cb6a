"""Markers of 6MM: what a stand has done, and whether it runs."""

from rosters.core.messages import _
from rosters.drawing import signs
from rosters.pdf.markers import Marker, marker_sheet

MARKERS = marker_sheet(
    (
        Marker(_("Done"), _("Its set has acted in this round"), signs.CHECK),
        Marker(_("Routs"), _("Flees one move a turn; rallies on 5 or 6"), signs.RETREAT),
        Marker(_("Limbered"), _("Limbering and unlimbering cost a square each"), signs.CARRIAGE),
        Marker(_("General"), _("Commands 2 squares away, 4 by radio"), signs.GENERAL),
    )
)
