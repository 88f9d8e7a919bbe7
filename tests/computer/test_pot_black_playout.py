"""Playouts agree with the rulebook, card by card and chip by chip."""

import random

import pytest

from bot.computer.pot_black_playout import Playout
from bot.games.card_table import Play
from bot.games.game import CHANCE
from bot.games.pot_black import Chips, DealSettled, State
from bot.games.tricks import CARDS
from tests.games.pot_black_deals import GAME, table


class Luck:
    """Chance from a generator, for games that need no fair deal."""

    def __init__(self, rng: random.Random) -> None:
        self.below = rng.randrange
        self.shuffle = lambda pack: rng.sample(pack, len(pack))


def dealt(rng: random.Random, *, poor: bool, **options: str | int) -> State:
    """A table with hands; where it is poor, most chips lie in the main pot."""
    state = table(**options)
    if poor:
        stacks = tuple(rng.randrange(1, 8) for _ in state.position.chips.stacks)
        chips = Chips(stacks, state.position.chips.total - sum(stacks))
        state = state._replace(position=state.position._replace(chips=chips))
    return GAME.apply(state, CHANCE, GAME.chance(state, Luck(rng))).state


@pytest.mark.parametrize("poor", [False, True])
@pytest.mark.parametrize(
    "options",
    [{}, {"short": "strict"}, {"form": "individual", "tied_side_pot": "stays"}, {"players": 3}, {"form": "classic"}],
)
def test_a_playout_goes_as_the_deal_would_go_from_any_of_its_moments(
    options: dict[str, str | int], *, poor: bool
) -> None:
    rng = random.Random(3)
    for number in range(40):
        state = dealt(rng, poor=poor, **options)
        for _ in range(number):
            if state.turn is None:
                break
            state = GAME.apply(state, state.turn, rng.choice(GAME.legal(state, state.turn))).state
        if state.turn is None:
            continue
        playout = Playout(state)
        chips = state.position.chips
        while not playout.over:
            assert playout.turn == state.turn
            cards = playout.legal()
            assert tuple(Play(CARDS[card]) for card in cards) == GAME.legal(state, playout.turn)
            card = rng.choice(cards)
            state, events = GAME.apply(state, playout.turn, Play(CARDS[card]))
            playout.play(card)
            settled = [event.chips for event in events if isinstance(event, DealSettled)]
            chips = settled[0] if settled else state.position.chips
        assert not state.position.order or state.outcome
        assert playout.settled() == chips
