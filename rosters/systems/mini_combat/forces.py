"""What Mini Combat asks of a force as a whole: nothing but the points; a unit usually has one command element."""

from rosters.core.forces import ForceRule

RULES = (ForceRule("several-command-elements", lambda element: int(element.command), most=1),)
