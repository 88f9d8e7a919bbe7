"""Pond · cards: ponds, tricks, and what each seat sees of them. Worked examples PC-E3 and PC-E4."""

import random

import pytest

from bot.errors import IllegalMove
from bot.games.cards import Card, CardPlayed, Play
from bot.games.game import Seat
from bot.games.pond.moves import Award, BaitLaid, TieToDecide, TrapDeclined, TrapLaid, TrickTaken
from bot.games.pond.state import FACE_DOWN, Laid
from tests.games.pond_table import (
    POND,
    TRAPPED,
    after,
    anybody,
    baiting,
    before_trick,
    cards,
    chosen,
    entry,
    legal,
    play_trick,
    refused,
    start,
    to_act,
    trick,
)

# ---- the pond


def test_all_seats_bait_in_turn_from_the_starter() -> None:
    """PC-17: any card, face up; the dealer starts the first pond."""
    state = baiting()
    assert to_act(state) == {0}
    assert len(legal(state, 0)) == 15
    assert refused(state, "1 bait AH") == "PC-17"
    assert refused(state, "0 bait AH") == "G-04"
    assert refused(state, "0 pass") == "PC-17"
    state, events = entry(state, "0 bait 5C")
    assert events == (BaitLaid(0, Card("5C")),)
    assert POND.observe(state, 1).baits == (Laid(0, Card("5C")),)
    assert to_act(state) == {1}


def test_only_the_starter_may_open_a_trap_after_all_baits() -> None:
    """PC-18, P-03."""
    state = baiting()
    assert refused(state, "0 trap 5C") == "PC-17"
    state = after(state, "0 bait 5C", "1 bait AH")
    assert to_act(state) == {0}
    assert refused(state, "1 trap KH") == "PC-18"
    assert refused(state, "1 pass") == "PC-18"
    assert refused(state, "0 trap KH") == "G-04"
    assert refused(state, "0 play 6C") == "PC-18"
    assert legal(state, 0)[:2] == ["pass", "trap 2S"]
    assert entry(state, "0 pass")[1] == (TrapDeclined(0),)
    assert to_act(after(state, "0 pass")) == {0}
    assert to_act(after(state, "0 trap 6C")) == {1}


def test_after_a_trap_all_seats_lay_a_trap_card_in_any_order() -> None:
    """PC-18, PC-19."""
    state = chosen(4)
    for _ in range(4):
        seat = anybody(state)
        state = POND.apply(state, seat, POND.legal(state, seat)[0]).state
    starter = state.starter
    state, events = entry(state, f"{starter} {legal(state, starter)[1]}")
    others = {(starter + step) % 4 for step in (1, 2, 3)}
    assert events == (TrapLaid(starter),)
    assert to_act(state) == others
    last, *rest = sorted(others)
    for seat in reversed(rest):
        assert refused(state, f"{seat} pass") == "PC-18"
        state = after(state, f"{seat} {legal(state, seat)[0]}")
        assert refused(state, f"{seat} trap {state.hands[seat][0]}") == "PC-19"
    assert refused(state, f"{last} trap {state.hands[starter][0]}") == "G-04"
    assert to_act(state) == {last}
    state = after(state, f"{last} {legal(state, last)[0]}")
    assert to_act(state) == {starter}
    assert state.phase == "play"


def test_a_trap_card_is_seen_by_its_owner_then_by_the_taker() -> None:
    """PC-20."""
    state = after(baiting(), *TRAPPED)
    assert POND.observe(state, 0).traps == (Laid(0, Card("6C")), Laid(1, FACE_DOWN))
    assert POND.observe(state, 1).traps == (Laid(0, FACE_DOWN), Laid(1, Card("KH")))
    assert POND.observe(state, None).traps == (Laid(0, FACE_DOWN), Laid(1, FACE_DOWN))
    state = after(state, "0 play 7C", "1 play KS")
    assert POND.observe(state, 1).taken[0].traps == state.taken[0].traps
    assert POND.observe(state, 1).pile == tuple(sorted(cards("5CAH6CKH7CKS")))
    assert POND.observe(state, 0).taken[0].traps == (Laid(0, Card("6C")), Laid(1, FACE_DOWN))
    assert POND.observe(state, None).taken[0].traps == (Laid(0, FACE_DOWN), Laid(1, FACE_DOWN))
    assert POND.observe(state, 0).pile == ()
    assert POND.observe(state, 0).pile_counts == (0, 6)


def test_a_partner_never_sees_a_trap_card() -> None:
    """PC-20."""
    state = chosen(4, seed=2)
    rng = random.Random(5)
    while not any(taken.traps for taken in state.taken):
        seat = anybody(state)
        state = POND.apply(state, seat, rng.choice(POND.legal(state, seat))).state
    taken = state.taken[-1]
    partner = (taken.taker + 2) % 4
    seen = POND.observe(state, partner).taken[-1].traps
    assert all((card == FACE_DOWN) == (seat != partner) for seat, card in seen)


