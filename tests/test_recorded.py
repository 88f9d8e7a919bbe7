"""Recorded games are always the same, and hold every kind of move, event and rare moment that tests look for."""

import pickle
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from bot.games import GAMES
from bot.games.game import Event, Move
from tests import recorded as module
from tests.recorded import EXTRA_ROUND, Log, every_form, game_of, recorded, states_of_every_form

every_game = pytest.mark.parametrize("key", GAMES)

NOT_AT_RANDOM: Final = frozenset({"Misdealt"})
"""Dealt once in thousands of rounds: tests/games/test_pond_deal.py looks at one."""
UNLIKELY_ENDS: Final = frozenset({"draw", "elimination", "no_progress", "repetition"})


def kinds(of: type[Any], key: str) -> set[str]:
    """Return the names of a game's kinds of moves or events."""
    return {each.__name__ for each in below(of) if each.__module__ == f"bot.games.{key}.moves"}


def below(of: type[Any]) -> Iterator[type[Any]]:
    for each in of.__subclasses__():
        yield each
        yield from below(each)


@every_game
def test_every_kind_of_move_event_and_end_is_recorded(key: str) -> None:
    game, logs = GAMES[key], [*every_form(key)]
    moves = {type(game.parse(entry.move)).__name__ for log in logs for entry in log.entries}
    events = {type(event).__name__ for log in logs for seen in log.seen for event in seen}
    assert moves >= kinds(Move, key)
    assert events >= kinds(Event, key) - NOT_AT_RANDOM
    assert {log.states[-1].outcome.reason for log in logs} >= {*game.reasons} - UNLIKELY_ENDS


def has_event(name: str, **values: object) -> Callable[[Log], bool]:
    """Return whether an event with these values is in a log."""
    return lambda log: any(
        type(event).__name__ == name and all(getattr(event, key) == value for key, value in values.items())
        for seen in log.seen
        for event in seen
    )


def has_state(condition: Callable[[Any], Any]) -> Callable[[Log], bool]:
    """Return whether a state like this is in a log."""
    return lambda log: any(condition(state) for state in log.states)


RARE: Final[tuple[tuple[str, str, Callable[[Log], bool]], ...]] = (
    ("pond", "a trick with two traps", has_state(lambda state: any(len(each.traps) > 1 for each in state.taken))),
    ("pond", "a tie that a player decides", has_event("TieToDecide")),
    (
        "frogs",
        "two sets of a move",
        lambda log: any(sum(type(e).__name__ == "Scored" for e in s) > 1 for s in log.seen),
    ),
    ("pontis", "a curdle", has_event("Curdle")),
    ("pontis", "a lie that is found", has_event("LiarCalled", right=True)),
    ("pontis", "a false call", has_event("LiarCalled", right=False)),
    ("pontis", "going out", has_state(lambda state: any(result.reason == "out" for result in state.results))),
    ("pot_black", "three go on after a knock-out", has_state(lambda state: any(state.out) and state.trick)),
    ("pot_black", "both black tens in a trick", has_state(lambda state: {"TS", "TC"} <= {*map(str, state.trick)})),
)


@pytest.mark.parametrize(("key", "is_in"), [(key, is_in) for key, _, is_in in RARE], ids=[what for _, what, _ in RARE])
def test_rare_moments_are_recorded(key: str, is_in: Callable[[Log], bool]) -> None:
    assert any(is_in(log) for log in every_form(key))


def test_a_game_with_extra_rounds_and_one_in_which_both_reach_the_goal_are_recorded() -> None:
    level, both = recorded(*EXTRA_ROUND)[-1].state, recorded("frogs", {"preset": "big"}, 4)[-1].state
    assert len(level.rounds) > level.setup.rounds
    assert min(both.outcome.scores) >= both.setup.goal


@every_game
def test_a_log_has_what_the_rulebook_makes_of_its_entries(key: str) -> None:
    game, moments = GAMES[key], recorded(key)
    log = moments[-1].log
    steps = [*game.steps(log.options, log.entries)]
    assert [(state, tuple(events)) for state, events in steps] == [*zip(log.states[1:], log.seen, strict=True)]
    assert moments[-1].state.outcome is not None


@every_game
def test_a_game_is_recorded_once_and_the_same_everywhere(
    key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = recorded(key)[-1].log
    monkeypatch.setattr(module, "FOLDER", tmp_path)
    game_of.cache_clear()
    again = recorded(key)[-1].log
    assert again == here
    (file,) = (each for each in tmp_path.glob("*/*") if each.name != "lock")
    assert pickle.loads(file.read_bytes()) == here  # noqa: S301 - written by this test
    file.write_bytes(pickle.dumps(other := recorded(key, number=1)[-1].log))
    game_of.cache_clear()
    assert recorded(key)[-1].log == other != here
    game_of.cache_clear()


@every_game
def test_states_are_spread_over_all_forms(key: str) -> None:
    states = states_of_every_form(key, 300)
    assert len(states) >= 300
    assert states[0] == GAMES[key].start(GAMES[key].options_of(states[0]))
    assert len({str(GAMES[key].options_of(state)) for state in states}) > 1
