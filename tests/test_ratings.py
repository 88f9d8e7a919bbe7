"""Simulated people whose strength is known, and the recorded games from which the numbers of computers are made."""

import json
import math
import random
import statistics
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise, product
from pathlib import Path
from typing import Any, Final

import pytest

from benchmarks.levels import numbers
from bot.ratings import UNIT, Rated, Rating, after, computer, form_of, numbers_of
from tests.doses import dose

RECORDED: Final[list[dict[str, Any]]] = [
    json.loads(line) for line in (Path(__file__).parent / "levels.jsonl").read_text().splitlines()
]
FORMS: Final = sorted({line["form"] for line in RECORDED})
LEVELS: Final = ("easy", "fair", "strong")
GAMES: Final = 100
CROWD: Final = dose(check=10, test=20, full=60)
"""Simulated people of a kind."""
SIMULATED: Final = dose(test=["pond 2", "pontis 4", "pot_black 4 in 2"], full=FORMS)
"""Forms of all kinds: with the largest distances, with several opponents, and with partners."""


def sides_of(form: str) -> list[int]:
    _game, seats, *teams = form.split()
    count = int(teams[-1]) if teams else int(seats)
    return [seat % count for seat in range(int(seats))]


class World:
    """People of known strengths, and their ratings."""

    def __init__(self, strengths: Mapping[int, float], seed: str) -> None:
        self.strengths = strengths
        self.ratings: dict[int, Rating] = {}
        self.games = dict.fromkeys(strengths, 0)
        self.rng = random.Random(seed)

    def places(self, form: str, at: Sequence[int | str]) -> dict[int, int]:
        """Draw the places of the sides: of any two, the stronger one is ahead with the odds of a duel."""
        sums: dict[int, float] = {}
        for side, who in zip(sides_of(form), at, strict=True):
            own = self.strengths[who] if isinstance(who, int) else numbers_of(form)[who]
            sums[side] = sums.get(side, 0.0) + own
        seen = {side: own / UNIT - math.log(-math.log(self.rng.random())) for side, own in sums.items()}
        return {side: place for place, side in enumerate(sorted(seen, key=lambda side: -seen[side]), 1)}

    def play(self, form: str, at: Sequence[int | str], share: float = 1.0) -> None:
        """Play a game of people, by their number, and computers, by their level."""
        places = self.places(form, at)
        seats = [
            computer(form, who, side, places[side])
            if isinstance(who, str)
            else Rated(side, places[side], self.ratings.get(who, Rating()), share)
            for side, who in zip(sides_of(form), at, strict=True)
        ]
        for who, rating in zip(at, after(seats), strict=True):
            if isinstance(who, int):
                self.ratings[who] = rating
                self.games[who] += 1

    def errors(self) -> dict[int, float]:
        """Return how far the ratings are from the truth."""
        return {who: rating.mu - self.strengths[who] for who, rating in self.ratings.items()}

    def least(self, among: Iterable[int], count: int) -> list[int]:
        """Return those who have played least, with some chance."""
        return sorted(among, key=lambda who: self.games[who] + 20 * self.rng.random())[:count]


# ---- computers


def test_the_numbers_of_computers_are_those_of_recorded_games() -> None:
    for form, found in numbers(RECORDED).items():
        assert {level: numbers_of(form)[level] for level in found} == found
        assert found["fair"] == 25.0
        assert sorted(numbers_of(form).values()) == [numbers_of(form)[level] for level in LEVELS]


def pairing(line: Mapping[str, Any]) -> tuple[str, str, str]:
    """Return the form of recorded games, and their levels without budgets."""
    return line["form"], line["first"].partition(":")[0], line["second"].partition(":")[0]


