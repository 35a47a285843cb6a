"""Markers of VSGMR: who has acted, who is afraid, and what a scenario asks for."""

from rosters.core.messages import _
from rosters.drawing import signs
from rosters.pdf.markers import Marker, marker_sheet

MARKERS = marker_sheet(
    (
        Marker(_("Acted"), _("Has had its turn in this round"), signs.CHECK),
        Marker(_("Afraid"), _("Moved away; acts again in the next round"), signs.ALARM),
        Marker(_("Object"), _("Carry it to the side where your force began"), signs.CRATE),
        Marker(_("Target"), _("Its loss ends the scenario"), signs.TARGET),
    )
)
