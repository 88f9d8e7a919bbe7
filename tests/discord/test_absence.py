"""Absent players: reminders, quiet hours, what the others can do, live clocks, and how tables end."""

from tests.discord.play import LEAVING, World
from tests.discord.tables import absent_and_others, fast_forward, legal, pings, started, started_in

HOUR = 3600.0
DAY = 24 * HOUR


async def whose_turn(world: World) -> tuple[int, ...]:
    """Return the users to move at Table 1."""
    return await world.tables.whose_turn(await world.tables.table(1))


# ---- reminders


async def test_reminders_become_rarer_and_stop(world: World) -> None:
    absent, _ = await absent_and_others(world, world.people(2))
    counts = []
    for hours in (3, 2, 18, 2, 48, 96, 24):
        await world.wait(hours * HOUR)
        counts.append(len(pings(world)))
    assert counts == [0, 1, 1, 2, 3, 4, 4]
    assert pings(world) == [[absent.id]] * 4


async def test_a_reminder_waits_for_the_end_of_quiet_hours(world: World) -> None:
    absent, _ = await absent_and_others(world, world.people(2))
    assert world.env.now().hour == 0
    page = await absent.types("settings", quiet="2:00-8:00", timezone="0")
    assert "02:00–08:00" in page.text
    await world.wait(6 * HOUR)
    assert pings(world) == []
    await world.wait(2 * HOUR)
    assert pings(world) == [[absent.id]]


async def test_players_who_turn_pings_off_get_neither_pings_nor_reminders(world: World) -> None:
    mover, (other,) = await absent_and_others(world, world.people(2))
    page = await other.types("settings")
    page = await other.picks(page, "off")
    assert "Pings** off" in page.text
    await world.wait(100)
    await mover.types("pond move", move=(await legal(world, mover))[0])
    await world.wait(2 * DAY)
    assert pings(world) == []


async def test_settings_can_be_changed_by_menu_and_invalid_input_is_refused(world: World) -> None:
    (ann,) = world.people(1)
    page = await ann.types("settings")
    assert page.is_private
    page = await ann.picks(page, "22:00-08:00")
    page = await ann.picks(page, "Africa/Johannesburg")  # always two hours ahead of UTC
    assert "**Quiet hours** 22:00–08:00 (now)\n**Time zone** Africa/Johannesburg" in page.text
    assert "22:00-08:00" in (await ann.types("settings", quiet="when I sleep")).text
    page = await ann.types("settings", quiet="off")
    assert "**Quiet hours** none" in page.text


async def test_quiet_hours_are_turned_off_in_the_users_language(world: World) -> None:
    (ann,) = world.people(1)
    await ann.types("settings", quiet="22-8")
    await ann.picks(await ann.types("settings"), "de")
    assert "**Ruhezeit** keine" in (await ann.types("settings", quiet=" Aus")).text


# ---- what the others can do


async def test_after_a_day_any_player_can_let_a_computer_play_the_turn(world: World) -> None:
    absent, (other,) = await absent_and_others(world, world.people(2))
    await absent.types("settings", pings="off")
    assert "Computer plays this turn" not in other.board.labels
    await world.wait(DAY + 60)
    assert other.board.labels[4:] == ["Computer plays this turn", "Away?"]
    assert (await other.clicks(other.board, "Away?")).labels == [
        "Computer plays this turn",
        "Computer takes the seat",
        "Ask for a substitute",
        "Vote to end",
    ]
    assert "Any player can move the table on" in other.board.text
    assert pings(world) == []
    answer = await other.clicks(other.board, "Computer plays this turn")
    assert "A computer plays this turn" in answer.text
    assert (await world.tables.table(1)).version > 0
    assert "Any player can move the table on" not in other.board.text
    table = await world.tables.table(1)
    sitter = table.sitter(absent.id)
    assert sitter is not None
    stand_in = f"🤖\N{NO-BREAK SPACE}Moss for {sitter.name}"
    assert stand_in in (await other.at_table("What happened")).text
    await absent.clicks(absent.board, "My hand")
    assert stand_in in (await other.at_table("What happened")).text


async def test_a_player_replaced_by_a_computer_is_back_after_any_press(world: World) -> None:
    absent, (other,) = await absent_and_others(world, world.people(2))
    hand = absent.hand
    await world.wait(DAY + 60)
    await other.clicks(await other.clicks(other.board, "Away?"), "Computer takes the seat")
    assert (await world.tables.table(1)).sitter(absent.id) is None
    await absent.clicks(absent.board, "Rules")
    assert (await world.tables.table(1)).sitter(absent.id) is not None
    await world.wait(DAY + 60)
    assert await whose_turn(world) == (other.id,) or "Any player" in other.board.text
    await fast_forward(world, lambda seen: bool(seen.outcome or seen.rounds))
    assert absent.now(hand).id == hand.id


