"""Changes of the lobby, and of the seats in play. Each returns the changed table or raises a refusal. Pure."""

import contextlib
from collections.abc import Mapping

from msgspec.structs import replace

from bot.errors import InvalidOption, LilypadError, NoSuchTable, NotAllowed, NotSeated, Stale, Text, WrongPhase
from bot.fairness import cut_problem
from bot.games.game import AnyGame, Seat
from bot.records.table import Person, Sitter, Table
from bot.store.former_players import how_gone, removed
from bot.tables.defaults import beginner_option, choose
from bot.tables.random_names import computer_name

_PHASES = {
    "lobby": "Table {name} hasn't started yet.",
    "playing": "Table {name} has started.",
    "over": "The game at Table {name} is over.",
    "closed": "Table {name} is closed.",
}


def no_table(ref: str) -> NoSuchTable:
    """Return the error for a number or name that no table has."""
    return NoSuchTable("There's no table {ref} here.", ref=ref)


def wrong_phase(table: Table) -> WrongPhase:
    """Return the error for what isn't possible in the table's phase."""
    return WrongPhase(_PHASES[table.status], name=table.name)


def check_revealed(table: Table, too_early: LilypadError) -> None:
    """Raise an error while the cards of a table are secret: ``too_early`` before its end."""
    if table.is_revealed:
        return
    if not table.has_ended:
        raise too_early
    raise WrongPhase("Others may still play these cards. You can see them when it's over for everyone.")


def seated(table: Table, user_id: int) -> Sitter:
    """Return the user's seat. Raises `NotSeated`."""
    sitter = table.sitter(user_id)
    if sitter is None:
        raise NotSeated("You're not playing at Table {name}.", name=table.name)
    return sitter


def with_sitters(table: Table, *changed: Sitter, without: Sitter | None = None) -> Table:
    """Return the table after changes of its players, who are in the order of their seats."""
    by_seat = {sitter.seat: sitter for sitter in (*table.sitters, *changed) if sitter is not without}
    return replace(table, sitters=tuple(by_seat[seat] for seat in sorted(by_seat)))


def closed(table: Table, why: str | None = None) -> Table:
    """Return the table after it was closed: in play for a reason."""
    return replace(table, status="closed", why=why)


def was_removed(table: Table, user_id: int) -> bool:
    """Whether the host has removed the user from the table. That holds until the table ends."""
    return how_gone(table, user_id) == "removed"


def check_may_sit(table: Table, user_id: int) -> None:
    """Raise `NotAllowed` if the user may not get a seat, in the lobby or in play."""
    match how_gone(table, user_id):
        case "removed":
            raise NotAllowed("The host removed you from Table {name}, so you can't join it again.", name=table.name)
        case "left":  # they may have seen other cards
            raise NotAllowed(
                "You've played at Table {name} before. Someone else has to take this seat.", name=table.name
            )
    if table.invited_only and user_id not in {table.host_id, *table.invited}:
        raise NotAllowed("This table is for invited players.")


def check_may_join(table: Table, user_id: int) -> None:
    """Raise `NotAllowed` if the user may not join a lobby."""
    if keeps_seats(table) and user_id not in {guest.user_id for guest in table.guests}:
        raise NotAllowed("The free seats are kept for the last players. The host can invite you under **Options**.")
    check_may_sit(table, user_id)


