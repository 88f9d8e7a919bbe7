"""What must be true after every step of an evening, and when it gets quiet."""

import contextlib
import re
import sqlite3
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from discord.utils import snowflake_time
from simcord.backend.models import EPHEMERAL_FLAG, Message

from bot.games.game import Entry
from bot.records.live_message import Kind, LiveMessage, in_slot
from bot.records.table import Table
from bot.running.client import LilypadBot
from bot.ui.live.plan import Wanted
from bot.ui.posts.custom_id import Press
from bot.ui.posts.pictures import in_words
from tests.discord.seen import look_at
from tests.evenings.leaks import Leaks
from tests.posts import paragraphs_of
from tests.world import text_of, walk

if TYPE_CHECKING:
    from tests.evenings.evening import Evening

_MOVES: Final = (
    "SELECT table_id, by_user, seen, move FROM entries WHERE by_user IS NOT NULL"
    " UNION ALL SELECT table_id, by_user, NULL, move FROM taken_back WHERE by_user IS NOT NULL"
)
_HAND: Final = re.compile("### (Your hand|Deine Hand) ")
_TABLE: Final = re.compile(r"(?:Table|Tisch) ([^\s\]·*]+)")
_PING_S: Final = 60.0
_IDLE_REQUESTS: Final = 30
"""The most requests in an idle hour: a board and a reminder at some tables, a night that begins, a daily that ends."""
_STEP_REQUESTS: Final = 150
"""The most requests between two steps of people. A start looks at every board, and a night pings everybody."""
_TO_NOBODY: Final = re.compile("Waiting for nobody|Ja von niemand")
_OF_LESSONS: Final = frozenset({"You", "Du"})
"""The names of the player in lessons and puzzles."""
_IN_PLACE: Final = {
    "night-in": "a night",
    "match-accept": "a challenge",
    "match-join": "a match",
    "daily-play": "a daily",
}
"""Verbs of which one message at a time has a button for each argument."""


_OLDER: Final = re.compile(r"( · |\n)?\[[^]]*\]\(https:.*?\)|[☠✦]\ufe0e? |<t:.*?>")
_LANGUAGE: Final = re.compile("Table|Tisch")
_SMALL_PRINT: Final = re.compile(r"^-# .*\n?", re.MULTILINE)


