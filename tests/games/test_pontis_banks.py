"""Pontis with more or fewer banks than players, and in teams."""

from bot.games.cards import Card
from bot.games.pontis.moves import FoundationTurned, Missed, Score
from tests.games.pontis_table import (
    PONTIS,
    dealt,
    legal,
    listed,
    of_type,
    play,
    position,
    reason_of,
    refusal,
    score_of,
    setup,
    step_of,
)


def test_four_players_share_two_banks() -> None:  # PT-E10, PT-40, PT-41
    table = setup(players=4, banks=2)
    assert (table.hand_size, table.rest, table.lap, table.owners) == (13, 0, 4, (0, 1, 2, 3))
    assert (table.owners_of(0), table.owners_of(1)) == ((0, 2), (1, 3))
    state = position("9C/4C", "2H3H/5H2S/4H4S/6S7S", slot=1)
    state = play(state, "play 5H")
    assert (state.on_turn, state.bank, state.required) == (2, 0, (4,))
    assert len(of_type(step_of(state, "play 4H").events, Missed)) == 4


def test_a_player_plays_several_banks_one_after_the_other() -> None:  # PT-40, T-02
    table = setup(players=2, banks=6)
    assert (table.owners, table.lap, table.first_slot(1)) == ((0, 0, 0, 1, 1, 1), 6, 3)
    assert [table.owners_of(bank) for bank in (0, 2, 3)] == [(0,), (0,), (1,)]
    step = dealt("9C4CKC2C", "5H/8H", players=2, banks=4)
    assert of_type(step.events, FoundationTurned) == [
        FoundationTurned(0, 0, Card("9C")),
        FoundationTurned(0, 1, Card("4C")),
    ]
    assert (step.state.on_turn, step.state.bank, step.state.required) == (0, 1, (5,))
    assert PONTIS.observe(step.state, None).order == (0, 1, 1, 0)


def test_the_seat_that_played_last_may_miss_first() -> None:  # T-11
    over, events = step_of(position("5C/4C/KC/JC", "6H9S/QSKS"), "play 6H")
    assert of_type(events, Missed)[0] == Missed(0, 1, (2,))
    assert reason_of(over) == "stuck"
    assert score_of(over) == [3 - 2, 2]


def test_a_players_banks_count_with_their_foundations() -> None:  # T-12
    over = play(position("5C/4C/KC/JC", "6H/QSKS"), "play 6H")
    assert score_of(over) == [3 + 4, 2]


def test_on_a_shared_bank_each_player_counts_the_cards_they_played() -> None:  # PT-42, T-12
    state = position("9C/4C", "2H/5C/3H3S/6S7S", slot=1)
    over = play(state._replace(suit_points=(0, 0, 3, 0)), "play 5C")
    size = state.setup.hand_size
    assert score_of(over) == [size - 1, size + 1 + 4, size - 2 + 3, size - 2]
    assert over.outcome is not None
    assert over.outcome.places == (3, 1, 2, 4)


def test_a_team_counts_its_bank_and_the_points_of_its_seats() -> None:  # PT-42, PT-43, T-12
    state = position("9C3C/4C", "2H/5C/3H3S/6S7S", slot=3, teams="on", fake="on")
    state = play(state._replace(suit_points=(1, 0, 3, 2), calls=(2, 0, 0, -2)), "miss", "miss")
    assert state.on_turn == 1
    last = state._replace(banks=(listed("9C"), listed("4C")))
    over = play(last, "play 5C")
    assert score_of(over) == [1 + 4 + 2, 2 + 3 + 4 - 2, 7, 7]
    assert over.outcome is not None
    assert over.outcome.places == (1, 1, 1, 1)
    assert over.results[0].scores == (Score(1, 4, 0, 0, 2), Score(2, 3, 4, 0, -2))


def test_a_team_mate_may_not_call() -> None:  # T-06
    state = position("9C/4C", "2HKH/5C6C/3H3S/6S7S", slot=1, teams="on", fake="on", liar="on")
    state = play(state, "play 5C")
    assert [legal(state, seat)[:1] for seat in range(4)] == [["liar 1"], [], ["liar 1"], []]
    assert refusal(state, "3: liar 1") == "T-06"
