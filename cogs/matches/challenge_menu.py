"""The private pages of ``/challenge``: the user's challenges, and a new one as it will be posted, before it is."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple, Self, cast

import discord
from msgspec.structs import replace

from bot.errors import NotAllowed
from bot.games.game import Value
from bot.records.match import Match, MatchPlayer
from bot.tables.matches import CHALLENGES, DAYS, DEALS
from bot.tables.rematches import opponent
from bot.tables.seating import under_current_rules
from bot.texts import gettext as _, ngettext
from bot.ui.actions.opening import channel_place, game_here
from bot.ui.actions.permissions import check_may_open
from bot.ui.actions.press import Context, one_at_a_time, press
from bot.ui.interactions.command_tree import as_person
from bot.ui.interactions.reply import Reply, sentence
from bot.ui.live.failures import may_read
from bot.ui.messages.duration import minutes
from bot.ui.posts.custom_id import Outdated, parse_number
from bot.ui.posts.post import Button, Choice, Choices, Post, UserMenu
from bot.ui.posts.text import plain, title_of
from cogs.matches.posts import heading, offer_text, progress

Options = Mapping[str, Value]
_WHOM: Final = "challenge-whom"
_GAME: Final = "challenge-game"
_LENGTH: Final = "challenge-length"
_GO: Final = "challenge-go"
_POST: Final = "challenge-post"
_LENGTHS: Final = (1, 2, 3, 5, 10)
"""The numbers of games in the menu. One is as long as a daily."""
DAYS_AS_A_RULE: Final = 7


class Draft(NamedTuple):
    """A challenge that isn't posted yet, as the buttons and menus of its page have it. ``guest_id`` 0 is nobody yet."""

    game: str
    deals: int = 1
    days: int = DAYS_AS_A_RULE
    guest_id: int = 0

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the draft of a button or a menu. Raises `Outdated` if the bot can't have written it."""
        game, *rest = text.split("-")
        numbers = [parse_number(each) for each in rest]
        if game not in CHALLENGES or len(numbers) != len(cls._fields) - 1:
            raise Outdated
        draft = cls(game, *numbers)
        if draft.deals not in DEALS or draft.days not in DAYS:
            raise Outdated
        return draft

    @property
    def text(self) -> str:
        """The argument of a button or a menu."""
        return "-".join(map(str, self))

    @property
    def settled(self) -> Self:
        """The same with as many games as it will have: in some, each way to begin comes equally often."""
        return self._replace(deals=_whole(self.game, self.deals))

    def match(self, ctx: Context, options: Options | None = None) -> Match:
        """Return the challenge as it would be offered here, by default with the options of a daily."""
        form, place = CHALLENGES[self.game], channel_place(ctx.interaction)
        players = (MatchPlayer(0, 0, ctx.user_id, ctx.person.name), MatchPlayer(1, 0, self.guest_id, ""))
        return Match(
            *(0, "", "challenge", place.guild_id or 0, place.channel_id, self.deals, self.days, 0.0),
            game=self.game,
            options=options or form.options,
            players=players,
        )


def _whole(game: str, deals: int) -> int:
    return deals + -deals % len(CHALLENGES[game].turns)


async def begin(ctx: Context, game: str | None, deals: int | None, days: int) -> Reply:
    """Return the page of a new challenge, or of the user's challenges with the menu to begin one."""
    if ctx.interaction.guild_id is None:
        return await own(ctx)
    draft = Draft(game or await game_here(ctx, CHALLENGES), deals or 1, days).settled
    return await _own(ctx, draft)


@press("challenges")
async def own(ctx: Context) -> Reply:
    """Return the user's challenges that haven't ended, each with its button."""
    is_here = ctx.interaction.guild_id is not None
    return await _own(ctx, Draft(await game_here(ctx, CHALLENGES)).settled if is_here else None)


async def _own(ctx: Context, draft: Draft | None) -> Reply:
    """Return the user's challenges; without any, the page of a new one, which direct messages lack."""
    matches = ctx.tables.matches
    found = [match for match_id in await matches.of_user(ctx.user_id) if (match := await matches.find(match_id))]
    if not found:
        said = _("You have no challenges. Both of you play the same cards, and the better result wins.")
        return Reply(Post((said,)) if draft is None else _page(ctx, draft, said), "here")
    lines = [await _line(ctx, match, number) for number, match in enumerate(found, 1)]
    steps = [
        _next_step(match, ctx.user_id, number) for number, match in enumerate(found, 1) if match.kind == "challenge"
    ]
    rows = (tuple(steps),) if steps else ()
    people = None if draft is None else _people(draft)
    return Reply(Post(("### " + _("Your challenges"), *lines), rows=rows, people=people), "here")


