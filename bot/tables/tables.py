"""`Tables`: plays at tables, shows and closes them. Its parts do the rest, such as `Tables.lobbies`."""

import asyncio
import dataclasses
import logging
import secrets
import time
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Final

import msgspec
from msgspec.structs import replace

from bot.errors import DamagedTable, LilypadError, NotAllowed, Stale
from bot.games import GAMES, OLDER
from bot.games.game import COUNTED, NOBODY, RESIGN, STOPPED, AnyGame, Event, Observation, Outcome, Seat
from bot.records.event import match_of
from bot.records.quota import NO_QUOTAS, Quotas
from bot.records.table import Change, Chosen, Person, Receipt, Sitter, Table
from bot.store.results import decided_alone
from bot.store.store import Store
from bot.tables import between_deals, closing, seating
from bot.tables.absence.votes import Verdict
from bot.tables.absence.waiting import Waiting
from bot.tables.deletion import Privacy
from bot.tables.events import Events
from bot.tables.finding import Finder
from bot.tables.folds import Fold, PlayedBy, transcript_of
from bot.tables.forced import Forced
from bot.tables.game_nights import GameNights
from bot.tables.hosting import Computers, Guests, Hints
from bot.tables.ledger import MOVED_ON, Ledger
from bot.tables.lobbies import Lobbies
from bot.tables.matches import Duplicates, Matches
from bot.tables.recaps import Recaps
from bot.tables.replays import Replays, seed_of
from bot.tables.undo import Undos, may_be_undone
from bot.transcript import Transcript

log: Final = logging.getLogger(__name__)

_CLOSED_AT_ONCE: Final = 100


class Sight(msgspec.Struct, frozen=True):
    """A user's or the public's view of a table that has started.

    Parameters
    ----------
    observation: That of the user's seat, or the public's.
    events: The last public ones, oldest first.
    may_undo: Whether the seat may take its last move back without asking.
    may_ask_undo: Whether the seat has made a move that it may ask to take back; for the public, whether any seat has.
    played_by: For each event, who made it, unless its player did.
    own_entries: How many entries the seat has made.
    fresh_since: The oldest version at which what the seat saw can still be played.
    before: What is shown as long as the only person at the table hasn't gone on to the next deal.
    offers_forced: Whether the seat is asked if moves without a choice are to play themselves.
    """

    table: Table
    observation: Observation
    events: tuple[Event, ...]
    may_undo: bool = False
    may_ask_undo: bool = False
    played_by: tuple[PlayedBy, ...] = ()
    own_entries: int = 0
    fresh_since: int = 0
    before: "Sight | None" = None
    offers_forced: bool = False

    @property
    def shown(self) -> "Sight":
        """What boards, hands and pages show: the table, or between two deals the end of the last one."""
        return self.before or self


