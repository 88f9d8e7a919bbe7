"""The scenes in which the bot is cut off, the same for all four games.

Each scene starts from a table in a database, which `stand` makes, with the move it is about in ``next_move``.
"""

import random
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final

from bot.errors import NotAllowed
from bot.games.game import CHANCE, RESIGN
from bot.records.table import Person, Place
from bot.store.sqlite import SqliteStore
from bot.tables.folds import Progress
from bot.tables.forced_moves import with_last_cards
from bot.tables.ledger import Ledger
from bot.tables.tables import Tables
from bot.tables.undo import plan
from tests.discord.play import Player, World
from tests.discord.seen import Seen
from tests.kill.evening import Evening
from tests.world import NAMES

OPTIONS: Final[Mapping[str, Mapping[str, Any]]] = {
    "pond": {"rounds": 2},
    "frogs": {},
    "pontis": {"players": 3, "games": 1},
    "pot_black": {"players": 3, "deals": 5},
}
"""The options in each game."""
PEOPLE: Final[Mapping[str, int]] = {"pond": 2, "frogs": 2, "pontis": 3, "pot_black": 3}
DAY_S: Final = 24 * 60 * 60

Stop = Callable[[Ledger, str, int, str], Awaitable[bool]]
"""Whether to stop before this move. Takes its text and its user."""


@dataclass(frozen=True)
class Scene:
    """A scene. ``plays`` runs from the table where ``stop`` says to stop, or from no table if that is ``None``."""

    name: str
    plays: Callable[[Evening], Awaitable[None]]
    stop: Stop | None
    games: tuple[str, ...] = tuple(OPTIONS)
    options: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    people: Mapping[str, int] = field(default_factory=dict)
    likes: tuple[str, ...] = ()
    """Moves to play whenever they are legal, until then."""

    def options_in(self, game: str) -> Mapping[str, Any]:
        """Return the options of the table in this game."""
        return self.options.get(game, OPTIONS[game])

    def people_in(self, game: str) -> int:
        """Return the number of people at the table."""
        return self.people.get(game, PEOPLE[game])


async def stand(database: Path, scene: Scene, game: str) -> tuple[int, str]:
    """Make the table that the scene starts from. Return the user to move and their move."""
    if scene.stop is None:
        return 0, ""
    count = scene.people_in(game)
    draft = World(database)
    ids, place = [player.id for player in draft.people(count)], Place(draft.server.id, draft.channel.id)
    began, rng = draft.env.now().timestamp() - 1000, random.Random(f"{game} {scene.name}")
    people = [Person(user, name) for user, name in zip(ids, NAMES, strict=False)]
    async with await SqliteStore.open(database) as store:
        await store._writing.run(lambda bare: bare.execute("PRAGMA synchronous = OFF").close())
        tables = Tables(store, now=lambda: began, entropy=rng.randbytes)
        table = (await tables.lobbies.open(game, scene.options_in(game), people[0], place)).table
        for person in people[1:]:
            await tables.lobbies.sit(table.id, person)
        await tables.lobbies.start(table.id, people[0].id)
        while True:
            user = rng.choice(await tables.whose_turn(await tables.table(1)))
            legal = [str(each) for each in (await tables.look(1, user)).observation.legal]
            move = next((each for each in legal if each in scene.likes), None) or rng.choice(legal)
            if await scene.stop(tables._ledger, game, user, move):
                return user, move
            await tables.play(1, user, move)


# ---- where to stop


async def in_the_middle(ledger: Ledger, _game: str, _user: int, _move: str) -> bool:
    """Stop after some moves."""
    _, now = await ledger.fold(await ledger.table(1))
    return len([entry for entry in now.entries if entry.seat is not CHANCE]) >= 5


async def before_a_deal(ledger: Ledger, game: str, user: int, move: str) -> bool:
    """Stop when the next move, with the last cards that play themselves, deals new cards."""
    return CHANCE in ledger._games[game].to_act(await after(ledger, game, user, move))


async def before_the_end(ledger: Ledger, game: str, user: int, move: str) -> bool:
    """Stop when the next move is the last, but for cards that play themselves."""
    return (await after(ledger, game, user, move)).outcome is not None


async def after(ledger: Ledger, game: str, user: int, move: str) -> Any:
    """Return the state after a move and the last cards that play themselves then."""
    table, now = await ledger.fold(await ledger.table(1))
    rules, sitter = ledger._games[game], table.sitter(user)
    assert sitter is not None
    return with_last_cards(rules, Progress(rules.apply(now.state, sitter.seat, rules.parse(move)).state)).state


async def when_undo_takes_consent(ledger: Ledger, _game: str, _user: int, _move: str) -> bool:
    """Stop when a player needs consent to undo their last move."""
    return any(concerned for _, concerned in await undoable(ledger))


