"""The desired messages of a table right now, in its channel and to each player."""

from collections.abc import Callable, Sequence
from typing import Final

import discord
from msgspec.structs import replace

from bot.computer import is_slow
from bot.records.live_message import Kind, LiveMessage, Snapshot, in_slot, slot_of
from bot.records.table import Table
from bot.records.table_damage import damage_reference
from bot.tables.absence.votes import Standstill, is_early, may_be_moved_on_at
from bot.tables.finding import is_seated
from bot.tables.seating import was_removed
from bot.tables.tables import Sight, Tables
from bot.tables.undo import Question
from bot.texts import gettext as _, language, supported, using
from bot.ui.live.failures import Trouble, trouble_text
from bot.ui.live.hands import BEFORE_THE_FIRST_DEAL, TROUBLE, Hand, Note, mark, with_next_table
from bot.ui.live.lanes import Card, Draw, Drawing, with_card_link
from bot.ui.live.pings import PingTiming, ping_post, with_mentions
from bot.ui.live.plan import AT_ONCE, Create, Desired, Wanted, due
from bot.ui.messages.absence_notice import damaged_post
from bot.ui.messages.board import board, board_link, link_to, live_board, named_link
from bot.ui.messages.deal_over import board_over, is_urgent, shown_deal
from bot.ui.messages.hand import farewell, hand, kept, welcome
from bot.ui.messages.lobby import call_post, in_force, lobby
from bot.ui.messages.questions import Asked, LastAsked, asked_of, question_post
from bot.ui.messages.result_texts import deal_summary, score, standing_to_count
from bot.ui.messages.standings_pages import lead_line
from bot.ui.posts.face import Faces
from bot.ui.posts.layout import digest
from bot.ui.posts.names import with_short_names
from bot.ui.posts.post import Button, Post
from bot.ui.posts.recent import Recent

CROWDED: Final = 3
"""From this number of open tables in a channel on, lobbies propose a thread."""


def _shown(table: Table, snapshot: Snapshot) -> Table:
    """Return the table without the ratings of players who hide theirs."""
    counted = table.counted
    users = [(each.seat, each.user_id) for each in table.sitters if each.user_id is not None]
    hidden = {seat for seat, user_id in users if not snapshot.reader(user_id).settings.ranking}
    if counted is None or not hidden:
        return table
    gains = tuple([None if seat in hidden else gain for seat, gain in enumerate(counted.gains)])
    return replace(table, counted=replace(counted, gains=gains, wins=()))


def _has_learners(snapshot: Snapshot) -> bool:
    """Whether somebody who is seated hasn't finished the lesson of the game."""
    users = [sitter.user_id for sitter in snapshot.table.sitters if sitter.user_id is not None]
    return not all(snapshot.reader(user_id).has_learned for user_id in users)


