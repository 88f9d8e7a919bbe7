"""The rulebooks, by key."""

from collections.abc import Mapping
from typing import Final

from bot.games.frogs import Frogs
from bot.games.game import AnyGame
from bot.games.pond import Pond
from bot.games.pontis import Pontis
from bot.games.pot_black import PotBlack

GAMES: Final[Mapping[str, AnyGame]] = {game.key: game for game in (Pond(), Frogs(), Pontis(), PotBlack())}
