"""The rulebooks: the current one of each game by key, and all by key and rules number."""

from collections.abc import Iterable, Mapping
from typing import Final

from bot.games.frogs.rulebook import Frogs, FrogsByRules1
from bot.games.game import AnyGame
from bot.games.pond.rulebook import Pond
from bot.games.pontis.rulebook import Pontis
from bot.games.pot_black.rulebook import PotBlack

GAMES: Final[Mapping[str, AnyGame]] = {game.key: game for game in (Pond(), Frogs(), Pontis(), PotBlack())}
"""The current rulebook of each game, by key."""

OLDER: Final[tuple[AnyGame, ...]] = (FrogsByRules1(),)
"""Rulebooks with earlier rules numbers, for tables and transcripts that were begun under them."""


def by_rules(current: Iterable[AnyGame], older: Iterable[AnyGame]) -> Mapping[tuple[str, int], AnyGame]:
    """Return the rulebooks by key and rules number."""
    return {(game.key, game.rules): game for game in (*older, *current)}