async def computers_next(tables: Tables, table: Table) -> bool:
    """Whether only quick computers are to act: their moves follow at once, and each is shown."""
    acting = await tables.sitters_to_act(table)
    if not acting or any(not each.is_computer or is_slow(table.game, each.level) for each in acting):
        return False
    return not await tables.is_between_deals(table)


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
        self.troubles = Recent[int, Trouble]()
        """Why the boards of some tables can't be shown; hands say so."""
        self.timed: set[int] = set()
        """The tables whose boards say that time runs out, or has: that isn't true any more if the bot was away."""
        self.unreachable: set[int] = set()
        """The users whom Discord lets the bot send no direct messages at the moment; boards say so."""
        self._notes = Recent[tuple[int, int], Note]()
        """The notes on users' hands, by table and user."""
        self._last_asked = LastAsked()
        self.features: dict[str, Draw] = {}
        """What draws subjects that aren't tables."""

    async def draw(
        self,
        snapshot: Snapshot,
        user_id: int | None,
        *,
        may_wait: bool = False,
        is_redraw: bool = False,
        is_pressed: bool = False,
    ) -> Drawing | None:
        """Return the desired messages; ``None`` if they stay as they are.

        If it ``may_wait``, a hand isn't drawn before a change of it is due. That is now if it ``is_pressed``. A redraw
        doesn't wait for computers.
        """
        table = snapshot.table
        if not is_redraw and await computers_next(self._tables, table):
            return None
        if user_id is None and not table.place.channel_id:
            return None  # it was in the direct messages of somebody who has deleted their data
        if user_id is None:
            with using(supported(snapshot.language)):
                return replace(await self._channel(snapshot), language=language())
        with using(supported(snapshot.reader(user_id).language)):
            drawing = await self._private(snapshot, user_id, may_wait=may_wait, is_pressed=is_pressed)
            by_ear = snapshot.reader(user_id).settings.hands == "text"
            return drawing and drawing.read_in(language(), by_ear=by_ear)

    # ---- the channel

    async def _channel(self, snapshot: Snapshot) -> Drawing:
        sight = await self._public(snapshot)
        table = sight.table if sight else snapshot.table  # newer if somebody has moved since
        standstill = await self._standstill(snapshot, sight)
        self._note_time(table, standstill)
        content = await self._board(snapshot, sight, standstill)
        wanted = [Wanted(Kind.BOARD, digest(content), post=content, is_final=not table.is_open)]
        if table.status == "lobby":
            return Drawing(table, None, await self._lobby(snapshot, wanted))
        if sight is None or table.status != "playing":
            return Drawing(table, None, Desired(tuple(wanted)))
        face = self._faces[table.game]
        turn, deal = table.users_at(sight.observation.to_act), shown_deal(face, sight)
        if sight.before is None and (last := score(face, sight)):  # above the board
            wanted.insert(0, Wanted(Kind.SCORE, digest(last), deal=deal - 1, post=last))
        wanted += [self._question(snapshot, each) for each in await self._tables.undos.questions(snapshot)]
        ping_at = self._ping_timing.ping_at(snapshot, turn)
        return Drawing(
            table, None, Desired(tuple(wanted), turn, ping_at, deal, self._look_at(snapshot, sight, standstill))
        )

    def _note_time(self, table: Table, standstill: Standstill | None) -> None:
        is_timed = standstill is not None and (standstill.is_due() or table.clock == "live")
        (self.timed.add if is_timed else self.timed.discard)(table.id)

    def _look_at(self, snapshot: Snapshot, sight: Sight, standstill: Standstill | None) -> float | None:
        """Return when the board changes though nothing happens: it may be moved on, or a holiday ends."""
        at = may_be_moved_on_at(sight.table, sight.observation.to_act)
        if at is not None and standstill is not None:
            at = standstill.due_at()
        return min((at for at in (at, *self._away(snapshot).values()) if at and at > self._now()), default=None)

    async def _lobby(self, snapshot: Snapshot, wanted: Sequence[Wanted]) -> Desired:
        """Return the messages of a lobby, where each guest gets only one ping."""
        table = snapshot.table
        if table.looked_at is not None and not table.is_full and not table.invited_only:
            wanted = (*wanted, await self._call(table, snapshot.messages))
        called = tuple(guest.user_id for guest in table.guests if guest.is_called)
        fresh = [user for user in called if snapshot.reader(user).pinged_at is None]
        to_host, look_at = self._ping_timing.to_host(snapshot, self._faces[table.game])
        pings = self._ping_timing.ping_at(snapshot, fresh)
        return Desired((*wanted, *to_host), called, pings, look_at=look_at)

    async def _call(self, table: Table, recorded: Sequence[LiveMessage]) -> Wanted:
        """Return the message by which a lobby looks for players, with the server's role for that."""
        guild_id = table.place.guild_id or 0
        server = in_force(await self._tables.servers.settings(guild_id), self._guild_of(guild_id))
        role_id = server.looking_role_id
        is_quiet = role_id is not None and not await self._tables.guests.may_mention(table, role_id)
        content = call_post(table, self._faces[table.game], named_link(table, recorded), role_id, is_quiet=is_quiet)
        roles = () if role_id is None or is_quiet else (role_id,)
        return Wanted(Kind.QUESTION, digest(content), post=content, roles=roles, is_final=True)

    def _question(self, snapshot: Snapshot, question: Question) -> Wanted:
        content = question_post(snapshot.table, question)
        mentions = self._ping_timing.to_ask(snapshot, question.waiting)
        return Wanted(Kind.QUESTION, digest(content), question.asker_id, post=content, mentions=mentions)

    async def board(self, snapshot: Snapshot, reader_language: str | None = None) -> Post:
        """Return the public board, or the lobby; in the language of the channel if none is given."""
        with using(reader_language or supported(snapshot.language)):
            sight = await self._public(snapshot)
            return await self._board(snapshot, sight, await self._standstill(snapshot, sight))

    async def _public(self, snapshot: Snapshot) -> Sight | None:
        """Return the public view; ``None`` if there is no game to see."""
        if not self._has_game(snapshot.table):
            return None
        sight = await self._tables.sight(snapshot.table)
        return replace(sight, table=_shown(sight.table, snapshot))

    def _has_game(self, table: Table) -> bool:
        """Whether there is a game to see: it has started, also if it was closed before its end."""
        has_started = table.status in {"playing", "over"} or table.ended is not None
        return has_started and self._tables.has_rulebook(table)

    async def _standstill(self, snapshot: Snapshot, sight: Sight | None) -> Standstill | None:
        """Return the standstill of a table in play, unless boards have nothing to say about it: it needn't be read."""
        if sight is None or sight.table.status != "playing":
            return None
        table = sight.table
        has_notice = snapshot.has_news or table.clock == "live" or any(sitter.offered for sitter in table.sitters)
        if not has_notice and is_early(table, self._now()):
            return None
        return await self._tables.waiting.standstill(table)

    async def _board(self, snapshot: Snapshot, sight: Sight | None, standstill: Standstill | None) -> Post:
        table = snapshot.table
        if damage_reference(table) is not None:
            return damaged_post(table)
        face = self._faces[table.game]
        if sight is not None and sight.before is not None:
            return board_over(face, sight)
        by_button = self.unreachable.union(user for user, reader in snapshot.readers.items() if reader.dm_closed)
        if sight is None:
            lead = lead_line(face, _shown(snapshot.before, snapshot)) if snapshot.before else ""
            is_crowded, has_learners = await self._is_crowded(table), _has_learners(snapshot)
            return lobby(table, face, by_button, is_crowded=is_crowded, lead=lead, has_learners=has_learners)
        return board(face, sight, standstill, by_button, away=self._away(snapshot), with_picture=bool(face.drawings))

    def _away(self, snapshot: Snapshot) -> dict[int, float]:
        """Return the players on holiday, whose clocks stop, with the ends of their holidays."""
        if snapshot.table.clock == "live":
            return {}
        ends = {user: reader.settings.away_until for user, reader in snapshot.readers.items()}
        return {user: end for user, end in ends.items() if end is not None and end > self._now()}

    async def _is_crowded(self, table: Table) -> bool:
        """Whether the table's channel had several open tables when it was opened."""
        if table.place.guild_id is None:
            return False
        others = await self._tables.lists.in_channel(table.place.channel_id, None, CROWDED)
        return len([other for other in others if other.id < table.id]) >= CROWDED - 1

    # ---- direct messages

    async def _private(self, snapshot: Snapshot, user_id: int, *, may_wait: bool, is_pressed: bool) -> Drawing | None:
        if snapshot.reader(user_id).dm_closed:
            return None
        table, live = snapshot.table, in_slot(snapshot.messages, slot_of(Kind.HAND, user_id))
        if table.sitter(user_id) is None:
            return self._kept(snapshot, user_id, live)
        if table.status == "closed" and live is None:
            return Drawing(table, user_id, Desired())  # older hands may still have to be retired
        at = AT_ONCE if is_pressed else await self._due(snapshot, user_id, live)
        if may_wait and at > self._now():
            return Drawing(table, user_id, Desired((Wanted(Kind.HAND, None, user_id, due=at),)))
        hand, last = await self.hand(snapshot, user_id), live.deal if live else BEFORE_THE_FIRST_DEAL
        deal = last if hand.deal is None else hand.deal
        post = self._with_note(snapshot, user_id, hand)
        wanted = Wanted(Kind.HAND, hand.content, user_id, deal, post=post, is_prompt=hand.is_prompt, due=at)
        return Drawing(table, user_id, Desired((wanted,)))

    def set_note(self, table_id: int, user_id: int, note: Note | None) -> None:
        """Let a user's hand in direct messages show a note, or none. It stays until the hand changes."""
        self._notes.pop((table_id, user_id), None)
        if note is not None:
            self._notes[table_id, user_id] = note

    def _with_note(self, snapshot: Snapshot, user_id: int, hand: Hand) -> Post:
        """Return a hand in direct messages with its note, or with the way to the next table that waits for the user."""
        note = self._notes.get((snapshot.table.id, user_id))
        if note is not None and note.version == snapshot.table.version:
            return note.on(hand.post)
        is_elsewhere = snapshot.reader(user_id).is_awaited and snapshot.table.status in {"playing", "over"}
        return with_next_table(hand.post) if is_elsewhere and not hand.is_prompt else hand.post

    async def _due(self, snapshot: Snapshot, user_id: int, live: LiveMessage | None) -> float:
        """Return when a change of a player's hand is shown. A prompt, or what isn't known of the hand, can't wait."""
        table = snapshot.table
        if live is None or live.content is None or live.is_restored or table.status != "playing":
            return AT_ONCE
        if live.content.partition(TROUBLE)[2] != mark(self._trouble(table)):
            return AT_ONCE
        sight = await self._tables.sight(table, user_id)
        face, seen = self._faces[table.game], sight.observation
        if is_urgent(sight) or live.deal != shown_deal(face, sight) or await self.asked(snapshot, user_id):
            return AT_ONCE
        if live.content == digest(self._kept_content(snapshot)):
            return AT_ONCE
        since = min(table.version, sight.fresh_since)  # the table may have moved on since it was read
        return due(table, live, since, is_after_trick=face.is_after_trick(seen))

    def _trouble(self, table: Table) -> str:
        """Return the warning of hands that the board can't be shown; empty if it can, as far as is known."""
        trouble = self.troubles.get(table.id)
        return f"⚠ {trouble_text(trouble, table)}" if trouble else ""

    def _kept(self, snapshot: Snapshot, user_id: int, live: LiveMessage | None) -> Drawing | None:
        """Return what replaces the hand of a player without a seat. A computer may keep it for them."""
        table = snapshot.table
        if table.status in {"lobby", "closed"} or was_removed(table, user_id):
            return Drawing(table, user_id, Desired())
        if live is None or not is_seated(table, user_id):
            return None
        content = self._kept_content(snapshot)
        wanted = Wanted(Kind.HAND, digest(content), user_id, live.deal, post=content)
        return Drawing(table, user_id, Desired((wanted,)))

    def _kept_content(self, snapshot: Snapshot) -> Post:
        if damage_reference(table := snapshot.table) is not None:
            return damaged_post(table)
        return kept(self._faces[table.game], table, board_link(table, snapshot.messages))

    async def hand(self, snapshot: Snapshot, user_id: int, *, asked: bool = False) -> Hand:
        """Return a player's hand.

        A hand that the player has just ``asked`` for is up to date. Direct messages aren't edited with every move.
        """
        table, link = snapshot.table, board_link(snapshot.table, snapshot.messages)
        if damage_reference(table) is not None:
            return Hand(damaged_post(table), None)
        if asked and table.sitter(user_id) is None:
            return Hand(await self._farewell(table, user_id, link), BEFORE_THE_FIRST_DEAL)
        if table.status == "lobby":
            is_learner = not snapshot.reader(user_id).has_learned
            return Hand(welcome(self._faces[table.game], table, link, is_learner=is_learner), BEFORE_THE_FIRST_DEAL)
        if not self._has_game(table):
            return Hand(farewell(self._faces[table.game], table, link), None)
        return await self._hand_in_play(snapshot, user_id, link, asked=asked)

    async def _hand_in_play(self, snapshot: Snapshot, user_id: int, link: str, *, asked: bool) -> Hand:
        """Return a hand that is drawn from the game."""
        table, face = snapshot.table, self._faces[snapshot.table.game]
        trouble, question = self._trouble(table), await self.asked(snapshot, user_id)
        sight = await self._tables.sight(table, user_id)
        sight = replace(sight, table=_shown(sight.table, snapshot))
        content = hand(face, sight, link, snapshot.reader(user_id).settings, question, follows=asked)
        if trouble:
            content = replace(content, paragraphs=(*content.paragraphs, trouble))
        since = min(table.version, sight.fresh_since) if table.status == "playing" else 0
        marks = mark(question.text if question else ""), mark(trouble)
        return Hand(content, shown_deal(face, sight), since, *marks)

    async def asked(self, snapshot: Snapshot, user_id: int) -> Asked | None:
        """Return what a player is asked. Once after the game has moved on, it says that this is void."""
        table = snapshot.table
        if table.status != "playing" or table.sitter(user_id) is None:
            return None
        standstill = await self._tables.waiting.standstill(table) if snapshot.has_news else None
        sides = self._faces[table.game].game.sides(table.options)
        undos = await self._tables.undos.questions(snapshot)
        asked = asked_of(with_short_names(table), user_id, undos, standstill, sides)
        if asked is None:
            return self._last_asked.void(table, user_id)
        asked = await self._with_standing(with_short_names(table), asked)
        self._last_asked.note(table, user_id, asked)
        return asked

    async def _with_standing(self, table: Table, asked: Asked) -> Asked:
        """Add who is ahead to a question whether to count the game as it stands."""
        if not asked.is_to_count or (standing := await self._tables.standing(table)) is None:
            return asked
        return asked._replace(text=f"{asked.text} {standing_to_count(self._faces[table.game], table, standing)}")

    # ---- what is posted, and what becomes of it

    def content(self, drawing: Drawing, action: Create, recorded: Sequence[LiveMessage]) -> Post:
        """Return the text of a new message, with its mentions."""
        table, wanted = drawing.table, action.wanted
        if isinstance(table, Card):
            return with_card_link(wanted.post, table, recorded)
        with using(drawing.language):
            if wanted.kind is Kind.PING:
                return ping_post(table, self._faces[table.game], action.mentions, named_link(table, recorded))
            return with_mentions(wanted.post, table, action.mentions, is_question=wanted.kind is Kind.QUESTION)

    async def last_text(self, drawing: Drawing, message: LiveMessage, recorded: Sequence[LiveMessage]) -> Post | None:
        """Return the last text of a message that isn't or can't be deleted; ``None`` if it may stay as it is."""
        if isinstance(drawing.table, Card):
            return None
        with using(drawing.language):
            if message.kind is Kind.HAND:
                return await self._last_hand(drawing.table, message)
            live = live_board(recorded)
            if live is None:
                text = _("This board of Table {name} is old.", name=drawing.table.name)
                return Post((f"-# {text}",), rows=((Button("tables", _("My games")),),))
            link = link_to(drawing.table.place, live.sent_id)
            text = _("Table {name} continues [below]({link}).", name=drawing.table.name, link=link)
            return Post((f"-# {text}",))

    async def _last_hand(self, table: Table, message: LiveMessage) -> Post | None:
        if damage_reference(table) is not None:
            return damaged_post(table)
        is_seated = message.user_id is not None and table.sitter(message.user_id) is not None
        if is_seated and (message.deal == BEFORE_THE_FIRST_DEAL or table.status == "lobby"):
            return None
        if is_seated and self._tables.has_rulebook(table):
            return deal_summary(self._faces[table.game], await self._tables.sight(table, message.user_id))
        link = board_link(table, await self._tables.messages.of(table.id))
        return await self._farewell(table, message.user_id, link)

    async def _farewell(self, table: Table, user_id: int | None, link: str) -> Post:
        is_removed = user_id is not None and was_removed(table, user_id)
        return farewell(self._faces[table.game], table, link, was_removed=is_removed)
