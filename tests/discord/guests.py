"""Players who play whole games at random by every route: menus, buttons, commands, old messages."""

import json
import random
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import cycle
from typing import Any, Final

from simcord import ChannelHandle

from bot.games.game import AnyGame
from bot.transcript import Transcript, read, verify
from bot.ui.messages.board import board
from bot.ui.messages.standings_pages import counted_line
from bot.ui.posts.heard import spoken
from bot.ui.posts.layout import MAX_OPTIONS
from bot.ui.posts.names import with_short_names
from tests.discord.play import Player, World
from tests.discord.seen import Seen
from tests.discord.watch import Watch
from tests.doses import IS_COMPLETE
from tests.posts import paragraphs_of
from tests.world import walk

ROUTES: Final = ("direct message", "My hand", "In words", "hand", "move", "verbs", "old message")
GROUPS: Final = {"pond": "pond", "frogs": "frogs", "pontis": "pontis", "pot_black": "potblack"}
"""The group of commands of each game."""
VERBS: Final[Mapping[tuple[str, str], tuple[str, tuple[str, ...]]]] = {
    ("pond", "profit"): ("profit", ("card",)),
    ("pond", "bait"): ("play", ("card",)),
    ("pond", "trap"): ("play", ("card",)),
    ("pond", "play"): ("play", ("card",)),
    ("pond", "award"): ("award", ("to",)),
    ("pond", "pass"): ("pass", ()),
    ("frogs", "place"): ("place", ("square",)),
    ("frogs", "move"): ("move-piece", ("from", "to")),
    ("pontis", "play"): ("play", ("card",)),
    ("pontis", "sum"): ("sum", ("under", "top")),
    ("pontis", "miss"): ("miss", ()),
    ("pontis", "decline"): ("decline", ()),
    ("pontis", "liar"): ("liar", ("player",)),
    ("pot_black", "play"): ("play", ("card",)),
}
"""The command for the first word of a move, and its options for the other words."""
MOST_OFFERED: Final = 25
STYLES: Final = ("pictures", "text")
"""The hand styles of the players of a whole game, in turn. Drawing every hand would take most of the time."""
PART: Final = 16
"""Turns of a game that `make test` plays in part: other tests look at all of its moments, as they are recorded."""


