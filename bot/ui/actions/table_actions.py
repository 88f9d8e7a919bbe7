"""Actions at a table that has started: show the board or a hand, play, resign, close.

Each method serves one interaction and returns a `Reply`; refusals are raised. The seat is always that of
``interaction.user``.
"""

import logging
from collections.abc import Mapping
from functools import partial
from typing import Any, Final

import discord
from msgspec.structs import replace

from bot.errors import AmbiguousTable, IllegalMove, LilypadError, NoSuchTable, NotAllowed, Stale, WrongPhase
from bot.tables import Kind, Snapshot, Table, Tables
from bot.tables.seating import seated, wrong_phase
from bot.texts import gettext as _
from bot.texts import language, ngettext, sentence_of
from bot.ui.actions.lobby_actions import LobbyActions
from bot.ui.actions.options import OptionActions
from bot.ui.actions.permissions import Visitor, moderated_server
from bot.ui.actions.private_hands import HandReplies, pressed_dm
from bot.ui.actions.removals import RemovalActions
from bot.ui.actions.undo_questions import UndoActions
from bot.ui.interactions.reply import Reply, sentence
from bot.ui.interactions.respond import answer
from bot.ui.interactions.router import Handler, TableAction, for_table, picked
from bot.ui.interactions.validation import person_of
from bot.ui.messages.hand import turn
from bot.ui.messages.live_messages import LiveMessages
from bot.ui.posts.custom_id import Press, parse_key
from bot.ui.posts.face import Faces, waiting_line
from bot.ui.posts.names import side_names
from bot.ui.posts.pictures import in_words
from bot.ui.posts.post import Button, Choice, Choices, Post
from bot.ui.posts.text import status_of

log: Final = logging.getLogger(__name__)

BOARD_AT: Final = "board-at"
"""The verb of the menu of tables whose board is asked for."""


