"""The newest interaction token of each message: a way to change it that Discord doesn't count.

A press gives a token with which the pressed message can be edited for 15 minutes, whoever's move it shows. Such
requests count neither against the bot's 50 a second nor against the edits of a channel. Tokens are in memory only.
https://discord.com/developers/docs/interactions/receiving-and-responding#endpoints
"""

from collections.abc import Callable, Hashable
from copy import copy
from typing import Final, NamedTuple, Protocol

import discord
from discord.ui import LayoutView

from bot.ui.posts.recent import Recent

VALID_S: Final = 14 * 60.0
"""How long a token is used. Discord accepts it for 15 minutes."""
_UPDATES: Final = frozenset(
    {discord.InteractionResponseType.deferred_message_update, discord.InteractionResponseType.message_update}
)
"""The initial responses after which ``@original`` is the pressed message."""


def without_data(interaction: discord.Interaction) -> discord.Interaction:
    """Return an interaction that is kept for its token: without its message and data, which take ten kilobytes."""
    kept = copy(interaction)
    kept.message = kept.data = None
    return kept


class Answered(Exception):
    """Raised instead of showing a message in answer to a press or a command that is answered in another way."""


class Unanswered(Protocol):
    """A press or a command that can be answered by showing a message: `bot.ui.interactions.response.Response`."""

    @property
    def is_open(self) -> bool:
        """Whether nothing has been shown with it so far."""

    async def show(self, view: LayoutView, files: list[discord.File]) -> discord.Message | int | None:
        """Show the pressed message as it is now, or the first message after a command. Raises `Answered`."""


class _Token(NamedTuple):
    interaction: discord.Interaction
    until: float


class Tokens:
    """Tokens by the id of the message that was pressed. ``now`` returns seconds."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._tokens = Recent[int, _Token]()
        self._missed = Recent[int, None]()
        """The messages that were changed without a token."""
        self._unanswered: dict[Hashable, list[Unanswered]] = {}
        """By what answers them: the id of a pressed message, or a new table's board."""

    def note(self, interaction: discord.Interaction) -> None:
        """Keep the token of a press that was acknowledged, or answered by an update of the pressed message."""
        if interaction.message is not None and interaction.response.type in _UPDATES:
            self._missed.pop(interaction.message.id, None)
            self._tokens[interaction.message.id] = _Token(without_data(interaction), self._now() + VALID_S)

    def expect(self, what: Hashable, response: Unanswered) -> Callable[[], None]:
        """Let the next change of a message answer its press. Call what is returned once it is answered."""
        self._unanswered.setdefault(what, []).append(response)

        def end() -> None:
            others = [each for each in self._unanswered.pop(what, ()) if each is not response]
            if others:
                self._unanswered[what] = others

        return end

    def unanswered(self, what: Hashable) -> Unanswered | None:
        """Return the response to a press of this message that it can still answer."""
        return next((each for each in self._unanswered.get(what, ()) if each.is_open), None)

    def of(self, message_id: int) -> discord.Interaction | None:
        """Return the interaction whose original response is this message, if its token is valid."""
        token = self._tokens.get(message_id)
        if token is None:
            return None
        if 0 < token.until - self._now() <= VALID_S:
            return token.interaction
        self.forget(message_id)
        return None

    def forget(self, message_id: int) -> None:
        """Forget the token of a message, which Discord has refused, or the message is gone."""
        self._tokens.pop(message_id, None)

    def note_missed(self, message_id: int) -> None:
        """Note that a message was changed without a token."""
        self._missed[message_id] = None

    def is_missed(self, message_id: int) -> bool:
        """Whether a press of this message would make its next changes free."""
        return message_id in self._missed
