"""Settings of a server and the permissions for them."""

import discord
import pytest
from simcord import SetupError

from bot.records.preference import OptionSet, Server
from bot.ui.actions.opening import thread_type
from tests.discord.play import Player, World
from tests.discord.tables import fast_forward, started
from tests.discord.test_places import boards


def moderator(world: World, **permissions: bool) -> Player:
    """Add a member whose role has these permissions, by default Manage Server."""
    role = world.server.create_role("Keepers", permissions=discord.Permissions(**permissions or {"manage_guild": True}))
    user = world.env.create_user("keeper", global_name="Kim")
    return Player(world, world.server.add_member(user, roles=[role]))


def move_to_channel(world: World, *players: Player, threads: bool) -> None:
    """Move these players to a channel where the bot may, or may not, create threads."""
    everyone = world.server.default_role
    allowed = discord.PermissionOverwrite(create_public_threads=threads)
    channel = world.server.create_text_channel("threads", overwrites={everyone: allowed})
    for player in players:
        player.home = channel


async def test_only_members_with_manage_server_change_settings(world: World) -> None:
    ann, kim = world.person("Ann"), moderator(world)
    assert "everywhere" in (await kim.types("server show")).text
    with pytest.raises(SetupError):  # Discord doesn't offer Ann the command
        await ann.types("server show")
    command = next(each for each in await world.bot.tree.fetch_commands() if each.name == "server")
    world.server.set_command_permissions(command, {ann.member: True})
    for typed, options in (("show", {}), ("threads", {"own": True}), ("openers", {}), ("close", {"table": "1"})):
        assert "need the permission Manage Server" in (await ann.types(f"server {typed}", **options)).text


async def test_tables_are_opened_only_in_allowed_channels(world: World) -> None:
    ann, kim = world.person("Ann"), moderator(world)
    other = world.server.create_text_channel("games")
    page = await kim.types("server channel", channel=other)
    assert f"in <#{other.id}>" in page.text
    refusal = await ann.types("pond open")
    assert refusal.is_private
    assert refusal.text == f"On this server, open tables in <#{other.id}>."
    assert await world.tables.lists.open_tables() == ()
    assert (await ann.types("pond open", at=other)).text.startswith("### Table")
    await kim.types("server channel", channel=other, allowed=False)
    assert (await ann.types("pond open")).text.startswith("### Table")


async def test_a_thread_counts_with_its_channel(world: World) -> None:
    ann, kim = world.person("Ann"), moderator(world)
    await kim.types("server channel", channel=world.channel)
    assert (await ann.types("pond open", at=world.thread(ann))).text.startswith("### Table")


async def test_a_thread_cannot_be_named_where_tables_open(world: World) -> None:
    refusal = await moderator(world).types("server channel", channel=world.thread(world.person("Ann")))
    assert refusal.text.startswith("Tables can't open there.")


async def test_only_members_with_the_role_open_tables_but_anybody_can_join(world: World) -> None:
    ann, kim = world.person("Ann"), moderator(world)
    role = world.server.create_role("Hosts")
    host = Player(world, world.server.add_member(world.env.create_user("host", global_name="Hal"), roles=[role]))
    await kim.types("server openers", role=role)
    assert f"only members with <@&{role.id}> can open tables" in (await ann.types("pond open")).text
    lobby = await host.types("pond open")
    assert "**Ann**" in (await ann.clicks(lobby, "Join")).text
    assert (await kim.types("frogs open")).text.startswith("### Table")
    await kim.types("server openers")
    assert (await ann.types("frogs open")).text.startswith("### Table")


async def test_a_table_opens_with_the_clock_of_the_server_unless_another_is_chosen(world: World) -> None:
    ann, kim = world.person("Ann"), moderator(world)
    await kim.types("server clock", default="day")
    await ann.types("pond open")
    await ann.types("pond open", clock="none")
    assert [(await world.tables.table(number)).clock for number in (1, 2)] == ["day", "none"]


async def test_a_rematch_is_opened_only_by_whom_tables_are_but_joined_by_all_players(world: World) -> None:
    ann, kim = world.person("Ann"), moderator(world)
    role = world.server.create_role("Hosts")
    hal = Player(world, world.server.add_member(world.env.create_user("host", global_name="Hal"), roles=[role]))
    await started(ann, [hal], rounds=2)
    await kim.types("server openers", role=role)
    await fast_forward(world, lambda seen: seen.outcome is not None)
    for page in (ann.board, ann.hand):
        refusal = await ann.clicks(page, "Rematch")
        assert refusal.text.startswith(f"On this server, only members with <@&{role.id}> can open tables.")
    assert await world.tables.lists.open_tables() == ()
    assert (await hal.clicks(hal.hand, "Rematch")).text.startswith("The rematch is")
    assert (await ann.clicks(ann.hand, "Rematch")).text.startswith("The rematch is")
    (again,) = await world.tables.lists.open_tables()
    assert {sitter.user_id for sitter in again.sitters} == {ann.id, hal.id}


