"""Messages of a table that depend on others: hands link to the board, and boards say who gets no direct messages."""

from collections.abc import Callable
from http import HTTPStatus

from bot.records.table import Table
from bot.ui.live.drawings import Drawings
from bot.ui.live.failures import Trouble
from bot.ui.live.lanes import Lane
from bot.ui.live.sightings import Sightings


class Dependents:
    """Updates what depends on a message that was shown or refused. Call `board_is_shown` and `note_trouble`."""

    def __init__(
        self,
        drawings: Drawings,
        sightings: Sightings,
        *,
        request: Callable[[Lane], object],
        redraw: Callable[[Lane], object],
    ) -> None:
        self._drawings = drawings
        self._sightings = sightings
        self._request = request
        self._redraw = redraw
        self.board_listeners: list[Callable[[Table], None]] = []
        """Called with each table whose board is up to date."""

    def board_is_shown(self, table: Table) -> None:
        """Tell those who wait for the board, and update hands that depend on it."""
        self.note_trouble(table, None)
        for listener in self.board_listeners:
            listener(table)
        if table.id in self._sightings.tables_without_board:  # hands link to the old one
            del self._sightings.tables_without_board[table.id]
            self._redraw_hands(table)

    def note_trouble(self, table: Table, trouble: Trouble | None) -> None:
        """Let hands say why the board can't be shown, or that it can."""
        troubles = self._drawings.troubles
        before = troubles.pop(table.id, None)
        if trouble:
            troubles[table.id] = trouble
        if before != trouble:
            self._redraw_hands(table)

    def note_slow(self, table: Table) -> None:
        """Let hands say that a request takes long, such as one that waits until a rate limit is over."""
        self.note_trouble(table, Trouble(table.place.guild_id, HTTPStatus.TOO_MANY_REQUESTS, ""))

    def note_unreachable(self, lane: Lane) -> None:
        """Let the board say that a player gets no direct messages."""
        if lane.user_id is not None and lane.user_id not in self._drawings.unreachable:
            self._drawings.unreachable.add(lane.user_id)
            self._request(Lane(lane.subject_id))

    def note_reachable(self, lane: Lane) -> None:
        """Let the board say so no more."""
        if lane.user_id in self._drawings.unreachable:
            self._drawings.unreachable.discard(lane.user_id)
            self._request(Lane(lane.subject_id))

    def _redraw_hands(self, table: Table) -> None:
        for sitter in table.sitters:
            if sitter.user_id is not None:
                self._redraw(Lane(table.id, sitter.user_id))
