"""Private pages about a table: rules, options, scores, recent events, the fair deal and the transcript."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import discord
from msgspec.structs import replace

from bot.errors import PlayError, WrongPhase
from bot.games.game import AnyGame, Observation
from bot.games.typed import clean
from bot.tables import Table, Tables, TakenBack
from bot.tables.hint_rights import allows_hints
from bot.texts import gettext as _
from bot.texts import language, ngettext
from bot.texts.rules_pages import GENERAL, topics
from bot.transcript import write
from bot.ui.actions.permissions import moderated_server
from bot.ui.actions.removals import removable
from bot.ui.interactions.reply import Reply
from bot.ui.interactions.router import Handler, picked
from bot.ui.messages.absence_notice import end_button
from bot.ui.messages.board import heading_of
from bot.ui.messages.open_messages import OpenMessages
from bot.ui.messages.results import happened
from bot.ui.posts.custom_id import Outdated, Press, parse_number
from bot.ui.posts.face import Face, Faces
from bot.ui.posts.names import name_of
from bot.ui.posts.pages import page_heading, page_of, paged
from bot.ui.posts.pictures import in_words
from bot.ui.posts.post import Button, Choice, Choices, Figure, Post
from bot.ui.posts.text import PROOF_DIGITS, plain, title_of

_NUMBER: Final = re.compile(r"^\d+\. ")
"""The number of a topic. Headings leave it out, as they show the page's number."""


