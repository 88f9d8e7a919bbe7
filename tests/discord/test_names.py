"""Unusual names: they neither break a board nor ping anybody."""

import random
from typing import Final

import pytest
from msgspec.structs import replace

from bot.games import GAMES
from bot.ui.posts.names import name_of, seats_named
from tests.discord.play import Player, World
from tests.discord.tables import board_in_words, fast_forward, legal, play_on, started, started_in
from tests.posts import explains
from tests.recorded import table_of
from tests.waiting import until

NAMES = {
    "markdown": "**bold** _it_ ~~no~~ ||x||",
    "code": "`` ``` `code` # > -#",
    "everyone": "@everyone @here",
    "a link": "[free](https://evil.example)",
    "lines": "two\nlines\n# heading",
    "emoji": "🐸" * 32,
    "a family": "👨‍👩‍👧‍👦" * 4,
    "right to left": "\u202eevil\u2066x",
    "invisible": "\u200b\u200b",
    "underscores": "_" * 32,
    "stars": "*" * 32,
    "stacked accents": "Z\u0335\u0321\u0321\u0321\u0321\u0321\u0321\u0321\u0321a\u0340\u0340\u0340\u0340\u0340",
    "blanks": "\u3164\u2800\u115f",
    "a robot": "\N{ROBOT FACE} Moss",
}


def mentioning(player: Player) -> str:
    """Return a name that looks like a mention of the player."""
    return f"<@{player.id}> <@&1>"


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
async def test_boards_stay_intact_with_any_name(world: World, name: str) -> None:
    odd, ben = world.person(name), world.person("Ben")
    await started(odd, [ben], rounds=2)
    await fast_forward(world, lambda seen: seen.round == 1)
    await until(lambda: "round 2 of 2" in odd.board.text and "round 2 of 2" in ben.hand.text)
    for seen in (odd.board, odd.hand, ben.hand, await ben.types("tables"), await ben.clicks(ben.board, "My hand")):
        assert not seen.pinged
    lines = ben.board.text.splitlines()
    assert lines[0].startswith("### Table ")
    assert not [line for line in lines[1:] if line.startswith("#")]
    asked = await ben.types("pond resign")
    await ben.clicks(asked, "Resign")
    assert "🏆" in ben.board.text
    assert "Rematch" in ben.board.labels


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


SHOWN: Final = {
    "\u202eevil\u2066x": "**evilx**",
    "\u200b\u200b": "**Player 1**",
    "two\nlines": "**two lines**",
    "\u3164\u2800": "**Player 1**",
    "Zoe\u0308\u0335\u0335\u0335\u0335": "**Zoe\u0308\u0335**",
    "\N{ROBOT FACE}\N{ROBOT FACE} Moss": "**Moss**",
    "❤\ufe0f❤\ufe0f❤\ufe0f": "**❤\ufe0f❤\ufe0f❤\ufe0f**",
    "👨\u200d👩\u200d👧": "**👨\u200d👩\u200d👧**",
    "<@1>": "**\\<\\@1\\>**",
    "🐸" * 32: f"**{'🐸' * 23}…**",
}


async def test_names_are_shown_as_one_short_line_of_plain_text(world: World) -> None:
    for name, shown in SHOWN.items():
        lobby = await world.person(name).types("pond open")
        assert f"1. {shown} (host)\n" in lobby.text


async def test_a_board_of_four_is_complete_with_the_longest_names(world: World) -> None:
    players = [world.person(character * 32) for character in "*_`|"]
    await started(players[0], players[1:], players=4, rounds=2)
    await fast_forward(world, lambda seen: seen.round == 1)
    await world.env.settle()
    board = await board_in_words(world)
    assert "-# Everyone holds " in board
    assert not board.endswith("…")
    await fast_forward(world, lambda seen: seen.outcome is not None)
    await until(lambda: "🏆" in players[0].board.text)


async def test_names_are_nicknames_on_the_server(world: World) -> None:
    ann = world.person("Ann")
    world.env.backend.edit_member(world.server.id, ann.id, {"nick": "Queen of Frogs"})
    lobby = await ann.types("pond open")
    assert "**Queen of Frogs** (host)" in lobby.text


async def test_players_cannot_pose_as_computers(world: World) -> None:
    odd = world.person("\N{ROBOT FACE} Moss")
    lobby = await odd.types("pond open", computers=1)
    seats = [line for line in lobby.text.splitlines() if line[:2] in {"1.", "2."}]
    assert seats == ["1. **Moss** (host)", "2. **\N{ROBOT FACE}\N{NO-BREAK SPACE}Moss** (fair)"]
    await odd.clicks(lobby, "Start")
    assert "\N{ROBOT FACE}\N{NO-BREAK SPACE}Moss" in odd.board.text


def seats(text: str) -> list[str]:
    """Return the names in the text of a lobby by seat."""
    return [line.split("**")[1] for line in text.splitlines() if line[:1].isdecimal() and "**" in line]


