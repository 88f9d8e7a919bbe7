"""Cards between which nobody else can have one count as one, in hints and in reviews."""

import random
from dataclasses import replace
from typing import Any

import pytest

from bot import computer
from bot.computer.thoughts import Rated, Thought, Verdict
from bot.games import GAMES
from bot.games.cards import Card, Play
from bot.games.pot_black.state import Trick
from tests.recorded import recorded

POT_BLACK, POND = GAMES["pot_black"], GAMES["pond"]


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


def test_equal_cards_of_pond_have_one_rank_and_poison_nobody() -> None:
    found: dict[bool, int] = {True: 0, False: 0}
    games = [recorded("pond", {"players": players}, number) for number in range(3) for players in (2, 4)]
    for moment in [moment for game in games for moment in game[::5]]:
        for seat in POND.to_act(moment.state) - {None}:
            seen = POND.observe(moment.state, seat)
            poisons = {seen.poison(each) for each in range(moment.table.seats)}
            for one in seen.legal:
                for other in seen.legal:
                    cards: list[Card] = [each.card for each in (one, other) if hasattr(each, "card")]
                    if one == other or len(cards) < 2:
                        continue
                    is_same = cards[0][0] == cards[1][0] and not {cards[0][1], cards[1][1]} & {"S", *poisons}
                    assert computer.alike("pond", seen, one, other) == is_same
                    found[is_same] += 1
    assert all(found.values())


def test_an_equal_card_is_no_mistake_and_no_worse_in_a_hint(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = hand_of("ASKS2H")
    ace, king, low = (Play(Card(card)) for card in ("AS", "KS", "2H"))
    thought = Thought(king, (Rated(ace, 1.5), Rated(low, 3.0)), None, ace)
    monkeypatch.setitem(computer._JUDGES, "pot_black", lambda *_: Verdict(king, 2.0, 2.0, 0.1))
    monkeypatch.setitem(computer.EXPLAINERS, "pot_black", lambda *_: thought)
    rng = random.Random(1)
    assert computer.judge("pot_black", seen, ace, rng) == Verdict(ace)
    assert computer.judge("pot_black", seen, low, rng).worse_by == 2.0
    told = computer.explain("pot_black", seen, rng)
    assert told.equals == (ace,)
    assert told.against is None
