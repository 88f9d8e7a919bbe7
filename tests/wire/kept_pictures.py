"""Every picture of a table that Discord showed to somebody, with the version of the table it was drawn from."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from tests.wire.discord_server import Discord
from tests.wire.objects import Message
from tests.wire.people import Person, presses

OF_TABLES: Final = ("board", "hand", "result")
"""How names of files begin that show a table as it is, and no move that isn't made yet."""


class Kept(NamedTuple):
    """A picture on a board, or on a hand of this person."""

    version: int
    viewer: str | None
    name: str
    png: bytes

    @property
    def what(self) -> str:
        """Return whether it shows a board, a hand, or a result."""
        return self.name.partition("-")[0]


def shown(message: Message) -> Iterator[tuple[str, bytes]]:
    """Yield the pictures of tables in a message."""
    for name, content in message.attachments.items():
        if name.endswith(".png") and name.partition("-")[0] in OF_TABLES:
            yield name, content


def versions(message: Message) -> set[int]:
    """Return the versions of its table that the buttons of a message have."""
    return {int(custom_id.split(":")[3]) for custom_id, _ in presses(message)}


class Keeper:
    """Keeps the pictures of tables that these people see in their channel and in their direct messages."""

    def __init__(self, discord: Discord, people: list[Person]) -> None:
        self.kept: set[Kept] = set()
        self._people = people
        self._edited_at: dict[str, str | None] = {}
        discord.watchers.append(self._look)

    def _look(self) -> None:
        for person in self._people:
            for message in person.seen:
                edited_at = message.model.edited_timestamp
                if self._edited_at.get(message.id, "") != edited_at:
                    self._edited_at[message.id] = edited_at
                    self._keep(person, message)

    def _keep(self, person: Person, message: Message) -> None:
        is_public = message.channel_id == person.channel_id and message.only_for is None
        for name, content in shown(message):
            (version,) = versions(message)
            self.kept.add(Kept(version, None if is_public else person.name, name, content))