class InfoPages:
    """The pages behind **Rules**, **Options** and **More**."""

    def __init__(self, tables: Tables, faces: Faces, open_messages: OpenMessages) -> None:
        self._tables = tables
        self._faces = faces
        self._open = open_messages

    @property
    def handlers(self) -> Mapping[str, Handler]:
        """The handler of each verb."""
        return {
            "rules": self._rules_pressed,
            "topic": self._rules_pressed,
            "more": self.more,
            "happened": self._happened,
            "scores": self.scores,
            "describe": self._describe,
            "fair": self._fair_deal,
            "transcript": lambda _interaction, press: self.transcript(press.table),
        }

    def page(
        self,
        interaction: discord.Interaction,
        press: Press,
        table: Table,
        text: tuple[str, Iterable[str]],
        *,
        is_newest_first: bool = False,
    ) -> Reply:
        """Return the page of a text that a press asks for. ``text`` is a heading and paragraphs."""
        post = paged(*text, press.verb, page_of(press), is_newest_first=is_newest_first)
        return self._open.page(interaction, press, post, table)

    async def rules(self, user_id: int, game: str, topic: int = 0, page: int = 0) -> Post:
        """Return a page of a game's rules. Its picture is for users who want hands as pictures, too."""
        title = _("All games") if game == GENERAL else title_of(self._faces[game].game)
        post = rules_page(title, game, topic, page)
        if post.scene is None or (await self._tables.users.settings(user_id)).hands == "pictures":
            return post
        return in_words(post)

    async def rules_named(self, user_id: int, game: str, title: str | None) -> Post:
        """Return the first page of the first topic whose title contains ``title``, by default of the first topic."""
        wanted = clean(title or "").casefold()
        numbers = [i for i, topic in enumerate(topics(game, language())) if wanted in clean(topic.title).casefold()]
        if not numbers:
            raise PlayError("The rules have no topic “{topic}”. Pick one from the list.", topic=plain(title or ""))
        return await self.rules(user_id, game, numbers[0])

    async def _rules_pressed(self, interaction: discord.Interaction, press: Press) -> Reply:
        table = await self._tables.table(press.table) if press.table else None
        user_id = interaction.user.id
        post = await self._rules_at(user_id, press, picked(interaction)) if press.argument else None
        if table is not None:
            return self._open.page(interaction, press, post or await self.rules(user_id, table.game), table)
        if post is None:
            raise Outdated
        return Reply(post, "private" if press.origin else "here")

    async def _rules_at(self, user_id: int, press: Press, topic: str) -> Post:
        game, *where = press.argument.split(".")
        if game not in self._faces and game != GENERAL:
            raise PlayError("That game isn't here any more.")
        numbers = [parse_number(text) for text in ([topic, "0"] if press.verb == "topic" else where)]
        if len(numbers) != 2 or numbers[0] >= len(topics(game, language())):
            raise Outdated
        return await self.rules(user_id, game, *numbers)

    async def more(self, interaction: discord.Interaction, press: Press) -> Reply:
        """Return the less frequent pages, and actions for players and for users who may close the table."""
        table = await self._tables.table(press.table)
        actions = _action_row(interaction, table, can_undo=await self._can_undo(table, interaction.user.id))
        third = _end_row(interaction, table) or (*_hint_row(interaction, table), *_remove_row(interaction, table))
        every = (self._page_row(table), third, actions)
        rows = tuple(tuple(replace(button, origin="more") for button in row) for row in every if row)
        heading = _("### Table {name}", name=table.name)
        post = Post((heading, ways_to_end(self._faces[table.game].game, table, actions)), rows=rows)
        return self._open.page(interaction, press, post, table)

    async def _can_undo(self, table: Table, user_id: int) -> bool:
        """Whether the user's last move may be undone, at once or if the others agree."""
        if table.status != "playing" or table.sitter(user_id) is None or not self._tables.has_rulebook(table):
            return False
        sight = await self._tables.sight(table, user_id)
        return sight.may_undo or sight.may_ask_undo

    def _page_row(self, table: Table) -> tuple[Button, ...]:
        fair = _("Fair deal") if self._faces[table.game].game.has_hands else _("Fair draw")
        row = (
            Button("describe", _("Board in words")),
            Button("scores", _("Scores")),
            Button("happened", _("What happened")),
            Button("options", _("Options")),
            Button("fair", fair),
        )
        return row[-2:] if table.status == "lobby" else row

    async def _describe(self, interaction: discord.Interaction, press: Press) -> Reply:
        """Return the board in words."""
        table, face, observation = await self._public(press.table)
        heading = heading_of(face, table, observation)
        prompt = face.prompt(table, observation) if table.status == "playing" else ""
        lines = filter(None, (prompt, *face.describe(table, observation)))
        return self.page(interaction, press, table, (heading, lines))

    async def scores(self, interaction: discord.Interaction, press: Press) -> Reply:
        """Return the scores of each finished deal."""
        table, face, observation = await self._public(press.table)
        text = _("### Scores · Table {name}", name=table.name), face.scores(table, observation)
        return self.page(interaction, press, table, text, is_newest_first=True)

    async def _happened(self, interaction: discord.Interaction, press: Press) -> Reply:
        """Return the last events in full."""
        sight = await self._tables.look(press.table, None)
        lines = "\n".join(reversed(happened(self._faces[sight.table.game], sight))) or _("Nothing has happened yet.")
        text = _("### What happened · Table {name}", name=sight.table.name), (lines,)
        return self.page(interaction, press, sight.table, text)

    async def _public(self, table_id: int) -> tuple[Table, Face[Any], Observation]:
        sight = await self._tables.look(table_id, None)
        return sight.table, self._faces[sight.table.game], sight.observation

    async def _fair_deal(self, interaction: discord.Interaction, press: Press) -> Reply:
        """Return all that is needed to verify the deals: the commitment, and after the end the seed and the cuts."""
        table = await self._tables.table(press.table)
        has_hands = self._faces[table.game].game.has_hands
        heading = (
            _("### Fair deal · Table {name}", name=table.name)
            if has_hands
            else _("### Who begins · Table {name}", name=table.name)
        )
        undos = _undo_counts(table, await self._tables.undos.taken_back(press.table))
        text = heading, (*_fairness(table, has_hands=has_hands), *undos)
        reply = self.page(interaction, press, table, text)
        if not has_hands or table.status != "lobby":
            return reply
        return replace(reply, post=replace(reply.post, rows=((Button("cut", _("Cut")),),)))

    async def transcript(self, table_id: int) -> Reply:
        """Return the transcript of an ended table as a file."""
        table = await self._tables.table(table_id)
        if not table.has_ended:
            raise WrongPhase("You can get the transcript when the game is over.")
        text = write(await self._tables.transcript(table_id))
        said = _(
            "The transcript of Table {name}. To check it, run `{command}`.", name=table.name, command=_verify(table)
        )
        return Reply(Post((said,), file=(f"table-{table.number}.jsonl", text)))


def rules_page(title: str, game: str, topic: int, page: int) -> Post:
    """Return a page of the rules of the game with this title, with a menu of topics and buttons to turn pages."""
    every = topics(game, language())
    here = every[min(topic, len(every) - 1)]
    page = min(page, len(here.pages) - 1)
    heading = page_heading(f"### {title} · {_NUMBER.sub('', here.title)}", page, len(here.pages))
    menu = Choices(
        _("Another topic"),
        tuple(Choice(str(i), t.title, is_picked=t is here) for i, t in enumerate(every)),
        verb="topic",
        argument=game,
    )
    onward = (topic, page + 1) if page + 1 < len(here.pages) else (topic + 1, 0)
    back = (topic, page - 1) if page else (topic - 1, len(every[topic - 1].pages) - 1)
    buttons = tuple(
        Button("rules", label, argument=f"{game}.{where[0]}.{where[1]}")
        for label, where in ((_("Previous"), back), (_("Next"), onward))
        if 0 <= where[0] < len(every)
    )
    above, picture, below = here.pages[page]
    if picture is None:
        return Post((heading, above), (menu,), (buttons,))
    figure = Figure(str(picture.file), picture.alt, (f"{heading}\n{above}".strip(),), (below,))
    return Post((), (menu,), (buttons,), scene=figure)


