"""Somebody is away: reminders, the ladder, coming back; quiet hours; the end of dead tables; once more."""

import pytest

from tests.discord.play import Player, World, legal, play_on, started
from tests.discord.seen import Seen

HOUR = 3600.0
DAY = 24 * HOUR


async def waiting(world: World, people: list[Player], **options: object) -> tuple[Player, list[Player]]:
    """A table of Pond in its first pond: whom it waits for, and the others."""
    await started(people[0], people[1:], **options)
    await play_on(world, people, lambda seen: seen.phase == "bait")
    (turn,) = await world.tables.whose_turn(await world.tables.table(1))
    return next(p for p in people if p.id == turn), [p for p in people if p.id != turn]


def public(player: Player) -> list[Seen]:
    """All that is in the channel but for what was shown to the player alone."""
    return [seen for seen in player.messages() if not seen.is_private and seen.components]


def pings(world: World) -> list[list[int]]:
    """Whom the bot has pinged, message by message."""
    posts = [each for each in world.env.http_requests if each.method == "POST" and each.path.endswith("/messages")]
    asked = [(post.json or {}).get("allowed_mentions", {}).get("users") for post in posts]
    return [users for users in asked if users]


async def whose_turn(world: World) -> tuple[int, ...]:
    """The users whose turn it is at the first table."""
    return await world.tables.whose_turn(await world.tables.table(1))


# ---- reminders


async def test_reminders_come_more_and_more_rarely_and_stop(world: World) -> None:
    absent, _ = await waiting(world, world.people(2))
    counts = []
    for hours in (3, 2, 18, 2, 48, 96, 24):
        await world.wait(hours * HOUR)
        counts.append(len(pings(world)))
    assert counts == [0, 1, 1, 2, 3, 4, 4]
    assert pings(world) == [[absent.id]] * 4


async def test_in_quiet_hours_nobody_is_pinged_and_a_reminder_comes_after_them(world: World) -> None:
    absent, _ = await waiting(world, world.people(2))
    assert world.env.now().hour == 0
    page = await absent.types("settings", quiet="2:00-8:00", timezone="0")
    assert "02:00–08:00" in page.text
    await world.wait(6 * HOUR)
    assert pings(world) == []
    await world.wait(2 * HOUR)
    assert pings(world) == [[absent.id]]


async def test_who_turns_pings_off_is_not_pinged_at_his_turn_nor_reminded(world: World) -> None:
    mover, (other,) = await waiting(world, world.people(2))
    page = await other.types("settings")
    page = await other.clicks(page, "Turn pings off")
    assert "Pings** off" in page.text
    await world.wait(100)
    await mover.types("pond move", move=(await legal(world, mover))[0])
    await world.wait(2 * DAY)
    assert pings(world) == []


async def test_settings_are_changed_by_menu_too_and_nonsense_is_refused(world: World) -> None:
    (ann,) = world.people(1)
    page = await ann.types("settings")
    assert page.is_private
    page = await ann.picks(page, "22:00-08:00")
    page = await ann.picks(page, "2")
    assert "**Quiet hours** 22:00–08:00 (now)\n**Time zone** UTC+02:00" in page.text
    assert "22:00-08:00" in (await ann.types("settings", quiet="when I sleep")).text
    page = await ann.types("settings", quiet="off")
    assert "**Quiet hours** none" in page.text


# ---- the ladder


async def test_after_a_day_the_board_offers_the_ladder_without_a_ping_and_one_tap_moves_it_on(world: World) -> None:
    absent, (other,) = await waiting(world, world.people(2))
    await absent.types("settings", pings="off")
    assert "Computer plays this turn" not in other.board.labels
    await world.wait(DAY + 60)
    assert other.board.labels[4:] == [
        "Computer plays this turn",
        "Computer takes the seat",
        "Ask for a substitute",
        "End the table",
    ]
    assert "Any player may move the table on" in other.board.text
    assert pings(world) == []
    answer = await other.clicks(other.board, "Computer plays this turn")
    assert "Done" in answer.text
    assert (await world.tables.table(1)).version > 0
    assert "Any player may move the table on" not in other.board.text
    assert (await world.tables.table(1)).sitter(absent.id) is not None


async def test_a_computer_that_took_the_seat_gives_it_back_to_who_presses_anything(world: World) -> None:
    absent, (other,) = await waiting(world, world.people(2))
    hand = absent.hand
    await world.wait(DAY + 60)
    await other.clicks(other.board, "Computer takes the seat")
    assert (await world.tables.table(1)).sitter(absent.id) is None
    await absent.clicks(absent.board, "Rules")
    assert (await world.tables.table(1)).sitter(absent.id) is not None
    await world.wait(DAY + 60)
    assert await whose_turn(world) == (other.id,) or "Any player" in other.board.text
    await play_on(world, [absent, other], lambda seen: bool(seen.outcome or seen.rounds))
    assert absent.now(hand).id == hand.id