class Guest:
    """A player who plays at random at Table 1, each time by a random route."""

    def __init__(self, player: Player, world: World, game: AnyGame, rng: random.Random) -> None:
        self.player = player
        self._world = world
        self._game = game
        self._group = GROUPS[game.key]
        self._rng = rng
        self._old: list[Seen] = []

    async def acts(self) -> None:
        """Make a move, or use an old message, which may be too old for it."""
        route = self._rng.choice(ROUTES)
        match route:
            case "move":
                offered = await self.player.completes(f"{self._group} move", "move", at=self._anywhere())
                await self._is_legal(offered)
                await self.player.types(f"{self._group} move", at=self._anywhere(), move=self._one_of(offered))
            case "verbs":
                await self._acts_by_verb()
            case "old message" if old := self._still_there():
                await self._presses_anything(self._rng.choice(old))
            case _:
                page = await self._page(route)
                self._old += [page] * page.is_private
                await (self._acts_on_pond(page) if page.squares else self._acts_on(page))

    async def goes_on(self) -> None:
        """Go on to the next deal."""
        await self.player.clicks(self._rng.choice((self.player.hand, self.player.board)), "Next")

    def _still_there(self) -> list[Seen]:
        """Return the private messages of earlier moves, as they look now, that no newer one has replaced."""
        places = {page.channel_id for page in self._old}
        shown = [seen for place in sorted(places) for seen in self.player.messages(self._world.place(place))]
        return [seen for seen in shown if seen.id in {page.id for page in self._old}]

    async def legal(self) -> list[str]:
        """Return their legal moves."""
        sight = await self._world.tables.look(1, self.player.id)
        return [str(move) for move in sight.observation.legal]

    async def _page(self, route: str) -> Seen:
        if self._game.key == "frogs":
            return await self._page_without_hands(route)
        match route:
            case "My hand" | "In words":
                return await self.player.clicks(self.player.board, "My hand")
            case "hand":
                return await self.player.types(f"{self._group} hand", at=self._anywhere())
            case _:
                return self.player.hand

    async def _page_without_hands(self, route: str) -> Seen:
        match route:
            case "My hand":
                return self.player.board
            case "In words":
                return await self.player.clicks(self.player.board, "Board in words")
            case "hand":
                return await self.player.types(f"{self._group} board", at=self._anywhere())
            case _:
                return self.player.hand

    async def _acts_on(self, page: Seen) -> None:
        legal = await self.legal()
        pairs = [move for move in legal if move.startswith("sum ")]
        if len(pairs) > MAX_OPTIONS:
            top = self._one_of(pairs).split()[-1]
            assert sorted(page.moves) == [move for move in legal if move not in pairs]
            page = await self.player.picks(page, top)
            legal = [move for move in pairs if move.endswith(top)]
        assert sorted(page.moves) == legal
        move = self._one_of(page.moves)
        after = await self.player.picks(page, move)
        self._is_hand(page, after)

    async def _acts_on_pond(self, page: Seen) -> None:
        """Make a move by at most three taps. Sometimes go back and choose another one, or confirm by command."""
        move = self._one_of(await self.legal())
        if self._rng.random() < 0.3:
            page = await self.player.clicks(await self._previewed(page, self._one_of(await self.legal())), "Back")
            page = await self.player.clicks(page, "Back") if "Back" in page.labels else page
            page = page if page.squares else self.player.board  # a note beside the board
        preview = await self._previewed(page, move)
        assert list(preview.moves) == [move]
        if self._rng.random() < 0.2:
            await self.player.types("frogs move", move=move)
        else:
            self._is_hand(preview, await self.player.picks(preview, move))

    async def _previewed(self, board: Seen, move: str) -> Seen:
        """Tap the piece and its square, or the square of an egg. Check that exactly the legal ones can be tapped."""
        legal = await self.legal()
        pieces = {move.split()[1] for move in legal if move.startswith("move")}
        assert set(board.squares) == pieces | {move for move in legal if move.startswith("place")}
        if move.startswith("place"):
            return await self.player.taps(board, move)
        origin = move.split()[1]
        squares = await self.player.taps(board, origin)
        assert set(squares.squares) == {other for other in legal if other.startswith(f"move {origin} ")}
        return await self.player.taps(squares, move)

    @staticmethod
    def _is_hand(page: Seen, after: Seen) -> None:
        assert after.id == page.id
        starts = ("### Your hand", "### Table")
        is_note = page.is_private and "Open board" in after.text and not after.squares
        assert is_note or after.text.startswith(starts) or after.text.casefold().endswith("your next hand is below.")

    async def _presses_anything(self, old: Seen) -> None:
        closed = {part["label"] for part in walk(old.components) if part.get("disabled")}
        pressed = [label for label in old.labels if label not in {"Rules", *closed}]  # the rules name cards
        if old.options and (not pressed or self._rng.random() < 0.5):
            await self.player.picks(old, self._one_of(old.options))
        elif pressed:
            await self.player.clicks(old, self._one_of(pressed))

    async def _acts_by_verb(self) -> None:
        """Play by the game's own commands. Check that each option offers exactly the legal values."""
        moves = [as_typed(move) for move in await self.legal()]
        chosen = self._rng.choice(moves)
        verb, options = VERBS[self._game.key, chosen[0]]
        given: dict[str, str] = {}
        at = self._anywhere()
        for number, option in enumerate(options, 1):
            fitting = {move[number] for move in moves if move[:number] == chosen[:number]}
            offered = await self.player.completes(f"{self._group} {verb}", option, at=at, **given)
            assert set(offered) == fitting or (len(offered) == MOST_OFFERED and set(offered) < fitting)
            typed = await self.player.completes(f"{self._group} {verb}", option, chosen[number], at=at, **given)
            assert chosen[number] in typed
            given[option] = chosen[number]
        await self.player.types(f"{self._group} {verb}", at=at, **given)

    async def _is_legal(self, offered: Collection[str]) -> None:
        legal = await self.legal()
        assert sorted(offered) == legal or (len(offered) == MOST_OFFERED and set(offered) < set(legal))

    def _one_of(self, values: Collection[str]) -> str:
        return self._rng.choice(sorted(values))

    def _anywhere(self) -> ChannelHandle:
        return self._rng.choice((self.player.home, self.player.dm))


