"""Presses and commands with their context, and the registration of handlers.

A button or a menu names a verb, and the handler of that verb is registered where it is written, in any module of this
folder or in a cog. To add a button:

1. Show it: put ``Button("wave", _("Wave"))`` into the rows of a `Post`, for example in `bot.ui.messages.lobby`.
2. Handle it::

        @press("wave")
        async def wave(ctx: Context) -> Reply:
            name = name_of(ctx.table, ctx.sitter().seat)
            return Reply(sentence(_("{name} waves at **Table {table}**.", name=name, table=ctx.table.name)))

3. Change a table through `Context.tables`, such as ``await ctx.tables.lobbies.stand(ctx.table.id, ctx.user_id)``. A
   refusal is an exception of `bot.errors`; whoever pressed reads its sentence.

A slash command builds its context with `Context.at`, and calls the same function.
"""

import asyncio
import importlib
import pkgutil
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, Protocol, TypeVar
from weakref import WeakKeyDictionary, WeakValueDictionary

import discord
from msgspec.structs import replace

import bot.ui.actions
from bot import logs
from bot.errors import NoSuchTable, NotAllowed, PlayError, Stale
from bot.games.game import Observation
from bot.records.table import Person, Sitter, Table
from bot.tables.absence.timer import PlayForAbsent
from bot.tables.seating import seated
from bot.tables.tables import Sight, Tables
from bot.texts import language, supported, using
from bot.ui.actions.hint_thoughts import Hints, Recollections, Reviews
from bot.ui.actions.permissions import Visitor
from bot.ui.interactions.command_tree import absence, as_person, replace_unstorable
from bot.ui.interactions.reply import Draw, Reply, is_on_page, opens, refusal
from bot.ui.interactions.respond import Repeated, answer
from bot.ui.interactions.way_back import in_place
from bot.ui.live.live_messages import LiveMessages
from bot.ui.posts.custom_id import Outdated, Press, parse_key, parse_number
from bot.ui.posts.face import Face, Faces
from bot.ui.posts.post import Post

R_co = TypeVar("R_co", covariant=True)


class Elsewhere(Protocol):
    """Calls a function in another process: `bot.thinking.thinkers.Thinkers.run`."""

    async def __call__(self, function: Callable[..., R_co], /, *arguments: object) -> R_co:
        """Return the result of the function."""


_CONFIRMATIONS: Final = frozenset({"closed", "counted", "ended", "expel", "resigned"})
"""Verbs that answer a question about something that can't be taken back. A refusal replaces the question."""
_CLAIMED: Final = "claimed"
"""The key of an interaction's ``extras`` once it has been claimed."""
_COMMAND: Final = Press("")
"""Stands for the press of a slash command."""


@dataclass(frozen=True, slots=True)
class App:
    """The parts of a running bot that handlers work with; the client has them as ``app``.

    ``settle`` waits until no computer is to move at a table, with a timeout in seconds. ``stand_in`` has a computer
    play for an absent player. ``elsewhere`` calls a pure function in a process for thinking: one that takes long would
    delay the answers to everyone here.
    """

    tables: Tables
    faces: Faces
    live: LiveMessages
    hints: Hints
    recollections: Recollections
    reviews: Reviews
    settle: Callable[[int, float], Awaitable[None]]
    stand_in: PlayForAbsent
    elsewhere: Elsewhere


