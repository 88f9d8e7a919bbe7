"""What one person may decide for others: closing a table, removing a player, conceding for a side. Pure.

A game in play belongs to those who play it. What ends it for others needs their agreement (`bot.tables.absence.votes`)
or a moderator who has no part in it.
"""

from msgspec.structs import replace

from bot.errors import NotAllowed, NotSeated, Text
from bot.games.game import AnyGame
from bot.records.table import Person, Sitter, Table
from bot.store.former_players import how_gone, removed
from bot.tables.seating import (
    closed,
    computer_for,
    left,
    need_lobby,
    need_playing,
    need_to_be_host,
    not_allowed,
    seated,
    with_sitters,
    wrong_phase,
)


def close(table: Table, person: Person, moderates: int | None = None) -> Table:
    """Close the lobby, for its host or a moderator of the server ``moderates``; in play, see `check_may_close`."""
    check_may_close(table, person.id, moderates)
    if table.status == "lobby":
        return closed(table)
    if has_part(table, person.id):
        return closed(table, "host")
    return replace(closed(table, "moderator"), closed_by=person)


def check_may_close(table: Table, user_id: int, moderates: int | None = None) -> None:
    """Raise `NotAllowed` if the user may not close the table by themselves.

    In play, it belongs to its players. A player may if they are the only person, and a moderator who has no part in it.
    """
    if not table.is_open:
        raise wrong_phase(table)
    if moderates is None:
        check_uncompared(table)
    is_moderator = moderates is not None and moderates == table.place.guild_id
    if table.status == "lobby" or not has_part(table, user_id):
        if not is_moderator:
            need_to_be_host(table, user_id, Text("Only the host of Table {name} can close it."))
        return
    seated(table, user_id)
    if others_to_agree(table, user_id):
        raise not_allowed(table, Text("Table {name} belongs to everyone who plays there. Press **Vote to end**."))


def check_uncompared(table: Table) -> None:
    """Raise `NotAllowed` if another table plays the same deal: no player decides about that alone."""
    if table.is_compared:
        raise not_allowed(table, Text("Another table plays these cards. Only a moderator can close Table {name}."))


def has_part(table: Table, user_id: int) -> bool:
    """Whether the user plays at the table or has played there, so that they don't decide about it as a moderator."""
    return table.part_of(user_id) is not None or how_gone(table, user_id) is not None


def others_to_agree(table: Table, user_id: int) -> tuple[int, ...]:
    """Return the other users whose game it is: those who have let a computer play for them leave it to the others."""
    players = [each.player_id for each in table.sitters if not each.stepped_out]
    return tuple(player for player in players if player is not None and player != user_id)


def close_try(table: Table) -> Table:
    """Close the table of an event whose time has passed."""
    if not table.is_open:
        raise wrong_phase(table)
    return closed(table, "event" if table.status == "playing" else None)


def close_idle(table: Table, before: float) -> Table:
    """Close the lobby if it hasn't changed since ``before``."""
    need_lobby(table)
    if table.changed_at >= before:
        raise wrong_phase(table)
    return closed(table)


def close_outdated(table: Table) -> Table:
    """Close a table in play whose rules this program lacks. Its log can't be folded, so it has no result."""
    need_playing(table)
    return closed(table, "rules")


def expel(table: Table, user_id: int, player_id: int, moderates: int | None = None) -> Table:
    """Give the seat of another player in play to a computer for good, even if one keeps it for them already."""
    need_playing(table)
    check_may_expel(table, user_id, player_id, moderates)
    sitter = next((each for each in table.sitters if each.player_id == player_id), None)
    if sitter is None:
        raise NotSeated("They're not playing at Table {name} any more.", name=table.name)
    computer = replace(sitter if sitter.is_computer else computer_for(table, sitter), held_for=None, after_removal=True)
    return replace(left(with_sitters(table, computer), player_id), former=removed(table, player_id))


def check_may_expel(table: Table, user_id: int, player_id: int, moderates: int | None = None) -> None:
    """Raise `NotAllowed` unless the user may remove a player from the game in play.

    Moderators who have no part in it may. The host may only remove players who have been away for too long.
    """
    is_moderator = moderates is not None and moderates == table.place.guild_id and not has_part(table, user_id)
    if not is_moderator:
        need_to_be_host(table, user_id, Text("Only the host of Table {name} can remove players."))
    if player_id == user_id:
        raise NotAllowed("Press **Resign** to give up your own seat.")
    if not is_moderator and any(each.player_id == player_id and not is_away(each) for each in table.sitters):
        raise NotAllowed("Only a moderator who doesn't play here can remove someone from a game.")


def is_away(sitter: Sitter) -> bool:
    """Whether the user of this seat has been away for so long that a computer keeps it, or that it is offered."""
    return sitter.offered or (sitter.held_for is not None and not sitter.stepped_out)


def concedes_alone(table: Table, game: AnyGame, user_id: int) -> bool:
    """Whether the user concedes by resigning: there are two sides, and nobody else plays on theirs, or at the table."""
    sides = game.sides(table.options)
    return len(set(sides)) == 2 and (len(sides) == 2 or not others_to_agree(table, user_id))


def check_concedes_alone(table: Table, game: AnyGame, user_id: int) -> None:
    """Raise `NotAllowed` unless the user may concede for their side without asking."""
    if not concedes_alone(table, game, user_id):
        raise not_allowed(table, Text("You don't play alone at Table {name}. Press **Resign** to see what you can do."))