@pytest.mark.parametrize(("form", "level", "second"), sorted({pairing(line) for line in RECORDED}))
def test_recorded_games_lead_to_the_number_of_their_level(form: str, level: str, second: str) -> None:
    """One more win for each side is added, as in the numbers."""
    rng, sides = random.Random(form), sides_of(form)
    counts = [1, *[0] * (2 * max(sides) - 1), 1]
    for line in RECORDED:
        if pairing(line) == (form, level, second):
            assert sum(line["half_points"]) == line["games"]
            counts = [count + more for count, more in zip(counts, line["half_points"], strict=True)]
    rating = Rating()
    for won in rng.choices(range(len(counts)), counts, k=300):
        places = place_of(won // 2, won % 2, max(sides))
        seats = [computer(form, level if side == 0 else second, side, places[side]) for side in sides]
        seats[0] = Rated(0, places[0], rating, 1.0)
        rating = after(seats)[0]
    assert abs(rating.mu - numbers_of(form)[level]) < 1.5


def place_of(beaten: int, tied: int, others: int) -> list[int]:
    """Return the places of side 0, which beats and ties with so many others, and of the others."""
    ahead = others - beaten - tied
    return [ahead + 1, *range(1, ahead + 1), *[ahead + 1] * tied, *range(ahead + tied + 2, others + 2)]


@pytest.mark.parametrize("form", SIMULATED)
@pytest.mark.parametrize(
    ("level", "against"), [pair for pair in product(LEVELS, repeat=2) if pair != ("strong", "easy")]
)
def test_who_plays_as_a_level_ends_at_its_number(form: str, level: str, against: str) -> None:
    """Left out: a strong one who plays against easy ones alone, and so isn't lifted to the number of fair ones."""
    number = numbers_of(form)[level]
    rest = len(sides_of(form)) - 1
    ends = []
    for person in range(CROWD):
        world = World({0: number}, f"{form} {level} {against} {person}")
        for _ in range(GAMES):
            world.play(form, [0, *[against] * rest])
        ends.append(world.ratings[0])
    assert abs(statistics.mean(end.mu for end in ends) - number) < 1.5
    assert sum(abs(end.mu - number) <= 2 * end.sigma for end in ends) >= 0.9 * CROWD


@pytest.mark.parametrize("form", FORMS)
def test_who_always_beats_a_level_ends_below_the_next_one(form: str) -> None:
    sides = sides_of(form)
    numbers_by_level = [numbers_of(form)[level] for level in LEVELS]
    for weaker, (number, next_number) in zip(LEVELS, pairwise(numbers_by_level), strict=False):
        if number == next_number:  # strong isn't measurably better than fair in Pontis for four
            continue
        rating = Rating()
        for _ in range(1000):
            others = [computer(form, weaker, side, 1 if side == 0 else 2) for side in sides[1:]]
            rating = after([Rated(0, 1, rating, 1.0), *others])[0]
        assert number < rating.mu < next_number


def test_a_table_full_of_computers_tells_as_much_as_one() -> None:
    places = (1, 2, 3, 4)
    for own in places:
        alone, full = Rated(0, own, Rating(), 1.0), [computer("pebbles 4", "fair", side, 5) for side in (1, 2, 3)]
        duel = after([alone, computer("pebbles 2", "fair", 1, 5)])[0]
        assert after([alone, *full])[0] == pytest.approx(duel)


# ---- people


@pytest.mark.parametrize("sides", [(0, 1), (0, 1, 0, 1), (0, 1, 2), tuple(range(8))])
def test_no_win_costs_and_no_defeat_brings_points(sides: tuple[int, ...]) -> None:
    rng = random.Random(1)
    form = form_of("pontis", sides)
    for _ in range(300):
        places = {side: rng.randint(1, 3) for side in sides}
        places = {side: 1 + sum(other < place for other in places.values()) for side, place in places.items()}
        seats = [
            computer(form, rng.choice(LEVELS), side, places[side])
            if rng.random() < 0.3
            else Rated(side, places[side], Rating(rng.uniform(10, 40), rng.uniform(0.3, 6)), 1.0)
            for side in sides
        ]
        for seat, new in zip(seats, after(seats), strict=True):
            gain = new.mu - seat.rating.mu
            assert seat.place > 1 or gain >= 0 or max(places.values()) == 1
            assert seat.place < max(places.values()) or gain <= 0 or max(places.values()) == 1
            assert seat.limit is None or new == seat.rating


MIXED: Final = ("pontis 2", "pontis 4", "pontis 4 in 2", "pontis 8")


@pytest.mark.parametrize("forms", [MIXED[:1], MIXED[-1:], MIXED], ids=["duels", "large tables", "changing tables"])
@pytest.mark.parametrize("shares", [(1.0,), (1.0, 1.0, 0.5, 0.1)], ids=["all play on", "some leave"])
def test_groups_without_computers_are_right_in_their_differences(forms: Sequence[str], shares: Sequence[float]) -> None:
    world = World({who: 20 + who for who in range(10)}, "without computers")
    while min(world.games.values()) < 1000:
        form = world.rng.choice(forms)
        world.play(form, world.least(range(10), len(sides_of(form))), world.rng.choice(shares))
    errors = world.errors().values()
    assert max(errors) - min(errors) < 2.0


@pytest.mark.parametrize("farmers", [0, 4])
def test_people_among_computers_end_at_their_strength(farmers: int) -> None:
    """Farmers play against easy computers alone, and are no better than fair ones."""
    world = World({who: 22.0 + 0.5 * who for who in range(10)}, "with computers")
    while min(world.games.values()) < 1000:
        form = world.rng.choice(MIXED)
        count = len(sides_of(form))
        first, *others = world.least(range(10), world.rng.randint(1, count))
        people = [first, *(who for who in others if who >= farmers <= first)]
        levels = ["easy" if first < farmers else world.rng.choice(LEVELS) for _ in range(count - len(people))]
        world.play(form, world.rng.sample([*people, *levels], count))
    assert max(map(abs, world.errors().values())) < 2.0
