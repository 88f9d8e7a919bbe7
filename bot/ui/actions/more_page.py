"""The page behind **More**: the less frequent pages and actions at a table or in a lobby, for whoever asks."""

from collections.abc import Iterable, Sequence
from functools import partial

from msgspec.structs import replace

from bot.records.live_message import Snapshot
from bot.records.table import Table
from bot.tables.hosting import allows_hints, learners
from bot.tables.rematches import opponent
from bot.tables.seating import teams
from bot.texts import gettext as _
from bot.ui.actions.leave_page import moderator_buttons
from bot.ui.actions.permissions import moderated_server
from bot.ui.actions.press import Context, press
from bot.ui.interactions.reply import Reply
from bot.ui.messages.lobby import ALL_SEATS
from bot.ui.posts.names import label_of
from bot.ui.posts.post import Button, Choice, Choices, Post, row_of


@press("more")
@press("table", picks_table=True)
async def more(ctx: Context) -> Reply:
    """Return the less frequent pages, and actions for players and for users who may close the table."""
    table = ctx.table
    if table.status == "lobby":
        return ctx.page(lobby_page(ctx), table, partial(_in_lobby, ctx))
    rows = await _in_play(ctx) if table.status == "playing" else _after_the_end(ctx)
    return ctx.page(Post((_("### Table {name}", name=table.name),), rows=_from_more(rows)), table)


def _from_more(rows: Iterable[Sequence[Button]]) -> tuple[tuple[Button, ...], ...]:
    """Return the rows with buttons whose pages lead back to **More**."""
    return tuple(tuple(replace(button, origin="more") for button in row) for row in rows if row)


async def _in_play(ctx: Context) -> Sequence[Sequence[Button]]:
    """Return what there is during a game: at most six buttons."""
    rules = (Button("describe", _("Board in words")), Button("rules", _("Rules")))
    if ctx.table.sitter(ctx.user_id) is None:
        return _pages(), rules, await moderator_buttons(ctx)
    return _pages(), (*rules, await _hint_or_mark(ctx)), (Button("leaving", _("Leave, pause or end …")),)


async def _hint_or_mark(ctx: Context) -> Button:
    """Return the button of hints, whose page has **Mark**, too; where there is no hint now, **Mark** alone."""
    may_ask = allows_hints(ctx.table, ctx.user_id) and ctx.user_id in await ctx.tables.whose_turn(ctx.table)
    return Button("hint", _("Hint")) if may_ask else Button("mark", _("Mark"))


def _after_the_end(ctx: Context) -> Sequence[Sequence[Button]]:
    """Return what there is after a game, at most six buttons: a rematch, for its players a review; on an old page, too.

    Whoever played against one person can challenge them, on the server. Beside **More**, there is a rematch anyway.
    """
    table = ctx.table
    is_here = ctx.interaction.guild_id in {table.place.guild_id, None}
    may_review = table.is_revealed and table.part_of(ctx.user_id) is not None
    guild_id = table.place.guild_id
    is_on_server = guild_id is not None and ctx.interaction.guild_id == guild_id
    is_below_board = is_on_server and ctx.press.verb == "more"
    may_challenge = is_below_board and opponent(table, ctx.face.game, ctx.user_id) is not None
    first = row_of(
        (table.has_ended and is_here and not may_challenge, Button("again", _("Rematch"), "primary")),
        (may_challenge, Button("challenge-same", _("Challenge"))),
        (table.has_ended and may_review, Button("review", _("Review"))),
    )
    return first, _pages(), (Button("describe", _("Board in words")), Button("rules", _("Rules")))


def _pages() -> tuple[Button, ...]:
    return Button("happened", _("What happened")), Button("about", _("About this game"))


def _may_look_for_players(table: Table) -> bool:
    is_open = not (table.is_full or table.invited_only)
    return is_open and table.place.guild_id is not None and table.looked_at is None


def lobby_page(ctx: Context) -> Post:
    """Return what can be done in a lobby besides joining and starting."""
    table, is_seated = ctx.table, ctx.table.sitter(ctx.user_id) is not None
    is_host = ctx.user_id == table.host_id
    fair = _("🔒 Shuffle") if ctx.face.game.has_hands else _("Fair start")
    pages = (Button("options", _("Options")), Button("rules", _("Rules")), Button("fair", fair))
    leave = row_of((is_seated, Button("leave", _("Leave"), "danger")))
    is_closer = is_host or moderated_server(ctx.interaction, table) is not None
    close = row_of((is_closer, Button("close", _("Close the table"), "danger")))
    rows = [pages, _ways(ctx), (*leave, *close)]
    menu = _partner_menu(ctx) if is_seated else ()
    return Post((_("### Table {name}", name=table.name),), menu, _from_more(rows))


def _ways(ctx: Context) -> tuple[Button, ...]:
    """Return the ways to fill a lobby and, for those who aren't seated, to find another one."""
    table, is_seated = ctx.table, ctx.table.sitter(ctx.user_id) is not None
    is_host, is_on_server = ctx.user_id == table.host_id, table.place.guild_id is not None
    has_seats = table.seats - len(table.sitters) > 1
    return row_of(
        (is_host and has_seats, Button("computer", _("Fill with computers"), argument=ALL_SEATS)),
        (is_host and _may_look_for_players(table), Button("look", _("Find players"))),
        (is_host and is_on_server, Button("thread", _("Open in a thread"))),
        (table.is_full and not is_seated and is_on_server, Button("open-another", _("Open another"))),
        (not is_seated and is_on_server, Button("alert", _("Tell me when"))),
        (is_seated and not is_host and learners(table), Button("no-hints", _("No hints"))),
    )


async def _in_lobby(ctx: Context, snapshot: Snapshot) -> Post | None:
    """Draw the page of a lobby again. It goes once the game starts (a `Draw`)."""
    if snapshot.table.status != "lobby":
        return None
    return lobby_page(Context(ctx.interaction, ctx.press, snapshot.table))


def _partner_menu(ctx: Context) -> tuple[Choices, ...]:
    """Return the menu of a player's partners, where they play in teams."""
    table, sitter = ctx.table, ctx.sitter()
    sides = teams(table, ctx.face.game)
    others = [each for each in table.sitters if each.seat != sitter.seat]
    if not sides or not others:
        return ()
    choices = [
        Choice(str(each.seat), label_of(table, each.seat), is_picked=sides[each.seat] == sides[sitter.seat])
        for each in others
    ]
    return (Choices(_("Play with …"), tuple(choices), verb="partner", origin="more"),)
