"""Access to tables: for their players, and on their server for everybody who may view their channel.

Most tests run every command and press for a table number before the table exists, and again afterwards. Users without
access must get the same answers.
"""

from collections.abc import AsyncIterator

import discord
import pytest
from simcord import ChannelHandle, GuildHandle
from simcord.backend.models import Overwrite
from simcord.enums import ChannelType, OverwriteType

from bot.records.table import Table
from bot.ui.actions.press import all_verbs
from tests.discord.forged import Answers, Forger
from tests.discord.play import Player, World
from tests.discord.seen import Use
from tests.discord.tables import opened_in, started, started_in
from tests.doses import IS_COMPLETE
from tests.waiting import until

pytestmark = pytest.mark.usefixtures("no_rate_limit")

HIDDEN = (
    *("another channel", "another server", "direct messages", "a private thread", "somebody's direct messages"),
    "the chat of a voice channel",
)
SEEN = (
    "its channel",
    "another channel that sees it",
    "an archived thread",
    "as a member of the private thread",
)
SOME_COMMANDS = ("pond board", "pond join", "tables")
SOME_VERBS = ("hand", "more", "scores")
MANAGES = discord.Permissions(manage_guild=True, manage_messages=True)


def outsider(world: World, guild: GuildHandle | None = None) -> Player:
    """Add a moderator who has no special permissions in any channel."""
    server = guild or world.server
    role = server.create_role("Keepers", permissions=MANAGES)
    user = world.env.create_user(f"keeper{len(server.member_ids())}", global_name="Kim")
    return Player(world, server.add_member(user, roles=[role]))


def hidden_channel(world: World, *members: Player) -> ChannelHandle:
    """Create a channel that only these players and the bot may view."""
    allowed = discord.PermissionOverwrite(view_channel=True)
    assert world.bot.user is not None
    return world.server.create_text_channel(
        "hidden",
        overwrites={
            world.server.default_role: discord.PermissionOverwrite(view_channel=False),
            world.bot.user: allowed,
            **{member.member: allowed for member in members},
        },
    )


def private_thread(world: World, *members: Player) -> ChannelHandle:
    """Create a private thread with these players and the bot."""
    backend = world.env.backend
    thread = backend.create_thread(world.channel.id, "whispers", members[0].id, type=ChannelType.PRIVATE_THREAD)
    for user_id in (backend.bot_user.id, *(member.id for member in members)):
        backend.add_thread_member(thread.id, user_id)
    return world.place(thread.id)


def set_up(world: World, where: str, players: list[Player]) -> tuple[ChannelHandle, Forger]:
    """Return the channel of the table, and a user who asks for it from the place that ``where`` names."""
    kim = outsider(world)
    match where:
        case "another channel":
            return hidden_channel(world, *players), Forger(world, kim, world.channel)
        case "another server":
            other = world.env.create_guild("Elsewhere")
            place = other.create_text_channel("games")
            kim = outsider(world, other)
            return world.channel, Forger(world, kim, place)
        case "direct messages" | "its channel":
            return world.channel, Forger(world, kim, kim.dm if where == "direct messages" else world.channel)
        case "a private thread":
            return private_thread(world, *players), Forger(world, kim, world.channel)
        case "somebody's direct messages":
            return players[0].dm, Forger(world, kim, world.channel)
        case "the chat of a voice channel":
            lounge = world.server.create_voice_channel("lounge")  # they see it, but may not connect
            denied = discord.Permissions(connect=True).value
            world.env.backend.set_overwrite(lounge.id, Overwrite(kim.id, OverwriteType.MEMBER, deny=denied))
            return lounge, Forger(world, kim, world.channel)
        case "another channel that sees it":
            return world.channel, Forger(world, kim, world.server.create_text_channel("elsewhere"))
        case "an archived thread":
            return world.thread(players[0]), Forger(world, kim, world.channel)
        case "as a member of the private thread":
            return private_thread(world, *players, kim), Forger(world, kim, world.channel)
    raise AssertionError(where)


