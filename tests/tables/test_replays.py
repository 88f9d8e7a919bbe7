"""Replays: the moments of a game, who may see what of them, and that they tell a seat only what it knew."""

import random
from functools import cache
from itertools import islice
from typing import Any

import pytest
from msgspec.structs import replace

from bot.cli import selfplay
from bot.errors import NotAllowed, NotSeated
from bot.games import GAMES
from bot.games.game import CHANCE, Entry
from bot.records.table import Place, Table
from bot.store.store import Store
from bot.tables import seating
from bot.tables.absence.deadlines import DAY
from bot.tables.folds import Fold
from bot.tables.replays import Reel, Vantage, decisions_of, glimpse, reel_of, views_of, visible
from bot.tables.tables import Tables
from bot.ui.messages.replay_pages import Spot, replay_post, stepped
from bot.ui.posts.layout import MAX_OPTIONS, layout
from tests.doses import dose
from tests.leaks.pairs import FACES
from tests.leaks.twins import deals_of, moments, twins
from tests.recorded import table_of
from tests.tables.people import ANN, BEN, CY, HERE, Clock, in_turn, make_tables, started

OPTIONS: dict[str, dict[str, int | str]] = {
    "pond": {"players": 4, "rounds": 2},
    "frogs": {},
    "pontis": {"games": 2},
    "pot_black": {"deals": 5},
}
every_game = pytest.mark.parametrize("key", OPTIONS)


@cache
def entries_of(key: str) -> tuple[Entry, ...]:
    """Return the log of a game between computers."""
    plan = selfplay.Plan(key, GAMES[key].settle(OPTIONS[key]), "replay", levels=("easy",))
    return selfplay.play(plan, 0).entries


def played(key: str, *, is_over: bool = True) -> tuple[Table, Reel]:
    """Return a game between computers, and its reel."""
    game = GAMES[key]
    options, entries = game.settle(OPTIONS[key]), entries_of(key)
    table = replace(table_of(game, options, len(entries)), status="over" if is_over else "playing")
    return table, reel_of(game, options, Fold(len(entries), None, entries))


@every_game
def test_the_moments_are_those_that_boards_showed(key: str) -> None:
    table, reel = played(key)
    game = GAMES[key]
    shown: list[Any] = []
    for ply, (state, _) in enumerate(game.steps(table.options, entries_of(key)), 1):
        if CHANCE not in game.to_act(state):
            shown.append((ply, game.observe(state, None), game.observe(state, 1)))
    assert [(moment.ply, moment.board) for moment in reel.moments] == [(ply, board) for ply, board, _ in shown]
    for at in range(0, len(shown), 7):
        assert glimpse(reel, table, at, 1).observation == shown[at][2]


@every_game
def test_deals_are_counted_as_players_see_them(key: str) -> None:
    table, reel = played(key)
    deals = [FACES[key].deal(moment.board) for moment in reel.moments if moment.board.outcome is None]
    assert [deal - deals[0] for deal in deals] == [moment.deal for moment in reel.moments][: len(deals)]
    assert reel.moments[-1].board.outcome is not None
    assert {seat for view in views_of(table, None) if isinstance(seat := view, int)} == set(range(table.seats))


