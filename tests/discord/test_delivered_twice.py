"""Interactions that Discord delivers twice, at once or later: what they create is there once."""

import contextlib
import copy
from collections.abc import Iterator
from typing import Any

import pytest

from tests.discord.play import Player, World
from tests.discord.test_challenges import challenge_in
from tests.discord.test_daily import finishes
from tests.discord.test_duplicates import duplicate_in
from tests.discord.test_nights import nights


@contextlib.contextmanager
def delivered_twice(world: World, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[dict[str, Any]]]:
    """Deliver each interaction twice within the block, and yield what was delivered."""
    backend, delivered = world.env.backend, list[dict[str, Any]]()
    emit = backend.emit

    def twice(event: str, payload: Any, *rest: Any, **named: Any) -> None:
        emit(event, payload, *rest, **named)
        if event == "INTERACTION_CREATE":
            delivered.append(copy.deepcopy(payload))
            emit(event, copy.deepcopy(payload), *rest, **named)

    with monkeypatch.context() as patch:
        patch.setattr(backend, "emit", twice)
        yield delivered


async def test_one_night_is_planned(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    (ann,) = world.people(1)
    with delivered_twice(world, monkeypatch) as delivered:
        await ann.types("night", when="in 2 hours")
        await world.wait(1)
    assert len(delivered) == 1
    assert len(await world.tables.nights.all()) == len(nights(ann)) == 1
    await world.restart()
    world.env.backend.emit("INTERACTION_CREATE", delivered[0])  # and once more, after a restart
    await world.wait(1)
    assert len(await world.tables.nights.all()) == len(nights(ann)) == 1
    await ann.types("night", when="in 2 hours")  # another interaction is another night
    assert len(await world.tables.nights.all()) == 2


async def test_one_challenge_and_one_duplicate_are_offered(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, ben = world.people(2)
    with delivered_twice(world, monkeypatch):
        await ann.types("challenge", player=ben.member)
        await ann.types("duplicate", game="pond-2")
        await world.wait(1)
    assert len(await world.tables.matches.unfinished()) == 2
    assert challenge_in(ann).labels == ["Accept", "Decline", "Withdraw"]
    assert "Leave" in duplicate_in(ann).labels


async def test_one_table_opens_and_looks_for_players_once(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    (ann,) = world.people(1)
    with delivered_twice(world, monkeypatch):
        await ann.types("pond open")
    assert len(await world.tables.lists.open_tables()) == 1
    page = await ann.clicks(ann.board, "More")
    with delivered_twice(world, monkeypatch):
        await ann.clicks(page, "Find players")
        await world.wait(1)
    assert len([seen for seen in ann.messages() if "looking for" in seen.text.lower() and not seen.is_private]) == 1


async def test_a_result_and_the_standings_are_posted_once(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    (ann,) = world.people(1)
    await ann.clicks(await ann.types("daily"), "Play")
    await finishes(world, ann)
    page = await ann.types("daily")
    with delivered_twice(world, monkeypatch):
        await ann.clicks(page, "Share")
        await world.wait(1)
    assert len(shared(ann, "**Ann** · ")) == 1
    assert "in the channel already" in (await ann.clicks(page, "Share")).text


def shared(player: Player, beginning: str) -> list[str]:
    """Return the public messages in the channel that begin like this."""
    return [seen.text for seen in player.messages() if not seen.is_private and seen.text.startswith(beginning)]


async def test_options_are_saved_once(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    (ann,) = world.people(1)
    await ann.types("pond open")
    saved = await ann.clicks(await ann.clicks(ann.board, "Options"), "Saved options")
    label = next(label for label in saved.labels if label.startswith("Save"))
    with delivered_twice(world, monkeypatch):
        await ann.fills(saved, label, "Friday")
    assert [each.name for each in await world.tables.option_sets.visible(ann.id, None, "pond")] == ["Friday"]
