"""Presses by users without the right to the button."""

import re
from collections.abc import Iterator

import pytest

from tests.discord.play import LEAVING, Player, World
from tests.discord.seen import Seen, Use
from tests.discord.tables import legal, started


def uses(seen: Seen) -> Iterator[Use]:
    """Yield everything that can be pressed or picked on a message."""
    for label in dict.fromkeys(seen.labels):
        yield seen.use(label)
    for value in seen.options:
        yield seen.use(value)


async def pages(player: Player) -> list[Seen]:
    """Return the board or lobby and all pages that open from it, including questions."""
    board = player.board
    opening = [label for label in board.labels if label in {"My hand", "Rules", "Options", "More"}]
    found = [board, *[await player.clicks(board, label) for label in opening]]
    if "More" in board.labels:
        more = found[-1]
        kept = [
            label
            for label in more.labels
            if label not in {"Undo", "Let a computer play for me", "Leave", "Find players", "Open in a thread"}
        ]
        found += [await player.clicks_through(board, "More", label) for label in kept if "Fill" not in label]
        if LEAVING in kept:
            asking = ("Someone's away", "Resign", "Vote to end")
            found += [await player.clicks_through(board, "More", label) for label in asking]
    return found


@pytest.mark.parametrize("moment", ["lobby", "play"])
async def test_no_press_of_a_watcher_changes_anything(world: World, moment: str) -> None:
    ann, ben, watcher = world.people(3)
    if moment == "play":
        await started(ann, [ben])
    else:
        await ann.types("pond open", players=4, computers=1)
    every = [
        use for page in await pages(ann) for use in uses(page) if not re.search("lily:(join|report):", use.custom_id)
    ]
    assert len(every) > 10
    before = await world.tables.table(1)
    board = ann.board
    for use in every:  # many of the pages have been replaced by now
        (answer,) = await world.at_once((watcher, Use(board.id, board.channel_id, use.custom_id, use.value)))
        assert answer is not None, use
    assert await world.tables.table(1) == before
    assert watcher.dms == []


async def test_a_guest_cannot_close_the_table_or_change_its_seats(world: World) -> None:
    ann, ben = world.people(2)
    lobby = await ann.types("pond open", players=4, computers=1)
    await ben.clicks(lobby, "Join")
    before = await world.tables.table(1)
    for verb in ("computer", "close", "closed", "resigned", "undo", "ended"):
        use = Use(lobby.id, lobby.channel_id, f"lily:{verb}:1:{before.version}:")
        (answer,) = await world.at_once((ben, use))
        assert answer is not None, verb
    assert await world.tables.table(1) == before


async def test_a_player_cannot_play_for_another_seat(world: World) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben])
    anns = set(await legal(world, ann)) - set(await legal(world, ben))
    before = await world.tables.table(1)
    for move in anns:
        for use in (
            Use(ann.board.id, ann.board.channel_id, f"lily:play:1:{before.version}:{move}"),
            Use(ann.board.id, ann.board.channel_id, f"lily:pick:1:{before.version}:.0.1", move),
        ):
            (answer,) = await world.at_once((ben, use))
            assert answer is not None
            assert "isn't in your hand" in answer.text
    assert await world.tables.table(1) == before
