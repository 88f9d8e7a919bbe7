"""Options saved under a name: for the user alone, or for everyone on the server."""

import pytest

from bot.records.preference import OptionSet
from tests.discord.play import Player, World
from tests.discord.seen import Seen, Use
from tests.discord.test_server import moderator


async def saves(host: Player, name: str, label: str = "Save options") -> Seen:
    """Save the options of the host's lobby, and return the answer."""
    page = await host.clicks(await host.clicks(host.board, "Options"), "Saved options")
    return await host.fills(page, label, name)


def uses(page: Seen, verb: str) -> list[Use]:
    """Return the picks of the menu with this verb on the page of saved options."""
    menus = [part for part in page.components[0]["components"] if part["type"] == 1]
    selects = [menu["components"][0] for menu in menus if menu["components"][0]["type"] == 3]
    return [
        Use(page.id, page.channel_id, select["custom_id"], option["value"])
        for select in selects
        if f":{verb}:" in select["custom_id"]
        for option in select["options"]
    ]


async def test_a_table_opens_with_saved_options(world: World) -> None:
    ann, ben = world.people(2)
    await ann.types("pond open", players=4, rounds=2, clock="day")
    assert "Saved as **Friday \\*night\\***." in (await saves(ann, "  Friday  *night* ")).text
    assert await ann.completes("pond open", "options", "fri") == {
        "Friday *night*": "Friday *night* · 4 players in pairs · 2 rounds · 1 day a move"
    }
    assert await ann.completes("pond open", "options", "sat") == await ann.completes("frogs open", "options") == {}
    assert await ben.completes("pond open", "options") == {}
    await ann.types("pond open", options="friday *NIGHT*", rounds=4)
    table = await world.tables.table(2)
    assert (table.seats, table.options["rounds"], table.clock) == (4, 4, "day")
    refusal = await ben.types("pond open", options="Friday *night*")
    assert refusal.text == "There are no saved options called Friday \\*night\\*."
    assert refusal.is_private


async def test_moderators_save_options_for_the_server(world: World) -> None:
    ann, kim = world.person("Ann"), moderator(world)
    await ann.types("pond open")
    page = await ann.clicks(await ann.clicks(ann.board, "Options"), "Saved options")
    assert page.labels == ["Save options", "Back"]
    (forged,) = await world.at_once((ann, Use(page.id, page.channel_id, "lily:save:1:1:server")))
    assert forged is not None
    assert "need the permission Manage Server" in forged.text
    await kim.types("pond open", rounds=2)
    await saves(kim, "House rules", "Save for server")
    assert list(await ann.completes("pond open", "options")) == ["House rules (server)"]
    for name in ("House rules", "House rules (server)"):
        await ann.types("pond open", options=name)
    assert [(await world.tables.table(number)).options["rounds"] for number in (3, 4)] == [2, 2]
    assert await ann.completes("pond open", "options", at=ann.dm) == {}


async def test_own_options_and_those_of_the_server_may_have_the_same_name(world: World) -> None:
    ann, kim = world.person("Ann"), moderator(world)
    await kim.types("pond open", rounds=2)
    await saves(kim, "Friday", "Save for server")
    await ann.types("pond open", rounds=4)
    await saves(ann, "Friday")
    offered = list(await ann.completes("pond open", "options"))
    for name in offered:
        await ann.types("pond open", options=name)
    assert offered == ["Friday", "Friday (server)"]
    assert [(await world.tables.table(number)).options["rounds"] for number in (3, 4)] == [4, 2]


