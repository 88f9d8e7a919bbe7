"""Cards between which nobody else can have one count as one, in hints and in reviews."""

import random
from collections import Counter
from dataclasses import replace
from itertools import combinations, product
from typing import Any, cast

import pytest

from bot import computer
from bot.computer.thoughts import Verdict
from bot.games import GAMES
from bot.games.cards import Card, Play
from bot.games.game import CHANCE
from bot.games.pond.scoring import STRENGTH, points
from bot.games.pond.state import PACKS
from bot.games.pot_black.state import Trick
from tests.recorded import recorded

POT_BLACK, POND, PONTIS, FROGS = (GAMES[key] for key in ("pot_black", "pond", "pontis", "frogs"))


def cards_of(text: str) -> tuple[Card, ...]:
    return tuple(Card(text[at : at + 2]) for at in range(0, len(text), 2))


def hand_of(cards: str, *, played: str = "", trick: str = "") -> Any:
    """Return what a player of Pot Black with these cards sees, after a trick of ``played`` cards."""
    *_, moment = [each for each in recorded("pot_black", {"players": 4})[:6] if POT_BLACK.to_act(each.state) - {None}]
    (seat,) = POT_BLACK.to_act(moment.state)
    tricks = (Trick((0, 1, 2, 3), cards_of(played), 0, counts=True),) if played else ()
    hand = cards_of(cards)
    return replace(
        POT_BLACK.observe(moment.state, seat),
        hand=hand,
        tricks=tricks,
        trick=cards_of(trick),
        legal=tuple(sorted(map(Play, hand), key=str)),
    )


@pytest.mark.parametrize(
    ("cards", "played", "trick", "one", "other", "expected"),
    [
        ("ASKS2H", "", "", "AS", "KS", True),
        ("ASQS2H", "", "", "AS", "QS", False),
        ("ASQSKS", "", "", "AS", "QS", True),
        ("ASQS2H", "KS2D3D4D", "", "AS", "QS", True),
        ("ASQS2H", "", "KS", "AS", "QS", False),
        ("JSTS9S", "", "", "JS", "9S", True),
        ("JSTS9S", "", "", "JS", "TS", False),
        ("JHTH9S", "", "", "JH", "TH", True),
        ("KSKH2H", "", "", "KS", "KH", False),
    ],
)
def test_cards_of_pot_black_count_as_one(  # noqa: PLR0913, PLR0917 - a row of the table
    cards: str,
    played: str,
    trick: str,
    one: str,
    other: str,
    expected: bool,  # noqa: FBT001
) -> None:
    seen = hand_of(cards, played=played, trick=trick)
    pair = Play(Card(one)), Play(Card(other))
    assert computer.alike("pot_black", seen, *pair) == computer.alike("pot_black", seen, *pair[::-1]) == expected


def test_equal_cards_of_pond_are_worth_the_same_and_as_strong() -> None:
    found: dict[bool, int] = {True: 0, False: 0}
    ranks: dict[bool, int] = {True: 0, False: 0}
    games = [recorded("pond", {"players": players}, number) for number in range(3) for players in (2, 4)]
    for moment in [moment for game in games for moment in game[::5]]:
        for seat in POND.to_act(moment.state) - {None}:
            seen = POND.observe(moment.state, seat)
            poisons = {seen.poison(each) for each in range(moment.table.seats)}
            for one, other in combinations([move for move in seen.legal if hasattr(move, "card")], 2):
                cards: list[Card] = [one.card, other.card]
                is_same = computer.alike("pond", seen, one, other)
                if cards[0][0] == cards[1][0] and not {cards[0][1], cards[1][1]} & {"S", *poisons}:
                    assert is_same
                low, high = sorted(STRENGTH[card] for card in cards)
                worth = {tuple(points(card, p, g) for p in poisons for g in ("A234", "4567", "89T")) for card in cards}
                if is_same and low != high:
                    assert not any(low <= STRENGTH[card] <= high for card in elsewhere(seen))
                    ranks[cards[0][1] == "S"] += 1
                assert not is_same or len(worth) == 1
                found[is_same] += 1
    assert all(found.values())
    assert all(ranks.values())


def elsewhere(seen: Any) -> list[Card]:
    """Return the cards that others hold, as far as the seat knows, or have played to the trick."""
    taken = [laid for taken in seen.taken if taken.taker != seen.seat for laid in taken.laid]
    laid = [each.card for each in (*seen.baits, *seen.traps, *seen.trick, *taken)]
    gone = Counter([*seen.hand, *seen.pile, *laid, *filter(None, seen.set_aside), *(c for t in seen.turned for c in t)])
    unseen = Counter(PACKS[seen.setup.players]) - gone
    return [*unseen, *(each.card for each in seen.trick)]


def test_equal_suits_of_pontis_change_places_and_nothing_else_changes() -> None:
    found: dict[bool, int] = {True: 0, False: 0}
    for count, number in product((2, 3, 4), range(4)):
        for moment in recorded("pontis", {"players": count}, number):
            for seat in PONTIS.to_act(moment.state) - {None}:
                seen = PONTIS.observe(moment.state, seat)
                for one, other in combinations(seen.legal, 2):
                    is_same = computer.alike("pontis", seen, one, other)
                    found[is_same] += 1
                    if not is_same:
                        continue
                    after = [PONTIS.apply(moment.state, seat, move).state for move in (one, other)]
                    points = [PONTIS.observe(state, seat).scores for state in after]
                    assert points[0] == points[1]
                    ranks = [[str(card)[0] for card in str(move).split()[1:]] for move in (one, other)]
                    assert ranks[0] == ranks[1]
    assert found[False]


def test_mirrored_moves_of_frogs_count_as_one() -> None:
    state = FROGS.start(FROGS.settle({}))
    state = FROGS.apply(state, CHANCE, FROGS.parse("first 0")).state
    seen = FROGS.observe(state, 0)
    corner, other, middle = (FROGS.parse(f"place {square}") for square in ("a1", "d4", "b2"))
    assert computer.alike("frogs", seen, corner, other)
    assert not computer.alike("frogs", seen, corner, middle)


def test_an_equal_card_is_no_mistake(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = hand_of("ASKS2H")
    ace, king, low = (Play(Card(card)) for card in ("AS", "KS", "2H"))
    monkeypatch.setitem(computer._JUDGES, "pot_black", lambda *_: Verdict(king, 2.0, 2.0, 0.1))
    rng = random.Random(1)
    assert computer.judge("pot_black", seen, ace, rng) == Verdict(ace)
    assert computer.judge("pot_black", seen, low, rng).worse_by == 2.0


@pytest.mark.parametrize(("key", "budget"), [("pot_black", 40)])
def test_equal_cards_are_equally_good_in_a_hint(key: str, budget: int) -> None:
    found, game, explain = 0, GAMES[key], cast("Any", computer.EXPLAINERS[key])
    for moment in recorded(key, {"players": 4})[::4]:
        for seat in game.to_act(moment.state) - {None}:
            seen = game.observe(moment.state, seat)
            if len(seen.legal) < 2 or found > 8:
                continue
            thought = explain(seen, random.Random(1), budget)
            worth = {thought.move: 0.0} | {other.move: other.worse_by for other in thought.alternatives}
            for one, other in combinations(worth, 2):
                if computer.alike(key, seen, one, other):
                    assert worth[one] == worth[other]
                    found += 1
    assert found