async def test_who_comes_back_by_a_command_or_with_a_move_plays_on_at_once(world: World) -> None:
    absent, (other,) = await waiting(world, world.people(2))
    await world.wait(DAY + 60)
    await other.types("away", do="seat")
    assert "a computer keeps your seat" in (await absent.types("tables")).text
    page = await absent.types("pond hand")
    assert page.text.startswith("### Your hand")
    assert (await world.tables.table(1)).names.count(absent.member.user.global_name or "") == 1


async def test_a_substitute_takes_the_seat_with_its_hand(world: World) -> None:
    absent, (other,) = await waiting(world, world.people(2))
    cleo = world.person("Cleo")
    await world.wait(DAY + 60)
    await other.clicks(other.board, "Ask for a substitute")
    assert "anybody may press **Take the seat**" in other.board.text
    assert "already" in (await other.clicks(other.board, "Take the seat")).text
    assert "play on" in (await cleo.clicks(cleo.board, "Take the seat")).text
    assert await whose_turn(world) == (cleo.id,)
    assert cleo.hand.moves
    assert "Take the seat" not in cleo.board.labels
    assert "don't sit" in (await absent.clicks(absent.board, "My hand")).text


async def test_players_vote_before_the_time_is_out_and_the_board_shows_the_votes(world: World) -> None:
    absent, others = await waiting(world, world.people(4), players=4)
    page = await others[0].clicks(others[0].board, "More")
    page = await others[0].clicks(page, "Somebody is away")
    assert f"waits for {absent.member.user.global_name}" in page.text
    in_ten_minutes = f"<t:{world.env.now().timestamp() + 600:.0f}:R>"
    assert f"A computer can play by vote (2 of 3) {in_ten_minutes}, by one tap <t:" in page.text
    early = await others[0].clicks(page, "Computer takes the seat")
    assert early.text == f"It's too early for a vote on this. You can vote {in_ten_minutes}."
    await world.wait(599)
    assert "too early" in (await others[0].clicks(page, "Computer takes the seat")).text
    await world.wait(2)
    assert "1 of 2 votes" in (await others[0].clicks(page, "Computer takes the seat")).text
    assert "🗳️ **Computer takes the seat**: 1 of 2 votes" in others[1].board.text
    assert "waits for you" in (await absent.clicks(absent.board, "Computer takes the seat")).text
    assert "🗳️" not in others[1].board.text, "who presses is there, so the vote about him is void"
    await world.wait(601)
    for other in others[:2]:
        await other.types("away", do="seat")
    assert (await world.tables.table(1)).sitter(absent.id) is None


async def test_ending_a_table_asks_first_and_the_board_says_so(world: World) -> None:
    _, (other,) = await waiting(world, world.people(2))
    await world.wait(DAY + 60)
    asked = await other.clicks(other.board, "End the table")
    assert (await world.tables.table(1)).status == "playing"
    await other.clicks(asked, "End the table")
    assert "The players ended this table" in other.board.text


async def test_strangers_move_nothing_on(world: World) -> None:
    await waiting(world, world.people(2))
    eva = world.person("Eva")
    await world.wait(DAY + 60)
    for label in ("Computer plays this turn", "Computer takes the seat", "Ask for a substitute"):
        assert "don't sit" in (await eva.clicks(eva.board, label)).text


# ---- clocks


async def test_with_a_live_clock_a_computer_plays_the_turn_by_itself(world: World) -> None:
    _, (other,) = await waiting(world, world.people(2), clock="live")
    before = (await world.tables.table(1)).version
    assert "⏱️ Time runs out <t:" in other.board.text
    await world.wait(89)
    assert (await world.tables.table(1)).version == before
    await world.wait(2)
    assert (await world.tables.table(1)).version > before
    table = await world.tables.table(1)
    assert not any(sitter.is_computer for sitter in table.sitters)


async def test_a_live_table_that_everybody_left_comes_to_its_end(world: World) -> None:
    await waiting(world, world.people(2), clock="live", rounds=2)
    for _ in range(20):
        await world.wait(15 * 90)
        if (await world.tables.table(1)).status == "over":
            break
    assert (await world.tables.table(1)).status == "over"


async def test_the_lobby_tells_the_clock(world: World) -> None:
    (ann,) = world.people(1)
    lobby = await ann.types("pond open", clock="three-days")
    assert "three days a move" in lobby.text


@pytest.mark.parametrize("clock", ["none", "day"])
async def test_time_while_the_bot_was_away_counts_for_nobody(world: World, clock: str) -> None:
    _, (other,) = await waiting(world, world.people(2), clock=clock)
    await world.wait(20 * HOUR)
    await world.restart(away_s=3 * DAY)
    assert "Any player may move the table on" not in other.board.text
    await world.wait(3 * HOUR)
    assert "Any player may move the table on" not in other.board.text
    await world.wait(2 * HOUR)
    assert "Any player may move the table on" in other.board.text