async def test_saved_options_are_used_and_deleted_in_the_lobby(world: World) -> None:
    ann, kim = world.person("Ann"), moderator(world)
    await kim.types("pond open", rounds=2)
    await saves(kim, "House", "Save for server")
    await ann.types("pond open", clock="day")
    await saves(ann, "Mine")
    await ann.types("pond open", players=4)
    page = await ann.clicks(await ann.clicks(ann.board, "Options"), "Saved options")
    assert "**Mine** 1 day a move\n**House (server)** 2 rounds" in page.text
    mine, house = uses(page, "use-saved")
    before = (await world.tables.table(3)).version
    (shown,) = await world.at_once((ann, house))
    assert shown is not None
    assert shown.id == page.id
    table = await world.tables.table(3)
    assert (table.options["rounds"], table.seats) == (2, 2)
    assert table.version == before + 1, "options and clock change together"
    page = await ann.clicks(shown, "Saved options")
    (delete,) = uses(page, "delete-saved")
    assert delete.value == mine.value
    (forged,) = await world.at_once((ann, Use(page.id, page.channel_id, delete.custom_id, house.value)))
    assert forged is not None
    assert "Only moderators" in forged.text
    (after,) = await world.at_once((ann, delete))
    assert after is not None
    assert "Mine" not in after.text
    assert "Saved options" in (await ann.clicks(after, "Back")).labels
    page = await kim.clicks(await kim.clicks(kim.messages()[0], "Options"), "Saved options")
    assert len(uses(page, "delete-saved")) == 1


async def test_a_set_deleted_on_another_page_is_gone(world: World) -> None:
    (ann,) = world.people(1)
    await ann.types("pond open")
    page = await saves(ann, "Friday")
    (delete,) = uses(page, "delete-saved")
    again = Use(page.id, page.channel_id, delete.custom_id, delete.value)
    (first,) = await world.at_once((ann, delete))
    assert first is not None
    assert "Friday" not in first.text
    (second,) = await world.at_once((ann, again))
    assert second is not None
    assert second.is_private
    assert second.text == "This saved set is gone."


async def test_the_page_lists_a_set_as_soon_as_it_is_saved(world: World) -> None:
    (ann,) = world.people(1)
    await ann.types("pond open", rounds=2)
    page = await ann.clicks(await ann.clicks(ann.board, "Options"), "Saved options")
    assert "Nothing is saved yet." in page.text
    answer = await ann.fills(page, "Save options", "Friday")
    assert answer.id == page.id
    assert "**Friday** 2 rounds\nSaved as **Friday**." in ann.now(page).text


async def test_there_are_at_most_25_saved_sets_and_a_name_is_used_once(world: World) -> None:
    (ann,) = world.people(1)
    await ann.types("pond open")
    for number in (*range(25), 3):
        assert "Saved as" in (await saves(ann, f"Set {number}")).text
    assert (await saves(ann, "One more")).text == "There are 25 saved sets already. Delete one first."
    assert len(await ann.completes("pond open", "options")) == 25
    assert (await saves(ann, " \u200a ")).text == "Write a name for these options."


async def test_many_saved_sets_are_on_pages_with_menus_of_their_own(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    ann, server = world.person("Ann"), world.server.id
    longest = {option.key: option.choices[-1] for option in world.bot.faces["pontis"].game.options}
    for number in range(25):
        for owner in ({"user_id": ann.id}, {"guild_id": server}):
            saved = OptionSet("pontis", f"{number:02}{'*' * 38}", longest, "three-days", level="strong", **owner)
            await world.tables.option_sets.save(saved)
    await ann.types("pontis open")
    page = await ann.clicks(await ann.clicks(ann.board, "Options"), "Saved options")
    pages = [page]
    while "Next" in page.labels:
        page = await ann.clicks(page, "Next")
        pages.append(page)
    usable = [[use.value for use in uses(each, "use-saved")] for each in pages]
    assert [len(values) for values in usable] == [each.text.count("3 days a move") for each in pages]
    assert len({value for values in usable for value in values}) == sum(map(len, usable)) == 50
    assert not [record for record in caplog.records if record.levelname == "ERROR"], "a text was cut"
    (after,) = await world.at_once((ann, uses(pages[1], "delete-saved")[0]))
    assert after is not None
    assert after.text.splitlines()[0] == pages[1].text.splitlines()[0]


async def test_saved_options_belong_to_the_data_of_their_user(world: World) -> None:
    (ann,) = world.people(1)
    await ann.types("pond open", rounds=2)
    await saves(ann, "Friday")
    assert [kept["name"] for kept in (await world.tables.personal_data.kept(ann.id))["option_sets"]] == ["Friday"]
    await world.tables.privacy.forget(ann.id)
    assert not any((await world.tables.personal_data.kept(ann.id)).values())
    assert await ann.completes("pond open", "options") == {}