class Context:
    """A press or a command with all that is found about it: its user, its table, and the parts of the bot.

    ``press`` has the version of the table that the user saw; for commands, ``seen`` is ``None``. The seat is always
    that of ``interaction.user``. The table was read when the interaction arrived: changes check its version again.
    """

    def __init__(self, interaction: discord.Interaction, press: Press = _COMMAND, table: Table | None = None) -> None:
        client: Any = interaction.client
        app: App = client.app
        self.interaction = interaction
        self.press = press
        self.app = app
        self.tables = app.tables
        self.faces = app.faces
        self.live = app.live
        self._table = table
        if table is not None:
            logs.note(table=table.id)

    @property
    def user_id(self) -> int:
        """The user's id on Discord."""
        return self.interaction.user.id

    @property
    def person(self) -> Person:
        """The user with the name shown in that place."""
        return as_person(self.interaction.user)

    @property
    def table(self) -> Table:
        """The table, which the user may see. Raises `Outdated` if the press is about none."""
        if self._table is None:
            raise Outdated
        return self._table

    @property
    def seen(self) -> int | None:
        """The version of the table that the user saw; ``None`` for the current one."""
        return self.press.version if self.press.verb else None

    @property
    def face(self) -> Face[Any]:
        """The face of the table's game."""
        return self.faces[self.table.game]

    @property
    def visitor(self) -> Visitor:
        """The user as a viewer of tables."""
        return Visitor(self.interaction)

    @property
    def pressed_dm(self) -> int | None:
        """The id of the pressed direct message, if one was pressed."""
        message = self.interaction.message
        if message is None or self.interaction.guild_id is not None or message.flags.ephemeral:
            return None
        return message.id

    @property
    def is_form(self) -> bool:
        """Whether a form was sent."""
        return self.interaction.type is discord.InteractionType.modal_submit

    @property
    def picked(self) -> str:
        """The value picked in a menu or written in a form's only field; empty if there is none."""
        data: Mapping[str, Any] = self.interaction.data or {}
        if values := _list(data.get("values")):
            return str(values[0])
        written = [part.get("value") for part in _walk(data.get("components"))]
        return next((value for value in written if isinstance(value, str)), "")

    @property
    def fields(self) -> Mapping[str, Any]:
        """The values of a form's fields by their ids, as they came: texts, lists of texts or ``None``."""
        data: Mapping[str, Any] = self.interaction.data or {}
        parts = (part for part in _walk(data.get("components")) if "custom_id" in part)
        return {str(part["custom_id"]): part.get("values", part.get("value")) for part in parts}

    @property
    def picked_people(self) -> tuple[int, ...]:
        """The members picked in a menu, without apps. Raises `NotAllowed` if nobody else was picked.

        Only Discord knows who is a member. A menu may still show people who have left the server.
        """
        data: Mapping[str, Any] = self.interaction.data or {}
        resolved = _dict(data.get("resolved"))
        users, members = _dict(resolved.get("users")), _dict(resolved.get("members"))
        picked = [value for value in _list(data.get("values")) if isinstance(value, str)]
        people = [each for each in picked if each in members and not _dict(users.get(each, {"bot": True})).get("bot")]
        if picked and not people:
            raise NotAllowed("You can only invite members of this server.")
        return tuple(map(parse_number, people))

    def sitter(self) -> Sitter:
        """Return the user as a player of the table. Raises `NotSeated`."""
        return seated(self.table, self.user_id)

    def page(self, post: Post, table: Table, draw: Draw | None = None) -> Reply:
        """Return a private page about a table, which replaces the user's open one.

        With ``draw``, it is kept up to date. If a page was turned, it is shown in place of the page before, otherwise
        as a new message. Pages with an origin are put in place afterwards.
        """
        is_turned = bool(self.press.argument) and not self.press.origin and is_on_page(self.interaction)
        return opens(post, table, "page", draw, where="here" if is_turned else "private")

    def put_in_place(self, reply: Reply) -> Reply:
        """Return the reply to a press that has an origin: in place of the pressed page, with the way back."""
        return in_place(reply, self.press, self._table)

    async def claim(self) -> None:
        """Call this before something is created that nothing else makes unique. Raises `Repeated` the second time."""
        extras = self.interaction.extras
        is_known, extras[_CLAIMED] = _CLAIMED in extras, True
        if not is_known and not await self.tables.claim(self.interaction.id):
            raise Repeated

    async def in_public(self) -> AbstractContextManager[None]:
        """Return a block that translates to the language of everyone in the channel: the server's, if it is on one."""
        guild_id = self.interaction.guild_id
        return using(language() if guild_id is None else supported(await self.tables.languages.of_server(guild_id)))

    async def go_on(self) -> bool:
        """Show the user the next deal if they are alone and have seen the end of the last one; return whether so."""
        return await self.tables.go_on(self.table, self.user_id)

    async def sight(self) -> Sight:
        """Return the user's view of the table, or the public's if they have no seat, as boards show it."""
        return (await self.tables.sight(self.table, self.user_id)).shown

    async def public(self) -> tuple[Table, Face[Any], Observation]:
        """Return the table with what everyone sees there. Raises `WrongPhase` before the start."""
        sight = (await self.tables.sight(self.table, None)).shown
        return sight.table, self.face, sight.observation

    async def at(self, table: Table) -> "Context":
        """Return the context at this table, where the user is present now. That ends an absence others had noted."""
        self.live.ping_timing.pressed(table.id, self.user_id)
        table = await self.tables.checked(table)
        if await self.tables.waiting.come_back(table, self.person):
            self.live.refresh(table.id)
            table = await self.tables.table(table.id)
        if table.status == "lobby":  # in play, their moves bring their name
            called = self.person.name, self.interaction.guild_id
            table = await self.tables.lobbies.follow_name(table, self.user_id, called)
        press = replace(self.press, key=table.key) if self.press.verb else self.press
        return Context(self.interaction, press, table)


Handler = Callable[[Context], Awaitable[Reply]]
H = TypeVar("H", bound=Callable[..., Awaitable[Reply]])


class _Registered(NamedTuple):
    handler: Handler
    picks_table: bool
    game: str | None


_HANDLERS: Final[dict[str, _Registered]] = {}


def press(verb: str, *, picks_table: bool = False, game: str | None = None) -> Callable[[H], H]:
    """Register a function as the handler of presses with this verb, at tables of ``game`` alone if that is given.

    With ``picks_table``, the table is the one that the user picks in the menu, as in `ask_which_table`.
    """

    def register(handler: H) -> H:
        known = _HANDLERS.get(verb)
        if known and _name(known.handler) != _name(handler):  # a cog is executed again for each bot in a process
            raise ValueError(f"two handlers for {verb}: {_name(known.handler)} and {_name(handler)}")
        _HANDLERS[verb] = _Registered(handler, picks_table, game)
        return handler

    return register


