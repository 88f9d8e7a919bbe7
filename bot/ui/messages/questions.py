"""Questions of players to each other, about an undo, ending or conceding: what stands on the hand of each of them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from bot.records.table import Table
from bot.tables.absence.votes import Remedy, Standstill, partners_to_agree
from bot.tables.undo import Question
from bot.texts import gettext as _, listed, ngettext
from bot.ui.posts.names import name_of
from bot.ui.posts.post import Button, Post
from bot.ui.posts.recent import Recent

ANSWERS: Final = frozenset({"undo-yes", "undo-no", "agree-end", "agree-concede"})
"""Verbs of buttons that answer a question. They work until the table moves on."""

_QUESTIONS_KEPT: Final = 1000
"""Maximum number of questions remembered."""


class Asked(NamedTuple):
    """A question on a hand, with the answers. ``void`` stands there in its place after the game has moved on.

    ``is_to_count``: whether it is about counting the game as it stands.
    """

    text: str
    row: tuple[Button, ...] = ()
    void: str = ""
    is_to_count: bool = False


class _Void(NamedTuple):
    """The words that a question, asked at a version of a table, is void, and the version at which they stand."""

    asked_at: int
    words: str
    void_at: int | None = None


class LastAsked:
    """Remembers what each player was last asked, as once after the game has moved on, that is said to be void."""

    def __init__(self) -> None:
        self._known = Recent[tuple[int, int], _Void](_QUESTIONS_KEPT)

    def note(self, table: Table, user_id: int, asked: Asked) -> None:
        """Remember what a player is asked at this version of a table."""
        self._known[table.id, user_id] = _Void(table.version, asked.void)

    def void(self, table: Table, user_id: int) -> Asked | None:
        """Return the words that the last question is void, at the first version shown after it; otherwise ``None``."""
        last = self._known.pop((table.id, user_id), None)
        if last is None or not last.words or table.version == last.asked_at or table.undone_at > last.asked_at:
            return None
        if last.void_at not in {None, table.version}:
            return None
        self._known[table.id, user_id] = last._replace(void_at=table.version)
        return Asked(last.words)


def asked_of(
    table: Table,
    user_id: int,
    questions: Iterable[Question],
    standstill: Standstill | None,
    sides: Sequence[int],
) -> Asked | None:
    """Return what a player is asked, or what became of their own question; ``None`` if there is nothing to say."""
    undos = [asked for each in questions if (asked := _undo(table, user_id, each)) is not None]
    if undos or standstill is None:
        return undos[0] if undos else None
    return _concession(table, user_id, standstill, sides) or _vote(table, user_id, standstill)


def _concession(table: Table, user_id: int, standstill: Standstill, sides: Sequence[int]) -> Asked | None:
    """Return the question whether the player's side concedes. The other side isn't told."""
    partners = partners_to_agree(table, sides, standstill, user_id)
    void = _("The question whether to concede is void: the game has moved on.")
    if user_id in standstill.concessions:
        if refusing := [user for user in standstill.refusals if user in partners]:
            return Asked(refused_end(table, refusing))
        return Asked(waiting_for(table, [user for user in partners if user not in standstill.concessions]), void=void)
    asking = [user for user in standstill.concessions if user in partners]
    if not asking or user_id in standstill.refusals:
        return None
    row = (Button("agree-concede", _("Agree"), "success"), Button("refuse-end", _("Refuse")))
    return Asked(_("🏳️ **{player}**: concede, so that the others win?", player=user_name(table, asking[0])), row, void)


def _undo(table: Table, user_id: int, question: Question) -> Asked | None:
    asker_id, argument = question.asker_id, str(question.asker_id)
    if user_id == asker_id and question.refused:
        return Asked(refusal(table, asker_id))
    if user_id == asker_id and question.waiting:
        stop = Button("undo-no", _("Stop asking"), argument=argument)
        void = _("Your question about an undo is void: the game has moved on.")
        return Asked(waiting_for(table, question.waiting), (stop,), void)
    if user_id not in question.waiting:
        return None
    player = user_name(table, asker_id)
    void = _("{player}'s question about an undo is void: the game has moved on.", player=player)
    return Asked(_("**{player}** wants to undo their last move.", player=player), undo_answers(asker_id), void)


def _vote(table: Table, user_id: int, standstill: Standstill) -> Asked | None:
    void = _("The vote to end is void: the game has moved on.")
    own = standstill.votes.get(user_id)
    if own in {"end", "count"}:
        if standstill.refusals:
            return Asked(refused_end(table, standstill.refusals))
        return Asked(waiting_for(table, _others(standstill, own)), void=void)
    wanted: Remedy | None = next((each for each in ("end", "count") if standstill.votes_for(each)), None)
    if wanted is None or user_id not in standstill.everyone or user_id in standstill.refusals:
        return None
    names = [user_name(table, user) for user in standstill.votes_for(wanted)[:1]]
    others = len(standstill.votes_for(wanted)) - 1
    player = _("{player} +{n}", player=names[0], n=others) if others else names[0]
    asked = (
        _("🗳️ **{player}**: end, and count it as it stands?", player=player)
        if wanted == "count"
        else _("🗳️ **{player}**: end without a result?", player=player)
    )
    row = (Button("agree-end", _("Agree"), "success", wanted), Button("refuse-end", _("Refuse")))
    return Asked(asked, row, void, wanted == "count")


def _others(standstill: Standstill, remedy: Remedy) -> tuple[int, ...]:
    voted = standstill.votes_for(remedy)
    return tuple(user for user in standstill.everyone if user not in voted)


def refused_end(table: Table, users: Iterable[int]) -> str:
    """Say who doesn't want the table to end."""
    names = [user_name(table, user) for user in users]
    return ngettext("{names} wants to play on.", "{names} want to play on.", len(names), names=listed(names))


