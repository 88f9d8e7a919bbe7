"""Notices about absent players below a board, and the reasons why tables closed."""

from collections.abc import Iterator, Mapping
from typing import Final

from msgspec.structs import replace

from bot.records.table import Table
from bot.records.table_damage import damage_reference
from bot.tables.absence.deadlines import DAY, DEAD_S
from bot.tables.absence.votes import ENDS, REMEDIES, Remedy, Standstill
from bot.texts import gettext as _, listed, ngettext
from bot.ui.messages.questions import refused_end
from bot.ui.posts.names import name_of
from bot.ui.posts.post import Button, Post
from bot.ui.posts.text import clip, plain

_LONGEST_NAME: Final = 50
"""Damaged names, and those of moderators, are clipped."""


def remedy_names() -> Mapping[Remedy, str]:
    """Return the name of each remedy, as on its button."""
    return {
        "play": _("Computer plays this turn"),
        "seat": _("Computer takes the seat"),
        "substitute": _("Ask for a substitute"),
        "end": _("Vote to end"),
        "count": _("Count it as it stands"),
    }


def end_button() -> Button:
    """Return the button to vote for ending the table, after a confirmation. Any player can use it at any time."""
    return Button("away", remedy_names()["end"], argument="end")


def step_out_button() -> Button:
    """Return the button to let a computer play for whoever presses it."""
    return Button("step-out", _("Let a computer play for me"))


def closing(table: Table, title: str) -> str:
    """Return why the table is closed, or can't be shown any more. ``title`` is the title of its game."""
    if table.status == "over":
        return _(
            "This game is over. I can't show its board: the rules of {game} have changed.",
            game=title,
        )
    closings = {
        "event": _("The day is over, so this table closed before the game was."),
        "idle": _("Nobody played here for {days} days, so I closed this table.", days=round(DEAD_S / DAY)),
        "host": _("This table closed before the game was over."),
        "moderator": _("A moderator closed this table."),
        "left": _("Everyone has left this table, so it's closed."),
        "rules": _("The rules of {game} have changed, so this game ended without a result.", game=title),
        "agreed": _("The players ended this game early, without a result."),
        "counted": _("The players ended this game early, and count it as it stands."),
    }
    if table.closed_by is not None:
        return _("Closed by the moderator {name}.", name=plain(clip(table.closed_by.name, _LONGEST_NAME)))
    if (reference := damage_reference(table)) is not None:
        return _("This table was damaged, so I closed it. Reference **{id}**.", id=reference)
    return closings.get(table.why or "", _("This table closed before the start."))


def damaged_post(table: Table) -> Post:
    """Return what remains of a table that was closed because of damage, whatever can be read of it."""
    return Post(
        (f"### {_('Table {name}', name=plain(clip(table.name, _LONGEST_NAME)))}\n{closing(table, table.game)}",)
    )


def notices(table: Table, standstill: Standstill) -> str:
    """Return notices about the players that the table waits for; empty if there are none."""
    return "\n".join(_lines(table, standstill))


def _lines(table: Table, standstill: Standstill) -> Iterator[str]:
    is_due = standstill.is_due()
    if table.clock == "live" and standstill.waited_for and not is_due:
        when = f"<t:{standstill.due_at():.0f}:R>"
        yield "-# " + _("⏱️ Time runs out {when}. Then a computer plays this turn.", when=when)
    if names := [name_of(table, sitter.seat) for sitter in table.sitters if sitter.offered]:
        yield _cant_play_on(names, invited_only=table.invited_only)
    if is_due:
        when = f"<t:{standstill.since:.0f}:R>"
        yield _("⏳ Last move {when}. Any player can move the table on.", when=when)
    yield from vote_lines(table, standstill)


def _cant_play_on(names: list[str], *, invited_only: bool) -> str:
    if invited_only:
        return ngettext(
            "{names} can't play on. Invited players can press **Take the seat**.",
            "{names} can't play on. Invited players can press **Take the seat**.",
            len(names),
            names=listed(names),
        )
    return ngettext(
        "{names} can't play on. Anyone can press **Take the seat**.",
        "{names} can't play on. Anyone can press **Take the seat**.",
        len(names),
        names=listed(names),
    )


def with_notice(post: Post, table: Table, standstill: Standstill, notice: str) -> Post:
    """Return the board with `notices` and their buttons."""
    row, rows = tuple(_buttons(table, standstill, has_room=not post.grid)), post.rows
    if row and post.grid:  # only one row has room, and the rules give way
        rows = ((*(button for button in post.rows[0] if button.verb != "rules"), *row),)
    elif row:
        rows = (*post.rows, row)
    return replace(post, paragraphs=(*post.paragraphs, notice), rows=rows)


def _buttons(table: Table, standstill: Standstill, *, has_room: bool) -> Iterator[Button]:
    is_overdue = standstill.is_due() or any(remedy not in ENDS for remedy in standstill.votes.values())
    if is_overdue and has_room:
        yield Button("away", remedy_names()["play"], argument="play")
    if is_overdue or (standstill.votes and not has_room):
        yield Button("away", _("Away?"))
    elif standstill.votes:
        yield end_button()
    if any(sitter.offered for sitter in table.sitters):
        yield Button("take", _("Take the seat"), "success")


def remedy_buttons(standstill: Standstill) -> tuple[Button, ...]:
    """Return a row with all remedies for an absence. Those that do nothing yet are disabled."""
    early = {remedy: standstill.is_early(remedy) for remedy in REMEDIES if remedy not in ENDS}
    others = (Button("away", remedy_names()[remedy], argument=remedy, disabled=early[remedy]) for remedy in early)
    again = (Button("away", _("Refresh"), argument="look"),) if any(early.values()) else ()
    return *others, end_button(), *again


def vote_lines(table: Table, standstill: Standstill) -> list[str]:
    """Return the votes for each remedy that still needs them as lines, with the names of those who voted."""
    lines = []
    for remedy in REMEDIES:
        votes, needed = standstill.tally(remedy)
        if not votes or standstill.is_due(remedy):
            continue
        voted = standstill.votes_for(remedy)
        seats = [each.seat for each in table.sitters if each.user_id in voted or each.held_for in voted]
        lines.append(
            _(
                "🗳️ **{remedy}**: {votes} of {needed} votes ({names})",
                remedy=remedy_names()[remedy],
                votes=votes,
                needed=needed,
                names=listed([name_of(table, seat) for seat in seats]),
            )
        )
    if lines and standstill.refusals:
        lines.append("-# " + refused_end(table, standstill.refusals))
    return lines
