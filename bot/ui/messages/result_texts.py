"""Recent events, scores of deals and results, in the same form for all games."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, Final, NamedTuple

from bot.games.game import RESIGNED, STOPPED, AnyGame, Event, Observation, Outcome, Resigned
from bot.records.event import day_of, match_of
from bot.records.table import Table
from bot.tables.folds import StandIn
from bot.tables.rematches import may_return, totals
from bot.tables.tables import Sight
from bot.texts import gettext as _, language, listed, ngettext, number, translated
from bot.texts.rules_pages import place_of
from bot.ui.messages.absence_notice import closing
from bot.ui.messages.since import own_turn, since_looked
from bot.ui.messages.standings_pages import counted_line
from bot.ui.posts.face import Face
from bot.ui.posts.names import name_of, side_names, with_absent, with_short_names, with_stand_in
from bot.ui.posts.post import Button, Post
from bot.ui.posts.text import ROOM, ROW, lines_of, rows_of, table_title, title_of

_MAX_EVENTS: Final = 8
_HEADING: Final = 5.0
"""Lines of the heading above a result; with the proof of the deal, there is one more."""
_HEADLINE: Final = 1.2
"""Lines that a result above a picture takes besides its own: its headline in large type may wrap."""
_SPARE: Final = 0.5
"""Lines that a result without a board has to spare: it is lower than `lines_of` says."""
_MAX_NEWS: Final = 4
"""Maximum lines of `news_in_brief` if there are several items."""
_MAX_RECENT: Final = 3
"""Maximum lines of recent events on a board; older ones are under **What happened**."""


def happened(face: Face[Any], sight: Sight) -> tuple[str, ...]:
    """Return the last few events as public sentences, the newest first.

    It is only a few, as some rules forbid looking up what was played. A turn of `Face.say_turn` counts as one.
    """
    sentences: list[str] = []
    for turn in _turn_ranges(face, sight.events):
        described = _describe(face, sight, turn)
        sentences += ["\n".join(described.lines)] if described.begins_with_move else reversed(described.lines)
    return tuple(sentences[:_MAX_EVENTS])


def _turn_ranges(face: Face[Any], events: Sequence[Event]) -> Iterator[range]:
    """Yield the indices of each turn's events, the latest turn first. The first one may lack its beginning."""
    end = len(events)
    for at in reversed(range(len(events))):
        if at == 0 or not isinstance(events[at], face.continuations):
            yield range(at, end)
            end = at


class _TurnInWords(NamedTuple):
    """A turn as lines, in the order of its events. Those of `Face.say_turn` begin with the move."""

    lines: list[str]
    begins_with_move: bool


def _describe(face: Face[Any], sight: Sight, turn: range) -> _TurnInWords:
    """Return a turn in words. A computer that played for an absent user is named."""
    events = sight.events[turn.start : turn.stop]
    if lines := [*face.say_turn(table_at(sight, turn.start), sight.observation, events)]:
        return _TurnInWords(lines, begins_with_move=True)
    said = (face.say(table_at(sight, at), sight.events[at]) for at in turn)
    return _TurnInWords([line for line in said if line], begins_with_move=False)


def table_at(sight: Sight, at: int) -> Table:
    """Return the table with the names of that moment: a computer has its own from its first move for an absent user."""
    table = sight.table
    if any(sitter.held_for is not None for sitter in table.sitters):
        table = with_absent(table, but={by.seat for by in sight.played_by[: at + 1] if isinstance(by, StandIn)})
    by = sight.played_by[at] if at < len(sight.played_by) else None
    return with_stand_in(table, by) if isinstance(by, StandIn) else table


def recent(face: Face[Any], sight: Sight, room: float) -> str:
    """Return the latest lines of `happened`, the oldest first: at most three, and as many as fit ``room`` lines.

    They begin with a whole turn. Only if the latest turn alone is too long, lines are left out: the first ones, or in a
    turn of `Face.say_turn`, small print and then the last ones, as the first is the move.
    """
    lines: list[str] = []
    for turn in _recent_turns(face, sight):
        longer = [*turn.lines, *lines]
        while not lines and longer and not _fits(longer, room):
            longer.pop(_least(longer) if turn.begins_with_move else 0)
        if not _fits(longer, room):
            break
        lines = longer
    return "\n".join(lines)


def last_turn(face: Face[Any], sight: Sight, room: float) -> str:
    """Return the lines of the latest turn, as many as fit ``room`` lines."""
    lines = next((turn.lines for turn in _recent_turns(face, sight)), [])
    return fitting(lines[:_MAX_RECENT], room)