def as_typed(move: str) -> list[str]:
    """Return the words of a move as the game's own commands take them: people count seats from 1."""
    verb, *words = move.split()
    return [verb, *(str(int(seat) + 1) for seat in words)] if verb in {"award", "liar"} else [verb, *words]


async def play_in_part(world: World, players: Sequence[Player], rng: random.Random) -> None:
    """Play the first turns at Table 1, or its whole game where all tests run in full."""
    if IS_COMPLETE:
        await play_out(world, players, rng)
        await ended_right(world, players)
    else:
        await play_out(world, players, rng, most=PART)


async def play_out(
    world: World, players: Sequence[Player], rng: random.Random, restart_at: int | None = None, most: int | None = None
) -> None:
    """Play Table 1 to its end, or ``most`` turns, while time passes and a bystander chats.

    Restart the bot after ``restart_at`` turns.

    Check that a turn brings at most one new message and one ping per user, and that nobody learns a hidden card.
    """
    game = world.bot.faces[(await world.tables.table(1)).game].game
    for player, style in zip(players, cycle(STYLES), strict=False):
        await player.types("settings", hands=style)
    guests = {player.id: Guest(player, world, game, rng) for player in players}
    bystander = world.person("Zoe")
    watch = Watch(world, [*players, bystander])
    turns = 0
    while turns != most and (table := await world.tables.table(1)).status == "playing":
        turns += 1
        if turns == restart_at:
            await world.restart()
        is_between = await world.tables.is_between_deals(table)
        guest = guests[players[0].id if is_between else rng.choice(await world.tables.whose_turn(table))]
        callers = [other for other in guests.values() if other is not guest and await other.legal()]
        if callers and rng.random() < 0.3:
            guest = rng.choice(callers)
        before = {seen.id for seen in bystander.messages()}
        is_missed = "Away?" in players[0].board.labels
        await (guest.goes_on() if is_between else guest.acts())
        new = [seen for seen in bystander.messages() if seen.id not in before]
        # somebody who is missed is back with their first press: for that, a board too old for edits is posted again
        assert len(new) <= 1 + is_missed
        assert set(Counter(user for seen in new for user in seen.pinged).values()) <= {1}
        leaks = await watch.leaks()
        assert not leaks, leaks
        if rng.random() < 0.2:
            await bystander.says("nice one")
        if rng.random() < 0.3:
            await world.wait(rng.choice((5, 90, 4000)))


async def ended_right(world: World, players: Sequence[Player]) -> Transcript:
    """Check that board, hands, record and transcript of Table 1 agree on the result. Return the transcript."""
    table = await world.tables.table(1)
    face = world.bot.faces[table.game]
    transcript = read(await transcript_from(world, players[0]))
    verify(transcript)
    end = face.game.fold(transcript.options, transcript.entries)
    assert table.outcome == transcript.outcome == end.outcome
    sight = await world.tables.look(1)
    assert sight.observation == face.game.observe(end, None)
    shown = paragraphs_of(board(face, sight, with_picture=True))
    assert players[0].board.text == "\n".join(shown)
    counted = counted_line(face, with_short_names(table), end.outcome, None)
    for player in players:  # only the last sentences give way to what the player wants to know most
        text, paragraphs = player.hand.text, [paragraph.removesuffix(counted) for paragraph in shown[1:-1]]
        assert all(paragraph in text or spoken(paragraph) in text for paragraph in paragraphs)
        if face.game.has_hands:  # a player reads there what the result changed for them
            seat = next(sitter.seat for sitter in table.sitters if sitter.user_id == player.id)
            own = counted_line(face, with_short_names(table), end.outcome, seat)
            assert own in text or spoken(own) in text
    return transcript


async def transcript_from(world: World, player: Player) -> dict[str, Any]:
    """Download the transcript of the game that has ended."""
    answer = await player.clicks(await player.clicks(player.board, "More"), "Transcript")
    message = world.env.backend.get_message(answer.channel_id, answer.id)
    content = world.env.backend.cdn.get(message.attachments[0]["url"])
    transcript: dict[str, Any] = json.loads(content or b"")
    return transcript


async def in_turn(world: World, one: Player, other: Player) -> tuple[Player, Player]:
    """Return the player to move, and the other."""
    (turn,) = await world.tables.whose_turn(await world.tables.table(1))
    return (one, other) if turn == one.id else (other, one)
