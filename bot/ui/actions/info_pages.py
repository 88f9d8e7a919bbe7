"""Private pages about a table: rules, options, scores, recent events, the fair deal and the transcript."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import discord
from msgspec.structs import replace

from bot.errors import PlayError, WrongPhase
from bot.games.game import AnyGame
from bot.games.typed import clean
from bot.tables import Table, TakenBack
from bot.tables.hosting import allows_hints, learners
from bot.tables.seating import has_others, teams
from bot.texts import gettext as _
from bot.texts import language, ngettext
from bot.texts.rules_pages import ADVICE, GENERAL, topics
from bot.transcript import write
from bot.ui.actions.leaving import removable
from bot.ui.actions.permissions import moderated_server
from bot.ui.actions.press import Context, press
from bot.ui.interactions.reply import Reply
from bot.ui.messages.absence_notice import end_button, step_out_button
from bot.ui.messages.board import heading_of
from bot.ui.messages.lesson_pages import learn_button, puzzles_button
from bot.ui.messages.lobby import ALL_SEATS
from bot.ui.messages.replay_pages import computers_moves
from bot.ui.messages.result_texts import happened, headline
from bot.ui.messages.result_texts import why as why_post
from bot.ui.posts.custom_id import Outdated, parse_number
from bot.ui.posts.layout import page_heading, page_of, paged
from bot.ui.posts.names import label_of, name_of
from bot.ui.posts.pictures import in_words
from bot.ui.posts.post import Button, Choice, Choices, Figure, Post
from bot.ui.posts.text import PROOF_DIGITS, plain, title_of

_NUMBER: Final = re.compile(r"^\d+\. ")
"""The number of a topic. Headings leave it out, as they show the page's number."""


def page(ctx: Context, verb: str, heading: str, paragraphs: Iterable[str], *, is_newest_first: bool = False) -> Reply:
    """Return a page of a text about the table. ``verb`` is that of the handler, which turns the pages."""
    post = paged(heading, paragraphs, verb, page_of(ctx.press), is_newest_first=is_newest_first)
    return ctx.page(post, ctx.table)


# ---- the rules


async def rules(ctx: Context, game: str, topic: int = 0, page: int = 0) -> Post:
    """Return a page of a game's rules. Its picture is for users who want hands as pictures, too."""
    title = _("All games") if game == GENERAL else title_of(ctx.faces[game].game)
    post = rules_page(title, game, topic, page)
    if page == 0 and game != GENERAL:
        post = replace(post, rows=((*post.rows[0], *_to_play(ctx, game, topic)),))
    if post.scene is None or (await ctx.tables.users.settings(ctx.user_id)).hands == "pictures":
        return post
    return in_words(post)


def _to_play(ctx: Context, game: str, topic: int) -> tuple[Button, ...]:
    """Return the button of what can be played beside a topic: the lesson, or the puzzles."""
    face = ctx.faces[game]
    if topic == ADVICE:
        return (puzzles_button(game),) if face.puzzles else ()
    return (learn_button(game),) if topic == 0 and face.lesson is not None else ()


async def rules_named(ctx: Context, game: str, title: str | None) -> Post:
    """Return the first page of the first topic whose title contains ``title``, by default of the first topic."""
    wanted = clean(title or "").casefold()
    numbers = [i for i, topic in enumerate(topics(game, language())) if wanted in clean(topic.title).casefold()]
    if not numbers:
        raise PlayError("The rules have no topic “{topic}”. Pick one from the list.", topic=plain(title or ""))
    return await rules(ctx, game, numbers[0])


@press("rules")
async def _turn_page(ctx: Context) -> Reply:
    if not ctx.press.argument:
        return await _show_rules(ctx, await rules(ctx, ctx.table.game))
    game, *where = ctx.press.argument.split(".")
    return await _show_rules(ctx, await _rules_at(ctx, game, where))


@press("topic")
async def _pick_topic(ctx: Context) -> Reply:
    return await _show_rules(ctx, await _rules_at(ctx, ctx.press.argument.split(".")[0], (ctx.picked, "0")))


async def _rules_at(ctx: Context, game: str, where: Sequence[str]) -> Post:
    if game not in ctx.faces and game != GENERAL:
        raise PlayError("That game isn't here any more.")
    numbers = [parse_number(text) for text in where]
    if len(numbers) != 2 or numbers[0] >= len(topics(game, language())):
        raise Outdated
    return await rules(ctx, game, *numbers)


async def _show_rules(ctx: Context, post: Post) -> Reply:
    if ctx.press.key:
        return ctx.page(post, ctx.table)
    return Reply(post, "private" if ctx.press.origin else "here")


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


# ---- more