BLANK: Final = (
    *(" ", "\u200b\u200d\ufe0f", "\u0301\u0308", "\u3164", "\u2800\u2800", "\u00ad\u2060", "\u3000\u00a0"),
    *("\N{ROBOT FACE}", "\N{ROBOT FACE}\ufe0f", "\u034f", "\U0001d159", "\U000e0101", "\u180b", "\u2065", "\u20dd"),
)
"""Names without visible characters."""


async def test_a_name_without_visible_characters_becomes_player_n(world: World) -> None:
    for name in BLANK:
        ann, blank_1, blank_2 = world.person("Ann"), world.person(name), world.person(name)
        await ann.types("pontis open", players=3)
        await blank_1.clicks(ann.board, "Join")
        await blank_2.clicks(ann.board, "Join")
        assert seats(ann.board.text) == ["Ann", "Player 2", "Player 3"], name


EQUAL: Final = {
    ("Ann", "Ann", "Ann"): ["Ann", "Ann (2)", "Ann (3)"],
    ("Ann", "ANN", "\uff21\uff4e\uff4e"): ["Ann", "ANN (2)", "\uff21\uff4e\uff4e (3)"],
    ("Ann", "A\u200bnn", "Ann\ufe0f"): ["Ann", "Ann (2)", "Ann\ufe0f (3)"],
    ("Ann", "A\u200dnn", " Ann "): ["Ann", "A\u200dnn (2)", "Ann (3)"],
    ("Ann (2)", "Ann", "Ann"): ["Ann \\(2\\)", "Ann", "Ann (3)"],
    ("Ann", "Ann", "Ann (2)"): ["Ann", "Ann (2)", "Ann \\(2\\) (2)"],
    ("Zoe\u0308", "Zo\u00eb", "Zoe"): ["Zoe\u0308", "Zo\u00eb (2)", "Zoe"],
    ("stra\u00dfe", "STRASSE", "Ben"): ["stra\u00dfe", "STRASSE (2)", "Ben"],
    ("\u3164", "Player 1", "Ben"): ["Player 1", "Player 1 (2)", "Ben"],
    ("\N{ROBOT FACE}Ann", "Ann", "Ben"): ["Ann", "Ann (2)", "Ben"],
    ("x" * 32, "x" * 30, "x" * 24): ["x" * 23 + "\u2026", "x" * 19 + "\u2026 (2)", "x" * 24],
}
"""Names of a host and two guests, and how they are shown."""


async def test_equal_names_at_a_table_get_different_suffixes(world: World) -> None:
    for names, shown in EQUAL.items():
        host, *guests = [world.person(name) for name in names]
        await host.types("pontis open", players=4, computers=1)
        for guest in guests:
            await guest.clicks(host.board, "Join")
        assert seats(host.board.text) == [*shown, "\N{ROBOT FACE}\N{NO-BREAK SPACE}Moss"], names


async def test_a_seat_has_the_same_name_on_boards_and_hands(world: World) -> None:
    one, two = world.person("Ann"), world.person("Ann")
    await started(one, [two], rounds=2)
    table = await world.tables.table(1)
    await play_on(world, [one, two], lambda seen: seen.phase == "bait")
    (turn,) = await world.tables.whose_turn(table)
    mover, other = (one, two) if turn == one.id else (two, one)
    name = "Ann" if mover is one else "Ann (2)"
    assert f"\n**{name}**: " in mover.board.text
    assert f"Waiting for **{name}**" in (await other.clicks(other.board, "My hand")).text
    assert all(each in mover.board.text for each in ("Ann ", "Ann (2)"))


async def test_a_mark_distinguishes_a_computer_from_a_player_of_its_name(world: World) -> None:
    ann, moss = world.person("Ann"), world.person("Moss")
    await ann.types("pontis open", players=4, computers=2)
    await moss.clicks(ann.board, "Join")
    shown = ["Ann", "Moss", "\N{ROBOT FACE}\N{NO-BREAK SPACE}Fern", "\N{ROBOT FACE}\N{NO-BREAK SPACE}Moss"]
    assert sorted(seats(ann.board.text)) == sorted(shown)


# ---- naming a player in a command


async def play_until_a_liar_call(world: World, people: list[Player]) -> tuple[Player, str]:
    """Play Pontis at random until a player can call another a liar. Return that player and the move."""
    rng, by_id = random.Random(7), {player.id: player for player in people}
    for _ in range(300):
        for player in people:
            calls = [move for move in await legal(world, player) if move.startswith("liar")]
            if calls:
                return player, calls[0]
        (turn,) = await world.tables.whose_turn(await world.tables.table(1))
        await by_id[turn].types("pontis move", move=rng.choice(await legal(world, by_id[turn])))
    raise AssertionError("nobody faked")


