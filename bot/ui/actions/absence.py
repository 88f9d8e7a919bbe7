"""Actions about absent players: remedies, votes and substitutes."""

from collections.abc import Mapping

import discord

from bot.errors import PlayError
from bot.tables import Tables
from bot.tables.absence.timer import PlayForAbsent
from bot.tables.absence.votes import REMEDIES, Remedy, Standstill, judge
from bot.texts import gettext as _
from bot.texts.lists import listed
from bot.ui.interactions.reply import Reply, sentence
from bot.ui.interactions.router import Handler, for_table
from bot.ui.interactions.validation import person_of
from bot.ui.messages.absence_notice import clock_names, remedy_buttons, remedy_names, vote_lines
from bot.ui.messages.live_messages import LiveMessages
from bot.ui.posts.custom_id import Press
from bot.ui.posts.names import name_of
from bot.ui.posts.post import Button, Post


class AbsenceActions:
    """The buttons and commands about absence."""

    def __init__(self, tables: Tables, live: LiveMessages, stand_in: PlayForAbsent) -> None:
        self._tables = tables
        self._live = live
        self._stand_in = stand_in

    @property
    def handlers(self) -> Mapping[str, Handler]:
        """The handler of each verb."""
        return {
            "away": self._away,
            "ended": lambda interaction, press: self.move_on(interaction, press.table, "end"),
            "take": for_table(self.take_seat),
        }

    async def take_seat(self, interaction: discord.Interaction, table_id: int) -> Reply:
        """Take over the seat of an absent player as their substitute."""
        await self._tables.claim(interaction.id)
        table = (await self._tables.waiting.take_seat(table_id, person_of(interaction))).table
        return Reply(
            sentence(_("You're playing at **Table {name}** now. Your moves are on the board.", name=table.name))
        )

    # ---- moving on

    async def _away(self, interaction: discord.Interaction, press: Press) -> Reply:
        remedy = next((remedy for remedy in REMEDIES if remedy == press.argument), None)
        if remedy is None:
            return await self.page(press.table, interaction.user.id)
        if remedy == "end":
            return await self._ask_to_end(press.table, interaction.user.id)
        return await self.move_on(interaction, press.table, remedy)

    async def page(self, table_id: int, user_id: int) -> Reply:
        """Return the page on absent players: the names, the times, and the user's possible actions."""
        table = await self._tables.table(table_id)
        standstill = await self._tables.waiting.standstill(table)
        if not standstill.waited_for:
            raise PlayError("Table {name} isn't waiting for anyone.", name=table.name)
        if [sitter.user_id for sitter in table.sitters if sitter.seat in standstill.waited_for] == [user_id]:
            raise PlayError("Nobody is away: it's your turn at **Table {name}**.", name=table.name)
        names = listed([name_of(table, seat) for seat in standstill.waited_for])
        clock = clock_names()[table.clock]
        lines = (
            _("### Table {name} is waiting for {names}", name=table.name, names=names),
            _("Their turn began {when}. {clock}.", when=f"<t:{standstill.since:.0f}:R>", clock=clock),
            _way(_("Computer"), standstill, "play") + "\n" + _way(_("Substitute, or end the table"), standstill, "end"),
            _("If everyone agrees, you can end the table at any time."),
            *vote_lines(standstill),
            "-# " + _("They can come back by pressing any button, and take their seat back from a computer."),
        )
        return Reply(Post(lines, rows=(remedy_buttons(),)), "private", table.key, table.version)

    async def move_on(self, interaction: discord.Interaction, table_id: int, remedy: Remedy) -> Reply:
        """Apply a remedy, or count the user's vote for it."""
        await self._tables.claim(interaction.id)
        verdict = await self._tables.waiting.move_on(table_id, interaction.user.id, remedy)
        table = await self._tables.table(table_id)
        if not verdict.granted:
            self._live.refresh(table_id)
            voted = _(
                "You voted at **Table {name}**. **{remedy}** has {votes} of {needed} votes.",
                name=table.name,
                remedy=remedy_names()[remedy],
                votes=verdict.votes,
                needed=verdict.needed,
            )
            return Reply(sentence(voted))
        if remedy == "play":
            for seat in verdict.seats:
                await self._stand_in(table_id, seat, verdict.version)
        return Reply(sentence(_done(remedy, table.name, invited_only=table.invited_only)))

    async def _ask_to_end(self, table_id: int, user_id: int) -> Reply:
        table = await self._tables.table(table_id)
        verdict = judge(table, await self._tables.waiting.standstill(table), user_id, "end")
        asked = _("End **Table {name}** without a winner? You can't take this back.", name=table.name)
        if not verdict.granted:
            asked = _(
                "Vote to end **Table {name}** without a winner? Yours makes {votes} of {needed} votes. "
                "Any move cancels the vote.",
                name=table.name,
                votes=verdict.votes,
                needed=verdict.needed,
            )
        label = _("End the table") if verdict.granted else remedy_names()["end"]
        row = (Button("ended", label, "danger"), Button("hand", _("Play on")))
        return Reply(Post((asked,), rows=(row,)), "private", table.key, table.version)


def _done(remedy: Remedy, name: str, *, invited_only: bool) -> str:
    done = {
        "play": _("A computer plays this turn at **Table {name}**.", name=name),
        "seat": _("A computer has the seat at **Table {name}** now.", name=name),
        "substitute": _("Invited players can take the seat at **Table {name}** now.", name=name)
        if invited_only
        else _("Anyone can take the seat at **Table {name}** now.", name=name),
        "end": _("**Table {name}** has ended.", name=name),
    }
    return done[remedy]


def _way(what: str, standstill: Standstill, remedy: Remedy) -> str:
    """Explain how and when players may apply a remedy."""
    if standstill.is_due(remedy):
        return _("**{what}:** any player can do this now.", what=what)
    when = f"<t:{standstill.due_at(remedy):.0f}:R>"
    if len(standstill.voters) < 2 or standstill.vote_at(remedy) >= standstill.due_at(remedy):
        return _("**{what}:** any player can do this {when}.", what=what, when=when)
    values = {"what": what, "votes": standstill.needed, "voters": len(standstill.voters), "when": when}
    if standstill.is_votable(remedy):
        return _("**{what}:** {votes} of {voters} votes now, or any player alone {when}.", **values)
    vote_when = f"<t:{standstill.vote_at(remedy):.0f}:R>"
    return _(
        "**{what}:** {votes} of {voters} votes {vote_when}, or any player alone {when}.", **values, vote_when=vote_when
    )
