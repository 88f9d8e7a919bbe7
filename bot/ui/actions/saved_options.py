"""Saved sets of options: save a lobby's options under a name, use a set, delete it."""

from collections.abc import Callable, Iterable, Mapping
from itertools import islice
from typing import Any, Final

import discord
from msgspec.structs import replace

from bot.computer import nearest
from bot.errors import InvalidOption, NotAllowed
from bot.games.game import AnyGame
from bot.games.typed import clean
from bot.tables import LEVELS, OptionSet, Table, Tables
from bot.tables.absence.deadlines import CLOCKS
from bot.texts import gettext as _
from bot.ui.interactions.reply import Reply, text_form
from bot.ui.interactions.router import Handler, picked
from bot.ui.messages.live_messages import LiveMessages
from bot.ui.messages.lobby import options_in_words
from bot.ui.posts.custom_id import Press, parse_number
from bot.ui.posts.face import Face, Faces
from bot.ui.posts.pages import page_buttons, page_heading, page_of, split_for
from bot.ui.posts.post import Button, Choice, Choices, Post
from bot.ui.posts.text import one_line, plain, title_of

_MAX_NAME: Final = 40
_FOR_SERVER: Final = "server"
"""The argument of the button that saves options for everyone on the server."""

Show = Callable[[discord.Interaction, Press, Table], Reply]


class SavedOptions:
    """The buttons **Save options** and **Saved options**. ``show`` returns the page of options of a lobby."""

    def __init__(self, tables: Tables, faces: Faces, live: LiveMessages, show: Show) -> None:
        self._tables = tables
        self._faces = faces
        self._live = live
        self._show = show

    @property
    def handlers(self) -> Mapping[str, Handler]:
        """The handler of each verb."""
        return {"save": self._save, "saved": self._page, "use-saved": self._use, "delete-saved": self._delete}

    async def _save(self, interaction: discord.Interaction, press: Press) -> Reply:
        """Open the form, or save the options under the name in it and show the sets with them."""
        table = await self._tables.table(press.table)
        guild_id = _moderated(interaction)
        for_server = press.argument == _FOR_SERVER
        if for_server and guild_id is None:
            raise NotAllowed("You need the permission Manage Server for that.")
        if interaction.type is not discord.InteractionType.modal_submit:
            return Reply(form=text_form(press, _("Save options"), _("Name"), _("A name, such as Friday"), _MAX_NAME))
        name = one_line(picked(interaction))[:_MAX_NAME]
        if not name:
            raise InvalidOption("Write a name for these options.")
        chosen = self._faces[table.game].game.chosen(table.options)
        owner = {"guild_id": guild_id} if for_server else {"user_id": interaction.user.id}
        await self._tables.option_sets.save(
            OptionSet(table.game, name, chosen, table.clock, level=table.level, **owner)
        )
        done = _(
            "Saved as **{name}**. Choose it with `options` when you open {game}.",
            name=plain(name),
            game=title_of(self._faces[table.game].game),
        )
        reply = await self._list(interaction, press, table, 0)
        post = replace(reply.post, paragraphs=(*reply.post.paragraphs, done))
        return replace(reply, post=post, where="here")

    async def _page(self, interaction: discord.Interaction, press: Press) -> Reply:
        table = await self._tables.table(press.table)
        return await self._list(interaction, press, table, page_of(press))

    async def _use(self, interaction: discord.Interaction, press: Press) -> Reply:
        """Change all options of the lobby to a saved set, for the host."""
        table, wanted = await self._tables.table(press.table), parse_number(picked(interaction))
        saved = usable(await self._visible(interaction, table.game, wanted), self._faces[table.game].game)
        await self._tables.claim(interaction.id)
        options = self._faces[table.game].game.settle(saved.options)
        receipt = await self._tables.set_options(table.id, interaction.user.id, options, saved.clock)
        if saved.level != receipt.table.level:
            level = nearest(table.game, saved.level)
            receipt = await self._tables.computers.set_level(table.id, interaction.user.id, level)
        return self._show(interaction, press, receipt.table)

    async def _delete(self, interaction: discord.Interaction, press: Press) -> Reply:
        table, set_id = await self._tables.table(press.table), parse_number(picked(interaction))
        if not await self._tables.option_sets.delete(set_id, interaction.user.id, _moderated(interaction)):
            await self._visible(interaction, table.game, set_id)
            raise NotAllowed("Only moderators can delete the server's saved sets.")
        return await self._list(interaction, press, table, parse_number(press.menu_argument or "0"))

    async def _visible(self, interaction: discord.Interaction, game: str, set_id: int) -> OptionSet:
        """Return the user's or the server's set with this id. Raises `InvalidOption` if there is none."""
        for each in await visible_sets(self._tables, interaction, game):
            if each.id == set_id:
                return each
        raise InvalidOption("This saved set is gone.")

    async def _list(self, interaction: discord.Interaction, press: Press, table: Table, page: int) -> Reply:
        """Return a page of the sets, to use them and to delete those that the user may delete."""
        face = self._faces[table.game]
        pages = _pages(face, await visible_sets(self._tables, interaction, table.game))
        page = min(page, len(pages) - 1)
        sets = [each for each, _line in pages[page]]
        own = [each for each in sets if each.user_id is not None or _moderated(interaction)]
        heading = page_heading(_heading(face), page, len(pages))
        text = "\n".join(line for _set, line in pages[page]) or _("Nothing is saved yet.")
        is_host = table.status == "lobby" and table.host_id == interaction.user.id
        menus = (
            *_menu(_("Use for this table"), "use-saved", sets if is_host else ()),
            *_menu(_("Delete"), "delete-saved", own, str(page)),
        )
        row = [Button("save", _("Save options"), "primary")]
        if _moderated(interaction):
            row.append(Button("save", _("Save for server"), argument=_FOR_SERVER))
        row.append(Button("options", _("Back"), argument="back"))
        post = Post((f"{heading}\n{text}",), menus, (*page_buttons("saved", page, len(pages)), tuple(row)))
        return self._live.open_messages.page(interaction, press, post, table)


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
        clock=saved.clock if saved.clock in CLOCKS else "none",
        level=saved.level if saved.level in LEVELS else "fair",
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


def _menu(prompt: str, verb: str, sets: Iterable[OptionSet], argument: str = "") -> tuple[Choices, ...]:
    choices = tuple(Choice(str(each.id), label_of_set(each)) for each in sets)
    return (Choices(prompt, choices, verb=verb, argument=argument),) if choices else ()
