"""Hands: the private post of a seat, and the direct messages that show it.

A hand is seen through three doors (the board's button, the command, the direct message) and made by one function. The
direct message is edited in place during a deal and posted anew for each deal.
"""

import asyncio
import logging
import sys
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from functools import partial
from typing import Any, Final

import discord
from msgspec.structs import replace

from bot.games.game import Observation
from bot.tables import Shown, Sight, Table, Tables
from bot.ui.answer import Reply
from bot.ui.board import Boards
from bot.ui.ending import ending, recent, settlement
from bot.ui.layout import components, digest, layout
from bot.ui.links import board_link
from bot.ui.notice import closing
from bot.ui.open_hands import Draw, OpenHands
from bot.ui.post import Button, Face, Faces, Post
from bot.ui.posting import coming, edit, look_for, note
from bot.ui.redraw import Redraws, computers_next
from bot.ui.text import listed, name_of
from bot.ui.trouble import POST_ANEW

log = logging.getLogger(__name__)

_NOTHING_SHARED: Final = 50278
_DMS_CLOSED: Final = frozenset({50007, _NOTHING_SHARED})
_BEFORE_THE_FIRST_DEAL: Final = "-1"
ANSWER_S: Final = 5.0
"""An answer that has not come after so long is lost."""
COMPUTERS_WITHIN_S: Final = 1.0
"""How long an answer waits for computers to move; it is edited if they take longer."""

Settle = Callable[[int, float], Awaitable[None]]
"""Waits until no computer is to move at a table, at most so many seconds: `bot.turns.Turns.settle`."""


def hand(face: Face[Any], sight: Sight, link: str) -> Post:
    """What the seat holds, knows and may do, with a link to the board, and on its turn what happened before; the
    result once the game is over.
    """
    table, observation = sight.table, sight.observation
    where = f"{face.progress(observation)} · {link}" if link else face.progress(observation)
    heading = f"### Your hand · Table {table.name} · {face.game.title}\n{where}"
    if observation.outcome is not None:
        return Post((heading, *ending(face, sight)))
    choices = face.choices(table, observation)
    last = recent(face, sight) if choices else "-# It isn't your turn."
    undo = (Button("undo", "Undo"),) if sight.may_undo else ()
    buttons = undo if choices else (*undo, Button("hand", "Refresh"), Button("rules", "Rules"))
    return Post((heading, *face.hand(table, observation), last), choices, (buttons,) if buttons else ())


def welcome(face: Face[Any], table: Table, link: str) -> Post:
    """The first direct message of a table; it shows early whether direct messages can be sent at all."""
    return Post((f"You sit at **Table {table.name}** ({face.game.title}); your hand will come here.\n{link}",))


def farewell(face: Face[Any], table: Table, link: str, *, was_removed: bool = False) -> Post:
    """What a hand becomes where there is nothing to play any more: the table is closed, or its reader has left it."""
    left = "The host removed you from this table." if was_removed else "You have left this table."
    why = left if table.is_open else closing(table, face.game.title)
    return Post((f"**Table {table.name}** ({face.game.title}): {why}\n{link}",))


