"""Slash commands: autocomplete, refusals, and the choice of a table."""

from typing import Any, Final

import discord
import pytest
from discord import app_commands
from simcord.enums import InteractionType

from bot.texts.rules_pages import MARK
from bot.ui.autocomplete import matching
from tests.discord.forged import Forger
from tests.discord.play import Player, World
from tests.discord.tables import (
    fast_forward,
    legal,
    pair,
    play_on,
    public,
    started,
    started_in,
)
from tests.discord.test_server import moderator
from tests.discord.watch import cards_in, heard_in
from tests.posts import explains

LONGEST_OPTION: Final = 6000
"""The longest text that Discord lets people type for an option."""


async def baiting(world: World) -> tuple[Player, Player]:
    """Start a table of two and play to the first bait. Return the player to move, and the other."""
    ann, ben = await pair(world)
    await play_on(world, [ann, ben], lambda seen: seen.phase == "bait")
    return (ann, ben) if await legal(world, ann) else (ben, ann)


# ---- autocomplete


async def test_move_offers_exactly_the_legal_moves(world: World) -> None:
    ann, ben = await pair(world)
    for phase in ("profit", "bait", "trap", "play"):
        await play_on(world, [ann, ben], lambda seen, phase=phase: seen.phase == phase)  # type: ignore[misc]  # the lambda's default
        for player in (ann, ben):
            assert sorted(await player.completes("pond move", "move")) == await legal(world, player)


async def test_typing_narrows_the_offered_moves(world: World) -> None:
    mover, _ = await baiting(world)
    moves = await legal(world, mover)
    spades = await mover.completes("pond move", "move", "♠")
    assert set(spades) == {move for move in moves if move.endswith("S")}
    assert await mover.completes("pond move", "move", moves[0].upper()) == {
        moves[0]: (await mover.completes("pond move", "move"))[moves[0]]
    }
    assert await mover.completes("pond move", "move", "checkmate") == {}


async def test_at_most_25_moves_are_offered_and_typing_finds_the_rest(world: World) -> None:
    mover, _ = await baiting(world)
    many = [(f"Move {number}", f"m{number}") for number in range(40)]
    assert len(matching("", many)) == 25
    assert [choice.value for choice in matching("m39", many)] == ["m39"]
    assert len(await mover.completes("pond move", "move")) == 15


async def test_each_command_offers_only_its_legal_values(world: World) -> None:
    ann, ben = await pair(world)
    assert await ann.completes("pond play", "card") == {}
    assert await ann.completes("pond award", "to") == {}
    signals = await ann.completes("pond profit", "card")
    assert [f"profit {card}" for card in signals] == await legal(world, ann)
    await play_on(world, [ann, ben], lambda seen: seen.phase == "bait")
    for player in (ann, ben):
        assert await player.completes("pond profit", "card") == {}
        assert [f"bait {card}" for card in await player.completes("pond play", "card")] == await legal(world, player)


@pytest.mark.parametrize(
    ("command", "typed", "other", "offered"),
    [
        pytest.param("server daily", ("timezone", "berl"), (7, "channel", "81"), "Europe/Berlin", id="an id alone"),
        pytest.param("pond join", ("table", ""), (4, "seat", "tw"), "1", id="half a number"),
    ],
)
async def test_autocomplete_needs_nothing_that_discord_leaves_out(
    world: World, command: str, typed: tuple[str, str], other: tuple[int, str, str], offered: str
) -> None:
    """Discord neither resolves nor validates the other options then: a channel is only its id."""
    kim = moderator(world)
    await kim.types("pond open")
    name, below = command.split()
    given: list[dict[str, Any]] = [
        dict(zip(("type", "name", "value"), other, strict=True)),
        {"type": 3, "name": typed[0], "value": typed[1], "focused": True},
    ]
    registered = world.env.backend.find_command(name, None)
    assert registered is not None
    options = [{"type": 1, "name": below, "options": given}]
    data = {"id": registered["id"], "name": name, "type": 1, "options": options}
    sent = await Forger(world, kim, kim.home).sends(InteractionType.APPLICATION_COMMAND_AUTOCOMPLETE, data)
    assert [choice["value"] for choice in sent.autocomplete_choices or ()] == [offered]


async def test_a_tied_trick_can_be_awarded_to_a_player_called_1(world: World) -> None:
    two, one = world.person("2"), world.person("1")
    await started(two, [one], rounds=4)
    await fast_forward(world, lambda seen: seen.phase == "award" or seen.outcome is not None)
    seen = await public(world)
    assert seen.phase == "award", "use another seed, with a tied trick"
    leader = two if await legal(world, two) else one
    offered = await leader.completes("pond award", "to")
    assert offered == {"1": "2 takes the trick", "2": "1 takes the trick"}
    await leader.types("pond award", to="2")
    entries = (await world.tables.transcript(1, unfinished=True)).entries
    assert entries[-1].move == "award 1"


