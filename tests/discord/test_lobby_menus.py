"""Menus of a lobby offer only what can be chosen, and what a choice needs comes along."""

import pytest

from bot.games import GAMES
from bot.games.game import AnyGame
from tests.discord.guests import GROUPS
from tests.discord.play import Player, World
from tests.discord.seen import Seen, menu_of


async def page_with(host: Player, lobby: Seen, key: str) -> Seen:
    """Return the page of a lobby's options with the menu of this one, or else the page of house rules."""
    page = await host.clicks(host.now(lobby), "Options")
    return page if page.has_option(key) else await host.clicks(page, "House rules")


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
async def test_every_value_that_a_menu_offers_can_be_chosen(world: World, game: AnyGame) -> None:
    (ann,) = world.people(1)
    lobby = await ann.types(f"{GROUPS[game.key]} open")
    for option in game.options * 2:
        for value in menu_of(await page_with(ann, lobby, option.key), option.key):
            page = await ann.chooses(await page_with(ann, lobby, option.key), option.key, value)
            assert (await world.tables.table(1)).options[option.key] == option.read(value), page.text


async def test_pontis_offers_only_banks_that_its_players_can_share(world: World) -> None:
    (ann,) = world.people(1)
    lobby = await ann.types("pontis open")
    assert list(menu_of(await page_with(ann, lobby, "banks"), "banks")) == ["2", "4", "8", "12"]


async def test_whoever_may_call_liars_may_fake_misses(world: World) -> None:
    (ann,) = world.people(1)
    lobby = await ann.types("pontis open")
    rules = await page_with(ann, lobby, "liar")
    assert menu_of(rules, "liar")["on"] == "Also: You may fake misses"
    rules = await ann.chooses(rules, "liar", "on")
    assert "You may fake misses · You may call liars" in ann.now(lobby).text
    assert menu_of(rules, "fake")["off"] == "Also: No calling a liar"
    await ann.chooses(rules, "fake", "off")
    assert "liars" not in ann.now(lobby).text


async def test_teams_of_pontis_bring_banks_to_share_and_go_with_them(world: World) -> None:
    (ann,) = world.people(1)
    lobby = await ann.types("pontis open", jokers=3)
    rules = await page_with(ann, lobby, "teams")
    assert menu_of(rules, "teams")["on"] == "Also: 2 banks"
    await ann.chooses(rules, "teams", "on")
    assert "3 jokers · 2 banks · Teams share a bank" in ann.now(lobby).text
    await ann.chooses(await page_with(ann, lobby, "players"), "players", "5")
    assert "5 players · 3 jokers" in ann.now(lobby).text
    assert "Teams" not in ann.now(lobby).text
    rules = await page_with(ann, lobby, "teams")
    assert not rules.has_option("teams"), "five can't share banks evenly"


async def test_pot_black_offers_no_end_that_its_form_excludes(world: World) -> None:
    (ann,) = world.people(1)
    lobby = await ann.types("potblack open", deals=0)
    assert not (await page_with(ann, lobby, "end")).has_option("end"), "partners have only one"
    await ann.chooses(await page_with(ann, lobby, "form"), "form", "individual")
    rules = await page_with(ann, lobby, "end")
    assert menu_of(rules, "end")["deals"] == "Also: 10 deals"
    await ann.chooses(rules, "end", "deals")
    assert " · 10 deals" in ann.now(lobby).text
    await ann.chooses(await page_with(ann, lobby, "form"), "form", "partnership")
    assert (await world.tables.table(1)).options["end"] == "first_out"
    options = await ann.chooses(await page_with(ann, lobby, "players"), "players", "3")
    assert list(menu_of(options, "form")) == ["individual", "classic"]


async def test_nobody_can_start_with_too_few_for_the_options(world: World) -> None:
    ann, ben, cleo = world.people(3)
    lobby = await ann.types("pontis open", banks=2)
    for guest in (ben, cleo):
        lobby = await guest.clicks(lobby, "Join")
    assert "Start with the 3 here" not in lobby.labels
    await ann.chooses(await ann.clicks(lobby, "Options"), "banks", "4")
    assert "Start with the 3 here" in ann.now(lobby).labels
