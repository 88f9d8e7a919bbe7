"""News in hands about the time since their player's last turn, and in results about the last trick."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from bot.games import GAMES
from bot.games.card_table import CardPlayed
from bot.games.pontis.moves import Bridged
from bot.tables import Sight, UserSettings
from bot.ui.messages.board import board
from bot.ui.messages.hand import hand
from bot.ui.messages.results import news
from bot.ui.posts.post import Post
from tests.leaks.pairs import FACES
from tests.leaks.twins import Moment, played

IN_TEXT = UserSettings(hands="text")


def moments(key: str, **options: Any) -> Iterator[Moment]:
    """Yield the moments of a random game."""
    game = GAMES[key]
    return played(game, game.settle(options), random.Random(1))


def text_of(post: Post) -> str:
    return "\n".join(post.paragraphs)


def test_a_hand_of_pontis_says_what_others_have_done_since_the_players_last_turn() -> None:
    face, game, shown = FACES["pontis"], GAMES["pontis"], 0
    for moment in moments("pontis", players=3):
        if game.to_act(moment.state) != {0}:
            continue
        sight = Sight(moment.table, game.observe(moment.state, 0), moment.events)
        items = news(face, sight)
        own = max((at for at, event in enumerate(moment.events) if getattr(event, "seat", None) == 0), default=-1)
        others = [event for event in moment.events[own + 1 :] if isinstance(event, Bridged)]
        played_by_others = [item for item in items if not item.startswith("You")]
        assert len(played_by_others) >= len(others)
        if items and not any(isinstance(event, face.settlements) for event in moment.events):
            assert items[-1] in text_of(hand(face, sight, "", IN_TEXT)), "there is room for the latest line"
            shown += 1
    assert shown


@pytest.mark.parametrize("key", ["pond", "pot_black"])
def test_a_hand_keeps_the_last_trick_while_the_next_one_is_played(key: str) -> None:
    face, game, shown = FACES[key], GAMES[key], 0
    for moment in moments(key):
        observation = game.observe(moment.state, 0)
        if observation.outcome is not None or not getattr(observation, "taken", getattr(observation, "tricks", ())):
            continue
        for settings in (IN_TEXT, UserSettings()):
            post = hand(face, Sight(moment.table, observation, moment.events), "", settings)
            assert "Last trick: " in text_of(post) + "\n".join(post.scene.above if post.scene else ())
        shown += 1
    assert shown


@pytest.mark.parametrize("key", ["pond", "pot_black"])
def test_the_last_trick_stays_on_the_board_at_the_end(key: str) -> None:
    face, game = FACES[key], GAMES[key]
    *_, last = moments(key)
    sight = Sight(last.table, game.observe(last.state, None), last.events)
    assert sight.observation.outcome is not None
    card = next(event for event in reversed(last.events) if isinstance(event, CardPlayed))
    (said,) = [line for line in text_of(board(face, sight)).splitlines() if line.startswith("-# Last trick: ")]
    assert str(card.card[0]).replace("T", "10") in said