async def moments(world: World, place: ChannelHandle, players: list[Player]) -> AsyncIterator[Table]:
    """Open Table 1 in this channel, start and end it. Yield it after each step."""
    if place.guild is None:
        players = players[:1]
    for player in players:
        player.home = place
    ann, *others = players
    lobby = await opened_in("pond", ann, rounds=2, **({} if others else {"computers": 1}))
    yield await world.tables.table(1)
    for player in others:
        lobby = await player.clicks(lobby, "Join")
    await ann.clicks(lobby, "Start")
    await world.env.settle()
    yield await world.tables.table(1)
    await world.tables.resign(1, ann.id)
    await world.env.settle()
    yield await world.tables.table(1)


def is_thorough(where: str) -> bool:
    """Whether to ask for everything at every moment: `make all-tests` does so from all places."""
    return IS_COMPLETE or where in {HIDDEN[0], SEEN[0]}


def differing(before: Answers, after: Answers) -> Answers:
    """Return the later answers that differ from the earlier ones."""
    assert before.keys() == after.keys()
    return {asked: after[asked] for asked in before if before[asked] != after[asked]}


@pytest.mark.parametrize("where", HIDDEN)
async def test_no_command_reveals_a_hidden_table(world: World, where: str) -> None:
    players = world.people(2)
    place, kim = set_up(world, where, players)
    before = await kim.asks_by_command("1")
    assert len(before) > 70
    async for table in moments(world, place, players):
        if not is_thorough(where) and table.status != "playing":
            continue
        assert differing(before, await kim.asks_by_command("1")) == {}
        named = await kim.asks_by_command(table.name)
        assert differing(before, {asked: _renamed(text, table.name) for asked, text in named.items()}) == {}
        assert await world.tables.table(1) == table


@pytest.mark.parametrize("where", HIDDEN)
async def test_no_press_reveals_a_hidden_table(world: World, where: str) -> None:
    players = world.people(2)
    place, kim = set_up(world, where, players)
    arguments = ("end", str(players[0].id)) if is_thorough(where) else ()
    before = await kim.asks_by_press(1, 3, *arguments)
    assert len(before) > 2 * len(all_verbs())
    async for table in moments(world, place, players):
        if not is_thorough(where) and table.status != "playing":
            continue
        assert differing(before, await kim.asks_by_press(1, 3, *arguments)) == {}
        assert await world.tables.table(1) == table


@pytest.mark.parametrize("where", SEEN)
async def test_members_who_may_view_its_channel_have_access_to_a_table(world: World, where: str) -> None:
    players = world.people(2)
    place, kim = set_up(world, where, players)
    names = () if is_thorough(where) else SOME_COMMANDS
    verbs = () if is_thorough(where) else SOME_VERBS
    commands, presses = await kim.asks_by_command("1", *names), await kim.asks_by_press(1, 3, verbs=verbs)
    tables = [table async for table in moments(world, place, players)]
    assert [table.status for table in tables] == ["lobby", "playing", "over"]
    if where == "an archived thread":
        world.env.backend.edit_channel(place.id, {}, thread_metadata={"archived": True})
    found = differing(commands, commands | await kim.asks_by_command("1", *names))
    assert found.keys() >= {f"/{name}" for name in SOME_COMMANDS}
    assert differing(presses, await kim.asks_by_press(1, 3, verbs=verbs)).keys() == presses.keys()


async def test_players_find_their_table_from_anywhere(world: World) -> None:
    ann, ben = world.people(2)
    ann.home = ben.home = hidden_channel(world, ann, ben)
    await started(ann, [ben])
    board = ann.board.text
    for place in (world.channel, ann.dm):
        assert (await ann.types("pond board", at=place, table="1")).text == board
        assert (await ann.types("pond hand", at=place)).text.startswith("### Your hand")
        (ref,) = await ann.completes("pond board", "table", at=place)
        assert ref == ("1" if place == world.channel else (await world.tables.table(1)).key)
        assert (await ann.types("pond board", at=place, table=ref)).text == board
    after = await ann.picks(ann.hand, next(iter(ann.hand.moves)))
    assert after.text.startswith("### Your hand")


