"""Choices about a lobby: its options, clock and guests, and starting with those who are here.

Sets of options are saved under a name, used and deleted here, too.
"""

from collections.abc import Awaitable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, Final, NamedTuple

import discord
from msgspec.structs import replace

from bot.computer import nearest, offered
from bot.errors import InvalidOption, NotAllowed, Stale, Text
from bot.games.game import AnyGame, Value
from bot.games.typed import clean
from bot.records.live_message import Snapshot
from bot.records.preference import OptionSet
from bot.records.table import DEFAULT_CLOCK, DEFAULT_LEVEL, LEVELS, Receipt, Table
from bot.tables.absence.deadlines import CLOCKS
from bot.tables.seating import need_lobby_host
from bot.tables.tables import Tables
from bot.texts import gettext as _
from bot.ui.actions.lobby_actions import change, start
from bot.ui.actions.press import Context, press
from bot.ui.interactions.reply import Reply, text_form
from bot.ui.messages.hint_texts import hint_names
from bot.ui.messages.lobby import clock_names, has_levels, level_names, option_choices, options_in_words
from bot.ui.posts.custom_id import parse_number
from bot.ui.posts.face import Face
from bot.ui.posts.layout import page_buttons, page_heading, page_of, split_for
from bot.ui.posts.post import Button, Choice, Choices, Post, UserMenu
from bot.ui.posts.text import one_line, plain, table_title, title_of

CLOCK: Final = "clock"
HINTS: Final = "hints"
LEVEL: Final = "level"
"""The keys of the clock, of hints and of the computers' level. No game has options of these names."""


class _Shown(NamedTuple):
    """Something that a host chooses for a table: its label, all values in words, and the chosen one."""

    key: str
    label: str
    values: Mapping[Any, str]
    value: Value


def _shown(face: Face[Any], table: Table) -> Iterator[_Shown]:
    """Yield the options that matter, those of most hosts first, the clock, and whether there are hints.

    Options that make a game count nowhere are left out, unless the table was opened with one.
    """
    texts = face.option_texts()
    chosen, unrated = face.game.chosen(table.options), _unrated(face)
    keys = [key for key in table.options if face.game.applies(key, table.options) and key not in unrated - {*chosen}]
    for key in sorted(keys, key=lambda key: key not in face.main_options):
        yield _named(key, texts[key].label, texts[key].values, table.options[key])
    yield _named(CLOCK, _("Clock"), clock_names(), table.clock)
    yield _named(HINTS, _("Hints"), hint_names(), table.hints)


def _offered(face: Face[Any], table: Table, *, is_main: bool) -> Iterator[Choices]:
    """Yield the menus of a page: an option that makes a game count nowhere comes with `open` alone."""
    for each in _shown(face, table):
        if each.key in _unrated(face) or _is_main(face, each.key) is not is_main:
            continue
        if each.key in {CLOCK, HINTS}:
            yield _menu(each)
        elif len(choices := option_choices(table, face, each.key, each.values)) > 1:
            yield Choices(each.label, choices, verb="option", argument=each.key)


def _unrated(face: Face[Any]) -> set[str]:
    return {option.key for option in face.game.options if option.sets_first}


def _named(key: str, label: str, values: Mapping[Any, str], value: Value) -> _Shown:
    """Return a choice with its label in front of each value that doesn't begin with it."""
    in_full = {
        each: words if words.startswith(label) else _("{option}: {value}", option=label, value=words)
        for each, words in values.items()
    }
    return _Shown(key, label, in_full, value)


def _is_main(face: Face[Any], key: str) -> bool:
    """Whether an option is on the first page."""
    return key == HINTS or key in face.main_options


@press("house-rules")
async def _house_rules(ctx: Context) -> Reply:
    return options_page(ctx, ctx.table, are_house_rules=True)