def _name(handler: Any) -> str:
    return f"{handler.__module__}.{handler.__qualname__}"


def load_handlers() -> None:
    """Import all modules of this folder, whose handlers register themselves. Those in cogs come with their cogs."""
    for module in pkgutil.iter_modules(bot.ui.actions.__path__):
        importlib.import_module(f"{bot.ui.actions.__name__}.{module.name}")


def all_verbs() -> frozenset[str]:
    """Return the verbs of all presses."""
    return frozenset(_HANDLERS)


async def on_interaction(interaction: discord.Interaction) -> None:
    """Answer a press; the command tree takes slash commands and autocomplete.

    All that a press needs is in its ``custom_id``, so presses work after a restart.
    """
    if interaction.type in {discord.InteractionType.component, discord.InteractionType.modal_submit}:
        replace_unstorable(interaction)
        await answer(interaction, _reply(interaction))


def press_of(interaction: discord.Interaction) -> Press | None:
    """Return what was pressed, or ``None`` if no message of this bot has that."""
    data: Mapping[str, Any] = interaction.data or {}
    return Press.parse(str(data.get("custom_id", "")))


async def _reply(interaction: discord.Interaction) -> Reply:
    pressed = press_of(interaction)
    registered = _HANDLERS.get(pressed.verb) if pressed else None
    if pressed is None or registered is None:
        raise Outdated
    ctx = await _context(interaction, pressed, registered)
    try:
        reply = await registered.handler(ctx)
    except PlayError as error:
        if pressed.verb not in _CONFIRMATIONS:
            raise
        return Reply(refusal(error), "here", is_refusal=True)
    _check_first_post(interaction, pressed, reply)
    if reply.where == "channel":  # a post has no other mark
        await ctx.claim()
    return ctx.put_in_place(reply) if pressed.origin and is_on_page(interaction) else reply


async def _context(interaction: discord.Interaction, pressed: Press, registered: _Registered) -> Context:
    """Return the context of a press: at its table, if it is about one."""
    ctx = Context(interaction, replace(pressed, argument="") if registered.picks_table else pressed)
    key = parse_key(ctx.picked) if registered.picks_table else pressed.key
    if key:
        if refusal := absence(interaction):
            raise refusal
        ctx = await entered(ctx, key)
    if registered.game and ctx.table.game != registered.game:
        raise Outdated
    return ctx


async def entered(ctx: Context, key: str) -> Context:
    """Return the context at the table with this key. Raises `NoSuchTable` if the user may not see it.

    After a restore, the message may show a table that is lost, whose number another one may have, or moves that are.
    The same is seen if another bot with this token has posted it, so nothing is said of a loss.
    """
    tag, table = key.partition("-")[2].partition("-")[0], None
    try:
        table = await ctx.tables.finder.by_key(key, ctx.visitor)
    except NoSuchTable:
        if not tag:
            raise
    if table is None or (tag and tag != table.tag):
        raise NoSuchTable("I don't know this game.")
    if tag and key == ctx.press.key and ctx.press.version > table.version:
        link = await ctx.live.board_link(table)
        if not link:
            raise NoSuchTable("This message doesn't fit the game as I have it.")
        raise Stale("This message doesn't fit the game as I have it. It continues here: {link}", link=link)
    return await ctx.at(table)


def _walk(components: Any) -> Iterator[Mapping[str, Any]]:
    """Yield the components of a form, also of a forged one."""
    for part in map(_dict, _list(components)):
        yield part
        yield from _walk(part.get("components"))
        yield from _walk([part["component"]] if "component" in part else None)


def _list(part: Any) -> list[Any]:
    return part if isinstance(part, list) else []


def _dict(part: Any) -> Mapping[str, Any]:
    return part if isinstance(part, dict) else {}


# ---- presses that come twice


_AGAIN_AFTER_S: Final = 10.0
"""Time after which the same button may post the same again."""

_Post = tuple[int, int | None, str]
_locks: Final[WeakValueDictionary[tuple[object, ...], asyncio.Lock]] = WeakValueDictionary()
_posted_at: Final[WeakKeyDictionary[discord.Client, dict[_Post, float]]] = WeakKeyDictionary()
"""When a user has last posted with a button in a channel, by bot, on the event loop's clock."""


def one_at_a_time(*what: object) -> asyncio.Lock:
    """Return the lock to hold while something is begun, so that the second press finds what the first has begun."""
    return _locks.setdefault(what, asyncio.Lock())


def _check_first_post(interaction: discord.Interaction, pressed: Press, reply: Reply) -> None:
    """Raise `NotAllowed` if the reply is for everyone in a channel, and the user has just posted the same there."""
    if reply.where != "channel" or interaction.guild_id is None:
        return
    now, post = asyncio.get_running_loop().time(), (interaction.user.id, interaction.channel_id, pressed.custom_id)
    posted_at = _posted_at.setdefault(interaction.client, {})
    for old in [each for each, at in posted_at.items() if not at <= now < at + _AGAIN_AFTER_S]:
        del posted_at[old]
    if post in posted_at:
        raise NotAllowed("It's in the channel already.")
    posted_at[post] = now
