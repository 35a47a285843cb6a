"""The rules of Minimal Space Combat for a roster as a whole: nothing but the points."""

from rosters.core.forces import ForceRule

RULES: tuple[ForceRule, ...] = ()
