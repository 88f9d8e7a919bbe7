"""The settings of a server as one form."""

from typing import Any

import simcord
from simcord.enums import InteractionType

from tests.discord.forged import Forger
from tests.discord.play import Player, World
from tests.discord.seen import Seen
from tests.discord.test_server import moderator


async def fills(player: Player, page: Seen, **values: Any) -> Seen:
    """Open the form of the page, fill it in and return the answer."""
    opened = await player._does(page.use("Change"))
    assert isinstance(player.member, simcord.MemberActor)
    return player.answer_to(await player.member.submit_modal(opened, values))


async def test_one_form_changes_several_settings_and_keeps_the_others(world: World) -> None:
    mod = moderator(world)
    page = await mod.types("server level", default="strong")
    page = await fills(mod, page, channels=[world.channel], board="thread", clock="day", level="strong")
    assert f"**Tables open** in <#{world.channel.id}>" in page.text
    assert "**Board** in a thread of its own" in page.text
    assert "**Clock**: 1 day a move" in page.text
    assert "**Computers**: strong" in page.text
    page = await fills(mod, page, channels=[], board="channel", clock="day", level="easy")
    assert "**Tables open** everywhere" in page.text
    assert "**Computers**: easy" in page.text


async def test_a_form_that_discord_never_sends_changes_nothing(world: World) -> None:
    mod = moderator(world)
    before = (await mod.types("server show")).text
    fields = [{"type": 8, "custom_id": "channels", "values": 7}, {"type": 6, "custom_id": "openers", "values": "x"}]
    data = {"custom_id": "lily:server-form:0:0:", "components": [{"type": 18, "component": each} for each in fields]}
    sent = await Forger(world, mod, world.channel).sends(InteractionType.MODAL_SUBMIT, data)
    assert mod.answer_to(sent).text == before


async def test_only_moderators_open_the_form(world: World) -> None:
    mod, (ann,) = moderator(world), world.people(1)
    page = await mod.types("server show")
    use = page.use("Change")
    (answer,) = await world.at_once((ann, use))
    assert answer is not None
    assert "You need the permission Manage Server" in answer.text
