"""Players on a simulated Discord. They see and do only what people in their place could.

A test says what a player does and checks what they are shown:

    lobby = await ann.types("pond open", computers=1)
    await ann.clicks(lobby, "Start")
    hand = await ann.clicks(ann.board, "My hand")
    await ann.picks(hand, "profit 2H")
"""

import contextlib
import random
import sqlite3
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

import simcord
from simcord.backend.access import can_access_message
from simcord.enums import InteractionType
from simcord.results import InteractionResult, ResponseMessage

from bot.running.client import LilypadBot
from bot.settings import ONE_SHARD, Settings
from bot.store.sqlite import SqliteStore
from bot.tables.tables import Tables
from tests.discord.audit import CALLBACK, answered_twice, malformed, unanswered
from tests.discord.env import ExactEnv
from tests.discord.seen import Seen, Use, look_at
from tests.world import NAMES, add_channel, add_person, add_server, command_data, interaction, press_data

LEAVING: Final = "Leave, pause or end …"
DOORS: Final[Mapping[str, str]] = {
    **dict.fromkeys(
        ("Leave", "Options", "Rules", "🔒 Shuffle", "Fair start", "Find players", "Fill with computers"), "More"
    ),
    **dict.fromkeys(("Open in a thread", "Tell me when", LEAVING), "More"),
    **dict.fromkeys(("Someone's away", "Let a computer play for me", "Resign", "Remove a player"), LEAVING),
    **dict.fromkeys(("Vote to end", "Close the table"), LEAVING),
    "Transcript": "About this game",
}
"""Buttons that are behind another one, if a message doesn't have them itself."""
NEVER_S: Final = 1e9
"""Longer than any test. Leases needn't be renewed without a second process."""


class Unanswered(AssertionError):
    """Discord showed “This interaction failed”."""


class Replaced(Unanswered):
    """The answer edited a message that has been deleted since, as a newer one below replaces it."""


