"""The contract of all rulebooks, tested by random play with all options."""

import random
from collections.abc import Mapping
from typing import Any

import pytest

from bot.errors import IllegalMove, InvalidMove, TranscriptError
from bot.fairness import Deals
from bot.games import GAMES
from bot.games.game import CHANCE, RESIGN, AnyGame, Move, Seat, places_of
from tests.doses import dose
from tests.games.checks import broken, imagine
from tests.recorded import every_form, recorded, states_of_every_form

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)

STATES = dose(check=100, test=600, full=3_000)
"""States of each game that tests look at."""

RIGHTS: Mapping[str, str] = {"pontis": "liar"}
"""The words of moves that seats may make when they are not due (T-06)."""


def seats(game: AnyGame, state: Any) -> range:
    return range(game.seats(game.options_of(state)))


@every_game
def test_random_play_ends_with_every_choice_of_every_option(game: AnyGame) -> None:
    for log in every_form(game.key):
        outcome = log.states[-1].outcome
        assert outcome is not None
        assert outcome.reason in game.reasons
        assert len(outcome.scores) == len(outcome.places) == game.seats(log.options)
        assert min(outcome.places) == 1
        assert game.options_of(log.states[-1]) == log.options


@every_game
def test_no_state_breaks_an_invariant(game: AnyGame) -> None:
    for state in states_of_every_form(game.key, STATES):
        assert broken(game, state) == ()


@every_game
def test_chance_is_never_due_together_with_a_seat(game: AnyGame) -> None:
    """G-01."""
    chances: list[Move] = []
    for state in states_of_every_form(game.key, STATES):
        to_act = game.to_act(state)
        if CHANCE in to_act:
            assert to_act == {CHANCE}
            chances.append(game.chance(state, Deals(bytes(32), ("",) * len(seats(game, state)))(0)))
            assert all(game.legal(state, seat) == () for seat in seats(game, state))
        else:
            assert bool(to_act) == (state.outcome is None)
            with pytest.raises(IllegalMove):
                game.apply(state, CHANCE, chances[-1])


@every_game
def test_seats_that_are_not_due_have_no_moves_but_rights(game: AnyGame) -> None:
    for state in states_of_every_form(game.key, STATES):
        to_act = game.to_act(state)
        for seat in seats(game, state):
            words = {str(move).split()[0] for move in game.legal(state, seat)}
            if seat in to_act:
                assert words
            else:
                assert words <= {RIGHTS.get(game.key)}


@every_game
def test_legal_moves_are_short_sorted_and_parsed_back(game: AnyGame) -> None:
    """G-04."""
    for state in states_of_every_form(game.key, STATES):
        for seat in seats(game, state):
            moves = game.legal(state, seat)
            texts = [str(move) for move in moves]
            assert texts == sorted(set(texts))
            assert [game.parse(text) for text in texts] == list(moves)
            assert [str(game.parse(game.tidy(text))) for text in texts] == texts
            assert all(len(text) <= 70 for text in texts)
            assert RESIGN not in moves