def sit(  # noqa: PLR0913, PLR0917 - the last two depend on other tables
    table: Table, game: AnyGame, person: Person, seat: Seat | None, own: Seat | None = None, nth_game: int = 0
) -> Table:
    """Give the person this seat, otherwise ``own`` or the first free one. Players may change to a free seat.

    For somebody else, a full table becomes one for more players.
    """
    sitter = table.sitter(person.id)
    if table.is_open and sitter is not None and seat in {None, sitter.seat}:
        raise NotAllowed("You're already playing at Table {name}.", name=table.name)
    need_changeable(table)
    if sitter is None:
        check_may_join(table, person.id)
        table = _shorter(larger(table, game) or table, game, nth_game)
        place = Sitter(_free_seat(table, seat, own), person.name, person.id, nth_game=nth_game)
    else:
        place = replace(sitter, seat=_free_seat(table, seat, own), name=person.name)
    if place.seat != own:  # not the same people on their seats
        table = replace(table, opening=None)
    guests = tuple([replace(each, is_called=each.is_called and each.user_id != person.id) for each in table.guests])
    return replace(with_sitters(table, place, without=sitter), guests=guests)


def _shorter(table: Table, game: AnyGame, nth_game: int) -> Table:
    """Return a lobby with what the game proposes to learners, once the first one comes, if the host left that open."""
    is_first = nth_game > 0 and not any(sitter.nth_game for sitter in table.sitters)
    if not is_first or any(table.options[key] != value for key, value in game.proposed.items()):
        return table
    return replace(table, options={**table.options, **game.proposed_to_learners})


def larger(table: Table, game: AnyGame) -> Table | None:
    """Return a full lobby as one for more players, all on their seats; ``None`` if it isn't full or can't be larger."""
    if not table.is_full or table.place.guild_id is None:
        return None
    counts = [int(count) for option in game.options if option.key == "players" for count in option.choices]
    for players in sorted(count for count in counts if count > table.seats):
        for options in (table.options, game.chosen(table.options)):
            with contextlib.suppress(InvalidOption):
                settled = game.settle({**options, "players": players})
                return replace(table, options=settled, seats=game.seats(settled), has_grown=True)
    return None


def teams(table: Table, game: AnyGame) -> tuple[int, ...]:
    """Return the side of each seat if two sides play with several players each, otherwise nothing."""
    sides = game.sides(table.options)
    return sides if len(set(sides)) == 2 < len(sides) else ()


def keeps_seats(table: Table) -> bool:
    """Whether a rematch keeps all free seats for players of the last game. The table of a game night keeps none.

    That ends when more seats are free, when the host looks for players, or when they have joined once.
    """
    called = [guest for guest in table.guests if guest.is_called and not guest.is_invited]
    awaited = [guest for guest in called if table.sitter(guest.user_id) is None]
    is_rematch = table.rematch_of is not None
    return is_rematch and table.looked_at is None and 0 < table.seats - len(table.sitters) <= len(awaited)


def set_options(table: Table, game: AnyGame, user_id: int, given: Mapping[str, object], clock: str | None) -> Table:
    """Change options of the lobby and, if given, its clock, for its host. Players move up if there are fewer seats.

    Raises `InvalidOption`, and `NotAllowed` if there are more players than seats.
    """
    need_lobby_host(table, user_id, Text("Only the host of Table {name} can change the options."))
    option = beginner_option(game)
    if option is not None and given.get(option.key, table.options[option.key]) != table.options[option.key]:
        raise NotAllowed("Who begins can only be chosen when the table is opened.")
    options = choose(game, table.options, given)
    seats, sitters = game.seats(options), table.sitters
    if len(sitters) > seats:
        raise NotAllowed(
            "That's for {seats} players, and {n} are here. Remove someone first.", seats=seats, n=len(sitters)
        )
    if any(sitter.seat >= seats for sitter in sitters):
        sitters = tuple([replace(sitter, seat=seat) for seat, sitter in enumerate(sitters)])
    clock = clock or table.clock
    table = table if options == table.options else replace(table, opening=None)
    return replace(table, sitters=sitters, options=options, seats=seats, clock=clock, has_grown=False)


def without_opening(table: Table, game: AnyGame) -> Table:
    """Return the table with its options as they were before it was settled who begins."""
    option = beginner_option(game)
    if option is None or table.opening is None or option.default is None:
        return table
    return replace(table, options={**table.options, option.key: option.default}, opening=None)