class Player:
    """A person on the server. ``home`` is the channel where they type, unless a test names another."""

    def __init__(self, world: "World", member: simcord.MemberActor) -> None:
        self.world = world
        self.member = member
        self.id = member.id
        self.home = world.channel

    # ---- what they see

    def messages(self, place: simcord.ChannelHandle | None = None) -> list[Seen]:
        """Return the messages that they see in a channel, oldest first, with those shown to them alone."""
        place = place or self.home
        every = self.world.env.backend.messages.get(place.id, {})
        viewer = self.member if place.guild else self.member.user
        ids = sorted(number for number, m in every.items() if can_access_message(self.world.env, place.id, m, viewer))
        return [look_at(every[number]) for number in ids]

    @property
    def dm(self) -> simcord.ChannelHandle:
        """Their direct messages with the bot."""
        return self.member.user.dm_channel

    @property
    def dms(self) -> list[Seen]:
        """The direct messages that the bot sent them."""
        return self.messages(self.dm)

    @property
    def hand(self) -> Seen:
        """The latest hand sent as a direct message; in games without hands, the latest board."""
        shown = [seen for seen in self.dms if not seen.is_private]
        hands = [seen for seen in shown if seen.text.startswith("### Your hand")]
        return (hands or [seen for seen in shown if seen.text.startswith("### Table")])[-1]

    @property
    def board(self) -> Seen:
        """The latest board or lobby in their home channel."""
        boards = [seen for seen in self.messages() if not seen.is_private and seen.text.startswith("### Table")]
        return boards[-1]

    def now(self, seen: Seen) -> Seen:
        """Return the message as it looks now."""
        return next(other for other in self.messages(self.world.place(seen.channel_id)) if other.id == seen.id)

    # ---- what they do

    async def types(self, command: str, at: simcord.ChannelHandle | None = None, **options: Any) -> Seen:
        """Type a slash command and return the answer."""
        at = at or self.home
        if at.guild is None:
            return self.answer_to(await self.member.user.slash(command, **options))
        return self.answer_to(await self.member.slash(at, command, **options))

    async def completes(
        self, command: str, option: str, typed: str = "", at: simcord.ChannelHandle | None = None, **others: str
    ) -> dict[str, str]:
        """Start typing an option and return what autocomplete offers: the name of each value."""
        at = at or self.home
        if at.guild is None:
            offered = await self.member.user.autocomplete(command, option, typed, **others)
        else:
            offered = await self.member.autocomplete(at, command, option, typed, **others)
        assert len(offered) <= 25
        assert all(isinstance(choice["value"], str) for choice in offered), "integers fail on phones"
        return {choice["value"]: choice["name"] for choice in offered}

    async def clicks(self, seen: Seen, label: str) -> Seen:
        """Press a button of a message, or one behind another of its buttons, and return the answer."""
        door = DOORS.get(label)
        if label not in seen.labels and door in seen.labels:
            seen = await self.clicks(seen, door)
        return self.answer_to(await self._does(seen.use(label)))

    async def clicks_through(self, seen: Seen, *labels: str) -> Seen:
        """Press a button of a message, then one of the answer, and so on. Return the last answer."""
        for label in labels:
            seen = await self.clicks(seen, label)
        return seen

    async def at_table(self, *labels: str, number: int = 1) -> Seen:
        """Type ``/tables`` for a table, press these buttons one after the other, and return the last answer."""
        return await self.clicks_through(await self.types("tables", table=str(number)), *labels)

    async def taps(self, seen: Seen, square: str) -> Seen:
        """Press the square of a board, named as `Seen.squares` does, and return the answer."""
        return self.answer_to(await self._does(seen.squares[square]))

    async def picks(self, seen: Seen, value: str) -> Seen:
        """Pick a value in a menu, or the move on a button, and return the answer."""
        return self.answer_to(await self._does(seen.moves.get(value) or seen.use(value)))

    async def learns(self, page: Seen, argument: str) -> Seen:
        """Make a move in a lesson, by its game and the move, and return the answer."""
        return self.answer_to(await self._does(page.lesson[argument]))

    async def chooses(self, page: Seen, option: str, value: str) -> Seen:
        """Pick a value of an option on the page of a lobby's options, or of house rules, and return the answer."""
        if not page.has_option(option) and "House rules" in page.labels:
            page = await self.clicks(page, "House rules")
        return self.answer_to(await self._does(page.option(option, value)))

    async def picks_people(self, seen: Seen, *people: "Player") -> Seen:
        """Pick these people in a menu of members, and return the answer."""
        shown = ResponseMessage(self.world.env, self.world.env.backend.get_message(seen.channel_id, seen.id))
        (custom_id,) = seen.menus_of_people
        picked = [person.member for person in people]
        return self.answer_to(await self._actor(seen.channel_id).select(shown, picked, custom_id=custom_id))

    async def fills(self, seen: Seen, label: str, text: str) -> Seen:
        """Press a button that opens a form with one field, fill it in and return the answer."""
        opened = await self._does(seen.use(label))
        assert opened.modal is not None, "no form was opened"
        return self.answer_to(await self._actor(seen.channel_id).submit_modal(opened, {"text": text}))

    async def says(self, text: str) -> None:
        """Write an ordinary message in their home channel."""
        await self.member.send(self.home, text)

    async def _does(self, use: Use) -> InteractionResult:
        shown = ResponseMessage(self.world.env, self.world.env.backend.get_message(use.channel_id, use.message_id))
        actor = self._actor(use.channel_id)
        if use.value is None:
            result: InteractionResult = await actor.click(shown, custom_id=use.custom_id)
        else:
            result = await actor.select(shown, [use.value], custom_id=use.custom_id)
        return result

    def _actor(self, channel_id: int) -> simcord.MemberActor | simcord.UserHandle:
        return self.member if self.world.place(channel_id).guild else self.member.user

    def answer_to(self, result: InteractionResult) -> Seen:
        """Return the last message that answers an interaction. Raises `Unanswered` or `Replaced`."""
        message = result.followups[-1] if result.followups else result.response
        if message is None:
            raise Replaced if result.acknowledged else Unanswered
        return look_at(self.world.env.backend.get_message(message.channel_id, message.id))


