"""Who may know which card: no message names one that its readers' seats can't know.

What a seat knows follows from the log and the rulings alone (`tests.leaks.knowledge`), not from observations.
"""

import re
import sqlite3
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from bot.games import GAMES
from bot.games.game import CHANCE, Entry
from bot.records.table import Table
from bot.store.statements import TABLE, table_of
from bot.ui.messages.lesson_pages import LESSON, PUZZLE, RETRY
from bot.ui.posts.custom_id import Press
from tests.leaks.knowledge import READERS, Viewer
from tests.world import text_of, walk

_FACE: Final = re.compile("(10|[A2-9JQK])([♠♥♦♣])")
_NOTATION: Final = re.compile("(?<![0-9A-Za-z])((?:[A2-9TJQK][SHDC])+)(?![0-9A-Za-z])")
_SUITS: Final = dict(zip("♠♥♦♣", "SHDC", strict=True))
_MADE_UP: Final = frozenset({LESSON, PUZZLE, RETRY, "topic", "puzzles", "ruling"})
"""Verbs on pages that name cards of no table: examples in rules, lessons and puzzles."""
_GUESSED: Final = frozenset({"hint", "why", "play-hint"})
"""Verbs on private pages that name cards which nobody may have seen: what would beat a move."""


_SPOKEN_OF: Final = {"pot_black": {"TS", "TC"}}
"""Cards that texts name whoever has them: the black tens."""


def named(components: Any) -> set[str]:
    """Return the cards that a message names: in texts, labels, descriptions, alt texts, values and custom ids."""
    cards: set[str] = set()
    for text in (text_of(components), *_others(components)):
        cards.update(_rank(rank) + _SUITS[suit] for rank, suit in _FACE.findall(text))
        cards.update(card for found in _NOTATION.findall(text) for card in re.findall("..", found))
    return cards


def _rank(rank: str) -> str:
    return "T" if rank == "10" else rank


def _others(components: Any) -> Iterator[str]:
    for part in walk(components):
        yield from (str(part.get(name) or "") for name in ("custom_id", "label", "placeholder"))
        for option in part.get("options") or ():
            yield from (str(option.get(name) or "") for name in ("label", "value", "description"))
        for item in part.get("items") or ():
            yield str(item.get("description") or "")


class Leaks:
    """Knows what every seat of every table may know. Nobody forgets what an undo has taken back."""

    def __init__(self, database: Path) -> None:
        self._database = database
        self._read: dict[int, int] = {}
        """The version of each table up to which its log was read."""
        self._tables: dict[str, Table] = {}
        """By the key in buttons."""
        self._known: dict[tuple[int, Viewer], set[str]] = {}
        self._hidden: dict[int, set[str]] = {}
        """The cards of each table that somebody can't know."""
        self._seats: dict[tuple[int, int], set[Viewer]] = {}
        """Every seat that each user has had at each table, and the public's place."""

    def look(self) -> None:
        """Read what has been committed."""
        connection = sqlite3.connect(self._database)
        try:
            for row in connection.execute(TABLE):
                table = table_of(row)
                if self._read.get(table.id) != table.version:
                    self._read[table.id] = table.version
                    self._tables[table.key] = table
                    self._learn(table, connection)
        finally:
            connection.close()

    def _learn(self, table: Table, connection: sqlite3.Connection) -> None:
        for sitter in table.sitters:
            for user in {sitter.user_id, sitter.held_for, sitter.player_id} - {None}:
                assert user is not None
                self._seats.setdefault((table.id, user), {None}).add(sitter.seat)
        reader_of = READERS[table.game]
        if reader_of is None or table.status == "lobby":
            return
        log = "SELECT seat, move FROM entries WHERE table_id = ? ORDER BY ply"
        entries = [Entry(*row) for row in connection.execute(log, (table.id,))]
        game, reader = GAMES[table.game], reader_of(table.options)
        before = game.start(table.options)
        for ply, (entry, step) in enumerate(zip(entries, game.steps(table.options, entries), strict=True)):
            reader.read(ply, entry, before)
            before = step.state
        if CHANCE not in game.to_act(before):
            reader.ended(before)
        dealt = [card for deal in reader.deals for card in deal.cards]
        for viewer in (None, *range(table.seats)):
            known = self._known.setdefault((table.id, viewer), set())
            known.update(card.card for card in dealt if viewer in card.known_to)
        free = self._turned_up(entries) | _SPOKEN_OF.get(table.game, set())
        self._hidden[table.id] = {card.card for card in dealt} - free

    def _turned_up(self, entries: list[Entry]) -> set[str]:
        """Return the cards that are out of play, which everybody knows, though there may be two of each."""
        texts = (entry.move for entry in entries if entry.move.startswith("poison"))
        return {card for text in texts for found in _NOTATION.findall(text) for card in re.findall("..", found)}

    def unknown(self, body: Mapping[str, Any], readers: set[int] | None) -> set[str]:
        """Return the cards that a message names though one of its readers can't know them; ``None`` is everybody."""
        components = body.get("components") or ()
        presses = [press for part in walk(components) if (press := Press.parse(part.get("custom_id") or ""))]
        verbs = {press.verb for press in presses} | {press.origin for press in presses}
        tables = {press.key: self._tables[press.key] for press in presses if press.key in self._tables}
        if len(tables) != 1 or verbs & (_MADE_UP if readers is None else _MADE_UP | _GUESSED):
            return set()
        (table,) = tables.values()
        if table.has_ended or table.id not in self._hidden:
            return set()
        cards = named(components) & self._hidden[table.id]
        return cards and {card for card in cards for each in self._viewers(table, readers) if card not in each}

    def _viewers(self, table: Table, readers: set[int] | None) -> Iterator[set[str]]:
        """Yield what each reader knows."""
        for seats in [{None}] if readers is None else [self._seats.get((table.id, user), {None}) for user in readers]:
            yield {card for seat in seats for card in self._known.get((table.id, seat), ())}
