"""The hand of a player, which only they see."""

from typing import Any

from msgspec.structs import replace

from bot.games.game import Observation
from bot.tables import Sight, Table
from bot.texts import gettext as _
from bot.ui.messages.absence_notice import closing
from bot.ui.messages.board import board
from bot.ui.messages.results import ending, last_settlement, recent
from bot.ui.posts.post import Button, Face, Post
from bot.ui.posts.text import listed, name_of


def hand(face: Face[Any], sight: Sight, link: str) -> Post:
    """Return what the seat holds, knows and may do, and on its turn the recent events; after the game, the result."""
    if not face.game.has_hands:
        return _own_board(face, sight, link)
    table, observation = sight.table, sight.observation
    where = f"{face.progress(observation)} · {link}" if link else face.progress(observation)
    heading = f"### Your hand · Table {table.name} · {face.game.title}\n{where}"
    if observation.outcome is not None:
        return Post((heading, *ending(face, sight)))
    choices = face.choices(table, observation)
    table_now = face.situation(table, observation)
    undo = (Button("undo", "Undo"),) if sight.may_undo else ()
    buttons = undo if choices else (*undo, Button("hand", "Refresh"), Button("rules", "Rules"))
    rows = (buttons,) if buttons else ()
    if choices:
        prompt, mine = face.prompt(table, observation), face.hand(table, observation)
        return Post((heading, *table_now, prompt, *mine), choices, rows, recap=recent(face, sight))
    return Post((heading, *table_now, *face.hand(table, observation), "-# It isn't your turn."), rows=rows)


def _own_board(face: Face[Any], sight: Sight, link: str) -> Post:
    """Return the board as the seat sees it, for games in which nothing is hidden."""
    post = board(face, sight)
    undo = (Button("undo", _("Undo")),) if sight.may_undo else ()
    return replace(post, paragraphs=(*post.paragraphs, link), rows=((*undo, *post.rows[0]),))


def welcome(face: Face[Any], table: Table, link: str) -> Post:
    """Return the first direct message of a table. Sending it shows early whether direct messages are open."""
    where = f"**Table {table.name}** ({face.game.title})"
    if not face.game.has_hands:
        return Post((_("You're in at {where}. You'll hear from me here when it's your turn.", where=where), link))
    return Post((f"You sit at {where}; your hand will come here.\n{link}",))


def farewell(face: Face[Any], table: Table, link: str, *, was_removed: bool = False) -> Post:
    """Return what replaces a hand after the table closed or the player left it."""
    left = "The host removed you from this table." if was_removed else "You have left this table."
    why = left if table.is_open else closing(table, face.game.title)
    return Post((f"**Table {table.name}** ({face.game.title}): {why}\n{link}",))


def account(face: Face[Any], sight: Sight) -> Post:
    """Return what replaces the hand of a finished deal: how it was scored."""
    if not face.game.has_hands:
        return Post((_("-# A newer message below shows this now."),))
    return Post((last_settlement(face, sight), "-# The next hand is below."))


def waiting_line(table: Table, observation: Observation) -> str:
    """Return whose turn it is as a line; empty if it's the player's own."""
    others = sorted(seat for seat in observation.to_act if seat is not None)
    if not others or observation.seat in others:
        return ""
    return f"-# Waiting for {listed([name_of(table, seat) for seat in others])}."
