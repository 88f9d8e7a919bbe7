"""The strong and the easy computer for Pot Black."""

import random
from collections.abc import Iterator

import pytest

from bot import computer
from bot.computer.pot_black import players
from bot.computer.pot_black.engine import CARDS
from bot.computer.pot_black.reasons import facts
from bot.computer.thoughts import TrickWhy
from bot.games.cards import PACK, Card, Dealer, Play, split
from bot.games.game import CHANCE, Value
from bot.games.pot_black.state import State, Trick
from tests.computer.pot_black_tables import FORMS, GAME, Luck
from tests.games.checks.pot_black import imagine

FEW = 200
"""A budget that is small enough for tests."""


def positions(options: dict[str, Value], rng: random.Random, level: str) -> Iterator[State]:
    """Yield the positions of a game."""
    state = GAME.start(GAME.settle(options))
    while actors := GAME.to_act(state):
        (seat,) = actors
        if seat is CHANCE:
            state = GAME.apply(state, seat, GAME.chance(state, Luck(rng))).state
            continue
        yield state
        state = GAME.apply(state, seat, computer.choose("pot_black", GAME.observe(state, seat), rng, level)).state


def cards_of(text: str) -> tuple[Card, ...]:
    """Return the cards of a text."""
    return split(text) or ()


def table(hand: str, trick: str, deal: int, rng: random.Random) -> State:
    """Return a table in which seat 0 is to play to the trick. All other cards have random places."""
    state = GAME.apply(GAME.start(GAME.settle({})), CHANCE, Dealer(0)).state
    own, on_table = cards_of(hand), cards_of(trick)
    order = tuple((seat - len(on_table)) % 4 for seat in range(4))
    void = {seat for seat, card in zip(order, on_table, strict=False) if card[1] != on_table[0][1]}
    while True:
        rest = [card for card in rng.sample(PACK, len(PACK)) if card not in own and card not in on_table]
        hands = [own]
        for seat in (1, 2, 3):
            number = len(own) - (seat in order[: len(on_table)])
            hands.append(tuple(rest[:number]))
            rest = rest[number:]
        # All tricks so far are of one suit, so nobody has shown a void in them.
        rest.sort(key=lambda card: card[1])
        suits = "".join(card[1] for card in rest)
        is_even = all(suits.count(suit) % 4 == 0 for suit in "SHDC")
        if is_even and all(card[1] != on_table[0][1] for seat in void for card in hands[seat]):
            break
    gone = [tuple(rest[at : at + 4]) for at in range(0, len(rest), 4)]
    tricks = tuple(Trick(order, cards, at % 4, not {"TS", "TC"} & {*cards}) for at, cards in enumerate(gone))
    sorted_hands = tuple(tuple(sorted(cards)) for cards in hands)
    return state._replace(deal=deal, hands=sorted_hands, order=order, trick=on_table, tricks=tricks)


@pytest.mark.parametrize(
    ("hand", "trick", "deal", "absurd"),
    [
        ("AH3H9D5D4C", "4HKH5H", 5, "AH"),  # It takes the trick that its partner owns.
        ("2S9D5D4D", "4CAC5C", 4, "2S"),  # It trumps the trick that its partner owns.
        ("TS9D5D4D", "4CAC5C", 5, "TS"),  # It throws a black ten on its partner's winner.
        ("TS9D5D4D", "4CAC5C", 1, "TS"),
        ("TC3C9D5D", "4CAC5C", 3, "TC"),  # It follows with a black ten although it has a low card.
        ("AD3D9H5S", "4D5D2C", 2, "AD"),  # It wastes an ace on a trick that is lost to a trump.
        ("KC2C9D5D", "4CTCJC", 5, "KC"),  # It takes a black ten that it could leave to its opponents.
        ("9D5D4D2H", "4CTCAC", 1, "2H"),  # It trumps a trick with a black ten.
        ("2S9D5D4D", "AC5C", 4, "2S"),  # It trumps its partner's ace in third seat.
        ("AC3C9D5D", "KC4C", 5, "AC"),  # It overtakes its partner's king, which nobody else can beat with a club.
        ("TS9D5D4D", "AC5C", 5, "TS"),
        ("TS8S9D5C", "QH7H5H", 4, "TS"),  # It takes a trick with a black ten although a low trump takes it, too.
        ("ACTC9D5D", "4CKC5C", 5, "TC"),  # It throws a black ten on its partner's winner although its ace is free.
    ],
)
def test_strong_and_fair_play_nothing_absurd(hand: str, trick: str, deal: int, absurd: str) -> None:
    for seed in range(4):
        seen = GAME.observe(table(hand, trick, deal, random.Random(seed)), 0)
        for move in (players.strong(seen, random.Random(seed), FEW), players.fair(seen, random.Random(seed))):
            assert isinstance(move, Play)
            assert move.card not in cards_of(absurd)


