"""Private pages about a table: rules, scores, recent events, the fair deal and the transcript."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from bot.errors import PlayError, WrongPhase
from bot.games.typed import clean
from bot.tables import Table, TakenBack
from bot.texts import gettext as _, language, ngettext
from bot.texts.rules_pages import ADVICE, GENERAL, topics
from bot.transcript import write
from bot.ui.actions.press import Context, press
from bot.ui.interactions.reply import Reply
from bot.ui.messages.board import heading_of
from bot.ui.messages.lesson_pages import learn_button, puzzles_button
from bot.ui.messages.replay_pages import computers_moves
from bot.ui.messages.result_texts import happened, headline, why as why_post
from bot.ui.posts.custom_id import Outdated, parse_number
from bot.ui.posts.layout import page_heading, page_of, paged
from bot.ui.posts.names import name_of
from bot.ui.posts.pictures import in_words
from bot.ui.posts.post import Button, Choice, Choices, Figure, Post
from bot.ui.posts.text import PROOF_DIGITS, plain, title_of

_NUMBER: Final = re.compile(r"^\d+\. ")
"""The number of a topic. Headings leave it out, as they show the page's number."""


def page(ctx: Context, verb: str, heading: str, paragraphs: Iterable[str], *, is_newest_first: bool = False) -> Reply:
    """Return a page of a text about the table. ``verb`` is that of the handler, which turns the pages."""
    post = paged(heading, paragraphs, verb, page_of(ctx.press), is_newest_first=is_newest_first)
    return ctx.page(post, ctx.table)


# ---- the rules


async def rules(ctx: Context, game: str, topic: int = 0, page: int = 0) -> Post:
    """Return a page of a game's rules. Its picture is for users who want hands as pictures, too."""
    title = _("All games") if game == GENERAL else title_of(ctx.faces[game].game)
    post = rules_page(title, game, topic, page)
    if page == 0 and game != GENERAL:
        post = replace(post, rows=((*post.rows[0], *_to_play(ctx, game, topic)),))
    if post.scene is None or (await ctx.tables.users.settings(ctx.user_id)).hands == "pictures":
        return post
    return in_words(post)


def _to_play(ctx: Context, game: str, topic: int) -> tuple[Button, ...]:
    """Return the button of what can be played beside a topic: the lesson, or the puzzles."""
    face = ctx.faces[game]
    if topic == ADVICE:
        return (puzzles_button(game),) if face.puzzles else ()
    return (learn_button(game),) if topic == 0 and face.lesson is not None else ()


async def rules_named(ctx: Context, game: str, title: str | None) -> Post:
    """Return the first page of the first topic whose title contains ``title``, by default of the first topic."""
    wanted = clean(title or "").casefold()
    numbers = [i for i, topic in enumerate(topics(game, language())) if wanted in clean(topic.title).casefold()]
    if not numbers:
        raise PlayError("The rules have no topic “{topic}”. Pick one from the list.", topic=plain(title or ""))
    return await rules(ctx, game, numbers[0])


@press("rules")
async def _turn_page(ctx: Context) -> Reply:
    if not ctx.press.argument:
        return await _show_rules(ctx, await rules(ctx, ctx.table.game))
    game, *where = (ctx.picked or ctx.press.argument).split(".")
    return await _show_rules(ctx, await _rules_at(ctx, game, where))


@press("topic")
async def _pick_topic(ctx: Context) -> Reply:
    return await _show_rules(ctx, await _rules_at(ctx, ctx.press.argument.split(".")[0], (ctx.picked, "0")))


async def _rules_at(ctx: Context, game: str, where: Sequence[str]) -> Post:
    if game not in ctx.faces and game != GENERAL:
        raise PlayError("That game isn't here any more.")
    numbers = [parse_number(text) for text in where]
    if len(numbers) != 2 or numbers[0] >= len(topics(game, language())):
        raise Outdated
    return await rules(ctx, game, *numbers)


async def _show_rules(ctx: Context, post: Post) -> Reply:
    if ctx.press.key:
        return ctx.page(post, ctx.table)
    return Reply(post, "private" if ctx.press.origin else "here")