@every_game
def test_exactly_the_legal_moves_are_accepted(game: AnyGame) -> None:
    rng = random.Random(6)
    known: dict[str, Move] = {}
    for state in states_of_every_form(game.key, STATES // 2):
        for seat in seats(game, state):
            legal = game.legal(state, seat)
            known |= {str(move): move for move in legal}
            for move in legal:
                assert game.apply(state, seat, move).state != state
            others = [move for move in known.values() if move not in legal]
            for move in rng.sample(others, min(8, len(others))):
                with pytest.raises(IllegalMove) as refusal:
                    game.apply(state, seat, move)
                assert refusal.value.ruling, f"the refusal of {move} names no ruling"
        if state.outcome is None and known:
            with pytest.raises(IllegalMove):
                game.apply(state, len(seats(game, state)), rng.choice(list(known.values())))


@every_game
@pytest.mark.parametrize("text", ["", " ", "nonsense", "play", "play ZZ", "pass ", "resign 1", "Resign", "\n"])
def test_other_texts_are_not_moves(game: AnyGame, text: str) -> None:
    with pytest.raises(InvalidMove):
        game.parse(text)


@every_game
def test_folding_a_log_gives_the_same_state(game: AnyGame) -> None:
    for log in every_form(game.key):
        assert game.fold(log.options, log.entries) == log.states[-1]


@every_game
def test_a_log_that_goes_on_after_the_end_is_refused(game: AnyGame) -> None:
    """G-11."""
    entries = recorded(game.key)[-1].log.entries
    with pytest.raises(TranscriptError, match=f"^entry {len(entries)}: "):
        game.fold(game.settle({}), (*entries, entries[-1]))


@every_game
def test_after_the_end_every_move_and_resignation_is_refused(game: AnyGame) -> None:
    """G-10, G-11."""
    for log in every_form(game.key):
        over = log.states[-1]
        moves = [RESIGN, *(game.parse(entry.move) for entry in log.entries[-3:])]
        for seat in (CHANCE, *seats(game, over)):
            for move in moves:
                ruling = "G-10" if move == RESIGN else "G-11"
                with pytest.raises(IllegalMove, match=rf"^The game is over\. \({ruling}\)$"):
                    game.apply(over, seat, move)


@every_game
def test_an_imagined_state_gives_the_same_observation(game: AnyGame) -> None:
    rng = random.Random(9)
    for state in states_of_every_form(game.key, STATES):
        for seat in (None, *rng.sample(seats(game, state), 2)):
            seen = game.observe(state, seat)
            imagined = imagine(game, seen, rng)
            assert game.observe(imagined, seat) == seen
            assert broken(game, imagined) == ()
            assert seen.seat == seat
            assert seen.to_act == game.to_act(state)
            assert seen.legal == (() if seat is None else game.legal(state, seat))
            assert seen.outcome == state.outcome


@every_game
def test_states_moves_events_and_observations_are_hashable(game: AnyGame) -> None:
    for state in states_of_every_form(game.key, STATES // 10):
        assert isinstance(hash(state), int)
        assert isinstance(hash(game.observe(state, None)), int)
        for seat in seats(game, state):
            assert isinstance(hash(game.observe(state, seat)), int)
            for move in game.legal(state, seat):
                assert hash(move) == hash(game.parse(str(move)))
                assert isinstance(hash(game.apply(state, seat, move).events), int)


@every_game
def test_either_of_two_sides_may_resign_after_the_deal(game: AnyGame) -> None:
    """G-10."""
    for state in states_of_every_form(game.key, STATES // 10):
        sides = game.sides(game.options_of(state))
        allowed = len(set(sides)) == 2 and state.outcome is None and CHANCE not in game.to_act(state)
        for seat in seats(game, state):
            if allowed:
                _assert_conceded(game, state, seat)
            else:
                with pytest.raises(IllegalMove, match="G-10"):
                    game.apply(state, seat, RESIGN)
        for nobody in (CHANCE, len(sides), -1):
            with pytest.raises(IllegalMove, match="G-10"):
                game.apply(state, nobody, RESIGN)


def _assert_conceded(game: AnyGame, state: Any, seat: Seat) -> None:
    sides = game.sides(game.options_of(state))
    resigned = game.apply(state, seat, RESIGN).state
    won = [int(side != sides[seat]) for side in sides]
    assert resigned.outcome.reason == "resigned"
    assert resigned.outcome.places == places_of(won, sides)
    assert resigned.outcome.scores == game.standing(state)
    assert game.to_act(resigned) == frozenset()
    assert broken(game, resigned) == ()
    for observer in (None, *seats(game, state)):
        seen = game.observe(resigned, observer)
        assert seen.legal == ()
        assert game.observe(imagine(game, seen, random.Random(seat)), observer) == seen
