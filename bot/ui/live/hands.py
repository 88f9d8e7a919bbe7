"""A hand in direct messages as a value: what it shows, what of that counts as a change, and the notes on it."""

from typing import Final, NamedTuple

from msgspec.structs import replace

from bot.texts import gettext as _
from bot.ui.messages.deal_over import GO_ON
from bot.ui.messages.questions import ANSWERS
from bot.ui.posts.layout import MAX_BUTTONS_IN_ROW, digest
from bot.ui.posts.post import Button, Post

BEFORE_THE_FIRST_DEAL: Final = -1
TROUBLE: Final = " ⚠ "
"""What precedes the digest of the trouble in what a hand shows."""
_ENDING: Final = ANSWERS | {"undo", GO_ON}
"""Verbs of buttons that work only until the table moves on."""
_GIVES_WAY: Final = frozenset({"hand", "rules"})
"""The buttons that **Next table** replaces, so that the row stays as short as it was."""


class Hand(NamedTuple):
    """A player's hand.

    Parameters
    ----------
    deal: Its number; ``None`` for the deal that was shown last.
    since: The oldest version of the table whose buttons still work for the player.
    question: A digest of the question on it, or of the words that this is void; empty if there is none.
    trouble: A digest of why the board can't be shown; empty if it can.
    """

    post: Post
    deal: int | None
    since: int = 0
    question: str = ""
    trouble: str = ""

    @property
    def is_prompt(self) -> bool:
        """Whether it offers something that ends with the turn: a move, an undo, or an answer."""
        can_play = bool(self.post.choices) or any(not button.disabled for row in self.post.grid for button in row)
        return can_play or any(button.verb in _ENDING for row in self.post.rows for button in row)

    @property
    def content(self) -> str:
        """A digest of what it shows.

        A prompt's texts and picture don't count, as they may change while others choose too. Its question does, and
        which versions its buttons work for. Why the board can't be shown follows at the end.
        """
        if self.is_prompt:
            shown = f"{digest(replace(self.post, paragraphs=(), scene=None))} {self.since} {self.question}".rstrip()
        else:
            shown = digest(self.post)
        return f"{shown}{TROUBLE}{self.trouble}" if self.trouble else shown


class Note(NamedTuple):
    """What a player sees with their hand at a version of the table: a notice, or a move in place of the hand."""

    version: int
    notice: str = ""
    in_place: Post | None = None

    def on(self, post: Post) -> Post:
        """Return a hand with the note."""
        if self.in_place is not None:
            return self.in_place
        return replace(post, paragraphs=(*post.paragraphs, f"-# {self.notice}")) if self.notice else post


def mark(text: str) -> str:
    """Return a digest of a text; empty if there is none."""
    return digest(Post((text,))) if text else ""


def with_next_table(post: Post) -> Post:
    """Return a hand that waits for others with a button to another table, which waits for the player."""
    if not post.rows or post.choices:
        return post
    first, *others = post.rows
    row = (Button("next", _("Next table"), "primary"), *(each for each in first if each.verb not in _GIVES_WAY))
    return replace(post, rows=(row[:MAX_BUTTONS_IN_ROW], *others))
