"""The quick-add grammar. PURE."""

from __future__ import annotations

from rosters.core.grammar import Grammar
from rosters.systems.mini_combat.rules import Element

GRAMMAR = Grammar(Element, ())
