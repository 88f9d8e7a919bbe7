"""A game night that is changed: by whom, what those who are in are told, and how often they are pinged."""

import re
from typing import Any

import pytest
import simcord
from simcord.enums import InteractionType

from tests.discord.forged import Forger
from tests.discord.play import Player, World
from tests.discord.seen import Seen
from tests.discord.test_delivered_twice import delivered_twice
from tests.discord.test_forged import HUGE, LONE, OLD, text_of
from tests.discord.test_nights import HOUR, lobbies, nights, planned
from tests.discord.test_pings import pings
from tests.discord.test_server import moderator


async def changes(player: Player, night: Seen, **values: Any) -> Seen:
    """Press **Change** and send the form."""
    opened = await player._does(night.use("Change"))
    assert isinstance(player.member, simcord.MemberActor)
    return player.answer_to(await player.member.submit_modal(opened, {"game": ["pond"], **values}))


def told(player: Player) -> list[Seen]:
    """Return the messages about a new time."""
    return [seen for seen in player.messages() if "has a new time" in seen.text]


def starts_at(seen: Seen) -> int:
    """Return the time of a night."""
    return int(re.findall(r"<t:([0-9]+):F>", seen.text)[0])


async def test_the_host_changes_the_game_without_a_ping_and_the_time_with_one(world: World) -> None:
    ann, ben, cleo = world.people(3)
    night = await planned(ann)
    assert night.labels == ["I'm in", "I'm out", "Change", "Cancel it"]
    before, mentioned = starts_at(night), len(pings(world, ann))
    await ben.clicks(night, "I'm in")
    await changes(ann, night, game=["pontis"])
    await world.wait(1)
    assert "Game night · Pontis" in ann.now(night).text
    assert starts_at(ann.now(night)) == before
    assert pings(world, ben) == []
    answer = await changes(ann, night, when="in 5 hours", game=["pontis"])
    assert "I assumed the time zone UTC" in answer.text
    await world.wait(1)
    assert "Game night · Pontis" in ann.now(night).text
    later = starts_at(ann.now(night))
    assert later - before == pytest.approx(3 * HOUR, abs=60)
    assert [len(pings(world, player)) for player in (ann, ben, cleo)] == [mentioned, 1, 0]
    (ping,) = told(ben)
    assert ping.pinged == (ben.id,)
    assert f"<t:{later}:F>" in ping.text
    assert f"/{night.id})" in ping.text
    await cleo.clicks(night, "I'm in")
    await world.crash()
    await world.wait(2 * HOUR + 60)
    assert "It has begun" not in ann.now(night).text
    assert len(told(ben)) == 1
    await world.wait(3 * HOUR)
    assert "It has begun" in ann.now(night).text
    assert told(ben) == []
    assert len(lobbies(ben)) == 1
    assert [len(pings(world, player)) for player in (ann, ben, cleo)] == [mentioned + 1, 2, 1], "of the table"


async def test_each_new_time_brings_one_ping_and_only_the_last_stays(world: World) -> None:
    ann, ben = world.people(2)
    night = await planned(ann)
    await changes(ann, night, when="in 3 hours")
    await world.wait(1)
    assert told(ben) == [], "nobody else is in"
    await ben.clicks(night, "I'm in")
    await world.wait(1)
    assert pings(world, ben) == [], "they have read the new time"
    for hours in (4, 5):
        await changes(ann, night, when=f"in {hours} hours")
        await world.wait(1)
        assert len(pings(world, ben)) == hours - 3
    assert len(told(ben)) == 1
    refused = await changes(ann, night, when="in 6 hours")
    assert "limit 3 an hour" in refused.text
    assert len(pings(world, ben)) == 2
    await ann.clicks(night, "Cancel it")
    await world.wait(1)
    assert told(ben) == []


async def test_a_moderator_changes_it_too_and_the_host_gets_the_ping(world: World) -> None:
    ann, ben = world.people(2)
    night = await planned(ann)
    await ben.clicks(night, "I'm in")
    assert "Only the host or a moderator" in (await ben.clicks(night, "Change")).text
    await changes(moderator(world), night, when="in 4 hours")
    await world.wait(1)
    assert len(pings(world, ben)) == 1
    assert told(ann)[0].pinged == (ann.id, ben.id)


async def test_a_time_that_may_mean_two_is_asked_before_anybody_is_pinged(world: World) -> None:
    ann, ben = world.people(2)
    night = await planned(ann)
    await ben.clicks(night, "I'm in")
    before = starts_at(night)
    question = await changes(ann, night, when="tomorrow at 8", game=["frogs"])
    assert question.labels == ["Make it 08:00", "Make it 20:00"]
    await world.wait(1)
    assert "Pond · frogs" in ann.now(night).text
    assert starts_at(ann.now(night)) == before
    assert pings(world, ben) == []
    await ann.clicks(question, "Make it 20:00")
    await world.wait(1)
    assert starts_at(ann.now(night)) % (24 * 3600) == 20 * 3600
    assert len(pings(world, ben)) == 1


async def test_what_cannot_be_read_or_is_too_late_changes_nothing(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, ben = world.people(2)
    night = await planned(ann)
    await ben.clicks(night, "I'm in")
    assert "such as 20:00" in (await changes(ann, night, when="soon")).text
    assert "within the next 60 days" in (await changes(ann, night, when="in 90 days")).text
    opened = await ann._does(night.use("Change"))
    assert isinstance(ann.member, simcord.MemberActor)
    with delivered_twice(world, monkeypatch):
        await ann.member.submit_modal(opened, {"when": "in 4 hours", "game": ["pond"]})
        await world.wait(1)
    assert len(pings(world, ben)) == len(told(ben)) == 1
    opened = await ann._does(night.use("Change"))
    await ann.clicks(night, "Cancel it")
    assert (
        "This game night is over."
        in ann.answer_to(await ann.member.submit_modal(opened, {"when": "23:59", "game": ["pond"]})).text
    )
    assert len(nights(ann)) == 1


async def test_forged_changes_of_nights_are_refused(world: World) -> None:
    ann, ben = world.people(2)
    night = await planned(ann)
    (night_id,) = await world.tables.nights.all()
    kept = await world.tables.nights.find(night_id)
    elsewhere = world.place(world.server.create_text_channel("elsewhere").id)
    for player, place, said in ((ben, world.channel, "Only the host or a moderator"), (ann, elsewhere, "is over")):
        forger = Forger(world, player, place)
        for verb, argument in (("change", f"{night_id}"), ("move", f"{night_id}-{world.bot.now() + HOUR:.0f}")):
            assert said in text_of(await forger.presses(f"lily:night-{verb}:0:0:{argument}", "23:59", form=True)), verb
    forger = Forger(world, ann, world.channel)
    for odd in ("", "x", "-1", "²", HUGE, LONE):
        assert text_of(await forger.presses(f"lily:night-change:0:0:{odd}", form=True)) == OLD, odd
        assert text_of(await forger.presses(f"lily:night-move:0:0:{night_id}-{odd}")) == OLD, odd
    for at in (0, 5, 2**63 - 1):
        assert "That's <t:" in text_of(await forger.presses(f"lily:night-move:0:0:{night_id}-{at}"))
    chess = {"type": 18, "component": {"type": 3, "custom_id": "game", "values": ["chess"]}}
    data = {"custom_id": f"lily:night-change:0:0:{night_id}", "components": [chess]}
    assert text_of(await forger.submits(InteractionType.MODAL_SUBMIT, data)) == OLD
    assert await world.tables.nights.find(night_id) == kept
    assert ann.now(night) == night
