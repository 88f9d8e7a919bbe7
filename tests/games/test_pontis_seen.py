"""Observations, imagined states and invariants of Pontis."""

import random
from collections.abc import Iterator
from itertools import islice

import pytest

from bot.fairness import Deals
from bot.games.game import CHANCE_ONLY, Entry, Value
from bot.games.pontis import bridges
from bot.games.pontis.state import Observation, State, Window
from tests.doses import dose
from tests.games.checks.pontis import broken, imagine
from tests.games.pontis_table import (
    PONTIS,
    dealt,
    listed,
)

# ---- observations


def test_a_seat_sees_its_own_hand_and_the_public_sees_none() -> None:
    state = dealt("9C4CKC", "/5H/", players=3).state
    seen, public = PONTIS.observe(state, 1), PONTIS.observe(state, None)
    assert seen.hand == state.hands[1]
    assert seen.legal == PONTIS.legal(state, 1)
    assert (public.hand, public.legal) == ((), ())
    for observation in (seen, public):
        assert observation.hand_counts == (17, 17, 17)
        assert observation.banks == (listed("9C"), listed("4C"), ())
        assert (observation.suit, observation.rest_count) == ("C", 0)
        assert (observation.bank, observation.required, observation.asked) == (1, (5,), ("9 − 4 = 5",))
        assert observation.order == (1, 2, 0)
        assert observation.totals == (0, 0, 0)


def test_before_the_deal_nobody_is_on_turn() -> None:
    observation = PONTIS.observe(PONTIS.start(PONTIS.settle({})), 0)
    assert (observation.suit, observation.bank, observation.required, observation.order) == ("", None, (), ())
    assert not observation.ability


def moments(**options: Value) -> Iterator[State]:
    """Yield all states of some random games."""
    rng = random.Random(str(options))
    settled = PONTIS.settle(options)
    for number in range(dose(check=1, test=3)):
        deals = Deals(bytes([number]) * 32, ("",) * PONTIS.seats(settled))
        state, count = PONTIS.start(settled), 0
        while state.outcome is None:
            yield state
            if PONTIS.to_act(state) == CHANCE_ONLY:
                move = PONTIS.chance(state, deals(count))
                state, count = PONTIS.apply(state, None, move).state, count + 1
            else:
                state = PONTIS.apply(state, state.on_turn, rng.choice(PONTIS.legal(state, state.on_turn))).state
        yield state


TABLES: list[dict[str, Value]] = [
    {"players": 2, "games": 2},
    {"players": 3, "jokers": 4},
    {"players": 5, "fake": "on", "liar": "on"},
    {"players": 6, "banks": 2, "teams": "on", "fake": "on", "liar": "on"},
    {"players": 2, "banks": 8},
    {"players": 13, "jokers": 0},
]


@pytest.mark.parametrize("options", TABLES)
def test_an_imagined_state_gives_the_same_observation(options: dict[str, Value]) -> None:
    rng = random.Random(5)
    for state in islice(moments(**options), None, None, dose(check=5, test=1)):
        for seat in (None, rng.randrange(state.setup.players)):
            seen = PONTIS.observe(state, seat)
            imagined = imagine(seen, rng)
            assert PONTIS.observe(imagined, seat) == seen
            assert broken(imagined) == broken(state) == ()


def test_imagined_hands_agree_with_honest_misses() -> None:
    rng = random.Random(6)
    for state in moments(players=3):
        hands = imagine(PONTIS.observe(state, 0), rng).hands
        for hand, missed in zip(hands, state.missed, strict=True):
            denied = {value for required in missed for value in required}
            assert denied.isdisjoint(map(bridges.value, hand))


def test_an_impossible_observation_is_an_error() -> None:
    seen = PONTIS.observe(dealt("9C4CKC", "/5H/", players=3).state, None)
    everything = (tuple(range(14)),)
    spoilt = Observation(
        **{name: getattr(seen, name) for name in seen.__dataclass_fields__} | {"missed": (everything,) * 3}
    )
    with pytest.raises(ValueError, match="no deal agrees"):
        imagine(spoilt, random.Random(1))


def test_hidden_cards_do_not_change_what_others_see() -> None:
    state = dealt("9C4CKC2C", "/5H//", players=4).state
    hands = (state.hands[0], state.hands[1], state.hands[3], state.hands[2])
    other = state._replace(hands=hands, foundations=(*state.foundations[:2], *state.foundations[:1:-1]))
    assert PONTIS.observe(other, 0) == PONTIS.observe(state, 0)
    assert PONTIS.observe(other, None) == PONTIS.observe(state, None)
    assert PONTIS.observe(other, 2) != PONTIS.observe(state, 2)


# ---- invariants


def test_check_names_each_broken_invariant() -> None:
    state = dealt("9C4CKC2C", "/5H//", players=4).state
    assert broken(state) == ()
    spoilt = {
        "every card is in one place": state._replace(rest=listed("5H5H")),
        "each bank stands on its foundation": state._replace(foundations=listed("4C9CKC2C")),
        "the foundations share a suit": state._replace(foundations=listed("9C4CKC2D")),
        "the rest stays out": state._replace(rest=()),
        "hands never grow": state._replace(hands=(state.hands[0] * 2, *state.hands[1:])),
        "hands are sorted": state._replace(hands=(state.hands[0][::-1], *state.hands[1:])),
        "points for suits need plays": state._replace(suit_points=(9, 0, 0, 0)),
        "a lie needs a miss": state._replace(window=Window(1, listed("5H"), lie=True)),
        "the banks of the turn are up": state._replace(slot=0, banks=((), *state.banks[1:])),
        "the seat on turn can move": state._replace(hands=((), (), (), ())),
        "no game goes on without plays": state._replace(idle=8),
        "the table is empty before the deal": state._replace(phase="deal"),
    }
    assert {name: name in broken(other) for name, other in spoilt.items()} == dict.fromkeys(spoilt, True)


def test_folding_a_log_gives_the_same_state() -> None:
    settled = PONTIS.settle({"players": 2})
    deals = Deals(bytes(32), ("", ""))
    state, entries, _ = PONTIS.run_chance(PONTIS.start(settled), 0, deals)
    while state.outcome is None:
        move = PONTIS.legal(state, state.on_turn)[0]
        entries.append(Entry(state.on_turn, str(move)))
        state = PONTIS.apply(state, state.on_turn, move).state
    assert PONTIS.fold(settled, entries) == state
