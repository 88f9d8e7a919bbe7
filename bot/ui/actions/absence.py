"""Actions about absent players, remedies, votes and substitutes, and about closing a table."""

from msgspec.structs import replace

from bot.errors import PlayError, Stale
from bot.records.live_message import Snapshot
from bot.records.table import Table
from bot.tables.absence.deadlines import DAY
from bot.tables.absence.votes import ENDS, REMEDIES, Remedy, Standstill, judge, may_count_alone
from bot.tables.closing import others_to_agree
from bot.texts import gettext as _, listed
from bot.ui.actions.leaving import defeat_note
from bot.ui.actions.permissions import moderated_server
from bot.ui.actions.press import Context, press
from bot.ui.actions.table_actions import asking
from bot.ui.interactions.reply import Opens, Reply, sentence
from bot.ui.messages.absence_notice import remedy_buttons, remedy_names, vote_lines
from bot.ui.messages.lobby import clock_names
from bot.ui.messages.result_texts import standing_to_count
from bot.ui.posts.names import name_of
from bot.ui.posts.post import Button, Post


@press("take")
async def _take_seat(ctx: Context) -> Reply:
    """Take over the seat of an absent player as their substitute."""
    table = (await ctx.tables.waiting.take_seat(ctx.table.id, ctx.person)).table
    return Reply(sentence(_("You're playing at **Table {name}** now. Your moves are on the board.", name=table.name)))


@press("away")
async def _away(ctx: Context) -> Reply:
    """Show the page on absent players, ask whether to end the table, or apply the remedy that was chosen."""
    remedy = next((remedy for remedy in REMEDIES if remedy == ctx.press.argument), None)
    if remedy is None:
        return await _page(ctx)
    return await (_ask_to_end(ctx) if remedy in ENDS else _move_on(ctx, remedy))


async def _page(ctx: Context) -> Reply:
    """Return the page on absent players: the names, the times, and the user's possible actions."""
    table, standstill = ctx.table, await ctx.tables.waiting.standstill(ctx.table)
    if not standstill.waited_for:
        raise PlayError("Table {name} isn't waiting for anyone.", name=table.name)
    if [sitter.user_id for sitter in table.sitters if sitter.seat in standstill.waited_for] == [ctx.user_id]:
        raise PlayError("Nobody is away: it's your turn at **Table {name}**.", name=table.name)
    names = listed([name_of(table, seat) for seat in standstill.waited_for])
    clock = clock_names()[table.clock]
    early = _way(_("Computer"), standstill, "play")
    late = _way(_("Substitute, or end the table"), standstill, "substitute")
    lines = (
        _("### Table {name} is waiting for {names}", name=table.name, names=names),
        _("Their turn began {when}. {clock}.", when=f"<t:{standstill.since:.0f}:R>", clock=clock),
        f"{early}\n{late}",
        _("If everyone agrees, you can end the table at any time."),
        *vote_lines(table, standstill),
        "-# " + _("They can come back by pressing any button, and take their seat back from a computer."),
    )
    return ctx.page(Post(lines, rows=(remedy_buttons(standstill),)), table)


async def _ask_to_end(ctx: Context) -> Reply:
    """Ask whether to end the table. The page follows the votes, and goes when the table has ended."""

    async def draw(snapshot: Snapshot) -> Post | None:
        is_on = snapshot.table.status == "playing" and snapshot.table.sitter(ctx.user_id) is not None
        return await _end_question(ctx, snapshot.table) if is_on else None

    return ctx.page(await _end_question(ctx, ctx.table), ctx.table, draw)


async def _end_question(ctx: Context, table: Table) -> Post:
    """Ask whether to end the table, and whether what has been scored so far counts."""
    standstill = await ctx.tables.waiting.standstill(table)
    verdict = judge(table, standstill, ctx.user_id, "end")
    asked = _("End **Table {name}** now? You can't take this back.", name=table.name)
    if not verdict.granted:
        asked = _(
            "Vote to end **Table {name}** now? Yours makes {votes} of {needed} votes. Any move cancels the vote.",
            name=table.name,
            votes=verdict.votes,
            needed=verdict.needed,
        )
    uncounted = Button("ended", _("Without a result"), "danger")
    if not others_to_agree(table, ctx.user_id):
        uncounted = Button("ended", _("End it"), "danger")
        asked = f"{asked} {defeat_note(table)}".rstrip()
    post = await _whether_it_counts(ctx, table, asked, uncounted, Button("hand", _("Play on")))
    return replace(post, paragraphs=(*post.paragraphs, *vote_lines(table, standstill)))


@press("ended")
@press("counted")
async def _answer_to_end(ctx: Context) -> Reply:
    """Vote for an end, unless the table has moved on since the question: then ask again."""
    if ctx.table.status == "playing" and ctx.press.version != ctx.table.version:
        page = await _ask_to_end(ctx)
        notice = "-# " + _("The game has moved on.")
        return replace(page, post=replace(page.post, paragraphs=(*page.post.paragraphs, notice)), where="here")
    ctx.live.expect(ctx.interaction)  # the answer takes the place of the question
    reply = await _move_on(ctx, "count" if ctx.press.verb == "counted" else "end")
    return replace(reply, where="here", shows=reply.shows or Opens(ctx.table, "page"))


