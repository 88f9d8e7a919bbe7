"""Names as people choose them: they break no board and call nobody."""

import pytest

from tests.discord.play import Player, World, play_on, started

NAMES = {
    "markdown": "**bold** _it_ ~~no~~ ||x||",
    "code": "`` ``` `code` # > -#",
    "everyone": "@everyone @here",
    "a link": "[free](https://evil.example)",
    "lines": "two\nlines\n# heading",
    "emoji": "🐸" * 32,
    "a family": "👨‍👩‍👧‍👦" * 4,
    "right to left": "\u202eevil\u2066x",
    "nothing to see": "\u200b\u200b",
    "underscores": "_" * 32,
    "stars": "*" * 32,
    "heaped accents": "Z\u0335\u0321\u0321\u0321\u0321\u0321\u0321\u0321\u0321a\u0340\u0340\u0340\u0340\u0340",
    "blanks": "\u3164\u2800\u115f",
    "a robot": "\N{ROBOT FACE} Computer Moss",
}


def mentioning(player: Player) -> str:
    """A name that looks like a mention of somebody."""
    return f"<@{player.id}> <@&1>"


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
async def test_a_game_under_any_name_keeps_its_boards(world: World, name: str) -> None:
    odd, ben = world.person(name), world.person("Ben")
    await started(odd, [ben], rounds=2)
    await play_on(world, [odd, ben], lambda seen: seen.round == 1)
    for seen in (odd.board, odd.hand, ben.hand, await ben.types("tables"), await ben.clicks(ben.board, "Play")):
        assert not seen.pinged
    lines = ben.board.text.splitlines()
    assert lines[0].startswith("### Table ")
    assert not [line for line in lines[1:] if line.startswith("#")]
    asked = await ben.types("pond resign")
    await ben.clicks(asked, "Resign")
    assert "Seed `" in ben.board.text
    assert "Transcript" in ben.board.labels


async def test_a_name_that_looks_like_a_mention_pings_nobody(world: World) -> None:
    victim = world.person("Cleo")
    odd, ben = world.person(mentioning(victim)), world.person("@everyone")
    await started(odd, [ben], rounds=2)
    pinged = set()
    for _ in range(8):
        await world.wait(100)
        await victim.says("…")
        turn = await world.tables.whose_turn(await world.tables.table(1))
        player = odd if odd.id in turn else ben
        await player.picks(player.hand, next(iter(player.hand.moves)))
        pinged |= {user for seen in victim.messages() for user in seen.pinged}
    assert pinged == {odd.id, ben.id}
    everyone = [message.mention_everyone for message in world.env.backend.messages[world.channel.id].values()]
    assert not any(everyone)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("\u202eevil\u2066x", "**evilx** (host)"),
        ("\u200b\u200b", "**?** (host)"),
        ("two\nlines", "**two lines** (host)"),
        ("\u3164\u2800", "**?** (host)"),
        ("Zoe\u0308\u0335\u0335\u0335\u0335", "**Zoe\u0308\u0335** (host)"),
        ("\N{ROBOT FACE}\N{ROBOT FACE} Computer Moss", "**Computer Moss** (host)"),
        ("❤\ufe0f❤\ufe0f❤\ufe0f", "**❤\ufe0f❤\ufe0f❤\ufe0f** (host)"),
        ("👨\u200d👩\u200d👧", "**👨\u200d👩\u200d👧** (host)"),
        ("<@1>", "**\\<\\@1\\>** (host)"),
        ("🐸" * 32, f"**{'🐸' * 23}…** (host)"),
    ],
)
async def test_a_name_is_shown_as_one_short_line_of_plain_text(world: World, name: str, shown: str) -> None:
    odd = world.person(name)
    lobby = await odd.types("pond open")
    assert f"1. {shown}\n" in lobby.text


async def test_the_longest_names_leave_a_board_of_four_whole(world: World) -> None:
    players = [world.person(character * 32) for character in "*_`|"]
    await started(players[0], players[1:], players=4, rounds=2)
    await play_on(world, players, lambda seen: seen.round == 1)
    board = players[0].board
    assert "**Totals**" in board.text
    assert not board.text.endswith("…")
    await play_on(world, players, lambda seen: seen.outcome is not None)
    assert "Seed `" in players[0].board.text


async def test_a_name_is_the_one_on_this_server(world: World) -> None:
    ann = world.person("Ann")
    world.env.backend.edit_member(world.server.id, ann.id, {"nick": "Queen of Frogs"})
    lobby = await ann.types("pond open")
    assert "**Queen of Frogs** (host)" in lobby.text


async def test_nobody_passes_for_a_computer(world: World) -> None:
    odd = world.person("\N{ROBOT FACE} Computer Moss")
    lobby = await odd.types("pond open", computers=1)
    seats = [line for line in lobby.text.splitlines() if line[:2] in {"1.", "2."}]
    assert seats == ["1. **Computer Moss** (host)", "2. **\N{ROBOT FACE} Computer Moss**"]
    await odd.clicks(lobby, "Start")
    assert "\N{ROBOT FACE} Computer Moss" in odd.board.text
