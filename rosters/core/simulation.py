"""The interface of every ``systems/<x>/battle.py``: many battles of its game at once.

A battle is fought by combatants, one for each model of a roster, A's numbered from 0, B's from `SIDE_B`. The arena
makes them and the dice; ``fight`` plays all battles at once in NumPy arrays whose first axis is the battle, with masks
for branches. A die is requested by turn, unit (the number of a combatant, or `COMMON` for a die of neither side) and
roll, and is the same whenever and however often it is requested: each use has its own number in the module's literal
table ``ROLLS``; a range of numbers is written as its first one. So a mask may skip dice, but never shift them.

The same code logs a single battle die by die: it is then fought with a ``log``, which is called with one sentence
for each event, and at the end of a turn with the combatants that are `in_play`. Otherwise ``log`` is None.

battle.py is pure and imports NumPy at its top; it is itself imported only when battles are fought (`System.battle`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

from rosters.core.messages import Message, _
from rosters.core.odds import Side

SIDE_B = 1000
"""The number of B's first combatant; neither side has more."""
FIRST: Mapping[Side, int] = {"a": 0, "b": SIDE_B}
"""The number of the first combatant of each side."""
SIDE_NAMES: Mapping[Side, Message] = {"a": _("Blue"), "b": _("Red")}
"""The sides in a log, as a battle names its first two seats."""
COMMON = 2 * SIDE_B
"""The unit of dice that belong to no combatant."""

Array = Any
"""A NumPy array with one value for each battle on its first axis; core itself does not import NumPy."""
Log = Callable[[Message], None]


def rows_of(array: Array, battles: Array) -> Array:
    """The rows of some battles, where each column lies together in memory (``order="F"``), as those of the result do.

    ``array[battles]`` would lay rows together: sums and minima over them then take eight times as long.
    """
    return array.T.take(battles, axis=-1).T


class Combatant(NamedTuple):
    """One model of a roster. ``points`` are whole, in a unit of the arena's choice; 1 in a game without points.

    ``line`` is equal for the models of one element of a roster, and different for others of its side; ``group`` is the
    name of the formation.
    """

    number: int
    name: str
    formation: int
    line: int
    element: Any
    points: int
    group: str = ""


def numbers_of(side: Side, quantities: Iterable[int]) -> Iterator[range]:
    """The numbers of the combatants of each element that takes part, by their quantities in the order of the roster."""
    first = FIRST[side]
    for quantity in quantities:
        yield range(first, first + quantity)
        first += quantity


def side_of(combatant: Combatant) -> Message:
    """The name of a combatant's side in a log."""
    return SIDE_NAMES["b" if combatant.number >= SIDE_B else "a"]


def in_play(combatants: Iterable[Combatant], alive: Array) -> Message:
    """An event without words: the numbers of those combatants of a single battle that are left, in its values."""
    left = (str(each.number) for each, is_alive in zip(combatants, alive, strict=True) if is_alive)
    return Message("", values={"in_play": " ".join(left)})


Forces = Mapping[Side, Sequence[Combatant]]


class Battlefield(NamedTuple):
    """Where a battle is fought: by default as the game's battle.py says, on the move.

    With a ``distance`` nobody moves and the battle ends only when a side is beaten as in the duel of exact odds, or
    after ``turns``.
    """

    distance: int | None = None
    turns: int | None = None


class Dice(Protocol):
    """The dice of consecutive battles (balance/dice.py)."""

    battles: int

    def roll(self, turn: int, unit: int, roll: int, sides: int = 6) -> Array:
        """One die of each battle, 1 to ``sides``."""

    def rolls(self, turn: int, addresses: Sequence[tuple[int, int]], sides: int = 6) -> Array:
        """The dice of several units and rolls, each a row of bytes, to be compared and not calculated with."""


A = TypeVar("A")


def deploy(
    army: Callable[[Sequence[Combatant], int, int], A], forces: Forces, dice: Dice, field: Battlefield, apart: int
) -> Mapping[Side, A]:
    """Both armies of a battle on a line: A's at 0, B's at the distance of the battlefield or else so far apart."""
    place_of_b = apart if field.distance is None else field.distance
    return {"a": army(forces["a"], 0, dice.battles), "b": army(forces["b"], place_of_b, dice.battles)}


class Outcome(NamedTuple):
    """How battles ended, as arrays: 1 A wins, -1 B wins, 0 neither; the last turn; the points left of both."""

    winner: Array
    turns: Array
    a_left: Array
    b_left: Array


class Battles(Protocol):
    """The interface of every ``systems/<x>/battle.py``."""

    @property
    def ROLLS(self) -> Mapping[str, int]:
        """The number of each roll by its name."""

    @property
    def POLICIES(self) -> Sequence[str]:
        """How a side can be played, the plainest first, which is the default; fairness reports use the last."""

    @property
    def ORDER(self) -> str:
        """What the order of a roster decides, so that a model fewer can help its own side, a Message."""

    def takes_part(self, element: Any) -> bool:
        """Whether an element has models on the table; others are left out of the force."""

    def problems(self, element: Any) -> Iterable[tuple[str, str]]:
        """The keys of an element that cannot be simulated, each with the reason."""

    def fight(
        self, forces: Forces, dice: Dice, policies: Mapping[Side, str], battlefield: Battlefield, log: Log | None
    ) -> Outcome:
        """Fight all battles of the dice."""
