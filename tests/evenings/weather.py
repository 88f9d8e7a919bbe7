"""What else changes in an evening: messages, permissions, direct messages, the session and the clock."""

from collections.abc import Callable
from contextvars import Context
from random import Random
from typing import TYPE_CHECKING, Final

import discord
from simcord.backend.models import Message

if TYPE_CHECKING:
    from tests.evenings.evening import Evening

_SPANS_S: Final = (5.0, 60.0, 600.0)
_STEPS_S: Final = (-3600.0, -120.0, 120.0, 3600.0)


class Weather:
    """Changes the surroundings of the bot, and puts them right again."""

    def __init__(self, evening: "Evening") -> None:
        self._evening = evening
        self._network = evening.network
        self._faults = evening.faults
        self._repairs: dict[str, Callable[[], object]] = {}

    def may_change(self, key: str) -> None:
        """Perhaps change something after this step."""
        if not self._faults.happens(f"weather after {key}", self._faults.of_world):
            return
        chance = self._faults.draw(f"kind of weather after {key}")
        changes = (self._delete, self._delete, self._dismiss, self._close_dms, self._forbid, self._cut, self._step)
        chance.choice(changes)(chance)

    def clears_up(self) -> None:
        """Put everything right."""
        for name in list(self._repairs):
            self._repair(name)

    def _lasts(self, name: str, span_s: float, repair: Callable[[], object]) -> None:
        self._evening.story.tell(f"{name} for {span_s:.0f} s")
        self._repairs[name] = repair
        self._evening.loop.call_later(span_s, self._repair, name, context=Context())

    def _repair(self, name: str) -> None:
        repair = self._repairs.pop(name, None)
        if repair is not None:
            self._evening.story.tell(f"over: {name}")
            repair()

    def _of_bot(self, *, is_private: bool) -> list[Message]:
        backend = self._network.backend
        every = backend.messages[self._evening.channel_id].values()
        return [each for each in every if each.author_id == backend.bot_user.id and each.is_ephemeral is is_private]

    def _delete(self, chance: Random) -> None:
        if messages := self._of_bot(is_private=False):
            message = chance.choice(messages)
            self._evening.story.tell(f"a moderator deletes message {message.id}")
            self._network.backend.delete_message(message.channel_id, message.id)

    def _dismiss(self, chance: Random) -> None:
        if messages := self._of_bot(is_private=True):
            message = chance.choice(messages)
            self._evening.story.tell(f"somebody dismisses message {message.id}")
            del self._network.backend.messages[message.channel_id][message.id]

    def _close_dms(self, chance: Random) -> None:
        person, closed = chance.choice(self._evening.people), self._faults.closed_to
        closed.add(person.id)
        self._lasts(
            f"{person.name} takes no direct messages", chance.choice(_SPANS_S), lambda: closed.discard(person.id)
        )

    def _forbid(self, chance: Random) -> None:
        backend, guild_id = self._network.backend, self._evening.guild_id
        allowed = backend.get_role(guild_id, guild_id).permissions
        what = chance.choice(("send_messages", "view_channel", "attach_files"))
        if f"nobody has {what}" in self._repairs or len(self._repairs) > 1:
            return
        flag = discord.Permissions(**{what: True}).value
        backend.edit_role(guild_id, guild_id, {"permissions": allowed & ~flag})

        def repair() -> None:
            now = backend.get_role(guild_id, guild_id).permissions
            backend.edit_role(guild_id, guild_id, {"permissions": now | flag})

        self._lasts(f"nobody has {what}", chance.choice(_SPANS_S), repair)

    def _cut(self, chance: Random) -> None:
        if (reconnect := self._network.cut()) is not None:
            self._lasts("the session is lost", chance.choice(_SPANS_S), reconnect)

    def _step(self, chance: Random) -> None:
        seconds = chance.choice(_STEPS_S)
        self._evening.story.tell(f"the clock steps by {seconds:.0f} s")
        self._evening.clock_step_s += seconds