class Checks:
    """Checks an evening. ``failures`` says what was wrong."""

    def __init__(self, evening: "Evening") -> None:
        self._evening = evening
        self.failures: list[str] = []
        self._played: Counter[tuple[int, int, str]] = Counter()
        """How often the bot has acknowledged each move: the table, the user and the move."""
        self._pings: dict[tuple[int, str], float] = {}
        self._seen_to = self._sent_to = 0
        self._leaks = Leaks(evening.database)

    def watch(self, bot: LilypadBot) -> None:
        """Note which moves a new bot acknowledges."""
        play = bot.tables.play

        async def noted(table_id: int, user_id: int, text: str, *args: Any, **options: Any) -> Any:
            receipt = await play(table_id, user_id, text, *args, **options)
            self._played[table_id, user_id, text] += 1
            return receipt

        bot.tables.play = noted  # type: ignore[method-assign]

    def fail(self, what: str) -> None:
        """Note that something is wrong."""
        self._evening.story.tell(f"wrong: {what}")
        self.failures.append(what)

    # ---- after every step

    def after_step(self) -> None:
        """Check what the bot has sent since the last step: who was pinged, and what pictures show."""
        transcript = self._evening.network.backend.transcript
        new, self._seen_to = transcript[self._seen_to :], len(transcript)
        sent, self._sent_to = self._evening.network.sent - self._sent_to, self._evening.network.sent
        if sent > _STEP_REQUESTS:
            self.fail(f"{sent} requests after one step")
        if new:
            self._leaks.look()
        for kind, name, body in new:
            if kind == "GATEWAY" and name in {"MESSAGE_CREATE", "MESSAGE_UPDATE"}:
                self._check_readers(body)
            if kind == "GATEWAY" and name == "MESSAGE_CREATE":
                self._check_pings(body)

    def _check_readers(self, body: Any) -> None:
        """Nobody sees a card that they can't know, nor a hand or the picture of one but its player."""
        ids = self._readers(body)
        readers = None if ids is None else {self._name(each) for each in ids}
        if unknown := self._leaks.unknown(body, ids):
            self.fail(f"{sorted(unknown)} are told to {readers or 'everybody'}: {body}")
        if readers is None and _HAND.match(text_of(body.get("components") or ())):
            self.fail(f"a hand is shown to everybody: {body}")
        for part in walk(body.get("components") or ()):
            for item in part.get("items") or ():
                digest = str(item["media"]["url"]).rpartition("/")[2].partition(".")[0].rpartition("-")[2]
                owner = self._evening.sketches.owners.get(digest)
                if owner and owner not in _OF_LESSONS and readers != {owner}:
                    self.fail(f"a picture for {owner} is shown to {readers or 'everybody'}")

    def _readers(self, body: Any) -> set[int] | None:
        """Return who sees a message; ``None`` if everybody does."""
        if int(body.get("flags") or 0) & EPHEMERAL_FLAG:
            return {int(((body.get("interaction_metadata") or {}).get("user") or {}).get("id", 0))}
        channel = self._evening.network.backend.channels.get(int(body["channel_id"]))
        return set(channel.recipient_ids) if channel and channel.recipient_ids else None

    def _check_pings(self, body: Any) -> None:
        """Nobody is pinged twice in a minute for a turn at one table."""
        text, now = text_of(body.get("components") or ()), snowflake_time(int(body["id"])).timestamp()
        if _TO_NOBODY.search(text):
            self.fail(f"a question to nobody: {text}")
        if "your turn" not in text and "du bist dran" not in text:
            return
        for user in body.get("mentions") or ():
            for table in _TABLE.findall(text)[:1]:
                last = self._pings.get((int(user["id"]), table), -_PING_S)
                self._pings[int(user["id"]), table] = now
                if now - last < _PING_S:
                    self.fail(f"{self._name(int(user['id']))} is pinged twice in a minute at {table}")

    def _name(self, user_id: int) -> str:
        return next((person.name for person in self._evening.people if person.id == user_id), str(user_id))

    def after_idle_hour(self, requests: int) -> None:
        """Check how many requests the bot made in an hour in which nobody did anything: what is due, and no more."""
        if requests > _IDLE_REQUESTS:
            self.fail(f"{requests} requests in an hour in which nobody did anything")

    # ---- in quiet

    async def in_quiet(self) -> None:
        """Check everything, when nothing is under way any more."""
        bot = self._evening.bot
        assert bot is not None
        self.after_step()
        self._check_moves()
        for table in await bot.tables.lists.all():
            await self._check_log(bot, table)
            await self._check_messages(bot, table, None)
            for person in self._evening.people:
                await self._check_messages(bot, table, person.id)
        self._check_single()
        self._check_answers()

    def _check_answers(self) -> None:
        """Each interaction is answered, unless something may have come between."""
        if self._evening.faults.spare_answers:
            for person in self._evening.people:
                for record in person.sent:
                    if not record.responded:
                        self.fail(f"an interaction of {person.name} wasn't answered: {record.id}")

    def _check_moves(self) -> None:
        """No acknowledged move is lost, and none was made twice."""
        with contextlib.closing(sqlite3.connect(self._evening.database)) as connection:
            moves = connection.execute(_MOVES).fetchall()
        kept = Counter((table, user, move) for table, user, _, move in moves)
        for key, count in self._played.items():
            if kept[key] < count and not self._is_deleted(key[0], key[1], kept):
                self.fail(f"an acknowledged move is lost: {key}, {kept[key]} of {count}")
        for (table, user, seen, move), count in Counter(moves).items():
            if seen is not None and count > 1:
                self.fail(f"a move was made twice: table {table}, user {user}, version {seen}, {move}")

    def _is_deleted(self, table_id: int, user_id: int, kept: Counter[tuple[int, int, str]]) -> bool:
        """Whether nothing of the user, or of the table, is left: they have deleted their data."""
        return not any((table, user) == (table_id, user_id) for table, user, _ in kept)

    async def _check_log(self, bot: LilypadBot, table: Table) -> None:
        """The log and what the bot shows of it agree with a fold of the log from its start."""
        if table.status not in {"playing", "over"}:
            return
        with contextlib.closing(sqlite3.connect(self._evening.database)) as connection:
            rows = connection.execute("SELECT seat, move FROM entries WHERE table_id = ? ORDER BY ply", (table.id,))
            entries = [Entry(*row) for row in rows]
        game = bot.faces[table.game].game
        state = game.fold(table.options, entries)
        sight = await bot.tables.look(table.id)
        if game.observe(state, None) != sight.observation:
            self.fail(f"table {table.id}: the log and the bot's fold differ")
        if table.status == "over" and table.ended is None and state.outcome != table.outcome:
            self.fail(f"table {table.id}: another outcome was recorded")

    async def _check_messages(self, bot: LilypadBot, table: Table, user_id: int | None) -> None:
        """What a lane should show is on Discord, in one message of each kind."""
        if table.event is not None and table.status == "lobby":
            return  # its player presses **Play** again
        snapshot = await bot.tables.snapshot(table.id)
        drawing = await bot.live.drawings.draw(snapshot, user_id)
        if drawing is None:
            return
        for wanted in drawing.desired.messages:
            if wanted.due <= self._evening.now() and wanted.content is not None:
                self._check_message(bot, table, wanted, in_slot(snapshot.messages, wanted.slot))
        self._check_once(table, user_id)

    def _check_message(self, bot: LilypadBot, table: Table, wanted: Wanted, live: LiveMessage | None) -> None:
        """A message is there and shows what it should."""
        if live is None or live.message_id is None:
            if table.id not in bot.live._reconciler.refused_tables():  # that is tried again later
                self._missing(table, wanted, "isn't posted")
            return
        message = self._evening.network.backend.messages.get(live.channel_id, {}).get(live.message_id)
        if message is None:
            if not wanted.is_final and wanted.kind is not Kind.SCORE:
                self._missing(table, wanted, "is gone")
            return
        # After Discord has refused a picture, there are words for some minutes.
        dues = ["\n".join(paragraphs_of(post)) for post in (wanted.post, in_words(wanted.post))]
        shown = look_at(message).text
        if self._evening.clock_step_s and ("⏳" in shown) != ("⏳" in dues[0]):
            return  # what is due is another thing since the clock has stepped
        if not any(_shows(shown, due, wanted.kind, table) for due in dues):
            self._missing(table, wanted, f"is old:\n{shown}\nnot\n{dues[0]}")

    def _missing(self, table: Table, wanted: Wanted, why: str) -> None:
        whose = "" if wanted.user_id is None else f" of {self._name(wanted.user_id)}"
        self.fail(f"table {table.id}: the {wanted.kind}{whose} {why}")

    def _check_once(self, table: Table, user_id: int | None) -> None:
        """There is one board, one hand of each player, and one ping of a table."""
        backend = self._evening.network.backend
        place = table.place.channel_id if user_id is None else backend.get_dm_channel(user_id).id
        headings = Counter(
            heading
            for message in self._of_bot(place)
            if f" {table.name} " in (heading := f"{look_at(message).text.partition(chr(10))[0]} ")
            and heading.startswith("### T" if user_id is None else "###")
        )
        for heading, count in headings.items():
            if count > 1 and (user_id is not None or "Table" in heading):
                self.fail(f"table {table.id}: {count} messages {heading!r} for {user_id or 'all'}")
        if user_id is None:
            pings = [each for each in self._of_bot(place) if f"your turn at [Table {table.name}]" in look_at(each).text]
            if len(pings) > 1:
                self.fail(f"table {table.id}: {len(pings)} pings")

    def _check_single(self) -> None:
        """Each night, match and daily has one message with its buttons."""
        found = Counter(
            (press.verb, press.argument, press.key)
            for message in self._of_bot(self._evening.channel_id)
            for press in _presses(message)
            if press.verb in _IN_PLACE
        )
        for (verb, argument, _), count in found.items():
            if count > 1:
                self.fail(f"{_IN_PLACE[verb]} {argument} has {count} messages")

    def _of_bot(self, place: int) -> Iterator[Message]:
        backend = self._evening.network.backend
        for message in backend.messages.get(place, {}).values():
            if message.author_id == backend.bot_user.id and not message.is_ephemeral:
                yield message


def _shows(shown: str, due: str, kind: Kind, table: Table) -> bool:
    """Whether a text shows what it should, apart from what may be older until something happens at the table."""
    if kind is Kind.HAND and shown.startswith("**"):  # the player is about to choose or confirm a move of frogs
        return True
    if _LANGUAGE.findall(shown)[:1] != _LANGUAGE.findall(due)[:1]:  # it was chosen after the last change
        return True
    if not table.is_open:  # whether it shows ratings may have been chosen since
        shown, due = ("\n".join(re.findall("^## .*", text, re.MULTILINE)) for text in (shown, due))
    # The small print of lobbies depends on what else happens in the channel, that of hands on whether a link fits.
    if table.status == "lobby" or kind is Kind.HAND:
        shown, due = _SMALL_PRINT.sub("", shown), _SMALL_PRINT.sub("", due)
    return _unlinked(due) in _unlinked(shown)


def _unlinked(text: str) -> str:
    """Remove icons, and what may be older: links, and times after a step of the clock."""
    return _OLDER.sub("", text)


def _presses(message: Message) -> Iterator[Press]:
    for part in walk(message.components):
        press = Press.parse(part.get("custom_id") or "")
        if press is not None:
            yield press