async def test_while_discord_is_out_of_reach_no_clock_runs(world: World) -> None:
    await waiting(world, world.people(2), clock="live")
    before = (await world.tables.table(1)).version
    await world.wait(30)
    await world.bot.shards[0].disconnect()
    await world.wait(1000)
    await world.bot.shards[0].reconnect()
    await world.wait(45)
    assert (await world.tables.table(1)).version == before
    await world.wait(75)
    assert (await world.tables.table(1)).version > before


async def test_reminders_that_were_given_are_not_given_again_after_a_restart(world: World) -> None:
    await waiting(world, world.people(2))
    await world.wait(5 * HOUR)
    assert len(pings(world)) == 1
    await world.restart()
    await world.wait(2 * HOUR)
    assert len(pings(world)) == 1


async def test_a_restart_posts_no_board_anew_however_old_it_is(world: World) -> None:
    absent, _ = await waiting(world, world.people(2))
    await world.wait(2 * HOUR)
    board = absent.board
    await world.restart()
    assert absent.board == board


# ---- the end


async def test_a_table_where_nobody_plays_for_fourteen_days_closes_by_itself_and_says_so(world: World) -> None:
    _, (other,) = await waiting(world, world.people(2))
    for _ in range(13):
        await world.wait(DAY)
    assert (await world.tables.table(1)).status == "playing"
    await world.wait(DAY)
    assert "Nothing happened here for 14 days" in other.board.text
    assert other.board.labels == ["Rules", "Fair deal", "Transcript", "More", "Rematch"]


async def test_the_host_closes_his_table_after_a_question_and_nobody_else_does(world: World) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben])
    assert "Close the table" not in (await ben.clicks(ben.board, "More")).labels
    assert "Only the host" in (await ben.types("close")).text
    asked = await ann.types("close")
    await ann.clicks(asked, "Keep it")
    assert (await world.tables.table(1)).status == "playing"
    await ann.clicks(asked, "Close the table")
    assert "was closed before the end" in ben.board.text
    assert "was closed" in (await ann.types("close", table="1")).text
    assert "Cut" not in ben.board.text
    (hand,) = [seen for seen in ben.dms if "your hand will come" not in seen.text]
    assert "was closed before the end" in hand.text
    assert not hand.options


async def test_who_leaves_a_lobby_is_told_that_no_hand_will_come_until_he_is_back(world: World) -> None:
    ann, ben = world.people(2)
    lobby = await ann.types("pond open")
    await ben.clicks(ann.board, "Join")
    await ben.clicks(ann.board, "Leave")
    assert [seen.text.partition("\n")[0] for seen in ben.dms] == [
        f"**Table {lobby.text.split()[2]}** (Pond · cards): You have left this table."
    ]
    await ben.clicks(ann.board, "Join")
    assert "your hand will come here" in ben.dms[-1].text
    await ben.clicks(ann.board, "Leave")
    await ann.clicks(ann.board, "Leave")
    assert "was closed before it began" in ann.dms[-1].text
    assert len(ann.dms) == 1


async def test_one_opponent_alone_is_told_when_he_may_move_the_table_on_and_of_no_vote(world: World) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben])
    page = await ann.clicks(await ann.clicks(ann.board, "More"), "Somebody is away")
    assert "A computer can play by one tap <t:" in page.text
    assert "by vote" not in page.text


async def test_who_only_watches_is_offered_nothing_that_he_may_not_do(world: World) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben])
    cleo = world.person("Cleo")
    assert (await cleo.clicks(ann.board, "More")).labels == [
        "Describe",
        "Scores",
        "What happened",
        "Options",
        "Fair deal",
    ]
    away = await ann.clicks(await ann.clicks(ann.board, "More"), "Somebody is away")
    (answer,) = await world.at_once((cleo, away.use("End the table")))
    assert answer is not None
    assert "don't sit" in answer.text


async def test_a_rematch_is_two_taps_and_everybody_sits_one_seat_on(world: World) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben], rounds=2)
    await play_on(world, [ann, ben], lambda seen: seen.outcome is not None)
    final = ann.board
    answer = await ben.clicks(final, "Rematch")
    assert "you sit on seat 1" in answer.text
    lobby = ann.board
    assert lobby.id != final.id
    assert "1. **Ben** (team A, host)" in lobby.text or "1. **Ben** (host)" in lobby.text
    assert "you sit on seat 2" in (await ann.clicks(final, "Rematch")).text
    assert "Everybody is here" in ann.board.text
    await ann.clicks(ann.board, "Start")
    assert [sitter.name for sitter in (await world.tables.table(2)).sitters] == ["Ben", "Ann"]
    assert "has started" in (await ben.clicks(ben.now(final), "Rematch")).text