@pytest.mark.parametrize("in_thread", [False, True])
async def test_a_rematch_is_opened_only_in_allowed_channels(world: World, *, in_thread: bool) -> None:
    ann, ben, kim = *world.people(2), moderator(world)
    if in_thread:
        ann.home = ben.home = world.thread(ann)
    await started(ann, [ben], rounds=2)
    await kim.types("server channel", channel=world.server.create_text_channel("games"))
    await fast_forward(world, lambda seen: seen.outcome is not None)
    for page in (ann.board, ann.hand):
        assert (await ann.clicks(page, "Rematch")).text.startswith("On this server, open tables in")
    await kim.types("server channel", channel=world.channel)
    assert (await ann.clicks(ann.hand, "Rematch")).text.startswith("The rematch is")


async def test_a_rematch_is_opened_in_no_channel_where_each_table_gets_a_thread(world: World) -> None:
    ann, ben, kim = *world.people(2), moderator(world)
    await started(ann, [ben], rounds=2)
    await fast_forward(world, lambda seen: seen.outcome is not None)
    await kim.types("server threads", own=True)
    for page in (ann.board, ann.hand):
        assert "each table gets its own thread" in (await ann.clicks(page, "Rematch")).text
    assert await world.tables.lists.open_tables() == ()


async def test_each_table_is_played_in_its_own_thread(world: World) -> None:
    ann, ben = world.person("*Ann*"), world.person("Ben")
    kim = moderator(world)
    move_to_channel(world, ann, ben, kim, threads=True)
    await kim.types("server threads", own=True)
    answer = await ann.types("pond open", rounds=2)
    table = await world.tables.table(1)
    place = world.place(table.place.channel_id)
    assert f"is open in <#{place.id}>" in answer.text
    assert not answer.is_private
    assert world.env.backend.get_channel(place.id).name == "Pond · cards · *Ann*'s table"
    assert boards(ann) == []
    (lobby,) = boards(ann, place)
    ann.home = ben.home = place
    await ann.clicks(await ben.clicks(lobby, "Join"), "Start")
    assert "set a card aside." in ann.board.text


async def test_threads_of_an_announcement_channel_are_announcement_threads(world: World) -> None:
    """SimCord can't create them."""
    news, text = world.server.create_news_channel("news"), world.server.create_text_channel("text")
    channels = [world.bot.get_channel(each.id) for each in (news, text)]
    assert [thread_type(each) for each in channels if isinstance(each, discord.TextChannel)] == [
        discord.ChannelType.news_thread,
        discord.ChannelType.public_thread,
    ]


async def test_no_table_is_opened_without_the_permission_for_threads(world: World) -> None:
    ann, kim = world.person("Ann"), moderator(world)
    move_to_channel(world, ann, kim, threads=False)
    assert "permission Create Public Threads" in (await kim.types("server threads", own=True)).text
    answer = await ann.types("pond open")
    assert answer.is_private
    assert "I need Create Public Threads in this channel" in answer.text
    assert await world.tables.lists.open_tables() == ()


async def test_a_refused_table_leaves_no_thread(world: World) -> None:
    ann, kim = world.person("Ann"), moderator(world)
    move_to_channel(world, ann, kim, threads=True)
    await kim.types("server threads", own=True)
    before = len(world.env.backend.channels)
    assert "0 to 1 computers" in (await ann.types("pond open", players=2, computers=3)).text
    assert len(world.env.backend.channels) == before


async def test_moderators_can_close_any_table(world: World) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben])
    kim = moderator(world)
    assert "Close the table" not in (await ben.at_table()).labels
    asked = await kim.types("server close", table="1")
    assert "without a winner" in asked.text
    (stranger,) = await world.at_once((ben, asked.use("Close the table")))
    assert stranger is not None
    assert "Press **Vote to end**" in stranger.text
    asked = await kim.types("server close", table="1")  # the refusal has replaced the question
    assert "is closed" in (await kim.clicks(asked, "Close the table")).text
    assert (await world.tables.table(1)).status == "closed"
    assert "Closed by the moderator Kim." in ann.board.text


async def test_members_with_manage_messages_can_close_tables_in_the_channel(world: World) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben])
    kim = moderator(world, manage_messages=True)
    asked = await kim.clicks(await kim.clicks(kim.board, "More"), "Close the table")
    assert "is closed" in (await kim.clicks(asked, "Close the table")).text


async def test_settings_survive_a_restart(world: World) -> None:
    ann, kim = world.person("Ann"), moderator(world)
    other = world.server.create_text_channel("games")
    await kim.types("server channel", channel=other)
    await world.restart()
    assert "open tables in" in (await ann.types("pond open")).text


# ---- settings that name something deleted


