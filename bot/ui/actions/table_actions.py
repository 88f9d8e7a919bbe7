"""Actions at a table that has started: show the board or a hand, play, go to the next table."""

import asyncio
import logging
from collections.abc import Iterable
from functools import partial
from typing import Final

import discord
from msgspec.structs import replace

from bot.errors import AmbiguousTable, IllegalMove, InvalidMove, LilypadError, NotAllowed, Stale, WrongPhase
from bot.records.live_message import Kind, LiveMessage, Snapshot, in_slot, slot_of
from bot.records.table import Table
from bot.tables.finding import is_seated
from bot.tables.seating import check_may_join
from bot.tables.tables import Tables
from bot.texts import either, gettext as _, language, sentence_of
from bot.ui.actions.permissions import lobbies_here
from bot.ui.actions.press import App, Context, press, press_of
from bot.ui.interactions.reply import Reply, Shows, Where, gone, is_on_page, opens, pressed, sentence
from bot.ui.interactions.respond import answer
from bot.ui.live.drawings import computers_next
from bot.ui.live.hands import Note
from bot.ui.messages.board import board_link, named_link
from bot.ui.messages.deal_over import GO_ON
from bot.ui.messages.hand import note, turn
from bot.ui.messages.lesson_pages import learn_button
from bot.ui.messages.result_texts import deal_summary
from bot.ui.posts.face import waiting_line
from bot.ui.posts.names import label_of, name_of, seats_named
from bot.ui.posts.pictures import in_words
from bot.ui.posts.post import Button, Choice, Choices, Post
from bot.ui.posts.text import plain, status_of

log: Final = logging.getLogger(__name__)

COMPUTERS_WITHIN_S: Final = 1.0
"""Maximum wait of a reply for computers to move; it is edited later if they take longer."""
HAND_WITHIN_S: Final = 1.0
"""Maximum wait of a reply for the hand above it to be edited."""


async def ask_which_table(tables: Tables, several: AmbiguousTable, verb: str) -> Reply:
    """Return a menu of tables. The handler of ``verb`` gets the one that is picked."""
    found = [await tables.table(number) for number in several.tables]
    menu = Choices(_("Which table?"), tuple(Choice(t.key, t.name, status_of(t)) for t in found), verb=verb)
    return Reply(Post((sentence_of(several),), (menu,)))


# ---- looking


@press("show", picks_table=True)
async def hand(ctx: Context) -> Reply:
    """Return the user's hand as a private message."""
    ctx.sitter()
    await ctx.go_on()
    return await hand_reply(ctx)


@press("hand")
async def hand_here(ctx: Context) -> Reply:
    """Return the user's hand in place of the pressed message if that is private, otherwise as a new message."""
    if is_watching(ctx):
        return await for_watchers(ctx)
    ctx.sitter()
    ctx.live.expect(ctx.interaction)
    return await hand_answer(ctx, is_changed=await ctx.go_on())


@press(GO_ON)
async def _go_on(ctx: Context) -> Reply:
    """Begin the next deal, and show it where the end of the last one was."""
    if ctx.table.place.guild_id is None and is_board(ctx.pressed_dm, await ctx.tables.messages.of(ctx.table.id)):
        await ctx.go_on()
        return Reply(shows=await ctx.live.show_board(ctx.table))
    return await hand_here(ctx)


def is_watching(ctx: Context) -> bool:
    """Whether the user has no seat at a table in play, and none is kept for them."""
    return ctx.table.status == "playing" and not is_seated(ctx.table, ctx.user_id)


