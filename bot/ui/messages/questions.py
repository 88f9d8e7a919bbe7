"""The message that asks players to agree to an undo."""

from bot.tables import Question, Table
from bot.ui.posts.post import Button, Post
from bot.ui.posts.text import listed, name_of


def question_post(table: Table, question: Question) -> Post:
    """Return the question, or its result once it is settled."""
    asker = user_name(table, question.asker_id)
    if question.refused or question.withdrawn:
        why = "the others would rather play on" if question.refused else f"{asker} withdrew the question"
        return Post((f"-# {asker}'s move at Table {table.name} stands: {why}.",))
    waiting = listed([user_name(table, user) for user in question.waiting])
    text = (
        f"**{asker}** would like to take their own last move back at **Table {table.name}**, "
        f"with all that followed it.\n-# It takes {waiting} to agree."
    )
    argument = str(question.asker_id)
    row = (Button("undo-yes", "Agree", "success", argument), Button("undo-no", "Refuse", argument=argument))
    return Post((text,), rows=(row,))


def user_name(table: Table, user_id: int) -> str:
    """Return the name of a user at the table."""
    sitter = table.sitter(user_id)
    return name_of(table, sitter.seat) if sitter else "Somebody"