def test_the_option_history_shows_all_tricks_or_only_the_last() -> None:
    """PC-21, P-07."""
    moves = (*TRAPPED, "0 play 7C", "1 play KS", "1 bait QH", "0 bait 8C", "1 pass", "1 play QS", "0 play 9C")
    log, last = (after(baiting(history=history), *moves) for history in ("log", "last"))
    assert POND.observe(log, None).taken[0].trick == (Laid(0, Card("7C")), Laid(1, Card("KS")))
    assert POND.observe(last, None).taken[0].trick == (Laid(0, FACE_DOWN), Laid(1, FACE_DOWN))
    for observer in (None, 0, 1):
        assert POND.observe(last, observer).taken[-1] == POND.observe(log, observer).taken[-1]
        assert POND.observe(last, observer).pile == POND.observe(log, observer).pile
    assert legal(last, 1) == legal(log, 1)


# ---- the trick


def test_players_need_not_follow_suit() -> None:
    """PC-22, P-03."""
    state = after(baiting(), "0 bait 5C", "1 bait AH", "0 pass")
    assert refused(state, "1 play KH") == "P-03"
    assert refused(state, "0 bait 6C") == "P-03"
    assert refused(state, "0 play KH") == "G-04"
    state, events = entry(state, "0 play KD")
    assert events == (CardPlayed(0, Card("KD")),)
    assert legal(state, 1) == [f"play {card}" for card in state.hands[1]]
    assert POND.observe(state, None).trick == (Laid(0, Card("KD")),)


@pytest.mark.parametrize(
    ("played", "best"),
    [
        ("KDAH", [1]),
        ("AH8S", [1]),
        ("7S2D", [1]),
        ("7S2S", [0]),
        ("2D7S", [0]),
        ("8SAS", [1]),
        ("AS2S", [0]),
        ("9S9H", [0]),
        ("3S3H", [1]),
        ("KDKC", [0, 1]),
    ],
)
def test_two_player_tricks(played: str, best: list[Seat]) -> None:
    """PC-E3."""
    assert start()._replace(trick=trick(played)).tied == tuple(best)


@pytest.mark.parametrize(
    ("played", "best"),
    [
        ("5HKDKSAS", [3]),
        ("TDKCKH9S", [3]),
        ("3D7S5S2S", [0]),
        ("5DKCKH2S", [1, 2]),
        ("2S7S3S7S", [1, 3]),
        ("AS4HASKS", [0, 2]),
        ("QDQHQCQD", [0, 1, 2, 3]),
    ],
)
def test_four_player_tricks(played: str, best: list[Seat]) -> None:
    """PC-E4, PC-24, PC-25: the leader names one of the tied, or the first of them takes it."""
    after_it = play_trick(played)
    first = play_trick(played, tie="first")
    assert start()._replace(trick=trick(played)).tied == tuple(best)
    assert first.taken[-1].taker == first.starter == best[0]
    if len(best) == 1:
        assert after_it.taken[-1].taker == best[0]
    else:
        assert to_act(after_it) == {0}
        assert legal(after_it, 0) == [f"award {seat}" for seat in best]


def test_the_leader_decides_a_tie_between_two_players() -> None:
    """PC-23, P-05: to take or to give; it is a choice that must be made."""
    state = play_trick("KDKC")
    assert legal(state, 0) == ["award 0", "award 1"]
    assert legal(state, 1) == []
    for text in ("1 award 1", "0 award 2", "0 play 4C"):
        with pytest.raises(IllegalMove, match="PC-23"):
            POND.apply(state, int(text[0]), POND.parse(text[2:]))
    given = POND.apply(state, 0, Award(1))
    assert given.state.starter == 1
    assert given.events == (TrickTaken(1, 4, "awarded"),)


def test_a_beaten_leader_cannot_take_a_tied_trick() -> None:
    """PC-24."""
    for seat, award in ((0, 0), (1, 1)):
        with pytest.raises(IllegalMove, match="PC-24"):
            POND.apply(play_trick("5DKCKH2S"), seat, Award(award))


def test_a_tie_is_announced() -> None:
    """PC-23."""
    state = before_trick(["KD4C5C6C7C", "KC4H5H6H7H"])
    step = POND.apply(POND.apply(state, 0, Play(Card("KD"))).state, 1, Play(Card("KC")))
    assert step.events == (CardPlayed(1, Card("KC")), TieToDecide(0, (0, 1)))


def test_the_first_of_the_tied_seats_takes_the_trick_without_an_entry() -> None:
    """P-05: with two players that is the leader."""
    state = before_trick(["KD4C5C6C7C", "KC4H5H6H7H"], tie="first")
    step = POND.apply(POND.apply(state, 0, Play(Card("KD"))).state, 1, Play(Card("KC")))
    assert step.events == (CardPlayed(1, Card("KC")), TrickTaken(0, 4, "first"))


def test_the_taker_starts_the_next_pond() -> None:
    """PC-26."""
    state = after(baiting(), *TRAPPED, "0 play 7C")
    state, events = entry(state, "1 play KS")
    assert events == (CardPlayed(1, Card("KS")), TrickTaken(1, 6, "best"))
    assert to_act(state) == {1}
    assert POND.observe(state, None).starter == 1
