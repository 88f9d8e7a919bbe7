"""A bot on a simulated Discord with tables at given moments, and one person who uses everything there."""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple

from discord import app_commands
from msgspec.structs import replace
from simcord.backend.models import Message
from simcord.results import InteractionResult, ResponseMessage

from bot.records.table import Change, Place, Table
from bot.ui.actions.press import _HANDLERS
from bot.ui.posts.custom_id import Press
from tests.discord.forged import Forger
from tests.discord.play import Player, World
from tests.leaks.knowledge import Viewer
from tests.recorded import Moment
from tests.world import walk

_EVENT: Final = ("daily 2026-11-26", 0)
_MOST_SEATS: Final = 14
_ID: Final = re.compile(r"\d{6,}")
_RANDOM: Final = re.compile(
    r'"id": \d+|"size": \d+|(?<=lily:night-)\w+:0:0:\d+|(?<=lily:match-)\w+:0:0:\d+| · \[Open board\]\([^)]*\)'
)
"""Numbers of components, which are SimCord's, sizes of files that have times in them, nights and matches, whose numbers
are drawn, and links in hands that may be sent before the board is.
"""
_BEGUN: Final = datetime(2026, 1, 2, tzinfo=UTC)
_STEP: Final = timedelta(minutes=1)
"""The time of the first table, and until the next one. Between them, the bots' clocks stand still."""


class Use(NamedTuple):
    """What the person does: a press, or a command."""

    way: str
    """``press``, ``menu``, ``form``, ``command`` or the name of an option to complete."""
    name: str
    """The verb, or the command."""
    argument: str = ""
    value: str = ""
    on: str = "page"
    """The pressed message: ``board``, ``hand`` or a private ``page``."""
    is_stale: bool = False
    by: Viewer = None


