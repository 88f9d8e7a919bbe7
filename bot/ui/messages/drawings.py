"""The desired messages of a table right now, in its channel and to each player."""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import discord
import msgspec
from msgspec.structs import replace

from bot.computer import is_slow
from bot.tables import Kind, LiveMessage, Question, Sight, Snapshot, Table, Tables, damage_reference, slot_of
from bot.texts import SOURCE, language, supported, using
from bot.texts import gettext as _
from bot.ui.messages.absence_notice import damaged_post, is_silent
from bot.ui.messages.board import board
from bot.ui.messages.failures import Trouble, trouble_text
from bot.ui.messages.hand import deal_summary, farewell, hand, welcome
from bot.ui.messages.links import board_link, link_to, live_board, named_link
from bot.ui.messages.lobby import CALL_PAUSE_S, call_post, lobby
from bot.ui.messages.ping_timing import PingTiming
from bot.ui.messages.pings import ping_post, with_mentions
from bot.ui.messages.plan import Create, Desired, Urgency, Wanted, in_slot
from bot.ui.messages.questions import question_post
from bot.ui.messages.results import score
from bot.ui.messages.server_settings import in_force
from bot.ui.posts.face import Faces
from bot.ui.posts.layout import digest
from bot.ui.posts.post import Post

BEFORE_THE_FIRST_DEAL: Final = -1
CROWDED: Final = 3
"""From this number of open tables in a channel on, lobbies propose a thread."""
_HANDS_KEPT: Final = 1000
"""Maximum number of hands kept from an answer until they are compared."""
TIDY_S: Final = 30.0
"""A hand whose **Undo** others have ended keeps it for this time, unless it is edited before."""
AFTER_TRICK_S: Final = 10.0
"""After a trick, the hands of waiting players follow if nobody moves for this time."""


class Drawing(msgspec.Struct, frozen=True):
    """The desired messages of a table in its channel (``user_id`` is ``None``) or to a player, with their language."""

    table: Table
    user_id: int | None
    desired: Desired
    language: str = SOURCE


class Hand(NamedTuple):
    """A player's hand. ``deal`` is its number; ``None`` for the deal that was shown last."""

    post: Post
    deal: int | None
    is_after_trick: bool = False


async def computers_next(tables: Tables, table: Table) -> bool:
    """Whether only quick computers are to act: their moves follow at once, and each is shown."""
    acting = await tables.sitters_to_act(table)
    return bool(acting) and all(each.is_computer and not is_slow(table.game, each.level) for each in acting)


def is_prompting(content: Post) -> bool:
    """Whether a hand offers something that ends with the turn: a move, or an undo."""
    can_play = bool(content.choices) or any(not button.disabled for row in content.grid for button in row)
    return can_play or any(button.verb == "undo" for row in content.rows for button in row)


def hand_digest(content: Post) -> str:
    """Return a digest of a hand. A prompt's texts and picture don't count: they may change while others choose too."""
    return digest(replace(content, paragraphs=(), scene=None) if is_prompting(content) else content)


def _urgency(table: Table, live: LiveMessage | None, content: Post, *, is_after_trick: bool) -> Urgency:
    """Return when a hand has to be shown."""
    if is_prompting(content):
        return Urgency.PROMPT
    if live is None or table.status != "playing" or live.version < table.undone_at:
        return Urgency.NOW
    return Urgency.AFTER_TRICK if is_after_trick else Urgency.LATER


