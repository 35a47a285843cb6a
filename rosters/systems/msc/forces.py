"""What Minimal Space Combat asks of a force as a whole: nothing but the points."""

from rosters.core.forces import ForceRule

RULES: tuple[ForceRule, ...] = ()