def _least(lines: Sequence[str]) -> int:
    """Return the index of the line that gives way first: the first one in small print, or the last one."""
    return next((at for at, line in enumerate(lines) if line.startswith("-# ")), -1)


def _fits(lines: list[str], room: float) -> bool:
    return len(lines) <= _MAX_RECENT and lines_of(["\n".join(lines)]) <= room


def _recent_turns(face: Face[Any], sight: Sight) -> Iterator[_TurnInWords]:
    """Yield each turn since the last event that the board sums up, the latest turn first."""
    for turn in _turn_ranges(face, sight.events):
        told = [at for at in turn if isinstance(sight.events[at], face.summed_up)]
        rest = turn[told[-1] - turn.start + 1 :] if told else turn
        if not told and isinstance(sight.events[turn.start], face.continuations):
            return  # its beginning isn't kept
        described = _describe(face, sight, rest)
        if described.lines:
            yield described
        if told:
            return


def since_own_turn(face: Face[Any], sight: Sight) -> list[str]:
    """Return the last turn of the player and what followed it as lines, the oldest first; all if that's long ago."""
    own = max(0, own_turn(face, sight))
    turns = [turn for turn in _turn_ranges(face, sight.events) if turn.start >= own]
    return [line for turn in reversed(turns) for line in _describe(face, sight, turn).lines]


def fitting(paragraphs: Sequence[str], room: float) -> str:
    """Return the first lines of the paragraphs as one paragraph, as many as fit ``room`` lines."""
    lines = "\n".join(paragraphs).split("\n")
    while lines and lines_of(["\n".join(lines)]) > room:
        lines.pop()
    return "\n".join(lines)


def news(face: Face[Any], sight: Sight) -> list[str]:
    """Return the items of `Face.news`, each as a line in small print."""
    return [f"-# {item}" for item in face.news(sight.table, sight.observation, since_looked(face, sight))]


def news_in_brief(items: Sequence[str], room: float, instead: str = "") -> str:
    """Return items of `Face.news`, joined to a few lines. The oldest give way, to ``instead`` if it's given."""
    first: tuple[str, ...] = ()
    while items and lines_of((joined((*first, *items)),), gap=0) > (min(_MAX_NEWS, room) if items[1:] else room):
        items = items[1:]
        first = (instead,) if instead else ()
    return fitting((joined((*first, *items)),), room)


def joined(items: Sequence[str]) -> str:
    """Return items in small print, one after the other."""
    return f"-# {' · '.join(items)}" if items else ""


def scored(face: Face[Any], sight: Sight) -> str:
    """Return the score of the last deal as one line while it is among the last few events, else nothing."""
    if not any(isinstance(event, face.settlements) for event in sight.events):
        return ""
    said = ((event, line) for event in reversed(sight.events) if (line := face.say(sight.table, event)))
    return next((line for event, line in islice(said, _MAX_EVENTS) if isinstance(event, face.settlements)), "")


def is_just_scored(face: Face[Any], sight: Sight) -> bool:
    """Whether the player has played nothing since the last deal was scored."""
    at = max((at for at, event in enumerate(sight.events) if isinstance(event, face.settlements)), default=0)
    played = (event for event in sight.events[at:] if isinstance(event, face.game.own))
    return all(getattr(event, "seat", None) != sight.observation.seat for event in played)


def score(face: Face[Any], sight: Sight) -> Post | None:
    """Return the message about the last scored deal; ``None`` before the first, and at the end: the result has it."""
    table, observation = with_short_names(with_absent(sight.table)), sight.observation
    settlement = "" if observation.outcome else face.settlement(table, observation)
    if not settlement:
        return None
    row = (Button("scores", _("Details")), Button("why", _("Why?")), _replay(face, observation))
    return Post((f"-# {table_title(table, face.game)}\n{settlement}",), rows=(row,))


def _replay(face: Face[Any], observation: Observation) -> Button:
    """Return the button of the deal that was scored last: each score has its own."""
    return Button("replay", _("Replay"), argument=f"deal-{face.deal(observation)}")


def _why_ended(face: Face[Any], sight: Sight, outcome: Outcome, *, in_full: bool) -> str:
    """Return in a sentence why the game is over; if ``in_full``, also how the last deal went."""
    table = sight.table
    if table.ended is not None:
        closed = closing(table, title_of(face.game))
        return closed if table.event else f"{closed}{_unfinished(face)}"
    if outcome.is_conceded:
        resigned = [name_of(table, event.seat) for event in sight.events if isinstance(event, Resigned)]
        return ngettext("{names} resigned.", "{names} resigned.", len(resigned), names=listed(resigned))
    winners = [names for names, seats in side_names(table, face.game) if outcome.places[seats[0]] == 1]
    why = (in_full and face.ended_in_full(table, sight.observation)) or face.ended_by(table, sight.observation)
    return why or _(face.game.reasons[outcome.reason], winner=listed(winners))


