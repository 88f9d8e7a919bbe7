"""Standings on Discord: the page, two players, the picture, the line below a result, and who sees none of it."""

import random
import re

import pytest
from simcord import SetupError
from simcord.enums import InteractionType

from bot.computer import choose
from bot.records.standing import Best, Bests, Meeting
from bot.ui.messages.standings_pages import bests_of, meetings_page
from bot.ui.posts.text import EARLIER, LATER
from tests.discord.forged import Forger
from tests.discord.play import Player, World
from tests.discord.tables import started_in
from tests.discord.test_daily import finishes
from tests.leaks.pairs import FACES
from tests.waiting import until


async def resigned(
    world: World, loser: Player, *others: Player, group: str = "frogs", until_behind: bool = False
) -> None:
    """Play a game that the first player resigns after two moves or more, and their partners agree to that."""
    await started_in(group, loser, others)
    (table,) = await world.tables.lists.open_tables(user_id=loser.id)
    rng = random.Random(1)
    while table.plies < 2 or loser.id not in await world.tables.whose_turn(table) or until_behind:
        user, *_ = await world.tables.whose_turn(table)
        sight = await world.tables.look(table.id, user)
        move = sight.observation.legal[0]
        if until_behind and user != loser.id:
            move = choose(table.game, sight.observation, rng, "fair")
        table = (await world.tables.play(table.id, user, str(move))).table
        standing = await world.tables.standing(table)
        until_behind = until_behind and standing is not None and standing.places[table.sitters[0].seat] == 1
    partners = await world.tables.waiting.partners(table, loser.id)
    for user in (loser.id, *partners):
        await world.tables.concede(table.id, user)
    await until(lambda: "Review" in loser.board.labels)


async def test_a_result_leads_to_the_standings(world: World) -> None:
    ann, ben = world.people(2)
    for _ in range(2):
        await resigned(world, ann, ben, until_behind=True)
    board = ann.board
    assert re.search(r"-# Games won: Ben 2 to 0 · Rating: Ben \d+\.\d \(\+", board.text)
    await until(lambda: "Rating: Ann " in ann.hand.text and "Rating: Ben " in ben.hand.text)
    assert board.labels == ["Rematch", "Review", "More"]
    page = await ann.clicks(await ann.clicks(await ann.clicks(board, "More"), "What happened"), "Standings")
    assert page.is_private
    assert page.text.startswith("### Standings · Pond · frogs\n3 more games until Ben has a place.")
    assert re.search(r"-# Still unsure: Ben 1\d\.\d \(2\), Ann \d+\.\d \(2\)", page.text)
    for _ in range(3):
        await resigned(world, ann, ben)
    month = await ann.types("friends")
    assert "1\\. Ben · 3.00 · 5\n2\\. **Ann** · 0.00 · 5\n" in month.text
    page = await ann.clicks(month, "All time")
    first, second, *_ = page.text.split("\n")[1:]
    assert first.startswith("1\\. Ben · ")
    assert first.endswith(" · 5/5")
    assert second.startswith("2\\. **Ann** · ")
    assert second.count(" · ") == 2
    assert "-# Longest streak: Ben, 5 wins" in page.text
    assert (await ann.picks(page, "pond")).text.startswith("### Standings · Pond · cards")


async def test_two_players_see_what_they_played(world: World) -> None:
    ann, ben, cleo, dan = world.people(4)
    await resigned(world, ann, ben)
    await resigned(world, ben, ann)
    await resigned(world, ben, ann)
    await resigned(world, cleo, ann, dan, ben, group="potblack")
    page = await ann.picks_people(await ann.types("friends"), ben)
    assert "**Pond · frogs**: you lead 2–1" in page.text
    assert page.text.count("<t:") in {3, 4}
    assert (await ann.clicks(page, "Back")).text.startswith("### Standings · ")


def test_a_draw_of_partners_is_neither_won_nor_lost() -> None:
    drawn = Meeting("pond", 0.0, is_together=True, place=1, their_place=1, has_won=False, score=40, their_score=40)
    text = "\n".join(meetings_page(FACES, 7, [drawn], "pond").paragraphs)
    assert "-# 🤝 🟰 " in text
    assert "❌" not in text


async def test_the_standings_are_posted_as_a_picture(world: World) -> None:
    ann, ben = world.people(2)
    for _ in range(5):
        await resigned(world, ann, ben)
    posted = await ann.clicks_through(await ann.types("friends", game="frogs"), "All time", "Post here")
    assert not posted.is_private
    assert posted.alt.startswith("Standings · Pond · frogs. Ben ")
    assert "Longest streak: Ben, 5 wins" in posted.alt