def remove(table: Table, user_id: int, seat: Seat, seen: int | None) -> Table:
    """Remove a player or a computer, for the host. ``seen`` is the version that they saw, or ``None``."""
    need_lobby_host(table, user_id, Text("Only the host of Table {name} can remove players."))
    if seen not in {None, table.version}:
        raise Stale("The lobby has changed. Look again.")
    sitter = table.sitter_at(seat)
    if sitter is None:
        raise NotAllowed("Nobody is in that seat at Table {name}.", name=table.name)
    if sitter.user_id == user_id:
        raise NotAllowed("Press **Leave** to give up your own seat.")
    return replace(with_sitters(table, without=sitter), former=removed(table, sitter.user_id))


def stand(table: Table, user_id: int) -> Table:
    """Remove the user from the lobby. The next user becomes the host; without one, the table is closed."""
    sitter = seated(table, user_id)
    need_lobby(table)
    return left(with_sitters(table, without=sitter), user_id)


def cut(table: Table, user_id: int, text: str) -> Table:
    """Set the user's text in the key of the deals; an empty one removes it (G-12)."""
    sitter = seated(table, user_id)
    need_changeable(table)
    if problem := cut_problem(text):
        raise problem
    return with_sitters(table, replace(sitter, cut=text))


def may_start(table: Table, user_id: int) -> None:
    """Raise an error unless all seats are taken and the user has one of them."""
    seated(table, user_id)
    need_lobby(table)
    free = table.seats - len(table.sitters)
    if free == 1:
        raise NotAllowed(
            "One seat is still free at Table {name}. Wait for a player, or add a computer.", name=table.name
        )
    if free:
        raise NotAllowed(
            "{free} seats are still free at Table {name}. Wait for players, or add computers.",
            name=table.name,
            free=free,
        )


def under_current_rules(table: Table, game: AnyGame) -> Table:
    """Return the table with the current rules, even if it was opened under others."""
    if table.rules == game.rules:
        return table
    options = None
    with contextlib.suppress(InvalidOption):
        options = game.settle(table.options)
    if options is None or game.seats(options) != table.seats:
        raise NotAllowed("The rules of {game} have changed. Open a new table.", game=game.title)
    return replace(table, rules=game.rules, options=options)


def seat_for_computer(table: Table, seat: Seat, *, for_absent: bool) -> Seat:
    """Return the seat. Raises `NotAllowed` unless a computer has it, or ``for_absent`` a user."""
    sitter = table.sitter_at(seat)
    if sitter is None or sitter.is_computer is for_absent:
        refusal = (
            "No player has seat {seat} at Table {name}."
            if for_absent
            else "No computer has seat {seat} at Table {name}."
        )
        raise NotAllowed(refusal, seat=seat + 1, name=table.name)
    return seat


def stand_in_at(table: Table, seat: Seat) -> str | None:
    """Return the name of the computer that plays for the absent user of the seat; ``None`` if it plays for itself."""
    sitter = table.sitter_at(seat)
    if sitter is None or not sitter.is_computer:
        return computer_name(table.sitters)
    return None if sitter.held_for is None else sitter.name


def hand_over(table: Table, user_id: int) -> Table:
    """Give the user's seat in play to a computer (G-10). It keeps its cut and, in transcripts, its first name."""
    sitter = seated(table, user_id)
    need_playing(table)
    return left(with_sitters(table, computer_for(table, sitter)), user_id)


def renamed(table: Table, user_id: int, called: tuple[str, int | None]) -> Table:
    """Return the table after the user got another name; transcripts keep the one at the start.

    ``called`` is their name, and the server where they have it: only that of the table counts.
    """
    sitter, (name, guild_id) = table.sitter(user_id), called
    if sitter is None or name == sitter.name or guild_id != table.place.guild_id:
        return table
    if table.status == "lobby":
        return with_sitters(table, replace(sitter, name=name))
    began_as, began_by = sitter.began
    return with_sitters(table, replace(sitter, name=name, started_as=began_as, started_by=began_by))