def rules_page(title: str, game: str, topic: int, page: int) -> Post:
    """Return a page of the rules of the game with this title, with a menu of topics and buttons to turn pages."""
    every = topics(game, language())
    here = every[min(topic, len(every) - 1)]
    page = min(page, len(here.pages) - 1)
    heading = page_heading(f"### {title} · {_NUMBER.sub('', here.title)}", page, len(here.pages))
    menu = Choices(
        _("Another topic"),
        tuple(Choice(str(i), t.title, is_picked=t is here) for i, t in enumerate(every)),
        verb="topic",
        argument=game,
    )
    onward = (topic, page + 1) if page + 1 < len(here.pages) else (topic + 1, 0)
    back = (topic, page - 1) if page else (topic - 1, len(every[topic - 1].pages) - 1)
    buttons = tuple(
        Button("rules", label, argument=f"{game}.{where[0]}.{where[1]}")
        for label, where in ((_("Previous"), back), (_("Next"), onward))
        if 0 <= where[0] < len(every)
    )
    above, picture, below = here.pages[page]
    if picture is None:
        return Post((heading, above), (menu,), (buttons,))
    figure = Figure(str(picture.file), picture.alt, (f"{heading}\n{above}".strip(),), (below,))
    return Post((), (menu,), (buttons,), scene=figure)


# ---- what happened


@press("describe")
async def _describe(ctx: Context) -> Reply:
    """Return the board in words, below the decision or, after the game, who won."""
    table, face, observation = await ctx.public()
    heading = heading_of(face, table, observation)
    first = face.prompt(table, observation) if table.status == "playing" else ""
    if observation.outcome is not None:
        first = f"**{headline(face, table, observation.outcome)}**"
    return page(ctx, "describe", heading, filter(None, (first, *face.describe(table, observation))))


@press("scores")
async def scores(ctx: Context) -> Reply:
    """Return the scores of each finished deal."""
    table, face, observation = await ctx.public()
    heading = _("### Scores · Table {name}", name=table.name)
    return page(ctx, "scores", heading, face.scores(table, observation), is_newest_first=True)


@press("happened")
async def _happened(ctx: Context) -> Reply:
    """Return the last events in full, and after the end a way to ask computers about theirs."""
    sight = await ctx.tables.sight(ctx.table, None)
    lines = "\n".join(reversed(happened(ctx.face, sight))) or _("Nothing has happened yet.")
    reply = page(ctx, "happened", _("### What happened · Table {name}", name=sight.table.name), (lines,))
    if not ctx.table.is_revealed:
        return reply
    asked = computers_moves(ctx.face, await ctx.tables.replays.look(ctx.table.id, ctx.user_id))
    return replace(reply, post=replace(reply.post, choices=asked))


# ---- the fair deal


@press("fair")
async def _fair_deal(ctx: Context) -> Reply:
    """Return all that is needed to verify the deals: the commitment, and after the end the seed and the cuts."""
    table, has_hands = ctx.table, ctx.face.game.has_hands
    heading = _("### Who begins · Table {name}", name=table.name)
    if has_hands:
        heading = _("### Fair deal · Table {name}", name=table.name)
        if table.status == "lobby":  # as on the button that opens it
            heading = _("### 🔒 Shuffle · Table {name}", name=table.name)
    undos = _undo_counts(table, await ctx.tables.undos.taken_back(table.id))
    reply = page(ctx, "fair", heading, (*_fairness(table, has_hands=has_hands), *undos))
    if not has_hands or table.status != "lobby":
        return reply
    return replace(reply, post=replace(reply.post, rows=((Button("cut", _("Cut")),),)))


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
    return f"python -m bot verify FILE --commitment {table.commitment[:PROOF_DIGITS]}"


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
        check = _("To check every deal, download the transcript and run `{command}`.", command=_verify(table))
    else:
        yield _("Its SHA-256, shown before the start:\n`{commitment}`", commitment=table.commitment)
        check = _("To check who begins, download the transcript and run `{command}`.", command=_verify(table))
    yield f"-# {check}"


def _sealed(table: Table, *, has_hands: bool) -> str:
    """Return when the seed is published."""
    if table.event is not None:
        return _("🔒 Others get these cards too, so you'll see their seed when it's over for everyone.")
    if has_hands:
        return _("🔒 A secret seed fixes every shuffle. You'll see it when the game is over.")
    return _("A secret seed decides who begins. You'll see it when the game is over.")


@press("why")
@press("why-at", picks_table=True)
async def why(ctx: Context) -> Reply:
    """Return why what was scored last counts what it does, as the user's seat or the public may know it."""
    return ctx.page(why_post(ctx.face, await ctx.sight()), ctx.table)