async def for_watchers(ctx: Context) -> Reply:
    """Return what users can do at a table where they don't play."""
    table = ctx.table
    words = _("You're not playing at Table {name}. You can watch, and join the next game.", name=table.name)
    lobbies = await lobbies_here(ctx.tables, ctx.interaction, table.game)
    own = next((lobby for lobby in lobbies if lobby.sitter(ctx.user_id)), None)
    free = next((lobby for lobby in lobbies if has_seat_for(lobby, ctx.user_id)), None)
    if own is not None:
        words += "\n" + _("You've joined **Table {name}**.", name=own.name)
    elif free is not None:
        link = named_link(free, await ctx.tables.messages.of(free.id))
        words += "\n" + _("A seat is free here: {link}. Press **Join**.", link=link)
    row = (Button("describe", _("Board in words")), Button("rules", _("Rules")))
    is_learner = not await ctx.tables.users.has_learned(ctx.user_id, table.game)
    learn = (learn_button(table.game),) if ctx.face.lesson is not None and is_learner else ()
    if own is None and free is None:
        learn = (*learn, Button("open-another", _("Open another")))
    return Reply(Post((words,), rows=((*row, *learn),)), "private", table)


def has_seat_for(lobby: Table, user_id: int) -> bool:
    """Whether a seat is free that the user may take."""
    try:
        check_may_join(lobby, user_id)
    except NotAllowed:
        return False
    return not lobby.is_full


@press("board-at", picks_table=True)
async def board(ctx: Context) -> Reply:
    """Return the public board as a private message."""
    snapshot = await settled(ctx)
    post = await ctx.live.drawings.board(snapshot, language())
    return Reply(post, "private", snapshot.table)


@press("turn")
async def show_turn(ctx: Context) -> Reply:
    """Return the board in words, with menus of the moves; on older boards of games with hands, the hand."""
    if is_watching(ctx):
        return await for_watchers(ctx)
    ctx.sitter()
    if ctx.face.game.has_hands:
        return await hand(ctx)
    if ctx.table.status != "playing":
        raise WrongPhase("There's nothing to play at Table {name} now.", name=ctx.table.name)
    draw, snapshot = partial(_turn, ctx.app, ctx.user_id), await settled(ctx)
    return opens(await draw(snapshot), snapshot.table, "turn", draw)


async def _turn(app: App, user_id: int, snapshot: Snapshot) -> Post:
    table = snapshot.table
    if table.status != "playing" or table.sitter(user_id) is None:
        return await hand_post(app, user_id, snapshot)
    sight = await app.tables.sight(table, user_id)
    return turn(app.faces[table.game], sight)


async def preview(ctx: Context, content: Post | None) -> Reply:
    """Return a private page about a move that isn't made yet. It goes when the table changes.

    A direct message with a hand shows it in place of that. Without ``content``, the move isn't possible any more:
    return the player's hand.
    """
    if content is None:
        return await hand_here(ctx)
    ctx.live.expect(ctx.interaction)
    if (await ctx.tables.users.settings(ctx.user_id)).hands != "pictures":
        content = in_words(content)
    if pressed(ctx.interaction, await ctx.tables.messages.of(ctx.table.id), Kind.HAND):
        note = Note(ctx.table.version, in_place=content)
        return Reply(shows=ctx.live.show_hand(ctx.table, ctx.user_id, note))
    return beside_board(ctx, ctx.table, content)


async def flood_over(interaction: discord.Interaction) -> None:
    """Show a player the hand whose presses were too fast to be processed."""
    pressed = press_of(interaction)
    if pressed is None or not pressed.key:
        return
    ctx = Context(interaction)
    try:
        table = await ctx.tables.finder.by_key(pressed.key, ctx.visitor)
    except LilypadError as error:
        log.info("no hand is shown after a flood: %s", error)
        return
    if table.status != "playing" or table.sitter(ctx.user_id) is None:
        return
    if ctx.pressed_dm is not None:
        ctx.live.show_hand(table, ctx.user_id)
    else:
        await answer(interaction, hand(Context(interaction, table=table)))


# ---- playing


@press("play")
@press("play-hint")
@press("pick")
async def _play_pressed(ctx: Context) -> Reply:
    """Play the move in a button, or the one that was picked in a menu."""
    return await play(ctx, ctx.picked or ctx.press.argument)


