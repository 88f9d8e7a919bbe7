"""Buttons of lessons, dailies, matches and replays that are pressed twice before the bot can answer."""

import pytest

from bot.errors import NotAllowed
from bot.records.table import Person, Place
from tests.discord.play import Player, World
from tests.discord.seen import Seen
from tests.discord.tables import started_in
from tests.discord.test_challenges import challenged, shows
from tests.discord.test_duplicates import duplicate_in, shows as shows_duplicate
from tests.waiting import until


@pytest.fixture(autouse=True)
def _small_field(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a weak computer be the field of dailies."""
    monkeypatch.setattr("bot.tables.events.FIELD", ("easy",))


async def twice(world: World, player: Player, page: Seen, label: str) -> list[str]:
    """Press a button twice at once, and return the answers."""
    use = page.use(label)
    return [answer.text if answer else "" for answer in await world.at_once((player, use), (player, use))]


async def open_tables(world: World) -> int:
    return len(await world.tables.lists.open_tables())


async def test_a_daily_is_begun_once(world: World) -> None:
    (ann,) = world.people(1)
    said = await twice(world, ann, await ann.types("daily"), "Play")
    assert ["Your game is in your direct messages" in each for each in said] == [True, True]
    assert await open_tables(world) == 1


async def test_a_game_of_a_challenge_is_begun_once(world: World) -> None:
    ann, ben = world.people(2)
    await ben.clicks(await challenged(ann, ben, deals=2), "Accept")
    said = await twice(world, ann, await shows(ann, "0 of 2"), "Play")
    assert ["Game 1 of 2" in each for each in said] == [True, True]
    assert await open_tables(world) == 1


async def test_a_duplicate_has_one_thread_for_each_table(world: World) -> None:
    ann, ben, cleo, dan = world.people(4)
    await ann.types("duplicate", game="pond-2", deals=1)
    offer = await shows_duplicate(ann, "nobody yet")
    await ben.clicks(offer, "Join A")
    for player in (cleo, dan):
        await player.clicks(offer, "Join B")
    await shows_duplicate(ann, "**B** · Cleo, Dan")
    said = await twice(world, ann, duplicate_in(ann), "Start")
    assert sorted("It begins." in each for each in said) == [False, True]
    created = [each for each in world.env.http_requests if each.method == "POST" and each.path.endswith("/threads")]
    assert len(created) == 2


async def test_what_is_shared_from_a_replay_is_posted_once_and_later_again(world: World) -> None:
    ann, ben = world.people(2)
    await started_in("frogs", ann, [ben])
    await world.tables.resign(1, ann.id)
    page = await ann.types("replay")
    said = await twice(world, ann, page, "Share")
    assert sorted(each == "It's in the channel already." for each in said) == [False, True]
    await world.wait(1)
    assert (await ann.clicks(page, "Share")).text == "It's in the channel already."
    await world.wait(10)
    assert not (await ann.clicks(page, "Share")).is_private
    said = await twice(world, ann, await ann.picks(page, "seat0"), "Play on from here")
    assert said[0] == said[1]
    assert "plays on from there" in said[0]
    assert await open_tables(world) == 1


async def test_a_game_night_is_cancelled_once(world: World) -> None:
    (ann,) = world.people(1)
    await ann.types("night", when="23:59")
    await until(lambda: [seen for seen in ann.messages() if "Cancel it" in seen.labels])
    planned = next(seen for seen in ann.messages() if "Cancel it" in seen.labels)
    said = await twice(world, ann, planned, "Cancel it")
    assert sorted(said) == ["The game night is cancelled.", "This game night is over."]


async def test_a_game_that_plays_on_starts_where_a_crash_left_it(world: World) -> None:
    ann, ben = world.people(2)
    await started_in("frogs", ann, [ben])
    await world.tables.resign(1, ann.id)
    table, plies = await world.tables.table(1), (await world.tables.replays.look(1, ann.id)).moment.ply
    place = Place(None, ann.dm.id)
    lobby = await world.tables.lobbies.open_to_play_on(table, plies, Person(ann.id, "Ann"), 0, place)
    await world.crash()
    with pytest.raises(NotAllowed, match="in the replay again"):  # or other cards would be dealt
        await world.tables.lobbies.start(lobby.id, ann.id)
    said = await ann.clicks(await ann.picks(await ann.types("replay"), "seat0"), "Play on from here")
    assert "plays on from there" in said.text
    (found,) = await world.tables.lists.open_tables()
    assert found.status == "playing"
    played = await world.tables.transcript(found.id, unfinished=True)
    assert played.entries[:plies] == (await world.tables.transcript(1)).entries[:plies]