@every_game
def test_every_moment_is_a_message_that_discord_takes(key: str) -> None:
    table, reel = played(key)
    for at in [*range(0, len(reel.moments), 1 + len(reel.moments) // 8), len(reel.moments) - 1]:
        for view in views_of(table, None):
            seen = glimpse(reel, table, at, view)
            post = replay_post(FACES[key], seen)
            assert len(post.choices[0].choices) <= MAX_OPTIONS
            ids = [part.custom_id for part in layout(post, table.key, 1).walk_children() if hasattr(part, "custom_id")]
            assert len(set(ids)) == len(ids)
            assert max(map(len, ids)) <= 100
            assert Spot.parse(str(Spot(seen.moment.ply, view))) == Spot(seen.moment.ply, view)
            assert post.scene is not None
            assert any(post.scene.in_words[1:])


@every_game
def test_what_happened_is_said_at_nearly_every_moment(key: str) -> None:
    table, reel = played(key)
    silent = 0
    for at in range(len(reel.moments)):
        scene = replay_post(FACES[key], glimpse(reel, table, at, Vantage.PUBLIC)).scene
        assert scene is not None
        silent += scene.above[0].count("\n") < 2
    assert silent == 0


@pytest.mark.parametrize("key", ["pond", "pot_black"])
def test_a_card_is_said_to_be_played_by_who_has_played_it(key: str) -> None:
    table, _reel = played(key)
    game, entries = GAMES[key], entries_of(key)
    (first, second, *_) = (ply for ply, each in enumerate(entries) if each.seat == 1 and each.move.startswith("play "))
    reel = reel_of(game, table.options, Fold(len(entries), None, entries, stand_ins={second: "Moss"}))
    user = table.sitters[1]
    away = seating.computer_for(table, user, user.user_id)
    for sitter in (user, replace(away, name="Fern")):
        now = seating.with_sitters(table, sitter)
        for ply in (first, second):
            at = next(at for at, moment in enumerate(reel.moments) if moment.ply == ply + 1)
            scene = replay_post(FACES[key], glimpse(reel, now, at, Vantage.PUBLIC)).scene
            assert scene is not None
            said = scene.above[0].split("\n")[2]
            assert user.name in said or (ply == second and sitter is not user)
            assert ("Moss" in said) == (ply == second)
            assert "Fern" not in said


def test_buttons_lead_from_moment_to_moment() -> None:
    table, reel = played("frogs")
    plies = [moment.ply for moment in reel.moments]
    first, third = (glimpse(reel, table, at, Vantage.PUBLIC) for at in (0, 2))
    assert [stepped(third, step) for step in ("first", "back", "next", "last")] == [
        *plies[:1],
        plies[1],
        plies[3],
        plies[-1],
    ]
    assert (stepped(first, "back"), stepped(first, "first")) == (plies[0], plies[0])


# ---- rights


@pytest.mark.parametrize(
    ("key", "options", "deals"),
    [
        ("frogs", {}, 1),
        ("pond", {"players": 4, "rounds": 2}, 2),
        ("pond", {"players": 4, "rounds": 2, "history": "last"}, 1),
        ("pontis", {"games": 2}, 1),
        ("pot_black", {"deals": 5}, 5),
    ],
)
def test_before_the_end_only_what_may_be_looked_up_is_seen(key: str, options: dict[str, Any], deals: int) -> None:
    table, reel = played(key, is_over=False)
    table = replace(table, options=GAMES[key].settle(options))
    seen = visible(GAMES[key], table, reel.moments)
    assert {moment.deal for moment in seen} == set(range(deals))
    assert visible(GAMES[key], replace(table, status="over"), reel.moments) == reel.moments


@every_game
def test_a_game_of_an_event_is_seen_again_with_ones_own_eyes_before_the_others_have_played(key: str) -> None:
    table, reel = played(key)
    table = replace(table, event=("daily 2026-01-02", 0), seed=None)
    assert visible(GAMES[key], table, reel.moments) == reel.moments
    assert views_of(table, 101) == (Vantage.PUBLIC, 1)


def test_before_the_end_players_see_the_table_and_their_own_hand() -> None:
    table, _ = played("pond", is_over=False)
    assert views_of(table, 102) == (Vantage.PUBLIC, 2)
    assert views_of(table, 7) == views_of(table, None) == (Vantage.PUBLIC,)


async def test_other_hands_and_the_deal_in_play_are_refused_before_the_end(store: Store) -> None:
    tables = make_tables(store)
    table = await started(tables, ANN, BEN)
    with pytest.raises(NotAllowed, match="when it's over"):
        await tables.replays.look(table.id, ANN.id)
    frogs = (await tables.lobbies.open("frogs", {}, ANN, table.place)).table
    await tables.lobbies.sit(frogs.id, BEN)
    await tables.lobbies.start(frogs.id, ANN.id)
    assert (await tables.replays.look(frogs.id, 99)).view is Vantage.PUBLIC
    for user_id, view in ((ANN.id, Vantage.EVERYONE), (ANN.id, 1), (99, 0), (None, 0), (ANN.id, 7)):
        with pytest.raises(NotAllowed, match="other hands"):
            await tables.replays.look(frogs.id, user_id, 1, view)


async def test_a_replay_follows_the_log(store: Store) -> None:
    tables = make_tables(store)
    table = (await tables.lobbies.open("frogs", {}, ANN, (await started(tables, ANN, BEN)).place)).table
    await tables.lobbies.sit(table.id, BEN)
    await tables.lobbies.start(table.id, ANN.id)
    await in_turn(tables, table, "place b1")
    assert (await tables.replays.look(table.id, ANN.id, 99)).moment.ply == 2
    (mover,) = {ANN.id, BEN.id} - {*await tables.whose_turn(await tables.table(table.id))}
    await tables.undos.undo(table.id, mover)
    assert (await tables.replays.look(table.id, ANN.id, 99)).moment.ply == 1
    assert (await tables.replays.look(table.id, ANN.id)).moment.ply == 1


# ---- reviews


async def test_a_substitute_reviews_their_own_decisions_alone(store: Store, clock: Clock) -> None:
    tables = make_tables(store, clock)
    table = await frogs_in_play(tables)
    by_user = dict.fromkeys((ANN.id, BEN.id, CY.id), 0)
    for turn in range(10):
        if turn == 4:
            clock.at += DAY
            gone = (await tables.whose_turn(table))[0]
            stays = ({ANN.id, BEN.id} - {gone}).pop()
            assert (await tables.waiting.move_on(table.id, stays, "substitute")).granted
            await tables.waiting.take_seat(table.id, CY)
        (mover,) = await tables.whose_turn(await tables.table(table.id))
        await tables.play(table.id, mover, str((await tables.look(table.id, mover)).observation.legal[0]))
        by_user[mover] += 1
    await tables.resign(table.id, CY.id)
    assert by_user[gone] == 2
    for user_id in (stays, CY.id):
        assert len(await tables.replays.decisions(table.id, user_id)) == by_user[user_id]


async def test_who_plays_on_reviews_what_they_have_played_since(store: Store) -> None:
    tables = make_tables(store)
    source = await frogs_in_play(tables)
    for _ in range(4):
        (mover,) = await tables.whose_turn(await tables.table(source.id))
        await tables.play(source.id, mover, str((await tables.look(source.id, mover)).observation.legal[0]))
    source = await tables.table(source.id)
    (mover,) = await tables.whose_turn(source)
    plies, seat = source.plies, seating.seated(source, mover).seat
    source = (await tables.resign(source.id, ANN.id)).table
    table = await tables.lobbies.open_to_play_on(source, plies, CY, seat, Place(None, 300))
    await tables.lobbies.start_with(table.id, CY, await tables.replays.entries(source.id, plies))
    assert await tables.whose_turn(await tables.table(table.id)) == (CY.id,)
    await tables.play(table.id, CY.id, str((await tables.look(table.id, CY.id)).observation.legal[0]))
    await tables.resign(table.id, CY.id)
    assert [decision.ply for decision in await tables.replays.decisions(table.id, CY.id)] == [plies]


async def frogs_in_play(tables: Tables) -> Table:
    """Return a table of Pond · frogs in play with Ann and Ben."""
    table = (await tables.lobbies.open("frogs", {}, ANN, HERE)).table
    await tables.lobbies.sit(table.id, BEN)
    return (await tables.lobbies.start(table.id, ANN.id)).table


# ---- secrets


@every_game
def test_twins_of_a_log_are_equal_to_a_seat_at_every_moment(key: str) -> None:
    game, rng = GAMES[key], random.Random(f"replay {key}")
    compared = decided = 0
    for moment in islice(moments(game, rng), dose(check=5, test=20)):
        for twin, viewers in islice(twins(game, moment, deals_of(game, moment), rng), 3):
            table = replace(moment.table, status="over")
            folds = [Fold(1, None, tuple(each.log.entries[: moment.ply])) for each in (moment, twin)]
            reels = [reel_of(game, moment.log.options, fold) for fold in folds]
            for viewer in viewers[:2]:
                if viewer is not None:  # reviews are made of these and of public values alone
                    ones, others = ([*decisions_of(*each, viewer, ())] for each in zip(reels, folds, strict=True))
                    assert ones == others
                    decided += len(ones)
                view = Vantage.PUBLIC if viewer is None else viewer
                for at in range(0, len(reels[0].moments), 1 + len(reels[0].moments) // 4):
                    one, other = (replay_post(FACES[key], glimpse(reel, table, at, view)) for reel in reels)
                    assert one == other
                    compared += 1
    assert compared > 20
    assert decided


async def test_marks_are_exported_and_deleted(store: Store) -> None:
    tables = make_tables(store)
    table = (await tables.lobbies.open("frogs", {}, ANN, (await started(tables, ANN, BEN)).place)).table
    await tables.lobbies.sit(table.id, BEN)
    table = (await tables.lobbies.start(table.id, ANN.id)).table
    for _ in range(2):
        await tables.replays.mark(table, BEN.id)
    assert (await tables.replays.look(table.id, BEN.id)).marks == (1,)
    assert (await tables.replays.look(table.id, ANN.id)).marks == ()
    assert (await tables.personal_data.kept(BEN.id))["marks"] == [{"table_id": table.id, "ply": 1}]
    with pytest.raises(NotSeated):
        await tables.replays.mark(table, 99)
