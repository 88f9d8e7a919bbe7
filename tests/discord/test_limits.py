"""Messages and commands at their longest stay within Discord's limits."""

import random
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace
from simcord.components import ComponentValidationError, validate_components

from bot.games import GAMES
from bot.games.cards import Card
from bot.games.frogs.moves import Shift
from bot.games.game import AnyGame
from bot.games.pond.state import Observation as PondObservation
from bot.games.pontis.moves import MISS, Sum
from bot.records.preference import HandStyle, UserSettings
from bot.tables.absence.votes import REMEDIES, Standstill
from bot.tables.tables import Sight
from bot.ui.interactions.language import Translator
from bot.ui.messages.board import board
from bot.ui.messages.hand import hand
from bot.ui.messages.result_texts import happened, recent
from bot.ui.posts.emojis import NO_EMOJIS
from bot.ui.posts.layout import layout, paged, split
from bot.ui.posts.pictures import in_words
from bot.ui.posts.post import Post
from bot.ui.posts.text import lines_of
from cogs.frogs.face import FrogsFace
from cogs.pond.face import PondFace
from cogs.pond.scores import pile_in_full
from cogs.pontis.hand import TOP, pairs_below
from tests.discord.guests import GROUPS
from tests.discord.play import World
from tests.doses import IS_COMPLETE
from tests.emoji_set import complete_set
from tests.leaks.pairs import FACES
from tests.leaks.twins import moments
from tests.recorded import EXTRA_ROUND, Moment, moments_of, play, recorded
from tests.wire.objects import V2

LONG_NAME = "W" * 40
"""Names are shortened to 24 characters. Only escaped markdown makes them longer."""
IN_TEXT = UserSettings(hands="text")
LINK = f"[Open board](https://discord.com/channels/{'9' * 60})"
ESCAPED_NAME = "*" * 40
EMOJIS = complete_set()


def faults(post: Post) -> list[str]:
    """Return the limits that the message of this post breaks."""
    view: Any = layout(post, 10**9, 10**6, emojis=EMOJIS)
    try:
        validate_components(view.to_components(), flags=V2)
    except ComponentValidationError as error:
        return [str(error)]
    return []


def is_whole(post: Post) -> bool:
    """Return whether the message has all paragraphs in full, where neither its picture nor emojis can be shown."""
    post = in_words(post)
    view: Any = layout(post, 1, 1)
    components = view.to_components()
    words = NO_EMOJIS.in_texts(post.paragraphs, sys.maxsize)
    return "\n".join(filter(None, words)) == "\n".join(
        p["content"] for p in components[0]["components"] if p["type"] == 10
    )


def every_text(moment: Moment) -> Iterator[tuple[str, ...]]:
    """Yield the texts that are shown in pages at a moment, as paragraphs."""
    game, face, table = GAMES[moment.table.game], FACES[moment.table.game], moment.table
    public = game.observe(moment.state, None)
    yield tuple(face.describe(table, public))
    yield tuple(face.scores(table, public))
    yield ("\n".join(happened(face, Sight(table, public, moment.events))),)
    if isinstance(face, PondFace):
        for seat in range(table.seats):
            observation = game.observe(moment.state, seat)
            assert isinstance(observation, PondObservation)
            yield (pile_in_full(observation),)


def every_page(paragraphs: tuple[str, ...]) -> Iterator[Post]:
    """Yield the pages of a text by following the buttons."""
    post = paged("### Table Heron · scores", paragraphs, "scores")
    while True:
        yield post
        onward = [button for row in post.rows for button in row if button.label == "Next"]
        if not onward:
            return
        post = paged("### Table Heron · scores", paragraphs, "scores", int(onward[0].argument))