async def play(ctx: Context, text: str) -> Reply:
    """Play a move in notation. If the version that the user saw is stale, return the current hand."""
    table_id, user_id = ctx.table.id, ctx.user_id
    ctx.live.expect(ctx.interaction)
    try:
        called = ctx.person.name, ctx.interaction.guild_id
        await ctx.tables.play(table_id, user_id, text, ctx.seen, called)
        ctx.live.ping_timing.active(table_id, user_id)
        ctx.live.ping_timing.pressed(table_id, user_id)  # the reply shows whether it's their turn again
        notice = ""
    except Stale as stale:
        notice = sentence_of(stale)
    except IllegalMove as refusal:
        raise await _named(ctx, refusal) from None
    if not notice and ctx.press.verb == "play-hint" and (reply := await _beside_direct_message(ctx)):
        return reply
    return await hand_answer(ctx, notice, is_changed=not notice)


async def _beside_direct_message(ctx: Context) -> Reply | None:
    """Return the answer to a move that was made beside the direct message with the hand, if it was.

    It says that the hand shows what's next, so it waits until the hand does, unless that takes long.
    """
    snapshot = await settled(ctx)
    live = in_slot(snapshot.messages, slot_of(Kind.HAND, ctx.user_id))
    if live is None or live.channel_id != ctx.interaction.channel_id or not is_on_page(ctx.interaction):
        return None
    await asyncio.wait({ctx.live.refresh(ctx.table.id)}, timeout=HAND_WITHIN_S)
    has_hands = ctx.face.game.has_hands
    words = _("Played. Your hand above shows what's next.") if has_hands else _("Played. See the board above.")
    return opens(sentence(words), snapshot.table, "hint", gone, where="here")


async def play_about(ctx: Context, verb: str, who: str, ruling: str) -> Reply:
    """Play a move that names a player, such as ``liar 2``; if several match, ask which."""
    table = ctx.table
    seats = seats_named(table, who)
    if not seats:
        raise InvalidMove("There's nobody called {who} at Table {name}.", ruling, who=plain(who), name=table.name)
    if len(seats) == 1:
        return await play(ctx, f"{verb} {seats[0]}")
    names = [_("**{name}** (seat {n})", name=name_of(table, seat), n=seat + 1) for seat in seats]
    buttons = tuple(Choice(f"{verb} {seat}", label_of(table, seat)) for seat in seats)
    question = _("Which player do you mean: {names}?", names=either(names))
    return Reply(Post((question,), (Choices("", buttons, as_buttons=True),)), "private", table)


async def _named(ctx: Context, refusal: IllegalMove) -> IllegalMove:
    """Return the refusal of a move. Players who aren't to move read whose turn it is instead."""
    waiting = waiting_line(ctx.face, await ctx.tables.look(ctx.table.id, ctx.user_id))
    return refusal if waiting is None else IllegalMove("{waiting}", refusal.ruling, waiting=waiting)


# ---- the next table


@press("next")
async def _next_table(ctx: Context) -> Reply:
    """Return the hand at the table that has waited longest for the user."""
    for seat in await ctx.tables.lists.seats(ctx.user_id, None, None, 1):
        if seat.is_waiting:
            return await hand(await ctx.at(seat.table))
    return Reply(sentence(_("No table is waiting for you.")), "here")


# ---- questions to others


def asking(ctx: Context, table: Table, words: str) -> Reply:
    """Return the private reply to a player who asks the others. It follows what becomes of the question."""
    is_answered = False

    async def follow(snapshot: Snapshot) -> Post | None:
        nonlocal is_answered
        latest = snapshot.table
        has_moved_on = latest.version > table.version
        if latest.status != "playing" or latest.undone_at > table.version or (has_moved_on and is_answered):
            return None
        if has_moved_on:
            return sentence(_("The game has moved on, so your question is void."))
        asked = await ctx.live.drawings.asked(snapshot, ctx.user_id)
        is_answered = asked is None or not asked.void
        return asked and Post((asked.text,), rows=(asked.row,) if asked.row else ())

    return opens(sentence(words), table, "question", follow)


# ---- replies with hands


async def hand_post(app: App, user_id: int, snapshot: Snapshot) -> Post:
    """Return the hand for a player who asked for it, or a note in its place."""
    if not await _has_note(app, snapshot, user_id):
        return (await app.live.drawings.hand(snapshot, user_id, asked=True)).post
    sight = await app.tables.sight(snapshot.table, user_id)
    return note(app.faces[sight.table.game], sight, board_link(sight.table, snapshot.messages))