async def test_a_year_is_shown_and_posted_as_a_picture(world: World) -> None:
    ann, ben = world.people(2)
    assert "Year" not in (await ann.types("friends", game="frogs")).labels
    for _ in range(2):
        await resigned(world, ann, ben)
    page = await ann.clicks(await ann.types("friends", game="frogs"), "Year")
    year = world.env.now().year
    assert page.alt == (
        f"Our year {year}. 2 games · 2 players. Pond · frogs 2. Most wins: Ben 2. "
        f"2 newcomers: Ann, Ben. Busiest month: {world.env.now():%B} (2)."
    )
    assert page.is_private
    assert page.labels == ["Post here", "Back"]
    posted = await ann.clicks(page, "Post here")
    assert not posted.is_private
    assert posted.alt == page.alt
    assert (await ann.clicks(page, "Back")).text.startswith("### Standings · Pond · frogs")
    world.execute("UPDATE results SET ended_at = ended_at - 200 * 86400 WHERE nth = 1")
    page = await ann.clicks(await ann.types("friends", game="frogs"), "Year")
    assert "1 game · 2 players" in page.alt
    earlier = await ann.clicks(page, f"{EARLIER} {year - 1}")
    assert earlier.labels == [f"{year} {LATER}", "Post here", "Back"]
    assert f"Our year {year - 1}. 1 game" in earlier.alt


async def test_games_against_computers_are_shown_apart(world: World) -> None:
    ann, ben = world.people(2)
    for _ in range(2):
        await resigned(world, ann, ben)
    bests = Bests(Best(("Ben",), 4), apart=Bests(Best(("Ann", "Ben"), 7), streak=Best(("Ann",), 3)))
    assert list(bests_of(FACES["pontis"], bests, str)) == [
        "Most points: Ben, 4 points",
        "Against computers: Most points: Ann & Ben, 7 points · Longest streak: Ann, 3 wins",
    ]
    world.execute("UPDATE results SET against_computers = 1 WHERE nth = 1")
    page = await ann.clicks(await ann.types("friends", game="frogs"), "Year")
    assert "2 games · 1 against computers · 2 players." in page.alt
    assert "Most wins: Ben 1. Against computers: Ben 1." in page.alt


async def test_the_champion_of_a_month_is_named_in_the_month_after(world: World) -> None:
    ann, ben = world.people(2)
    for _ in range(4):
        await resigned(world, ann, ben)
    world.execute("UPDATE results SET ended_at = ended_at - 31 * 86400")
    await resigned(world, ann, ben)
    month = await ann.clicks(await ann.types("friends"), "This month")
    assert "3 more games until Ben has a place." in month.text or "3 more games until Ann has a place." in month.text
    assert re.search(r"-# Champion in \w+: Ben", month.text)
    posted = await ann.clicks_through(month, "All time", "Post here")
    assert re.search(r"Champion in \w+: Ben", posted.alt or posted.text)
    assert "is open" in (await ann.clicks(month, "Play")).text


async def test_a_rematch_says_who_leads(world: World) -> None:
    ann, ben = world.people(2)
    await resigned(world, ann, ben)
    await resigned(world, ann, ben)
    await ann.clicks(ann.board, "Rematch")
    assert "-# Games won: Ben 2 to 0" in ann.board.text


async def test_whoever_hides_is_shown_nowhere(world: World) -> None:
    ann, ben = world.people(2)
    for _ in range(2):
        await resigned(world, ann, ben)
    await ben.types("settings", ranking="off")
    await resigned(world, ann, ben)
    assert "Games won" not in ann.board.text
    assert "Rating: Ben" not in ann.board.text
    page = await ann.clicks(await ann.clicks(await ann.clicks(ann.board, "More"), "What happened"), "Standings")
    assert "Ben" not in page.text
    assert (await ann.picks_people(page, ben)).text == f"<@{ben.id}> doesn't show their games."
    shown = await ben.clicks(await ben.types("settings"), "Show my rating")
    assert "Hide my rating" in shown.labels
    assert "**Rating** shown · **Tips** on" in shown.text


async def test_standings_stay_on_their_server(world: World) -> None:
    ann, ben = world.people(2)
    await resigned(world, ann, ben)
    with pytest.raises(SetupError):  # Discord doesn't offer the command there
        await ann.types("friends", at=ann.dm)
    registered = world.env.backend.find_command("friends", None)
    assert registered is not None
    data = {"id": registered["id"], "name": "friends", "type": 1}
    forged = await Forger(world, ann, ann.dm).sends(InteractionType.APPLICATION_COMMAND, data)
    assert "server" in ann.answer_to(forged).text


async def test_what_a_player_shares_is_in_the_language_of_the_server(world: World) -> None:
    ann, ben = world.people(2)
    await started_in("frogs", ann, [ben])
    await world.tables.resign(1, ben.id)
    await world.bot.live.refresh(1)
    await ann.types("settings", language="de")
    replay = await ann.types("replay")
    assert replay.text.startswith("### Ansehen · ")
    shown = [await ann.clicks(replay, "Teilen")]
    shown += [await ann.clicks_through(await ann.types("replay"), "GIF", "Das ganze Spiel")]
    shown += [await ann.clicks(await ann.types("friends"), "Hier posten")]
    shown += [await ann.clicks_through(await ann.types("friends"), "Jahr", "Hier posten")]
    await ann.clicks(await ann.types("daily"), "Spielen")
    await finishes(world, ann, 2)
    shown += [await ann.clicks(await ann.types("daily"), "Teilen")]
    begun = ("### Replay · ", "### Replay · ", "### Standings · ", "Our year 2026", "**Ann** · ")
    for post, begin in zip(shown, begun, strict=True):
        assert not post.is_private
        assert (post.text or post.alt).startswith(begin)
