#!/usr/bin/env bash
# openskill 6.2.0 (PyPI, MIT): the scale of Plackett-Luce ratings grows with the number of players at a table.
#
# Eight players of fixed strengths play 400 games each, once in duels and once all at one table. Each result is drawn
# from the same strengths. A guess is that both end with the same differences, as a rating is said to be comparable
# whatever the number of players. Bradley-Terry and Thurstone-Mosteller come close to that. With Plackett-Luce, the
# players end twice as far apart if they always play at a table of eight. So one pool of ratings for tables of 2 to 13
# mixes scales: who plays at large tables gets extreme ratings.
#
# Output seen on 2026-11-29 with Python 3.11:
#   PlackettLuce 2.04
#   BradleyTerryFull 0.94
#   ThurstoneMostellerFull 0.99
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check openskill==6.2.0
"$folder/venv/bin/python" - <<'PYTHON'
import math
import random
import statistics
import sys

from openskill.models import BradleyTerryFull, PlackettLuce, ThurstoneMostellerFull

PLAYERS, GAMES, RUNS = 8, 400, 3
STRENGTHS = [0.5 * player for player in range(PLAYERS)]


def spread(model, seats, rng):
    """Return the standard deviation of the ratings after games at tables with this many seats."""
    ratings, played = [model.rating() for _ in range(PLAYERS)], [0] * PLAYERS
    while min(played) < GAMES:
        # Strengths plus Gumbel noise: in any group, each player is first with the same odds as in a duel.
        seen = {p: STRENGTHS[p] - math.log(-math.log(rng.random())) for p in rng.sample(range(PLAYERS), seats)}
        order = sorted(seen, key=seen.get, reverse=True)
        rated = model.rate([[ratings[p]] for p in order], ranks=list(range(seats)))
        for player, (rating,) in zip(order, rated):
            ratings[player] = rating
            played[player] += 1
    return statistics.pstdev(rating.mu for rating in ratings)


rng = random.Random(1)
ratios = {}
for kind in (PlackettLuce, BradleyTerryFull, ThurstoneMostellerFull):
    duels = statistics.mean(spread(kind(), 2, rng) for _ in range(RUNS))
    tables = statistics.mean(spread(kind(), PLAYERS, rng) for _ in range(RUNS))
    ratios[kind.__name__] = tables / duels
    print(kind.__name__, round(tables / duels, 2))
is_as_seen = ratios["PlackettLuce"] > 1.6 and all(0.8 < ratios[each] < 1.2 for each in ("BradleyTerryFull", "ThurstoneMostellerFull"))
sys.exit(0 if is_as_seen else "The behaviour has changed.")
PYTHON
