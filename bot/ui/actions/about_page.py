"""**About this game**: the options of a table, its fair deal, and after the end its transcript."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from bot.errors import WrongPhase
from bot.records.table import Table
from bot.records.taken_back import TakenBack
from bot.texts import gettext as _, ngettext
from bot.transcript import write
from bot.ui.actions.info_pages import page
from bot.ui.actions.options import guest_menu, options_lines, options_page
from bot.ui.actions.press import Context, press
from bot.ui.interactions.reply import Reply
from bot.ui.posts.face import Face
from bot.ui.posts.layout import page_of, paged
from bot.ui.posts.names import name_of
from bot.ui.posts.post import Button, Post
from bot.ui.posts.text import PAGE, ROW, plain


@press("options")
async def options(ctx: Context) -> Reply:
    """Return the options of a lobby, which its host can change until the start; later, all about the game."""
    return options_page(ctx, ctx.table) if ctx.table.status == "lobby" else await about(ctx)


@press("fair")
async def fair(ctx: Context) -> Reply:
    """Return how the cards of a lobby are shuffled, where players can cut them; later, all about the game."""
    table, has_hands = ctx.table, ctx.face.game.has_hands
    if table.status != "lobby":
        return await about(ctx)
    heading = _("### Who begins · Table {name}", name=table.name)
    if has_hands:  # as on the button that opens it
        heading = _("### 🔒 Shuffle · Table {name}", name=table.name)
    reply = page(ctx, "fair", heading, *_fairness(table, has_hands=has_hands))
    cut = (Button("cut", _("Cut")),) if has_hands else ()
    return replace(reply, post=replace(reply.post, rows=(cut,) if cut else ()))


@press("about")
async def about(ctx: Context) -> Reply:
    """Return a page about the game. The host of a game in play can invite substitutes there."""
    table = ctx.table
    post = about_post(ctx.face, table, await ctx.tables.undos.taken_back(table.id), page_of(ctx.press))
    people = guest_menu(table) if table.status == "playing" and ctx.user_id == table.host_id else None
    return ctx.page(replace(post, people=people), table)


def about_post(face: Face[Any], table: Table, taken_back: Sequence[TakenBack], page: int) -> Post:
    """Return a page with the options and all that is needed to verify the deals: before the end, the commitment."""
    heading = _("### About this game · Table {name}", name=table.name)
    fairness = _fairness(table, has_hands=face.game.has_hands)
    paragraphs = ("\n".join(options_lines(face, table)), *fairness, *_undo_counts(table, taken_back))
    post = paged(heading, paragraphs, "about", page, lines=PAGE - ROW)
    checks = Button("verify", _("Check"), origin="about"), Button("transcript", _("Transcript"))
    below = (*(checks if table.has_ended else ()), Button("report", _("Report a problem")))
    return replace(post, rows=(*post.rows, below))


@press("transcript")
async def _transcript(ctx: Context) -> Reply:
    """Return the transcript of an ended table as a file."""
    table = ctx.table
    if not table.has_ended:
        raise WrongPhase("You can get the transcript when the game is over.")
    text = write(await ctx.tables.transcript(table.id))
    said = _("The transcript of Table {name}. To check it, run `{command}`.", name=table.name, command=_verify(table))
    return Reply(Post((said,), file=(f"table-{table.number}.jsonl", text)))


def _verify(table: Table) -> str:
    """Return the command that checks a transcript, and that it is this table's."""
    return f"python -m bot verify FILE --commitment {table.commitment}"


def _undo_counts(table: Table, taken_back: Sequence[TakenBack]) -> tuple[str, ...]:
    """Return a paragraph with the number of moves that each player took back; none if nobody did."""
    times = Counter(taken_by for _at, taken_by in {(each.undone_at, each.taken_by) for each in taken_back})
    names = {sitter.user_id: name_of(table, sitter.seat) for sitter in table.sitters}
    lines = [
        ngettext("{name} took a move back.", "{name} took {n} moves back.", count, name=names.get(user, _("Someone")))
        for user, count in sorted(times.items())
    ]
    return ("\n".join(lines),) if lines else ()


def _fairness(table: Table, *, has_hands: bool) -> Iterator[str]:
    """Yield how to check the deals, or in games without hands, where nothing else is random, who begins."""
    if table.seed is None:
        yield _sealed(table, has_hands=has_hands)
        yield _("Its SHA-256, to compare later:\n`{commitment}`", commitment=table.commitment)
        if has_hands and table.status == "lobby":
            yield _("Press **Cut** before the start to mix a text of your own into every shuffle.")
        return
    yield _("The seed was\n`{seed}`", seed=table.seed)
    if has_hands:
        yield _("Its SHA-256, shown before the first card:\n`{commitment}`", commitment=table.commitment)
        cuts = "\n".join(f"{name_of(table, s.seat)}: {plain(s.cut) if s.cut else '–'}" for s in table.sitters)
        yield _("Cuts:\n{cuts}", cuts=cuts)
    else:
        yield _("Its SHA-256, shown before the start:\n`{commitment}`", commitment=table.commitment)


def _sealed(table: Table, *, has_hands: bool) -> str:
    """Return when the seed is published."""
    if table.event is not None:
        return _("🔒 Others get these cards too, so you'll see their seed when it's over for everyone.")
    if has_hands:
        return _("🔒 A secret seed fixes every shuffle. You'll see it when the game is over.")
    return _("A secret seed decides who begins. You'll see it when the game is over.")
