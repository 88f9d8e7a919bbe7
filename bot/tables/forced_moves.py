"""Forced moves: which may play themselves, and when. Pure.

The last card of a hand plays itself in the step of the move before, as everybody knows that there is no choice
(`Observation.last_card`). Any other only move does where its player wants it: at once if nobody else plays there, else
when a free decision of theirs might have been made, so that the time tells nobody that there was no choice.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

from bot.games.game import AnyGame, Entry, Move, Seat
from bot.records.preference import UserSettings
from bot.records.table import Table
from bot.tables.folds import Fold, Itself, Progress

FEWEST_FREE: Final = 5
"""Free decisions of a player at a table before forced moves play themselves among people."""
OFFERED_AT: Final = 3
"""The forced move of a player at a table at which they are asked whether such moves are to play themselves."""


def only_move(game: AnyGame, state: Any, seat: Seat) -> Move | None:
    """Return the move of a seat that has to move and has no choice."""
    legal = game.legal(state, seat) if seat in game.to_act(state) else ()
    return legal[0] if len(legal) == 1 else None


def with_last_cards(game: AnyGame, progress: Progress) -> Progress:
    """Return the progress with the last cards of hands that play themselves now."""
    while (seat := game.observe(progress.state, None).last_card) is not None:
        move = only_move(game, progress.state, seat)
        if move is None:
            break
        state, events = game.apply(progress.state, seat, move)
        progress = progress.then(state, (Entry(seat, str(move)),), events, Itself(seat))
    return progress


def forced(game: AnyGame, table: Table, state: Any) -> dict[Seat, Move]:
    """Return the only move of each seat of a user that has no choice."""
    if table.status != "playing":
        return {}
    seats = [sitter.seat for sitter in table.sitters if sitter.user_id is not None]
    found = {seat: only_move(game, state, seat) for seat in seats}
    return {seat: move for seat, move in found.items() if move is not None}


def is_alone(table: Table, user_id: int) -> bool:
    """Whether nobody else plays at the table, or may come back to it."""
    return {user for each in table.sitters for user in (each.user_id, each.held_for)} <= {user_id, None}


def is_to_offer(game: AnyGame, table: Table, folded: Fold, seat: Seat, settings: UserSettings) -> bool:
    """Whether to ask a player who has a forced move whether such moves are to play themselves."""
    if settings.forced != "ask":
        return False
    earlier = [ply for ply, choices in _choices(game, table, folded, seat).items() if choices == 1]
    return len([ply for ply in earlier if ply not in folded.automatic]) + 1 >= OFFERED_AT


def free_times(game: AnyGame, table: Table, folded: Fold, seat: Seat, times: Mapping[int, float]) -> list[float]:
    """Return how long each free decision of a player took. ``times`` are those of all their moves, by their entry."""
    return [times[ply] for ply, choices in _choices(game, table, folded, seat).items() if choices > 1 and ply in times]


def wait_s(free: Sequence[float], choose: Callable[[Sequence[float]], float]) -> float | None:
    """Return after which time a forced move plays itself among people; ``None`` if its player has to make it."""
    return choose(free) if len(free) >= FEWEST_FREE else None


def _choices(game: AnyGame, table: Table, folded: Fold, seat: Seat) -> dict[int, int]:
    """Return how many moves were legal at each entry of a seat, by its number."""
    entries = folded.entries
    states = [game.start(table.options), *(step.state for step in game.steps(table.options, entries))]
    played = zip(entries, pairwise(states), strict=True)
    return {ply: len(game.legal(before, seat)) for ply, (entry, (before, _)) in enumerate(played) if entry.seat == seat}
