"""Private pages about a table: rules, options, scores, recent events, the fair deal and the transcript."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import discord
from msgspec.structs import replace

from bot.errors import PlayError, WrongPhase
from bot.games.game import Observation
from bot.rules import GENERAL, topics
from bot.tables import Table, Tables, TakenBack
from bot.texts import gettext as _
from bot.texts import language
from bot.transcript import write
from bot.ui.actions.permissions import moderates
from bot.ui.interactions.respond import Reply
from bot.ui.interactions.router import Handler, picked
from bot.ui.messages.absence_notice import end_button
from bot.ui.messages.results import happened
from bot.ui.posts.custom_id import Outdated, Press, parse_number
from bot.ui.posts.pages import FORWARD, NEWEST_FIRST, Labels, page_of, paged
from bot.ui.posts.post import Button, Choice, Choices, Face, Faces, Post
from bot.ui.posts.text import name_of, plain, title_of


def page_reply(press: Press, heading: str, paragraphs: Iterable[str], labels: Labels = FORWARD) -> Reply:
    """Return the page that a press asks for, in place of the previous page if it turns pages."""
    post = paged(heading, paragraphs, press.verb, page_of(press), labels)
    return Reply(post, "here" if press.argument else "private", press.table, press.version)


class InfoPages:
    """The pages behind **Rules**, **Options** and **More**."""

    def __init__(self, tables: Tables, faces: Faces) -> None:
        self._tables = tables
        self._faces = faces

    @property
    def handlers(self) -> Mapping[str, Handler]:
        """The handler of each verb."""
        return {
            "rules": self._rules_pressed,
            "topic": self._rules_pressed,
            "more": self.more,
            "happened": lambda _interaction, press: self._happened(press),
            "scores": lambda _interaction, press: self.scores(press),
            "describe": lambda _interaction, press: self._describe(press),
            "fair": lambda _interaction, press: self._fair_deal(press),
            "transcript": lambda _interaction, press: self.transcript(press.table),
        }

    def rules(self, game: str, topic: int = 0, page: int = 0) -> Post:
        """Return a page of a game's rules, with a menu of topics and buttons to turn pages."""
        every = topics(game, language())
        here = every[min(topic, len(every) - 1)]
        page = min(page, len(here.pages) - 1)
        of_pages = f" ({page + 1} of {len(here.pages)})" if len(here.pages) > 1 else ""
        title = _("All games") if game == GENERAL else title_of(self._faces[game].game)
        heading = f"### {title} · {here.title}{of_pages}"
        menu = Choices(
            "Another topic",
            tuple(Choice(str(i), t.title, is_picked=t is here) for i, t in enumerate(every)),
            verb="topic",
            argument=game,
        )
        onward = (topic, page + 1) if page + 1 < len(here.pages) else (topic + 1, 0)
        back = (topic, page - 1) if page else (topic - 1, 0)
        buttons = tuple(
            Button("rules", label, argument=f"{game}.{where[0]}.{where[1]}")
            for label, where in (("Back", back), ("Next", onward))
            if 0 <= where[0] < len(every)
        )
        return Post((heading, here.pages[page]), (menu,), (buttons,))

    def rules_named(self, game: str, title: str | None) -> Post:
        """Return the first page of the first topic whose title contains ``title``, by default of the first topic."""
        wanted = (title or "").casefold()
        numbers = [i for i, topic in enumerate(topics(game, language())) if wanted in topic.title.casefold()]
        if not numbers:
            raise PlayError(
                "The rules have no topic “{topic}”. Leave it out to see them all.", topic=plain(title or "")
            )
        return self.rules(game, numbers[0])

    @staticmethod
    def topic_titles(game: str) -> list[str]:
        """Return the titles of a game's rules by topic."""
        return [topic.title for topic in topics(game, language())]

    async def _rules_pressed(self, interaction: discord.Interaction, press: Press) -> Reply:
        if not press.argument:
            table = await self._tables.table(press.table)
            return Reply(self.rules(table.game))
        game, *where = press.argument.split(".")
        if game not in self._faces and game != GENERAL:
            raise PlayError("This page is about a game that isn't here any more.")
        numbers = [parse_number(text) for text in ([picked(interaction), "0"] if press.verb == "topic" else where)]
        if len(numbers) != 2 or numbers[0] >= len(topics(game, language())):
            raise Outdated
        return Reply(self.rules(game, *numbers), "here")

    async def more(self, interaction: discord.Interaction, press: Press) -> Reply:
        """Return the less frequent pages, and actions for players and for users who may close the table."""
        table = await self._tables.table(press.table)
        rows = (self._page_row(table), _end_row(interaction, table), _action_row(interaction, table))
        post = Post((_("### Table {name}", name=table.name),), rows=tuple(filter(None, rows)))
        return Reply(post, "private", table.id, table.version)

    def _page_row(self, table: Table) -> tuple[Button, ...]:
        fair = _("Fair deal") if self._faces[table.game].game.has_hands else _("Who begins")
        row = (
            Button("describe", _("Describe")),
            Button("scores", _("Scores")),
            Button("happened", _("What happened")),
            Button("options", _("Options")),
            Button("fair", fair),
        )
        return row[-2:] if table.status == "lobby" else row

    async def _describe(self, press: Press) -> Reply:
        """Return the board in words."""
        table, face, observation = await self._public(press.table)
        heading = f"### Table {table.name} · {title_of(face.game)} · {face.progress(observation)}"
        return page_reply(press, heading, face.describe(table, observation))

    async def scores(self, press: Press) -> Reply:
        """Return how each finished deal was scored."""
        table, face, observation = await self._public(press.table)
        scores = face.scores(table, observation)
        return page_reply(press, f"### Table {table.name} · scores", scores, NEWEST_FIRST)

    async def _happened(self, press: Press) -> Reply:
        """Return the last events in full."""
        sight = await self._tables.look(press.table, None)
        lines = "\n".join(happened(self._faces[sight.table.game], sight)) or "Nothing has happened yet."
        heading = f"### Table {sight.table.name} · what happened"
        return page_reply(press, heading, (lines,), NEWEST_FIRST)

    async def _public(self, table_id: int) -> tuple[Table, Face[Any], Observation]:
        sight = await self._tables.look(table_id, None)
        return sight.table, self._faces[sight.table.game], sight.observation

    async def _fair_deal(self, press: Press) -> Reply:
        """Return all that is needed to verify the deals: the commitment, and after the end the seed and the cuts."""
        table = await self._tables.table(press.table)
        undos = _undo_counts(table, await self._tables.undos.votes.taken_back(press.table))
        if not self._faces[table.game].game.has_hands:
            heading = _("### Table {name} · who begins", name=table.name)
            return page_reply(press, heading, (*_first_player(table), *undos))
        reply = page_reply(press, _("### Table {name} · fair deal", name=table.name), (*_fair_deal(table), *undos))
        if table.status != "lobby":
            return reply
        return replace(reply, post=replace(reply.post, rows=((Button("cut", _("Cut")),),)))

    async def transcript(self, table_id: int) -> Reply:
        """Return the transcript of an ended table as a file."""
        table = await self._tables.table(table_id)
        if not table.has_ended:
            raise WrongPhase("You can get the transcript when the game is over.")
        text = write(await self._tables.transcript(table_id))
        name = f"table-{table.id}.jsonl"
        return Reply(
            Post((f"The transcript of Table {table.name}; `python -m bot verify` checks it.",), file=(name, text))
        )


