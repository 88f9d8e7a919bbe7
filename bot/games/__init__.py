"""The rulebooks, by key."""

from collections.abc import Mapping
from typing import Final

from bot.games.game import AnyGame
from bot.games.pond import Pond

GAMES: Final[Mapping[str, AnyGame]] = {game.key: game for game in (Pond(),)}
