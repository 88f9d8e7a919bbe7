"""The hand of a player, which only they see."""

import math
from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from bot.pictures import MAX_HEIGHT
from bot.records.preference import UserSettings
from bot.records.table import Table
from bot.tables.hosting import allows_hints
from bot.tables.tables import Sight
from bot.texts import gettext as _, language
from bot.texts.rules_pages import first_advice
from bot.ui.messages.absence_notice import closing
from bot.ui.messages.board import board, heading_of, height_of_card, with_result_card
from bot.ui.messages.deal_over import hand_over
from bot.ui.messages.lesson_pages import learn_button
from bot.ui.messages.questions import Asked
from bot.ui.messages.result_texts import (
    ended_buttons,
    ending,
    event_marks,
    fitting,
    headline,
    is_just_scored,
    joined,
    news_in_brief,
    scored,
    since_own_turn,
)
from bot.ui.messages.since import played_itself, played_meanwhile, since_looked
from bot.ui.posts.face import Face
from bot.ui.posts.layout import MAX_OPTIONS
from bot.ui.posts.names import with_short_names
from bot.ui.posts.pictures import illustrated
from bot.ui.posts.post import Button, Choices, Post
from bot.ui.posts.text import GAP, ROOM, ROW, lines_of, proof, rows_of, table_title, title_of, without_remarks

_PICTURE: Final = 12.5
"""The height of the highest picture, in lines."""
_SPARE: Final = 3.0
"""Lines that hands have to spare: they are lower than `lines_of` says."""
_SPARE_OF_WORDS: Final = 2.0
"""Likewise for hands in words with a tip, which have more lines."""
_MARGIN_OF_TIPS: Final = 0.5
"""Lines that a tip takes besides its own in hands in words: it is higher than `lines_of` says."""
_MARGIN_OF_QUESTIONS: Final = 2.0
"""Lines that a question takes besides its own: it is higher than `lines_of` says."""
_GIVING_WAY: Final = frozenset({"undo", "ask-undo", "rules", "why"})
"""Verbs of buttons that give way to the answers to a question."""
_MAX_NOTED: Final = 6
"""Maximum lines of events in a note."""


def hand(  # noqa: PLR0913 - two have defaults
    face: Face[Any],
    sight: Sight,
    link: str,
    settings: UserSettings,
    asked: Asked | None = None,
    *,
    follows: bool = True,
) -> Post:
    """Return the table as the seat sees it, what it may do, and what it holds; after a deal or the game, the result.

    ``asked`` is another player's question. ``follows``: whether the message is updated at every move. If it isn't, it
    says how old it is.
    """
    if sight.before is not None:
        return hand_over(face, sight, link, settings)
    if face.game.has_hands:
        post = _own_hand(face, sight, link, settings, asked, follows=follows)
    elif settings.prefers_menus:
        post = _own_board_in_words(face, sight, link, follows=follows)
    else:
        advice = tip(face, sight, settings)
        post = _own_board(face, sight, link, follows=follows, with_picture=_has_picture(face, settings), advice=advice)
    if asked is not None and not face.game.has_hands:
        post = replace(post, paragraphs=(*post.paragraphs[:-1], f"-# {asked.text}"))
    post = post if asked is None else _with_question(post, asked)
    return replace(post, is_plain=settings.hands == "text", version=sight.table.version)


def _has_picture(face: Face[Any], settings: UserSettings) -> bool:
    return settings.hands == "pictures" and face.drawings is not None


def _with_question(post: Post, asked: Asked) -> Post:
    """Return a hand with a question. It has room for a row and a line or two, so other buttons give way."""
    if not asked.row or not post.rows:
        return post
    others = post.rows[0][-1:] if post.grid else [each for each in post.rows[0] if each.verb not in _GIVING_WAY]
    return replace(post, rows=((*asked.row, *others),))


class _Prompt(NamedTuple):
    """A prompt, the lines that there is room in, and whether there may be news above it, beside a picture."""

    text: str
    room: float
    has_news: bool = True


