"""How a table ended, the same for all games: who won and why, how the totals came about, and the fair deal opened."""

from typing import Any

from bot.games.game import Observation
from bot.tables import Table
from bot.ui.post import Face
from bot.ui.text import listed, name_of

RESIGNED = "The other side resigned (G-10)."


def ending(face: Face[Any], table: Table, observation: Observation) -> tuple[str, ...]:
    """The paragraphs of the result; empty while the game is on."""
    outcome = observation.outcome
    if outcome is None:
        return ()
    winners = [name_of(table, seat) for seat, place in enumerate(outcome.places) if place == 1]
    won = "won" if len(set(outcome.places)) > 1 else "share the win"
    why = RESIGNED if outcome.reason == "resigned" else face.game.reasons[outcome.reason]
    fair = f"-# Fair deal: commitment `{table.commitment}`\n-# Seed `{table.seed}`"
    return (f"## {listed(winners)} {won}\n{why}", *face.result(table, observation), fair)
