"""Notices about absent players below a board, and the reasons why tables closed."""

from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from bot.tables import Table
from bot.tables.absence.votes import REMEDIES, Remedy, Standstill, is_early
from bot.ui.posts.post import Button, Post
from bot.ui.posts.text import listed, name_of

REMEDY_NAMES: Final[Mapping[Remedy, str]] = {
    "play": "Computer plays this turn",
    "seat": "Computer takes the seat",
    "substitute": "Ask for a substitute",
    "end": "End the table",
}
END_BUTTON: Final = Button("away", REMEDY_NAMES["end"], "danger", "end")
"""Votes to end the table, after a confirmation. Any player can use it at any time."""
CLOCK_NAMES: Final[Mapping[str, str]] = {
    "none": "no clock",
    "live": "90 seconds a move",
    "day": "a day a move",
    "three-days": "three days a move",
}
_CLOSINGS: Final[Mapping[str, str]] = {
    "idle": "Nothing happened here for 14 days, so this table has closed by itself.",
    "host": "This table was closed before the end.",
    "left": "Everybody has left this table, so it is closed.",
    "rules": "The rules of {game} changed with an update, so this table ended without a result.",
    "agreed": "The players ended this table before the end.",
}


def closing(table: Table, title: str) -> str:
    """Return why the table is closed, or can't be shown any more. ``title`` is that of its game."""
    if table.status == "over":
        return f"This game is over. Its board can't be shown any more: the rules of {title} changed with an update."
    return _CLOSINGS.get(table.why or "", "This table was closed before it began.").format(game=title)


def is_silent(table: Table, now: float) -> bool:
    """Whether a board needs no notice, whatever is stored about its waiting; so this needn't be read."""
    is_counting = table.clock == "live" or any(sitter.offered for sitter in table.sitters)
    return not is_counting and is_early(table, now)


def with_notice(post: Post, table: Table, now: Standstill) -> Post:
    """Return the board with notices and buttons about the players that the table waits for, if there are any."""
    lines = [*_clock_lines(table, now), *_offer_lines(table), *_overdue_lines(table, now), *vote_lines(now)]
    if not lines:
        return post
    paragraphs = (*post.paragraphs, "\n".join(lines))
    is_overdue = now.is_due() or bool(set(now.votes.values()) - {"end"})
    take = (Button("take", "Take the seat", "success"),) if any(sitter.offered for sitter in table.sitters) else ()
    if post.grid:  # there is no room for a row of remedies, so a button opens them
        away = (Button("away", "Away?"),) if is_overdue or now.votes else ()
        return replace(post, paragraphs=paragraphs, rows=((*post.rows[0], *away, *take),))
    remedies = remedy_buttons() if is_overdue else (END_BUTTON,) if now.votes else ()
    return replace(post, paragraphs=paragraphs, rows=(*post.rows, *filter(None, (remedies, take))))


def remedy_buttons() -> tuple[Button, ...]:
    """Return a row with all remedies for an absence."""
    others = (Button("away", REMEDY_NAMES[remedy], argument=remedy) for remedy in REMEDIES if remedy != "end")
    return *others, END_BUTTON


def _clock_lines(table: Table, now: Standstill) -> list[str]:
    if table.clock != "live" or not now.waited_for or now.is_due():
        return []
    return [f"-# ⏱️ Time runs out <t:{now.due_at():.0f}:R>; then a computer plays this turn."]


def _offer_lines(table: Table) -> list[str]:
    names = [name_of(table, sitter.seat) for sitter in table.sitters if sitter.offered]
    return [f"A substitute for {listed(names)} is looked for: anybody may press **Take the seat**."] if names else []


def _overdue_lines(table: Table, now: Standstill) -> list[str]:
    if not now.is_due():
        return []
    names = listed([name_of(table, seat) for seat in now.waited_for])
    return [f"⏳ {names} has not played since <t:{now.since:.0f}:R>. Any player may move the table on, or wait."]


def vote_lines(now: Standstill) -> list[str]:
    """Return the votes for each remedy as lines."""
    tallies = [(REMEDY_NAMES[remedy], *now.tally(remedy)) for remedy in REMEDIES]
    return [f"🗳️ **{name}**: {votes} of {needed} votes" for name, votes, needed in tallies if votes]
