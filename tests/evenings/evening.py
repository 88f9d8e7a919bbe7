"""One evening: its people, and its bot, which may crash at any await and is started again.

Everything follows from the seed. ``left_out`` names steps and faults that don't happen: with fewer of them, a failure
is easier to understand.
"""

import asyncio
import contextlib
import logging
from collections.abc import Collection
from contextvars import Context
from pathlib import Path
from random import Random
from typing import Final

import msgspec

from bot.errors import PlayError, StoreError
from bot.running.client import LilypadBot
from bot.settings import ONE_SHARD, Settings
from tests.databases import new_file
from tests.discord.play import NEVER_S
from tests.evenings.checks import Checks
from tests.evenings.faults import Faults
from tests.evenings.loop import EveningLoop
from tests.evenings.network import Network
from tests.evenings.people import GROUPS, Person
from tests.evenings.stand_ins import EPOCH, Connections, Sketches, replaced
from tests.evenings.story import Story
from tests.evenings.weather import Weather
from tests.going_on import go_on
from tests.world import NAMES, add_channel, add_person, add_server

_STEPS: Final = 110
"""Steps of all people together."""
_MINUTES: Final = 30
_AGAIN_S: Final = 5.0
"""When a bot that couldn't start is started again."""
_QUIET_S: Final = 150.0
"""How long after the last fault everything has to be right."""
_SKIPS: Final = 0.2
"""How often many moves are made at once."""
_MOVE_S: Final = 0.2
"""Mean time between these."""
_HURRIED: Final = 3
"""How much each person does before a rest, with all others."""
_HURRY_S: Final = 0.3
"""Mean time between that."""
_HOUR_S: Final = 3600.0
_IDLE_SHARE: Final = 0.25
"""How many evenings are followed by hours in which nobody does anything."""


class Outcome(msgspec.Struct, frozen=True):
    """What came of an evening."""

    seed: str
    failures: tuple[str, ...]
    story: tuple[str, ...]
    digest: str
    keys: tuple[str, ...] = ()
    """The names of its steps and faults, which can be left out."""
    left_out: frozenset[str] = frozenset()


