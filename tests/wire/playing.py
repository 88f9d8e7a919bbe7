"""Play games with what people see, from the lobby to the result."""

import asyncio
import itertools
import json
import random
from collections.abc import Awaitable, Callable, Collection, Sequence
from functools import partial
from typing import Final

from bot.transcript import read, replay
from tests.waiting import DEADLINE_S, until
from tests.wire.objects import LOADING, V2, Message
from tests.wire.people import Person, button, moves, presses, steps
from tests.world import walk

NEXT: Final = "Next"
"""The button at the end of a deal, at a table of one person."""
Door = Callable[[Person, random.Random], Awaitable[bool]]
"""A way to move. Returns whether there was something to play."""


async def by_direct_message(person: Person, rng: random.Random) -> bool:
    """Pick from the hand in the direct message."""
    return bool(hands(person)) and await _play_from(person, hands(person)[-1], rng)


async def by_board(person: Person, rng: random.Random) -> bool:
    """Open the hand from the board, and pick from it."""
    return await _play_from_what_opens(person, "My hand", rng)


async def by_menu(person: Person, rng: random.Random) -> bool:
    """Open the menu of moves from a board without hands, and pick from it."""
    return await _play_from_what_opens(person, "Board in words", rng)


async def by_taps(person: Person, rng: random.Random) -> bool:
    """Tap squares of the board, and confirm."""
    ways = steps(person.board)
    if not ways:
        return False
    opened = (await person.press(person.board, *rng.choice(ways))).original
    return opened is not None and opened.only_for == person.id and await _play_from(person, opened, rng)


async def plays_by_board(person: Person) -> None:
    """Open the hand from the board once the game is going on, and pick from it.

    If everything is slow, a late lobby may be shown for a moment after the start.
    """
    await person.discord.until(lambda: button(person.board, "My hand"))
    assert await by_board(person, random.Random(1))


async def by_play_button(person: Person, rng: random.Random) -> bool:
    """Open the playable cards from the board, and pick from them."""
    return await _play_from_what_opens(person, "My hand", rng)


async def by_command(person: Person, rng: random.Random, group: str = "pond") -> bool:
    """Type a command with a move that autocomplete offers."""
    offered = await person.complete(f"{group} move", "move")
    if offered:
        answer = (await person.type(f"{group} move", move=rng.choice(offered))).original
        assert answer is not None
        await person.discord.until(lambda: not answer.flags & LOADING)
        if person.discord.gateway.is_shared and "You're not in a game" in answer.text:
            # The other process answers the command after its move has ended the game.
            await person.discord.until(lambda: is_over(person.board))
        else:
            assert "Table" in answer.text or "Open board" in answer.text, answer.text
    return bool(offered)


async def _play_from_what_opens(person: Person, label: str, rng: random.Random) -> bool:
    board = person.board
    label = NEXT if button(board, NEXT) else label
    if button(board, label) is None:  # the game has just ended
        return False
    return await _play_from(person, await person.opens(board, label), rng)


async def _play_from(person: Person, message: Message, rng: random.Random) -> bool:
    if button(message, NEXT):
        await person.press_label(message, NEXT)
        return True
    while on_the_way := not moves(message) and steps(message):
        await person.press(message, *rng.choice(on_the_way))
    offered = moves(message)
    if offered:
        await person.press(message, *rng.choice(offered))
    return bool(offered)


def doors(group: str) -> tuple[Door, ...]:
    """Return the ways to move in the game with these commands."""
    by_type = partial(by_command, group=group)
    on_the_board = (by_taps, by_menu) if group == "frogs" else (by_board, by_play_button)
    return by_direct_message, by_type, *on_the_board


DOORS: Final = doors("pond")


_RARE: Final = ("fake", "liar", "end")
"""Options that only the lobby offers."""


async def open_table(people: Sequence[Person], group: str = "pond", /, **options: object) -> None:
    """Let the first person open the table, the others join, and the last one start."""
    host, *guests = people
    rare = {key: str(options.pop(key)) for key in _RARE if key in options}
    opened = (await host.type(f"{group} open", **options)).original
    assert opened is not None
    assert opened.only_for is None
    if rare:
        page = await host.opens(opened, "More")
        await host.press_label(page, "Options")
        await host.press_label(page, "House rules")
    for key, value in rare.items():
        await host.discord.until(partial(_menu, page, key))
        await host.press(page, _menu(page, key) or "", value)
    await host.discord.until(lambda: host.dms)
    for guest in guests:
        await guest.press_label(opened, "Join")
    await people[-1].press_label(people[-1].board, "Start")
    await host.discord.until(lambda: button(host.board, "My hand") or button(host.board, "Board in words"))