class TableActions:
    """The actions of users at tables, for slash commands and presses."""

    def __init__(self, tables: Tables, faces: Faces, live: LiveMessages, hands: HandReplies) -> None:
        self._tables = tables
        self._faces = faces
        self._live = live
        self.hands = hands
        self.lobby = LobbyActions(tables, faces, live)
        self.options = OptionActions(tables, faces, live, self.lobby)
        self.removals = RemovalActions(tables)
        self.undos = UndoActions(tables, live, hands)

    @property
    def handlers(self) -> Mapping[str, Handler]:
        """The handler of each verb."""
        return {
            "hand": for_table(self.hand_here),
            "turn": for_table(self.turn),
            "play": lambda interaction, press: self.play(interaction, press.table, press.argument, press.version),
            "pick": lambda interaction, press: self.play(interaction, press.table, picked(interaction), press.version),
            "show": self.at_picked(self.hand),
            BOARD_AT: self.at_picked(self.board),
            "resign": for_table(self.ask_to_resign),
            "resigned": for_table(self._resign),
            "close": for_table(self.ask_to_close),
            "closed": for_table(self._close),
            **self.lobby.handlers,
            **self.options.handlers,
            **self.removals.handlers,
            **self.undos.handlers,
        }

    async def enter(self, interaction: discord.Interaction, press: Press) -> Press:
        """Note that the user acts at this table, and return the press with its id.

        Raises `NoSuchTable` if they may not see it.

        After a restore, the message may show a table whose number another one has, or moves that are lost.
        """
        table = await self._tables.finder.by_key(press.key, Visitor(interaction))
        if press.tag and press.tag != table.tag:
            raise NoSuchTable("This game was lost when I went back to a backup. `/tables` lists your games.")
        if press.tag and press.version > table.version:
            link = await self._live.board_link(table) or "`/tables`"
            raise Stale(
                "These moves were lost when I went back to a backup. The game continues here: {link}", link=link
            )
        await self.present(interaction, table)
        return replace(press, table=table.id, key=table.key)

    async def present(self, interaction: discord.Interaction, table: Table) -> None:
        """Note that the user is present, and end their absence if others had noted one."""
        self._live.ping_timing.pressed(table.id, interaction.user.id)
        if pressed_dm(interaction) is not None:
            await self._live.try_direct_messages(interaction.user.id)
        if await self._tables.waiting.come_back(table, person_of(interaction)):
            self._live.refresh(table.id)

    # ---- play

    async def flood_over(self, interaction: discord.Interaction) -> None:
        """Show a player the hand whose presses were too fast to be processed."""
        data: Mapping[str, Any] = interaction.data or {}
        press = Press.parse(str(data.get("custom_id", "")))
        user_id = interaction.user.id
        try:
            table = await self._tables.finder.by_key(press.key, Visitor(interaction)) if press and press.key else None
        except LilypadError as error:
            log.info("no hand is shown after a flood: %s", error)
            return
        if table is None or table.status != "playing" or table.sitter(user_id) is None:
            return
        if pressed_dm(interaction) is not None:
            self._live.redraw_hand(table.id, user_id)
        else:
            await answer(interaction, self.hand(interaction, table.id))

    async def hand(self, interaction: discord.Interaction, table_id: int) -> Reply:
        """Return the user's hand as a private message."""
        await self._seated(interaction, table_id)
        return await self.hands.reply(interaction, table_id)

    async def ask_which_table(self, several: AmbiguousTable, verb: str = "show") -> Reply:
        """Return a menu of tables; picking one shows the hand there, unless ``verb`` says otherwise."""
        tables = [await self._tables.table(number) for number in several.tables]
        menu = Choices(_("Which table?"), tuple(Choice(t.key, t.name, status_of(t)) for t in tables), verb=verb)
        return Reply(Post((sentence_of(several),), (menu,)))

    def at_picked(self, action: TableAction) -> Handler:
        """Return the handler of a menu from `ask_which_table`: it calls an action with the picked table."""

        async def handler(interaction: discord.Interaction, _press: Press) -> Reply:
            press = await self.enter(interaction, Press("show", key=parse_key(picked(interaction))))
            return await action(interaction, press.table)

        return handler

    async def board(self, _interaction: discord.Interaction, table_id: int) -> Reply:
        """Return the public board as a private message."""
        snapshot = await self.hands.settled(table_id)
        board = await self._live.drawings.board(snapshot, language())
        return Reply(board, "private", snapshot.table.key, snapshot.table.version)

    async def turn(self, interaction: discord.Interaction, table_id: int) -> Reply:
        """Return the prompt and the moves that the user can make, or whose turn it is."""
        table = await self._seated(interaction, table_id)
        if table.status != "playing":
            raise WrongPhase("There's nothing to play at Table {name} now.", name=table.name)
        draw, snapshot = partial(self._turn, interaction.user.id), await self.hands.settled(table_id)
        return self.hands.open_messages.reply(interaction, await draw(snapshot), snapshot.table, "turn", draw)

    async def _turn(self, user_id: int, snapshot: Snapshot) -> Post:
        table = snapshot.table
        if table.status != "playing" or table.sitter(user_id) is None:
            return await self.hands.post(user_id, snapshot)
        sight = await self._tables.sight(table, user_id)
        return turn(self._faces[table.game], sight, snapshot.reader(user_id).settings)

    async def preview(self, interaction: discord.Interaction, table: Table, content: Post | None) -> Reply:
        """Return a private page about a move that isn't made yet. It goes when the table changes.

        Without ``content``, the move isn't possible any more: return the player's hand.
        """
        if content is None:
            return await self.hand_here(interaction, table.id)
        if (await self._tables.users.settings(interaction.user.id)).hands != "pictures":
            content = in_words(content)
        if await self.hands.is_own_board(interaction, table.id):
            return Reply(content, "here", table.key, table.version)
        return self.hands.beside_board(interaction, table, content)

    async def play(self, interaction: discord.Interaction, table_id: int, text: str, seen: int | None = None) -> Reply:
        """Play a move in notation. If ``seen``, the version the user saw, is stale, return the current hand."""
        user = interaction.user.id
        if seen is None:  # otherwise the version decides which process was first
            await self._tables.claim(interaction.id)
        with await self._live.answering(table_id, interaction, Kind.HAND) as answer:
            try:
                called = person_of(interaction).name, interaction.guild_id
                await self._tables.play(table_id, user, text, seen, called)
                self._live.ping_timing.active(table_id, user)
                self._live.ping_timing.pressed(table_id, user)  # the reply shows whether it's their turn again
                notice = ""
            except Stale as stale:
                notice = sentence_of(stale)
            except IllegalMove as refusal:
                raise await self._named(refusal, table_id, user) from None
            return await self.hands.answer(interaction, table_id, answer, notice)

    async def _named(self, refusal: IllegalMove, table_id: int, user_id: int) -> IllegalMove:
        """Return the refusal of a move. Players who aren't to move read whose turn it is instead."""
        sight = await self._tables.look(table_id, user_id)
        waiting = waiting_line(self._faces[sight.table.game], sight)
        return refusal if waiting is None else IllegalMove("{waiting}", refusal.ruling, waiting=waiting)

    async def ask_to_resign(self, interaction: discord.Interaction, table_id: int) -> Reply:
        """Ask for confirmation, and say what resigning means at this table."""
        table = await self._tables.table(table_id)
        seat = seated(table, interaction.user.id).seat
        if table.status != "playing":
            raise WrongPhase("There's no game in play at Table {name}.", name=table.name)
        sides = side_names(table, self._faces[table.game].game)
        others = [names for names, seats in sides if seat not in seats]
        asked = (
            ngettext(
                "Resign at **Table {name}**? **{winners}** wins at once, whatever the score. (G-10)",
                "Resign at **Table {name}**? **{winners}** win at once, whatever the score. (G-10)",
                table.seats // 2,
                name=table.name,
                winners=others[0],
            )
            if len(sides) == 2
            else _("Resign at **Table {name}**? A computer takes your seat for good. (G-10)", name=table.name)
        )
        row = (Button("resigned", _("Resign"), "danger"), Button("hand", _("Play on")))
        return Reply(Post((asked,), rows=(row,)), "private", table.key)

    async def _resign(self, interaction: discord.Interaction, table_id: int) -> Reply:
        await self._tables.claim(interaction.id)
        receipt = await self._tables.resign(table_id, interaction.user.id)
        return Reply(sentence(_("You resigned at **Table {name}**.", name=receipt.table.name)), "here")

    async def ask_to_close(self, interaction: discord.Interaction, table_id: int) -> Reply:
        """Ask the host or a moderator for confirmation."""
        table = await self._tables.table(table_id)
        if interaction.user.id != table.host_id and moderated_server(interaction, table) is None:
            raise NotAllowed("Only the host of Table {name} can close it.", name=table.name)
        if table.status not in {"lobby", "playing"}:
            raise wrong_phase(table)
        row = (Button("closed", _("Close the table"), "danger"), Button("more", _("Keep it")))
        asked = _("Close **Table {name}** for everyone, without a winner? You can't take this back.", name=table.name)
        return Reply(Post((asked,), rows=(row,)), "private", table.key, table.version)

    async def _close(self, interaction: discord.Interaction, table_id: int) -> Reply:
        await self._tables.claim(interaction.id)
        server_id = moderated_server(interaction, await self._tables.table(table_id))
        receipt = await self._tables.close(table_id, interaction.user.id, moderates=server_id)
        return Reply(sentence(_("**Table {name}** is closed.", name=receipt.table.name)), "here")

    async def hand_here(self, interaction: discord.Interaction, table_id: int) -> Reply:
        """Return the user's hand in place of the pressed message if that is private, otherwise as a new message."""
        await self._seated(interaction, table_id)
        with await self._live.answering(table_id, interaction, Kind.HAND) as answer:
            return await self.hands.answer(interaction, table_id, answer, asked=True)

    async def _seated(self, interaction: discord.Interaction, table_id: int) -> Table:
        table = await self._tables.table(table_id)
        seated(table, interaction.user.id)
        return table
