"""Texts of menus and buttons have room in Discord's limits: nothing is cut off in whole games, in any language."""

from collections.abc import Iterator
from typing import Any, Final

import pytest
from msgspec.structs import replace

from bot.games import GAMES
from bot.records.preference import UserSettings
from bot.records.table import Table
from bot.tables.folds import Fold
from bot.tables.replays import glimpse, reel_of, views_of
from bot.tables.tables import Sight
from bot.texts import languages, using
from bot.ui.messages.board import board
from bot.ui.messages.hand import hand, turn
from bot.ui.messages.replay_pages import replay_post
from bot.ui.posts.layout import layout
from bot.ui.posts.post import Post
from tests.leaks.pairs import FACES
from tests.recorded import Moment, recorded
from tests.world import walk

NAMES: Final = {2: "Maximilian Hans", 3: "Maximiliane", 4: "Cornelia"}
"""Names as long as boards have room for, with the number of the seat, by the number of seats."""
FORMS: Final[list[tuple[str, dict[str, int | str]]]] = [
    ("pond", {"players": 2, "rounds": 2}),
    ("pond", {"players": 4, "rounds": 2}),
    ("frogs", {"preset": "big"}),
    ("pontis", {"players": 2}),
    ("pontis", {"players": 4, "fake": "on"}),
    ("pontis", {"players": 3}),
    ("pot_black", {"deals": 5}),
    ("pot_black", {"players": 3, "deals": 5}),
]


def shown(moment: Moment) -> Iterator[Post]:
    """Yield what everyone sees at a moment: the board, the hands, and the board in words."""
    table, game = named(moment.table), GAMES[moment.table.game]
    face = FACES[game.key]
    for seat in moment.viewers:
        observation = game.observe(moment.state, seat)
        sight = Sight(table, observation, moment.events)
        if seat is None:
            yield board(face, sight)
        elif observation.legal or observation.outcome is not None:
            yield hand(face, sight, "", UserSettings(hands="text"))
            if observation.legal and not game.has_hands:
                yield turn(face, sight)


def named(table: Table) -> Table:
    """Return the table with long names."""
    name = NAMES[table.seats]
    return replace(table, sitters=tuple(replace(sitter, name=f"{name}{sitter.seat}") for sitter in table.sitters))


def replays(last: Moment) -> Iterator[Post]:
    """Yield pages of the replay of a game that is over."""
    table, game = replace(named(last.table), status="over"), GAMES[last.table.game]
    reel = reel_of(game, table.options, Fold(last.ply, None, tuple(last.log.entries)))
    for at in range(0, len(reel.moments), 1 + len(reel.moments) // 12):
        for view in views_of(table, None)[:3]:
            yield replay_post(FACES[game.key], glimpse(reel, table, at, view))


def cut(post: Post) -> Iterator[str]:
    """Yield the texts of menus and buttons that are cut off."""
    view: Any = layout(post)
    for part in walk(view.to_components()):
        texts = [part.get("label"), part.get("placeholder")]
        texts += [text for option in part.get("options", ()) for text in (option["label"], option.get("description"))]
        yield from (text for text in texts if text and text.endswith("…"))


@pytest.mark.parametrize("spoken", languages())
@pytest.mark.parametrize(("key", "options"), FORMS)
def test_no_text_of_a_menu_or_button_is_cut_off(key: str, options: dict[str, int | str], spoken: str) -> None:
    moments = recorded(key, options)
    with using(spoken):
        posts = [post for moment in moments[:: 1 + len(moments) // 60] for post in shown(moment)]
        found = {text for post in (*posts, *replays(moments[-1])) for text in cut(post)}
    assert found == set()