async def test_a_player_replaced_by_a_computer_is_back_after_a_command(world: World) -> None:
    absent, (other,) = await absent_and_others(world, world.people(2))
    await world.wait(DAY + 60)
    await other.at_table("Someone's away", "Computer takes the seat")
    assert "a computer is playing for you" in (await absent.types("tables")).text
    page = await absent.types("pond hand")
    assert page.text.startswith("### Your hand")
    assert (await world.tables.table(1)).names.count(absent.member.user.global_name or "") == 1


async def test_what_a_player_did_stays_theirs_when_a_computer_takes_the_seat(world: World) -> None:
    absent, (other,) = await absent_and_others(world, world.people(2))
    name = absent.member.user.global_name
    await world.wait(DAY + 60)
    await other.clicks(await other.clicks(other.board, "Away?"), "Computer takes the seat")
    happened = (await other.at_table("What happened")).text
    assert f"{name} sets a card aside." in happened
    assert "Moss sets a card aside." not in happened
    assert f"🤖\N{NO-BREAK SPACE}Moss for {name} baits with " in happened


async def test_a_player_lets_a_computer_play_and_comes_back(world: World) -> None:
    mover, (other,) = await absent_and_others(world, world.people(2))
    page = await mover.types("pond leave")
    assert page.labels == ["Let a computer play for me", "Resign", "Play on"]
    assert "until you press any button of this table" in page.text
    page = await mover.clicks(page, "Let a computer play for me")
    assert page.labels == ["Play on"]
    name = mover.member.user.global_name
    assert f"🤖\N{NO-BREAK SPACE}Moss for {name}, until they come back." in other.board.text
    assert await whose_turn(world) == (other.id,), "the computer has played"
    message = mover.dms[-1]
    assert "A computer plays for you." in message.text
    assert message.labels == ["Play on"]
    labels = (await other.clicks_through(other.board, "More", LEAVING)).labels
    assert "Resign" in labels
    assert "Let a computer play for me" not in labels, "somebody has to stay"
    hand = await mover.clicks(message, "Play on")
    assert hand.text.startswith("### Your hand")
    assert (await world.tables.table(1)).sitter(mover.id) is not None
    assert "until they come back" not in other.board.text
    page = await mover.clicks_through(mover.board, "More", LEAVING)
    assert page.labels[page.labels.index("Let a computer play for me") + 1] == "Resign"
    await world.restart()
    await mover.clicks(page, "Let a computer play for me")
    await other.clicks(await other.types("pond resign"), "Resign")
    assert "A computer played for you to the end." in mover.dms[-1].text


async def test_a_game_waits_for_who_stepped_out_when_nobody_else_is_left(world: World) -> None:
    ann, ben = world.people(2)
    await started_in("pontis", ann, [ben], computers=1, players=3)
    await ann.clicks(await ann.types("pontis leave"), "Let a computer play for me")
    assert ann.dms[-1].labels == ["Play on"]
    await ben.clicks(await ben.types("pontis resign"), "Resign")
    assert ann.hand.text.startswith("### Your hand")
    assert "until they come back" not in ann.board.text
    assert "Start" not in ann.board.labels
    table = await world.tables.table(1)
    assert (table.status, table.host_id, table.sitter(ben.id)) == ("playing", ann.id, None)
    assert "A computer plays for you" not in "".join(seen.text for seen in ann.dms)


async def test_who_stepped_out_is_told_in_german(world: World) -> None:
    mover, _ = await absent_and_others(world, world.people(2))
    await mover.picks(await mover.types("settings"), "de")
    page = await mover.types("pond leave")
    assert page.labels[0] == "Computer für mich spielen lassen"
    await mover.clicks(page, page.labels[0])
    assert "Ein Computer spielt für dich." in mover.dms[-1].text


async def test_a_substitute_takes_the_seat_with_its_hand(world: World) -> None:
    absent, (other,) = await absent_and_others(world, world.people(2))
    cleo = world.person("Cleo")
    await world.wait(DAY + 60)
    await other.clicks(await other.clicks(other.board, "Away?"), "Ask for a substitute")
    assert "Anyone can press **Take the seat**" in other.board.text
    assert "already" in (await other.clicks(other.board, "Take the seat")).text
    assert "You're playing at" in (await cleo.clicks(cleo.board, "Take the seat")).text
    assert await whose_turn(world) == (cleo.id,)
    assert cleo.hand.moves
    assert "Take the seat" not in cleo.board.labels
    assert "not playing" in (await absent.clicks(absent.board, "My hand")).text


