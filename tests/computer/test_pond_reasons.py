"""The reasons of hints in Pond · cards fit what the player sees."""

import random
from itertools import islice, permutations
from typing import Any

import pytest

from bot import computer
from bot.computer.pond.engine import CARDS, PASSING, SUITS
from bot.computer.pond.players import Actions
from bot.computer.pond.reasons import course_of, facts
from bot.computer.pond.why import PondWhy
from bot.computer.thoughts import Cause, How, Kind
from bot.games.cards import Card, face
from bot.games.pond.state import FACE_DOWN
from tests.computer.facts import card_of
from tests.computer.test_reasons import positions
from tests.doses import IS_COMPLETE


@pytest.mark.parametrize("players", [2, 4])
def test_reasons_of_pond_fit_what_the_player_sees(players: int) -> None:
    """No card is kept for a pond in which it is the player's own poison, and no player shuns a pond that is theirs."""
    rng, found = random.Random(players), 0
    for seen in islice(positions("pond", {"players": players}, rng), (240 if IS_COMPLETE else 24) // players):
        own = {face(card) for card in seen.hand if seen.turned and card[1] == seen.poison(seen.seat)}
        for move, other in islice(permutations(rng.sample(seen.legal, min(3, len(seen.legal))), 2), 4):
            cause = computer.why("pond", seen, move, other, random.Random(1))
            if cause is None:
                continue
            found += cause.what in own
            is_last = seen.phase == "play" and len(seen.trick) == players - 1
            assert not (cause.why is PondWhy.KEEPS_FOR_LATER and cause.what in own), (seen, move, other)
            assert not (cause.why is PondWhy.SAVES_FOR_NOW and cause.number and cause.what in own), (seen, move, other)
            assert not (is_last and says(cause, PondWhy.POISON_FOR, How.LIKELIER)), (seen, move, other)
            if not is_last and says(cause, PondWhy.ADDS, How.LIKELY):
                assert in_sight(seen, card_of(move)) > 0, (seen, move, other)
    assert found


def test_a_card_that_isnt_set_aside_is_kept_for_the_first_trick_too() -> None:
    kept = 0
    for seen in islice(positions("pond", {"players": 2}, random.Random(3)), 40):
        if seen.phase not in {"profit", "bait"}:
            continue
        imagine = Actions(seen, random.Random(1)).imagining(random.Random(1), 4)
        deals = [imagine() for _ in range(4)]
        for move, other in permutations([CARDS.index(card_of(move)) for move in seen.legal[:6]], 2):
            for cause in facts(deals, move, other):
                is_kept = cause.why.name.startswith("KEEPS_") and cause.why is not PondWhy.KEEPS_FOR_LATER
                kept += is_kept and seen.phase == "profit"
                assert not is_kept or bool(cause.number) == (seen.phase == "profit")
    assert kept


def says(cause: Cause, why: Kind, how: How) -> bool:
    """Whether a reason is of this kind, and as certain as that."""
    return (cause.why, cause.how) == (why, how)


def in_sight(seen: Any, card: Card) -> int:
    """Return the most that the cards in sight, with this one, are worth to a seat of the side."""
    laid = [each.card for each in (*seen.baits, *seen.traps, *seen.trick) if each.card != FACE_DOWN]
    return max(int(seen.points(seat, *laid, card)) for seat in (seen.seat, (seen.seat + 2) % seen.setup.players))


def test_nobody_is_said_not_to_know_who_takes_a_pond_that_is_probably_ones_own() -> None:
    """Without traps, opponents can't hide poison there."""
    found: set[Kind] = set()
    for seen in islice(positions("pond", {"players": 2}, random.Random(1)), 60):
        if seen.phase != "trap":
            continue
        rng = random.Random(1)
        actions = Actions(seen, rng)
        imagine = actions.imagining(rng, 40)
        deals = [imagine() for _ in range(40)]
        none = next(move for move in actions.moves if str(actions.named(move)) == "pass")
        trap = next(move for move in actions.moves if move != none)
        is_own = course_of(deals, none).is_for((seen.seat,))
        given = {cause.why for cause in facts(deals, none, trap)} & {PondWhy.NO_TRAP, PondWhy.NO_HIDING}
        assert given <= {PondWhy.NO_HIDING if is_own else PondWhy.NO_TRAP}
        found |= given
    assert found == {PondWhy.NO_TRAP, PondWhy.NO_HIDING}


def test_there_is_always_a_reason_against_a_card_of_poison() -> None:
    found = 0
    for seen in islice(positions("pond", {"players": 2}, random.Random(2)), 60):
        if seen.phase not in {"bait", "trap"}:
            continue
        rng = random.Random(1)
        actions = Actions(seen, rng)
        imagine = actions.imagining(rng, 20)
        deals = [imagine() for _ in range(20)]
        poison = deals[0].poisons[seen.seat]
        cards = [move for move in actions.moves if move != PASSING]
        clean, dirty = ([card for card in cards if (SUITS[card] == poison) is is_own] for is_own in (False, True))
        for move, other in islice(zip(clean, dirty, strict=False), 3):
            given = facts(deals, move, other)
            assert given, (seen, move, other)
            found += Cause(PondWhy.CLEAN, how=How.LIKELIER) in given
    assert found