def _end_row(interaction: discord.Interaction, table: Table) -> tuple[Button, ...]:
    if not table.has_ended:
        return ()
    is_here = interaction.guild_id in {table.place.guild_id, None}
    again = (Button("again", _("Rematch"), "primary"),) if is_here else ()
    return *again, Button("transcript", _("Transcript"))


def _action_row(interaction: discord.Interaction, table: Table) -> tuple[Button, ...]:
    """Return what the user may do there: as a player, as a substitute, as the host or a moderator."""
    row: tuple[Button, ...] = ()
    is_seated = table.sitter(interaction.user.id) is not None
    if table.status == "playing" and is_seated:
        away, resign = Button("away", _("Somebody is away")), Button("resign", _("Resign"), "danger")
        row = Button("undo", _("Undo")), away, resign, end_button()
    elif any(sitter.offered for sitter in table.sitters):
        row = (Button("take", _("Take the seat"), "success"),)
    if table.is_open and (interaction.user.id == table.host_id or moderates(interaction, table) is not None):
        row += (Button("close", _("Close the table"), "danger"),)
    return row


def _undo_counts(table: Table, taken_back: Sequence[TakenBack]) -> tuple[str, ...]:
    """Return who took moves back and how often, as a paragraph; none if nobody did."""
    times = Counter(taken_by for _, taken_by in {(each.undone_at, each.taken_by) for each in taken_back})
    names = {sitter.user_id: name_of(table, sitter.seat) for sitter in table.sitters}
    said = [f"{names.get(user, 'somebody')} {_times(count)}" for user, count in sorted(times.items())]
    return (f"Moves were taken back: {', '.join(said)}.",) if said else ()


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def _first_player(table: Table) -> tuple[str, ...]:
    """Return how to check the draw of the first player, for games in which nothing else depends on chance."""
    drawn = _("Who begins is drawn at random, by a seed that was fixed when the table was opened. Its SHA-256 is")
    commitment = f"{drawn}\n`{table.commitment}`"
    if table.seed is None:
        return commitment, _("The seed is shown when the game is over.")
    seed = _("The seed was")
    check = _("-# To check the draw, get the transcript and run `python -m bot verify FILE`.")
    return commitment, f"{seed}\n`{table.seed}`", check


def _fair_deal(table: Table) -> tuple[str, ...]:
    if table.seed is None:
        return (
            _("🔒 A secret seed fixes every shuffle. The seed is shown when the game is over."),
            _("Its SHA-256, to compare later:\n`{commitment}`", commitment=table.commitment),
            _("Press **Cut** before the start to mix a text of your own into every shuffle."),
        )
    cuts = "\n".join(f"{name_of(table, s.seat)}: {plain(s.cut) if s.cut else '–'}" for s in table.sitters)
    check = _("To check every deal, download the transcript and run `{command}`.", command="python -m bot verify FILE")
    return (
        _("The seed was\n`{seed}`", seed=table.seed),
        _("Its SHA-256, shown before the first card:\n`{commitment}`", commitment=table.commitment),
        _("Cuts:\n{cuts}", cuts=cuts),
        f"-# {check}",
    )