async def test_players_can_vote_earlier_and_the_board_shows_the_votes(world: World) -> None:
    absent, others = await absent_and_others(world, world.people(4), players=4)
    page = await others[0].clicks(others[0].board, "More")
    page = await others[0].clicks(page, "Someone's away")
    assert f"is waiting for {absent.member.user.global_name}" in page.text
    in_ten_minutes = f"<t:{world.env.now().timestamp() + 600:.0f}:t>"
    assert f"**Computer:** 2 of 3 votes from {in_ten_minutes}, or any player alone from <t:" in page.text
    assert page.disabled == ["Computer plays this turn", "Computer takes the seat", "Ask for a substitute"]
    (early,) = await world.at_once((others[0], page.use("Computer takes the seat")))
    assert early is not None
    assert "It's too early for a vote on this. You can vote <t:" in early.text
    await world.wait(599)
    page = await others[0].clicks(page, "Refresh")
    assert "Computer takes the seat" in page.disabled
    await world.wait(2)
    page = await others[0].clicks(page, "Refresh")
    assert page.disabled == ["Ask for a substitute"]
    assert "1 of 2 votes" in (await others[0].clicks(page, "Computer takes the seat")).text
    assert "🗳️ **Computer takes the seat**: 1 of 2 votes" in others[1].board.text
    assert "your turn at" in (await absent.clicks(absent.board, "Computer plays this turn")).text
    assert "🗳️" not in others[1].board.text, "pressing shows that they are there, so the vote is void"
    await world.wait(601)
    for other in others[:2]:
        await other.at_table("Someone's away", "Computer takes the seat")
    assert (await world.tables.table(1)).sitter(absent.id) is None


async def test_ending_a_table_asks_for_confirmation(world: World) -> None:
    _, (other,) = await absent_and_others(world, world.people(2))
    await world.wait(DAY + 60)
    asked = await other.clicks(await other.clicks(other.board, "Away?"), "Vote to end")
    assert (await world.tables.table(1)).status == "playing"
    await other.clicks(asked, asked.labels[0])
    assert "The players ended this game" in other.board.text


async def test_users_without_a_seat_cannot_act_on_an_absence(world: World) -> None:
    await absent_and_others(world, world.people(2))
    eva = world.person("Eva")
    await world.wait(DAY + 60)
    assert "not playing" in (await eva.clicks(eva.board, "Computer plays this turn")).text
    page = await eva.clicks(eva.board, "Away?")
    for label in ("Computer plays this turn", "Computer takes the seat", "Ask for a substitute"):
        assert "not playing" in (await eva.clicks(page, label)).text


# ---- clocks


async def test_with_a_live_clock_a_computer_plays_overdue_turns(world: World) -> None:
    _, (other,) = await absent_and_others(world, world.people(2), clock="live")
    before = (await world.tables.table(1)).version
    assert "⏱️ Time runs out <t:" in other.board.text
    await world.wait(89)
    assert (await world.tables.table(1)).version == before
    await world.wait(2)
    assert (await world.tables.table(1)).version > before
    table = await world.tables.table(1)
    assert not any(sitter.is_computer for sitter in table.sitters)


async def test_a_table_with_a_live_clock_ends_without_any_players(world: World) -> None:
    await absent_and_others(world, world.people(2), clock="live", rounds=2)
    for _ in range(20):
        await world.wait(15 * 90)
        if (await world.tables.table(1)).status == "over":
            break
    assert (await world.tables.table(1)).status == "over"


async def test_the_lobby_names_the_clock(world: World) -> None:
    (ann,) = world.people(1)
    lobby = await ann.types("pond open", clock="three-days")
    assert "3 days a move" in lobby.text


# ---- how tables end


async def test_a_table_closes_after_fourteen_days_without_a_move(world: World) -> None:
    _, (other,) = await absent_and_others(world, world.people(2))
    for _ in range(13):
        await world.wait(DAY)
    assert (await world.tables.table(1)).status == "playing"
    await world.wait(DAY)
    assert "Nobody played here for 14 days" in other.board.text
    assert other.board.labels == ["Rematch", "Review", "More"]


