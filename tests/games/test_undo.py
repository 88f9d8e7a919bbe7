"""Which moves reveal something hidden, so that they can't simply be undone."""

from collections.abc import Iterator
from typing import Any

import pytest

from bot.cli.selfplay import Plan, play
from bot.games import GAMES
from bot.games.game import CHANCE, Entry

OPTIONS: dict[str, dict[str, Any]] = {
    "pond": {"players": 4, "rounds": 2},
    "frogs": {},
    "pontis": {"players": 4, "fake": "on", "liar": "on"},
    "pot_black": {"deals": 5, "form": "individual", "end": "deals"},
}


def steps(key: str, seed: int = 1) -> Iterator[tuple[Any, Entry, Any, bool]]:
    """Play a game among computers. Yield each state, entry, next state, and whether the step revealed something."""
    game = GAMES[key]
    transcript = play(Plan(key, game.settle(OPTIONS[key]), str(seed)), seed)
    state = game.start(transcript.options)
    for entry in transcript.entries:
        after, events = game.apply(state, entry.seat, game.parse(entry.move))
        yield state, entry, after, game.reveals(events)
        state = after


def words(key: str, *, revealing: bool) -> set[str]:
    """Return the first words of the moves of seats that reveal something, or nothing."""
    return {e.move.split()[0] for _, e, _, reveals in steps(key) if e.seat is not CHANCE and reveals is revealing}


@pytest.mark.parametrize("key", GAMES)
def test_undoing_a_quiet_move_changes_no_card_that_others_see(key: str) -> None:
    game = GAMES[key]
    for before, entry, after, reveals in steps(key):
        if entry.seat is CHANCE or reveals or after.outcome:
            continue
        for seat in {None, *range(len(game.sides(game.options_of(before))))} - {entry.seat}:
            known, now_known = game.observe(before, seat), game.observe(after, seat)
            for name in ("hand", "hands", "piles", "banks"):
                assert getattr(known, name, None) == getattr(now_known, name, None), (name, entry)


def test_in_pond_face_up_cards_reveal_and_secret_choices_do_not() -> None:
    assert {"bait", "play"} <= words("pond", revealing=True)
    assert words("pond", revealing=False) <= {"profit", "trap", "pass"}
    last_profits = [reveals for before, e, _, reveals in steps("pond") if e.move.startswith("profit")]
    assert last_profits == [False, False, False, True] * 2  # with the last one the other five cards are picked up


def test_in_frogs_nothing_reveals() -> None:
    assert words("frogs", revealing=True) == set()


def test_in_pontis_a_bridge_reveals() -> None:
    assert {"play"} <= words("pontis", revealing=True)
    assert words("pontis", revealing=False) <= {"miss", "decline"}


def test_in_pot_black_every_card_reveals() -> None:
    assert words("pot_black", revealing=False) == set()


@pytest.mark.parametrize("key", GAMES)
def test_chance_reveals_in_games_with_hidden_cards(key: str) -> None:
    dealt = [reveals for _, entry, _, reveals in steps(key) if entry.seat is CHANCE]
    assert dealt
    assert all(dealt) is (key != "frogs")
