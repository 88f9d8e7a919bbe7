"""Reviews: the dearest decisions of a player in a game that has ended. They ask before they tell."""

import asyncio
import math
import random
from collections.abc import Sequence
from typing import Any, Final

from msgspec.structs import replace

from bot import computer
from bot.computer.thoughts import Cause
from bot.errors import NotAllowed
from bot.games.game import Move
from bot.records.table import Table
from bot.tables.replays import Glimpse, Vantage, took_part
from bot.texts import gettext as _, ngettext
from bot.ui.actions.hint_thoughts import Mistake, Review
from bot.ui.actions.press import Context, press
from bot.ui.actions.replay_actions import replay
from bot.ui.interactions.reply import Reply, is_on_page, opens, show_progress, show_waiting
from bot.ui.messages.hint_reasons import why
from bot.ui.messages.replay_pages import Spot, open_hands, scene_of, with_own_events
from bot.ui.posts.custom_id import Outdated, parse_number
from bot.ui.posts.face import Face
from bot.ui.posts.post import Button, Choices, Post
from bot.ui.posts.sender import Draft

_NEARLY_ALL: Final = 0.85
_MOST: Final = 0.5
_PROGRESS_S: Final = 2.0
"""How often the progress is shown."""


@press("review")
async def review(ctx: Context) -> Reply:
    """Show what a review has found: what was done well, and which moments to look at."""
    if ctx.table.part_of(ctx.user_id) is None and not ctx.press.argument:  # a spectator, from the result
        return await replay(ctx)
    heading = _("### Review · Table {name}", name=ctx.table.name)
    try:
        found = await _review(ctx)
    except TimeoutError:
        slow = _("This takes long. I go on thinking: look again in a few minutes.")
        return _page(ctx, Post((heading, slow), rows=((_look_again(),),)))
    head = head_of(found) if ctx.table.is_revealed else _head_of_one(found)
    return _page(ctx, Post((heading, head), rows=_moments(found, None)))


def head_of(found: Review) -> str:
    """Return what was done well, then the decision that mattered most."""
    if not found.mistakes:
        return _("Well played: none of your choices clearly cost you anything.")
    lines = [_well(found.good / found.decided), _("One choice mattered most. Look at it: what would you play now?")]
    if len(found.mistakes) > 1:
        lines[1] = _("**Moment {n}** mattered most. It asks first: what would you play now?", n=_dearest(found))
    return "\n".join(filter(None, lines))


def _well(share: float) -> str:
    """Return how many of the decisions were as good as any; empty for few."""
    if share >= _NEARLY_ALL:
        return _("Well played: nearly all your choices were as good as any.")
    if share >= _MOST:
        return _("Most of your choices were as good as any.")
    return _("Some of your choices were as good as any.") if share else ""


def _dearest(found: Review) -> int:
    """Return the number of the moment that mattered most."""
    return max(range(len(found.mistakes)), key=lambda at: found.mistakes[at].loss) + 1


def _head_of_one(found: Review) -> str:
    """Return what a review of a daily says while others may still play it."""
    if not found.mistakes:
        return _("None of your choices clearly cost you anything.")
    return _("One moment is worth another look. It asks first: what would you play now?")


def _page(ctx: Context, post: Post) -> Reply:
    """Return a page of the review, which leaves other pages about the table alone."""
    is_turned = is_on_page(ctx.interaction) and not ctx.press.origin
    return opens(post, ctx.table, "review", where="here" if is_turned else "private")


@press("review-at")
async def _ask(ctx: Context) -> Reply:
    """Show a moment as the player saw it, and ask what they would play."""
    mistake = await _mistake(ctx, parse_number(ctx.press.argument))
    return await _asked(ctx, mistake.decision.ply)


async def _asked(ctx: Context, ply: int, picked: str | None = None) -> Reply:
    """Ask what the player would play; after a choice that isn't a move yet, which of the moves behind it."""
    glimpse = await ctx.tables.replays.look(ctx.table.id, ctx.user_id, ply, took_part(ctx.table, ctx.user_id))
    table, seen = glimpse.table, glimpse.observation
    groups = ctx.face.choices(table, seen) if picked is None else ctx.face.behind(table, seen, picked)
    if not groups:
        raise Outdated
    back = () if picked is None else ((Button("review-at", _("Back"), argument=str(ply)),),)
    return _page(ctx, replace(question(ctx.face, glimpse, groups), rows=back))


def question(face: Face[Any], glimpse: Glimpse, groups: Sequence[Choices]) -> Post:
    """Return a moment as its player saw it, with menus of what they could play."""
    post, ply = scene_of(face, with_own_events(face, glimpse)), glimpse.moment.ply
    menus = tuple(_menu(group, ply) for group in groups)
    return replace(post, choices=menus, paragraphs=(*post.paragraphs, _("**What would you play?**")))