async def test_only_a_person_alone_can_close_a_game_and_is_asked_first(world: World) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben])
    for player in (ann, ben):
        assert "Close the table" not in (await player.clicks_through(player.board, "More", LEAVING)).labels
        assert "Close the table" not in (await player.at_table(LEAVING)).labels
    await ben.clicks(await ben.types("pond resign"), "Resign")
    await started(ann, computers=1)
    asked = await ann.at_table("Close the table", number=2)
    assert "It counts as a defeat for you." in asked.text
    page = await ann.clicks(asked, "Keep it")
    assert page.id == asked.id
    assert (await world.tables.table(2)).status == "playing"
    asked = await ann.clicks(page, "Close the table")
    await ann.clicks(asked, "Close the table")
    assert "closed before the game was over" in ann.board.text
    (refused,) = await world.at_once((ann, asked.use("Close the table")))
    assert refused is not None
    assert "is closed" in refused.text
    assert "Close the table" not in (await ann.types("tables", table="2")).labels
    assert "Cut" not in ann.board.text
    hand = [seen for seen in ann.dms if "hand will come" not in seen.text][-1]
    assert "closed before the game was over" in hand.text
    assert not hand.options


async def test_the_direct_message_about_a_seat_follows_leaving_and_joining(world: World) -> None:
    ann, ben = world.people(2)
    lobby = await ann.types("pond open")
    await ben.clicks(ann.board, "Join")
    await ben.clicks(ann.board, "Leave")
    assert [seen.text.split("\n")[:2] for seen in ben.dms] == [
        [f"**Table {lobby.text.split()[2]} · Pond · cards**", "You've left this table."]
    ]
    await ben.clicks(ann.board, "Join")
    assert "hand will come here" in ben.dms[-1].text
    await ben.clicks(ann.board, "Leave")
    await ann.clicks(ann.board, "Leave")
    assert "closed before the start" in ann.dms[-1].text
    assert len(ann.dms) == 1


async def test_a_player_with_one_opponent_is_offered_no_vote(world: World) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben])
    page = await ann.clicks(await ann.clicks(ann.board, "More"), "Someone's away")
    assert "**Computer:** any player can do this from <t:" in page.text
    assert "votes" not in page.text


async def test_a_single_friend_lets_a_computer_play_on_after_ten_minutes(world: World) -> None:
    absent, (other,) = await absent_and_others(world, world.people(2))
    hand = absent.hand
    await world.wait(590)
    assert "Computer plays this turn" not in other.board.labels
    await world.wait(11)
    assert other.board.labels[4:] == ["Computer plays this turn", "Away?"]
    assert "Any player can move the table on" in other.board.text
    await absent.clicks(hand, "Rules")
    assert "Away?" not in other.board.labels, "they are there after all"
    await world.wait(601)
    assert pings(world) == []
    page = await other.clicks(other.board, "Away?")
    assert page.disabled == ["Ask for a substitute"]
    assert "**Computer:** any player can do this now." in page.text
    await other.clicks(page, "Computer takes the seat")
    assert (await world.tables.table(1)).sitter(absent.id) is None


async def test_nobody_is_away_where_all_others_are_computers(world: World) -> None:
    (ann,) = world.people(1)
    await started(ann, [], computers=1)
    labels = (await ann.clicks_through(ann.board, "More", LEAVING)).labels
    assert "Resign" in labels
    assert not {"Someone's away", "Vote to end"} & set(labels)


async def test_watchers_are_offered_only_what_they_may_do(world: World) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben])
    cleo = world.person("Cleo")
    assert (await cleo.clicks(ann.board, "More")).labels == [
        "What happened",
        "About this game",
        "Board in words",
        "Rules",
    ]
    away = await ann.clicks(await ann.clicks(ann.board, "More"), "Someone's away")
    (answer,) = await world.at_once((cleo, away.use("Vote to end")))
    assert answer is not None
    assert "not playing" in answer.text


async def test_a_rematch_takes_two_presses_and_moves_everybody_by_one_seat(world: World) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben], rounds=2)
    await fast_forward(world, lambda seen: seen.outcome is not None)
    final = ann.board
    answer = await ben.clicks(final, "Rematch")
    assert "The rematch is" in answer.text
    lobby = ann.board
    assert lobby.id != final.id
    assert "1. **Ben** (team A, host)" in lobby.text or "1. **Ben** (host)" in lobby.text
    assert "The rematch is" in (await ann.clicks(final, "Rematch")).text
    assert "Everyone's here" in ann.board.text
    await ann.clicks(ann.board, "Start")
    assert [sitter.name for sitter in (await world.tables.table(2)).sitters] == ["Ben", "Ann"]
    again = await ben.clicks(ben.now(final), "Rematch")
    assert "The rematch is" in again.text
    assert "Start" not in again.labels
