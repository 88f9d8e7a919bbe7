"""The strong and the easy computer player for Pontis."""

import random
from collections.abc import Iterator
from itertools import chain

import pytest

from bot.computer import choose
from bot.computer.pontis import players
from bot.computer.pontis.deals import Deals
from bot.computer.pontis.engine import set_of
from bot.games.cards import JOKER, Card, Play, leave_out, split
from bot.games.game import CHANCE, Move, Value
from bot.games.pontis.bridges import value
from bot.games.pontis.moves import Liar, cards_of
from bot.games.pontis.state import Observation, State, Window
from tests.computer.pontis_tables import FORMS, GAME, Luck
from tests.games.checks.pontis import imagine


def played(options: dict[str, Value], rng: random.Random, levels: tuple[str, ...]) -> Iterator[State]:
    """Play a game between computers of these levels, in turn by seat. Yield the states in which a seat is on turn."""
    state = GAME.start(GAME.settle(options))
    while actors := GAME.to_act(state):
        (actor,) = actors
        if actor is CHANCE:
            state = GAME.apply(state, actor, GAME.chance(state, Luck(rng))).state
            continue
        yield state
        seen = GAME.observe(state, actor)
        level = levels[state.on_turn % len(levels)]
        move = players.strong(seen, rng, 8) if level == "strong" else choose("pontis", seen, rng, level)
        assert move in seen.legal
        state = GAME.apply(state, actor, move).state


@pytest.mark.parametrize("options", FORMS)
def test_all_levels_play_by_the_rules(options: dict[str, Value]) -> None:
    rng = random.Random(str(options))
    assert [*played(options, rng, ("strong", "easy", "random"))]


@pytest.mark.parametrize("options", FORMS)
def test_imagined_deals_agree_with_what_was_seen(options: dict[str, Value]) -> None:
    rng = random.Random(str(options))
    for state in played(options, rng, ("fair",)):
        if rng.random() > 0.2:
            continue
        seen = GAME.observe(state, state.on_turn)
        deal = Deals(seen).draw(rng)
        assert deal.hands[state.on_turn] == set_of(seen.hand)
        assert [hand.bit_count() for hand in deal.hands] == [*seen.hand_counts]
        union = 0
        for hand, denied in zip(deal.hands, deal.denied, strict=True):
            assert not union & hand
            assert state.setup.fake == "on" or not hand & denied
            union |= hand


@pytest.mark.parametrize("options", FORMS)
def test_choices_depend_on_nothing_hidden(options: dict[str, Value]) -> None:
    rng = random.Random(str(options))
    for number, state in enumerate(played(options, rng, ("random",))):
        if number % 9:
            continue
        seen = GAME.observe(state, state.on_turn)
        other = GAME.observe(imagine(seen, rng), state.on_turn)
        assert players.strong(seen, random.Random(number), 20) == players.strong(other, random.Random(number), 20)


def seen(banks: str, hands: str, **changes: object) -> Observation:
    """Return what seat 0 sees on turn. All cards not named lie below those of bank 0, so nothing is hidden from two."""
    piles = [split(bank) or () for bank in banks.split("/")]
    held = [tuple(sorted(split(hand) or ())) for hand in hands.split("/")]
    fake = changes.pop("fake", "off")
    options: dict[str, Value] = {"players": len(piles), "fake": str(fake), "liar": str(fake)}
    start: State = GAME.start(GAME.settle(options))
    piles[0] = (*leave_out(start.setup.pack, chain(*piles, *held)), *piles[0])
    state = start._replace(
        phase="play", foundations=tuple(pile[0] for pile in piles), banks=tuple(piles), hands=tuple(held)
    )
    return GAME.observe(state._replace(**changes), 0)  # type: ignore[arg-type]  # any of its fields


def chosen(observation: Observation) -> str:
    return str(players.strong(observation, random.Random(1), 400))


def test_it_goes_out_rather_than_play_on() -> None:
    assert chosen(seen("9C/4C", "5SKH/KSKD3D2D")) == "play 5S"
    assert chosen(seen("9C/4C", "5S/KSKD")) == "play 5S"


@pytest.mark.parametrize("level", ["fair", "strong"])
def test_it_goes_out_where_waiting_would_do_as_well(level: str) -> None:
    observation = seen("9C/4C", "5S/KS", fake="on")
    assert {str(choose("pontis", observation, random.Random(seed), level)) for seed in range(8)} == {"play 5S"}


