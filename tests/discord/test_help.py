"""The front door: ``/help``, a bare mention of the bot, and the first message on a server."""

import pytest

from bot.games import GAMES
from bot.records.standing import counts
from bot.ui.posts.custom_id import custom_id
from tests.discord.guests import GROUPS
from tests.discord.play import Player, World
from tests.discord.seen import Seen, Use
from tests.leaks.pairs import FACES

WAYS = ["Play now", "Learn", "Open here"]


def doors(player: Player) -> list[Seen]:
    """Return the front doors that everyone sees in the player's home channel."""
    return [seen for seen in player.messages() if not seen.is_private and seen.text.startswith("### Lilypad")]


async def presses(player: Player, page: Seen, verb: str, game: str) -> Seen:
    """Press the button of a game on the front door, and return the answer."""
    use = Use(page.id, page.channel_id, custom_id(verb, 0, 0, game))
    assert use.custom_id in str(page.components)
    (answer,) = await player.world.at_once((player, use))
    assert answer is not None
    return answer


async def test_help_has_each_game_with_three_ways_to_begin(world: World) -> None:
    (ann,) = world.people(1)
    page = await ann.types("help")
    assert page.labels[:12] == WAYS * len(GAMES)
    for face in FACES.values():
        assert face.pitch() in page.text
        assert f"{face.players()}, " in page.text
    assert "`/" not in page.text, "a command is no answer"
    assert (await ann.types("help", at=ann.dm)).labels[:8] == WAYS[:2] * len(GAMES)


async def test_help_opens_the_rules_and_comes_back(world: World) -> None:
    (ann,) = world.people(1)
    for at in (ann.home, ann.dm):
        page = await ann.types("help", at=at)
        rules = await ann.picks(page, "pond.0.0")
        assert "How to play" in rules.text
        assert rules.id == page.id
        assert (await ann.clicks(await ann.clicks(rules, "Next"), "Back")).text == page.text


@pytest.mark.parametrize("label", ["Daily", "Duel", "Standings", "My games", "Settings"])
async def test_everything_else_is_a_press_away(world: World, label: str) -> None:
    (ann,) = world.people(1)
    page = await ann.types("help")
    shown = await ann.clicks(page, label)
    assert shown.is_private
    assert shown.text != page.text
    assert "too old" not in shown.text


@pytest.mark.parametrize("game", GROUPS)
async def test_a_first_move_takes_two_presses_from_help(world: World, game: str) -> None:
    ann, ben = world.people(2)
    page = await ann.types("help")
    answer = await presses(ann, page, "play-now", game)
    assert answer.text.startswith("Your first game: **Table ")
    table = await world.tables.table(1)
    assert (table.status, table.game, counts(table)) == ("playing", game, False)
    assert {sitter.level for sitter in table.sitters if sitter.is_computer} == {"easy"}
    assert [seen for seen in ben.messages() if not seen.is_private] == []
    await world.wait(2)
    hand = await ann.clicks(answer, "Play here")
    move = str((await world.tables.look(1, ann.id)).observation.legal[0])
    assert hand.is_private
    await ann.types("pond move" if game == "pond" else f"{GROUPS[game]} move", at=ann.dm, move=move)
    assert (await world.tables.table(1)).version > table.version


async def test_without_direct_messages_the_game_is_a_private_page_here(world: World) -> None:
    (ann,) = world.people(1)
    world.breaks("POST", f"/channels/{ann.dm.id}/messages", 403, 50007, times=None)
    hand = await presses(ann, await ann.types("help"), "play-now", "pond")
    assert hand.is_private
    assert hand.text.startswith("### Your hand")
    before = (await world.tables.table(1)).version
    shown = await ann.picks(hand, next(iter(hand.moves)))
    assert shown.text.startswith("### Your hand")
    assert (await world.tables.table(1)).version > before


async def test_play_now_goes_on_with_the_game_that_is_open(world: World) -> None:
    (ann,) = world.people(1)
    page = await ann.types("help")
    for _ in range(2):
        await presses(ann, page, "play-now", "frogs")
    assert [table.id for table in await world.store.lists.open_tables()] == [1]
    await ann.types("frogs resign", at=ann.dm)
    await world.tables.resign(1, ann.id)
    assert "Your first game" not in (await presses(ann, page, "play-now", "frogs")).text
    assert len(await world.store.lists.open_tables()) == 1


async def test_a_table_is_opened_here_with_a_press(world: World) -> None:
    ann, ben = world.people(2)
    said = await presses(ann, await ann.types("help"), "open-here", "pontis")
    assert f"/{ben.board.id})" in said.text
    await ben.clicks(ben.board, "Join")
    assert [sitter.name for sitter in (await world.tables.table(1)).sitters] == ["Ann", "Ben"]


async def test_a_bare_mention_shows_the_door_once_in_ten_minutes(world: World) -> None:
    ann, ben = world.people(2)
    assert world.bot.user is not None
    mention = f"<@{world.bot.user.id}>"
    await ann.says(f"{mention} hello")
    assert doors(ann) == []
    await ann.says(mention)
    await world.env.settle()
    assert len(doors(ben)) == 1
    await ben.says(f" {mention} ")
    await world.env.settle()
    assert len(doors(ben)) == 1
    await world.wait(601)
    await ben.says(mention)
    await world.env.settle()
    assert len(doors(ben)) == 2
    assert (await presses(ben, doors(ben)[-1], "play-now", "frogs")).is_private


@pytest.mark.parametrize("has_channel", [True, False])
async def test_a_new_server_sees_the_door_in_its_system_channel(world: World, *, has_channel: bool) -> None:
    ann = world.person("Ann")
    channel_id = ann.home.id if has_channel else None
    world.env.backend.edit_guild(world.server.id, {"system_channel_id": channel_id})
    await world.env.settle()
    world.bot.dispatch("guild_join", world.bot.get_guild(world.server.id))
    await world.env.settle()
    assert len(doors(ann)) == has_channel