class Evening:
    """People, a Discord, and a bot that is started as often as needed."""

    def __init__(self, seed: str, folder: Path, left_out: Collection[str] = ()) -> None:
        chance = Random(f"{seed} evening")
        self._seed = seed
        disorder = chance.choice((0.0, 0.1, 0.5))
        self.loop = EveningLoop(Random(f"{seed} order"), disorder)
        self.story = Story(self.loop.time)
        self.faults = Faults(seed, left_out, self.story.tell)
        self.network = Network(self.loop, Random(f"{seed} network"), self.faults, self.story)
        self._connections = Connections(Random(f"{seed} database"), self.faults.of_commit)
        self.sketches = Sketches()
        self.database = new_file(folder / "lilypad.db")
        self._run = 0
        self._is_up = asyncio.Event()
        self._starting: asyncio.Task[None] | None = None
        self.bot: LilypadBot | None = None
        self._context = Context()
        self.clock_step_s = 0.0
        self._acts = self.faults.draw("acts of the evening").choice((1, 1, 2, 3))
        """Parts of the evening. Everything has to be right after each of them; several are hectic at their ends."""
        self._is_slow = chance.random() < 0.15
        self._span_s = _MINUTES * 60.0 * (chance.choice((10, 48)) if self._is_slow else 1)
        backend = self.network.backend
        server = add_server(backend)
        self.guild_id = server.id
        self.channel_id = add_channel(backend, server).id
        names = NAMES[: chance.choice((2, 2, 2, 3, 3, 4, 5, 6))]
        pace_s = self._span_s * len(names) / _STEPS
        self.people = [
            Person(
                name,
                add_person(backend, server, name).id,
                backend,
                self.channel_id,
                self.faults,
                self.story,
                pace_s * chance.choice((0.5, 1, 1, 2, 6)),
            )
            for name in names
        ]
        for person in self.people:
            person.others = [each.id for each in self.people if each is not person]
        self._games = chance.sample(GROUPS, chance.choice((1, 1, 2)))
        self.checks = Checks(self)
        self._weather = Weather(self)

    def run(self) -> Outcome:
        """Play the evening and return what came of it."""
        handler = _Log(self.checks, self.story)
        logging.getLogger().addHandler(handler)
        chance = Random(f"{self._seed} secrets")
        with replaced(self.loop, self._connections, self.sketches, chance):
            try:
                self.loop.run_until_complete(self._play())
            except AssertionError as error:
                self.checks.failures.append(f"the evening can't go on: {error!r}")
            for context in self.loop.errors:
                self.checks.failures.append(f"unhandled: {context.get('exception') or context}")
        logging.getLogger().removeHandler(handler)
        return Outcome(
            self._seed,
            tuple(dict.fromkeys(self.checks.failures)),
            tuple(self.story.lines),
            self.story.digest,
            tuple(self.faults.happened),
        )

    def now(self) -> float:
        """Return the time of the bot's system clock, which may be stepped."""
        return EPOCH.timestamp() + self.loop.time() + self.clock_step_s

    # ---- the course of the evening

    async def _play(self) -> None:
        self._begin()
        await self._is_up.wait()
        for person, game in zip(self.people, self._games, strict=False):
            person.opens(f"{game} open", **({"computers": 1} if self.faults.draw(game).random() < 0.3 else {}))
        for act in range(self._acts):
            until = self.loop.time() + self._span_s / self._acts
            await asyncio.gather(*(self._lives(person, until) for person in self.people))
            if self._acts > 1:
                await self._gets_hectic(act)
            await self._rests()
            if self.checks.failures:
                return
            self.faults.are_over = False
        self.faults.are_over = True
        await self._idles()

    async def _gets_hectic(self, act: int) -> None:
        """Perhaps make many moves, and let everybody hurry."""
        chance = self.faults.draw(f"moves after {act}")
        if chance.random() < _SKIPS and self.bot is not None and self._is_up.is_set():
            self.story.tell("many moves are made")
            self.loop.create_task(self._skips_ahead(self.bot, chance), context=self._context)
        await asyncio.gather(*(self._hurries(person, act) for person in self.people))

    async def _skips_ahead(self, bot: LilypadBot, chance: Random) -> None:
        """Play many moves at once at each table, so that evenings see later deals, and the ends of games."""
        for table in await bot.tables.lists.all():
            for _ in range(chance.choice((20, 60, 150))):
                table = await bot.tables.table(table.id)  # noqa: PLW2901 - as it is by now
                owing = await bot.tables.whose_turn(table) if table.status == "playing" and not table.event else ()
                if not owing:
                    break
                legal = (await bot.tables.look(table.id, owing[0])).observation.legal
                with contextlib.suppress(PlayError, StoreError):
                    await bot.tables.play(table.id, owing[0], str(chance.choice(legal)))
                    await go_on(bot.tables, table.id)
                await asyncio.sleep(chance.expovariate(1 / _MOVE_S))
                self.checks.after_step()

    async def _hurries(self, person: Person, act: int) -> None:
        """Let the person do several things while the others do so, too: what is under way is outdated at once."""
        chance = self.faults.draw(f"hurry {act} of {person.name}")
        for _ in range(_HURRIED):
            await asyncio.sleep(chance.expovariate(1 / _HURRY_S))
            person.notices_forms()
            person.acts()
        self.checks.after_step()

    async def _rests(self) -> None:
        """Let everything come to rest, without faults, and check it."""
        self.story.tell("the people rest, and faults are over")
        self.faults.are_over = True
        self.loop.cancel_alarms()
        self._weather.clears_up()
        await self._is_up.wait()
        await asyncio.sleep(_QUIET_S)
        if not self.checks.failures:
            await self.loop.create_task(self.checks.in_quiet(), context=self._context)

    async def _idles(self) -> None:
        """Let hours pass, in some evenings: tables that nobody touches cost next to nothing, and stay right."""
        if self.faults.draw("idle").random() >= _IDLE_SHARE:
            return
        await asyncio.sleep(_HOUR_S)
        before = self.network.sent
        await asyncio.sleep(_HOUR_S)
        self.checks.after_idle_hour(self.network.sent - before)
        await self.loop.create_task(self.checks.in_quiet(), context=self._context)

    async def _lives(self, person: Person, until: float) -> None:
        pauses = self.faults.draw(f"pauses of {person.name}")
        while True:
            await asyncio.sleep(pauses.expovariate(1 / person.pace_s))
            if self.loop.time() > until or self.checks.failures:
                return
            person.notices_forms()
            person.acts()
            self.checks.after_step()
            self._weather.may_change(f"{person.name} {person.steps}")
            self._may_fail_after(f"{person.name} {person.steps}")

    # ---- the bot

    def _begin(self) -> None:
        """Start a bot on what the last one has committed."""
        self._run += 1
        self.story.tell(f"the bot starts, run {self._run}")
        self._context = self.network.context(self._run)
        self.bot = LilypadBot(
            Settings(database=self.database, shards=ONE_SHARD),
            now=self.now,
            lease_tick_s=NEVER_S,
            slots=None,
            emoji_pause_s=None,
        )
        run = self._run
        self._starting = self.loop.create_task(self.network.connect(self.bot), context=self._context)
        self._starting.add_done_callback(lambda task: self._has_begun(run, task), context=Context())

    def _has_begun(self, run: int, task: asyncio.Task[None]) -> None:
        if run != self._run or self.loop.is_dead(run) or self.bot is None:
            return
        error = None if task.cancelled() else task.exception()
        if error is None:
            self.checks.watch(self.bot)
            self._is_up.set()
            return
        if self.faults.is_calm:
            self.checks.failures.append(f"the bot can't start: {error!r}")
        self._crash(f"the start failed: {error!r}", _AGAIN_S)

    def _may_fail_after(self, key: str) -> None:
        """Perhaps let the bot crash, or stop it, soon after this step."""
        if not self.faults.happens(f"end after {key}", self.faults.of_steps):
            return
        chance = self.faults.draw(f"kind of end after {key}")
        run, away_s = self._run, chance.choice((1.0, 20.0, 200.0))
        if chance.random() < 0.25:
            self._context.run(self.loop.call_later, chance.random(), self._stop, run, away_s)
        else:
            self.loop.after_steps(run, chance.randrange(1, 600), lambda: self._crash("the bot crashes", away_s))

    def _crash(self, why: str, away_s: float) -> None:
        if self.loop.is_dead(self._run):
            return
        self.story.tell(why)
        self._is_up.clear()
        self.network.disconnect()
        self.loop.crash(self._run)
        self._connections.cut(self._run)
        self.loop.call_later(away_s, self._begin, context=Context())

    def _stop(self, run: int, away_s: float) -> None:
        if run != self._run or self.loop.is_dead(run) or self.bot is None or not self._is_up.is_set():
            return
        self.story.tell("the bot is stopped")
        self._is_up.clear()
        stopping = self.loop.create_task(self.bot.close(), context=self._context)
        stopping.add_done_callback(lambda _: self._stopped(run, away_s), context=Context())

    def _stopped(self, run: int, away_s: float) -> None:
        left = [task for task in self.loop.tasks_of(run) if "_run_event" not in _described(task)]
        if left and not self.loop.is_dead(run):
            self.checks.failures.append(f"tasks are left after a stop: {sorted(map(_described, left))}")
        self._crash("the bot has stopped", away_s)


class _Log(logging.Handler):
    """Tells the story what the bot logs. Errors are failures."""

    def __init__(self, checks: Checks, story: Story) -> None:
        super().__init__(logging.WARNING)
        self._checks = checks
        self._story = story

    def emit(self, record: logging.LogRecord) -> None:
        """Note a line; an error with its traceback."""
        if record.levelno >= logging.ERROR:
            self._checks.fail(f"error in the log: {logging.Formatter().format(record)}")
        else:
            self._story.tell(f"log: {record.getMessage()}")


def _described(task: asyncio.Task[object]) -> str:
    return f"{getattr(task.get_coro(), '__qualname__', '?')}"