def test_it_puts_the_card_on_top_that_leaves_no_bridge() -> None:
    """Seat 0 needs four. On a nine, seat 1 has the five that it needs; on a king it would need a nine."""
    assert chosen(seen("8C/4D", "KS9HQD/5SQS", idle=2)) == "sum 9H KS"


def test_the_values_of_alternatives_come_from_many_deals() -> None:
    """The tree alone plays worse moves a few times only, which says little about them."""
    observation = seen("9C/4C", "5S5D5HKDQDJDTD2C/KSQSJSTS9S8S7S6S5C4D3D2D3H4H6H7H")
    _best, *others = players.Bridges(observation).think(random.Random(1), 400)
    assert len(others) == 2
    assert min(other.deals for other in others) >= 100


@pytest.mark.parametrize("level", ["fair", "strong"])
@pytest.mark.parametrize(
    ("banks", "hands"),
    [
        ("4H/AH", "2S3CKC5H/KSJS7H6H2C"),
        ("JH/KH", "QHAC2STS/7D5S4D2CTH"),
        ("4S/8D", "AS9D3D4C/4HJCQCJH5S"),
        ("8H/9S", "ACJSJHQD/7D2D3D9CKC"),
    ],
)
def test_it_fakes_a_miss_where_that_is_proven_best(banks: str, hands: str, level: str) -> None:
    """A card could be played, but two cards later are worth at least three points more."""
    observation = seen(banks, hands, fake="on")
    assert len(observation.legal) > 1
    assert {str(choose("pontis", observation, random.Random(seed), level)) for seed in range(3)} == {"miss"}


def test_it_calls_lies_only() -> None:
    lie = Window(1, split("5S") or (), lie=True)
    assert isinstance(players.strong(seen("9C/4D", "5DKS/QS", fake="on", window=lie), random.Random(1)), Liar)
    truth = lie._replace(lie=False)
    assert not isinstance(players.strong(seen("9C/4D", "5DKS/QS", fake="on", window=truth), random.Random(1)), Liar)


def test_the_easy_one_takes_a_free_point_and_sheds_high_cards() -> None:
    rng = random.Random(1)
    assert str(choose("pontis", seen("9C/4D", "5D5HKSQS/QH"), rng, "easy")) == "play 5D"
    assert str(choose("pontis", seen("KC/4C", "9SAHKS/QH", fake="on"), rng, "easy")) == "play 9S"
    pairs = {str(choose("pontis", seen("9C/4C", "KS8S2H3H/QS", idle=2), rng, "easy")) for _ in range(30)}
    assert len(pairs) > 2


@pytest.mark.parametrize("number", [2, 4])
def test_the_fair_one_does_not_lose_to_a_greedy_rule(number: int) -> None:
    """It takes the most points at once, with the highest cards."""

    def greedy(observation: Observation) -> Move:
        def worth(move: Move) -> tuple[int, int]:
            cards = [] if isinstance(move, Liar) else cards_of(move)
            return len(cards) + (bool(cards) and matches(observation, cards[-1])), sum(map(value, cards))

        return max(observation.legal, key=worth)

    rng, lead = random.Random(1), 0
    for game in range(12 if number == 2 else 60):
        state = GAME.start(GAME.settle({"players": number, "games": 2}))
        while actors := GAME.to_act(state):
            (actor,) = actors
            if actor is CHANCE:
                move = GAME.chance(state, Luck(rng))
            else:
                observation = GAME.observe(state, actor)
                move = players.fair(observation, rng) if actor == game % number else greedy(observation)
            state = GAME.apply(state, actor, move).state
        points = GAME.standing(state)
        lead += number * points[game % number] - sum(points)
    assert lead > 0


@pytest.mark.parametrize(
    "options", [{"players": 4, "banks": 2, "teams": "on"}, {"players": 6, "banks": 3, "teams": "on"}]
)
def test_a_partner_takes_a_free_suit_point(options: dict[str, Value]) -> None:
    """An equal card would leave it."""
    chances = 0
    for state in chain.from_iterable(played(options, random.Random(number), ("fair",)) for number in range(6)):
        observation = GAME.observe(state, state.on_turn)
        cards = [move.card for move in observation.legal if isinstance(move, Play)]
        scoring = {value(card) for card in cards if matches(observation, card)}
        wasteful = [card for card in cards if not matches(observation, card) and value(card) in scoring]
        if wasteful:
            chances += 1
            move = players.fair(observation, random.Random(1))
            assert not isinstance(move, Play) or move.card not in wasteful
    assert chances > 10


def matches(observation: Observation, top: Card) -> bool:
    return top != JOKER and top[1] == observation.banks[(observation.bank or 0) - 1][-1][1]
