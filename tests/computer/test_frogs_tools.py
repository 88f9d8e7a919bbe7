"""Matches of Pond · frogs, and the fitting of weights."""

import math
import random
from itertools import islice

import pytest

from benchmarks.frogs_strength import games, interval, player_of, summary
from tools.fit_frogs import Sample, fitted, loss, samples


def test_a_match_swaps_sides_within_each_pair() -> None:
    played = list(islice(games(player_of("strong:300"), player_of("random"), "standard", 2, "1"), 8))
    assert [game.had_light for game in played] == [True, False] * 4
    assert sum(game.points for game in played) >= 6
    assert summary(played).startswith("8 games: ")


@pytest.mark.parametrize("name", ["plain:2", "quick:2", "fair", "random"])
def test_every_kind_of_player_plays_to_the_end(name: str) -> None:
    game = next(games(player_of(name), player_of("random"), "standard", 0, "1"))
    assert game.points in {0, 0.5, 1}


def test_the_interval_of_an_even_match_is_symmetric() -> None:
    low, high = interval(50, 100)
    assert (round(low, 3), round(high, 3)) == (0.404, 0.596)


def test_fitting_finds_the_weights_that_results_were_drawn_from() -> None:
    rng = random.Random(1)
    found = []
    for _ in range(3000):
        features = (1, rng.randrange(-3, 4), rng.randrange(-2, 3))
        chance = 1 / (1 + math.exp(-(0.2 + 0.8 * features[1] - 0.5 * features[2])))
        found.append(Sample(features, float(rng.random() < chance)))
    weights = fitted(found)
    assert weights == pytest.approx([0.2, 0.8, -0.5], abs=0.15)
    assert loss(found, weights) < loss(found, [0.0, 0.0, 0.0])


def test_samples_come_from_whole_games() -> None:
    found = list(samples("standard", 2, 50))
    assert {sample.result for sample in found} <= {0, 0.5, 1}
    assert len(found) > 10