async def test_settings_that_name_something_deleted_are_ignored_shown_and_cleared(world: World) -> None:
    ann, kim = world.person("Ann"), moderator(world)
    games, role = world.server.create_text_channel("games"), world.server.create_role("Hosts")
    await kim.types("server channel", channel=games)
    await kim.types("server openers", role=role)
    page = await kim.types("server looking", role=role)
    assert "ignored" not in page.text
    assert "Clear what's ignored" not in page.labels
    world.env.backend.delete_channel(games.id)
    world.env.backend.delete_role(world.server.id, role.id)
    page = await kim.types("server show")
    assert "**Tables open** everywhere ⚠ (#deleted, ignored)" in page.text
    assert "**Opened by** everyone ⚠ (@deleted, ignored)" in page.text
    assert "mentions nobody ⚠ (@deleted, ignored)" in page.text
    lobby = await ann.types("pond open", players=4)
    assert lobby.text.startswith("### Table")
    await ann.clicks(lobby, "Find players")
    assert not [seen for seen in ann.messages() if f"<@&{role.id}>" in seen.text]
    cleared = await kim.clicks(page, "Clear what's ignored")
    assert "ignored" not in cleared.text
    stored = await world.tables.servers.settings(world.server.id)
    assert (stored.channels, stored.role_id, stored.looking_role_id) == ((), None, None)
    (refusal,) = await world.at_once((ann, page.use("Clear what's ignored")))
    assert refusal is not None
    assert "need the permission Manage Server" in refusal.text


async def test_a_deleted_channel_beside_others_is_left_out_of_refusals(world: World) -> None:
    ann, kim = world.person("Ann"), moderator(world)
    gone, games = (world.server.create_text_channel(name) for name in ("gone", "games"))
    for channel in (gone, games):
        await kim.types("server channel", channel=channel)
    world.env.backend.delete_channel(gone.id)
    assert f"**Tables open** in <#{games.id}> ⚠ (#deleted, ignored)" in (await kim.types("server show")).text
    assert (await ann.types("pond open")).text == f"On this server, open tables in <#{games.id}>."


async def test_values_that_the_program_lacks_are_ignored_and_shown(world: World) -> None:
    ann, kim = world.person("Ann"), moderator(world)
    await world.tables.servers.save(Server(world.server.id, clock="moon", level="genius", language="tlh"))
    page = await kim.types("server show")
    assert "**Clock**: No clock. The host can pick another. ⚠ (moon, ignored)" in page.text
    assert "**Computers**: fair. The host can pick others. ⚠ (genius, ignored)" in page.text
    assert "**Language** same as on Discord ⚠ (tlh, ignored)" in page.text
    await ann.types("pond open", computers=1)
    table = await world.tables.table(1)
    assert (table.clock, table.level) == ("none", "fair")
    assert "ignored" not in (await kim.clicks(page, "Clear what's ignored")).text


async def test_saved_options_that_the_program_lacks_are_ignored(world: World) -> None:
    (ann,) = world.people(1)
    gone: dict[str, str | int] = {"rounds": 2, "wind": "north", "trap": "never"}
    await world.tables.option_sets.save(OptionSet("pond", "Old", gone, "moon", user_id=ann.id, level="genius"))
    assert list(await ann.completes("pond open", "options")) == ["Old"]
    lobby = await ann.types("pond open", options="old")
    assert "2 rounds" in lobby.text
    table = await world.tables.table(1)
    assert (table.options["rounds"], table.clock, table.level) == (2, "none", "fair")
    page = await ann.clicks_through(lobby, "Options", "Saved options")
    assert "**Old** 2 rounds (the rest is gone, and ignored)" in page.text
    await ann.picks(page, "1")
    assert "2 rounds" in ann.board.text


@pytest.mark.parametrize("kind", ["voice", "stage"])
async def test_tables_open_in_the_chat_of_voice_and_stage_channels(world: World, kind: str) -> None:
    ann, kim = world.person("Ann"), moderator(world)
    channel = getattr(world.server, f"create_{kind}_channel")("talk")
    assert f"in <#{channel.id}>" in (await kim.types("server channel", channel=channel)).text
    assert "open tables in" in (await ann.types("pond open")).text
    lobby = await ann.types("pond open", at=channel, computers=1)
    assert lobby.text.startswith("### Table")
    ann.home = channel
    await ann.clicks(lobby, "Start")
    assert "set a card aside." in ann.board.text


async def test_tables_open_in_the_posts_of_a_forum(world: World) -> None:
    ann, kim = world.person("Ann"), moderator(world)
    forum = world.server.create_forum_channel("boards")
    assert f"in <#{forum.id}>" in (await kim.types("server channel", channel=forum)).text
    post = world.place(world.env.backend.create_thread(forum.id, "an evening", ann.id).id)
    assert (await ann.types("pond open", at=post)).text.startswith("### Table")
    assert "open tables in" in (await ann.types("frogs open")).text


async def test_the_channel_command_offers_all_channels_with_a_chat_or_posts(world: World) -> None:
    command = next(each for each in await world.bot.tree.fetch_commands() if each.name == "server")
    group = next(each for each in command.options if each.name == "channel")
    assert isinstance(group, discord.app_commands.AppCommandGroup)
    offered = next(each for each in group.options if each.name == "channel")
    assert isinstance(offered, discord.app_commands.Argument)
    assert offered.channel_types == []
    kim = moderator(world)
    category = world.server.create_category("Games")
    refusal = await kim.types("server channel", channel=category)
    assert refusal.text == "Tables can't open there. Choose a channel with a chat, or one for posts."