async def test_a_watcher_is_offered_nothing(world: World) -> None:
    await pair(world)
    watcher = world.person("Cleo")
    for command, option in (
        ("pond move", "move"),
        ("pond profit", "card"),
        ("pond play", "card"),
        ("pond award", "to"),
    ):
        assert await watcher.completes(command, option) == {}
        assert await watcher.completes(command, option, table="1") == {}
        assert await watcher.completes(command, option, table="no such table") == {}


async def test_autocomplete_never_names_cards_of_another_player(world: World) -> None:
    mover, other = await baiting(world)
    sight = await world.tables.look(1, mover.id)
    known = cards_in(repr(sight.observation))
    for command, option in (("pond move", "move"), ("pond play", "card"), ("pond profit", "card")):
        for at in (mover.home, mover.dm):
            assert cards_in(repr(await mover.completes(command, option, at=at))) <= known
        assert await other.completes(command, option, table="1") == {}


async def test_the_table_option_offers_own_tables_and_those_in_the_channel(world: World) -> None:
    ann, ben, cleo = world.people(3)
    await started(ann, [ben])
    await ann.types("pond open")
    names = [(await world.tables.table(number)).name for number in (1, 2)]
    wanted = {"1": f"{names[0]} (number 1, in play)", "2": f"{names[1]} (number 2, in the lobby)"}
    assert await ann.completes("pond hand", "table") == wanted
    assert await cleo.completes("pond join", "table") == wanted
    assert await cleo.completes("pond join", "table", at=cleo.dm) == {}


# ---- refusals


REFUSED: Final = {
    "pass": "PC-17",
    "play 2H": "PC-17",
    "award 1": "PC-",
    "profit 2H": "PC-",
    "bait XX": "",
    "castle": "",
}
"""Moves that can't be made before the bait is laid, each with the beginning of a ruling."""


async def test_a_refused_move_leads_to_its_ruling_and_is_private(world: World) -> None:
    mover, other = await baiting(world)
    version = (await world.tables.table(1)).version
    for move, ruling in REFUSED.items():
        answer = await mover.types("pond move", move=move)
        assert answer.is_private
        assert "-" not in answer.text
        if ruling:
            assert MARK in (await mover.clicks(answer, "Why?")).text, move
        assert "went wrong" not in answer.text
        assert (await world.tables.table(1)).version == version
        assert answer.id not in {seen.id for seen in other.messages()}


async def test_a_trap_by_a_player_who_does_not_lead_is_refused_by_pc_18(world: World) -> None:
    mover, other = await baiting(world)
    await play_on(world, [mover, other], lambda seen: seen.phase == "trap")
    follower = other if await legal(world, mover) else mover
    await follower.types("settings", hands="text")
    held = (await follower.types("pond hand")).text
    card = min(heard_in(held))
    await follower.types("settings", hands="pictures")
    answer = await follower.types("pond move", move=f"trap {card}")
    assert answer.is_private
    assert explains((await follower.clicks(answer, "Why?")).text, "PC-18")


async def test_cards_may_be_typed_in_other_spellings(world: World) -> None:
    mover, _ = await baiting(world)
    wish = (await legal(world, mover))[0]
    card = wish.split()[1]
    await mover.types("pond play", card=card.lower().replace("t", "10"))
    entries = (await world.tables.transcript(1, unfinished=True)).entries
    assert entries[-1].move == wish


async def test_users_without_a_table_learn_how_to_begin(world: World) -> None:
    (ann,) = world.people(1)
    for command in ("pond hand", "pond pass", "pond start", "pond leave", "pond resign", "pond won"):
        answer = await ann.types(command)
        assert answer.text == "You're not in a game of Pond · cards. Open or join one."
        assert answer.is_private
    assert "Open one." in (await ann.types("pond join")).text
    assert "You're not in a game" in (await ann.types("tables")).text


async def test_an_unknown_table_is_refused(world: World) -> None:
    ann, _ = await pair(world)
    for ref in ("99", "#99", "Nowhere", "Table Nowhere", "0", "-1", "9" * 30, "1; DROP TABLE tables"):
        answer = await ann.types("pond hand", table=ref)
        assert answer.text.startswith("There's no table "), ref
        assert answer.is_private


# ---- which table