def options_page(ctx: Context, table: Table, *, are_house_rules: bool = False) -> Reply:
    """Return a page of options of a table. That of a lobby is kept up to date; the host's menus go with the lobby."""
    face, user_id = ctx.faces[table.game], ctx.user_id

    async def redrawn(snapshot: Snapshot) -> Post | None:
        is_gone = snapshot.table.status != "lobby" and user_id == snapshot.table.host_id
        return None if is_gone else _page(face, user_id, snapshot.table, are_house_rules=are_house_rules)

    post = _page(face, user_id, table, are_house_rules=are_house_rules)
    return ctx.page(post, table, redrawn if table.status == "lobby" else None)


def _page(face: Face[Any], user_id: int, table: Table, *, are_house_rules: bool) -> Post:
    if table.status == "lobby" and user_id == table.host_id:
        return house_rules_page(face, table) if are_house_rules else host_page(face, table)
    return Post((f"### {table_title(table, face.game)}", "\n".join(options_lines(face, table))))


def options_lines(face: Face[Any], table: Table) -> list[str]:
    """Return the options of a table as a list in words."""
    return [f"- {each.values[each.value]}" for each in _shown(face, table)]


@press("option")
async def _change(ctx: Context) -> Reply:
    key, value = ctx.press.menu_argument, ctx.picked
    if key == HINTS:
        return await _changed(ctx, ctx.tables.hints.allow(ctx.table.id, ctx.user_id, value))
    if key == LEVEL:
        return await _changed(ctx, ctx.tables.computers.set_level(ctx.table.id, ctx.user_id, value))
    clock, given = (value, {}) if key == CLOCK else (None, {key: value})
    changing = ctx.tables.lobbies.set_options(ctx.table.id, ctx.user_id, given, clock)
    return await _changed(ctx, changing, are_house_rules=not _is_main(ctx.face, key))


@press("propose")
async def _propose(ctx: Context) -> Reply:
    """Change an option in a menu of the lobby itself."""
    changing = ctx.tables.lobbies.set_options(ctx.table.id, ctx.user_id, {ctx.press.menu_argument: ctx.picked})
    return await change(ctx, changing, _("The lobby has changed."))


@press("invite")
async def _invite(ctx: Context) -> Reply:
    people, place = ctx.picked_people, ctx.table.place
    if ctx.interaction.guild_id != place.guild_id:
        raise NotAllowed("Invite players where the table is: in {channel}.", channel=f"<#{place.channel_id}>")
    return await _changed(ctx, ctx.tables.guests.invite(ctx.table.id, ctx.user_id, people))


async def _changed(ctx: Context, changing: Awaitable[Receipt], *, are_house_rules: bool = False) -> Reply:
    """Make a change. Nothing else edits the pressed page meanwhile."""
    ctx.live.expect(ctx.interaction)
    return options_page(ctx, (await changing).table, are_house_rules=are_house_rules)


@press("look")
async def _look(ctx: Context) -> Reply:
    await ctx.claim()
    done = _("Everyone here can see that you're looking for players.")
    return await change(ctx, ctx.tables.guests.look(ctx.table.id, ctx.user_id), done)


@press("start-here")
async def _start_here(ctx: Context) -> Reply:
    table = ctx.table
    if table.version != ctx.press.version:
        raise Stale("The lobby has changed. Look again.")
    if not table.is_full:
        need_lobby_host(table, ctx.user_id, Text("Only the host of Table {name} can start with fewer players."))
        table = (await ctx.tables.lobbies.set_options(table.id, ctx.user_id, {"players": len(table.sitters)})).table
    return await start(Context(ctx.interaction, ctx.press, table))


def host_page(face: Face[Any], table: Table) -> Post:
    """Return the page where the host changes what matters most about a lobby, and invites players."""
    main = list(_offered(face, table, is_main=True))
    menus = (*main[:1], *_level_menu(table), *main[-1:], *main[1:-1])
    remove = (Button("remove", _("Remove a player")),) if len(table.sitters) > 1 else ()
    row = (Button("house-rules", _("House rules")), Button("saved", _("Saved options")), *remove)
    return Post((f"### {table_title(table, face.game)}",), menus, (row,), people=guest_menu(table))


