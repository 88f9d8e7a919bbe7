"""Private pages about a table: its rules, the board in words, and why something counts what it does."""

import re
from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from bot.errors import PlayError
from bot.games.typed import clean
from bot.texts import gettext as _, language
from bot.texts.rules_pages import ADVICE, GENERAL, as_read, topics
from bot.ui.actions.press import Context, press
from bot.ui.interactions.reply import Reply
from bot.ui.messages.board import heading_of
from bot.ui.messages.deal_over import board_over
from bot.ui.messages.lesson_pages import learn_button, puzzles_button
from bot.ui.messages.result_texts import headline, why as why_post
from bot.ui.posts.custom_id import Outdated, parse_number
from bot.ui.posts.layout import page_heading, page_of, paged
from bot.ui.posts.pictures import in_words
from bot.ui.posts.post import Button, Choice, Choices, Figure, Post
from bot.ui.posts.text import PAGE, plain, title_of

_NUMBER: Final = re.compile(r"^\d+\. ")
"""The number of a topic. Headings leave it out, as they show the page's number."""
_RULING: Final = re.compile(r"[A-Z]{1,2}-\d+")


def page(ctx: Context, verb: str, heading: str, *paragraphs: str) -> Reply:
    """Return a page of a text about the table. ``verb`` is that of the handler, which turns the pages."""
    post = paged(heading, filter(None, paragraphs), verb, page_of(ctx.press), lines=PAGE)
    return ctx.page(post, ctx.table)


# ---- the rules


async def rules(ctx: Context, game: str, topic: int = 0, page: int = 0, ruling: str = "") -> Post:
    """Return a page of a game's rules, with a mark at a ruling. Its picture is for users who want hands as pictures."""
    title = _("All games") if game == GENERAL else title_of(ctx.faces[game].game)
    post = rules_page(title, game, topic, page, ruling)
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
    numbers, (ruling, *others) = [parse_number(text) for text in where[:2]], (*where[2:], "")
    if len(numbers) != 2 or numbers[0] >= len(topics(game, language())):
        raise Outdated
    if any(others) or not (ruling == "" or _RULING.fullmatch(ruling)):
        raise Outdated
    topic, number = numbers
    return await rules(ctx, game, topic, number, ruling)


async def _show_rules(ctx: Context, post: Post) -> Reply:
    if ctx.press.key:
        return ctx.page(post, ctx.table)
    return Reply(post, "private" if ctx.press.origin else "here")


def rules_page(title: str, game: str, topic: int, page: int, ruling: str = "") -> Post:
    """Return a page of the rules of the game with this title, with a menu of topics and buttons to turn pages.

    What explains the ``ruling`` is marked.
    """
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
    above, below = as_read(above, ruling), as_read(below, ruling)
    if picture is None:
        return Post((heading, above), (menu,), (buttons,))
    figure = Figure(str(picture.file), picture.alt, (f"{heading}\n{above}".strip(),), (below,))
    return Post((), (menu,), (buttons,), scene=figure)


# ---- the board in words, and why it counts


@press("describe")
async def _describe(ctx: Context) -> Reply:
    """Return the board in words, below the decision or, after the game, who won."""
    table, face, observation = await ctx.public()
    sight = await ctx.tables.sight(table)
    if sight.before is not None:
        return page(ctx, "describe", *board_over(face, sight).paragraphs)
    heading = heading_of(face, table, observation)
    first = face.prompt(table, observation) if table.status == "playing" else ""
    if observation.outcome is not None:
        first = f"**{headline(face, table, observation.outcome)}**"
    return page(ctx, "describe", heading, first, *face.describe(table, observation))


@press("why")
@press("why-at", picks_table=True)
async def why(ctx: Context) -> Reply:
    """Return why what was scored last counts what it does, as the user's seat or the public may know it."""
    post = why_post(ctx.face, await ctx.sight())
    reply = page(ctx, "why", *post.paragraphs)
    return replace(reply, post=replace(reply.post, rows=(*reply.post.rows, *post.rows)))
