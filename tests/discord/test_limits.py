"""The longest things that the games can say, against Discord's limits: no message and no command is too large."""

import random
from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from bot.games import GAMES
from bot.games.game import AnyGame
from bot.games.pontis import MISS, Sum
from bot.tables import Sight
from bot.ui.board import board
from bot.ui.hand import hand
from bot.ui.layout import layout
from bot.ui.post import Post
from cogs.faces.frogs import FrogsFace
from tests.discord.play import World
from tests.leaks.pairs import FACES
from tests.leaks.twins import Moment, moments, played
from tests.wire.limits import V2, message_faults

LONG_NAME = "W" * 40
"""A name is shown with no more than 24 characters; nothing else in it makes it longer but markdown to be escaped."""
LINK = f"[to the board](https://discord.com/channels/{'9' * 60})"
ESCAPED_NAME = "*" * 40


def faults(post: Post) -> list[str]:
    """What Discord would say against the message of this post."""
    components = layout(post, 10**9, 10**6).to_components()
    return list(message_faults({"components": components}, V2, ()))


def whole(post: Post) -> bool:
    """Whether all paragraphs are there in full."""
    components: Any = layout(post, 1, 1).to_components()
    return "\n".join(post.paragraphs) == "\n".join(p["content"] for p in components[0]["components"] if p["type"] == 10)


def every_post(moment: Moment) -> Iterator[Post]:
    """All that is shown at a moment, to the public and to each seat."""
    game, face, table = GAMES[moment.table.game], FACES[moment.table.game], moment.table
    public = game.observe(moment.state, None)
    yield board(face, Sight(table, public, moment.events))
    for pages in (face.describe, face.scores, face.result):
        yield Post(tuple(pages(table, public)))
    for seat in range(table.seats):
        observation = game.observe(moment.state, seat)
        yield hand(
            face,
            Sight(table, observation, moment.events),
            "[to the board](https://discord.com/channels/" + "9" * 60 + ")",
        )
        if isinstance(face, FrogsFace):
            for piece in ("egg", "a1"):
                yield face.squares(table, observation, piece)
            for move in observation.legal[:2]:
                yield face.confirm(table, observation, move)


def renamed(moment: Moment, name: str) -> Moment:
    """The moment at a table where everybody is called that."""
    sitters = tuple(replace(sitter, name=name) for sitter in moment.table.sitters)
    return moment._replace(table=replace(moment.table, sitters=sitters))


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_message_keeps_discords_limits_however_people_are_called(game: AnyGame) -> None:
    for moment, _ in zip(moments(game, random.Random(5)), range(250), strict=False):
        for name in (LONG_NAME, ESCAPED_NAME):
            for post in every_post(renamed(moment, name)):
                assert faults(post) == []


@pytest.mark.parametrize("options", [{"players": 13}, {"players": 12, "banks": 6, "teams": "on"}], ids=str)
def test_a_board_of_the_most_players_is_shown_in_full(options: dict[str, Any]) -> None:
    game = GAMES["pontis"]
    for moment in played(game, game.settle(options), random.Random(3)):
        assert all(whole(post) for post in every_post(renamed(moment, LONG_NAME)))


def test_a_hand_of_twenty_six_cards_with_more_than_a_hundred_sums_can_be_played() -> None:
    game = GAMES["pontis"]
    most: tuple[Sum, ...] = ()
    for seed in range(4):
        for moment in played(game, game.settle({"players": 2, "fake": "on"}), random.Random(seed), preferred=MISS):
            for seat in (0, 1):
                observation = game.observe(moment.state, seat)
                sums = tuple(move for move in observation.legal if isinstance(move, Sum))
                if len(sums) > len(most):
                    most = sums
                    post = hand(FACES["pontis"], Sight(moment.table, observation, moment.events), LINK)
    assert len(most) > 100
    offered = {choice.move for group in post.choices for choice in group.choices}
    assert {str(move) for move in most} <= offered
    assert faults(post) == []
    assert whole(post)


async def test_every_command_has_less_than_8000_characters(world: World) -> None:
    tree = world.bot.tree
    sizes = {command.name: size(command.to_dict(tree)) for command in tree.get_commands()}
    assert {"pond", "frogs", "pontis", "potblack"} <= set(sizes)
    assert max(sizes.values()) < 8000


def size(part: Any) -> int:
    """The characters that Discord counts: names, descriptions and values, those of all options and choices too."""
    if isinstance(part, list):
        return sum(map(size, part))
    if not isinstance(part, dict):
        return 0
    own = sum(len(str(part[key])) for key in ("name", "description", "value") if part.get(key))
    return own + sum(size(part.get(key)) for key in ("options", "choices"))
