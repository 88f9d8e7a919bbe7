"""Players who leave the server before the game starts, and those who give up their seats in play."""

from tests.discord.play import Player, World
from tests.discord.tables import started_in
from tests.discord.test_lobby import seats

ASKED = "left this server. What about their seat at **Table"


def leaves_server(player: Player) -> None:
    player.world.server.remove_member(player.member)


async def lobby_of(people: list[Player]) -> None:
    """Open a full lobby of Pond with these people, the first as the host."""
    await people[0].types("pond open", players=len(people))
    for guest in people[1:]:
        await guest.clicks(guest.board, "Join")


async def status(world: World) -> str:
    return (await world.tables.table(1)).status


async def test_the_host_can_let_a_computer_play_for_a_player_who_left(world: World) -> None:
    ann, ben = people = world.people(2)
    await lobby_of(people)
    leaves_server(ben)
    question = await ann.clicks(ann.board, "Start")
    assert question.is_private
    assert f"**Ben** {ASKED}" in question.text
    assert question.labels == ["Play with a computer", "Remove them", "Start anyway"]
    assert await status(world) == "lobby"
    assert "has started" in (await ann.clicks(question, "Play with a computer")).text
    table = await world.tables.table(1)
    assert [sitter.is_computer for sitter in table.sitters] == [False, True]
    assert table.status == "playing"


async def test_the_host_can_remove_players_who_left_or_start_anyway(world: World) -> None:
    ann, ben, cleo, dan = people = world.people(4)
    await lobby_of(people)
    for player in (ben, cleo):
        leaves_server(player)
    refusal = await dan.clicks(dan.board, "Start")
    assert refusal.text == "Ben and Cleo left this server. The host can start without them."
    question = await ann.types("pond start")
    assert "**Ben and Cleo** left this server. What about their seats" in question.text
    assert "are free" in (await ann.clicks(question, "Remove them")).text
    assert await seats(world) == ["Ann", "Dan"]
    assert "2 seats are still free" in (await ann.types("pond start")).text
    leaves_server(dan)
    for _ in range(2):
        await ann.clicks(ann.board, "Add computer")
    asked = await ann.clicks(ann.board, "Start")
    assert "has started" in (await ann.clicks(asked, "Start anyway")).text
    assert await status(world) == "playing"


async def test_if_the_host_left_any_player_decides(world: World) -> None:
    ann, ben = people = world.people(2)
    await lobby_of(people)
    leaves_server(ann)
    question = await ben.clicks(ben.board, "Start")
    await ben.clicks(question, "Play with a computer")
    table = await world.tables.table(1)
    assert (table.status, table.host_id) == ("playing", ben.id)


async def test_nobody_is_asked_about_players_who_are_here_or_when_discord_fails(world: World) -> None:
    ann, ben = people = world.people(2)
    await lobby_of(people)
    world.breaks("GET", f"/guilds/{world.server.id}/members/{ben.id}", 500, times=None)
    await ann.clicks(ann.board, "Start")
    world.mends()
    assert await status(world) == "playing"


async def test_everyone_reads_who_gave_up_a_seat_and_who_plays_on_without_a_ping(world: World) -> None:
    ann, ben, cleo = people = world.people(3)
    await started_in("pontis", ann, [ben, cleo], players=3)
    before = [len(seen.pinged) for seen in ann.messages()]
    await ben.clicks(await ben.types("pontis resign"), "Resign")
    await world.wait(5)
    line = "-# Ben is out of the game. 🤖\N{NO-BREAK SPACE}{computer} plays on."
    computer = (await world.tables.table(1)).sitters[1].name
    for player in people:
        assert line.replace("{computer}", computer) in player.board.text
    assert sum(len(seen.pinged) for seen in ann.messages()) <= sum(before)
    await cleo.clicks(await cleo.types("pontis resign"), "Resign")
    await world.wait(5)
    assert "-# Ben and Cleo are out of the game. " in ann.board.text
    assert ann.board.text.count(" play on.") == 1


async def test_a_seat_that_is_kept_is_not_given_up(world: World) -> None:
    ann, ben = world.people(2)
    await started_in("pontis", ann, [ben], players=2)
    await ben.clicks(await ben.types("pontis resign"), "Let a computer play for me")
    await world.wait(5)
    assert "until they come back." in ann.board.text
    assert "out of the game" not in ann.board.text


async def test_the_message_that_a_computer_plays_goes_when_it_does_not_any_more(world: World) -> None:
    ann, ben = world.people(2)
    await started_in("pontis", ann, [ben], players=2)
    said = await ben.clicks(await ben.types("pontis resign"), "Let a computer play for me")
    assert said.text.startswith("A computer plays for you at **Table ")
    await world.wait(5)
    assert said.id in {seen.id for seen in ben.messages()}
    await ben.clicks(ben.board, "My hand")
    await world.wait(5)
    assert said.id not in {seen.id for seen in ben.messages()}