@press("review-try")
async def _tell(ctx: Context) -> Reply:
    """Say which move was better, what it is worth, and what tells it from the pick, and only then what others held."""
    mistake = await _mistake(ctx, parse_number(ctx.press.menu_argument))
    decision, seat = mistake.decision, took_part(ctx.table, ctx.user_id)
    tried = next((move for move in decision.observation.legal if str(move) == ctx.picked), None)
    if tried is None:
        return await _asked(ctx, decision.ply, ctx.picked)
    seed = random.Random(f"review {ctx.table.id} {decision.ply} {seat}")  # noqa: S311 - nothing is secret
    other = decision.played if tried == mistake.best else tried
    cause = await ctx.app.elsewhere(computer.why, ctx.table.game, decision.observation, mistake.best, other, seed)
    view = Vantage.EVERYONE if ctx.table.is_revealed else seat
    post = told(
        ctx.face, await ctx.tables.replays.look(ctx.table.id, ctx.user_id, decision.ply, view), mistake, tried, cause
    )
    see = Button("replay", _("See it in the replay"), argument=f"{Spot(decision.ply, seat)}-here")
    rows = (*_moments(await _review(ctx), decision.ply), (see, Button("review", _("Back"), argument="all")))
    return _page(ctx, replace(post, rows=rows))


def told(face: Face[Any], glimpse: Glimpse, mistake: Mistake, tried: Move, cause: Cause | None) -> Post:
    """Return which move was better, and why, and then what all held, if all cards of the moment may be seen."""
    table = glimpse.table
    lines = (_answer(face, table, mistake, tried), _worth(face, mistake), why(face, table, cause))
    held = tuple(open_hands(face, table, glimpse))
    shown = (_("What everyone held:"), *held) if held else ()
    heading = _("### Review · Table {name}", name=table.name)
    return Post((heading, "\n".join(filter(None, lines)), *shown))


def _menu(group: Choices, ply: int) -> Choices:
    """Return the moves that were possible as a menu that only asks."""
    return replace(
        group, prompt=group.prompt or _("Your move"), as_buttons=False, verb="review-try", argument=str(ply), origin=""
    )


def _answer(face: Face[Any], table: Table, mistake: Mistake, tried: Move) -> str:
    def named(move: Move) -> str:
        return face.name_in_hint(table, mistake.decision.observation, move)[0]

    best, played = named(mistake.best), named(mistake.decision.played)
    if computer.alike(table.game, mistake.decision.observation, tried, mistake.best):
        return _("✅ Yes, the best was **{best}**. In the game, you played {played}.", best=named(tried), played=played)
    if tried == mistake.decision.played:
        return _("The best was **{best}**. You picked {played}, as in the game.", best=best, played=played)
    return _(
        "The best was **{best}**. You picked {tried}, and in the game you played {played}.",
        best=best,
        tried=named(tried),
        played=played,
    )


def _worth(face: Face[Any], mistake: Mistake) -> str:
    if mistake.worse_by is None:
        return _("It wins, whatever the other side does.")
    if math.isinf(mistake.worse_by):
        return _("What you played loses, if the other side plays well.")
    number = max(1, round(mistake.worse_by))
    if face.plays_for_chips:
        return ngettext(
            "It's about {n} chip better than what you played.",
            "It's about {n} chips better than what you played.",
            number,
        )
    return ngettext(
        "It's about {n} point better than what you played.",
        "It's about {n} points better than what you played.",
        number,
    )


def _moments(found: Review, here: int | None) -> tuple[tuple[Button, ...], ...]:
    """Return the row of buttons to the moments; none if there are none. ``here`` is the one that is shown."""
    dearest = found.mistakes and _dearest(found)
    row = tuple(
        Button(
            "review-at",
            _("Moment {n}", n=number),
            "primary" if number == dearest else "secondary",
            str(mistake.decision.ply),
        )
        for number, mistake in enumerate(found.mistakes, 1)
        if mistake.decision.ply != here
    )
    return (row,) if row else ()


def _look_again() -> Button:
    return Button("review", _("Look again"), argument="all")


async def _mistake(ctx: Context, ply: int) -> Mistake:
    try:
        found = await _review(ctx)
    except TimeoutError:
        raise NotAllowed("This takes long. Look again in a few minutes.") from None
    mistake = next((each for each in found.mistakes if each.decision.ply == ply), None)
    if mistake is None:
        raise Outdated
    return mistake


async def _review(ctx: Context) -> Review:
    decisions = await ctx.tables.replays.decisions(ctx.table.id, ctx.user_id)
    shown_at = -math.inf

    async def progress(done: int, count: int) -> None:
        nonlocal shown_at
        now = asyncio.get_running_loop().time()
        if now - shown_at < _PROGRESS_S:
            return
        shown_at = now
        text = _("Thinking about your decisions: {n} of {all}…", n=done, all=count)
        # if the bot stops meanwhile, nobody replaces this, but the button still works
        draft = Draft(Post((text,), rows=((_look_again(),),)), ctx.table.key, ctx.table.version)
        await show_waiting(ctx.interaction, text, beside=not is_on_page(ctx.interaction), draft=draft)
        if done:
            await show_progress(ctx.interaction, text, draft=draft)

    seat = took_part(ctx.table, ctx.user_id)
    found = await ctx.app.reviews.of(ctx.table, ctx.user_id, seat, decisions, progress, dear=ctx.face.dear)
    if ctx.table.is_revealed:
        return found
    return found._replace(mistakes=tuple(sorted(found.mistakes, key=lambda each: -each.loss)[:1]))