def computer_for(table: Table, sitter: Sitter, held_for: int | None = None) -> Sitter:
    """Return a computer on the seat of a user, or one that keeps it for them."""
    (began_as, began_by), nth_game = sitter.began, sitter.nth_game if held_for else 0
    computer = Sitter(sitter.seat, computer_name(table.sitters), None, sitter.cut, began_as, held_for)
    return replace(computer, started_by=began_by, level=table.level, nth_game=nth_game)


def step_out(table: Table, user_id: int) -> Table:
    """Let a computer play for a user, who can come back at any time, as long as somebody else plays on."""
    sitter = seated(table, user_id)
    need_playing(table)
    if not has_others(table, user_id):
        raise NotAllowed("Nobody else is playing at Table {name}. It waits for you.", name=table.name)
    computer = replace(computer_for(table, sitter, user_id), stepped_out=True)
    return left(with_sitters(table, computer), user_id)


def has_others(table: Table, user_id: int) -> bool:
    """Whether other people have seats at the table."""
    return any(sitter.user_id not in {user_id, None} for sitter in table.sitters)


def left(table: Table, user_id: int) -> Table:
    """Return the table after a user has left it: perhaps with another host, or closed.

    If only users are left whose seats computers keep, they get those back, and the table waits for them.
    """
    if all(sitter.is_computer for sitter in table.sitters):
        table = with_sitters(table, *[sitter.given_back for sitter in table.sitters])
    users = [sitter.user_id for sitter in table.sitters if sitter.user_id is not None]
    if not users:
        return closed(table, "left" if table.status == "playing" else None)
    return replace(table, host_id=users[0]) if user_id == table.host_id else table


def need_playing(table: Table) -> None:
    """Raise `WrongPhase` before the start and after the end."""
    if table.status != "playing":
        raise wrong_phase(table)


def need_lobby(table: Table) -> None:
    """Raise `WrongPhase` after the start."""
    if table.status != "lobby":
        raise wrong_phase(table)


def need_changeable(table: Table) -> None:
    """Raise an error after the start, and at tables whose deals or moves come from elsewhere."""
    need_lobby(table)
    if table.event is not None or table.continues is not None:
        raise NotAllowed("Everything is fixed at Table {name}. It only has to start.", name=table.name)


def need_host(table: Table, user_id: int, refusal: Text) -> None:
    """Raise `WrongPhase` after the end, and this refusal for others than the host."""
    if not table.is_open:
        raise wrong_phase(table)
    need_to_be_host(table, user_id, refusal)


def need_lobby_host(table: Table, user_id: int, refusal: Text) -> None:
    """Raise `WrongPhase` after the start, and this refusal for others than the host."""
    need_changeable(table)
    need_to_be_host(table, user_id, refusal)


def need_to_be_host(table: Table, user_id: int, refusal: Text) -> None:
    """Raise this refusal unless the user is the host."""
    if user_id != table.host_id:
        raise not_allowed(table, refusal)


def not_allowed(table: Table, refusal: Text) -> NotAllowed:
    """Return the error for what isn't allowed at the table."""
    return NotAllowed(refusal, name=table.name)


def free_seats(table: Table) -> list[Seat]:
    """Return the free seats. Raises `NotAllowed` if there are none."""
    free = [seat for seat in range(table.seats) if table.sitter_at(seat) is None]
    if not free:
        raise NotAllowed("Table {name} is full.", name=table.name)
    return free


def _free_seat(table: Table, seat: Seat | None, own: Seat | None) -> Seat:
    free = free_seats(table)
    if seat is None:
        return own if own in free else free[0]
    if seat not in free:
        raise NotAllowed("That seat isn't free at Table {name}.", name=table.name)
    return seat