async def when_undo_is_free(ledger: Ledger, _game: str, _user: int, _move: str) -> bool:
    """Stop when a player can undo their last move without consent."""
    return any(not concerned for _, concerned in await undoable(ledger))


async def undoable(ledger: Ledger) -> list[tuple[int, tuple[int, ...]]]:
    """Return who can undo their last move, and who has to agree."""
    table, now = await ledger.fold(await ledger.table(1))
    found = []
    for sitter in table.sitters:
        if sitter.user_id is not None:
            try:
                found.append((sitter.user_id, plan(ledger.rulebook(table), table, now, sitter.user_id).concerned))
            except NotAllowed:
                continue
    return found


# ---- the scenes


async def lobby(evening: Evening) -> None:
    """Open a table, let people join and leave, and start it."""
    world, (host, *guests) = evening.world, evening.people
    options = OPTIONS[evening.game]

    async def seats(player: Player) -> bool:
        return (await evening.table()).sitter(player.id) is not None

    async def is_open() -> bool:
        tables = await world.store.lists.all()
        assert len(tables) <= 1, "two tables were opened"
        return bool(tables)

    async def is_free() -> bool:
        return not await seats(guests[0])

    async def has_started() -> bool:
        return (await evening.table()).status == "playing"

    await evening.does(lambda: host.types(f"{evening.group} open", **options), is_open)
    await evening.does(lambda: guests[0].clicks(host.board, "Join"), lambda: seats(guests[0]))
    await evening.does(lambda: guests[0].clicks(host.board, "Leave"), is_free)
    for guest in guests:
        await evening.does(_clicks(guest, host, "Join"), _seated(evening, guest))
    await evening.sleep()
    await evening.does(lambda: host.clicks(host.board, "Start"), has_started)
    await evening.plays()


def _clicks(player: Player, host: Player, label: str) -> Callable[[], Awaitable[Seen]]:
    return lambda: player.clicks(host.board, label)


def _seated(evening: Evening, player: Player, table_id: int = 1) -> Callable[[], Awaitable[bool]]:
    async def seated() -> bool:
        return (await evening.table(table_id)).sitter(player.id) is not None

    return seated


async def turns(evening: Evening) -> None:
    """Play with pauses that cause pings, and with chat that buries the board."""
    await evening.plays()
    await evening.sleep()
    await evening.plays()
    await evening.sleep()
    await evening.people[0].says("what a day")
    await evening.plays()
    await evening.sleep()
    await evening.plays()


async def deal(evening: Evening) -> None:
    """Play the move that deals new cards, and another one."""
    user, move = evening.next_move
    await evening.plays(evening.player(user), move)
    await evening.sleep()
    await evening.plays()


async def end(evening: Evening) -> None:
    """Play the last move, and let everyone ask for a rematch."""
    user, move = evening.next_move
    await evening.plays(evening.player(user), move)
    assert (await evening.table()).status == "over"
    host, *_ = evening.people
    final = host.board

    async def has_rematch() -> bool:
        tables = await evening.world.store.lists.all()
        assert len(tables) <= 2, "two rematches were opened"
        return len(tables) == 2

    first, *others = reversed(evening.people)
    await evening.does(lambda: first.clicks(final, "Rematch"), has_rematch)
    for player in others:
        await evening.does(_rematches(player, final), _seated(evening, player, 2))

    async def has_started() -> bool:
        return (await evening.table(2)).status == "playing"

    await evening.does(lambda: host.clicks(host.board, "Start"), has_started)


def _rematches(player: Player, final: Seen) -> Callable[[], Awaitable[Seen]]:
    return lambda: player.clicks(final, "Rematch")


async def undo(evening: Evening) -> None:
    """Undo a move without consent."""
    ledger = evening.world.tables._ledger
    asker = next(evening.player(user) for user, concerned in await undoable(ledger) if not concerned)
    version, before = (await evening.table()).version, await evening.log()

    await evening.does(lambda: asker.types(f"{evening.group} undo"), _has_moved_on(evening, version))
    await _stands_shortened(evening, before)
    await evening.plays(asker)


async def consent(evening: Evening) -> None:
    """Ask to undo a move, and let everyone agree."""
    asker, concerned = await _asker(evening)
    version, before = (await evening.table()).version, await evening.log()
    await _asks(evening, asker)
    for user in concerned:
        is_last = user == concerned[-1]
        done = _has_moved_on(evening, version) if is_last else _agreed(evening, asker, user, version)
        await evening.does(_answers(evening, evening.player(user), "Agree"), done)
    assert (await evening.table()).version > version
    await _stands_shortened(evening, before)
    await evening.plays(asker)