async def _line(ctx: Context, match: Match, number: int) -> str:
    """Return how far a challenge of the user is, and where it goes on."""
    said = _("not answered yet")
    if match.status == "playing":
        said = progress(match, await ctx.tables.matches.results(match))
    player = match.player(ctx.user_id)
    channel_id = match.rooms[player.room] if player and match.rooms else match.channel_id
    where = f"<#{channel_id}> · <t:{match.until:.0f}:R>"
    return f"{number}. {title_of(ctx.faces[match.game].game)} · {said}\n-# {where}"


def _next_step(match: Match, user_id: int, number: int) -> Button:
    """Return the button of a challenge on the page of one of its players, who may not find its message any more."""
    key = str(match.id)
    if match.status == "playing":
        return Button("match-play", _("Play {n}", n=number), argument=key)
    if user_id == match.host_id:
        return Button("match-withdraw", _("Withdraw {n}", n=number), argument=key)
    return Button("match-accept", _("Accept {n}", n=number), "success", argument=key)


# ---- a new one


def _page(ctx: Context, draft: Draft, intro: str = "") -> Post:
    """Return a challenge as it will be posted, with menus to change it."""
    title, length = heading(draft.match(ctx), ctx.faces), _length_of(draft.game, draft.deals)
    if draft.guest_id:
        intro = offer_text(draft.match(ctx), ctx.faces)
        small = _posting(length)
    else:
        small = _("{length} each. Pick a friend to challenge: nothing is posted yet.", length=length)
    deals = sorted({draft.deals, *(_whole(draft.game, each) for each in _LENGTHS)})
    games = tuple(Choice(key, title_of(ctx.faces[key].game), is_picked=key == draft.game) for key in CHALLENGES)
    lengths = tuple(Choice(str(each), _length_of(draft.game, each), is_picked=each == draft.deals) for each in deals)
    menus = (
        Choices(_("Which game?"), games, verb=_GAME, argument=draft.text),
        Choices(_("How many games?"), lengths, verb=_LENGTH, argument=draft.text),
    )
    go = ((Button(_GO, _("Challenge"), "success", draft.text),),) if draft.guest_id else ()
    said = tuple(filter(None, (title, intro, f"-# {small}")))
    return Post(("\n".join(said),), menus, rows=go, people=_people(draft))


def _posting(length: str) -> str:
    return _("{length} each. It's posted here once you press **Challenge**.", length=length)


def _length_of(game: str, deals: int) -> str:
    return _length(deals, deals * CHALLENGES[game].minutes)


def _length(deals: int, about: int) -> str:
    return ngettext("{n} game, about {minutes} min", "{n} games, about {minutes} min", deals, minutes=about)


def _people(draft: Draft) -> UserMenu:
    """Return the menu to pick whom to challenge."""
    picked = (draft.guest_id,) if draft.guest_id else ()
    return UserMenu(_("Challenge a friend …"), _WHOM, picked, most=1, argument=draft.text)


@press(_WHOM)
async def _whom(ctx: Context) -> Reply:
    """Show what will be posted to the member who was picked, if they can be challenged here."""
    draft, people = Draft.parse(ctx.press.argument), ctx.picked_people
    if people:
        await _member(ctx, people[0])
    return Reply(_page(ctx, draft._replace(guest_id=people[0] if people else 0)), "here")


@press(_GAME)
async def _other_game(ctx: Context) -> Reply:
    draft = Draft.parse(ctx.press.menu_argument)
    if ctx.picked not in CHALLENGES:
        raise Outdated
    return Reply(_page(ctx, draft._replace(game=ctx.picked).settled), "here")


@press(_LENGTH)
async def _other_length(ctx: Context) -> Reply:
    draft, deals = Draft.parse(ctx.press.menu_argument), parse_number(ctx.picked)
    if deals not in DEALS:
        raise Outdated
    return Reply(_page(ctx, draft._replace(deals=deals).settled), "here")


@press(_GO)
async def _go(ctx: Context) -> Reply:
    """Post the challenge, once: the second of two presses finds what the first has offered."""
    return await _post(ctx, Draft.parse(ctx.press.argument).settled)


async def _post(ctx: Context, draft: Draft, options: Options | None = None) -> Reply:
    player = await _member(ctx, draft.guest_id)
    async with one_at_a_time(_GO, ctx.user_id):
        if await _is_offered(ctx, draft.match(ctx, options)):
            return Reply(_offered(player), "here")
        return replace(await offer(ctx, player, draft.game, draft.deals, draft.days, options), where="here")


