"""The settings of a server as one form."""

from typing import Any

import discord
import simcord
from simcord.enums import InteractionType

from tests.discord.forged import Forger
from tests.discord.play import Player, World
from tests.discord.seen import Seen
from tests.discord.test_server import moderator

TABLES, EVENTS = "Change tables", "Change daily & recap"


async def fills(player: Player, page: Seen, button: str = TABLES, **values: Any) -> Seen:
    """Open a form of the page, fill it in and return the answer."""
    opened = await player._does(page.use(button))
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


async def test_a_form_is_refused_while_discord_does_not_say_what_the_server_has(world: World) -> None:
    mod = moderator(world)
    role = world.server.create_role("Players")
    page = await mod.types("server show")
    page = await fills(mod, page, channels=[world.channel], openers=[role], board="channel", clock="none", level="fair")
    filled = {"daily": [world.channel], "recap": [world.channel], "recap-day": ["5"], "timezone": "", "looking": [role]}
    page = await fills(mod, page, EVENTS, **filled)
    known = (await mod.types("server show")).text
    opened = await mod._does(page.use(EVENTS))
    guild = world.bot.get_guild(world.server.id)
    assert guild is not None
    world.bot._connection._remove_guild(guild)
    assert isinstance(mod.member, simcord.MemberActor)
    refused = mod.answer_to(await mod.member.submit_modal(opened, filled))
    assert "Try again in a minute." in refused.text
    for button in (TABLES, EVENTS):
        assert "Try again in a minute." in (await mod.clicks(page, button)).text
    world.bot._connection._add_guild(guild)
    assert (await mod.types("server show")).text == known


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
    answers = await world.at_once((ann, page.use(TABLES)), (ann, page.use(EVENTS)))
    assert all(answer and "You need the permission Manage Server" in answer.text for answer in answers)


async def test_the_second_form_sets_the_daily_the_recap_and_the_search_for_players(world: World) -> None:
    mod = moderator(world)
    elsewhere, role = world.server.create_text_channel("dailies"), world.server.create_role("Players")
    page = await mod.types("server level", default="strong")
    filled = {"daily": [elsewhere], "recap": [world.channel], "recap-day": ["5"], "timezone": "berlin"}
    page = await fills(mod, page, EVENTS, **filled, looking=[role])
    assert f"**Daily** in <#{elsewhere.id}>: a new one each midnight, Europe/Berlin." in page.text
    assert f"**Recap** of the week in <#{world.channel.id}>: Saturday" in page.text
    assert f"**Find players** mentions <@&{role.id}>" in page.text
    assert "**Computers**: strong" in page.text
    refused = await fills(mod, page, EVENTS, **filled | {"timezone": "Atlantis"}, looking=[])
    assert "Pick your time zone" in refused.text
    assert "Europe/Berlin" in (await mod.types("server show")).text
    emptied = {"daily": [], "recap": [], "recap-day": ["5"], "timezone": "", "looking": []}
    page = await fills(mod, page, EVENTS, **emptied)
    assert "Its day ends at midnight, UTC." in page.text
    assert "**Recap** of the week: off" in page.text
    assert "**Find players** mentions nobody" in page.text


async def test_the_form_offers_each_kind_of_channel_that_the_command_takes(world: World) -> None:
    mod = moderator(world)
    form = (await mod._does((await mod.types("server show")).use(EVENTS))).modal
    assert form is not None
    menus = [
        label["component"] for label in form["components"] if label["component"]["custom_id"] in {"daily", "recap"}
    ]
    server = next(each for each in world.env.backend.commands[None].values() if each["name"] == "server")
    taken = [
        option["channel_types"]
        for command in server["options"]
        for option in command.get("options", ())
        if command["name"] in {"daily", "recap"} and option["name"] == "channel"
    ]
    assert [menu["channel_types"] for menu in menus] == taken


async def test_the_daily_and_the_recap_need_a_channel_where_the_bot_can_write(world: World) -> None:
    mod, everyone = moderator(world), world.server.default_role
    denied = discord.PermissionOverwrite(send_messages=False)
    silent = world.server.create_text_channel("silent", overwrites={everyone: denied})
    page = await mod.types("server show")
    filled = {"daily": [], "recap": [silent], "recap-day": ["0"], "timezone": "", "looking": []}
    assert f"I can't write in <#{silent.id}>" in (await fills(mod, page, EVENTS, **filled)).text
    assert f"I can't write in <#{silent.id}>" in (await mod.types("server daily", channel=silent)).text
    shown = (await mod.types("server show")).text
    assert "**Recap** of the week: off" in shown
    assert "**Daily** where it's first opened" in shown


async def test_a_form_that_shows_outdated_settings_is_refused_with_the_difference(world: World) -> None:
    mod, channel = moderator(world), world.server.create_text_channel("games")
    page = await mod.types("server show")
    filled: dict[str, dict[str, Any]] = {
        TABLES: {"channels": [], "board": "channel", "clock": "day", "level": "fair"},
        EVENTS: {"daily": [], "recap": [], "recap-day": ["0"], "timezone": "Europe/Berlin"},
    }
    opened = {button: await mod._does(page.use(button)) for button in filled}
    await mod.types("server channel", channel=channel)
    await mod.types("server daily", timezone="Asia/Tokyo")
    before = (await mod.types("server show")).text
    assert isinstance(mod.member, simcord.MemberActor)
    for button, yours in ((TABLES, "**Clock**: 1 day a move"), (EVENTS, "at midnight, Europe/Berlin")):
        refused = mod.answer_to(await mod.member.submit_modal(opened[button], filled[button]))
        notice = refused.text.partition("### This server")[0]
        assert "I've saved nothing." in notice
        assert yours in notice
        assert "**Computers**" not in notice, "that is the same"
        assert (await mod.types("server show")).text == before
        assert yours in (await fills(mod, refused, button, **filled[button])).text
        before = (await mod.types("server show")).text


async def test_a_form_of_the_same_settings_is_new_each_time_for_phones(world: World) -> None:
    mod = moderator(world)
    page = await mod.types("server show")
    forms = [(await mod._does(page.use(button))).modal for button in (TABLES, TABLES, EVENTS, EVENTS)]
    assert len({form["custom_id"] for form in forms if form is not None}) == 4