def house_rules_page(face: Face[Any], table: Table) -> Post:
    """Return the page where the host changes the clock, and the options that few players change."""
    heading = _("### Table {name} · House rules", name=table.name)
    return Post((heading,), tuple(_offered(face, table, is_main=False)), ((Button("options", _("Back")),),))


def _level_menu(table: Table) -> tuple[Choices, ...]:
    """Return the menu of how computers play, also those that are added later or play for absent players."""
    if not has_levels(table.game):
        return ()
    levels = {level: level_names()[level] for level in offered(table.game)}
    return (_menu(_named(LEVEL, _("Computers"), levels, table.level)),)


def guest_menu(table: Table) -> UserMenu | None:
    """Return the menu for inviting people, which direct messages lack."""
    if table.place.guild_id is None:
        return None
    prompt = _("Invite (nobody else can join)") if table.invited_only else _("Invite (anyone can join)")
    return UserMenu(prompt, "invite", table.invited)


def _menu(shown: _Shown) -> Choices:
    values = (Choice(str(value), words, is_picked=value == shown.value) for value, words in shown.values.items())
    return Choices(shown.label, tuple(values), verb="option", argument=shown.key)


_MAX_NAME: Final = 40
_FOR_SERVER: Final = "server"
"""The argument of the button that saves options for everyone on the server."""


@press("save")
async def _save(ctx: Context) -> Reply:
    """Open the form, or save the options under the name in it and show the sets with them."""
    table, guild_id = ctx.table, _moderated(ctx.interaction)
    for_server = ctx.press.argument == _FOR_SERVER
    if for_server and guild_id is None:
        raise NotAllowed("You need the permission Manage Server for that.")
    if not ctx.is_form:
        return Reply(form=text_form(ctx.press, _("Save options"), _("Name"), _("A name, such as Friday"), _MAX_NAME))
    name = one_line(ctx.picked)[:_MAX_NAME]
    if not name:
        raise InvalidOption("Write a name for these options.")
    chosen = ctx.face.game.chosen(table.options)
    owner = {"guild_id": guild_id} if for_server else {"user_id": ctx.user_id}
    await ctx.claim()
    await ctx.tables.option_sets.save(OptionSet(table.game, name, chosen, table.clock, level=table.level, **owner))
    done = _(
        "Saved as **{name}**. Choose it with `options` when you open {game}.",
        name=plain(name),
        game=title_of(ctx.face.game),
    )
    reply = await _list(ctx, 0)
    post = replace(reply.post, paragraphs=(*reply.post.paragraphs, done))
    return replace(reply, post=post, where="here")


@press("saved")
async def _saved(ctx: Context) -> Reply:
    return await _list(ctx, page_of(ctx.press))


@press("use-saved")
async def _use(ctx: Context) -> Reply:
    """Change all options of the lobby to a saved set, for the host."""
    table, game = ctx.table, ctx.face.game
    saved = usable(await _visible(ctx, parse_number(ctx.picked)), game)
    receipt = await ctx.tables.lobbies.set_options(table.id, ctx.user_id, game.settle(saved.options), saved.clock)
    if saved.level != receipt.table.level:
        receipt = await ctx.tables.computers.set_level(table.id, ctx.user_id, nearest(table.game, saved.level))
    return options_page(ctx, receipt.table)


@press("delete-saved")
async def _delete(ctx: Context) -> Reply:
    set_id = parse_number(ctx.picked)
    if not await ctx.tables.option_sets.delete(set_id, ctx.user_id, _moderated(ctx.interaction)):
        await _visible(ctx, set_id)
        raise NotAllowed("Only moderators can delete the server's saved sets.")
    return await _list(ctx, parse_number(ctx.press.menu_argument or "0"))


async def _visible(ctx: Context, set_id: int) -> OptionSet:
    """Return the user's or the server's set with this id. Raises `InvalidOption` if there is none."""
    for each in await visible_sets(ctx.tables, ctx.interaction, ctx.table.game):
        if each.id == set_id:
            return each
    raise InvalidOption("This saved set is gone.")