class Side:
    """A bot with people. Two of them get the moments and the twins."""

    def __init__(self, world: World, seed: int) -> None:
        self._world = world
        self._seed = bytes([seed]) * 32
        names = [f"Player {number}" for number in range(_MOST_SEATS)]
        self.players = [world.person(name) for name in names]
        self._watcher = world.person("Watcher")
        self._shown: dict[int, tuple[object, str]] = {}
        """The last components of each message, and all of it."""
        self.number = 0
        self._since = 0
        self._forgers: dict[tuple[int, int], Forger] = {}
        self.table: Table
        self.answered: list[Mapping[str, Any]] = []
        """The components of all answers: a newer page replaces the one before it."""
        self.parted = set[str]()
        """The names of tables that viewers can distinguish by now."""
        world.env.now = lambda: _BEGUN + self.number * _STEP  # type: ignore[method-assign]

    # ---- what there is

    async def put(self, moment: Moment, kind: str) -> None:
        """Put the moment on a new table, and let the bot show it."""
        self.number += 1
        self._since = self._world.env.backend.snowflake()
        world, game, state = self._world, self._world.bot.faces[moment.table.game].game, moment.state
        seated = zip(moment.table.sitters, self.players, strict=False)
        sitters = tuple([replace(sitter, user_id=player.id, name=player.member.user.name) for sitter, player in seated])
        at, place = world.env.now().timestamp(), Place(world.server.id, world.channel.id)
        draft = replace(moment.table, name=f"Pond {self.number}", version=1, sitters=sitters, rules=game.rules)
        draft = replace(draft, host_id=self.players[0].id, place=place, opened_at=at, changed_at=at, hints="on")
        table = await world.store.open_table(replace(draft, status="lobby"), self._seed)
        to_act = frozenset(seat for seat in game.to_act(state) if seat is not None)
        change = Change(replace(table, status="playing"), moment.log.entries[: moment.ply], to_act=to_act)
        table = await world.store.write(table, change, at)
        if kind == "sealed":
            ended = replace(table, event=_EVENT, status="closed", why="event")
            table = await world.store.write(table, Change(ended), at)
        self.table = table
        await self._at_rest()

    def part(self) -> None:
        """Note that the people who come next may distinguish all tables so far."""
        self.parted.update(f"Pond {number}" for number in range(1, self.number + 1))

    async def has_changed(self) -> bool:
        """Whether the table isn't at the version at which it was put."""
        return (await self._world.tables.table(self.table.id)).version != self.table.version

    async def state(self) -> tuple[Table, Any]:
        """Return the table as it is stored, and its true state by the rulebook."""
        table, written = await self._world.store.table(self.table.id), await self._world.store.log(self.table.id)
        assert table is not None
        assert written is not None
        state, game = None, self._world.bot.faces[table.game].game
        for step in game.steps(table.options, written.entries):
            state = step.state
        return table, state

    def person(self, viewer: Viewer) -> Player:
        """Return the person on a seat, or one without."""
        return self._watcher if viewer is None else self.players[viewer]

    async def _at_rest(self) -> None:
        """Wait until the table's messages are up to date."""
        await self._world.bot.live.refresh(self.table.id)
        await self._world.env.settle()

    async def changed(self, readers: Sequence[Viewer]) -> list[str]:
        """Return the messages of this table that these people can see and that have changed since the last time.

        Private answers aren't among them.
        """
        found = self._changed(readers)
        if found or await self.has_changed():
            await self._at_rest()
            found += self._changed(readers)
        return found

    def _changed(self, readers: Sequence[Viewer]) -> list[str]:
        found = []
        players = [self.players[viewer] for viewer in readers if viewer is not None]
        for place in (self._world.channel.id, *(player.dm.id for player in players)):
            for number, message in self._messages(place):
                before, said = self._shown.get(number, (None, ""))
                if before is message.components:
                    continue
                self._shown[number] = (message.components, self._plain(message))
                if said != self._shown[number][1]:
                    found.append(self._shown[number][1])
        return found

    def _messages(self, place: int) -> list[tuple[int, Message]]:
        """Return the messages since the table was put that aren't private, oldest first."""
        every = self._world.env.backend.messages.get(place, {})
        since = [(number, message) for number, message in every.items() if number > self._since]
        return sorted((number, message) for number, message in since if not message.is_ephemeral)

    def components(self) -> Iterator[Mapping[str, Any]]:
        """Yield all components that anybody is shown at the table, or has been in an answer."""
        yield from self.answered
        for messages in self._world.env.backend.messages.values():
            for number, message in messages.items():
                if number > self._since:
                    yield from walk(message.components)

    def _plain(self, message: Message) -> str:
        """Return all of a message, with a mark of the files' contents in place of random numbers."""
        cdn = self._world.env.backend.cdn
        files = [
            (each["filename"], each["description"], hashlib.sha256(_steady(cdn.get(each["url"]) or b"")).hexdigest())
            for each in message.attachments
        ]
        told = json.dumps([message.content, message.components, files, message.is_ephemeral], ensure_ascii=False)
        people = {str(player.id): f"<{player.member.user.name}>" for player in (*self.players, self._watcher)}
        told = _ID.sub(lambda number: people.get(number[0], "#"), _RANDOM.sub("#", told))
        return f"{told} pings {len(message.ping_user_ids)}"

    # ---- what is done

    async def use(self, use: Use) -> list[str]:
        """Let the person do something. Return the answer."""
        person = self.person(use.by)
        if use.way == "command":
            result = await person.member.slash(person.home, use.name, **self._options(use))
            return self._answer(result)
        if use.way not in {"press", "menu", "form"}:
            options = self._options(use)
            typed = str(options.pop(use.way, "")) if use.value else ""
            options.pop(use.way, None)
            offered = await person.member.autocomplete(person.home, use.name, use.way, typed, **options)
            return [json.dumps(offered, ensure_ascii=False)]
        place = person.dm if use.on == "hand" and use.by is not None else person.home
        shown = [] if use.on == "page" else [number for number, _message in self._messages(place.id)]
        forger = self._forgers.setdefault((person.id, place.id), Forger(self._world, person, place))
        forger._on = shown[-1] if shown else 0
        version = self.table.version - use.is_stale
        custom_id = Press(use.name, version, use.argument, key=self.table.key).custom_id[:100]
        values = (use.value,) if use.way != "press" else ()
        return self._answer(await forger.presses(custom_id, *values, form=use.way == "form"))

    def _answer(self, result: InteractionResult) -> list[str]:
        backend = self._world.env.backend
        shown: list[ResponseMessage] = [*([result.response] if result.response else []), *result.followups]
        for each in shown:
            self.answered += walk(each.components)
        messages = [self._plain(backend.get_message(each.channel_id, each.id)) for each in shown]
        return [json.dumps(result.modal, ensure_ascii=False), *messages]

    @property
    def own_verbs(self) -> frozenset[str]:
        """The verbs of the table's game alone."""
        return frozenset(verb for verb, of in _HANDLERS.items() if of.game == self.table.game)

    # ---- commands

    def commands(self) -> list[app_commands.Command[Any, ..., Any]]:
        """Return the commands that a player of this game has."""
        own = self.table.game.replace("_", "")
        offered = self.players[0].member.available_commands(self._world.channel)
        groups = {game.replace("_", "") for game in self._world.bot.faces} - {own}
        every = [each for each in self._world.bot.tree.walk_commands() if isinstance(each, app_commands.Command)]
        return [
            each for each in every if each.qualified_name in offered and each.qualified_name.split()[0] not in groups
        ]

    def _options(self, use: Use) -> dict[str, Any]:
        """Return the required options of a command and its table, with this value where it fits."""
        command = self._world.bot.tree.get_command(use.name.split()[0])
        if isinstance(command, app_commands.Group):
            command = command.get_command(use.name.split()[1])
        assert isinstance(command, app_commands.Command)
        found: dict[str, Any] = {}
        for option in command.parameters:
            if option.display_name == "table":
                found["table"] = str(self.table.number)
            elif option.required or option.display_name == use.way:
                found[option.display_name] = option.choices[0].value if option.choices else use.value or "1"
        return found


def _steady(file: bytes) -> bytes:
    """Return a file without times and drawn numbers, if it is text."""
    return file if file.startswith((b"\x89PNG", b"GIF")) else re.sub(rb"\d{4,}(\.\d+)?", b"#", file)
