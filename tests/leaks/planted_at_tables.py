"""Tables, turns and drawings with planted leaks, which the comparison at real tables must find."""

import asyncio
import logging
from collections.abc import Mapping
from typing import Any, Final

from msgspec.structs import replace

from bot.errors import InvalidMove
from bot.games.game import Seat
from bot.records.live_message import Snapshot
from bot.records.table import Receipt, Table
from bot.tables.absence.votes import Standstill
from bot.tables.folds import Fold
from bot.tables.tables import Sight, Tables
from bot.thinking.thinkers import Think, Turn
from bot.thinking.turns import THOUGHT_S, Choice, Turns
from bot.ui.live.drawings import Drawings
from bot.ui.live.lanes import Drawing
from bot.ui.posts.post import Post
from tests.leaks.at_tables import Program
from tests.leaks.pairs import FACES
from tests.leaks.planted import carrying

log: Final = logging.getLogger("bot.planted")


def state_of(tables: Tables, table_id: int) -> Any:
    """Return the true state from the cache of folds."""
    folded = tables._ledger._folds.latest(table_id)
    assert folded is not None
    return folded.state


def hidden(tables: Tables, table_id: int, seat: Seat | None) -> str:
    """Return the highest card in other hands."""
    hands = enumerate(state_of(tables, table_id).hands)
    return max((str(card) for other, hand in hands if other != seat for card in hand), default="")


# ---- computers


class CheatingFair(Turns):
    """A fair computer that reads the true state through the cache of folds."""

    def _pick(self, turn: Turn, level: str) -> Choice:
        if level != "fair":
            return super()._pick(turn, level)
        legal = turn.sight.observation.legal
        return Choice(legal[sum(map(ord, hidden(self._tables, turn.sight.table.id, turn.seat))) % len(legal)], level)


class CarryingLook(Tables):
    """Computers whose look at the table brings the true state along."""

    async def look_as_computer(self, table_id: int, seat: Seat, *, for_absent: bool = False) -> Sight:
        """Return an observation that carries the true state, but ignores it in comparisons."""
        sight = await super().look_as_computer(table_id, seat, for_absent=for_absent)
        seen: Any = sight.observation
        return replace(sight, observation=carrying(state_of(self, table_id), seen))


class ThoughtAboutAll(Turns):
    """A strong computer that thinks longer the higher the cards are that others hold."""

    async def _thought(self, turn: Turn, think: Think) -> tuple[Choice, bool]:
        await asyncio.sleep(sum(map(ord, hidden(self._tables, turn.sight.table.id, turn.seat))) % 5)
        return await super()._thought(turn, think)


class ForcedAtOnce(Turns):
    """Strong computers that play the only legal card at once."""

    async def _chosen(self, turn: Turn) -> Choice:
        legal = turn.sight.observation.legal
        return Choice(legal[0], None) if len(legal) == 1 else await super()._chosen(turn)


class ForcedAsIfIdle(Turns):
    """Strong computers that play the only legal card after the usual time, however busy the host is."""

    def _drawn_s(self, _game_key: str, _cards: int) -> float:
        return THOUGHT_S


# ---- what is shown


class MarkedBoard(Drawings):
    """A public board that names a hidden card from the second deal on."""

    async def _board(self, snapshot: Snapshot, sight: Sight | None, standstill: Standstill | None) -> Post:
        post = await super()._board(snapshot, sight, standstill)
        if sight is None or FACES[sight.table.game].deal(sight.observation) < 2:
            return post
        hands = state_of(self._tables, sight.table.id).hands
        return replace(post, paragraphs=(*post.paragraphs, *map(str, hands[0][:1])))


class SoonerForHighCards(Drawings):
    """A direct message that is edited earlier if another player holds high cards."""

    async def _private(self, snapshot: Snapshot, user_id: int, **how: bool) -> Drawing | None:
        drawing = await super()._private(snapshot, user_id, **how)
        sitter = snapshot.table.sitter(user_id)
        if drawing is None or sitter is None or not drawing.desired.messages:
            return drawing
        delay_s = sum(map(ord, hidden(self._tables, snapshot.table.id, sitter.seat)))
        messages = tuple([replace(each, due=each.due + delay_s) for each in drawing.desired.messages])
        return replace(drawing, desired=replace(drawing.desired, messages=messages))


class TellingUndo(Tables):
    """An **Undo** that is there or not depending on other hands."""

    def _sight(self, table: Table, folded: Fold, seat: Seat | None) -> Sight:
        sight = super()._sight(table, folded, seat)
        hands = [hand for other, hand in enumerate(folded.state.hands) if other != seat]
        return replace(sight, may_ask_undo=sum(ord(card[0]) for hand in hands[:1] for card in hand) % 2 == 0)


class TellingRefusal(Tables):
    """A refusal that gives a card of another player as its example."""

    async def play(self, table_id: int, user_id: int, *args: Any, **options: Any) -> Receipt:
        """Refuse a move that can't be read."""
        try:
            return await super().play(table_id, user_id, *args, **options)
        except InvalidMove:
            raise InvalidMove("Try {card}.", card=hidden(self, table_id, user_id - 100)) from None


# ---- the log


class ObservationInLog(Turns):
    """Turns that log what a computer sees."""

    async def _chosen(self, turn: Turn) -> Choice:
        log.info("table %s: %r", turn.sight.table.id, turn.sight.observation)
        return await super()._chosen(turn)


class ChoiceInLog(Turns):
    """Turns that log what a choice draws from."""

    async def _chosen(self, turn: Turn) -> Choice:
        log.debug("table %s draws from %s", turn.sight.table.id, turn.seed)
        return await super()._chosen(turn)


class SeedInLog(Tables):
    """Tables that log their seed, at the lowest level."""

    async def look(self, table_id: int, user_id: int | None = None) -> Sight:
        """Look at the table."""
        log.debug("table %s", table_id, extra={"seed": (await self._store.seed(table_id)).hex()})
        return await super().look(table_id, user_id)


PLANTED: Final[Mapping[str, tuple[Program, str]]] = {
    "a fair computer that reads the cache of folds": (Program(turns=CheatingFair), "move"),
    "a strong computer that gets the true state from its look": (Program(tables=CarryingLook), "thought"),
    "a strong computer that thinks longer if others hold high cards": (Program(turns=ThoughtAboutAll), "time"),
    "a hidden card on the board from the second deal on": (Program(drawings=MarkedBoard), "board"),
    "a hand that is edited earlier if others hold high cards": (Program(drawings=SoonerForHighCards), "drawing"),
    "an undo that depends on other hands": (Program(tables=TellingUndo), "sight"),
    "a refusal with a card of another player": (Program(tables=TellingRefusal), "refusal"),
    "an observation in the log": (Program(turns=ObservationInLog), "secrets"),
    "the seed of a choice in the log": (Program(turns=ChoiceInLog), "secrets"),
    "a seed in the log at DEBUG": (Program(tables=SeedInLog), "secrets"),
}
"""Planted leaks, and a part of the comparison that must find each."""

REVEALING: Final[Mapping[str, type[Turns]]] = {
    "forced moves at once": ForcedAtOnce,
    "forced moves as on an idle host": ForcedAsIfIdle,
}
"""Turns whose times tell which moves were forced."""