def _own_hand(  # noqa: PLR0913 - as `hand`
    face: Face[Any], sight: Sight, link: str, settings: UserSettings, asked: Asked | None, *, follows: bool
) -> Post:
    """Return a hand of cards; after the game, the result."""
    sight = replace(sight, table=with_short_names(sight.table))
    table, observation = sight.table, sight.observation
    title = f"### {_('Your hand · Table {name}', name=table.name)}"
    marks = (_("played on") if table.continues else "", *event_marks(table))
    meanwhile = _meanwhile(face, sight, settings) if observation.outcome is None else ""
    where = " · ".join(filter(None, (title_of(face.game), face.progress(observation), *marks, meanwhile, link)))
    if observation.outcome is None:
        return _InPlay(face, sight, title, where, settings).post(asked, follows=follows)
    is_picture = _has_picture(face, settings)
    result = ending(face, sight, card=height_of_card(face, observation) if is_picture else 0.0)
    post = Post((f"{title}\n-# {where}", *result), rows=(ended_buttons(table, face.game),))
    return with_result_card(post, face, sight) if is_picture else post


def _meanwhile(face: Face[Any], sight: Sight, settings: UserSettings) -> str:
    """Return who has played for the player. Beside a picture, a score leaves no other room for what played itself."""
    has_room = is_just_scored(face, sight) and _has_picture(face, settings)
    return played_meanwhile(face, sight) or (played_itself(face, sight) if has_room else "")