@press("more")
@press("table", picks_table=True)
async def more(ctx: Context) -> Reply:
    """Return the less frequent pages, and actions for players and for users who may close the table."""
    table = ctx.table
    if table.status == "lobby":
        return ctx.page(lobby_page(ctx), table)
    actions = _action_row(ctx)
    undo = (Button("undo", _("Undo")),) if await _can_undo(ctx) else ()
    third = _end_row(ctx.interaction, table) or (*undo, *_hint_row(ctx), *_remove_row(ctx.interaction, table))
    if table.status == "playing":  # boards have **Why?** then, which takes the place of their **Rules**
        third = (*third, _rules_button())
    elif table.status == "over":
        third = (*third, Button("why", _("Why?")))
    every = (_page_row(ctx), third, actions)
    rows = tuple(tuple(replace(button, origin="more") for button in row) for row in every if row)
    if table.sitter(ctx.user_id) is None and ctx.face.lesson is not None:  # spectators may want to know the game
        rows = (*rows, (learn_button(table.game),))
    heading = _("### Table {name}", name=table.name)
    post = Post((heading, ways_to_end(ctx.face.game, table, actions)), rows=rows)
    return ctx.page(post, table)


def _may_look_for_players(table: Table) -> bool:
    is_open = not (table.is_full or table.invited_only)
    return is_open and table.place.guild_id is not None and table.looked_at is None


def lobby_page(ctx: Context) -> Post:
    """Return what can be done in a lobby besides joining and starting."""
    table, is_seated = ctx.table, ctx.table.sitter(ctx.user_id) is not None
    is_host, is_on_server = ctx.user_id == table.host_id, table.place.guild_id is not None
    fair = _("🔒 Shuffle") if ctx.face.game.has_hands else _("Fair draw")
    pages = (Button("options", _("Options")), Button("rules", _("Rules")), Button("fair", fair))
    ways = (
        (table.seats - len(table.sitters) > 1, Button("computer", _("Fill with computers"), argument=ALL_SEATS)),
        (_may_look_for_players(table), Button("look", _("Find players"))),
        (is_on_server, Button("thread", _("Open in a thread"))),
        (is_seated and not is_host and learners(table), Button("no-hints", _("No hints"))),
    )
    leave = (Button("leave", _("Leave"), "danger"),) if is_seated else ()
    closing = _action_row(ctx)
    rows = [pages, tuple(button for is_offered, button in ways if is_offered), (*leave, *closing)]
    menu = _partner_menu(ctx) if is_seated else ()
    shown = tuple(tuple(replace(button, origin="more") for button in row) for row in rows if row)
    return Post((_("### Table {name}", name=table.name),), menu, shown)


def _partner_menu(ctx: Context) -> tuple[Choices, ...]:
    """Return the menu of a player's partners, where they play in teams."""
    table, sitter = ctx.table, ctx.sitter()
    sides = teams(table, ctx.face.game)
    others = [each for each in table.sitters if each.seat != sitter.seat]
    if not sides or not others:
        return ()
    choices = [
        Choice(str(each.seat), label_of(table, each.seat), is_picked=sides[each.seat] == sides[sitter.seat])
        for each in others
    ]
    return (Choices(_("Play with …"), tuple(choices), verb="partner", origin="more"),)


async def _can_undo(ctx: Context) -> bool:
    """Whether the user's last move may be undone, at once or if the others agree."""
    table = ctx.table
    if table.status != "playing" or table.sitter(ctx.user_id) is None or not ctx.tables.has_rulebook(table):
        return False
    sight = await ctx.sight()
    return sight.may_undo or sight.may_ask_undo


def _page_row(ctx: Context) -> tuple[Button, ...]:
    fair = _("Fair deal") if ctx.face.game.has_hands else _("Fair draw")
    return (
        Button("describe", _("Board in words")),
        Button("scores", _("Scores")),
        Button("happened", _("What happened")),
        Button("options", _("Options")),
        Button("fair", fair),
    )


def _end_row(interaction: discord.Interaction, table: Table) -> tuple[Button, ...]:
    if not table.has_ended:
        return ()
    is_here = interaction.guild_id in {table.place.guild_id, None}
    again = (Button("again", _("Rematch"), "primary"),) if is_here else ()
    return *again, Button("replay", _("Replay")), _rules_button(), Button("transcript", _("Transcript"))


def _rules_button() -> Button:
    return Button("rules", _("Rules"))


def _hint_row(ctx: Context) -> tuple[Button, ...]:
    table, user_id = ctx.table, ctx.user_id
    is_playing = table.status == "playing" and table.sitter(user_id) is not None
    mark = (Button("mark", _("Mark")),) if is_playing else ()
    return (Button("hint", _("Hint")), *mark) if is_playing and allows_hints(table, user_id) else mark


def _remove_row(interaction: discord.Interaction, table: Table) -> tuple[Button, ...]:
    """Return the button to remove a player in play. In a lobby, it is among the options."""
    has_any = table.status == "playing" and removable(interaction, table)
    return (Button("remove", _("Remove a player")),) if has_any else ()


def _action_row(ctx: Context) -> tuple[Button, ...]:
    """Return buttons for the user's actions there: as a player, as a substitute, as the host or a moderator."""
    table, user_id = ctx.table, ctx.user_id
    may_close = table.is_open and (user_id == table.host_id or moderated_server(ctx.interaction, table) is not None)
    row: tuple[Button, ...] = ()
    if table.status == "playing" and table.sitter(user_id) is not None:
        row = _player_row(table, user_id, may_close=may_close)
    elif any(sitter.offered for sitter in table.sitters):
        row = (Button("take", _("Take the seat"), "success"),)
    return (*row, Button("close", _("Close the table"), "danger")) if may_close else row


