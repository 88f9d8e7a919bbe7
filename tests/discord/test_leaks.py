"""What differs only in what somebody can't see looks the same to him, on every page there is."""

import random
from collections.abc import Iterator
from itertools import takewhile
from typing import Any

import pytest

from bot import games
from bot.games.cards import Card, face
from bot.games.game import CHANCE, Event
from bot.games.pond import FACE_DOWN, Observation, State
from bot.selfplay import Plan, play
from bot.tables import Place, Sight, Sitter, Table
from bot.ui.board import board
from bot.ui.hand import hand
from bot.ui.layout import layout
from bot.ui.post import Post
from cogs.faces.pond import PondFace, pile_in_full
from tests.discord.play import World, started
from tests.discord.watch import Watch, cards_in

POND = games.GAMES["pond"]
FACE = PondFace()
PUBLIC = None


def moments(options: dict[str, Any], seed: int) -> Iterator[tuple[Table, State, tuple[Event, ...]]]:
    """Every moment of a game between random players: its table, its state, and the last public events."""
    transcript = play(Plan("pond", POND.settle(options), str(seed)), seed)
    seats = tuple(Sitter(seat, name, 100 + seat) for seat, name in enumerate(transcript.seats))
    state = POND.start(transcript.options)
    events: tuple[Event, ...] = ()
    for version, entry in enumerate(transcript.entries, 1):
        state, seen = POND.apply(state, entry.seat, POND.parse(entry.move))
        events = (*events, *seen)[-8:]
        if CHANCE not in POND.to_act(state):
            yield _table(transcript.options, seats, version), state, events


def pages(table: Table, observation: Observation, events: tuple[Event, ...]) -> list[Any]:
    """Everything that is ever drawn for one seat, or for the public, from an observation."""
    sight = Sight(table, observation, events)
    named = [(str(move), FACE.name_move(table, observation, move)) for move in observation.legal]
    posts = [Post(tuple(FACE.scores(table, observation)))]
    if observation.seat is PUBLIC:
        posts.append(board(FACE, sight))
    else:
        posts.append(hand(FACE, table, observation, "[to the board](…)"))
        posts.append(Post((pile_in_full(table, observation),)))
    return [named, *map(_components, posts)]


@pytest.mark.parametrize(
    "options",
    [
        {"players": 2, "rounds": 2},
        {"players": 2, "rounds": 2, "history": "last", "tie": "first"},
        {"players": 4, "rounds": 2},
        {"players": 4, "rounds": 2, "history": "last"},
    ],
    ids=lambda options: " ".join(map(str, options.values())),
)
def test_two_states_that_a_seat_cant_tell_apart_look_the_same_to_it(options: dict[str, Any]) -> None:
    rng = random.Random(str(options))
    pairs = 0
    for seed in range(3):
        for table, state, events in moments(options, seed):
            for seat in (PUBLIC, *range(table.seats)):
                observation = POND.observe(state, seat)
                other = POND.imagine(observation, rng)
                if other == state:
                    continue
                pairs += 1
                assert pages(table, POND.observe(other, seat), events) == pages(table, observation, events)
    assert pairs >= 500


@pytest.mark.parametrize("players", [2, 4])
def test_no_page_names_a_card_that_its_reader_cant_know(players: int) -> None:
    first_round = takewhile(lambda moment: not moment[1].rounds, moments({"players": players, "rounds": 2}, 7))
    for table, state, events in first_round:
        for seat in (PUBLIC, *range(players)):
            observation = POND.observe(state, seat)
            known = cards_in(repr(observation)) | cards_in(repr(events))
            text = "\n".join(str(page) for page in pages(table, observation, events))
            assert cards_in(text) <= known


def test_the_watch_finds_cards_however_they_are_written() -> None:
    assert cards_in("play QS") == {"QS"}
    assert cards_in(f"Ann baits with {face(Card('TD'))}.") == {"TD"}
    assert cards_in("♠ J 9 (trump) · 7 4 (anti-trump)\n♥ 10") == {"JS", "9S", "7S", "4S", "TH"}
    assert cards_in(repr((FACE_DOWN, "Table Heron", "a0f3"))) == set()


def test_a_page_that_told_of_the_state_would_be_found() -> None:
    """The test of the tests: a hand drawn from somebody else's observation is another hand."""
    table, state, events = next(moment for moment in moments({"players": 2}, 1) if moment[1].baits)
    imagined = POND.imagine(POND.observe(state, 0), random.Random(1))
    assert pages(table, POND.observe(imagined, 1), events) != pages(table, POND.observe(state, 1), events)


async def test_the_watch_notices_a_card_that_is_told_to_the_wrong_people(world: World) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben])
    watch = Watch(world, [ann, ben, world.person("Eva")])
    assert await watch.leaks() == []
    held = cards_in(ben.hand.text) - cards_in(ann.hand.text) - cards_in(ann.board.text)
    await world.bot.get_partial_messageable(world.channel.id).send(f"Ben holds {min(held)}.")
    assert len(await watch.leaks()) == 2


def _components(post: Post) -> object:
    return layout(post, 1, 1).to_components()  # type: ignore[no-untyped-call]  # discord.py leaves it untyped


def _table(options: Any, seats: tuple[Sitter, ...], version: int) -> Table:
    return Table(
        id=1,
        name="Heron",
        game="pond",
        options=options,
        seats=len(seats),
        status="playing",
        version=version,
        host_id=100,
        place=Place(1, 2),
        sitters=seats,
        commitment="c" * 64,
        seed=None,
        outcome=None,
        opened_at=0.0,
        changed_at=0.0,
    )
