"""The words of pings: posts of their own, and mentions on other messages. `ping_timing` decides who is pinged when."""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from bot.tables import Table
from bot.texts import gettext as _
from bot.ui.posts.face import Face
from bot.ui.posts.post import Button, Post
from bot.ui.posts.text import title_of


def ping_post(table: Table, face: Face[Any], users: Sequence[int], link: str) -> Post:
    """Return the post that pings users below a board that stays. ``link`` is the table's name with a link to it."""
    mentions, title = _mentions(users), title_of(face.game)
    if table.status == "lobby":
        text = _("{mentions} you're invited to {table} · {game}", mentions=mentions, table=link, game=title)
        return Post((text,), rows=((Button("join", _("Join"), "success"),),))
    return Post((_("{mentions} your turn at {table} · {game}", mentions=mentions, table=link, game=title),))


def with_mentions(post: Post, table: Table, users: Sequence[int], *, is_question: bool) -> Post:
    """Return a message that pings these users when it is posted."""
    if not users:
        return post
    mentions = _mentions(users)
    if table.status == "lobby":
        mentions = _("{mentions} you're invited.", mentions=mentions)
    elif not is_question:
        mentions = _("{mentions}, your turn.", mentions=mentions)
    return replace(post, paragraphs=(mentions, *post.paragraphs) if is_question else (*post.paragraphs, mentions))


def _mentions(users: Sequence[int]) -> str:
    return " ".join(f"<@{user}>" for user in users)