def _player_row(table: Table, user_id: int, *, may_close: bool) -> tuple[Button, ...]:
    is_shared = has_others(table, user_id)
    may_be_away = is_shared or any(sitter.held_for for sitter in table.sitters)
    buttons = (
        (may_be_away, Button("away", _("Someone's away"))),
        (is_shared, step_out_button()),
        (True, Button("resign", _("Resign"), "danger")),
        (is_shared or not may_close, end_button()),  # alone, they can close the table
    )
    return tuple(button for is_offered, button in buttons if is_offered)


def ways_to_end(game: AnyGame, table: Table, buttons: Sequence[Button]) -> str:
    """Explain the buttons that end the game for somebody, in small print."""
    resigning = (
        _("**Resign**: the other side wins.")
        if len(set(game.sides(table.options))) == 2
        else _("**Resign**: a computer takes your seat for good.")
    )
    ways = {
        ("step-out", ""): _("**Let a computer play for me**: press anything to come back."),
        ("resign", ""): resigning,
        ("away", "end"): _("**Vote to end**: if everyone agrees, the game ends without a winner."),
        ("close", ""): _("**Close the table**: it ends for everyone at once, without a winner."),
    }
    lines = (ways.get((button.verb, button.argument), "") for button in buttons)
    return "\n".join(f"-# {line}" for line in lines if line)


# ---- what happened


@press("describe")
async def _describe(ctx: Context) -> Reply:
    """Return the board in words, below the decision or, after the game, who won."""
    table, face, observation = await ctx.public()
    heading = heading_of(face, table, observation)
    first = face.prompt(table, observation) if table.status == "playing" else ""
    if observation.outcome is not None:
        first = f"**{headline(face, table, observation.outcome)}**"
    return page(ctx, "describe", heading, filter(None, (first, *face.describe(table, observation))))


@press("scores")
async def scores(ctx: Context) -> Reply:
    """Return the scores of each finished deal."""
    table, face, observation = await ctx.public()
    heading = _("### Scores · Table {name}", name=table.name)
    return page(ctx, "scores", heading, face.scores(table, observation), is_newest_first=True)


@press("happened")
async def _happened(ctx: Context) -> Reply:
    """Return the last events in full, and after the end a way to ask computers about theirs."""
    sight = await ctx.tables.sight(ctx.table, None)
    lines = "\n".join(reversed(happened(ctx.face, sight))) or _("Nothing has happened yet.")
    reply = page(ctx, "happened", _("### What happened · Table {name}", name=sight.table.name), (lines,))
    if not ctx.table.is_revealed:
        return reply
    asked = computers_moves(ctx.face, await ctx.tables.replays.look(ctx.table.id, ctx.user_id))
    return replace(reply, post=replace(reply.post, choices=asked))


# ---- the fair deal


@press("fair")
async def _fair_deal(ctx: Context) -> Reply:
    """Return all that is needed to verify the deals: the commitment, and after the end the seed and the cuts."""
    table, has_hands = ctx.table, ctx.face.game.has_hands
    heading = _("### Who begins · Table {name}", name=table.name)
    if has_hands:
        heading = _("### Fair deal · Table {name}", name=table.name)
        if table.status == "lobby":  # as on the button that opens it
            heading = _("### 🔒 Shuffle · Table {name}", name=table.name)
    undos = _undo_counts(table, await ctx.tables.undos.taken_back(table.id))
    reply = page(ctx, "fair", heading, (*_fairness(table, has_hands=has_hands), *undos))
    if not has_hands or table.status != "lobby":
        return reply
    return replace(reply, post=replace(reply.post, rows=((Button("cut", _("Cut")),),)))


@press("transcript")
async def _transcript(ctx: Context) -> Reply:
    """Return the transcript of an ended table as a file."""
    table = ctx.table
    if not table.has_ended:
        raise WrongPhase("You can get the transcript when the game is over.")
    text = write(await ctx.tables.transcript(table.id))
    said = _("The transcript of Table {name}. To check it, run `{command}`.", name=table.name, command=_verify(table))
    return Reply(Post((said,), file=(f"table-{table.number}.jsonl", text)))


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
        yield _sealed(table, has_hands=has_hands)
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


def _sealed(table: Table, *, has_hands: bool) -> str:
    """Return when the seed is published."""
    if table.event is not None:
        return _("🔒 Others get these cards too, so you'll see their seed when it's over for everyone.")
    if has_hands:
        return _("🔒 A secret seed fixes every shuffle. You'll see it when the game is over.")
    return _("A secret seed decides who begins. You'll see it when the game is over.")


@press("why")
@press("why-at", picks_table=True)
async def why(ctx: Context) -> Reply:
    """Return why what was scored last counts what it does, as the user's seat or the public may know it."""
    return ctx.page(why_post(ctx.face, await ctx.sight()), ctx.table)
