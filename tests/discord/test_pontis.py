"""Pontis on Discord: whole games with different options, refusals, and the hand."""

import random
from typing import Any

import pytest

from bot.games.cards import PACK, Play, face
from bot.games.pontis.bridges import value
from bot.games.pontis.moves import Sum
from bot.games.pontis.state import Observation
from bot.records.preference import UserSettings
from bot.ui.posts.heard import spoken
from bot.ui.posts.layout import MAX_OPTIONS
from cogs.pontis.face import FACE
from tests.discord.guests import ended_right, play_in_part, play_out
from tests.discord.play import Player, World
from tests.discord.tables import started_in
from tests.discord.watch import heard_in
from tests.doses import on_demand
from tests.posts import explains


@pytest.mark.parametrize(
    ("people", "options", "restart_at"),
    [
        pytest.param(2, {"players": 2}, 12, id="two people, with a restart"),
        pytest.param(2, {"players": 2, "games": 3, "curdle": "instant"}, None, id="three games", marks=on_demand),
        pytest.param(
            3, {"players": 3, "banks": 6, "jokers": 4}, None, id="three people, two banks each", marks=on_demand
        ),
        pytest.param(
            4, {"players": 4, "banks": 2, "teams": "on", "fake": "on", "liar": "on"}, None, id="teams", marks=on_demand
        ),
        pytest.param(
            4, {"players": 4, "banks": 2, "out_bonus": "match"}, None, id="two to a bank, no teams", marks=on_demand
        ),
        pytest.param(
            3,
            {"players": 6, "fake": "on", "liar": "on", "computers": 3},
            None,
            id="six seats and liars",
            marks=on_demand,
        ),
        pytest.param(8, {"players": 8}, None, id="eight people", marks=on_demand),
        pytest.param(
            3,
            {"players": 13, "computers": 10, "fake": "on", "liar": "on"},
            None,
            id="thirteen seats",
            marks=on_demand,
        ),
    ],
)
async def test_a_whole_game_is_played_by_every_route(
    world: World, people: int, options: dict[str, Any], restart_at: int | None
) -> None:
    players = world.people(people)
    await started_in("pontis", players[0], players[1:], **options)
    await play_out(world, players, random.Random(str(options)), restart_at)
    transcript = await ended_right(world, players)
    assert len(transcript.seats) == options["players"]


@pytest.mark.parametrize(("players", "computers"), [(6, 3), (13, 10)])
async def test_games_with_liars_are_played_by_every_route(world: World, players: int, computers: int) -> None:
    people = world.people(3)
    await started_in("pontis", people[0], people[1:], players=players, computers=computers, fake="on", liar="on")
    await play_in_part(world, people, random.Random(players))


async def test_refusals_lead_to_their_rulings_and_name_no_seat_numbers(world: World) -> None:
    players = world.people(2)
    await started_in("pontis", players[0], players[1:], players=2)
    (turn,) = await world.tables.whose_turn(await world.tables.table(1))
    mover, other = players if turn == players[0].id else players[::-1]
    held = (await world.tables.look(1, mover.id)).observation
    assert isinstance(held, Observation)
    bridge = str(held.legal[0])
    card = bridge.removeprefix("play ")
    no_bridge = next(card for card in held.hand if f"play {card}" not in map(str, held.legal))
    missing = next(card for card in PACK if card not in held.hand)
    for player, command, options, ruling in (
        (mover, "play", {"card": no_bridge}, "PT-10"),
        (mover, "play", {"card": missing}, "G-04"),
        (mover, "sum", {"under": card, "top": no_bridge}, "PT-17"),
        (mover, "miss", {}, "PT-11"),
        (mover, "decline", {}, "PT-11"),
        (mover, "liar", {"player": "Ben"}, "PT-25"),
        (other, "play", {"card": card}, "T-02"),
    ):
        refused = await player.types(f"pontis {command}", **options)
        assert ruling not in refused.text
        assert "seat " not in refused.text
        assert explains((await player.clicks(refused, "Why?")).text, ruling)


async def test_the_hand_lists_playable_cards_first_and_says_why(world: World) -> None:
    players = world.people(2)
    for player in players:
        await world.tables.users.set_settings(player.id, UserSettings(hands="text"))
    await started_in("pontis", players[0], players[1:], players=2)
    (turn,) = await world.tables.whose_turn(await world.tables.table(1))
    mover, other = players if turn == players[0].id else players[::-1]
    seen = (await world.tables.look(1, mover.id)).observation
    assert isinstance(seen, Observation)
    asked, rest = mover.hand.text.split("Playable: ")
    assert all(spoken(sentence) in asked.replace("*", "").replace("\N{NO-BREAK SPACE}", " ") for sentence in seen.asked)
    playable, others = rest.split("\nOthers: ")
    assert {move.card for move in seen.legal if isinstance(move, Play)} == heard_in(f"Playable: {playable}")
    assert heard_in("Others: " + others.split("\n")[0]) == {
        card for card in seen.hand if f"play {card}" not in map(str, seen.legal)
    }
    *_, listed = FACE.hand(await world.tables.table(1), seen)
    assert listed.partition("\nOthers: ")[2].split(" ") == [
        face(card)
        for card in sorted(seen.hand, key=lambda card: (value(card), "SHDCX".index(card[1])))
        if f"play {card}" not in map(str, seen.legal)
    ]
    answer = await other.clicks(other.board, "My hand")
    assert f"Waiting for {mover.member.user.global_name}" in answer.text.replace("*", "")


async def test_many_pairs_are_picked_by_the_card_on_top_first(world: World) -> None:
    players = world.people(2)
    await started_in("pontis", players[0], players[1:], players=2)
    mover, pairs = await _with_many_pairs(world, players)
    top = pairs[0].top
    hand = await mover.types("pontis hand")
    assert hand.options.keys() == {pair.top for pair in pairs}
    page = await mover.picks(hand, top)
    assert sorted(page.moves) == sorted(str(pair) for pair in pairs if pair.top == top)
    before = await mover.clicks(page, "Back")
    assert before.options.keys() == hand.options.keys()
    await mover.picks(await mover.picks(before, top), str(pairs[0]))
    after = (await world.tables.look(1, mover.id)).observation
    assert isinstance(after, Observation)
    assert any(list(bank[-2:]) == [pairs[0].under, top] for bank in after.banks)


async def _with_many_pairs(world: World, players: list[Player]) -> tuple[Player, list[Sum]]:
    """Play until somebody may play more pairs than a menu has room for. Return the player and the pairs."""
    while True:
        (turn,) = await world.tables.whose_turn(await world.tables.table(1))
        mover = next(player for player in players if player.id == turn)
        legal = (await world.tables.look(1, turn)).observation.legal
        pairs = [move for move in legal if isinstance(move, Sum)]
        if len(pairs) > MAX_OPTIONS:
            return mover, pairs
        await world.tables.play(1, turn, str(legal[0]))