async def _is_offered(ctx: Context, wanted: Match) -> bool:
    """Whether the same challenge waits for its answer in this channel."""
    for match_id in await ctx.tables.matches.of_user(ctx.user_id):
        match = await ctx.tables.matches.find(match_id)
        if match is not None and match.status == "offered" and _essence(match) == _essence(wanted):
            return True
    return False


def _essence(match: Match) -> tuple[object, ...]:
    players = [player.user_id for player in match.players]
    return match.kind, match.channel_id, match.game, dict(match.options), match.deals, match.days, players


# ---- the same game again


@press("challenge-same")
async def _same(ctx: Context) -> Reply:
    """Show a challenge of the other player of a game with its options, before it is posted."""
    draft, options = _as_played(ctx)
    await _member(ctx, draft.guest_id)
    match = draft.match(ctx, options)
    least = minutes(ctx.face, ctx.face.game.settle(options), 1)
    small = _posting(_length(draft.deals, draft.deals * least))
    said = "\n".join((heading(match, ctx.faces), offer_text(match, ctx.faces), f"-# {small}"))
    return ctx.page(Post((said,), rows=((Button(_POST, _("Challenge"), "success"),),)), ctx.table)


@press(_POST)
async def _post_same(ctx: Context) -> Reply:
    return await _post(ctx, *_as_played(ctx))


def _as_played(ctx: Context) -> tuple[Draft, Options]:
    """Return a challenge like the game of a table, whose cards are known by now. Raises `Outdated` if it has none."""
    game, is_here = ctx.face.game, ctx.interaction.guild_id == ctx.table.place.guild_id
    guest_id = opponent(ctx.table, game, ctx.user_id)
    if guest_id is None or not is_here or game.key not in CHALLENGES:
        raise Outdated
    played = under_current_rules(ctx.table, game).options
    options = {option.key: played[option.key] for option in game.options if not option.sets_first}
    return Draft(game.key, guest_id=guest_id).settled, options


# ---- posting it


async def offer(  # noqa: PLR0913, PLR0917 - a challenge has six parts
    ctx: Context, player: discord.abc.User, game: str, deals: int, days: int, options: Options | None = None
) -> Reply:
    """Offer a challenge to a member who can see this channel, by default with the options of a daily."""
    place = channel_place(ctx.interaction)
    if place.guild_id is None:
        raise NotAllowed("Challenges are for servers.")
    await check_may_open(ctx.tables, ctx.interaction, place)
    _check_reachable(ctx.interaction, player)
    await ctx.claim()
    matches, host, guest = ctx.tables.matches, ctx.person, as_person(player)
    if options is None:
        match = await matches.challenge(host, guest, place, game, deals=deals, days=days)
    else:
        players = (MatchPlayer(0, 0, host.id, host.name), MatchPlayer(1, 0, guest.id, guest.name))
        match = await matches.offer("challenge", (game, options), place, players, deals=deals, days=days)
    client: Any = ctx.interaction.client
    client.calendar.soon("match", match.id)
    return Reply(_offered(player))


def _offered(player: discord.abc.User) -> Post:
    return sentence(_("{name} can accept or decline it here.", name=f"<@{player.id}>"))


async def _member(ctx: Context, user_id: int) -> discord.Member:
    """Return the member who is to be challenged here. Raises `NotAllowed` if they can't be."""
    guild = ctx.interaction.guild
    if guild is None or not user_id:
        raise Outdated
    if user_id == ctx.user_id:
        raise NotAllowed("You can't challenge yourself.")
    try:
        member = guild.get_member(user_id) or await guild.fetch_member(user_id)
    except discord.NotFound:
        raise NotAllowed("They aren't on this server any more.") from None
    _check_reachable(ctx.interaction, member)
    return member


def _check_reachable(interaction: discord.Interaction, player: discord.abc.User) -> None:
    """Raise `NotAllowed` unless the user is a member who can see the channel."""
    if player.bot:
        raise NotAllowed("Computers play along anyway. Challenge a person.")
    channel = interaction.channel
    if isinstance(channel, discord.Thread):
        channel = channel.parent
    is_here = isinstance(player, discord.Member)
    if is_here and isinstance(channel, discord.abc.GuildChannel):
        is_here = may_read(channel.permissions_for(cast("discord.Member", player)), channel)
    if not is_here:
        raise NotAllowed("{name} can't see this channel.", name=plain(player.display_name))