def ending(face: Face[Any], sight: Sight, rows: int = 0, card: float = 0.0) -> tuple[str, ...]:
    """Return the paragraphs of the result; none while the game is in progress.

    ``rows`` is the number of rows that a board takes below, and ``card`` the height of the picture that takes the place
    of the scores, in lines. On a phone, sentences about the game may give way to them.
    """
    table, observation = sight.table, sight.observation
    outcome = observation.outcome
    if outcome is None:
        return ()
    *facts, text = face.result(table, observation) or ("",)
    below = (rows_of(button.label for button in ended_buttons(table, face.game)) - 1) * ROW
    room = ROOM - _HEADING - face.game.has_hands + (-rows * ROW if rows else _SPARE) - below
    full, brief = _first_paragraphs(face, sight, outcome, rows)
    has_room = lines_of((full,)) + _HEADLINE <= ROOM - card - below if card else lines_of((full, *facts)) <= room
    facts.insert(0, full if has_room else brief)
    why_last = face.reasons(table, observation) if observation.seat is not None else ""
    said = news_in_brief(face.news(table, observation, since_looked(face, sight)), room)
    sentences = "\n".join(filter(None, (why_last, said, text))).split("\n")
    while sentences and lines_of((*facts, "\n".join(sentences))) > room:
        sentences.pop()
    return tuple(filter(None, (*facts, "\n".join(sentences))))


def _first_paragraphs(face: Face[Any], sight: Sight, outcome: Outcome, rows: int) -> tuple[str, ...]:
    """Return the first paragraph of the result with how the last deal went, and without.

    Both say what decided the game, if anything did. The second one then says nothing else.
    """
    seat = sight.observation.seat
    is_crowded = rows > 0 and seat is not None  # a player's own grid leaves no room for who leads
    counts = counted_line(face, sight.table, outcome, seat, with_lead=not is_crowded)
    decided = face.decided(sight.table, sight.observation)
    why, brief = (_why_ended(face, sight, outcome, in_full=in_full) for in_full in (True, False))
    *_others, last_line = why.split("\n")
    full = f"{decided}\n{last_line}" if decided else why  # the last line says how the last deal went
    head = "\n".join(filter(None, (f"## {headline(face, sight.table, outcome)}", match_line(sight.table))))
    return tuple(f"{head}\n{said}{counts}" for said in (full, decided or brief))


def standing_line(face: Face[Any], table: Table, standing: Outcome) -> str:
    """Return who was ahead when a table ended early: ``Ahead: Ben & Fern, 73 to 47 chips``."""
    sides = sorted(side_names(table, face.game), key=lambda side: standing.places[side[1][0]])
    ahead = [names for names, seats in sides if standing.places[seats[0]] == 1]
    points = [face.amount(standing.scores[seats[0]]) for _names, seats in sides]
    if len(ahead) == len(sides):
        return _("Nobody's ahead: {points} each", points=points[0])
    if len(sides) == 2:
        (won, lost) = (standing.scores[seats[0]] for _names, seats in sides)
        return _("Ahead: {names}, {won} to {lost}", names=ahead[0], won=number(won), lost=face.amount(lost))
    return _("Ahead: {names} with {points}", names=listed(ahead), points=points[0])


def standing_to_count(face: Face[Any], table: Table, standing: Outcome) -> str:
    """Return who is ahead for players who are to decide whether that counts, and what of the game doesn't."""
    return f"{standing_line(face, table, standing)}.{_unfinished(face)}"


def _unfinished(face: Face[Any]) -> str:
    """Return that the score lacks the unfinished deal, to stand after a sentence; empty in games where it doesn't."""
    return f" {translated(face.unfinished)}" if face.unfinished else ""