def _end_row(interaction: discord.Interaction, table: Table) -> tuple[Button, ...]:
    if not table.has_ended:
        return ()
    is_here = interaction.guild_id in {table.place.guild_id, None}
    again = (Button("again", _("Rematch"), "primary"),) if is_here else ()
    return *again, Button("transcript", _("Transcript"))


def _hint_row(interaction: discord.Interaction, table: Table) -> tuple[Button, ...]:
    user_id = interaction.user.id
    is_playing = table.status == "playing" and table.sitter(user_id) is not None
    return (Button("hint", _("Hint")),) if is_playing and allows_hints(table, user_id) else ()


def _remove_row(interaction: discord.Interaction, table: Table) -> tuple[Button, ...]:
    """Return the button to remove a player in play. In a lobby, it is among the options."""
    has_any = table.status == "playing" and removable(interaction, table)
    return (Button("remove", _("Remove a player")),) if has_any else ()


def _action_row(interaction: discord.Interaction, table: Table, *, can_undo: bool) -> tuple[Button, ...]:
    """Return buttons for the user's actions there: as a player, as a substitute, as the host or a moderator."""
    row: tuple[Button, ...] = ()
    user_id = interaction.user.id
    may_close = table.is_open and (user_id == table.host_id or moderated_server(interaction, table) is not None)
    if table.status == "playing" and table.sitter(user_id) is not None:
        has_others = any(sitter.user_id not in {user_id, None} for sitter in table.sitters)
        may_be_away = has_others or any(sitter.held_for for sitter in table.sitters)
        row = (
            *((Button("undo", _("Undo")),) if can_undo else ()),
            *((Button("away", _("Someone's away")),) if may_be_away else ()),
            Button("resign", _("Resign"), "danger"),
        )
        if has_others or not may_close:
            row += (end_button(),)  # alone, they can close the table
    elif any(sitter.offered for sitter in table.sitters):
        row = (Button("take", _("Take the seat"), "success"),)
    return (*row, Button("close", _("Close the table"), "danger")) if may_close else row


def ways_to_end(game: AnyGame, table: Table, buttons: Sequence[Button]) -> str:
    """Explain the buttons that end the game for somebody, in small print."""
    resigning = (
        _("**Resign**: the other side wins.")
        if len(set(game.sides(table.options))) == 2
        else _("**Resign**: a computer takes your seat for good.")
    )
    ways = {
        ("resign", ""): resigning,
        ("away", "end"): _("**Vote to end**: if everyone agrees, the game ends without a winner."),
        ("close", ""): _("**Close the table**: it ends for everyone at once, without a winner."),
    }
    lines = (ways.get((button.verb, button.argument), "") for button in buttons)
    return "\n".join(f"-# {line}" for line in lines if line)


def _verify(table: Table) -> str:
    """Return the command that checks a transcript, and that it is this table's."""
    return f"python -m bot verify FILE --commitment {table.commitment[:PROOF_DIGITS]}"


def _undo_counts(table: Table, taken_back: Sequence[TakenBack]) -> tuple[str, ...]:
    """Return a paragraph with the number of moves that each player took back; none if nobody did."""
    times = Counter(taken_by for _at, taken_by in {(each.undone_at, each.taken_by) for each in taken_back})
    names = {sitter.user_id: name_of(table, sitter.seat) for sitter in table.sitters}
    lines = [
        ngettext("{name} took a move back.", "{name} took {n} moves back.", count, name=names.get(user, _("Someone")))
        for user, count in sorted(times.items())
    ]
    return ("\n".join(lines),) if lines else ()


def _fairness(table: Table, *, has_hands: bool) -> Iterator[str]:
    """Yield how to check the deals, or in games without hands, where nothing else is random, who begins."""
    if table.seed is None:
        yield (
            _("🔒 A secret seed fixes every shuffle. You'll see it when the game is over.")
            if has_hands
            else _("A secret seed decides who begins. You'll see it when the game is over.")
        )
        yield _("Its SHA-256, to compare later:\n`{commitment}`", commitment=table.commitment)
        if has_hands and table.status == "lobby":
            yield _("Press **Cut** before the start to mix a text of your own into every shuffle.")
        return
    yield _("The seed was\n`{seed}`", seed=table.seed)
    if has_hands:
        yield _("Its SHA-256, shown before the first card:\n`{commitment}`", commitment=table.commitment)
        cuts = "\n".join(f"{name_of(table, s.seat)}: {plain(s.cut) if s.cut else '–'}" for s in table.sitters)
        yield _("Cuts:\n{cuts}", cuts=cuts)
        check = _("To check every deal, download the transcript and run `{command}`.", command=_verify(table))
    else:
        yield _("Its SHA-256, shown before the start:\n`{commitment}`", commitment=table.commitment)
        check = _("To check who begins, download the transcript and run `{command}`.", command=_verify(table))
    yield f"-# {check}"
