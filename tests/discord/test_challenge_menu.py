"""``/challenge`` without a name: chosen on a private page, which shows what will be posted before anything is."""

from typing import Final

import pytest

from tests.discord.forged import Forger
from tests.discord.play import Player, World
from tests.discord.seen import Seen
from tests.discord.tables import started_in
from tests.discord.test_access import hidden_channel
from tests.discord.test_challenges import challenge_in
from tests.discord.test_delivered_twice import delivered_twice
from tests.discord.test_forged import HUGE, LONE, OLD, text_of
from tests.discord.test_nights import nights
from tests.discord.test_pings import pings

ODD_DRAFTS: Final = (
    *("", "pond", "pond-1", "pond-1-7", "pond-1-7-0-0", "chess-1-7-0", "-1-7-0", "pond-x-7-0", "pond--1-7-0"),
    *("pond-0-7-0", "pond-11-7-0", "pond-1-0-0", "pond-1-15-0", "pond-1-7-x", f"pond-1-7-{HUGE}", f"pond-1-7-{LONE}"),
)


def public(player: Player) -> list[Seen]:
    """Return what everyone sees in the channel."""
    return [seen for seen in player.messages() if not seen.is_private]


async def test_a_challenge_is_seen_and_changed_before_it_is_posted(world: World) -> None:
    ann, ben, cleo = world.people(3)
    page = await ann.types("challenge")
    assert page.is_private
    assert "1 game, about 5 min each. Pick a friend to challenge: nothing is posted yet." in page.text
    assert "Challenge" not in page.labels
    assert [page.options[each] for each in ("pond", "1", "3")] == [
        "Pond · cards",
        "1 game, about 5 min",
        "3 games, about 15 min",
    ]
    page = await ann.picks_people(page, cleo)
    assert f"**Ann** challenges <@{cleo.id}>: 1 game with the same cards" in page.text
    page = await ann.picks(page, "pontis")
    page = await ann.picks(page, "3")
    page = await ann.picks_people(page, ben)
    assert "⚔️ Challenge · Pontis" in page.text
    assert f"**Ann** challenges <@{ben.id}>: 3 games with the same cards" in page.text
    assert "3 games, about 9 min each. It's posted here once you press **Challenge**." in page.text
    await world.wait(1)
    assert public(ann) == []
    assert f"<@{ben.id}> can accept or decline" in (await ann.clicks(page, "Challenge")).text
    await world.wait(1)
    offer = challenge_in(ben)
    assert "### ⚔️ Challenge · Pontis" in offer.text
    assert f"**Ann** challenges <@{ben.id}>: 3 games with the same cards" in offer.text
    assert [len(pings(world, player)) for player in (ann, ben, cleo)] == [0, 1, 0]


async def test_the_game_is_the_one_that_was_played_last_here(world: World) -> None:
    ann, ben = world.people(2)
    await ann.types("pontis open")
    assert "Pond · cards" in (await ann.types("challenge")).text, "nobody has played"
    await started_in("frogs", ann, [ben])
    page = await ann.types("challenge")
    assert "### ⚔️ Challenge · Pond · frogs" in page.text
    assert "2 games, about 8 min each" in page.text, "each begins as often"
    assert [key for key in page.options if key.isdigit()] == ["2", "4", "6", "10"]
    await ann.types("challenge", player=ben.member)
    await ann.types("night", when="in 2 hours")
    await world.wait(1)
    assert "⚔️ Challenge · Pond · frogs" in challenge_in(ann).text
    assert "🌙 Game night · Pond · frogs" in nights(ann)[-1].text
    asked = await ben.types("challenge", game="pontis", deals=4)
    assert "Your challenges" in asked.text
    page = await ben.picks_people(asked, ann)
    assert "4 games with the same cards" in page.text
    assert "Challenge · Pontis" in page.text


async def test_what_is_pressed_or_delivered_twice_is_offered_once(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, ben = world.people(2)
    page = await ann.picks_people(await ann.types("challenge"), ben)
    use = page.use("Challenge")
    said = await world.at_once((ann, use), (ann, use))
    assert all(answer is not None and "can accept or decline" in answer.text for answer in said)
    await world.wait(1)
    assert len(await world.tables.matches.unfinished()) == 1
    page = await ann.picks_people(await ann.types("challenge", game="pontis"), ben)
    with delivered_twice(world, monkeypatch):
        await ann.clicks(page, "Challenge")
        await world.wait(1)
    assert len(await world.tables.matches.unfinished()) == 2


async def test_who_cannot_be_challenged_is_refused_before_anything_is_posted(world: World) -> None:
    ann, ben = world.people(2)
    hidden = hidden_channel(world, ann)
    page = await ann.types("challenge", hidden)
    assert "Ben can't see this channel." in (await ann.picks_people(page, ben)).text
    page = await ann.types("challenge")
    assert "You can't challenge yourself." in (await ann.picks_people(page, ann)).text
    for place, argument, said in (
        (hidden, f"pond-1-7-{ben.id}", "can't see this channel"),
        (world.channel, f"pond-1-7-{ann.id}", "can't challenge yourself"),
        (world.channel, "pond-1-7-77", "aren't on this server"),
    ):
        assert said in text_of(await Forger(world, ann, place).presses(f"lily:challenge-go:0:0:{argument}"))
    assert await world.tables.matches.unfinished() == ()


async def test_forged_drafts_are_treated_as_old_buttons(world: World) -> None:
    ann, ben = world.people(2)
    forger = Forger(world, ann, world.channel)
    for verb, picked in (("go", ""), ("whom", str(ben.id)), ("game", "pond"), ("length", "1")):
        for draft in ODD_DRAFTS:
            answer = text_of(await forger.presses(f"lily:challenge-{verb}:0:0:{draft}", *filter(None, (picked,))))
            assert answer == OLD, (verb, draft)
    for verb, values in (("game", ("", "chess", HUGE)), ("length", ("", "0", "11", "x", HUGE))):
        for value in values:
            assert text_of(await forger.presses(f"lily:challenge-{verb}:0:0:pond-1-7-0", value)) == OLD, (verb, value)
    assert await world.tables.matches.unfinished() == ()


async def test_direct_messages_have_no_menu_of_members(world: World) -> None:
    (ann,) = world.people(1)
    page = await ann.types("challenge", ann.dm)
    assert "You have no challenges" in page.text
    assert page.menus_of_people == []
    forged = await Forger(world, ann, ann.dm).presses("lily:challenge-go:0:0:pond-1-7-5")
    assert text_of(forged) == OLD