@press("close")
async def ask_to_close(ctx: Context) -> Reply:
    """Ask for confirmation to close a table; where other people play, ask them whether to end it."""
    table = ctx.table
    is_playing = table.status == "playing" and table.sitter(ctx.user_id) is not None
    if is_playing and others_to_agree(table, ctx.user_id):
        return await _ask_to_end(ctx)
    await ctx.tables.check_may_close(table, ctx.user_id, moderates=moderated_server(ctx.interaction, table))
    close = Button("closed", _("Close the table"), "danger")
    if not is_playing:
        asked = _("Close **Table {name}** for everyone, without a winner? You can't take this back.", name=table.name)
        if table.status == "playing":
            asked += "\n" + _("The board will say that you closed it.")
        return Reply(Post((asked,), rows=((close, Button("more", _("Keep it"))),)), "private", table)
    asked = _("Close **Table {name}** now? You can't take this back.", name=table.name)
    asked = f"{asked} {defeat_note(table)}".rstrip()
    if may_count_alone(table, ctx.user_id):
        return ctx.page(await _whether_it_counts(ctx, table, asked, close, Button("more", _("Keep it"))), table)
    return Reply(Post((asked,), rows=((close, Button("more", _("Keep it"))),)), "private", table)


async def _whether_it_counts(ctx: Context, table: Table, asked: str, uncounted: Button, back: Button) -> Post:
    """Ask whether a table that is to end counts as it stands, or whether it ends as the button ``uncounted`` says."""
    if (standing := await ctx.tables.standing(table)) is not None:
        asked += "\n" + standing_to_count(ctx.face, table, standing)
    return Post((asked,), rows=((uncounted, Button("counted", remedy_names()["count"], "danger"), back),))


@press("closed")
async def _close(ctx: Context) -> Reply:
    server_id, table = moderated_server(ctx.interaction, ctx.table), ctx.table
    receipt = await ctx.tables.close(table.id, ctx.user_id, moderates=server_id, called=ctx.person.name)
    return Reply(sentence(_("**Table {name}** is closed.", name=receipt.table.name)), "here")


@press("agree-end")
async def _agree(ctx: Context) -> Reply:
    """Vote as others do, on the hand that shows their question."""
    if ctx.press.version != ctx.table.version:
        return Reply(sentence(_("The game has moved on, so there's nothing to agree to.")))
    return await _move_on(ctx, "count" if ctx.press.argument == "count" else "end")


@press("refuse-end")
async def _refuse(ctx: Context) -> Reply:
    try:
        await ctx.tables.waiting.refuse_to_end(ctx.table.id, ctx.user_id, ctx.press.version)
    except Stale:
        return Reply(sentence(_("The game has moved on, so there's nothing to agree to.")))
    ctx.live.asked(ctx.table.id)
    return Reply(sentence(_("You said no. The game goes on.")))


async def _move_on(ctx: Context, remedy: Remedy) -> Reply:
    """Apply a remedy, or count the user's vote for it."""
    table = ctx.table
    verdict = await ctx.tables.waiting.move_on(table.id, ctx.user_id, remedy)
    if not verdict.granted:
        ctx.live.asked(table.id)
        voted = _(
            "You voted at **Table {name}**. **{remedy}** has {votes} of {needed} votes.",
            name=table.name,
            remedy=remedy_names()[remedy],
            votes=verdict.votes,
            needed=verdict.needed,
        )
        return asking(ctx, table, voted) if remedy in ENDS else Reply(sentence(voted))
    if remedy == "play":
        for seat in verdict.seats:
            await ctx.app.stand_in(table.id, seat, verdict.version)
    return Reply(sentence(_done(remedy, table.name, invited_only=table.invited_only)))


def _done(remedy: Remedy, name: str, *, invited_only: bool) -> str:
    done = {
        "play": _("A computer plays this turn at **Table {name}**.", name=name),
        "seat": _("A computer has the seat at **Table {name}** now.", name=name),
        "substitute": _("Invited players can take the seat at **Table {name}** now.", name=name)
        if invited_only
        else _("Anyone can take the seat at **Table {name}** now.", name=name),
        "end": _("**Table {name}** has ended.", name=name),
        "count": _("**Table {name}** has ended, and counts as it stands.", name=name),
    }
    return done[remedy]


def _way(what: str, standstill: Standstill, remedy: Remedy) -> str:
    """Explain how players may apply a remedy, and from when on."""
    if standstill.is_due(remedy):
        return _("**{what}:** any player can do this now.", what=what)
    when = _moment(standstill.due_at(remedy), standstill)
    if len(standstill.voters) < 2 or standstill.vote_at(remedy) >= standstill.due_at(remedy):
        return _("**{what}:** any player can do this from {when}.", what=what, when=when)
    values = {"what": what, "votes": standstill.needed, "voters": len(standstill.voters), "when": when}
    if standstill.is_votable(remedy):
        return _("**{what}:** {votes} of {voters} votes now, or any player alone from {when}.", **values)
    vote_when = _moment(standstill.vote_at(remedy), standstill)
    return _(
        "**{what}:** {votes} of {voters} votes from {vote_when}, or any player alone from {when}.",
        **values,
        vote_when=vote_when,
    )


def _moment(at: float, standstill: Standstill) -> str:
    """Return a time in the time zone of whoever reads it, with the date if that isn't soon."""
    is_soon = at - standstill.began - standstill.waited_s < DAY / 2
    return f"<t:{at:.0f}:{'t' if is_soon else 'f'}>"
