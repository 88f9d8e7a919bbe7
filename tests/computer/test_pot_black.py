"""The computer player for Pot Black."""

import random

import pytest

from bot.computer.pot_black.players import fair as choose
from bot.games.cards import Dealer, Play, split
from bot.games.game import CHANCE
from bot.games.pot_black.rulebook import PotBlack
from bot.games.pot_black.state import Trick

GAME = PotBlack()


class Luck:
    """Chance from a generator."""

    def __init__(self, rng: random.Random) -> None:
        self.below = rng.randrange
        self.shuffle = lambda pack: rng.sample(pack, len(pack))


def chosen(hand: str, trick: str = "", gone: str = "", deal: int = 1, **options: str | int) -> str:
    """Return the card that seat 0 plays to the trick, after the cards in ``gone`` have been played."""
    state = GAME.apply(GAME.start(GAME.settle(options)), CHANCE, Dealer(0)).state
    on_table, played = split(trick) or (), split(gone) or ()
    before = len(on_table)
    order = tuple(seat % 4 for seat in range(4 - before, 8 - before))
    old = tuple(Trick(order, played[at : at + 4], 1, counts=True) for at in range(0, len(played), 4))
    hands = (tuple(sorted(split(hand) or ())), (), (), ())
    state = state._replace(deal=deal, order=order, trick=on_table, tricks=old, hands=hands)
    move = choose(GAME.observe(state, 0), random.Random(1))
    assert isinstance(move, Play)
    return move.card


def places(options: dict[str, str | int], thoughtful: set[int], games: int) -> list[int]:
    """Return the places of the computer's seats in games against random play."""
    rng = random.Random(7)
    found = []
    for _ in range(games):
        state = GAME.start(GAME.settle(options))
        while actors := GAME.to_act(state):
            (seat,) = actors
            if seat is CHANCE:
                move = GAME.chance(state, Luck(rng))
            elif seat in thoughtful:
                move = choose(GAME.observe(state, seat), rng)
            else:
                move = rng.choice(GAME.legal(state, seat))
            state = GAME.apply(state, seat, move).state
        assert state.outcome is not None
        found.append(state.outcome.places[min(thoughtful)])
    return found


def test_it_leads_a_sure_winner() -> None:
    assert chosen("AH3D4D5C", deal=5) == "AH"


def test_it_follows_with_its_lowest_card_when_it_cannot_win() -> None:
    assert chosen("KC9C3C", "ACQC2C") == "3C"


def test_it_wins_cheaply_when_it_plays_last() -> None:
    assert chosen("AD9D5D", "4D2D8D") == "9D"


def test_it_leaves_its_partners_winner_alone() -> None:
    assert chosen("AC2C", "3CKC4C") == "2C"


def test_it_does_not_trump_its_partners_winner() -> None:
    assert chosen("2H3D", "4CAC5C") == "3D"
    assert chosen("2H3C", "AD") == "2H"


def test_it_ducks_a_trick_with_a_black_ten() -> None:
    assert chosen("ACJC2C", "TC4C5C") == "2C"


def test_it_gives_a_black_ten_to_opponents() -> None:
    assert chosen("TS3D4D", "KC4CAC") == "TS"


def test_it_keeps_a_black_ten_from_its_partner() -> None:
    assert chosen("TS3D4D", "4CAC5C") == "3D"


def test_it_leads_a_black_ten_that_somebody_else_has_to_take() -> None:
    assert chosen("TS9D5D3D", gone="2S3S4S5S6S7S8S9S") == "TS"
    assert chosen("TS9D5D3D", gone="2S3S4S5S6S7S8SJS") != "TS"


def test_a_seat_that_showed_it_has_no_trumps_cannot_ruff() -> None:
    """Seats 1 to 3 didn't follow hearts, which are trumps."""
    assert chosen("AD3D5C", gone="2H3S4S5S") == "AD"


def test_it_leaves_its_partner_a_trick_that_the_last_seat_cannot_take() -> None:
    """Seat 1 didn't follow hearts, which are trumps."""
    assert chosen("6HQH8D9C", "TH8H", gone="AHKH2H3S") == "6H"
    assert chosen("6HQH8D9C", "TH8H", gone="AHKH2H3H") == "QH"


def test_it_does_not_take_a_trick_with_a_black_ten_that_a_trump_takes_as_well() -> None:
    assert chosen("8STS9CAC", "QD7D5D", deal=4) == "8S"


def test_it_spares_high_cards_where_the_trick_is_decided() -> None:
    assert chosen("7SJS2D", "QS5STS", deal=4) == "7S"


@pytest.mark.parametrize(
    ("options", "thoughtful"),
    [
        ({"deals": 5}, {0, 2}),
        ({"form": "individual", "end": "deals", "deals": 5}, {1}),
        ({"players": 3, "deals": 5}, {2}),
        ({"form": "classic", "deals": 10}, {3}),
    ],
)
def test_it_beats_random_play(options: dict[str, str | int], thoughtful: set[int]) -> None:
    found = places(options, thoughtful, 20)
    assert found.count(1) >= 11