class _InPlay:
    """A hand during the game, and its parts as far as a phone's screen has ``room`` for them, in lines."""

    def __init__(self, face: Face[Any], sight: Sight, title: str, where: str, settings: UserSettings) -> None:
        self._face = face
        self._sight = sight
        self._title = title
        self._heading = f"{title}\n-# {where}"
        self._settings = settings
        self._is_picture = _has_picture(face, settings)
        table, observation = sight.table, sight.observation
        self._scored = scored(face, sight) if is_just_scored(face, sight) else ""
        self._payoff = face.payoff(table, observation)
        since = since_looked(face, sight)
        itself = "" if self._scored and self._is_picture else played_itself(face, sight)
        self._news = (*filter(None, (itself,)), *face.news(table, observation, since))
        self._beside = tuple(face.beside_picture(table, observation)) if self._is_picture else ()
        self._needed = "".join(self._beside[:1]).partition("\n")[0]
        self._gained = face.gained(table, observation, since, in_full=self._is_picture)
        self._height = face.drawings.height(observation) if face.drawings else MAX_HEIGHT

    def post(self, asked: Asked | None, *, follows: bool) -> Post:
        """Return the hand."""
        face, sight, table, observation = self._face, self._sight, self._sight.table, self._sight.observation
        choices, prompt = face.choices(table, observation), face.prompt(table, observation)
        if not choices and not follows:
            prompt += f"\n{_as_of(table)}"
        taken = 0.0
        if asked is not None:
            prompt, taken = f"{prompt}\n-# {asked.text}", bool(asked.row) * ROW + _MARGIN_OF_QUESTIONS
        buttons = _buttons(face, sight, is_to_move=observation.seat in observation.to_act)
        more_rows = sum(rows_of([button.label for button in row]) - 1 for row in buttons)
        room = ROOM + _SPARE - taken - (sum(map(_rows_of, choices)) + more_rows) * ROW
        given = self._with_tip(_Prompt(prompt, room))
        post = Post((self._heading, *self._words(given)), choices, buttons)
        if not self._is_picture:
            return post
        return illustrated(post, face, sight, above=(self._heading, *self._beside_picture(given)))

    def _with_tip(self, given: _Prompt) -> _Prompt:
        """Return the prompt with a tip, if it has room: it may shorten what happened, and displace nothing."""
        advice = tip(self._face, self._sight, self._settings)
        if not advice:
            return given
        room = given.room if self._is_picture else given.room - _MARGIN_OF_TIPS
        tipped = [_Prompt(f"{given.text}\n{advice}", room)]
        if self._is_picture and (self._payoff or not self._news):
            tipped.append(tipped[0]._replace(has_news=False))
        return next((each for each in tipped if self._has_room_for_tip(given, each)), given)

    def _has_room_for_tip(self, given: _Prompt, tipped: _Prompt) -> bool:
        """Whether a prompt with a tip leaves room for all that the seat knows, and for what happened, if in short."""
        table, observation = self._sight.table, self._sight.observation
        if not self._is_picture:
            known = lines_of((*self._face.situation(table, observation)[:1], *self._face.hand(table, observation)))
            has_room = lines_of((*self._above(tipped), self._payoff)) + known <= tipped.room + _SPARE_OF_WORDS
            return has_room and self._is_told("\n".join(self._words(given)), "\n".join(self._words(tipped)))
        if self._lines_with_picture(tipped) + lines_of((self._needed,)) > tipped.room:
            return False
        without, instead = self._beside_picture(given), self._beside_picture(tipped)
        had, has = (_known(each[each.index(of.text) + 1 :]) for each, of in ((without, given), (instead, tipped)))
        return had == has and self._is_told("\n".join(without), "\n".join(instead))

    def _is_told(self, without: str, tipped: str) -> bool:
        """Whether a hand with a tip still says what happened: the payoff, or the latest news and who gained what."""
        if self._payoff:
            return self._payoff in tipped or self._payoff not in without
        if all(item in tipped for item in self._news):
            return True
        latest = "".join(self._news[-1:])
        return self._gained in tipped and (latest in tipped or latest not in without)

    def _above(self, given: _Prompt) -> tuple[str, str]:
        """Return the heading and a prompt. The second line of the heading counts as one, however long it is."""
        return f"{self._title}\n-# …", given.text

    def _lines_with_picture(self, given: _Prompt) -> float:
        """Return the height of the heading, a prompt and the picture, in lines."""
        return lines_of(self._above(given)) + _PICTURE * self._height / MAX_HEIGHT

    def _words(self, given: _Prompt) -> tuple[str, ...]:
        """Return the paragraphs below the heading."""
        table, observation = self._sight.table, self._sight.observation
        below = (given.text, *self._face.hand(table, observation))
        situation = tuple(self._face.situation(table, observation))
        room = given.room - lines_of((self._heading, *below))
        # Hands with many lines of words are lower still than the estimate, above all with a line for each bank.
        lately = self._lately(room + (_SPARE if self._gained else 0) + 1 - lines_of(situation[:1]))
        situation = without_remarks(situation, room + _SPARE - lines_of(lately))
        return *lately, *situation, *below

    def _beside_picture(self, given: _Prompt) -> tuple[str, ...]:
        """Return the paragraphs between the heading and a picture of the hand."""
        room, beside = given.room - self._lines_with_picture(given), self._beside
        known, points = lines_of(beside[:1]), (f"-# {self._gained}",) if self._gained else ()
        if news_in_brief(self._news, room - known - GAP) == joined(self._news):
            beside = (*beside, *points)
        else:
            known, beside = lines_of(points or beside[:1]), (*points, *beside)
        lately = self._lately(room - known) if given.has_news else (fitting((self._payoff,), room - known),)
        return tuple(filter(None, (*lately, given.text, fitting(beside, room - lines_of(lately)) or self._needed)))

    def _lately(self, room: float) -> tuple[str, ...]:
        """Return the score of the last deal, and what happened since the player's last turn, as far as there is room.

        The news is joined to a few lines, from which the oldest gives way, below what the last trick brought.
        Before the player's first move of a deal, the score of the last deal and its reasons come first.
        """
        face, sight = self._face, self._sight
        last, payoff = self._scored, self._payoff
        instead = "" if self._is_picture else self._gained  # a picture has it beside it
        said = "\n".join(filter(None, (payoff, news_in_brief(self._news, room - GAP, instead))))
        parts: list[tuple[str, ...]] = [(said,), (payoff,)]
        if last:
            why = "\n".join((last, face.reasons(sight.table, sight.observation)))
            short = fitting((why,), room - lines_of((payoff,)))
            has_own = short.count("\n") > 1
            parts = [(why, said), (why, payoff), *([(short, payoff)] if has_own else []), (fitting((why,), room),)]
        options = [tuple(filter(None, each)) for each in parts]
        return next((parts for parts in options if lines_of(parts) <= room), ())