async def _list(ctx: Context, page: int) -> Reply:
    """Return a page of the sets, to use them and to delete those that the user may delete."""
    table, face, moderates = ctx.table, ctx.face, _moderated(ctx.interaction)
    pages = _pages(face, await visible_sets(ctx.tables, ctx.interaction, table.game))
    page = min(page, len(pages) - 1)
    sets = [each for each, _line in pages[page]]
    own = [each for each in sets if each.user_id is not None or moderates]
    heading = page_heading(_heading(face), page, len(pages))
    text = "\n".join(line for _set, line in pages[page]) or _("Nothing is saved yet.")
    is_host = table.status == "lobby" and table.host_id == ctx.user_id
    menus = (
        *_menu_of_sets(_("Use for this table"), "use-saved", sets if is_host else ()),
        *_menu_of_sets(_("Delete"), "delete-saved", own, str(page)),
    )
    row = (
        Button("save", _("Save options"), "primary"),
        *((Button("save", _("Save for server"), argument=_FOR_SERVER),) if moderates else ()),
        Button("options", _("Back"), argument="back"),
    )
    post = Post((f"{heading}\n{text}",), menus, (*page_buttons("saved", page, len(pages)), row))
    return ctx.page(post, table)


async def visible_sets(tables: Tables, interaction: discord.Interaction, game: str) -> tuple[OptionSet, ...]:
    """Return the user's sets for a game, then the server's."""
    return await tables.option_sets.visible(interaction.user.id, interaction.guild_id, game)


async def find_set(tables: Tables, interaction: discord.Interaction, game: str, name: str) -> OptionSet:
    """Return the set with this name or label; the user's own goes before the server's. Raises `InvalidOption`."""
    wanted = clean(name).casefold()
    for each in await visible_sets(tables, interaction, game):
        if wanted in {clean(each.name).casefold(), clean(label_of_set(each)).casefold()}:
            return usable(each, tables.finder.game(game))
    raise InvalidOption("There are no saved options called {name}.", name=plain(name))


def usable(saved: OptionSet, game: AnyGame) -> OptionSet:
    """Return the set without options, a clock or a level that the program doesn't have any more."""
    known = {option.key: option.choices for option in game.options}
    return replace(
        saved,
        options={key: value for key, value in saved.options.items() if value in known.get(key, ())},
        clock=saved.clock if saved.clock in CLOCKS else DEFAULT_CLOCK,
        level=saved.level if saved.level in LEVELS else DEFAULT_LEVEL,
    )


def label_of_set(saved: OptionSet) -> str:
    """Return the name of a set, and whether it is the server's."""
    return saved.name if saved.guild_id is None else _("{name} (server)", name=saved.name)


def _heading(face: Face[Any]) -> str:
    return "### " + _("Saved options · {game}", game=title_of(face.game))


def _pages(face: Face[Any], sets: Iterable[OptionSet]) -> list[list[tuple[OptionSet, str]]]:
    """Return the sets in pages, each with its name and its options in words."""
    rows = [(each, _line(face, each)) for each in sets]
    pages = split_for(_heading(face), [line for _set, line in rows])
    remaining = iter(rows)
    return [list(islice(remaining, len(page))) for page in pages]


def _line(face: Face[Any], saved: OptionSet) -> str:
    name = label_of_set(replace(saved, name=plain(saved.name)))
    kept = usable(saved, face.game)
    line = f"**{name}** {options_in_words(face, kept.options, kept.clock, kept.level)}"
    return line if kept == saved else _("{line} (the rest is gone, and ignored)", line=line)


def _moderated(interaction: discord.Interaction) -> int | None:
    """Return the id of the server if the user may manage it."""
    return interaction.guild_id if interaction.permissions.manage_guild else None


def _menu_of_sets(prompt: str, verb: str, sets: Iterable[OptionSet], argument: str = "") -> tuple[Choices, ...]:
    choices = tuple(Choice(str(each.id), label_of_set(each)) for each in sets)
    return (Choices(prompt, choices, verb=verb, argument=argument),) if choices else ()
