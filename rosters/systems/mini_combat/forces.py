"""The rules of Mini Combat for a roster as a whole: nothing but the points; a unit usually has one command element."""

from rosters.core.forces import ForceRule

RULES = (ForceRule("several-command-elements", lambda element: int(element.command), maximum=1),)
