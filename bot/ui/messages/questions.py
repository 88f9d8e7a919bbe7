"""The message that asks players to agree to an undo."""

from collections.abc import Mapping

from bot.tables import Question, Table
from bot.texts import gettext as _
from bot.texts.lists import listed
from bot.ui.posts.names import name_of
from bot.ui.posts.post import Button, Post


def question_post(table: Table, question: Question) -> Post:
    """Return the question, or its result once it is settled."""
    asker = user_name(table, question.asker_id)
    values = {"player": asker, "name": table.name}
    if question.refused:
        return Post(("-# " + _refused(table, question.asker_id, values),))
    if question.withdrawn:
        return Post(("-# " + _("{player} stopped asking. Their move at Table {name} stays.", **values),))
    waiting = listed([user_name(table, user) for user in question.waiting])
    text = _("**{player}** wants to undo their last move and everything after it at **Table {name}**.", **values)
    note = "-# " + _("Waiting for {names} to agree.", names=waiting)
    argument = str(question.asker_id)
    row = (Button("undo-yes", _("Agree"), "success", argument), Button("undo-no", _("Refuse"), argument=argument))
    return Post((f"{text}\n{note}",), rows=(row,))


def _refused(table: Table, asker_id: int, values: Mapping[str, str]) -> str:
    others = [sitter for sitter in table.sitters if sitter.user_id not in {None, asker_id}]
    if len(others) == 1:
        other = name_of(table, others[0].seat)
        return _("{other} said no. {player}'s move at Table {name} stays.", other=other, **values)
    return _("Not everyone agreed. {player}'s move at Table {name} stays.", **values)


def user_name(table: Table, user_id: int) -> str:
    """Return the name of a user at the table."""
    sitter = table.sitter(user_id)
    return name_of(table, sitter.seat) if sitter else _("Someone")