def _known(paragraphs: Iterable[str]) -> list[str]:
    """Return the lines of the paragraphs that aren't in small print."""
    return [line for paragraph in paragraphs for line in paragraph.split("\n") if not line.startswith("-# ")]


def tip(face: Face[Any], sight: Sight, settings: UserSettings) -> str:
    """Return the line of the first advice for the decision of a player who is new to the game; usually empty.

    Who is offered that forced moves play themselves reads that. It displaces news and small print, but neither what the
    last trick brought nor what the seat knows.
    """
    if sight.offers_forced:
        return "-# " + _("That is your only move. Want such moves to play themselves?")
    sitter = sight.table.sitter_at(sight.observation.seat or 0)
    is_new = sitter is not None and sitter.nth_game > 0 and len(sight.observation.legal) > 1
    number = face.tip(sight.observation) if is_new and settings.tips else None
    return "" if number is None else f"-# 💡 {first_advice(face.game.key, language())[number]}"


def _buttons(face: Face[Any], sight: Sight, *, is_to_move: bool) -> tuple[tuple[Button, ...], ...]:
    """Return the row of buttons below a hand; no row if there are none."""
    own = tuple(button for row in face.controls(sight.table, sight.observation) for button in row)
    if is_to_move:
        row = (*_undo(sight, asks=False), *own, *_help(sight))
    else:
        has_scored = face.why(sight.table, sight.observation, sight.events) is not None
        # **Why?** leads to the rules.
        rules = Button("why", _("Why?")) if has_scored else Button("rules", _("Rules"))
        row = (*_undo(sight), *own, Button("hand", _("Refresh")), rules)
    return (row,) if row else ()


def _help(sight: Sight) -> tuple[Button, ...]:
    """Return what helps a seat that has to move: a hint where hints are allowed, and the rules.

    Without a choice, the offer to have such moves play themselves takes the place of the hint.
    """
    if sight.offers_forced:
        return Button("automatic", _("Play them for me")), Button("rules", _("Rules"))
    sitter = sight.table.sitter_at(sight.observation.seat or 0)
    may_ask = sitter is not None and sitter.user_id is not None and allows_hints(sight.table, sitter.user_id)
    return (*((Button("hint", _("Hint")),) if may_ask else ()), Button("rules", _("Rules")))


def _rows_of(group: Choices) -> int:
    """Return how many rows the choices take on a phone."""
    labels = [choice.label for choice in group.choices]
    return rows_of(labels) if group.as_buttons else math.ceil(len(labels) / MAX_OPTIONS)


def turn(face: Face[Any], sight: Sight) -> Post:
    """Return the board in words with menus of the moves, for games without hands."""
    table, observation = sight.table, sight.observation
    choices = face.choices(table, observation)
    decision = f"**{table_title(table, face.game)}**\n{face.prompt_in_words(table, observation)}"
    rows = (_help(sight),) if choices else ()
    return Post((*face.describe(table, observation), decision), choices, rows, version=table.version)


def _undo(sight: Sight, *, asks: bool = True) -> tuple[Button, ...]:
    """Return the button to undo, or with ``asks`` to ask for that.

    Asking has a verb of its own, as it doesn't end with the turn (`Hand.is_prompt`). Without other people, nobody has
    to agree.
    """
    if sight.may_undo:
        return (Button("undo", _("Undo")),)
    if not sight.may_ask_undo:
        return ()
    sitters, own = sight.table.sitters, sight.observation.seat
    is_alone = all(sitter.user_id is None for sitter in sitters if sitter.seat != own)
    if is_alone:
        return (Button("ask-undo", _("Undo")),)
    return (Button("ask-undo", _("Ask to undo")),) if asks else ()