class Hands:
    """The direct messages with the hands of everybody who sits at a table."""

    def __init__(  # noqa: PLR0913 - hands are where all of these meet
        self,
        client: discord.Client,
        tables: Tables,
        faces: Faces,
        now: Callable[[], float],
        boards: Boards,
        *,
        settle: Settle,
    ) -> None:
        """``boards`` are told where somebody turns out to get his hand by button only, and tell of their troubles."""
        boards.on_trouble(self._trouble)
        self._boards = boards
        self._client = client
        self._tables = tables
        self._faces = faces
        self._now = now
        self._settle = settle
        self.open = OpenHands(tables, now)
        self._redraws = Redraws("hands", self._draw)
        self._answers: dict[tuple[int, int], int] = {}
        """Whose hand an answer is about to show, and the newest version left undrawn meanwhile."""
        self._timers: dict[tuple[int, int], asyncio.TimerHandle] = {}

    def redraw(self, table_id: int) -> asyncio.Task[None]:
        """Brings the hands of the table up to date, soon; the task never raises."""
        self.open.redraw(table_id)
        return self._redraws.ask(table_id)

    async def close(self) -> None:
        """Stops drawing; what is left undone is repaired at the next start."""
        for timer in self._timers.values():
            timer.cancel()
        await self.open.close()
        await self._redraws.close()

    async def post(self, table: Table, user_id: int, *, asked: bool = False) -> Post:
        """The post for one who sits there. Only who ``asked`` for it is told whose turn it is: a direct message
        would be edited with every move.
        """
        post, _ = await self._drawing(table, user_id, await self._tables.shown(table.id), asked=asked)
        return post

    async def settled(self, table: Table) -> Table:
        """Return the table once its computers have moved, if they do so soon."""
        if not any(sitter.is_computer for sitter in table.sitters):
            return table
        await self._settle(table.id, COMPUTERS_WITHIN_S)
        return await self._tables.table(table.id)

    async def reply(self, interaction: discord.Interaction, table: Table) -> Reply:
        """Return the hand as a private answer of its own, to be kept up to date."""
        return await self.open.reply(interaction, await self.settled(table), self._drawn_for(interaction.user.id))

    def _drawn_for(self, user_id: int) -> Draw:
        return lambda table: self.post(table, user_id, asked=True)

    async def answer(
        self, interaction: discord.Interaction, table: Table, notice: str = "", *, asked: bool = False
    ) -> Reply:
        """The present hand in place of what was pressed, with a notice below it. If that was the direct message with
        the hand, what it shows is noted; one of a deal that is over becomes the account of it, as the next deal has a
        message of its own.
        """
        table = await self.settled(table)
        user_id, pressed = interaction.user.id, _direct_message(interaction)
        shown = await self._tables.shown(table.id)
        is_board = any(each.kind == "board" and each.message_id == pressed for each in shown)
        if is_board:  # older than the hand, but no hand of an earlier deal
            pressed = 0
        post, deal = await self._drawing(table, user_id, shown, asked=asked)
        known = _hand_of(user_id, shown)
        is_own = known is not None and known.message_id == pressed
        is_past = known is not None and (
            known.digest.partition(":")[0] != deal if is_own else 0 < pressed < known.message_id
        )
        if is_past:
            post = await self._account(table)
        if notice:
            post = replace(post, paragraphs=(*post.paragraphs, f"-# {notice}"))

        async def adopt(_channel_id: int, message_id: int) -> None:
            if message_id != _direct_message(interaction):
                self.open.follow(interaction, message_id, table, self._drawn_for(user_id))
            if known is not None and is_own and not is_past:
                noted = self._tables.redrawn(replace(known, version=table.version, digest=_content(deal, post)), known)
                self._redraws.overtaken(noted, table.id, partial(self._strip_replaced, known, table))
                self.draw_again(table.id, user_id, table.version)
            else:
                self.draw_again(table.id, user_id)

        return Reply(post, "private" if is_board else "here", table.id, table.version, shown=adopt)

    async def _strip_replaced(self, known: Shown, table: Table) -> None:
        """An answer or an edit may come after another process has begun a new deal with a message of its own."""
        latest = _hand_of(known.user_id, await self._tables.shown(table.id))
        if latest is not None and latest.message_id > known.message_id:
            await self._strip(known, table)

    async def _drawing(
        self, table: Table, user_id: int, shown: Sequence[Shown], *, asked: bool = False
    ) -> tuple[Post, str]:
        """The post, and the deal that it is of; ``shown`` are the messages that show the table."""
        face = self._faces[table.game]
        link = board_link(table, shown)
        if asked and table.sitter(user_id) is None:
            return farewell(face, table, link), _BEFORE_THE_FIRST_DEAL
        if table.status == "lobby":
            return welcome(face, table, link), _BEFORE_THE_FIRST_DEAL
        if table.status == "closed" or not self._tables.has_rulebook(table):
            known = _hand_of(user_id, shown)
            return farewell(face, table, link), known.digest.partition(":")[0] if known else _BEFORE_THE_FIRST_DEAL
        sight = await self._tables.sight(table, user_id)
        post = hand(face, sight, link)
        if asked:
            post = replace(post, paragraphs=(*post.paragraphs, *_whose_turn(table, sight.observation)))
        if trouble := self._boards.trouble(table.id):
            post = replace(post, paragraphs=(*post.paragraphs, f"⚠ {trouble}"))
        return post, str(face.deal(sight.observation))

    def leave_to_answer(self, table_id: int, user_id: int) -> None:
        """Leaves the hand undrawn until `draw_again`, or as long as an answer may take: the answer to a press on the
        direct message itself is about to show it, and one edit a move is enough.
        """
        self.draw_again(table_id, user_id)
        loop = asyncio.get_running_loop()
        self._timers[table_id, user_id] = loop.call_later(ANSWER_S, self.draw_again, table_id, user_id)
        self._answers[table_id, user_id] = 0

    def draw_again(self, table_id: int, user_id: int, version: int = 0) -> None:
        """Draws the hand from now on, and at once if a newer version than the one shown was left undrawn."""
        if timer := self._timers.pop((table_id, user_id), None):
            timer.cancel()
        if self._answers.pop((table_id, user_id), 0) > version:
            self.redraw(table_id)

    def _trouble(self, table_id: int) -> None:
        """The board's trouble began or ended: an answer that is on its way doesn't know of it, whatever its version."""
        for table, user_id in tuple(self._answers):
            if table == table_id:
                self._answers[table, user_id] = sys.maxsize
        self.redraw(table_id)

    async def _draw(self, table_id: int) -> None:
        table = await self._tables.table(table_id)
        if await computers_next(self._tables, table):
            return
        users = [sitter.user_id for sitter in table.sitters if sitter.user_id is not None]
        due = [user for user in users if self._is_due(table, user) and not await self._tables.dm_closed(user)]
        shown = await self._tables.shown(table.id)
        drawings = [self._draw_hand(table, user, shown) for user in due]
        leaves = [self._take_leave(table, each, shown) for each in _left_behind(table, users, shown)]
        # all at once: nobody waits for his hand because another one's messages are slowed down, or fail
        done = await asyncio.gather(*drawings, *leaves, return_exceptions=True)
        if faults := [fault for fault in done if isinstance(fault, Exception)]:
            raise ExceptionGroup("some hands could not be shown", faults)

    def _is_due(self, table: Table, user_id: int) -> bool:
        """Whether the hand is to be drawn now, and not left to an answer."""
        if (table.id, user_id) not in self._answers:
            return True
        self._answers[table.id, user_id] = max(table.version, self._answers[table.id, user_id])
        return False

    async def _draw_hand(self, table: Table, user_id: int, every: Sequence[Shown]) -> None:
        post, deal = await self._drawing(table, user_id, every)
        every = await self._recovered(table, user_id, deal, every)
        shown = _hand_of(user_id, every)
        content = _content(deal, post)
        if shown is not None and shown.digest == content:
            return
        if shown is None and table.status == "closed":
            return
        if shown is None or shown.digest.partition(":")[0] != deal:
            if shown is not None:
                await self._strip(shown, table)
            await self._send(table, user_id, post, content, shown)
        elif not await self._edit(shown, table, post, content):
            await self._send(table, user_id, post, content, shown)

    async def _recovered(self, table: Table, user_id: int, deal: str, shown: Sequence[Shown]) -> Sequence[Shown]:
        """The messages that show the table, with a hand that was posted and not recorded."""
        noted = coming(shown, "hand", user_id)
        found = await look_for(self._client, noted, table, shown) if noted else None
        if noted is None or found is None:
            return shown
        hand = replace(noted, kind="hand", message_id=found.id, digest=f"{deal}:")
        await self._strip_the_older(hand, await self._tables.record_shown(hand, is_first=True), table)
        return await self._tables.shown(table.id)

    async def _send(self, table: Table, user_id: int, post: Post, content: str, old: Shown | None) -> None:
        try:
            # between two people there is one channel for good
            channel_id = old.channel_id if old else (await self._client.create_dm(discord.Object(user_id))).id
            new = Shown(table.id, "hand", user_id, channel_id, 0, table.version, self._now(), content)
            nonce, is_new = await note(self._tables, new, old)
            channel = self._client.get_partial_messageable(channel_id)
            message = await channel.send(view=layout(post, table.id, table.version), silent=True, nonce=nonce)
        except discord.Forbidden as refusal:
            await self._refused(table, user_id, refusal)
        else:
            shows = content if is_new else f"{content.partition(':')[0]}:"
            sent = replace(new, message_id=message.id, digest=shows)
            other = await self._tables.record_shown(sent, is_first=True)
            if other != old:
                await self._strip_the_older(sent, other, table)
            if not is_new or (other is not None and other.message_id == sent.message_id):
                self.redraw(table.id)

    async def _refused(self, table: Table, user_id: int, refusal: discord.Forbidden) -> None:
        guild_id = table.place.guild_id
        is_out = guild_id is not None and self._client.get_guild(guild_id) is None
        if refusal.code not in _DMS_CLOSED or (refusal.code == _NOTHING_SHARED and is_out):
            raise refusal  # in the second case nobody has closed anything: it is the bot that was removed
        for noted in filter(None, [coming(await self._tables.shown(table.id), "hand", user_id)]):
            await self._tables.forget_shown(noted)
        await self._tables.set_dm_closed(user_id, closed=True)
        self._boards.redraw(table.id)

    async def _edit(self, shown: Shown, table: Table, post: Post, content: str) -> bool:
        """Whether the message was still there to be edited, or no other could be sent either."""
        try:
            await edit(self._client, shown, components(post, table.id, table.version))
        except discord.Forbidden as refusal:
            await self._refused(table, shown.user_id, refusal)
        except discord.HTTPException as refusal:
            if isinstance(refusal, discord.NotFound) or refusal.code in POST_ANEW:
                return False
            raise
        else:
            noted = self._tables.redrawn(replace(shown, version=table.version, digest=content), shown)
            self._redraws.overtaken(noted, table.id, partial(self._strip_replaced, shown, table))
        return True

    async def _strip_the_older(self, sent: Shown, other: Shown | None, table: Table) -> None:
        """Of a hand that was sent just now and another that is recorded the newer stays: another process may have sent
        one as well. Or it has edited the one before meanwhile, maybe after that was stripped.
        """
        if other is not None and other.message_id != sent.message_id:
            await self._strip(min(sent, other, key=lambda each: each.message_id), table)

    async def _strip(self, shown: Shown, table: Table) -> None:
        """The hand of a deal that is over becomes the account of it; what came before the first deal may stay."""
        if shown.digest.startswith(f"{_BEFORE_THE_FIRST_DEAL}:"):
            return
        try:
            await edit(self._client, shown, components(await self._account(table)))
        except discord.HTTPException as fault:  # it is of no use any more, so one try is enough
            log.info("an old hand of table %s stays as it is: %s", shown.table_id, fault)

    async def _take_leave(self, table: Table, known: Shown, every: Sequence[Shown]) -> None:
        """Who left before the start is told that nothing will come there, and gets another message if he returns."""
        was_removed = await self._tables.was_removed(table.id, known.user_id)
        post = farewell(self._faces[table.game], table, board_link(table, every), was_removed=was_removed)
        try:
            await edit(self._client, known, components(post))
        except discord.HTTPException as fault:  # it is of little use, so one try is enough
            log.info("the hand of table %s that somebody left stays as it is: %s", table.id, fault)
        await self._tables.forget_shown(known)

    async def _account(self, table: Table) -> Post:
        sight = await self._tables.sight(table, None)
        account = settlement(self._faces[table.game], sight.table, sight.events)
        return Post((account, "-# The next hand is below."))


def _direct_message(interaction: discord.Interaction) -> int:
    """The id of what was pressed, if it came by direct message; 0 if it did not."""
    message = interaction.message
    if message is None or interaction.guild_id is not None or message.flags.ephemeral:
        return 0
    return message.id


def _hand_of(user_id: int, shown: Iterable[Shown]) -> Shown | None:
    return next((each for each in shown if each.kind == "hand" and each.user_id == user_id), None)


def _left_behind(table: Table, users: Collection[int], shown: Iterable[Shown]) -> list[Shown]:
    """The hands of those who sat at the table and left it before the start."""
    if table.status not in {"lobby", "closed"}:
        return []
    return [each for each in shown if each.kind == "hand" and each.user_id not in users]


def _whose_turn(table: Table, observation: Observation) -> tuple[str, ...]:
    others = sorted(seat for seat in observation.to_act if seat is not None)
    if not others or observation.seat in others:
        return ()
    return (f"-# Waiting for {listed([name_of(table, seat) for seat in others])}.",)


def _content(deal: str, post: Post) -> str:
    """What is recorded of a hand: its deal and the digest of its post."""
    return f"{deal}:{digest(post)}"