async def test_players_replaced_by_a_computer_find_their_table_from_anywhere(world: World) -> None:
    players = world.people(3)
    ann, ben, cleo = players
    for player in players:
        player.home = hidden_channel(world, *players)
    await started_in("pontis", ann, [ben, cleo], players=3)
    while cleo.id not in await world.tables.whose_turn(await world.tables.table(1)):
        user_id, *_ = await world.tables.whose_turn(await world.tables.table(1))
        await world.tables.play(1, user_id, str((await world.tables.look(1, user_id)).observation.legal[0]))
    await world.wait(2 * 24 * 60 * 60)
    await ann.at_table("Someone's away", "Computer takes the seat")
    assert (await world.tables.table(1)).sitter(cleo.id) is None
    assert (await cleo.types("pontis hand", at=cleo.dm, table="1")).text.startswith("### Your hand")
    assert (await world.tables.table(1)).sitter(cleo.id) is not None


async def test_former_players_do_not_find_the_table_from_elsewhere(world: World) -> None:
    ann, ben = world.people(2)
    lobby = await ann.types("pond open")
    await ben.clicks(lobby, "Join")
    await ben.clicks(ann.board, "Leave")
    assert (await ben.types("pond board", at=ben.dm, table="1")).text == "There's no table 1 here."


async def test_a_hidden_table_does_not_shadow_another_of_the_same_name(world: World) -> None:
    ann, kim = world.people(2)
    hidden = hidden_channel(world, ann)
    names: list[str] = []
    for place in (world.channel, hidden):
        world.random_bytes = bytes  # always the same name while it is free
        await ann.types("pond open", at=place, computers=1)
        table = await world.tables.table(len(names) + 1)
        names.append(table.name)
        if place == world.channel:
            await world.tables.close(table.id, ann.id)
            world.execute("UPDATE tables SET opened_at = 0")  # names don't repeat within a month
    assert names[0] == names[1]
    assert "closed" in (await kim.types("pond board", table=names[0])).text
    assert await kim.completes("pond board", "table", names[0]) == {}
    assert await kim.completes("tables", "table") == {}


async def test_moderators_are_offered_only_the_tables_they_may_view(world: World) -> None:
    ann, kim = world.person("Ann"), outsider(world)
    for place in (world.channel, hidden_channel(world, ann), private_thread(world, ann), world.thread(ann)):
        await ann.types("pond open", at=place)
    assert list(await kim.completes("server close", "table")) == ["1", "4"]


async def test_a_rematch_is_refused_on_another_server(world: World) -> None:
    ann, ben = world.people(2)
    ann.home = ben.home = hidden_channel(world, ann, ben)
    await started(ann, [ben])
    await world.tables.resign(1, ann.id)
    elsewhere = world.env.create_guild("Elsewhere")
    place = elsewhere.create_text_channel("games")
    ann = Player(world, elsewhere.add_member(ann.member.user))
    page = await ann.types("tables", at=place, table="1")
    assert "Rematch" not in page.labels
    (answer,) = await world.at_once((ann, Use(page.id, page.channel_id, "lily:again:1:1:")))
    assert answer is not None
    assert answer.text == f"Ask for a rematch where you played: in <#{ben.home.id}>."
    page = await ben.types("tables", at=world.channel, table="1")
    assert (await ben.clicks(page, "Rematch")).text.startswith("The rematch is")


async def test_a_rematch_in_a_direct_message_is_for_those_who_still_see_the_channel(world: World) -> None:
    ann, ben = world.people(2)
    hidden = ann.home = ben.home = hidden_channel(world, ann, ben)
    await started(ann, [ben])
    await world.tables.resign(1, ann.id)
    await until(lambda: "Rematch" in ben.hand.labels and "Rematch" in ann.hand.labels)
    world.env.backend.delete_overwrite(hidden.id, ben.id)
    assert (await ben.clicks(ben.hand, "Rematch")).text.startswith("Ask for a rematch where you played")
    assert (await ann.clicks(ann.hand, "Rematch")).text.startswith("The rematch is")


@pytest.mark.parametrize("code", [403, 404, 500])
async def test_a_table_is_hidden_if_discord_does_not_return_its_thread(world: World, code: int) -> None:
    ann, kim = world.people(2)
    thread = world.thread(ann)
    await ann.types("pond open", at=thread)
    world.env.backend.edit_channel(thread.id, {}, thread_metadata={"archived": True})
    world.breaks("GET", f"/channels/{thread.id}", code, times=None)
    assert (await kim.types("pond board", table="1")).text == "There's no table 1 here."


def _renamed(text: str, name: str) -> str:
    return text.replace(f"There's no table {name} here.", "There's no table 1 here.")
