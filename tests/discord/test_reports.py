"""**Report**: what players write goes to the host, with what is needed to find the cause, and without hands."""

from dataclasses import replace
from typing import Any

import discord
import pytest

from bot.version import version
from cogs.reports import MOST, MOST_OF_A_USER
from tests.discord.forged import Forger
from tests.discord.play import Player, World
from tests.discord.seen import Seen
from tests.discord.tables import started
from tests.world import walk

DAY = 24 * 60 * 60.0
SENT = "Your report went to the host of this bot. Thank you!"


async def report(person: Player, page: Seen, text: str = "It broke. <@&1> **bold**") -> str:
    """Press the button for a report on a page, fill its form in, and return the answer."""
    world = person.world
    ids = [str(part.get("custom_id", "")) for part in walk(page.components)]
    (custom_id,) = [each for each in ids if each.startswith("lily:report:")]
    forger = Forger(world, person, world.place(page.channel_id), page.id)
    return person.answer_to(await forger.presses(custom_id, text, form=True)).text


async def about(person: Player) -> Seen:
    """Open **About this game**, which has the button."""
    return await person.clicks_through(person.board, "More", "About this game")


def own(world: World, owner: Player) -> None:
    """Let a person own the application."""
    application: Any = world.bot.application
    application.owner = discord.Object(owner.id)


async def test_a_report_goes_to_the_owner_with_table_and_version_and_without_hands(world: World) -> None:
    ann, ben, cleo = world.people(3)
    own(world, cleo)
    await started(ann, [ben])
    page = await about(ann)
    table = await world.tables.table(1)
    assert await report(ann, page) == SENT
    (sent,) = cleo.dms
    assert f"<@{ann.id}>" in sent.text
    assert f"table 1 (pond) · version {table.version}" in sent.text
    assert f"Lilypad {version()}" in sent.text
    assert "It broke. <@&1> \\*\\*bold\\*\\*" in sent.text
    assert not any(suit in sent.text for suit in "♠♥♦♣")


async def test_the_channel_of_the_setting_gets_reports_instead(world: World) -> None:
    ann, ben, cleo = world.people(3)
    world.settings = replace(world.settings, report_channel=world.channel.id)
    await world.restart()
    own(world, cleo)
    await started(ann, [ben])
    assert await report(ann, await about(ann)) == SENT
    assert any("It broke." in each.text for each in ann.messages() if not each.is_private)
    assert cleo.dms == []


async def test_a_fault_can_be_reported_under_its_reference(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    world.was_broken = True
    ann, cleo = world.people(2)
    own(world, cleo)
    monkeypatch.setattr(world.tables.lists, "count", lambda *_: 1 / 0)
    failed = await ann.types("tables")
    reference = failed.text.split("**")[1]
    assert failed.labels == ["Report"]
    assert await report(ann, failed) == SENT
    assert f"reference **{reference}**" in cleo.dms[-1].text


async def test_reports_of_a_day_are_limited(world: World) -> None:
    *people, cleo = world.people(5)
    own(world, cleo)
    await started(people[0], [people[1]])
    answers = [await report(person, await about(person)) for person in people for _ in range(4)]
    assert answers.count(SENT) == MOST
    assert answers[:4] == [SENT] * MOST_OF_A_USER + ["There are enough reports for today. Try again tomorrow."]
    assert len(cleo.dms) == MOST
    world.jump_s = DAY
    assert await report(people[0], await about(people[0])) == SENT


async def test_a_report_that_cannot_be_sent_is_refused_and_does_not_count(world: World) -> None:
    world.was_broken = True
    ann, ben, cleo = world.people(3)
    own(world, cleo)
    await started(ann, [ben])
    world.breaks("POST", "/users/@me/channels", 403, 50007)
    assert "can't be sent right now" in await report(ann, await about(ann))
    assert await report(ann, await about(ann)) == SENT


async def test_an_empty_report_is_refused(world: World) -> None:
    ann, ben, cleo = world.people(3)
    own(world, cleo)
    await started(ann, [ben])
    assert await report(ann, await about(ann), "\u200b") == "Write what happened."
    assert cleo.dms == []