def waiting_for(table: Table, users: Iterable[int]) -> str:
    """Say who has to agree."""
    return _("Waiting for {names} to agree.", names=listed([user_name(table, user) for user in users]))


def undo_answers(asker_id: int) -> tuple[Button, ...]:
    """Return the buttons that answer a question for an undo."""
    argument = str(asker_id)
    return Button("undo-yes", _("Agree"), "success", argument), Button("undo-no", _("Refuse"), argument=argument)


def question_post(table: Table, question: Question) -> Post:
    """Return the question for an undo in the channel, or its result once it is settled."""
    values: Mapping[str, str] = {"player": user_name(table, question.asker_id), "name": table.name}
    if question.refused:
        return Post(("-# " + refusal(table, question.asker_id),))
    if question.withdrawn:
        return Post(("-# " + _("{player} stopped asking. Their move at Table {name} stays.", **values),))
    text = _("**{player}** wants to undo their last move and everything after it at **Table {name}**.", **values)
    note = "-# " + waiting_for(table, question.waiting)
    return Post((f"{text}\n{note}",), rows=(undo_answers(question.asker_id),))


def refusal(table: Table, asker_id: int) -> str:
    """Say that not everyone agreed to an undo."""
    values = {"player": user_name(table, asker_id), "name": table.name}
    others = [sitter for sitter in table.sitters if sitter.user_id not in {None, asker_id}]
    if len(others) == 1:
        other = name_of(table, others[0].seat)
        return _("{other} said no. {player}'s move at Table {name} stays.", other=other, **values)
    return _("Not everyone agreed. {player}'s move at Table {name} stays.", **values)


def user_name(table: Table, user_id: int) -> str:
    """Return the name of a user at the table, or of the computer that keeps their seat."""
    seats = [sitter.seat for sitter in table.sitters if sitter.player_id == user_id]
    return name_of(table, seats[0]) if seats else _("Someone")