def headline(face: Face[Any], table: Table, outcome: Outcome) -> str:
    """Return the winners, and the scores if they decided: ``🏆 Moss wins, 459 to 15``."""
    if outcome.reason == STOPPED:
        return standing_line(face, table, outcome)
    game = face.game
    sides = sorted(side_names(table, game), key=lambda side: outcome.places[side[1][0]])
    winners = [side for side in sides if outcome.places[side[1][0]] == 1]
    names = listed([name for name, _seats in winners])
    if len(winners) == len(sides):
        return _("🤝 A draw between {names}", names=names)
    count = sum(len(seats) for _names, seats in winners)
    scores = [outcome.scores[seats[0]] for _names, seats in sides]
    if outcome.reason == RESIGNED or scores[0] < max(scores):
        return ngettext("🏆 {names} wins", "🏆 {names} win", count, names=names)
    won = number(scores[0])
    if len(sides) == 2:
        return ngettext(
            "🏆 {names} wins, {won} to {lost}",
            "🏆 {names} win, {won} to {lost}",
            count,
            names=names,
            won=won,
            lost=number(scores[1]),
        )
    return ngettext("🏆 {names} wins with {won}", "🏆 {names} win with {won}", count, names=names, won=won)


def event_marks(table: Table) -> tuple[str, ...]:
    """Return the kind of match that the table belongs to, and until when it can be finished; none for others."""
    if table.event is None:
        return ()
    kind = _("duplicate") if table.is_compared else _("challenge")
    return (*(() if match_of(table.event[0]) is None else (kind,)), *finish_by(table))


def finish_by(table: Table) -> tuple[str, ...]:
    """Return until when a table of an event can be finished, if it is still played."""
    if table.finish_by is None or table.status != "playing":
        return ()
    return (_("until {when}", when=f"<t:{table.finish_by:.0f}:f>"),)


def match_line(table: Table) -> str:
    """Return the result of two games, after a return game: ``Two games: Ann 13, Ben 11. **Ann wins the match.**``."""
    points = totals(table)
    if points is None:
        return ""
    order = sorted(range(table.seats), key=lambda seat: -points[seat])
    both = ", ".join(f"{name_of(table, seat)} {number(points[seat])}" for seat in order)
    if len(set(points)) == 1:
        return _("Two games: {points}. The match is drawn.", points=both)
    return _("Two games: {points}. **{name} wins the match.**", points=both, name=name_of(table, order[0]))


def ended_buttons(table: Table, game: AnyGame) -> tuple[Button, ...]:
    """Return the buttons of an ended table: what follows it, such as a rematch or the page of its event, and a look."""
    event = None if table.event is None else _event_button(table, table.event[0])
    look = Button("review", _("Review")) if table.is_revealed else Button("replay", _("Replay"))
    info = (look, Button("more", _("More")))
    if event is None and not table.has_players:
        return info
    if may_return(game, table):
        return (Button("return", _("Return game"), "primary"), Button("again", _("Rematch")), *info)
    points = totals(table)
    label = _("Two more") if points is not None and len(set(points)) == 1 else _("Rematch")
    return (event or Button("again", label, "primary"), *info)


def _event_button(table: Table, event: str) -> Button | None:
    if (day := day_of(event)) is not None:
        return Button("daily-mine", _("Daily"), "primary", argument=str(day))
    if (match_id := match_of(event)) is None:
        return None
    return Button(
        "match", _("Duplicate") if table.is_compared else _("The challenge"), "primary", argument=str(match_id)
    )


def why(face: Face[Any], sight: Sight) -> Post:
    """Return why what was scored last counts what it does, as far as the reader may know, with its rule."""
    table, observation = with_short_names(sight.table), sight.observation
    heading = "### " + _("Why? · {table}", table=table_title(table, face.game))
    found = face.why(table, observation, sight.events)
    if found is None:
        return Post((heading, _("Nothing has been scored yet.")))
    said, ruling = found
    place = place_of(ruling, language())
    rule = (Button("rules", _("The rule"), argument=place),) if place else ()
    return Post((heading, said), rows=((*rule, Button("scores", _("Details"))),))


def outdated() -> Post:
    """Return the message that stays when a newer one shows the same."""
    return Post(("-# " + _("There's a newer message below."),))


def deal_summary(face: Face[Any], sight: Sight) -> Post:
    """Return the message that replaces a player's hand of a finished deal: its score, and why, and how it ended."""
    if not face.game.has_hands:
        return outdated()
    table, observation = sight.table, sight.observation
    why = face.reasons(table, observation)
    at = max((at for at, event in enumerate(sight.events) if isinstance(event, face.settlements)), default=0)
    news = news_in_brief(face.news(table, observation, since_looked(face, sight, at)), ROOM)
    last = "\n".join(filter(None, (face.payoff(table, observation), news)))
    return Post(("\n".join(filter(None, (scored(face, sight), why))), last, "-# " + _("Your next hand is below.")))
