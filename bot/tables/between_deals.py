"""The pause between two deals at a table of one person: they see the last trick until they go on.

The log knows no pause: the next deal follows in the same step as at other tables. Only what is shown and the moves of
computers wait. Any move of the person ends the pause.
"""

from msgspec.structs import replace

from bot.games.game import CHANCE, AnyGame
from bot.records.table import Log, Table
from bot.tables.folds import Fold, fold
from bot.tables.seating import need_playing


def before_deal(game: AnyGame, table: Table, folded: Fold) -> Fold | None:
    """Return the table as it was before the new deal if the only person there hasn't gone on to it; else ``None``."""
    ply = _pause(game, table, folded)
    if ply is None:
        return None
    if ply not in folded.before_deal:
        stand_ins = {at: name for at, name in folded.stand_ins.items() if at < ply}
        folded.before_deal[ply] = fold(game, Log(table, folded.entries[:ply], stand_ins))
    return folded.before_deal[ply]


def _pause(game: AnyGame, table: Table, folded: Fold) -> int | None:
    """Return the number of entries before a deal that nobody has seen yet; ``None`` without a pause.

    In games with hands, chance that follows a move is the next deal.
    """
    entries = folded.entries
    is_dealt = len(entries) > table.gone_on and entries[-1].seat is CHANCE
    if not (is_dealt and game.has_hands and table.status == "playing" and is_of_one(table)):
        return None
    ply = next((ply for ply in range(len(entries), 0, -1) if entries[ply - 1].seat is not CHANCE), 0)
    _, taken_over = table.continues or ("", 0)
    return ply if ply > taken_over else None


def is_of_one(table: Table) -> bool:
    """Whether one person is at the table, and computers have all other seats for good."""
    players = [sitter for sitter in table.sitters if sitter.player_id is not None]
    return len(players) == 1 and not players[0].is_computer


def gone_on(table: Table, plies: int) -> Table:
    """Return the table after its person has gone on to the deal that these entries end with."""
    need_playing(table)
    return replace(table, gone_on=max(table.gone_on, plies))
