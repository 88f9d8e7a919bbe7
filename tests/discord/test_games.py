"""Whole games, from the lobby to the transcript, through every door at random."""

import json
import random
from collections import Counter
from collections.abc import Collection, Sequence
from typing import Any

import pytest
from simcord import ChannelHandle

from bot.games import GAMES
from bot.tables import Sight
from bot.transcript import read, replay, verify
from bot.ui.board import board
from tests.discord.play import Player, World, started
from tests.discord.seen import Seen
from tests.discord.watch import Watch

DOORS = ("direct message", "My hand", "Play", "/pond hand", "/pond move", "verbs", "old message")


class Guest:
    """Somebody who plays at random at Table 1, coming in through any door."""

    def __init__(self, player: Player, world: World, rng: random.Random) -> None:
        self.player = player
        self._world = world
        self._rng = rng
        self._old: list[Seen] = []

    async def acts(self) -> None:
        """Makes a move, or finds that an old message was too old for it."""
        door = self._rng.choice(DOORS)
        match door:
            case "/pond move":
                offered = await self.player.completes("pond move", "move", at=self._anywhere())
                await self._is_legal(offered)
                await self.player.types("pond move", at=self._anywhere(), move=self._one_of(offered))
            case "verbs":
                await self._acts_by_verb()
            case "old message" if self._old:
                old = self.player.now(self._rng.choice(self._old))
                await self.player.picks(old, self._one_of(old.moves or ["Refresh"]))
            case _:
                page = await self._page(door)
                await self._is_legal(page.moves)
                self._old += [page] * page.is_private
                after = await self.player.picks(page, self._one_of(page.moves))
                assert after.id == page.id
                assert after.text.startswith(("### Your hand", "-# This deal is over"))

    async def _page(self, door: str) -> Seen:
        match door:
            case "My hand" | "Play":
                return await self.player.clicks(self.player.board, door)
            case "/pond hand":
                return await self.player.types("pond hand", at=self._anywhere())
            case _:
                return self.player.hand

    async def _acts_by_verb(self) -> None:
        offered = [
            (verb, {option: value})
            for verb, option in (("profit", "card"), ("play", "card"), ("award", "to"))
            for value in await self.player.completes(f"pond {verb}", option, at=self._anywhere())
        ]
        legal = await self._legal()
        offered += [("pass", {})] * ("pass" in legal)
        assert len(offered) == len(legal)
        verb, options = self._rng.choice(offered)
        await self.player.types(f"pond {verb}", at=self._anywhere(), **options)

    async def _legal(self) -> list[str]:
        sight = await self._world.tables.look(1, self.player.id)
        return [str(move) for move in sight.observation.legal]

    async def _is_legal(self, offered: Collection[str]) -> None:
        assert sorted(offered) == await self._legal()

    def _one_of(self, values: Collection[str]) -> str:
        return self._rng.choice(sorted(values))

    def _anywhere(self) -> ChannelHandle:
        return self._rng.choice((self.player.home, self.player.dm))


async def play_out(world: World, players: Sequence[Player], rng: random.Random) -> None:
    """Plays Table 1 to its end. Between the turns time passes and a bystander chats.

    No turn brings more than one new message or one ping, and nobody is told a card that he can't know.
    """
    guests = {player.id: Guest(player, world, rng) for player in players}
    bystander = world.person("Eva")
    watch = Watch(world, [*players, bystander])
    while (table := await world.tables.table(1)).status == "playing":
        guest = guests[rng.choice(await world.tables.whose_turn(table))]
        before = {seen.id for seen in bystander.messages()}
        await guest.acts()
        new = [seen for seen in bystander.messages() if seen.id not in before]
        assert len(new) <= 1
        assert set(Counter(user for seen in new for user in seen.pinged).values()) <= {1}
        assert await watch.leaks() == []
        if rng.random() < 0.2:
            await bystander.says("nice one")
        if rng.random() < 0.3:
            await world.wait(rng.choice((5, 90, 4000)))


async def transcript_from(world: World, player: Player) -> dict[str, Any]:
    """What the button under the final board gives."""
    answer = await player.clicks(player.board, "Transcript")
    message = world.env.backend.get_message(answer.channel_id, answer.id)
    content = world.env.backend.cdn.get(message.attachments[0]["url"])
    thing: dict[str, Any] = json.loads(content or b"")
    return thing


@pytest.mark.parametrize(
    ("people", "options"),
    [
        pytest.param(2, {"rounds": 4}, id="two people, four rounds"),
        pytest.param(2, {"rounds": 2, "tie": "first", "history": "last"}, id="two people, other options"),
        pytest.param(1, {"rounds": 2, "computers": 1}, id="one against a computer"),
        pytest.param(4, {"players": 4, "rounds": 2}, id="four people"),
        pytest.param(2, {"players": 4, "rounds": 2, "computers": 2}, id="two people and two computers"),
    ],
)
async def test_a_whole_game_is_played_through_every_door(world: World, people: int, options: dict[str, Any]) -> None:
    rng = random.Random(f"{people} {options}")
    players = world.people(people)
    await started(players[0], players[1:], **options)
    await play_out(world, players, rng)

    table = await world.tables.table(1)
    transcript = read(await transcript_from(world, players[0]))
    replay(transcript)
    verify(transcript)
    game = GAMES["pond"]
    end = game.fold(transcript.options, transcript.entries)
    assert table.outcome == transcript.outcome == game.outcome(end)
    drawn = board(world.bot.faces["pond"], Sight(table, game.observe(end, None), ()))
    assert players[0].board.text == "\n".join(drawn.paragraphs)