@pytest.mark.parametrize(
    ("hand", "trick", "deal", "taking"),
    [
        ("AH3H9D5D4C", "4HKH5H", 5, "AH"),
        ("2S9D5D4D", "4CAC5C", 4, "2S"),
        ("2S9D5D4D", "AC5C", 4, "2S"),
        ("AC3C9D5D", "KC4C", 5, "AC"),
        ("TS9D5D4D", "4CAC5C", 5, "TS"),
        ("KC4C9D5D", "QC2C", 5, "KC"),  # It beats its partner's queen, and nothing more.
    ],
)
def test_a_beginner_leaves_its_partners_tricks_alone(hand: str, trick: str, deal: int, taking: str) -> None:
    for seed in range(4):
        seen = GAME.observe(table(hand, trick, deal, random.Random(seed)), 0)
        assert players.easy(seen, random.Random(seed)) != Play(Card(taking))


@pytest.mark.parametrize(
    ("hand", "trick", "deal"),
    [("TC2C9D5D", "3C5C7C", 5), ("TCJC9D5D", "5C7C3C", 5), ("TC5D6D7D", "", 5), ("TC3C5C9D", "KS2H", 2)],
)
def test_a_beginner_neither_leads_nor_wins_with_a_black_ten(hand: str, trick: str, deal: int) -> None:
    for seed in range(4):
        seen = GAME.observe(table(hand, trick, deal, random.Random(seed)), 0)
        assert players.easy(seen, random.Random(seed)) != Play(Card("TC"))


@pytest.mark.parametrize("level", ["easy", "fair"])
@pytest.mark.parametrize("options", FORMS)
def test_they_play_legal_cards_in_all_forms(options: dict[str, Value], level: str) -> None:
    assert len([*positions(options, random.Random(3), level)]) > 12


@pytest.mark.parametrize("options", FORMS)
def test_strong_plays_legal_cards_in_all_forms(options: dict[str, Value]) -> None:
    rng = random.Random(5)
    for state in [*positions(options, rng, "fair")][::25]:
        seen = GAME.observe(state, state.turn)
        assert players.strong(seen, rng, 10) in seen.legal


def test_a_choice_depends_only_on_the_observation() -> None:
    rng = random.Random(7)
    for state in [*positions({}, rng, "fair")][::150]:
        seen = GAME.observe(state, state.turn)
        other = GAME.observe(imagine(seen, rng), state.turn)
        for level in ("easy", "fair"):
            chosen = computer.choose("pot_black", seen, random.Random(1), level)
            assert chosen == computer.choose("pot_black", other, random.Random(1), level)
        assert players.strong(seen, random.Random(1), 100) == players.strong(other, random.Random(1), 100)


def test_a_trick_that_the_partner_takes_is_not_left_to_the_other_side() -> None:
    """Seat 2, the partner, takes the trick with the black ten in it unless seat 0 does."""
    seen = GAME.observe(table("2SASKH", "5SKSTS", 1, random.Random(1)), 0)
    deals = [players.Deals(seen).draw(random.Random(1))] * 4
    low, high = (next(bit for bit, card in CARDS.items() if card == each) for each in cards_of("2SAS"))
    assert TrickWhy.LEAVES not in {cause.why for cause in facts(deals, low, high)}
    foes = GAME.observe(table("2SASKH", "KS5STS", 1, random.Random(1)), 0)
    deals = [players.Deals(foes).draw(random.Random(1))] * 4
    assert TrickWhy.LEAVES in {cause.why for cause in facts(deals, low, high)}
