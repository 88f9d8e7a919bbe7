"""The recap of a week: one message on the day that `/server recap` has chosen, if anybody has played."""

import logging
from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Final

import discord

from bot.running.client import LilypadBot
from bot.running.regular_cog import WorkerCog
from bot.tables import Played, Recap
from bot.tables.events import today
from bot.tables.recaps import DueRecap
from bot.texts import gettext as _, ngettext, number, supported, using
from bot.ui.messages.standings_pages import bests_of
from bot.ui.posts.discord_errors import is_refusal
from bot.ui.posts.names import short_name
from bot.ui.posts.post import Post
from bot.ui.posts.text import clip, plain, title_of

log: Final = logging.getLogger(__name__)

_LOOK_MIN: Final = 30
_NAMED: Final = 3
"""Maximum number of winners of a game, and of newcomers, that a recap names."""
_MAX_NAME: Final = 12
"""Characters of a name: a recap of all games fits a phone."""


class RecapCog(WorkerCog):
    """Posts recaps. Only the process that serves a server does."""

    def __init__(self, bot: LilypadBot) -> None:
        super().__init__(bot, "recap", _LOOK_MIN)

    async def look(self) -> None:
        """Look for recaps that are due."""
        for guild_id in await self.bot.tables.recaps.all():
            if self.bot.leases.holds(guild_id):
                self.changed(guild_id)

    async def work(self, guild_id: int) -> None:
        """Post the recap of a server if it is due. What Discord refuses is left out."""
        recaps = self.bot.tables.recaps
        due = await recaps.due(guild_id)
        if due is None or not self.bot.leases.holds(guild_id) or self.bot.tables.privacy.clocks_differ():
            return
        recap = await recaps.of_week(due)
        if recap.played:
            try:
                await self._post(due, recap)
            except discord.HTTPException as error:
                if not is_refusal(error):
                    raise
                log.info("the recap can't be posted in channel %s: %s", due.channel_id, error)
        await recaps.done(due)

    async def _post(self, due: DueRecap, recap: Recap) -> None:
        """Post a recap, unless a process that crashed before it noted that has posted it."""
        mark, outbox = due.day.toordinal(), self.bot.live.outbox
        if await outbox.find(due.channel_id, mark) is not None:
            return
        with using(supported(await self.bot.tables.languages.of_server(due.guild_id))):
            post = self._drawn(due, recap)
        await outbox.send(due.channel_id, post, f"{due.guild_id:x}-{mark:x}", mark=mark, is_silent=True)

    def _drawn(self, due: DueRecap, recap: Recap) -> Post:
        tables = self.bot.tables
        days = _("{first} to {last}", first=due.first, last=due.last)
        heading = "### " + _("The week here") + f"\n-# {days}"
        first, *others = ["\n".join(self._lines(each)) for each in recap.played]
        bests = bests_of(self.bot.faces[recap.played[0].game], recap.bests, _name)
        games = ("\n".join([first, *(f"-# {line}" for line in bests)]), *others)
        tomorrow = today(due.zone, self.bot.now()) + timedelta(days=1)
        game = tables.events.game_on(tomorrow)
        daily = _("Tomorrow's `/daily`: {game}", game=title_of(self.bot.faces[game.key].game))
        new = _("First game here: {names}", names=_names(recap.newcomers)) if recap.newcomers else ""
        return Post((heading, *games, "\n".join(f"-# {line}" for line in (new, daily) if line)))

    def _lines(self, played: Played) -> Iterator[str]:
        game = title_of(self.bot.faces[played.game].game)
        yield ngettext("**{game}** · {n} game", "**{game}** · {n} games", played.games, game=game)
        if played.wins:
            wins = [f"{_name(name)} {number(count)}" for name, count in played.wins[:_NAMED]]
            yield "-# " + _("Wins: {names}", names=_with_more(wins, len(played.wins)))


def _name(name: str) -> str:
    return plain(clip(short_name(name, 0), _MAX_NAME))


def _names(names: Sequence[str]) -> str:
    return _with_more([_name(name) for name in names[:_NAMED]], len(names))


def _with_more(said: Sequence[str], count: int) -> str:
    more = [_("{n} more", n=number(count - len(said)))] if count > len(said) else []
    return ", ".join([*said, *more])


async def setup(bot: LilypadBot) -> None:
    """Add the recaps to the bot."""
    await bot.add_cog(RecapCog(bot))
