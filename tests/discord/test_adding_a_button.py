"""Add the button of the guide in `bot.ui.actions.press`: its handler is all that it needs."""

import re
import textwrap
from typing import Final

import pytest

from bot.ui.actions import press as guide
from bot.ui.actions.press import Context, press
from bot.ui.interactions.reply import Reply, sentence
from bot.ui.posts.names import name_of
from tests.discord.forged import Forger, answer_to
from tests.discord.play import World
from tests.discord.tables import started

HANDLER: Final = textwrap.dedent(re.findall(r"::\n\n(.*?)\n\n\d", guide.__doc__ or "", re.DOTALL)[0])


def add_the_button() -> None:
    names = {"press": press, "Context": Context, "Reply": Reply, "sentence": sentence, "name_of": name_of}
    exec(HANDLER, names | {"_": lambda text, **values: text.format(**values), "__name__": __name__})  # noqa: S102 - the guide's


async def test_a_new_button_gets_its_table_and_the_seat_of_who_presses(world: World) -> None:
    add_the_button()
    ann, ben, cleo = world.people(3)
    board = await started(ann, [ben])
    table = await world.tables.table(1)
    custom_id = f"lily:wave:{table.key}:{table.version}:"
    for player, sitter in ((ann, table.sitters[0]), (ben, table.sitters[1])):
        answer = answer_to(await Forger(world, player, world.channel, board.id).presses(custom_id))
        assert f"{sitter.name} waves at **Table {table.name}**" in answer
    assert "You're not playing" in answer_to(await Forger(world, cleo, world.channel, board.id).presses(custom_id))
    assert "I don't know this game" in answer_to(await Forger(world, cleo, cleo.dm).presses(custom_id))
    assert "too old" in answer_to(await Forger(world, ann, world.channel, board.id).presses("lily:wave:0:0:"))


def test_two_handlers_of_a_verb_are_an_error() -> None:
    async def another(_ctx: Context) -> Reply:
        return Reply()

    with pytest.raises(ValueError, match="two handlers for join"):
        press("join")(another)