def _as_of(table: Table) -> str:
    return _("-# As of {time}. The board in the channel is always up to date.", time=f"<t:{table.changed_at:.0f}:t>")


def _own_board(  # noqa: PLR0913 - two have defaults
    face: Face[Any], sight: Sight, link: str, *, follows: bool, with_picture: bool = False, advice: str = ""
) -> Post:
    """Return the board as the seat sees it. For games without hidden cards."""
    post, observation = board(face, sight, with_picture=with_picture, advice=advice), sight.observation
    if observation.outcome is not None:
        return replace(post, paragraphs=(*post.paragraphs, link))
    below = link if follows or observation.legal else f"{_as_of(sight.table)} {link}"
    below = f"-# {below.removeprefix('-# ')}" if below else ""
    row = (*_undo(sight), *(_help(sight)[:-1] if observation.legal else ()), *post.rows[0])
    return replace(post, paragraphs=(*post.paragraphs, below), rows=(row,))


def _own_board_in_words(face: Face[Any], sight: Sight, link: str, *, follows: bool) -> Post:
    """Return the board as the seat sees it for a player who doesn't want a board of buttons: in words, with menus."""
    post, table, observation = _own_board(face, sight, link, follows=follows), sight.table, sight.observation
    if observation.outcome is not None:
        return replace(post, grid=())
    heading = heading_of(face, table, observation)
    words = (*face.describe(table, observation), face.prompt_in_words(table, observation), post.paragraphs[-1])
    rows = tuple(tuple(button for button in row if button.verb != "turn") for row in post.rows)
    return Post((heading, *words), face.choices(table, observation), rows)


def note(face: Face[Any], sight: Sight, link: str) -> Post:
    """Return a player's own message for games without hands while others are to move: the latest events, and who is."""
    sight = replace(sight, table=with_short_names(sight.table))
    table, observation = sight.table, sight.observation
    if observation.outcome is not None:
        said = (f"**{headline(face, table, observation.outcome)}**", face.decided(table, observation))
        return Post(("\n".join(filter(None, said)), link), rows=(ended_buttons(table, face.game),))
    row = _undo(sight)
    words = (*since_own_turn(face, sight)[-_MAX_NOTED:], face.prompt(table, observation), link)
    return Post(("\n".join(filter(None, words)),), rows=(row,) if row else (), version=table.version)


def welcome(face: Face[Any], table: Table, link: str, *, is_learner: bool) -> Post:
    """Return the first direct message of a table. Sending it shows early whether direct messages are open."""
    title = table_title(table, face.game)
    if not face.game.has_hands:
        words = _("You've joined **{table}**. You'll hear from me here when it's your turn.", table=title)
    else:
        words = _("You've joined **{table}**. Your hand will come here.", table=title)
    rows = ((learn_button(table.game),),) if face.lesson is not None and is_learner else ()
    return Post((words, link, proof(table.commitment, has_hands=face.game.has_hands)), rows=rows)


def farewell(face: Face[Any], table: Table, link: str, *, was_removed: bool = False) -> Post:
    """Return the message that replaces a hand after the table closed or the player left it."""
    if was_removed and table.status == "playing":
        left = _("The host or a moderator removed you from this table. A computer plays on.")
    else:
        left = _("The host removed you from this table.") if was_removed else _("You've left this table.")
    why = left if table.is_open else closing(table, title_of(face.game))
    return Post((f"**{table_title(table, face.game)}**\n{why}", link))


def kept(face: Face[Any], table: Table, link: str) -> Post:
    """Return the message for a player whose seat a computer keeps, in place of their hand."""
    title = f"**{table_title(table, face.game)}**"
    if table.status != "playing":
        return Post((f"{title}\n{_('This game is over. A computer played for you to the end.')}", link))
    words = _("A computer plays for you. Press any button of this table to take your seat back.")
    return Post((f"{title}\n{words}", link), rows=((Button("hand", _("Play on"), "primary"),),))
