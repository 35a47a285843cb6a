"""Simulated battles: addressed dice."""

from rosters.balance.dice import AddressedDice
from tests.balance.philox import die


def test_dice_have_the_faces_of_their_addresses():
    assert [*AddressedDice(7, 8).roll(turn=1, unit=0, roll=0)] == [5, 3, 1, 3, 5, 1, 6, 2]
    assert [*AddressedDice(7, 8).roll(turn=2, unit=1, roll=3, sides=12)] == [12, 10, 12, 8, 12, 1, 5, 5]


def test_dice_are_those_of_a_plain_philox_from_any_battle_on():
    for first in (0, 3, 1001):
        dice = AddressedDice(2**64 - 1, 6, first)
        for turn, unit, roll, sides in ((1, 1002, 7, 6), (30, 0, 0, 12)):
            plain = [die(2**64 - 1, battle, turn, unit, roll, sides) for battle in range(first, first + 6)]
            assert [*dice.roll(turn, unit, roll, sides)] == plain
