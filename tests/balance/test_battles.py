"""Simulated battles: addressed dice, and what plain players and exact odds say of the same battles."""

import pytest

from rosters.balance.dice import AddressedDice
from tests.balance.arenas import FORCES, GROUNDS, arena, deviations, plainly


def test_dice_have_the_faces_of_their_addresses_whichever_battle_is_the_first():
    rolled = [5, 3, 1, 3, 5, 1, 6, 2]
    assert [*AddressedDice(7, 8).roll(turn=1, unit=0, roll=0)] == rolled
    assert [*AddressedDice(7, 5, 3).roll(turn=1, unit=0, roll=0)] == rolled[3:]
    assert [*AddressedDice(7, 8).roll(turn=2, unit=1, roll=3, sides=12)] == [12, 10, 12, 8, 12, 1, 5, 5]


@pytest.mark.parametrize("row", FORCES, ids=" ".join)
def test_a_plain_player_with_the_same_dice_reaches_the_same_end(row):
    fought = arena(*row)
    outcome = fought.fight(battles=3, seed=7, first=2)
    ends = [*zip(*outcome, strict=True)]
    assert ends == [plainly(row[0], fought, 7, battle) for battle in (2, 3, 4)]
    assert fought.replay(battle=2, seed=7)


def test_six_of_one_book_ship_beat_six_of_another_at_the_same_price():
    """Known from elsewhere: 99.8 times in 100."""
    assert (arena("msc", "2 4 3 F FL FR x6", "4 4 5 F x6").fight(battles=200, seed=7).winner == 1).mean() > 0.97


@pytest.mark.parametrize("row", GROUNDS, ids=" ".join)
def test_simulated_duels_agree_with_the_exact_odds(row):
    assert max(deviations(row, battles=5_000, seed=7)) < 4