class Drawings:
    """Draws tables from the observations of those who look at them."""

    def __init__(
        self,
        tables: Tables,
        faces: Faces,
        ping_timing: PingTiming,
        now: Callable[[], float],
        guild_of: Callable[[int], discord.Guild | None],
    ) -> None:
        self._tables = tables
        self._guild_of = guild_of
        self._faces = faces
        self._ping_timing = ping_timing
        self._now = now
        self.troubles: dict[int, Trouble] = {}
        """Why the boards of some tables can't be shown; hands say so."""
        self.unreachable: set[int] = set()
        """The users whom Discord lets the bot send no direct messages at the moment; boards say so."""
        self._hands: dict[tuple[int, int], tuple[object, Hand]] = {}
        """The hand last drawn for each player at a table, with all that it depends on.

        After a move, it's drawn for the answer, and then compared with what the answer has recorded.
        """
        self._calls: dict[tuple[int, int], tuple[int, float]] = {}
        """The table that last mentioned a server's role for finding players, and when. In memory only."""

    async def draw(self, snapshot: Snapshot, user_id: int | None) -> Drawing | None:
        """Return the desired messages; ``None`` if they stay as they are."""
        table = snapshot.table
        if await computers_next(self._tables, table):
            return None
        if user_id is None and not table.place.channel_id:
            return None  # it was in the direct messages of somebody who has deleted their data
        with using(supported(snapshot.language_for(user_id))):
            drawing = await (self._channel(snapshot) if user_id is None else self._private(snapshot, user_id))
            return drawing and replace(drawing, language=language())

    # ---- the channel

    async def _channel(self, snapshot: Snapshot) -> Drawing:
        sight = await self._public(snapshot.table)
        table = sight.table if sight else snapshot.table  # newer if somebody has moved since
        content = await self._board(snapshot, sight)
        wanted = [Wanted(Kind.BOARD, digest(content), post=content, is_final=not table.is_open)]
        if table.status == "lobby":
            return Drawing(table, None, await self._lobby(snapshot, wanted))
        if sight is None or table.status != "playing":
            return Drawing(table, None, Desired(tuple(wanted)))
        face = self._faces[table.game]
        turn, deal = table.users_at(sight.observation.to_act), face.deal(sight.observation)
        if last := score(face, sight):  # above the board
            wanted.insert(0, Wanted(Kind.SCORE, digest(last), deal=deal - 1, post=last))
        wanted += [self._question(snapshot, each) for each in await self._tables.undos.questions(snapshot)]
        ping_at = self._ping_timing.ping_at(snapshot, turn)
        return Drawing(table, None, Desired(tuple(wanted), turn, ping_at, deal))

    async def _lobby(self, snapshot: Snapshot, wanted: Sequence[Wanted]) -> Desired:
        """Return the messages of a lobby, where each guest gets only one ping."""
        table = snapshot.table
        if table.looked_at is not None and not table.is_full and not table.invited_only:
            wanted = (*wanted, await self._call(table, snapshot.messages))
        called = tuple(guest.user_id for guest in table.guests if guest.is_called)
        fresh = [user for user in called if snapshot.reader(user).pinged_at is None]
        return Desired(tuple(wanted), called, self._ping_timing.ping_at(snapshot, fresh))

    async def _call(self, table: Table, recorded: Sequence[LiveMessage]) -> Wanted:
        """Return the message by which a lobby looks for players, with the server's role for that."""
        guild_id = table.place.guild_id or 0
        server = in_force(await self._tables.servers.settings(guild_id), self._guild_of(guild_id))
        role_id = server.looking_role_id
        is_quiet = role_id is not None and self._was_just_called(table, role_id)
        content = call_post(table, self._faces[table.game], named_link(table, recorded), role_id, is_quiet=is_quiet)
        roles = () if role_id is None or is_quiet else (role_id,)
        return Wanted(Kind.QUESTION, digest(content), post=content, roles=roles, is_final=True)

    def _was_just_called(self, table: Table, role_id: int) -> bool:
        """Whether another lobby mentioned the role less than an hour before; otherwise, note that this one does."""
        whose, at = (table.place.guild_id or 0, role_id), table.looked_at or 0.0
        caller, called_at = self._calls.get(whose, (table.id, at))
        if caller != table.id and at < called_at + CALL_PAUSE_S:
            return True
        self._calls[whose] = (table.id, at)
        return False

    def _question(self, snapshot: Snapshot, question: Question) -> Wanted:
        content = question_post(snapshot.table, question)
        mentions = self._ping_timing.to_ask(snapshot, question.waiting)
        return Wanted(Kind.QUESTION, digest(content), question.asker_id, post=content, mentions=mentions)

    async def board(self, snapshot: Snapshot, reader_language: str | None = None) -> Post:
        """Return the public board, or the lobby; in the language of the channel if none is given."""
        with using(reader_language or supported(snapshot.language)):
            return await self._board(snapshot, await self._public(snapshot.table))

    async def _public(self, table: Table) -> Sight | None:
        """Return the public view; ``None`` if there is no game to see."""
        has_game = table.status not in {"lobby", "closed"} and self._tables.has_rulebook(table)
        return await self._tables.sight(table) if has_game else None

    async def _board(self, snapshot: Snapshot, sight: Sight | None) -> Post:
        table = snapshot.table
        if damage_reference(table) is not None:
            return damaged_post(table)
        face = self._faces[table.game]
        by_button = self.unreachable.union(user for user, reader in snapshot.readers.items() if reader.dm_closed)
        if sight is None:
            return lobby(table, face, by_button, is_crowded=await self._is_crowded(table))
        standstill = None
        if sight.table.status == "playing" and (snapshot.has_news or not is_silent(sight.table, self._now())):
            standstill = await self._tables.waiting.standstill(sight.table)
        return board(face, sight, standstill, by_button, with_picture=True)

    async def _is_crowded(self, table: Table) -> bool:
        """Whether the table's channel had several open tables when it was opened."""
        if table.place.guild_id is None:
            return False
        others = await self._tables.lists.in_channel(table.place.channel_id, None, CROWDED)
        return len([other for other in others if other.id < table.id]) >= CROWDED - 1

    # ---- direct messages

    async def _private(self, snapshot: Snapshot, user_id: int) -> Drawing | None:
        if snapshot.reader(user_id).dm_closed:
            return None
        table, live = snapshot.table, in_slot(snapshot.messages, slot_of(Kind.HAND, user_id))
        if table.sitter(user_id) is None:
            # A player who may come back to a game in play keeps their last hand.
            is_gone = table.status in {"lobby", "closed"} or await self._tables.users.was_removed(table.id, user_id)
            return Drawing(table, user_id, Desired()) if is_gone else None
        if table.status == "closed" and live is None:
            return Drawing(table, user_id, Desired())  # older hands may still have to be retired
        content, deal, is_after_trick = await self.hand(snapshot, user_id)
        if deal is None:
            deal = live.deal if live else BEFORE_THE_FIRST_DEAL
        urgency = _urgency(table, live, content, is_after_trick=is_after_trick)
        is_playable = table.status == "playing" and self._tables.has_rulebook(table)
        wanted = Wanted(
            Kind.HAND,
            hand_digest(content),
            user_id,
            deal,
            post=content,
            urgency=urgency,
            # The table may have moved on since it was read; the drawing is no newer than the row that was read.
            since=min(table.version, await self._tables.fresh_since(table, user_id)) if is_playable else 0,
            tidy_at=table.changed_at + (AFTER_TRICK_S if urgency is Urgency.AFTER_TRICK else TIDY_S),
        )
        return Drawing(table, user_id, Desired((wanted,)))

    async def hand(self, snapshot: Snapshot, user_id: int, *, asked: bool = False) -> Hand:
        """Return a player's hand.

        A hand that the player has just ``asked`` for is up to date. Direct messages aren't edited with every move.
        """
        table = snapshot.table
        if damage_reference(table) is not None:
            return Hand(damaged_post(table), None)
        face, link = self._faces[table.game], board_link(table, snapshot.messages)
        if asked and table.sitter(user_id) is None:
            return Hand(await self._farewell(table, user_id, link), BEFORE_THE_FIRST_DEAL)
        if table.status == "lobby":
            return Hand(welcome(face, table, link), BEFORE_THE_FIRST_DEAL)
        if table.status == "closed" or not self._tables.has_rulebook(table):
            return Hand(farewell(face, table, link), None)
        settings, trouble = snapshot.reader(user_id).settings, self.troubles.get(table.id)
        shows = (table, link, settings, trouble, asked, language())
        last = self._hands.pop((table.id, user_id), None)
        if last is not None and last[0] == shows:
            return last[1]
        sight = await self._tables.sight(table, user_id)
        content = hand(face, sight, link, settings, follows=asked)
        if trouble:
            content = replace(content, paragraphs=(*content.paragraphs, f"⚠ {trouble_text(trouble, table)}"))
        drawn = Hand(content, face.deal(sight.observation), face.is_after_trick(sight.observation))
        self._hands[table.id, user_id] = (shows, drawn)
        if len(self._hands) > _HANDS_KEPT:
            del self._hands[next(iter(self._hands))]
        return drawn

    # ---- what is posted, and what becomes of it

    def content(self, drawing: Drawing, action: Create, recorded: Sequence[LiveMessage]) -> Post:
        """Return the text of a new message, with its mentions."""
        table, wanted = drawing.table, action.wanted
        with using(drawing.language):
            if wanted.kind is Kind.PING:
                return ping_post(table, self._faces[table.game], action.mentions, named_link(table, recorded))
            return with_mentions(wanted.post, table, action.mentions, is_question=wanted.kind is Kind.QUESTION)

    async def last_text(self, drawing: Drawing, message: LiveMessage, recorded: Sequence[LiveMessage]) -> Post | None:
        """Return the last text of a message that isn't or can't be deleted; ``None`` if it may stay as it is."""
        with using(drawing.language):
            if message.kind is Kind.HAND:
                return await self._last_hand(drawing.table, message)
            live = live_board(recorded)
            if live is None:
                text = _("This board of Table {name} is old. `/tables` lists your games.", name=drawing.table.name)
            else:
                link = link_to(drawing.table, live.sent_id)
                text = _("Table {name} continues [below]({link}).", name=drawing.table.name, link=link)
            return Post((f"-# {text}",))

    async def _last_hand(self, table: Table, message: LiveMessage) -> Post | None:
        if damage_reference(table) is not None:
            return damaged_post(table)
        is_seated = message.user_id is not None and table.sitter(message.user_id) is not None
        if is_seated and (message.deal == BEFORE_THE_FIRST_DEAL or table.status == "lobby"):
            return None
        if is_seated and self._tables.has_rulebook(table):
            return deal_summary(self._faces[table.game], await self._tables.sight(table, None))
        link = board_link(table, await self._tables.messages.of(table.id))
        return await self._farewell(table, message.user_id, link)

    async def _farewell(self, table: Table, user_id: int | None, link: str) -> Post:
        was_removed = user_id is not None and await self._tables.users.was_removed(table.id, user_id)
        return farewell(self._faces[table.game], table, link, was_removed=was_removed)
