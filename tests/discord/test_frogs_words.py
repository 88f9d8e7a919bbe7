"""Pond · frogs has no hands, cards or shuffles, so none of its texts uses words of card games."""

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tests.discord.guests import in_turn
from tests.discord.play import LEAVING, Player, World
from tests.discord.seen import Seen
from tests.discord.tables import legal

# ---- words
CARD_WORDS = re.compile(r"\b(?:hands?|cards?|deal(?:s|t|ing)?|shuffl\w+|decks?|cuts?|cutting)\b", re.IGNORECASE)
TEXTS = ("content", "label", "placeholder", "description", "name", "title")
"""The parts of components and commands that people read."""

NOT_OPENED = frozenset(
    (
        *("Undo", "Close the table", "Leave", "Find players", "Open in a thread", "Fill with computers"),
        "Let a computer play for me",
    )
)
"""Buttons behind **More** that do something."""


def texts_in(parts: Any) -> Iterator[str]:
    """Yield everything that people can read in components or commands."""
    if isinstance(parts, Mapping):
        yield from (parts[key] for key in TEXTS if isinstance(parts.get(key), str))
        yield from (text for part in parts.values() for text in texts_in(part))
    elif isinstance(parts, Sequence) and not isinstance(parts, str):
        yield from (text for part in parts for text in texts_in(part))


def card_words(parts: Any) -> list[str]:
    """Return the texts that use a word of card games."""
    return [text for text in texts_in(parts) if CARD_WORDS.search(text)]


def seen_by(player: Player) -> list[Any]:
    """Return the components of all messages that a player can see."""
    return [seen.components for seen in (*player.messages(), *player.dms)]


async def test_no_message_of_a_game_uses_words_of_card_games(world: World) -> None:
    ann, ben = world.people(2)
    lobby = await ann.types("frogs open")
    pages = [await reads_everything(ann, lobby)]
    await ben.clicks(lobby, "Join")
    pages += [seen_by(ann), seen_by(ben)]
    await ann.clicks(ann.board, "Start")
    rng = random.Random(1)
    turns = 0
    while (await world.tables.table(1)).status == "playing":
        mover, other = await in_turn(world, ann, ben)
        moves = await legal(world, mover)
        if turns == 15:
            pages.append(await reads_everything(mover, mover.board))
            pages.append([(await other.types("frogs move", move=moves[0])).components])
            pages += [[(await mover.types("frogs move", move=move)).components] for move in REFUSED]
        pages.append(seen_by(ann if turns % 2 else ben))
        await mover.types("frogs move", move=rng.choice(moves))
        turns += 1
    pages += [await reads_everything(ann, ann.board), seen_by(ann), seen_by(ben)]
    assert [text for page in pages for text in card_words(page)] == []


REFUSED = ("place a9", "move a1 d4", "move a1 a1", "resign now", "b5", "hop")


async def reads_everything(player: Player, board: Seen) -> list[Any]:
    """Open every page behind the buttons of a board, and behind those of **More**. Return what they show."""
    shown = []
    for label in {"Board in words", "Rules", "Options", "More", "Details"}.intersection(board.labels):
        page = await player.clicks(board, label)
        shown.append(page.components)
        behind = [each for each in page.labels if label == "More" and each not in NOT_OPENED]
        shown += [(await player.clicks_through(board, label, each)).components for each in behind]
        if label == "More" and LEAVING in page.labels:
            asking = ("Someone's away", "Resign", "Vote to end")
            shown += [(await player.clicks_through(board, label, each)).components for each in asking]
        while label == "Rules" and "Next" in page.labels:
            page = await player.clicks(page, "Next")
            shown.append(page.components)
    return shown


def test_no_command_of_the_game_uses_words_of_card_games(world: World) -> None:
    group = next(each for each in world.bot.tree.get_commands() if each.name == "frogs")
    command = group.to_dict(world.bot.tree)
    assert card_words(command) == []
    assert {"hand", "cut"}.isdisjoint(option["name"] for option in command["options"])
