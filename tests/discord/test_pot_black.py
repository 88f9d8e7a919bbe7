"""Pot Black on Discord: whole games with different options, and refusals."""

import random
from typing import Any

import pytest

from bot.games.pot_black.state import Observation
from tests.discord.guests import ended_right, play_out
from tests.discord.play import Player, World
from tests.discord.tables import started_in
from tests.doses import on_demand
from tests.posts import explains


@pytest.mark.parametrize(
    ("people", "options", "reasons", "restart_at"),
    [
        pytest.param(
            2,
            {"deals": 5, "computers": 2},
            {"deals", "draw"},
            40,
            id="partners, with a restart",
            marks=on_demand,
        ),
        pytest.param(
            1,
            {"short": "strict", "deals": 5, "computers": 3},
            {"deals", "draw"},
            None,
            id="strict partners",
            marks=on_demand,
        ),
        pytest.param(
            2,
            {"form": "individual", "end": "deals", "deals": 5, "computers": 2},
            {"deals", "draw"},
            None,
            id="four, individual",
            marks=on_demand,
        ),
        pytest.param(
            2,
            {"players": 3, "deals": 5, "tied_side_pot": "stays", "computers": 1},
            {"deals", "draw"},
            None,
            id="three with 39 cards",
            marks=on_demand,
        ),
        pytest.param(
            1,
            {"form": "classic", "computers": 3},
            {"knock_out"},
            None,
            id="classic, down to three and on",
            marks=on_demand,
        ),
    ],
)
async def test_a_whole_game_is_played_by_every_route(
    world: World, people: int, options: dict[str, Any], reasons: set[str], restart_at: int | None
) -> None:
    players = world.people(people)
    await started_in("potblack", players[0], players[1:], **options)
    await play_out(world, players, random.Random(str(options)), restart_at)
    transcript = await ended_right(world, players)
    assert transcript.outcome is not None
    assert transcript.outcome.reason in reasons


async def test_refusals_lead_to_their_rulings(world: World) -> None:
    players = world.people(4)
    await started_in("potblack", players[0], players[1:])
    order = await in_order(world, players)
    led = (await seen(world, order[0])).hand[0]
    refused = await order[1].types("potblack play", card=(await seen(world, order[1])).hand[0])
    assert refused.text == f"Waiting for **{order[0].member.user.global_name}**."
    missing = await order[0].types("potblack play", card=(await seen(world, order[1])).hand[0])
    assert explains((await order[0].clicks(missing, "Why?")).text, "G-04")
    await order[0].types("potblack play", card=led)
    hand = (await seen(world, order[1])).hand
    other_suits = [card for card in hand if card[1] != led[1]]
    assert any(card[1] == led[1] for card in hand), "use another seed, with which they can follow suit"
    refused = await order[1].types("potblack play", card=other_suits[0])
    assert explains((await order[1].clicks(refused, "Why?")).text, "BK-04")


async def test_why_opens_the_ruling_of_a_refusal_in_its_place(world: World) -> None:
    players = world.people(4)
    await started_in("potblack", players[0], players[1:])
    waiting = (await in_order(world, players))[1]
    refused = await waiting.types("potblack play", card=(await seen(world, waiting)).hand[0])
    assert refused.labels == ["Why?"]
    page = await waiting.clicks(refused, "Why?")
    assert page.is_private
    assert page.id == refused.id
    assert "leads to the first trick" in page.text
    assert explains(page.text, "BK-02")
    await waiting.types("potblack hand")
    await world.env.settle()
    assert page in waiting.messages()


async def in_order(world: World, players: list[Player]) -> list[Player]:
    """Return the players in the order of play, the leader first."""
    public = (await world.tables.look(1)).observation
    assert isinstance(public, Observation)
    table = await world.tables.table(1)
    by_seat = {sitter.seat: player for sitter in table.sitters for player in players if player.id == sitter.user_id}
    return [by_seat[seat] for seat in public.order]


async def seen(world: World, player: Player) -> Observation:
    """Return what the player sees."""
    observation = (await world.tables.look(1, player.id)).observation
    assert isinstance(observation, Observation)
    return observation