class World:
    """A server with the bot and a channel for games. Time stands still until `wait`."""

    def __init__(self, database: Path, seed: int = 0) -> None:
        self.database = database
        self.random_bytes: Callable[[int], bytes] = random.Random(seed).randbytes
        """Source of the seeds and names of tables; tests may replace it."""
        self._broken_callbacks = 0
        self.was_broken = False
        """Whether the test has made Discord or the database fail."""
        self.jump_s = 0.0
        """Offset of the bot's system clock."""
        self.settings = Settings(database=database, shards=ONE_SHARD)
        """Those of the next bot that starts."""
        self.bot = self._new_bot()
        self.env = ExactEnv(self.bot, shard_count=1)
        server = add_server(self.env.backend)
        self.server = simcord.GuildHandle(self.env, server)
        self.channel = self.place(add_channel(self.env.backend, server).id)

    @property
    def tables(self) -> Tables:
        """The bot's tables. They know what no player does."""
        return self.bot.tables

    @property
    def store(self) -> SqliteStore:
        """The bot's open store."""
        store = self.bot._store
        assert isinstance(store, SqliteStore)
        return store

    def execute(self, statement: str, *parameters: object) -> None:
        """Change the database from outside of the bot."""
        with contextlib.closing(sqlite3.connect(self.database)) as connection, connection:
            connection.execute(statement, parameters)

    def secrets(self) -> tuple[list[bytes], list[str]]:
        """Return the seeds of all tables, and the texts that players have added to them."""
        with contextlib.closing(sqlite3.connect(self.database)) as connection:
            seeds = [bytes(seed) for (seed,) in connection.execute("SELECT seed FROM secrets")]
            cuts = connection.execute("SELECT json_extract(value, '$.cut') FROM tables, json_each(record, '$.sitters')")
            return seeds, [cut for (cut,) in cuts if len(cut) > 3]

    async def set_read_only(self, *, is_read_only: bool) -> None:
        """Make the bot's database read-only, or writable again."""
        statement = f"PRAGMA query_only = {int(is_read_only)}"
        await self.store._writing.run(lambda connection: connection.execute(statement).close())

    def person(self, name: str) -> Player:
        """Add a member with this name to the server."""
        backend = self.env.backend
        user = add_person(backend, backend.get_guild(self.server.id), name)
        return Player(self, simcord.MemberActor(self.env, self.server, simcord.UserHandle(self.env, user)))

    def people(self, count: int) -> list[Player]:
        """Add members to the server: Ann, Ben, Cleo and so on."""
        return [self.person(name) for name in NAMES[:count]]

    def thread(self, owner: Player) -> simcord.ChannelHandle:
        """Create a public thread in the channel."""
        thread = self.env.backend.create_thread(self.channel.id, "a long evening", owner.id)
        return self.place(thread.id)

    def place(self, channel_id: int) -> simcord.ChannelHandle:
        """Return the channel with this id."""
        channel = self.env.backend.get_channel(channel_id)
        guild = self.env.backend.get_guild(channel.guild_id) if channel.guild_id else None
        return simcord.ChannelHandle(self.env, simcord.GuildHandle(self.env, guild) if guild else None, channel)

    async def at_once(self, *uses: tuple[Player, Use]) -> list[Seen | None]:
        """Send several presses before the bot can answer the first. Return an answer each, ``None`` if there was none.

        An answer that another one has replaced counts as that one.

        The components needn't exist any more: a phone with a bad connection may show an old message.
        """
        done = [self._emit(player, use) for player, use in uses]
        await self.env.settle()
        answered: list[Seen | None] = []
        for player, result in done:
            try:
                answered.append(player.answer_to(result))
            except Unanswered:
                answered.append(self._replacing(player, result))
        return answered

    def _replacing(self, player: Player, result: InteractionResult) -> Seen | None:
        """Return a private message that may have replaced an answer, ``None`` if there was no answer.

        A user has one page or question about a table, wherever they have pressed.
        """
        if result._interaction.message_id is None:
            return None
        places = (self.place(result._interaction.channel_id), player.home, player.dm)
        return next((seen for place in places for seen in reversed(player.messages(place)) if seen.is_private), None)

    async def types_at_once(self, player: Player, command: str, option: str, times: int) -> list[list[str]]:
        """Start typing an option several times before the bot can answer. Return the values offered each time."""
        backend, kind = self.env.backend, InteractionType.APPLICATION_COMMAND_AUTOCOMPLETE
        data = command_data(backend, command, {option: ""}, option)
        records = []
        for _ in range(times):
            record, payload = interaction(backend, kind, player.id, player.home.id, data)
            backend.emit("INTERACTION_CREATE", payload)
            records.append(record)
        await self.env.settle()
        offered = [InteractionResult(self.env, record).autocomplete_choices for record in records]
        assert None not in offered
        return [[choice["value"] for choice in choices or ()] for choices in offered]

    def deletes(self, seen: Seen) -> None:
        """Delete a message, as a moderator or its reader could."""
        self.env.backend.delete_message(seen.channel_id, seen.id)

    async def wait(self, seconds: float) -> None:
        """Let simulated time pass."""
        await self.env.advance_time(seconds)

    async def start(self) -> None:
        """Start the bot for the first time."""
        with self._randomness():
            await self.env.start()

    async def restart(self, away_s: float = 0) -> None:
        """Stop the bot in an orderly way, and start another one on its database after this time."""
        old, self.bot = self.bot, self._new_bot()
        await old.close()
        self.env.backend.advance_clock(away_s)
        with self._randomness():
            await self.env.restart_bot(self.bot)

    async def crash(self, meanwhile: Callable[[], Awaitable[object]] | None = None) -> None:
        """Stop the bot in the middle of its work, and start another one on its database.

        ``meanwhile`` is called between the two.
        """
        old, self.bot = self.bot, self._new_bot()
        await self.env._detach_bot()  # SimCord's restart would let the old bot finish its work first
        await old._store.close()
        if meanwhile is not None:
            await meanwhile()
        with self._randomness():
            await self.env.restart_bot(self.bot)

    def _randomness(self) -> contextlib.AbstractContextManager[object]:
        """Let a bot that starts draw random bytes from this world."""
        return patch("bot.running.client.Tables", partial(Tables, entropy=self._draw))

    def _draw(self, count: int) -> bytes:
        return self.random_bytes(count)

    def breaks(self, method: str, path: str, status: int, code: int = 0, times: int | None = 1) -> None:
        """Let Discord answer matching requests with this error, ``times`` times or, with ``None``, until `mends`."""
        self.was_broken = True
        if path.endswith(CALLBACK) and times is not None:
            self._broken_callbacks += times
        self.env.inject_error(method, path, status=status, code=code, message="Injected", times=times)

    def mends(self) -> None:
        """Let Discord answer normally again."""
        self.env.backend.faults.clear()

    def expire_tokens(self) -> None:
        """Let Discord refuse the tokens of all presses so far, so that the bot edits messages by itself."""
        self.env.backend.interaction_tokens.clear()

    def audit(self) -> list[str]:
        """Return what was wrong with the bot's requests so far."""
        tolerated = self._broken_callbacks
        return [*unanswered(self.env, tolerated), *answered_twice(self.env, tolerated), *malformed(self.env)]

    def _emit(self, player: Player, use: Use) -> tuple[Player, InteractionResult]:
        backend, data = self.env.backend, press_data(use.custom_id, use.value)
        message = backend.get_message(use.channel_id, use.message_id)
        record, payload = interaction(backend, InteractionType.MESSAGE_COMPONENT, player.id, message, data)
        backend.emit("INTERACTION_CREATE", payload)
        return player, InteractionResult(self.env, record)

    def _new_bot(self) -> LilypadBot:
        return LilypadBot(
            self.settings,
            now=lambda: self.env.now().timestamp() + self.jump_s,
            lease_tick_s=NEVER_S,
            slots=None,  # simulated time stands still while people play, so a budget wouldn't fill up again
            emoji_pause_s=None,
        )
