"""The recap of a week: one message on the day that `/server recap` has chosen, if anybody has played."""

import logging
from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Final

import discord
from discord.ext import commands

from bot.records.standing import Played, Recap
from bot.running.client import LilypadBot
from bot.tables.events import today
from bot.tables.recaps import DueRecap
from bot.texts import gettext as _, ngettext, number, supported, using
from bot.ui.messages.season_pages import champion_line
from bot.ui.messages.standings_pages import bests_of, computer_games
from bot.ui.posts.discord_errors import is_refusal
from bot.ui.posts.names import short_name
from bot.ui.posts.post import Post
from bot.ui.posts.text import clip, plain, title_of

log: Final = logging.getLogger(__name__)

_NAMED: Final = 3
"""Maximum number of winners of a game, and of newcomers, that a recap names."""
_MAX_NAME: Final = 12
"""Characters of a name: a recap of all games fits a phone."""


class RecapCog(commands.Cog):
    """Posts recaps."""

    def __init__(self, bot: LilypadBot) -> None:
        self.bot = bot

    async def cog_load(self) -> None:
        """Register what is due."""
        self.bot.calendar.add("recap", self.due, by_date=True)

    async def due(self, guild_id: int, _now: float) -> float | None:
        """Post the recap of a server if it is due."""
        if (due := await self.bot.tables.recaps.due(guild_id)) is not None:
            await self._tell(due)
        return await self.bot.tables.recaps.next_at(guild_id)

    async def _tell(self, due: DueRecap) -> None:
        """Post a recap. What Discord refuses is left out."""
        recap = await self.bot.tables.recaps.of_week(due)
        if recap.played:
            try:
                await self._post(due, recap)
            except discord.HTTPException as error:
                if not is_refusal(error):
                    raise
                log.info("the recap can't be posted in channel %s: %s", due.channel_id, error)
        await self.bot.tables.recaps.done(due)

    async def _post(self, due: DueRecap, recap: Recap) -> None:
        """Post a recap, unless a process that crashed before it noted that has posted it."""
        mark, outbox = due.day.toordinal(), self.bot.live.outbox
        if await outbox.is_there(due.channel_id, mark):
            return
        with using(supported(await self.bot.tables.languages.of_server(due.guild_id))):
            post = self._drawn(due, recap, await self._champions(due, recap))
        await outbox.send(due.channel_id, post, f"{due.guild_id:x}-{mark:x}", mark=mark, is_silent=True)

    async def _champions(self, due: DueRecap, recap: Recap) -> list[str]:
        """Return a line about the month before for each game of the week; it may be empty."""
        recaps = self.bot.tables.recaps
        return [champion_line(*await recaps.of_month(due.guild_id, each.game, 1)) for each in recap.played]

    def _drawn(self, due: DueRecap, recap: Recap, champions: Sequence[str]) -> Post:
        tables = self.bot.tables
        days = _("{first} to {last}", first=due.first, last=due.last)
        heading = "### " + _("The week here") + f"\n-# {days}"
        told = zip(recap.played, champions, strict=True)
        first, *others = ["\n".join(self._lines(each, champion)) for each, champion in told]
        bests = bests_of(self.bot.faces[recap.played[0].game], recap.bests, _name)
        games = ("\n".join([first, *(f"-# {line}" for line in bests)]), *others)
        tomorrow = today(due.zone, self.bot.now()) + timedelta(days=1)
        game = tables.events.game_on(tomorrow)
        daily = _("Tomorrow's daily: {game}", game=title_of(self.bot.faces[game.key].game))
        new = _("First game here: {names}", names=_names(recap.newcomers)) if recap.newcomers else ""
        return Post((heading, *games, "\n".join(f"-# {line}" for line in (new, daily) if line)))

    def _lines(self, played: Played, champion: str) -> Iterator[str]:
        game = title_of(self.bot.faces[played.game].game)
        counted = ngettext("**{game}** · {n} game", "**{game}** · {n} games", played.games, game=game)
        yield counted + (f" · {computer_games(played.computer_games)}" if played.computer_games else "")
        if played.wins:
            yield "-# " + _("Wins: {names}", names=_winners(played.wins))
        if played.computer_wins:
            yield "-# " + _("Wins against computers: {names}", names=_winners(played.computer_wins))
        if champion:
            yield f"-# {champion}"


def _name(name: str) -> str:
    return plain(clip(short_name(name, 0), _MAX_NAME))


def _winners(wins: Sequence[tuple[str, int]]) -> str:
    return _with_more([f"{_name(name)} {number(count)}" for name, count in wins[:_NAMED]], len(wins))


def _names(names: Sequence[str]) -> str:
    return _with_more([_name(name) for name in names[:_NAMED]], len(names))


def _with_more(said: Sequence[str], count: int) -> str:
    more = [_("{n} more", n=number(count - len(said)))] if count > len(said) else []
    return ", ".join([*said, *more])


async def setup(bot: LilypadBot) -> None:
    """Add the recaps to the bot."""
    await bot.add_cog(RecapCog(bot))
