"""The search over imagined deals that the computers of the card games share."""

import random

import pytest

from bot.computer.imagined_deals import Habit, compare


def test_the_move_with_the_highest_mean_comes_first() -> None:
    rng = random.Random(1)
    found = compare("abcdefg", rng.random, lambda luck, move: luck + "dfgabce".index(move) / 100, 500)
    assert [judged.move for judged in found] == list("ecbagfd")
    assert found[0].deals > found[-1].deals


@pytest.mark.parametrize("moves", [1, 2, 3, 13])
def test_the_budget_is_the_number_of_deals_played(moves: int) -> None:
    played: list[int] = []

    def value(_: int, move: int) -> float:
        played.append(move)
        return 0.0

    found = compare(range(moves), lambda: 0, value, 2000)
    assert 2000 - 2 * moves <= len(played) <= 2000
    assert sum(judged.deals for judged in found) == len(played)
    assert [judged.move for judged in found] == [*range(moves)]


def test_all_moves_are_played_in_the_same_deals() -> None:
    seen: dict[int, str] = {}
    deals = iter(range(1000))

    def value(deal: int, move: str) -> float:
        seen[deal] = seen.get(deal, "") + move
        return 0.0

    compare("ab", lambda: next(deals), value, 100)
    assert {*seen.values()} == {"ab"}


@pytest.mark.parametrize(("gain", "first"), [(0.0, "c"), (0.005, "c"), (0.02, "c"), (0.5, "a")])
def test_the_expected_move_is_played_unless_another_is_clearly_better(gain: float, first: str) -> None:
    """Both are played in the same deals to the end. A gain within the luck of the deals isn't enough."""
    rng = random.Random(1)

    def value(deal: dict[str, float], move: str) -> float:
        return deal[move] + gain * (move == "a") - (move == "b")

    found = compare("abcd", lambda: {move: rng.random() for move in "abcd"}, value, 400, Habit("c", 0.01))
    assert found[0].move == first
    expected = next(judged for judged in found if judged.move == "c")
    assert expected.deals >= max(judged.deals for judged in found) - 1


@pytest.mark.parametrize(("gain", "first"), [(0.02, "c"), (0.08, "c"), (0.5, "a")])
def test_a_puzzling_move_needs_a_larger_lead(gain: float, first: str) -> None:
    rng = random.Random(1)
    habit = Habit("c", 0.01, {"a": 0.1})
    found = compare("abc", rng.random, lambda luck, move: luck + gain * (move == "a") - (move == "b"), 300, habit)
    assert found[0].move == first