async def refusal(evening: Evening) -> None:
    """Ask to undo a move, be refused, and play on."""
    asker, (user, *_) = await _asker(evening)
    before = await evening.log()
    await _asks(evening, asker)

    async def is_refused() -> bool:
        return not _questions(evening)

    await evening.does(_answers(evening, evening.player(user), "Refuse"), is_refused)
    assert await evening.log() == before
    await evening.plays()


async def _asker(evening: Evening) -> tuple[Player, tuple[int, ...]]:
    ledger = evening.world.tables._ledger
    user, concerned = next((user, concerned) for user, concerned in await undoable(ledger) if concerned)
    return evening.player(user), concerned


async def _asks(evening: Evening, asker: Player) -> None:
    async def is_asked() -> bool:
        return len(_questions(evening)) == 1

    await evening.does(lambda: asker.types(f"{evening.group} undo"), is_asked)


def _answers(evening: Evening, player: Player, label: str) -> Callable[[], Awaitable[None]]:
    """Press the button, if it is there."""

    async def act() -> None:
        for seen in _questions(evening):
            await player.clicks(seen, label)

    return act


def _agreed(evening: Evening, asker: Player, user: int, version: int) -> Callable[[], Awaitable[bool]]:
    async def agreed() -> bool:
        questions = await evening.world.store.undos.questions(1, version)
        return asker.id in questions and user in questions[asker.id].agreed

    return agreed


def _has_moved_on(evening: Evening, version: int) -> Callable[[], Awaitable[bool]]:
    async def has_moved_on() -> bool:
        return (await evening.table()).version > version

    return has_moved_on


def _questions(evening: Evening) -> list[Seen]:
    messages = evening.people[0].messages()
    return [seen for seen in messages if not seen.is_private and "wants to undo their last move" in seen.text]


async def _stands_shortened(evening: Evening, before: object) -> None:
    after = await evening.log()
    assert isinstance(before, tuple)
    assert len(after) < len(before)
    assert after == before[: len(after)]
    gone = await evening.world.store.undos.taken_back(1)
    assert [each.entry for each in gone] == list(before[len(after) :]), "what was taken back is not kept once"


async def resign(evening: Evening) -> None:
    """Resign: the side loses, or a computer plays on for the seat."""
    loser = evening.people[-1]

    async def act() -> None:
        asked = await loser.types(f"{evening.group} resign")
        await loser.clicks(asked, "Resign")

    async def is_gone() -> bool:
        table = await evening.table()
        return table.status == "over" or table.sitter(loser.id) is None

    await evening.does(act, is_gone)
    assert [entry.move for entry in await evening.log()].count(str(RESIGN)) <= 1
    if (await evening.table()).status == "playing":
        await evening.plays()


async def absence(evening: Evening) -> None:
    """Let players vote on an absent player, have a computer keep the seat, and let the player come back."""
    (absent, *_) = [player for player in evening.people if player.id in await evening.whose_turn()]
    others = [player for player in evening.people if player is not absent]
    wanted_s = 601 if len(others) > 1 else DAY_S + 60
    while (await evening.waited_s()) < wanted_s:  # downtime doesn't count
        await evening.sleep(wanted_s)
    for other in others[:2]:
        asking = partial(other.at_table, "Someone's away", "Computer takes the seat")
        await evening.does(asking, _wants(evening, absent, other))
    assert (await evening.table()).sitter(absent.id) is None
    board = others[0].board
    label = "My hand" if "My hand" in board.labels else "Board in words"
    await evening.does(lambda: absent.clicks(board, label), _seated(evening, absent))


def _wants(evening: Evening, absent: Player, other: Player) -> Callable[[], Awaitable[bool]]:
    async def is_done() -> bool:
        table = await evening.table()
        standstill = await evening.world.tables.waiting.standstill(table)
        return table.sitter(absent.id) is None or other.id in standstill.votes

    return is_done


SCENES: Final = {
    scene.name: scene
    for scene in (
        Scene("lobby", lobby, None),
        Scene("turns", turns, in_the_middle),
        Scene("deal", deal, before_a_deal, ("pond", "pontis", "pot_black"), {"pontis": {"players": 3, "games": 2}}),
        Scene("end", end, before_the_end),
        Scene(
            "undo",
            undo,
            when_undo_is_free,
            ("pond", "frogs", "pontis"),
            {"pontis": {"players": 3, "fake": "on"}},
            likes=("miss", "decline"),
        ),
        Scene("consent", consent, when_undo_takes_consent),
        Scene("refusal", refusal, when_undo_takes_consent),
        Scene("resign", resign, in_the_middle),
        Scene("absence", absence, in_the_middle, options={"pond": {"players": 4, "rounds": 4}}, people={"pond": 4}),
    )
}
"""All scenes by name."""