def every_post(moment: Moment) -> Iterator[Post]:
    """Yield the boards, hands and previews at a moment, for the public and for each seat."""
    game, face, table = GAMES[moment.table.game], FACES[moment.table.game], moment.table
    public = game.observe(moment.state, None)
    yield board(face, Sight(table, public, moment.events))
    for seat in range(table.seats):
        observation = game.observe(moment.state, seat)
        style: HandStyle = "pictures" if seat % 2 else "text"
        yield hand(face, Sight(table, observation, moment.events), LINK, UserSettings(hands=style))
        if isinstance(face, FrogsFace):
            for origin in sorted({move.origin for move in observation.legal if isinstance(move, Shift)}):
                yield face.squares(table, observation, origin)
            for move in observation.legal[:2]:
                yield face.confirm(table, observation, move)


def renamed(moment: Moment, name: str) -> Moment:
    """Return the moment with this name for all players."""
    sitters = tuple(replace(sitter, name=name) for sitter in moment.table.sitters)
    return moment._replace(table=replace(moment.table, sitters=sitters))


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_message_keeps_discords_limits_with_any_names(game: AnyGame) -> None:
    for moment, _ in zip(moments(game, random.Random(5)), range(600 if IS_COMPLETE else 100), strict=False):
        for name in (LONG_NAME, ESCAPED_NAME):
            for post in every_post(renamed(moment, name)):
                assert faults(post) == []
                assert is_whole(post)


