"""Taking a move back on Discord: at once where it is free, else by a short message that asks those concerned."""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence

import discord
from msgspec.structs import replace

from bot.errors import PlayError, Stale
from bot.tables import Shown, Table, Tables, Undoing
from bot.tables.seating import seated
from bot.ui.answer import Reply, sentence
from bot.ui.custom_id import Press, number
from bot.ui.layout import layout
from bot.ui.pings import PAUSE_S
from bot.ui.post import Button, Post
from bot.ui.posting import coming, look_for, note, question_of
from bot.ui.presses import Handler
from bot.ui.text import listed, name_of

Present = Callable[[discord.Interaction, Table, str], Awaitable[Reply]]
"""The present hand of a user at a table, in place of what he pressed, with a notice below it."""


class Undos:
    """The work of **Undo**, **Agree** and **Refuse**."""

    def __init__(self, tables: Tables, present: Present, notice: Callable[[int, int], None]) -> None:
        """``notice`` is told who is there at which table, so that he isn't pinged for the turn that he gets back."""
        self._tables = tables
        self._present = present
        self._notice = notice

    @property
    def handlers(self) -> Mapping[str, Handler]:
        """What each verb of a `Press` does."""
        return {
            "undo": lambda interaction, press: self.undo(interaction, press.table, press.version),
            "undo-yes": self._agree,
            "undo-no": self._refuse,
        }

    async def undo(self, interaction: discord.Interaction, table_id: int, seen: int | None = None) -> Reply:
        """Takes the user's last move back, or asks those concerned; ``seen`` is the version that he saw."""
        await self._tables.claim(interaction.id)
        user = interaction.user.id
        self._notice(table_id, user)
        try:
            undoing = await self._tables.undos.undo(table_id, user, seen)
        except Stale as stale:
            return await self._present(interaction, await self._tables.table(table_id), stale.sentence)
        if not undoing.waiting:
            return await self._present(interaction, undoing.table, "Your move is taken back.")
        names = listed([_name(undoing.table, waiting) for waiting in undoing.waiting])
        await self._ask(interaction.client, undoing, user)
        return Reply(sentence(f"{names} {'have' if len(undoing.waiting) > 1 else 'has'} been asked to agree."))

    async def _ask(self, client: discord.Client, undoing: Undoing, asker: int) -> None:
        """Ask once at each version, even if an earlier attempt was interrupted."""
        table = undoing.table
        place, of_seat = table.place.channel_id, question_of(seated(table, asker).seat)
        question = Shown(table.id, "ping", of_seat, place, 0, table.version, table.changed_at, "")
        shown = await self._tables.shown(table.id)
        if _asked(shown, table, of_seat):
            return
        noted = coming(shown, "ping", of_seat)
        known = noted if noted and noted.version == table.version else None
        if noted is not None and known is None:
            await self._tables.forget_shown(noted)
        old = next((each for each in shown if each.kind == "ping" and each.user_id == of_seat), None)
        # A question that was asked before and isn't there was deleted by a moderator: it comes back without a ping.
        was_deleted = undoing.is_repeated and known is None
        to_ping = () if was_deleted else await self._tables.waiting.to_ping(table.id, undoing.waiting, PAUSE_S)
        try:
            message = await look_for(client, known, table, shown) if known else None
            if message is None:
                nonce, _ = await note(self._tables, question, old)
                message = await self._post(client, undoing, asker, nonce, to_ping)
            await self._tables.record_pings(table.id, to_ping, message.created_at.timestamp())
        except (discord.Forbidden, discord.NotFound):
            await self._tables.undos.forget(table.id, asker)
            raise PlayError("The bot can't write in the table's channel, so it can't ask anybody there.") from None
        await self._tables.record_shown(replace(question, message_id=message.id))

    @staticmethod
    async def _post(
        client: discord.Client, undoing: Undoing, asker: int, nonce: str, to_ping: Sequence[int]
    ) -> discord.Message:
        table, question = undoing.table, _question(undoing, asker)
        mentions = (" ".join(f"<@{user}>" for user in to_ping),) if to_ping else ()
        return await client.get_partial_messageable(table.place.channel_id).send(
            view=layout(Post((*mentions, *question.paragraphs), rows=question.rows), table.id, table.version),
            nonce=nonce,
            allowed_mentions=discord.AllowedMentions(users=[discord.Object(user) for user in to_ping]),
        )

    async def _agree(self, interaction: discord.Interaction, press: Press) -> Reply:
        await self._tables.claim(interaction.id)
        asker = number(press.argument)
        try:
            undoing = await self._tables.undos.agree(press.table, interaction.user.id, asker, press.version)
        except Stale:
            return await self._settled(interaction, press)
        if undoing.waiting:
            await self._edit(interaction, press, _question(undoing, asker))
            if interaction.user.id == asker:
                return Reply(sentence("It was you who asked; it takes the others to agree."))
            return Reply(sentence("You agreed; others have still to be asked."))
        by = _name(undoing.table, asker)
        await self._edit(interaction, press, Post((f"-# {by} took a move back at Table {undoing.table.name}.",)))
        return Reply(sentence(f"You agreed: {by}'s move is taken back."))

    async def _refuse(self, interaction: discord.Interaction, press: Press) -> Reply:
        await self._tables.claim(interaction.id)
        asker, user = number(press.argument), interaction.user.id
        try:
            table = await self._tables.undos.refuse(press.table, user, asker, press.version)
        except Stale:
            return await self._settled(interaction, press)
        what = f"{_name(table, asker)}'s move at Table {table.name} stands"
        if user == asker:
            await self._edit(interaction, press, Post((f"-# {what} after all.",)))
            return Reply(sentence("You withdrew your question. Your move stands."))
        await self._edit(interaction, press, Post((f"-# {what}: {_name(table, user)} would rather play on.",)))
        return Reply(sentence("You refused; the move stands."))

    async def _settled(self, interaction: discord.Interaction, press: Press) -> Reply:
        await self._edit(interaction, press, Post(("-# This is settled: the table has moved on.",)))
        return Reply(sentence("The table has moved on, so there is nothing to agree to any more."))

    async def _edit(self, interaction: discord.Interaction, press: Press, post: Post) -> None:
        """Best effort: the question may have gone with its turn, and nothing hangs on how it looks."""
        pressed = interaction.message
        shown = await self._tables.shown(press.table)
        if pressed is None or any(each.kind == "board" and each.message_id == pressed.id for each in shown):
            return  # the question was no button of this message
        message = interaction.client.get_partial_messageable(pressed.channel.id).get_partial_message(pressed.id)
        try:
            await message.edit(view=layout(post, press.table, press.version))
        except discord.HTTPException:
            return


def _asked(shown: Iterable[Shown], table: Table, of_seat: int) -> Shown | None:
    """The question of this seat, if it stands there for this version of the table."""
    wanted = ("ping", of_seat, table.version)
    return next((each for each in shown if (each.kind, each.user_id, each.version) == wanted), None)


def _question(undoing: Undoing, asker: int) -> Post:
    table = undoing.table
    waiting = listed([_name(table, user) for user in undoing.waiting])
    text = (
        f"**{_name(table, asker)}** would like to take their own last move back at **Table {table.name}**, "
        f"with all that followed it.\n-# It takes {waiting} to agree."
    )
    argument = str(asker)
    row = (Button("undo-yes", "Agree", "success", argument), Button("undo-no", "Refuse", argument=argument))
    return Post((text,), rows=(row,))


def _name(table: Table, user_id: int) -> str:
    sitter = table.sitter(user_id)
    return name_of(table, sitter.seat) if sitter else "Somebody"
