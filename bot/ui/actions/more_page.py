"""The page behind **More**: the less frequent pages and actions at a table or in a lobby, for whoever asks."""

from collections.abc import Sequence
from functools import partial

import discord
from msgspec.structs import replace

from bot.games.game import AnyGame
from bot.tables import Snapshot, Table
from bot.tables.hosting import allows_hints, learners
from bot.tables.seating import has_others, teams
from bot.texts import gettext as _
from bot.ui.actions.leaving import removable
from bot.ui.actions.permissions import moderated_server
from bot.ui.actions.press import Context, press
from bot.ui.interactions.reply import Reply
from bot.ui.messages.absence_notice import end_button, step_out_button
from bot.ui.messages.lesson_pages import learn_button
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
    actions = _action_row(ctx)
    undo = row_of((await _can_undo(ctx), Button("undo", _("Undo"))))
    third = _end_row(ctx) or (*undo, *_hint_row(ctx), *_remove_row(ctx.interaction, table))
    if table.status == "playing":  # boards have **Why?** then, which takes the place of their **Rules**
        third = (*third, Button("rules", _("Rules")))
    elif table.status == "over":
        third = (*third, Button("why", _("Why?")))
    every = (_page_row(ctx), third, actions)
    rows = tuple(tuple(replace(button, origin="more") for button in row) for row in every if row)
    if table.sitter(ctx.user_id) is None and ctx.face.lesson is not None:  # spectators may want to know the game
        rows = (*rows, (learn_button(table.game),))
    heading = _("### Table {name}", name=table.name)
    post = Post((heading, ways_to_end(ctx.face.game, table, actions)), rows=rows)
    return ctx.page(post, table)


def _may_look_for_players(table: Table) -> bool:
    is_open = not (table.is_full or table.invited_only)
    return is_open and table.place.guild_id is not None and table.looked_at is None


def lobby_page(ctx: Context) -> Post:
    """Return what can be done in a lobby besides joining and starting."""
    table, is_seated = ctx.table, ctx.table.sitter(ctx.user_id) is not None
    is_host, is_on_server = ctx.user_id == table.host_id, table.place.guild_id is not None
    fair = _("🔒 Shuffle") if ctx.face.game.has_hands else _("Fair start")
    pages = (Button("options", _("Options")), Button("rules", _("Rules")), Button("fair", fair))
    ways = row_of(
        (table.seats - len(table.sitters) > 1, Button("computer", _("Fill with computers"), argument=ALL_SEATS)),
        (_may_look_for_players(table), Button("look", _("Find players"))),
        (is_on_server, Button("thread", _("Open in a thread"))),
        (is_seated and not is_host and learners(table), Button("no-hints", _("No hints"))),
    )
    leave = row_of((is_seated, Button("leave", _("Leave"), "danger")))
    rows = [pages, ways, (*leave, *_action_row(ctx))]
    menu = _partner_menu(ctx) if is_seated else ()
    shown = tuple(tuple(replace(button, origin="more") for button in row) for row in rows if row)
    return Post((_("### Table {name}", name=table.name),), menu, shown)


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


async def _can_undo(ctx: Context) -> bool:
    """Whether the user's last move may be undone, at once or if the others agree."""
    table = ctx.table
    if table.status != "playing" or table.sitter(ctx.user_id) is None or not ctx.tables.has_rulebook(table):
        return False
    sight = await ctx.sight()
    return sight.may_undo or sight.may_ask_undo


def _page_row(ctx: Context) -> tuple[Button, ...]:
    fair = _("Fair deal") if ctx.face.game.has_hands else _("Fair start")
    return (
        Button("describe", _("Board in words")),
        Button("scores", _("Scores")),
        Button("happened", _("What happened")),
        Button("options", _("Options")),
        Button("fair", fair),
    )


def _end_row(ctx: Context) -> tuple[Button, ...]:
    """Return what follows a game: for its players a review, for others the replay. Results have one of their own."""
    table = ctx.table
    if not table.has_ended:
        return ()
    is_here = ctx.interaction.guild_id in {table.place.guild_id, None}
    may_review = table.is_revealed and table.part_of(ctx.user_id) is not None
    look = Button("review", _("Review")) if may_review else Button("replay", _("Replay"))
    again = row_of((is_here, Button("again", _("Rematch"), "primary")))
    return *again, look, Button("rules", _("Rules")), Button("transcript", _("Transcript"))


def _hint_row(ctx: Context) -> tuple[Button, ...]:
    table, user_id = ctx.table, ctx.user_id
    is_playing = table.status == "playing" and table.sitter(user_id) is not None
    may_ask = is_playing and allows_hints(table, user_id)
    return row_of((may_ask, Button("hint", _("Hint"))), (is_playing, Button("mark", _("Mark"))))


def _remove_row(interaction: discord.Interaction, table: Table) -> tuple[Button, ...]:
    """Return the button to remove a player in play. In a lobby, it is among the options."""
    has_any = table.status == "playing" and removable(interaction, table)
    return row_of((has_any, Button("remove", _("Remove a player"))))


def _action_row(ctx: Context) -> tuple[Button, ...]:
    """Return buttons for the user's actions there: as a player, as a substitute, as the host or a moderator."""
    table, user_id = ctx.table, ctx.user_id
    may_close = table.is_open and (user_id == table.host_id or moderated_server(ctx.interaction, table) is not None)
    row: tuple[Button, ...] = ()
    if table.status == "playing" and table.sitter(user_id) is not None:
        row = _player_row(table, user_id, may_close=may_close)
    elif any(sitter.offered for sitter in table.sitters):
        row = (Button("take", _("Take the seat"), "success"),)
    return (*row, Button("close", _("Close the table"), "danger")) if may_close else row


def _player_row(table: Table, user_id: int, *, may_close: bool) -> tuple[Button, ...]:
    is_shared = has_others(table, user_id)
    may_be_away = is_shared or any(sitter.held_for for sitter in table.sitters)
    return row_of(
        (may_be_away, Button("away", _("Someone's away"))),
        (is_shared, step_out_button()),
        (True, Button("resign", _("Resign"), "danger")),
        (is_shared or not may_close, end_button()),  # alone, they can close the table
    )


def ways_to_end(game: AnyGame, table: Table, buttons: Sequence[Button]) -> str:
    """Explain the buttons that end the game for somebody, in small print."""
    resigning = (
        _("**Resign**: the other side wins.")
        if len(set(game.sides(table.options))) == 2
        else _("**Resign**: a computer takes your seat for good.")
    )
    ways = {
        ("step-out", ""): _("**Let a computer play for me**: press anything to come back."),
        ("resign", ""): resigning,
        ("away", "end"): _("**Vote to end**: if everyone agrees, the game ends, with or without a result."),
        ("close", ""): _("**Close the table**: it ends for everyone at once, without a winner."),
    }
    lines = (ways.get((button.verb, button.argument), "") for button in buttons)
    return "\n".join(f"-# {line}" for line in lines if line)