@pytest.mark.parametrize(
    ("key", "options", "number"),
    [
        ("pond", {"players": 4, "tiebreak": "extra"}, 0),
        EXTRA_ROUND,
        ("frogs", {"preset": "big"}, 4),
        ("pontis", {"players": 13, "games": 10}, 0),
        ("pontis", {"players": 13, "games": 2, "fake": "on", "liar": "on"}, 0),
        ("pontis", {"players": 12, "banks": 6, "teams": "on"}, 0),
        ("pontis", {"players": 6, "banks": 12}, 0),
        ("pot_black", {"players": 4}, 0),
        ("pot_black", {"players": 4, "form": "individual", "end": "knock_out"}, 0),
        ("pot_black", {"players": 3}, 0),
    ],
    ids=str,
)
def test_boards_are_whole_and_long_texts_are_paged_without_loss(key: str, options: dict[str, Any], number: int) -> None:
    every = recorded(key, options, number)
    step = 7 if IS_COMPLETE else max(7, len(every) // 40)
    for moment in (renamed(each, ESCAPED_NAME) for each in (*every[::step], *every[-3:])):
        for post in every_post(moment):
            assert faults(post) == []
            assert is_whole(post)
        for text in every_text(moment):
            pages = list(every_page(text))
            assert all(faults(page) == [] and is_whole(page) for page in pages)
            shown = [line for page in pages for line in "\n".join(page.paragraphs[1:]).split("\n")]
            assert shown == "\n".join(filter(None, text)).split("\n")


@pytest.mark.parametrize(
    ("key", "options", "least"),
    [
        ("pontis", {"players": 12, "banks": 6, "teams": "on", "games": 2}, 40),
        ("frogs", {"preset": "big"}, 20),
    ],
)
def test_the_board_leaves_room_for_pings_and_the_absence_notice(key: str, options: dict[str, Any], least: int) -> None:
    game = GAMES[key]
    reserved = 0
    for moment in recorded(key, options, 4):
        at = renamed(moment, ESCAPED_NAME)
        if to_act := [seat for seat in game.to_act(at.state) if seat is not None]:
            sight = Sight(at.table, game.observe(at.state, None), at.events)
            voters = tuple(range(100, 100 + 3 * len(REMEDIES)))
            votes = dict(zip(voters, REMEDIES * 3, strict=True))
            standstill = Standstill("none", tuple(to_act), 1e9, 1e9, 1e9, (), voters, voters, votes)
            assert standstill.is_due()
            noticed = board(FACES[key], sight, standstill)
            seen = replace(noticed, paragraphs=(*noticed.paragraphs, " ".join(f"<@{2**63}>" for _ in to_act)))
            assert faults(seen) == []
            assert is_whole(seen)
            reserved += 1
    assert reserved > least


def test_at_most_three_recent_events_are_shown_and_only_those_that_fit() -> None:
    face, game = FACES["pontis"], GAMES["pontis"]
    *_, last = recorded("pontis", {"players": 13})
    sight = Sight(renamed(last, ESCAPED_NAME).table, game.observe(last.state, None), last.events)
    newest = happened(face, sight)
    shown = recent(face, sight, room=100).split("\n")
    assert 1 < len(shown) <= 3
    assert shown == list(reversed(newest[: len(shown)]))
    assert recent(face, sight, room=lines_of(newest[:1])) == newest[0]
    assert recent(face, sight, room=0) == ""


def test_recent_events_begin_with_a_whole_turn() -> None:
    face, game, lines = FACES["frogs"], GAMES["frogs"], set()
    for moment in recorded("frogs", {"preset": "standard"}):
        sight = Sight(moment.table, game.observe(moment.state, None), moment.events)
        shown = recent(face, sight, room=100).split("\n")
        assert " scores +" not in shown[0]
        lines.add(len(shown))
    assert lines == {1, 2, 3}


def test_any_text_is_split_into_pages_without_loss() -> None:
    rng = random.Random(1)
    for _ in range(50):
        texts = ["".join(rng.choices("ab \n", (9, 9, 3, 1), k=rng.randrange(300))) for _ in range(rng.randrange(40))]
        room = rng.randrange(20, 200)
        pages = split(texts, room)
        assert "".join(texts).replace("\n", "") == "".join(map("".join, pages)).replace("\n", "")
        assert all(sum(map(len, page)) <= room for page in pages)
        assert all(len(page) <= 16 for page in pages)


def test_a_hand_with_more_than_a_hundred_sums_fits_into_a_message() -> None:
    game = GAMES["pontis"]
    most: tuple[Sum, ...] = ()
    for seed in range(4):
        log = play(game, game.settle({"players": 2, "fake": "on"}), random.Random(seed), preferred=MISS)
        for moment in moments_of("pontis", log):
            for seat in (0, 1):
                observation = game.observe(moment.state, seat)
                sums = tuple(move for move in observation.legal if isinstance(move, Sum))
                if len(sums) > len(most):
                    most, seen = sums, observation
                    post = hand(FACES["pontis"], Sight(moment.table, observation, moment.events), LINK, IN_TEXT)
    assert len(most) > 100
    (tops,) = [group for group in post.choices if group.verb == TOP]
    pages = [pairs_below(moment.table, seen, Card(choice.move)) for choice in tops.choices]
    offered = {choice.move for page in pages if page for group in page.choices for choice in group.choices}
    assert offered == {str(move) for move in most}
    assert [faults(page) for page in (post, *pages) if page and (faults(page) or not is_whole(page))] == []


async def test_every_command_keeps_discords_limits(world: World) -> None:
    tree = world.bot.tree
    commands = [await command.get_translated_payload(tree, Translator()) for command in tree.get_commands()]
    sizes = {command["name"]: size(command) for command in commands}
    assert {"pond", "frogs", "pontis", "potblack"} <= set(sizes)
    assert max(sizes.values()) <= 8000
    every = [part for command in commands for part in parts(command)]
    assert max(len(part.get(key, ())) for part in every for key in ("options", "choices")) <= 25


async def test_open_has_all_options_of_its_game_under_their_keys(world: World) -> None:
    for game in GAMES.values():
        group = next(c for c in world.bot.tree.get_commands() if c.name == GROUPS[game.key])
        command = next(c for c in group.to_dict(world.bot.tree)["options"] if c["name"] == "open")
        offered = {option["name"]: [c["value"] for c in option.get("choices", ())] for option in command["options"]}
        for option in game.options:
            assert offered[option.key] == list(option.choices)


def parts(part: Any) -> Iterator[dict[str, Any]]:
    """Yield a command, its options and their choices."""
    yield part
    for key in ("options", "choices"):
        for each in part.get(key, ()):
            yield from parts(each)


def size(command: Any) -> int:
    """Count characters as Discord does: names, descriptions and values, each in its longest translation."""
    return sum(longest(part, key) for part in parts(command) for key in ("name", "description", "value"))


def longest(part: dict[str, Any], key: str) -> int:
    texts = [part.get(key, ""), *(part.get(f"{key}_localizations") or {}).values()]
    return max(len(str(text)) for text in texts)