async def test_an_ambiguous_name_in_a_liar_call_asks_which_player_is_meant(world: World) -> None:
    people = [world.person(name) for name in ("Ann", "Ann", "Ben", "Ann")]
    await started_in("pontis", people[0], people[1:], fake="on", liar="on")
    caller, move = await play_until_a_liar_call(world, people)
    asked = await caller.types("pontis liar", player="ann")
    assert asked.text == "Which player do you mean: **Ann** (seat 1), **Ann (2)** (seat 2) or **Ann (3)** (seat 4)?"
    assert asked.labels == ["Ann", "Ann (2)", "Ann (3)"]
    offered = await caller.completes("pontis liar", "player")
    seat = int(move.split()[1])
    wanted = {0: "Ann", 1: "Ann (2)", 2: "Ben", 3: "Ann (3)"}[seat]
    assert offered == {str(seat + 1): f"Call {wanted} a liar"}
    if wanted != "Ben":
        await caller.clicks(asked, wanted)
    else:
        await caller.types("pontis liar", player="Ben")
    log = (await world.tables.transcript(1, unfinished=True)).entries
    assert move in [entry.move for entry in log[-4:]]


async def test_a_suffix_or_a_number_identifies_a_player(world: World) -> None:
    people = [world.person(name) for name in ("Ann", "Ann")]
    await started_in("pontis", people[0], people[1:], players=2, fake="on", liar="on")
    for typed in ("Ann (2)", "ann  (2)", "\uff21nn (2)", "2"):
        refused = await people[0].types("pontis liar", player=typed)
        assert "Which player" not in refused.text, typed
        assert "nobody called" not in refused.text, typed


async def test_an_unknown_name_is_refused_and_leads_to_its_ruling(world: World) -> None:
    people = world.people(2)
    await started_in("pontis", people[0], people[1:], players=2, fake="on", liar="on")
    for typed in ("Zoe", "\u200b", "0", "3", "7"):
        refused = await people[0].types("pontis liar", player=typed)
        assert "nobody called" in refused.text
        assert explains((await people[0].clicks(refused, "Why?")).text, "PT-25")


async def test_boards_show_long_names_shortened_and_other_pages_in_full(world: World) -> None:
    people = [world.person(name) for name in ("Wolfeschlegelsteinhausen", "Ben", "Cleo", "Dan")]
    await started(people[0], people[1:], players=4)
    await people[0].picks(people[0].hand, next(iter(people[0].hand.moves)))
    assert "Wolfesch…" in people[1].board.text
    assert "Wolfeschl" not in people[1].board.text + people[1].hand.text
    more = await people[1].clicks(people[1].board, "More")
    assert "Wolfeschlegelsteinhausen" in (await people[1].clicks(more, "What happened")).text


def test_a_typed_number_is_that_of_the_seat_as_people_see_it() -> None:
    table = table_of(GAMES["pond"], GAMES["pond"].settle({"players": 4}), 1)
    assert [seats_named(table, str(number)) for number in range(6)] == [(), (0,), (1,), (2,), (3,), ()]


def test_a_computers_mark_can_be_typed_or_left_out() -> None:
    table = table_of(GAMES["pond"], GAMES["pond"].settle({}), 1)
    table = replace(table, sitters=(table.sitters[0], replace(table.sitters[1], name="Moss", user_id=None)))
    assert name_of(table, 1) == "\N{ROBOT FACE}\N{NO-BREAK SPACE}Moss"
    for typed in ("Moss", "moss", "\N{ROBOT FACE} Moss", name_of(table, 1)):
        assert seats_named(table, typed) == (1,)


def rename(player: Player, *, nick: str | None = None) -> None:
    """Give the player another name on the server."""
    backend = player.world.env.backend
    backend.get_guild(player.world.server.id).members[player.id].nick = nick


async def test_a_new_name_is_shown_after_the_next_move_and_transcripts_keep_the_first(world: World) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben])
    rename(ann, nick="Annika")
    assert "Annika" not in ann.board.text
    await ann.types("pond move", move=(await legal(world, ann))[0])
    assert "Annika" in ann.board.text
    assert "Ann" not in ann.board.text.replace("Annika", "")
    table = await world.tables.table(1)
    assert [sitter.name for sitter in table.sitters] == ["Annika", "Ben"]
    assert table.names == ("Ann", "Ben")
    kept = await world.tables.personal_data.kept(ann.id)
    assert [(seat["name"], seat["started_as"]) for seat in kept["seats"]] == [("Annika", "Ann")]
    assert "seats_left" not in kept


async def test_a_new_name_is_shown_in_the_lobby_with_the_next_press(world: World) -> None:
    ann, ben = world.people(2)
    await ann.types("pond open")
    await ben.clicks(ben.board, "Join")
    rename(ben, nick="Benny")
    await ben.clicks(ben.board, "Options")
    await world.env.settle()
    assert "Benny" in ann.board.text
    await ann.clicks(ann.board, "Start")
    assert (await world.tables.table(1)).names == ("Ann", "Benny")


async def test_the_name_on_the_server_stays_when_a_move_comes_from_direct_messages(world: World) -> None:
    ann, ben = world.people(2)
    rename(ann, nick="Annika")
    await started(ann, [ben])
    await ann.picks(ann.hand, (await legal(world, ann))[0])
    assert [sitter.name for sitter in (await world.tables.table(1)).sitters] == ["Annika", "Ben"]
