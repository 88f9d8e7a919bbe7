"""People on a simulated Discord: each sees only what that person may see, and does only what that person could do.

A test says what somebody does and looks at what he is shown:

    lobby = await ann.types("pond open", computers=1)
    await ann.clicks(lobby, "Start")
    hand = await ann.clicks(ann.board, "My hand")
    await ann.picks(hand, "profit 2H")
"""

import contextlib
import json
import random
import sqlite3
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

import simcord
from discord import AppCommandOptionType
from simcord.backend import serializers
from simcord.backend.access import can_access_message
from simcord.enums import ComponentType, InteractionType
from simcord.interactions import base_payload
from simcord.results import InteractionResult, ResponseMessage

from bot.client import LilypadBot
from bot.games.pond import Observation
from bot.settings import Settings
from bot.tables import Tables
from tests.discord.seen import Seen, Use, look_at, walk
from tests.wire.schemas import faults

CALLBACK: Final = "/callback"
NEVER_S: Final = 1e9
"""Longer than any test: leases need no renewing where no other process is."""
NO_LIMIT: Final = 1e9
"""Requests a second: the world stands still while people play, so no budget would fill up again."""
SOON_S: Final = 0.01
"""What is to be written soon waits for so long, of real time, while the world stands still."""
PATIENCE: Final = 24
"""How many times five seconds, SimCord's timeout, the bot may take for one thing, as the machine may be busy."""
NAMES: Final = ("Ann", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gail", "Hugo")


class Unanswered(AssertionError):
    """Somebody was left without an answer: “This interaction failed”."""


class Player:
    """A person on the server. ``home`` is the channel where he types, unless a test says where."""

    def __init__(self, world: "World", member: simcord.MemberActor) -> None:
        self._world = world
        self.member = member
        self.id = member.id
        self.home = world.channel

    # ---- what he sees

    def messages(self, place: simcord.ChannelHandle | None = None) -> list[Seen]:
        """What he sees in a place, the latest last: all that is public there, and what was shown to him alone."""
        place = place or self.home
        every = self._world.env.backend.messages.get(place.id, {})
        viewer = self.member if place.guild else self.member.user
        ids = sorted(number for number, m in every.items() if can_access_message(self._world.env, place.id, m, viewer))
        return [look_at(every[number]) for number in ids]

    @property
    def dm(self) -> simcord.ChannelHandle:
        """His direct messages with the bot."""
        return self.member.user.dm_channel

    @property
    def dms(self) -> list[Seen]:
        """The direct messages that he got from the bot."""
        return self.messages(self.dm)

    @property
    def hand(self) -> Seen:
        """The latest hand that came as a direct message."""
        return [seen for seen in self.dms if not seen.is_private and seen.text.startswith("### Your hand")][-1]

    @property
    def board(self) -> Seen:
        """The latest board or lobby in his channel."""
        boards = [seen for seen in self.messages() if not seen.is_private and seen.text.startswith("### Table")]
        return boards[-1]

    def now(self, seen: Seen) -> Seen:
        """The message as it is by now."""
        return next(other for other in self.messages(self._world.place(seen.channel_id)) if other.id == seen.id)

    # ---- what he does

    async def types(self, command: str, at: simcord.ChannelHandle | None = None, **options: Any) -> Seen:
        """Types a slash command; gives the answer."""
        at = at or self.home
        if at.guild is None:
            return self._answer(await self.member.user.slash(command, **options))
        return self._answer(await self.member.slash(at, command, **options))

    async def completes(
        self, command: str, option: str, typed: str = "", at: simcord.ChannelHandle | None = None, **others: str
    ) -> dict[str, str]:
        """Begins to type an option; gives what is offered, the name of each value."""
        at = at or self.home
        if at.guild is None:
            offered = await self.member.user.autocomplete(command, option, typed, **others)
        else:
            offered = await self.member.autocomplete(at, command, option, typed, **others)
        assert len(offered) <= 25
        assert all(isinstance(choice["value"], str) for choice in offered), "integers fail on phones"
        return {choice["value"]: choice["name"] for choice in offered}

    async def clicks(self, seen: Seen, label: str) -> Seen:
        """Press a button of a message that looks as he saw it; gives the answer."""
        return self._answer(await self._does(seen.use(label)))

    async def picks(self, seen: Seen, value: str) -> Seen:
        """Picks a value in a menu, or the move on a button; gives the answer."""
        return self._answer(await self._does(seen.moves.get(value) or seen.use(value)))

    async def fills(self, seen: Seen, label: str, text: str) -> Seen:
        """Press a button that opens a form of one field, writes the text and sends it off."""
        opened = await self._does(seen.use(label))
        assert opened.modal is not None, "no form was opened"
        return self._answer(await self._actor(seen.channel_id).submit_modal(opened, {"text": text}))

    async def says(self, text: str) -> None:
        """Writes an ordinary message in his channel."""
        await self.member.send(self.home, text)

    async def _does(self, use: Use) -> InteractionResult:
        shown = ResponseMessage(self._world.env, self._world.env.backend.get_message(use.channel_id, use.message_id))
        actor = self._actor(use.channel_id)
        if use.value is None:
            result: InteractionResult = await actor.click(shown, custom_id=use.custom_id)
        else:
            result = await actor.select(shown, [use.value], custom_id=use.custom_id)
        return result

    def _actor(self, channel_id: int) -> simcord.MemberActor | simcord.UserHandle:
        return self.member if self._world.place(channel_id).guild else self.member.user

    def _answer(self, result: InteractionResult) -> Seen:
        message = result.followups[-1] if result.followups else result.response
        if message is None:
            raise Unanswered
        return look_at(self._world.env.backend.get_message(message.channel_id, message.id))


class Discord(simcord.Env):
    """SimCord, looking more often whether the bot is done: otherwise a game would take four times as long.

    It is patient with a busy machine. Its timeout can't just be longer, as it waits for whatever is due before that.
    """

    async def _settle_internal(self, *, idle: float = 0.002, _deadline: float | None = None, **others: Any) -> None:
        for left in reversed(range(PATIENCE)):
            try:
                await super()._settle_internal(idle=idle, **others)
            except TimeoutError:
                if not left:
                    raise
            else:
                return

    async def _advance_to(self, target: float, deadline: float) -> None:
        await super()._advance_to(target, deadline + PATIENCE * self.settle_timeout)


class World:
    """A server with the bot on it and a channel for games. Time stands still until `wait`."""

    def __init__(self, database: Path, seed: int = 0) -> None:
        self._database = database
        self._chance = random.Random(seed)
        self._broken_callbacks = 0
        self.was_broken = False
        self.jump_s = 0.0
        """How far the clock of the bot's machine is off."""
        self.bot = self._new_bot()
        self.env = Discord(self.bot, shard_count=1)
        self.server = self.env.create_guild("Pond life")
        self.channel = self.server.create_text_channel("games")

    @property
    def tables(self) -> Tables:
        """The bot's tables: what a test may know that nobody on the server does."""
        return self.bot.tables

    def person(self, name: str) -> Player:
        """Somebody new on the server, who is called that there."""
        user = self.env.create_user(f"user{len(self.server.member_ids())}", global_name=name)
        return Player(self, self.server.add_member(user))

    def people(self, count: int) -> list[Player]:
        """So many people, Ann first."""
        return [self.person(name) for name in NAMES[:count]]

    def thread(self, owner: Player) -> simcord.ChannelHandle:
        """A public thread in the channel."""
        thread = self.env.backend.create_thread(self.channel.id, "a long evening", owner.id)
        return self.place(thread.id)

    def place(self, channel_id: int) -> simcord.ChannelHandle:
        """The channel with this id."""
        channel = self.env.backend.get_channel(channel_id)
        guild = self.env.backend.get_guild(channel.guild_id) if channel.guild_id else None
        return simcord.ChannelHandle(self.env, simcord.GuildHandle(self.env, guild) if guild else None, channel)

    async def at_once(self, *uses: tuple[Player, Use]) -> list[Seen | None]:
        """Presses that all reach the bot before it has answered any; ``None`` for who gets no answer.

        They needn't be there any more: a message on a phone with a bad connection may be old.
        """
        done = [self._emit(player, use) for player, use in uses]
        await self.env.settle()
        answered: list[Seen | None] = []
        for player, result in done:
            try:
                answered.append(player._answer(result))
            except Unanswered:
                answered.append(None)
        return answered

    async def types_at_once(self, player: Player, command: str, option: str, times: int) -> list[list[str]]:
        """Begins to type an option so often before the bot has answered once; gives what is offered each time."""
        group, name = command.split()
        typed = {"name": option, "type": AppCommandOptionType.string.value, "value": "", "focused": True}
        subcommand = {"name": name, "type": AppCommandOptionType.subcommand.value, "options": [typed]}
        records = []
        for _ in range(times):
            record, payload = base_payload(
                self.env.backend,
                type=InteractionType.APPLICATION_COMMAND_AUTOCOMPLETE,
                channel_id=player.home.id,
                guild_id=self.server.id,
                user_id=player.id,
                data={"id": "1", "name": group, "type": 1, "options": [subcommand]},
            )
            self.env.backend.emit("INTERACTION_CREATE", payload)
            records.append(record)
        await self.env.settle()
        offered = [InteractionResult(self.env, record).autocomplete_choices for record in records]
        assert None not in offered
        return [[choice["value"] for choice in choices or ()] for choices in offered]

    def deletes(self, seen: Seen) -> None:
        """A moderator, or the person himself, deletes a message."""
        self.env.backend.delete_message(seen.channel_id, seen.id)

    async def wait(self, seconds: float) -> None:
        """Lets time pass."""
        await self.env.advance_time(seconds)

    async def start(self) -> None:
        """The bot comes online for the first time."""
        await self.env.start()
        self.tables._entropy = self._chance.randbytes

    async def restart(self) -> None:
        """The bot goes away and comes back with nothing but its database."""
        old, self.bot = self.bot, self._new_bot()
        await old.close()
        await self.env.restart_bot(self.bot)
        self.tables._entropy = self._chance.randbytes

    async def crash(self, meanwhile: Callable[[], Awaitable[object]] | None = None) -> None:
        """The bot is gone in the middle of whatever it was doing, and another one starts on its database; between the
        two, something may happen to that.
        """
        old, self.bot = self.bot, self._new_bot()
        await self.env._detach_bot()  # a restart would wait until the old one has done its work
        await old._store.close()
        self._let_leases_run_out()
        if meanwhile is not None:
            await meanwhile()
        await self.env.restart_bot(self.bot)
        self.tables._entropy = self._chance.randbytes

    def _let_leases_run_out(self) -> None:
        """Leases last for some seconds of the database's own time, which no test waits for."""
        with contextlib.closing(sqlite3.connect(self._database)) as connection, connection:
            connection.execute("UPDATE leases SET expires_at = 0")

    def breaks(self, method: str, path: str, status: int, code: int = 0, times: int | None = 1) -> None:
        """From now on Discord answers so many such requests with this error."""
        self.was_broken = True
        if path.endswith(CALLBACK) and times is not None:
            self._broken_callbacks += times
        self.env.inject_error(method, path, status=status, code=code, message="Injected", times=times)

    def mends(self) -> None:
        """Discord is well again."""
        self.env.backend.faults.clear()

    def audit(self) -> list[str]:
        """What was wrong with all that the bot has told Discord so far; nothing, always."""
        return [*self._unanswered(), *self._answered_twice(), *self._misshapen()]

    def _unanswered(self) -> Iterator[str]:
        silent = [str(i.id) for i in self.env.backend.interactions.values() if not i.responded]
        if len(silent) > self._broken_callbacks:
            yield f"{len(silent)} interactions were never answered"

    def _answered_twice(self) -> Iterator[str]:
        answers = Counter(request.path for request in self.env.http_requests if request.path.endswith(CALLBACK))
        again = {path: count - 1 for path, count in answers.items() if count > 1}
        if sum(again.values()) > self._broken_callbacks:  # an answer that fails is given once more
            yield f"answered once too often: {again}"

    def _misshapen(self) -> Iterator[str]:
        for request in self.env.http_requests:
            yield from _faults(request.method, request.path, json.dumps(request.json))
            yield from _beyond_limits(request.json)

    def _emit(self, player: Player, use: Use) -> tuple[Player, InteractionResult]:
        backend = self.env.backend
        message = backend.get_message(use.channel_id, use.message_id)
        kind = ComponentType.BUTTON if use.value is None else ComponentType.STRING_SELECT
        data = {"custom_id": use.custom_id, "component_type": int(kind)}
        place = self.place(use.channel_id)
        record, payload = base_payload(
            backend,
            type=InteractionType.MESSAGE_COMPONENT,
            channel_id=use.channel_id,
            guild_id=place.guild.id if place.guild else None,
            user_id=player.id,
            data=data if use.value is None else data | {"values": [use.value]},
        )
        payload["message"] = dict(serializers.message_payload(backend, message))
        record.source_message_id = message.id
        backend.emit("INTERACTION_CREATE", payload)
        return player, InteractionResult(self.env, record)

    def _new_bot(self) -> LilypadBot:
        return LilypadBot(
            Settings(database_path=self._database),
            now=lambda: self.env.now().timestamp() + self.jump_s,
            lease_tick_s=NEVER_S,
            requests_per_s=NO_LIMIT,
        )


@contextlib.asynccontextmanager
async def opened(database: Path, seed: int = 0) -> AsyncIterator[World]:
    """A world in which the bot is running; it is shut down at the end, and what the bot raised is raised."""
    world = World(database, seed)
    with patch("bot.store.sqlite.group_commit.SOON_S", SOON_S):
        await world.start()
        try:
            yield world
        finally:
            await world.bot.close()
            await world.env.shutdown()
    world.env.raise_errors()


async def started(host: Player, guests: Sequence[Player] = (), **options: Any) -> Seen:
    """A table of Pond · cards with these people and as many computers as it takes, started; gives its first board."""
    return await started_in("pond", host, guests, **options)


async def started_in(group: str, host: Player, guests: Sequence[Player] = (), **options: Any) -> Seen:
    """As `started`, of the game with this group of commands."""
    lobby = await host.types(f"{group} open", **options)
    for guest in guests:
        lobby = await guest.clicks(lobby, "Join")
    return await host.clicks(lobby, "Start")


async def play_on(
    world: World, players: Sequence[Player], until: Callable[[Observation], bool], table_id: int = 1
) -> None:
    """Goes on, the first legal move each time, until the public sees what is asked for."""
    by_id = {player.id: player for player in players}
    while not until(await public(world, table_id)):
        user = (await world.tables.whose_turn(await world.tables.table(table_id)))[0]
        move = (await legal(world, by_id[user], table_id))[0]
        await by_id[user].types("pond move", move=move, table=str(table_id))


async def public(world: World, table_id: int = 1) -> Observation:
    """What everybody sees of a table."""
    observation = (await world.tables.look(table_id)).observation
    assert isinstance(observation, Observation)
    return observation


async def legal(world: World, player: Player, table_id: int = 1) -> list[str]:
    """What the player may play now."""
    sight = await world.tables.look(table_id, player.id)
    return [str(move) for move in sight.observation.legal]


@cache
def _faults(method: str, path: str, body: str) -> tuple[str, ...]:
    """As `faults`; every bot of every test tells Discord the same commands."""
    return faults(method, path, json.loads(body))


def _beyond_limits(body: object) -> Iterator[str]:
    """What Discord's description of its API doesn't say but Discord holds to."""
    message = body.get("data", body) if isinstance(body, dict) else {}
    if not isinstance(message, dict) or "components" not in message or "title" in message:
        return
    every = list(walk(message["components"]))
    ids = [part["custom_id"] for part in every if "custom_id" in part]
    text = sum(len(part.get("content", "")) for part in every)
    if len(every) > 40 or text > 4000 or len(ids) != len(set(ids)) or any(not 1 <= len(i) <= 100 for i in ids):
        yield f"{len(every)} components, {text} characters, ids {ids}: {json.dumps(message)[:300]}"
