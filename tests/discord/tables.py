"""Games at a table on the simulated Discord: start them, play on, and look at what the bot knows of them."""

from collections.abc import Callable, Sequence
from typing import Any

from discord import app_commands

from bot.games.pond.state import Observation
from bot.ui.posts.pictures import in_words
from tests.discord.play import Player, World
from tests.discord.seen import Seen
from tests.going_on import go_on
from tests.posts import paragraphs_of


async def started(host: Player, guests: Sequence[Player] = (), **options: Any) -> Seen:
    """Start a table of Pond · cards with these people and return its board. ``options`` are those of ``open``."""
    return await started_in("pond", host, guests, **options)


async def opened_in(group: str, host: Player, **options: Any) -> Seen:
    """Open a table and return its lobby. Options that the command doesn't have are chosen there."""
    commands = host.world.bot.tree.get_command(group)
    assert isinstance(commands, app_commands.Group)
    command = commands.get_command("open")
    assert isinstance(command, app_commands.Command)
    offered = {parameter.name for parameter in command.parameters}
    lobby = await host.types(f"{group} open", **{key: options[key] for key in options if key in offered})
    rare = {key: value for key, value in options.items() if key not in offered}
    page = await host.clicks(lobby, "Options") if rare else lobby
    for key, value in rare.items():
        page = await host.chooses(page, key, str(value))
    return host.now(lobby)


async def started_in(group: str, host: Player, guests: Sequence[Player] = (), **options: Any) -> Seen:
    """Start a table of the game with this group of commands and return its board."""
    lobby = await opened_in(group, host, **options)
    for guest in guests:
        lobby = await guest.clicks(lobby, "Join")
    return await host.clicks(lobby, "Start")


async def play_on(
    world: World, players: Sequence[Player], until: Callable[[Observation], bool], table_id: int = 1
) -> None:
    """Play the first legal move each time until the public observation satisfies the condition."""
    by_id = {player.id: player for player in players}
    while not until(await public(world, table_id)):
        user = (await world.tables.whose_turn(await world.tables.table(table_id)))[0]
        move = (await legal(world, by_id[user], table_id))[0]
        await by_id[user].types("pond move", move=move, table=str(table_id))


async def pair(world: World) -> tuple[Player, Player]:
    """Start a table with Ann and Ben."""
    ann, ben = world.people(2)
    await started(ann, [ben])
    return ann, ben


async def absent_and_others(world: World, people: list[Player], **options: object) -> tuple[Player, list[Player]]:
    """Start a table of Pond and play to the first bait. Return the player to move, and the others."""
    await started(people[0], people[1:], **options)
    await play_on(world, people, lambda seen: seen.phase == "bait")
    (turn,) = await world.tables.whose_turn(await world.tables.table(1))
    return next(p for p in people if p.id == turn), [p for p in people if p.id != turn]


async def fast_forward(world: World, until: Callable[[Observation], bool], table_id: int = 1) -> None:
    """Play the first legal move each time without commands, and wait until the bot has shown what came of it."""
    while not until(await public(world, table_id)):
        user = (await world.tables.whose_turn(await go_on(world.tables, table_id)))[0]
        move = str((await world.tables.look(table_id, user)).observation.legal[0])
        await world.tables.play(table_id, user, move)
    await world.bot.live.refresh(table_id)
    await world.env.settle()


async def public(world: World, table_id: int = 1) -> Observation:
    """Return the public observation of a table."""
    observation = (await world.tables.look(table_id)).observation
    assert isinstance(observation, Observation)
    return observation


async def is_up_to_date(world: World, player: Player) -> bool:
    """Return whether the board in the channel is up to date, with its picture or in words."""
    post = await world.bot.live.drawings.board(await world.tables.snapshot(1))
    return any(player.board.text.startswith("\n".join(paragraphs_of(each))) for each in (post, in_words(post)))


async def board_in_words(world: World, table_id: int = 1) -> str:
    """Return the text of the public board where its picture can't be shown."""
    post = in_words(await world.bot.live.drawings.board(await world.tables.snapshot(table_id)))
    return "\n".join(post.paragraphs)


async def legal(world: World, player: Player, table_id: int = 1) -> list[str]:
    """Return the player's legal moves."""
    sight = await world.tables.look(table_id, player.id)
    return [str(move) for move in sight.observation.legal]


def pings(world: World) -> list[list[int]]:
    """Return the users pinged by each message of the bot that pings."""
    posts = [each for each in world.env.http_requests if each.method == "POST" and each.path.endswith("/messages")]
    asked = [(post.json or {}).get("allowed_mentions", {}).get("users") for post in posts]
    return [users for users in asked if users]
