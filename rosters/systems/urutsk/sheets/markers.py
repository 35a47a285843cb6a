"""Markers of URUTSK: rounds lost, wounds and ammunition of figures."""

from rosters.core.messages import _
from rosters.drawing import signs
from rosters.pdf.markers import Marker, marker_sheet

MARKERS = marker_sheet(
    (
        Marker(_("Staggered"), _("Loses the next two rounds"), signs.TWO_HOURGLASSES),
        Marker(_("Stunned"), _("Loses the next round"), signs.HOURGLASS),
        Marker(_("Injured"), _("Acts in the second round after; 1 Fate less"), signs.CROSS),
        Marker(_("Immobile"), _("In great pain and probably loud"), signs.LOCK),
        Marker(_("Unconscious"), _("For D6 minutes, then injured"), signs.ASLEEP),
        Marker(_("Ammo out"), _("Does not fire"), signs.SPENT),
        Marker(_("No command"), _("Joins other friends"), signs.NO_COMMAND),
    )
)
