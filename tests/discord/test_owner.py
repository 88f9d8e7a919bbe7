"""`/bot`: how the bot is, for its owner, and the copies of the database."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.store.sqlite.copies import check
from bot.version import version
from tests.discord.play import Player, World

DAY = 24 * 60 * 60.0


def own(world: World, owner: Player) -> None:
    """Let a person own the application."""
    application: Any = world.bot.application
    application.owner = discord.Object(owner.id)


def copies(world: World) -> list[str]:
    """Return the names of the copies beside the database."""
    return sorted(file.name for file in Path(f"{world.database}.backups").glob("*"))


async def test_the_owner_sees_how_the_bot_is_on_their_own_server(world: World) -> None:
    world.settings = replace(world.settings, owner_server=world.server.id)
    await world.restart()
    ann, ben = world.people(2)
    own(world, ann)
    await ann.types("pond open")
    said = (await ann.types("bot")).text
    assert f"Lilypad {version()}" in said
    assert "**1** open table" in said
    assert "Health: all is well" in said
    assert "Last copy: none" in said
    assert "GB" in said
    refused = await ben.types("bot")
    assert refused.text == "Only the owner of the bot can see this."
    assert refused.is_private


async def test_the_owner_sees_it_from_help_in_a_direct_message_and_nobody_else_does(world: World) -> None:
    ann, ben = world.people(2)
    own(world, ann)
    for person in (ann, ben):
        await person.types("pond open", at=world.channel)
    page = await ann.clicks(await ann.types("help", at=ann.dm), "How the bot is")
    assert "Health: all is well" in page.text
    assert "How the bot is" not in (await ben.types("help")).labels


async def test_team_members_with_a_role_are_owners(world: World) -> None:
    ann, ben = world.people(2)
    accepted, roles = discord.TeamMembershipState.accepted, discord.TeamMemberRole
    application: Any = world.bot.application
    members = [
        SimpleNamespace(id=ann.id, membership_state=accepted, role=roles.developer),
        SimpleNamespace(id=ben.id, membership_state=accepted, role=roles.read_only),
    ]
    application.team = SimpleNamespace(owner_id=1, members=members)
    assert "How the bot is" in (await ann.types("help")).labels
    assert "How the bot is" not in (await ben.types("help")).labels


async def test_faults_are_listed_with_the_references_that_players_read(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.was_broken = True
    ann, ben = world.people(2)
    own(world, ann)
    monkeypatch.setattr(world.tables.lists, "count", lambda *_: 1 / 0)
    said = (await ben.types("tables")).text
    reference = said.split("**")[1]
    page = await ann.clicks(await ann.types("help"), "How the bot is")
    assert f"**{reference}** · ZeroDivisionError" in page.text


async def test_a_copy_is_made_at_once_and_can_be_read(world: World) -> None:
    ann, ben = world.people(2)
    own(world, ann)
    await ann.types("pond open")
    page = await ann.clicks(await ann.types("help"), "How the bot is")
    page = await ann.clicks(page, "Make a copy now")
    (name,) = copies(world)
    assert name in page.text
    assert "Last copy: <t:" in page.text
    copy = Path(f"{world.database}.backups") / name
    check(copy)
    assert copy.stat().st_mode & 0o777 == 0o600
    with closing(sqlite3.connect(copy)) as db:
        assert db.execute("SELECT count(*) FROM tables").fetchone() == (1,)
    own(world, ben)
    assert (await ann.clicks(page, "Make a copy now")).text == "Only the owner of the bot can see this."
    assert copies(world) == [name]


async def test_a_copy_a_day_is_made_and_the_latest_are_kept(world: World) -> None:
    world.settings = replace(world.settings, backups=3)
    await world.restart()
    assert len(copies(world)) == 1
    for _ in range(4):
        await world.wait(DAY)
    kept = copies(world)
    assert len(kept) == 3
    assert all(name.startswith("daily-") for name in kept)
    await world.restart()
    assert copies(world) == kept


async def test_without_the_setting_no_copies_are_made(world: World) -> None:
    await world.wait(2 * DAY)
    assert copies(world) == []