class Tables:
    """All tables. A refused change raises a `PlayError` and has changed nothing.

    Parameters
    ----------
    games: The current rulebooks by key.
    older: Rulebooks of earlier rules, for tables in play.
    now: Returns seconds since 1970.
    entropy: Returns that many random bytes, for seeds and names.
    quotas: Limits of what users may do; by default none, as far as they can be set.
    closes: Whether tables that can't go on are closed when that is noticed.
    """

    def __init__(  # noqa: PLR0913 - each has a default
        self,
        store: Store,
        *,
        games: Mapping[str, AnyGame] = GAMES,
        older: Iterable[AnyGame] = OLDER,
        now: Callable[[], float] = time.time,
        entropy: Callable[[int], bytes] = secrets.token_bytes,
        quotas: Quotas = NO_QUOTAS,
        closes: bool = True,
    ) -> None:
        self._store = store
        self._now = now
        self._ledger = Ledger(store, games, now, older, closes=closes)
        self.on_change = self._ledger.on_change
        self.has_rulebook = self._ledger.has_rulebook
        self.table = self._ledger.table
        self.checked = self._ledger.checked
        self.snapshot = self._ledger.snapshot
        self.is_latest = self._ledger.is_latest
        self.finder = Finder(store, self._ledger, games)
        self.lobbies = Lobbies(store, self._ledger, self.finder, now, entropy, quotas)
        self.events = Events(store, self._ledger, self.finder, self.lobbies, now, entropy)
        self.computers = Computers(self._ledger)
        self.guests = Guests(store, self._ledger, now, quotas)
        self.hints = Hints(store, self._ledger)
        self.undos = Undos(store, self._ledger)
        self.forced = Forced(store, self._ledger, now)
        self.replays = Replays(store, self._ledger)
        self.privacy = Privacy(store, self._ledger, now)
        self.waiting = Waiting(store, self._ledger, now)
        self.alerts = store.alerts
        self.holidays = store.holidays
        self.languages = store.languages
        self.lists = store.lists
        self.messages = store.messages
        self.matches = Matches(store, self.finder, self.events, now, entropy, quotas)
        self.duplicates = Duplicates(store, self.finder, self.events, self.matches, now)
        self.nights = GameNights(store, self.finder, self.lobbies, now, quotas)
        self.recaps = Recaps(store, now)
        self.option_sets = store.option_sets
        self.personal_data = store.personal_data
        self.users = store.users
        self.servers = store.servers
        self.standings = store.standings

    def serve(self, shards: Callable[[], tuple[frozenset[int], int]]) -> None:
        """Take responsibility for shards alone: ``shards`` returns them, and the number of all shards of the bot."""
        self.waiting.shards = self._ledger.damages.shards = shards

    async def claim(self, interaction_id: int) -> bool:
        """Return whether this interaction may create something: once, as Discord may deliver it twice."""
        return await self._store.claim(interaction_id, self._now())

    # ---- closing

    async def close(self, table_id: int, user_id: int, *, moderates: int | None = None, called: str = "") -> Receipt:
        """Close a lobby or a table in play, for its host or a moderator of the server ``moderates``.

        For its only person, that is a defeat. ``called`` is the user's name: boards name moderators who close tables.
        """
        moderates = await self._if_uninvolved(await self.table(table_id), user_id, moderates)
        change = partial(closing.close, person=Person(user_id, called), moderates=moderates)
        return await self._alone(table_id, user_id, change)

    async def check_may_close(self, table: Table, user_id: int, *, moderates: int | None = None) -> None:
        """Raise `NotAllowed` unless the user may close the table by themselves."""
        closing.check_may_close(table, user_id, await self._if_uninvolved(table, user_id, moderates))

    async def _if_uninvolved(self, table: Table, user_id: int, moderates: int | None) -> int | None:
        """Return ``moderates`` unless the user plays the same deal elsewhere: then they are no judge of it."""
        match_id = None if table.event is None else match_of(table.event[0])
        if moderates is None or match_id is None:
            return moderates
        match = await self._store.matches.find(match_id)
        return moderates if match is None or match.player(user_id) is None else None

    async def close_outdated(self) -> int:
        """Close the tables in play whose rules this program lacks, and damaged ones; return how many there were.

        Those of shards that other processes serve are left to them.
        """
        sound = {table.id for table in await self.lists.open_tables() if not self._ledger.cannot_go_on(table)}
        others = [table_id for table_id in await self._store.lists.unended() if table_id not in sound]
        ending = sorted(await self._store.lists.of_shards(others, *self._ledger.damages.shards()))
        for first in range(0, len(ending), _CLOSED_AT_ONCE):
            closing = map(self._ledger.table, ending[first : first + _CLOSED_AT_ONCE])
            await asyncio.gather(*closing, return_exceptions=True)  # what can't even be closed is left out of lists
        return len(ending)

    # ---- play

    async def play(
        self,
        table_id: int,
        user_id: int,
        text: str,
        seen: int | None = None,
        called: tuple[str, int | None] | None = None,
    ) -> Receipt:
        """Play the user's move, in notation or as people type it, and the chance that follows it.

        ``called`` is their present name and the server where they have it. ``seen`` is the version of the table that
        the user saw, ``None`` for the current one. Raises `NotSeated`, `InvalidMove`, `IllegalMove`, `WrongPhase`, and
        `Stale` if since ``seen`` chance or this seat has written, or the move isn't legal any more.
        """
        return await self._ledger.play(
            table_id, lambda table: seating.seated(table, user_id).seat, text, seen, user_id, called=called
        )

    async def play_computer(  # noqa: PLR0913 - the last two have defaults
        self,
        table_id: int,
        seat: Seat,
        text: str,
        seen: int | None = None,
        *,
        for_absent: bool = False,
        chosen: Chosen | None = None,
    ) -> Receipt:
        """Like `play`, for the seat of a computer, which has ``chosen`` so. Raises `NotAllowed` if it is a user's.

        ``for_absent`` is for the seat of an absent user. `Waiting.move_on` or the table's clock has to allow it.
        """
        seat_of = partial(seating.seat_for_computer, seat=seat, for_absent=for_absent)
        return await self._ledger.play(table_id, seat_of, text, seen, chosen=chosen)

    async def resign(self, table_id: int, user_id: int) -> Receipt:
        """Concede the game if the user is alone on one of two sides, else give their seat to a computer (G-10)."""
        table = await self.table(table_id)
        if closing.concedes_alone(table, self._ledger.rulebook(table), user_id):
            return await self.play(table_id, user_id, str(RESIGN))
        if table.is_compared:
            raise NotAllowed("Another table plays these cards, so nobody resigns at Table {name}.", name=table.name)
        return await self._alone(table_id, user_id, partial(seating.hand_over, user_id=user_id))

    async def _alone(self, table_id: int, user_id: int, change: Callable[[Table], Table]) -> Receipt:
        """Make a change that one user presses. If that ends a game, it is a defeat for them."""

        async def propose(table: Table) -> Change:
            changed, sitter = change(table), table.sitter(user_id)
            if table.status != "playing" or changed.status != "closed" or sitter is None:
                return Change(changed)
            table, folded = await self._ledger.fold(table)
            game = self._ledger.rulebook(table)
            standing = game.stopped(folded.state, STOPPED)
            return Change(changed, result=decided_alone(game, changed, standing, sitter.seat))

        return await self._ledger.change(table_id, propose)

    async def concede(self, table_id: int, user_id: int) -> Verdict:
        """Vote that the user's side concedes, and concede once its other people agree who aren't away for too long."""
        verdict = await self.waiting.concede(table_id, user_id)
        if not verdict.granted:
            return verdict
        (seat,) = verdict.seats
        asker = (await self.table(table_id)).users_at({seat})

        def seat_of(table: Table) -> Seat:
            if table.version != verdict.version:  # a move has cancelled the votes
                raise Stale(MOVED_ON)
            return seat

        await self._ledger.play(table_id, seat_of, str(RESIGN), by_user=next(iter(asker), user_id), is_agreed=True)
        return verdict

    async def expel(self, table_id: int, user_id: int, player_id: int, *, moderates: int | None = None) -> Receipt:
        """Give a player's seat in play to a computer, for a moderator of ``moderates`` who has no part in the game.

        Its host can do that to players who are away for too long. The player can't come back. Raises `NotSeated` if
        they have no seat any more.
        """
        moderates = await self._if_uninvolved(await self.table(table_id), user_id, moderates)
        return await self._ledger.update(table_id, closing.expel, user_id, player_id, moderates)

    async def step_out(self, table_id: int, user_id: int) -> Receipt:
        """Let a computer play for the user until they come back. Raises `NotAllowed` if nobody else plays there."""
        return await self._ledger.update(table_id, seating.step_out, user_id)

    async def go_on(self, table: Table, user_id: int) -> bool:
        """Begin the next deal for the only person at the table. Return false if they see it already."""
        if table.sitter(user_id) is None or not await self.is_between_deals(table):
            return False
        await self._ledger.update(table.id, between_deals.gone_on, table.plies)
        return True

    async def is_between_deals(self, table: Table) -> bool:
        """Whether the only person at the table still sees the end of a deal: until they go on, computers wait."""
        if table.status != "playing" or not between_deals.is_of_one(table) or not self.has_rulebook(table):
            return False
        table, folded = await self._ledger.fold(table)
        return between_deals.before_deal(self._ledger.rulebook(table), table, folded) is not None

    # ---- looking

    async def look(self, table_id: int, user_id: int | None = None) -> Sight:
        """Return the user's view of a table, or the public's if they have no seat.

        Raises `WrongPhase` before the start.
        """
        return await self.sight(await self.table(table_id), user_id)

    async def sight(self, table: Table, user_id: int | None = None) -> Sight:
        """Like `look`, for a table that has just been read."""
        table, folded = await self._ledger.fold(table)
        sight = self._sight(table, folded, table.seat_of(user_id))
        ended = between_deals.before_deal(self._ledger.rulebook(table), table, folded)
        if ended is None:
            return sight
        observation = ended.observation(self._ledger.rulebook(table), table.seat_of(user_id))
        before = replace(sight, observation=observation, events=ended.events, played_by=ended.played_by)
        return replace(sight, before=before)

    async def look_as_computer(self, table_id: int, seat: Seat, *, for_absent: bool = False) -> Sight:
        """Return the view of the computer on this seat. The parameters are those of `play_computer`."""
        table, folded = await self._ledger.folded(table_id)
        return self._sight(table, folded, seating.seat_for_computer(table, seat, for_absent=for_absent))

    async def choice_seed(self, sight: Sight, seat: Seat) -> str | None:
        """Return what the next choice of the computer on this seat draws from (G-16); ``None`` if the seed is lost.

        It is for computers alone: together with the seat's hand, it tells the move.
        """
        try:
            secret = await self._store.seed(sight.table.id)
        except DamagedTable:
            log.warning("table %s: its seed is lost; computers draw their own random numbers", sight.table.id)
            return None
        return seed_of(sight.table, secret, seat, sight.table.plies, sight.own_entries)

    async def standing(self, table: Table) -> Outcome | None:
        """Return the scores and places at a table if it ended now; ``None`` once its game is over."""
        return self._standing(*await self._ledger.fold(table))

    async def sitters_to_act(self, table: Table) -> tuple[Sitter, ...]:
        """Return the sitters who owe a move, in the order of the seats."""
        seats = await self._ledger.to_act(table)
        return tuple(sitter for sitter in table.sitters if sitter.seat in seats)

    async def whose_turn(self, table: Table) -> tuple[int, ...]:
        """Return the users who owe a move, in the order of the seats."""
        return table.users_at(await self._ledger.to_act(table))

    async def computers_turn(self, table: Table) -> tuple[Seat, ...]:
        """Return the seats of the computers that owe a move, lowest first; none of them between two deals."""
        if await self.is_between_deals(table):
            return ()
        return tuple(sitter.seat for sitter in await self.sitters_to_act(table) if sitter.is_computer)

    async def transcript(self, table_id: int, *, unfinished: bool = False) -> Transcript:
        """Return the transcript of a table that has ended. Raises `WrongPhase` before.

        ``unfinished`` is for the operator: before the end, a transcript shows all cards. Those of events are refused.
        """
        written = await self._store.log(table_id)
        if written is None:
            raise seating.no_table(str(table_id))
        table = written.table
        if table.event is not None or not (unfinished and table.is_full):
            seating.check_revealed(table, seating.wrong_phase(table))
        game = self._ledger.rulebook(table) if self.has_rulebook(table) else self.finder.game(table.game)
        return dataclasses.replace(transcript_of(written, game), counted=await self.standings.exported(table))

    async def fill_in_turns(self) -> None:
        """Store the users to move at tables that an older version of the program wrote."""
        for table_id in await self._store.lists.unknown_turns():
            try:
                table = await self.table(table_id)
                await self._store.fill_in_turns(table, await self._ledger.to_act(table))
            except (LilypadError, LookupError):  # the table is listed as if other players were to move
                log.exception("table %s: the turns could not be stored", table_id)

    def _sight(self, table: Table, folded: Fold, seat: Seat | None) -> Sight:
        game = self._ledger.rulebook(table)
        is_playing = table.status == "playing"
        may_undo = is_playing and seat is not None and folded.freely_undone_by == seat
        may_ask_undo = is_playing and may_be_undone(game, table, folded, seat)
        observation = folded.observation(game, seat)
        if table.ended is not None:
            standing = self._standing(table, folded)
            observation = dataclasses.replace(observation, outcome=standing, to_act=NOBODY, legal=())
        own = 0 if seat is None else sum(entry.seat == seat for entry in folded.entries)
        fresh_since = 0 if seat is None else folded.fresh_since(seat)
        offers = seat is not None and any(self.forced.is_offered(table, user) for user in table.users_at({seat}))
        by = folded.played_by
        return Sight(
            table, observation, folded.events, may_undo, may_ask_undo, by, own, fresh_since, offers_forced=offers
        )

    def _standing(self, table: Table, folded: Fold) -> Outcome | None:
        if folded.state.outcome is not None:
            return None
        reason = COUNTED if table.ended == COUNTED else STOPPED
        return self._ledger.rulebook(table).stopped(folded.state, reason)
