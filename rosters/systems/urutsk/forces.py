"""The rules of URUTSK for a roster as a whole: somebody who can command."""

from rosters.core.forces import ForceRule

RULES = (ForceRule("no-command-figure", lambda figure: int(figure.command), minimum=1),)