async def _has_note(app: App, snapshot: Snapshot, user_id: int) -> bool:
    """Whether private answers about the table are notes: in games without hands, while others are to move.

    Players who want no board of buttons get it in words instead.
    """
    table = snapshot.table
    is_on = table.status in {"playing", "over"} and app.tables.has_rulebook(table)
    has_seat = table.sitter(user_id) is not None
    if not (is_on and has_seat) or app.faces[table.game].game.has_hands:
        return False
    return not snapshot.reader(user_id).settings.prefers_menus and user_id not in await app.tables.whose_turn(table)


async def settled(ctx: Context) -> Snapshot:
    """Return the table once its computers have moved, if they do so soon."""
    await ctx.app.settle(ctx.table.id, COMPUTERS_WITHIN_S)
    return await ctx.tables.snapshot(ctx.table.id)


async def hand_reply(ctx: Context) -> Reply:
    """Return the hand as a new private message, which is kept up to date."""
    snapshot, user_id = await settled(ctx), ctx.user_id
    content = await hand_post(ctx.app, user_id, snapshot)
    if await _has_note(ctx.app, snapshot, user_id):
        return beside_board(ctx, snapshot.table, content)
    draw = partial(hand_post, ctx.app, user_id)
    return opens(content, snapshot.table, "hand", draw)


async def hand_answer(ctx: Context, notice: str = "", *, is_changed: bool = False) -> Reply:
    """Return the current hand in place of the pressed message, with a notice below it.

    A direct message shows it by itself, at once if the table ``is_changed``. The caller has let it expect that
    (`LiveMessages.expect`).
    """
    if ctx.pressed_dm is not None:
        return await _in_direct_message(ctx, notice, is_changed=is_changed)
    snapshot, user_id = await settled(ctx), ctx.user_id
    content = _with_notice(await hand_post(ctx.app, user_id, snapshot), notice)
    if await _has_note(ctx.app, snapshot, user_id):
        return beside_board(ctx, snapshot.table, content)
    return opens(content, snapshot.table, "hand", partial(hand_post, ctx.app, user_id), where="here")


async def _in_direct_message(ctx: Context, notice: str, *, is_changed: bool) -> Reply:
    """Return what a direct message shows after it was pressed.

    The hand of a finished deal becomes the summary of that deal; the next deal has its own message.
    """
    snapshot, user_id = await settled(ctx), ctx.user_id
    table, messages = snapshot.table, snapshot.messages
    await ctx.live.try_direct_messages(user_id, is_closed=snapshot.reader(user_id).dm_closed)
    if is_board(ctx.pressed_dm, messages):
        return await hand_reply(ctx)  # the board of a table in direct messages
    if pressed(ctx.interaction, messages, Kind.HAND):
        if is_changed and not (notice or await computers_next(ctx.tables, table)):
            return Reply(shows=Shows(table.id, user_id))
        return Reply(shows=ctx.live.show_hand(table, user_id, Note(table.version, notice) if notice else None))
    live = in_slot(messages, slot_of(Kind.HAND, user_id))
    if live is not None and (ctx.pressed_dm or 0) < live.sent_id:
        return Reply(deal_summary(ctx.face, await ctx.tables.sight(table, user_id)), "here", table)
    hand = await ctx.live.drawings.hand(snapshot, user_id)
    return Reply(_with_notice(hand.post, notice), "here", table)


def beside_board(ctx: Context, table: Table, content: Post) -> Reply:
    """Return a private message about the board in sight: it replaces the one before, and goes with the next move.

    If the player pressed a private message, it is replaced in place.
    """
    where: Where = "here" if is_on_page(ctx.interaction) else "private"
    return opens(content, table, "turn", gone, where=where)


def is_board(message_id: int | None, recorded: Iterable[LiveMessage]) -> bool:
    """Whether a message is the board of the table with these messages."""
    return any(each.kind is Kind.BOARD and each.message_id == message_id for each in recorded)


def _with_notice(content: Post, notice: str) -> Post:
    return replace(content, paragraphs=(*content.paragraphs, f"-# {notice}")) if notice else content
