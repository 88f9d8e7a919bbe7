"""Actions about absent players: remedies, votes and substitutes."""

from collections.abc import Awaitable, Callable, Mapping

import discord

from bot.errors import PlayError
from bot.games.game import Seat
from bot.tables import Tables
from bot.tables.absence.votes import REMEDIES, Remedy, Standstill, judge
from bot.texts import gettext as _
from bot.ui.interactions.respond import Reply, sentence
from bot.ui.interactions.router import Handler, for_table
from bot.ui.interactions.validation import person_of
from bot.ui.messages.absence_notice import clock_names, remedy_buttons, remedy_names, vote_lines
from bot.ui.messages.live import LiveMessages
from bot.ui.posts.custom_id import Press
from bot.ui.posts.post import Button, Post
from bot.ui.posts.text import listed, name_of

StandIn = Callable[[int, Seat], Awaitable[None]]
"""Lets a computer play one turn for a seat."""


class AbsenceActions:
    """The buttons and commands about absence."""

    def __init__(self, tables: Tables, live: LiveMessages, stand_in: StandIn) -> None:
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
        return Reply(sentence(_("You play on at **Table {name}**. The board has your moves.", name=table.name)))

    # ---- moving on

    async def _away(self, interaction: discord.Interaction, press: Press) -> Reply:
        remedy = next((remedy for remedy in REMEDIES if remedy == press.argument), None)
        if remedy is None:
            return await self.page(press.table, interaction.user.id)
        if remedy == "end":
            return await self._ask_to_end(press.table, interaction.user.id)
        return await self.move_on(interaction, press.table, remedy)

    async def page(self, table_id: int, user_id: int) -> Reply:
        """Return who the table waits for, since when, and what the user can do about it."""
        table = await self._tables.table(table_id)
        now = await self._tables.waiting.standstill(table)
        if not now.waited_for:
            raise PlayError("Table {name} isn't waiting for anyone.", name=table.name)
        if [sitter.user_id for sitter in table.sitters if sitter.seat in now.waited_for] == [user_id]:
            raise PlayError("It's your turn at Table {name}.", name=table.name)
        names = listed([name_of(table, seat) for seat in now.waited_for])
        lines = (
            f"### Table {table.name} waits for {names}",
            f"It began to wait <t:{now.since:.0f}:R>; the clock is: {clock_names()[table.clock]}.",
            f"A computer can play {_way(now, 'play')}. A substitute or an early end: {_way(now, 'end')}.",
            "If all players agree, the table ends at any time.",
            *vote_lines(now),
            "-# Who is absent comes back by pressing anything; a seat that a computer took is theirs again.",
        )
        return Reply(Post(lines, rows=(remedy_buttons(),)), "private", table.id, table.version)

    async def move_on(self, interaction: discord.Interaction, table_id: int, remedy: Remedy) -> Reply:
        """Apply a remedy, or count the user's vote for it."""
        await self._tables.claim(interaction.id)
        verdict = await self._tables.waiting.move_on(table_id, interaction.user.id, remedy)
        table = await self._tables.table(table_id)
        if not verdict.granted:
            self._live.refresh(table_id)
            vote = f"{verdict.votes} of {verdict.needed} votes"
            return Reply(sentence(f"You want at **Table {table.name}**: {remedy_names()[remedy].lower()} ({vote})."))
        if remedy == "play":
            for seat in verdict.seats:
                await self._stand_in(table_id, seat)
        return Reply(sentence(f"Done at **Table {table.name}**: {remedy_names()[remedy].lower()}."))

    async def _ask_to_end(self, table_id: int, user_id: int) -> Reply:
        table = await self._tables.table(table_id)
        verdict = judge(table, await self._tables.waiting.standstill(table), user_id, "end")
        asked = f"End **Table {table.name}** without a winner? There is no way back."
        if not verdict.granted:
            asked = (
                f"Vote to end **Table {table.name}** without a winner? With yours it has {verdict.votes} of "
                f"{verdict.needed} votes. Any move cancels them."
            )
        row = (Button("ended", "End the table", "danger"), Button("hand", "Play on"))
        return Reply(Post((asked,), rows=(row,)), "private", table.id, table.version)


def _way(now: Standstill, remedy: Remedy) -> str:
    """Return how and when players may apply a remedy, as the end of a sentence."""
    tap = f"by one tap {_when(now.due_at(remedy), is_now=now.is_due(remedy))}"
    if len(now.voters) < 2 or now.vote_at(remedy) >= now.due_at(remedy) or now.is_due(remedy):
        return tap
    when = _when(now.vote_at(remedy), is_now=now.is_votable(remedy))
    return f"by vote ({now.needed} of {len(now.voters)}) {when}, {tap}"


def _when(at: float, *, is_now: bool) -> str:
    return "now" if is_now else f"<t:{at:.0f}:R>"
