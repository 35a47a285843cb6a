"""Markers of URUTSK: rounds lost, wounds and ammunition of figures."""

from rosters.core.messages import _
from rosters.pdf.markers import Marker, marker_sheet

MARKERS = marker_sheet(
    (
        Marker(_("Staggered"), _("Loses the next two rounds")),
        Marker(_("Stunned"), _("Loses the next round")),
        Marker(_("Injured"), _("Acts in the second round after; 1 Fate less")),
        Marker(_("Immobile"), _("In great pain and probably loud")),
        Marker(_("Unconscious"), _("For D6 minutes, then injured")),
        Marker(_("Ammo out"), _("Does not fire")),
        Marker(_("No command"), _("Joins other friends")),
    )
)