async def test_tables_can_be_given_by_number_or_name(world: World) -> None:
    ann, _ = await pair(world)
    await ann.types("pond open")
    name = (await world.tables.table(1)).name
    for ref in ("1", "#1", name, name.lower(), f"Table {name}", f" table {name.upper()} "):
        assert f"Your hand · Table {name}" in (await ann.types("pond hand", table=ref)).text


async def test_players_of_several_tables_choose_from_a_private_list(world: World) -> None:
    ann, ben = await pair(world)
    await ann.types("pond open")
    await ben.types("pond join")
    await ann.types("pond start", table="2")
    answer = await ann.types("pond move", move="pass")
    assert answer.is_private
    assert "You're in several games" in answer.text
    one, two = [await world.tables.table(number) for number in (1, 2)]
    names = {one.key: one.name, two.key: two.name}
    assert answer.options == names
    shown = await ann.picks(answer, two.key)
    assert shown.is_private
    assert f"Your hand · Table {two.name}" in shown.text
    await ann.picks(shown, next(iter(shown.moves)))
    assert await legal(world, ann, 1)
    assert await legal(world, ann, 2) == []


async def test_a_player_at_several_tables_picks_the_one_whose_board_to_see(world: World) -> None:
    ann, ben = await pair(world)
    await started(ann, [ben], rounds=2)
    asked = await ann.types("pond board")
    one, two = [await world.tables.table(number) for number in (1, 2)]
    names = {one.key: one.name, two.key: two.name}
    assert (asked.is_private, asked.options) == (True, names)
    shown = await ann.picks(asked, two.key)
    assert shown.is_private
    assert shown.text == (await ann.types("pond board", table="2")).text
    assert two.name in shown.text


async def test_a_player_at_several_tables_picks_the_one_whose_chips_to_see(world: World) -> None:
    (ann,) = world.people(1)
    for _ in range(2):
        await started_in("potblack", ann, computers=3)
    asked = await ann.types("potblack chips")
    two = await world.tables.table(2)
    assert asked.options[two.key] == two.name
    shown = await ann.picks(asked, two.key)
    assert shown.is_private
    assert shown.text.startswith(f"### What happened · Table {two.name}")


async def test_a_table_in_play_takes_precedence_over_a_lobby(world: World) -> None:
    ann, _ = await pair(world)
    await ann.types("pond open")
    name = (await world.tables.table(1)).name
    assert f"Your hand · Table {name}" in (await ann.types("pond hand")).text


async def test_a_command_in_a_direct_message_means_the_only_table(world: World) -> None:
    ann, ben = await pair(world)
    await ann.types("pond move", at=ann.dm, move=(await legal(world, ann))[0])
    assert await legal(world, ann) == []
    assert (await ben.types("pond hand", at=ben.dm)).moves


# ---- what phones and pasting add


async def test_moves_and_tables_are_read_however_a_phone_writes_them(world: World) -> None:
    mover, other = await baiting(world)
    move = (await legal(world, mover))[0]
    name = (await world.tables.table(1)).name
    verb, card = move.split()
    pasted = f"\ufeff“{verb.title()}s”\u00a0{card[0]}\u2060{'♠️♥️♦️♣️'['SHDC'.index(card[1]) * 2 :][:2]}. "
    await mover.types("pond move", move=pasted, table=f"\u200b`ｔable\u00a0{name}`. ")
    entries = (await world.tables.transcript(1, unfinished=True)).entries
    assert entries[-1].move == move
    assert "Your hand" in (await other.types("pond hand", table="＃１.")).text


async def test_a_refusal_never_suggests_what_was_typed(world: World) -> None:
    mover, _ = await baiting(world)
    move = (await legal(world, mover))[0]
    refusal = await mover.types("pond move", move="play chess")
    assert f"You could play: {move}." in refusal.text
    assert "You could play" not in (await mover.types("pond move", move=f"{move.replace('a', 'а')}\u200b?")).text
    assert "There's no table" in (await mover.types("pond hand", table="“Nessie”")).text


async def test_a_refusal_quotes_at_most_the_beginning_of_a_long_text(world: World) -> None:
    ann = moderator(world)
    await started(ann, world.people(1), rounds=2)
    commands = [each for each in world.bot.tree.walk_commands() if isinstance(each, app_commands.Command)]
    asked = 0
    for command in commands:
        texts = [each for each in command.parameters if each.type is discord.AppCommandOptionType.string]
        free = [each.display_name for each in texts if not each.choices and each.max_value is None]
        if free and all(each.display_name in free for each in command.parameters if each.required):
            given: dict[str, Any] = dict.fromkeys(free, "x" * LONGEST_OPTION)
            answer = await ann.types(command.qualified_name, **given)
            assert len(answer.text) <= 1000
            asked += 1
    assert asked > 20
