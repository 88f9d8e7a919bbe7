"""What decided a game of Pond · frogs: the turn that turned the score."""

from bot.games import GAMES
from bot.games.frogs.state import Observation
from bot.records.table import Table
from bot.texts import gettext as _
from cogs.causes import Cause, decided as decided_by
from cogs.frogs.scores import turn_in_words


def decided(table: Table, observation: Observation) -> str:
    """Return the turn that decided the game; empty if none did."""
    sides = GAMES["frogs"].sides(table.options)
    turns = (Cause(gain.points, _("Decided by {turn}.", turn=turn_in_words(table, gain))) for gain in observation.gains)
    return decided_by(observation.outcome, sides, turns)
