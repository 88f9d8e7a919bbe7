"""**Challenge** at the end of a game between two people: the same game with new cards, seen before it is posted."""

import pytest

from tests.discord.forged import Forger
from tests.discord.play import Player, World
from tests.discord.seen import Seen
from tests.discord.tables import started, started_in
from tests.discord.test_challenges import challenge_in, plays
from tests.discord.test_forged import OLD, text_of
from tests.discord.test_pings import pings


async def ended(world: World, ann: Player, ben: Player, group: str = "pond", **options: object) -> Seen:
    """Play a game to its end, and return its board."""
    await started_in(group, ann, [ben], **options)
    await world.tables.resign(1, ben.id)
    await world.wait(1)
    return ann.board


async def test_the_same_game_is_offered_with_its_options_and_new_cards(world: World) -> None:
    ann, ben, cleo = world.people(3)
    board = await ended(world, ann, ben, rounds=4)
    more = await ben.clicks(board, "More")
    assert more.labels == ["Challenge", "Review", "What happened", "About this game", "Board in words", "Rules"]
    page = await ben.clicks(more, "Challenge")
    assert page.is_private
    assert f"**Ben** challenges <@{ann.id}>: 1 game with the same cards" in page.text
    assert "4 rounds" in page.text
    assert "It's posted here once you press **Challenge**." in page.text
    assert page.labels == ["Challenge", "Back"]
    before = len(pings(world, ann))
    use = page.use("Challenge")
    said = await world.at_once((ben, use), (ben, use))
    assert all(answer is not None and f"<@{ann.id}> can accept" in answer.text for answer in said)
    await world.wait(1)
    assert len(await world.tables.matches.unfinished()) == 1
    offer = challenge_in(cleo)
    assert "4 rounds" in offer.text
    assert len(pings(world, ann)) == before + 1
    accepted = await ann.clicks(offer, "Accept")
    table, _answer = await plays(world, ann, accepted)
    assert (table.game, table.options["rounds"], table.seats) == ("pond", 4, 2)
    assert table.commitment != (await world.tables.table(1)).commitment


@pytest.mark.parametrize(("group", "title"), [("frogs", "Pond · frogs"), ("pontis", "Pontis")])
async def test_in_each_game_the_challenge_is_like_the_game(world: World, group: str, title: str) -> None:
    ann, ben = world.people(2)
    board = await ended(world, ann, ben, group, **({"players": 2} if group == "pontis" else {}))
    page = await ann.clicks(await ann.clicks(board, "More"), "Challenge")
    assert f"⚔️ Challenge · {title}" in page.text
    assert ("2 games, each of you against computers" in page.text) == (group == "frogs"), "each begins once"
    await ann.clicks(page, "Challenge")
    await world.wait(1)
    accepted = await ben.clicks(challenge_in(ben), "Accept")
    table, _answer = await plays(world, ben, accepted)
    assert table.seats == 2
    assert table.seat_of(ben.id) == 0


async def test_only_who_played_against_one_person_can_do_that_and_only_there(world: World) -> None:
    ann, ben, cleo = world.people(3)
    board = await ended(world, ann, ben)
    assert "Challenge" not in (await cleo.clicks(board, "More")).labels
    version = (await world.tables.table(1)).version
    for verb in ("challenge-same", "challenge-post"):
        custom_id = f"lily:{verb}:1:{version}:"
        assert text_of(await Forger(world, cleo, world.channel).presses(custom_id)) == OLD
        assert text_of(await Forger(world, ann, ann.dm).presses(custom_id)) == OLD
    await started_in("pontis", ann, [ben, cleo], players=3)
    await world.tables.resign(2, ben.id)
    assert "Challenge" not in (await ann.clicks(ann.board, "More")).labels
    await started(ann, [ben])
    for number in (2, 3):
        custom_id = f"lily:challenge-post:{number}:1:"
        assert text_of(await Forger(world, ann, world.channel).presses(custom_id)) == OLD
    assert await world.tables.matches.unfinished() == ()
