"""Lessons and puzzles: where a user is in them, and their moves."""

import discord
from msgspec.structs import replace

from bot.computer import alike
from bot.errors import PlayError
from bot.records.event import daily_name
from bot.tables.lessons import Lesson, sight, tried
from bot.texts import gettext as _
from bot.ui.actions.days import today_here
from bot.ui.actions.press import Context, press
from bot.ui.interactions.reply import Reply
from bot.ui.messages import lesson_pages
from bot.ui.posts.post import Button, Post


async def learn(ctx: Context, key: str) -> Reply:
    """Return the lesson of a game at the step where the user is, as a message of its own."""
    shown, lesson = await _found(ctx, key)
    number = min(await ctx.tables.users.lesson_step(ctx.user_id, key), lesson.last)
    return _as_message(ctx, _reply(lesson_pages.step_post(shown, lesson, number), number))


async def puzzles(ctx: Context, key: str) -> Reply:
    """Return the first puzzle of a game, as a message of its own."""
    shown, _lesson = await _found(ctx, key)
    return _as_message(ctx, _reply(lesson_pages.puzzle_post(shown, 0), 0))


def _as_message(ctx: Context, reply: Reply) -> Reply:
    """In a direct message everything is private already, and an ordinary message stays."""
    return replace(reply, where="channel" if isinstance(ctx.interaction.channel, discord.DMChannel) else "private")


@press(lesson_pages.LEARN)
async def _learn(ctx: Context) -> Reply:
    key, _space, again = (ctx.picked or ctx.press.argument).partition(" ")
    return await _at(ctx, key, 0) if again else await learn(ctx, key)


@press(lesson_pages.PUZZLES)
async def _puzzles(ctx: Context) -> Reply:
    return await puzzles(ctx, ctx.press.argument)


@press(lesson_pages.PUZZLE)
async def _puzzled(ctx: Context) -> Reply:
    """Answer a move in a puzzle."""
    key, text = _made(ctx)
    shown, _lesson = await _found(ctx, key)
    number = min(ctx.press.version + (text == lesson_pages.NEXT), len(shown.face.puzzles) - 1)
    return _reply(puzzled_post(shown, number, text), number)


def puzzled_post(shown: lesson_pages.Shown, number: int, text: str) -> Post:
    """Return a puzzle after a move; after an illegal one, as in `tried_post`, the puzzle as it is now."""
    puzzle = shown.face.puzzles[number]
    if text in {"", lesson_pages.NEXT}:
        return lesson_pages.puzzle_post(shown, number)
    if text == lesson_pages.TELL or _solves(puzzle, text):
        return lesson_pages.solved_post(shown, number, is_told=text == lesson_pages.TELL)
    if (post := lesson_pages.in_two_presses(lesson_pages.as_puzzle(shown, number), puzzle, 0, text)) is not None:
        return post
    return lesson_pages.puzzle_post(shown, number, _remark(shown, puzzle, 0, text))


def _solves(puzzle: Lesson, text: str) -> bool:
    """Whether a move is the solution, or counts as one with it."""
    best = puzzle.steps[0].move
    seen = sight(puzzle, 0, "").observation
    known = {str(move): move for move in seen.legal}
    return text == best or (text in known and alike(puzzle.game, seen, known[text], known[best]))


def _made(ctx: Context) -> tuple[str, str]:
    """Return the game and the move of a press."""
    if ctx.picked:
        return ctx.press.menu_argument, ctx.picked
    key, _space, text = ctx.press.argument.partition(" ")
    return key, text


@press(lesson_pages.LESSON)
async def _moved(ctx: Context) -> Reply:
    """Answer a move in a lesson. The number of the step is the version in the button."""
    return await _answer(ctx)


@press(lesson_pages.RETRY)
async def _moved_again(ctx: Context) -> Reply:
    """Answer a move after another one at the same step."""
    return await _answer(ctx, lesson_pages.RETRY)


async def _answer(ctx: Context, verb: str = lesson_pages.LESSON) -> Reply:
    key, text = _made(ctx)
    shown, lesson = await _found(ctx, key)
    number = min(ctx.press.version, lesson.last)
    if number < lesson.last and text == lesson.steps[number].move:
        return await _at(ctx, key, number + 1)
    return _reply(tried_post(shown._replace(verb=verb), lesson, number, text), number)


def tried_post(shown: lesson_pages.Shown, lesson: Lesson, number: int, text: str) -> Post:
    """Return the step after a move that doesn't lead on, with a remark on it.

    A message of another version may offer illegal ones, and would do so forever: return the step as it is now.
    """
    if not text or not lesson.steps[number].move:
        return lesson_pages.step_post(shown, lesson, number)
    if (post := lesson_pages.in_two_presses(shown, lesson, number, text)) is not None:
        return post
    remark = _remark(shown, lesson, number, text)
    shows = lesson_pages.retry_post if remark else lesson_pages.step_post
    return shows(shown, lesson, number, remark)


def _remark(shown: lesson_pages.Shown, lesson: Lesson, number: int, text: str) -> str:
    """Return what a move would have done; nothing if it is illegal."""
    try:
        move = tried(lesson, number, text)
    except PlayError:
        return ""
    return lesson_pages.remark_on(shown.face, lesson, number, move)


async def _at(ctx: Context, key: str, number: int) -> Reply:
    """Return a step that the user has got to."""
    shown, lesson = await _found(ctx, key)
    await ctx.tables.users.set_lesson_step(ctx.user_id, key, number, finished=number == lesson.last)
    post = lesson_pages.step_post(shown, lesson, number)
    return _reply(await _with_daily(ctx, key, post) if number == lesson.last else post, number)


async def _with_daily(ctx: Context, key: str, post: Post) -> Post:
    """Return the last step with a way to today's daily, if that is of this game and not played yet."""
    events, day = ctx.tables.events, await today_here(ctx)
    if events.game_on(day).key != key or await events.records.result(daily_name(day), ctx.user_id) is not None:
        return post
    return replace(post, rows=((Button("daily", _("Play the daily"), "success"), *post.rows[0]), *post.rows[1:]))


async def _found(ctx: Context, key: str) -> tuple[lesson_pages.Shown, Lesson]:
    """Return the lesson of a game, and what it is shown with."""
    face = ctx.faces.get(key)
    if face is None or face.lesson is None:
        raise PlayError("That game isn't here any more.")
    return lesson_pages.Shown(face, await ctx.tables.users.settings(ctx.user_id)), face.lesson


def _reply(post: Post, number: int) -> Reply:
    return Reply(replace(post, version=number), "here")