def _menu(page: Message, key: str) -> str | None:
    """Return the menu of an option on a page."""
    menus = (part["custom_id"] for part in walk(page.components) if "options" in part)
    return next((menu for menu in menus if f":{key}." in menu), None)


def is_over(message: Message) -> bool:
    """Return whether the message shows a result."""
    return button(message, "Review") is not None


def all_know(people: Sequence[Person]) -> bool:
    """Return whether the board and every hand show the result."""
    return is_over(people[0].board) and all(is_over(hands(person)[-1]) for person in people if hands(person))


async def play_on(
    people: Sequence[Person], doors: Sequence[Door], rng: random.Random, rounds: int | None = None
) -> None:
    """Let everyone try to move at random, until the end or a number of times.

    Raise `TimeoutError` if nobody finds anything to play for a minute.
    """
    loop = asyncio.get_running_loop()
    async with asyncio.timeout(DEADLINE_S) as idle:
        for _ in itertools.count() if rounds is None else range(rounds):
            if all_know(people):
                return
            if any([await rng.choice(doors)(person, rng) for person in people]):
                idle.reschedule(loop.time() + DEADLINE_S)
            else:
                await asyncio.sleep(0.05)


def boards(person: Person) -> list[Message]:
    """Return the boards with buttons in the channel."""
    public = [m for m in person.seen if m.channel_id == person.channel_id and m.only_for is None]
    return [message for message in public if "### Table" in message.text and presses(message)]


def hands(person: Person) -> list[Message]:
    """Return the direct messages that show a hand."""
    headings = ("### Your hand", "### Table")
    return [message for message in person.dms if any(heading in message.text for heading in headings)]


async def resign(person: Person) -> None:
    """Resign by the board, and confirm that."""
    page = await person.opens(person.board, "More")
    await person.press_label(page, "Leave, pause or end …")
    await person.press_label(page, "Resign")
    await person.discord.until(lambda: any("resigned" in pressed for pressed, _ in presses(page)))
    await person.press(page, next(pressed for pressed, _ in presses(page) if "resigned" in pressed))


async def see_the_end(people: Sequence[Person]) -> None:
    """Wait for the result, check every visible message, and replay the transcript."""
    discord = people[0].discord
    await discord.until(lambda: all_know(people))
    await discord.until(lambda: len(boards(people[0])) == 1)
    open_to_messages = [person for person in people if person.id not in discord.closed_dms]
    await discord.until(lambda: all(len(hands(person)) == 1 for person in open_to_messages))
    more = await people[-1].opens(people[-1].board, "More")
    await people[-1].press_label(more, "About this game")
    told = await people[-1].opens(more, "Transcript")
    assert told.flags & V2
    ((name, data),) = told.attachments.items()
    assert name.endswith(".jsonl")
    replay(read(json.loads(data)))


def chooses_profit(person: Person) -> bool:
    """Return whether the person's hand offers cards to set aside."""
    return any((value or "").startswith("profit ") for _, value in moves(hands(person)[-1]))


def may_bait(person: Person) -> bool:
    """Return whether the person's hand offers a bait."""
    return any((value or "").startswith("bait ") for _, value in moves(hands(person)[-1]))


def pings(person: Person, earlier: Collection[str] = ()) -> list[Message]:
    """Return the messages that ping the person, except the ``earlier`` ones."""
    return [each for each in person.seen if f"<@{person.id}>" in each.text and each.id not in earlier]


async def one_is_pinged(ann: Person, ben: Person, told: Callable[[Person], Collection[str]]) -> Person:
    """Play the first moves of a table for two and one more, and wait until the other player is pinged.

    ``told`` is `World.told`.
    """
    discord = ann.discord
    for person in (ann, ben):
        await person.press(hands(person)[-1], *moves(hands(person)[-1])[0])
    await discord.until(lambda: "set a card aside." not in ann.board.text)
    first, second = (ann, ben) if f"**{ann.name}**: " in ann.board.text else (ben, ann)
    await until(lambda: may_bait(first) and second.id not in told(second))
    earlier = [each.id for each in pings(second)]  # on a slow machine, the start pings both
    await first.press(hands(first)[-1], *moves(hands(first)[-1])[0])
    await discord.until(lambda: pings(second, earlier))
    return second
