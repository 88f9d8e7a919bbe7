"""Texts too long for one message are split into pages, which buttons turn in place."""

import random
import re
from pathlib import Path

import pytest

from bot.fairness import Deals
from bot.games import GAMES
from bot.games.game import CHANCE, Entry
from bot.records.table import Place, Sitter, Table
from bot.store.sqlite import SqliteStore
from tests.discord.play import LEAVING, Player, World
from tests.discord.seen import Seen, Use
from tests.discord.tables import started, started_in
from tests.posts import explains
from tests.store.lilypads import append, opened
from tests.waiting import until


async def long_match(world: World, path: Path, players: int, games: int) -> tuple[Player, Table]:
    """Write a match of Pontis with Ann, in its last game, as another process."""
    (ann,) = world.people(1)
    game, rng = GAMES["pontis"], random.Random(1)
    options = game.settle({"players": players, "games": games})
    state, deals = game.start(options), Deals(rng.randbytes(32), ("",) * players)
    entries: list[Entry] = []
    while True:
        to_act = game.to_act(state)
        if CHANCE in to_act:
            entry = Entry(CHANCE, str(game.chance(state, deals(sum(each.seat is CHANCE for each in entries)))))
        else:
            seat = rng.choice(sorted(actor for actor in to_act if actor is not CHANCE))
            entry = Entry(seat, str(rng.choice(game.legal(state, seat))))
        after, _ = game.apply(state, entry.seat, game.parse(entry.move))
        if after.outcome:
            break
        state = after
        entries.append(entry)
    sitters = tuple(Sitter(seat, "*" * 30, ann.id if seat == 0 else 100 + seat) for seat in range(players))
    place = Place(world.server.id, world.channel.id)
    async with await SqliteStore.open(path) as store:
        seated = {"seats": players, "sitters": sitters, "host_id": ann.id, "place": place}
        table = await opened(store, "Heron", game="pontis", options=options, **seated)
        await append(store, table, entries, at=2.0, status="playing")
    return ann, table


async def turn_pages(player: Player, page: Seen, label: str) -> list[Seen]:
    """Press the button as long as there is one. Return the pages, each shown in place of the one before."""
    pages = [page]
    while label in pages[-1].labels:
        pages.append(await player.clicks(pages[-1], label))
        assert pages[-1].id == page.id
        assert pages[-1].is_private
    return pages


async def happened(player: Player) -> Seen:
    """Return the first page of **What happened** at the player's table of Pontis."""
    return await player.clicks_through(await player.types("pontis board"), "More", "What happened")


async def test_scores_of_ten_games_are_paged_newest_first(world: World, tmp_path: Path) -> None:
    ann, _ = await long_match(world, tmp_path / "lilypad.db", 13, 10)
    first = await happened(ann)
    pages = await turn_pages(ann, first, "Older")
    assert len(pages) > 2
    assert all(len(page.text) <= 4000 for page in pages)
    assert [page.text.partition("\n")[0].rpartition("(")[2] for page in pages] == [
        f"{number} of {len(pages)})" for number in range(1, len(pages) + 1)
    ]
    lines = [line for page in pages for line in page.text.splitlines()]
    games = [line.split("**")[1] for line in lines if line.startswith("**Game ")]
    assert games == [f"Game {number}" for number in range(9, 0, -1)]
    assert len([line for line in lines if re.search(r" =\s\d+ cards?", line)]) == 9 * 13
    assert (await turn_pages(ann, pages[-1], "Newer"))[-1].text == first.text
    assert first.labels == ["Older", "Replay", "Back"]
    assert pages[-1].labels == ["Newer", "Replay", "Back"]
    replay = await ann.clicks(first, "Replay")
    again = await ann.clicks(replay, "Back")
    assert (again.text, again.labels) == (first.text, first.labels)
    assert (await ann.clicks(again, "Back")).labels[0] == "What happened"


async def test_pages_can_be_turned_after_a_restart(world: World, tmp_path: Path) -> None:
    ann, _ = await long_match(world, tmp_path / "lilypad.db", 13, 10)
    page = await happened(ann)
    await world.restart()
    assert "(2 of" in (await ann.clicks(page, "Older")).text


async def test_the_cuts_of_thirteen_players_are_all_shown(world: World) -> None:
    people = [world.person("*" * 23 + letter) for letter in "ABCDEFGHIJKLM"]
    ann, *others = people
    await ann.types("pontis open", players=13)
    for other in others:
        await other.clicks(ann.board, "Join")
    for person in people:
        await person.fills(await person.clicks(ann.board, "🔒 Shuffle"), "Cut", "*" * 100)
    await ann.clicks(ann.board, "Start")
    table = await world.tables.table(1)
    for person in people:
        await world.tables.waiting.move_on(table.id, person.id, "end")
    await until(lambda: "Rematch" in ann.board.labels)
    pages = await turn_pages(ann, await ann.clicks_through(ann.board, "More", "About this game"), "Next")
    text = "\n".join(page.text for page in pages)
    assert all(r"\*" * 23 + f"{letter}: " + r"\*" * 100 in text for letter in "ABCDEFGHIJKLM")


async def test_a_page_number_too_high_shows_the_last_page(world: World, tmp_path: Path) -> None:
    ann, table = await long_match(world, tmp_path / "lilypad.db", 13, 5)
    page = await happened(ann)
    outdated, pages = "This button is too old.", int(page.text.partition(")")[0].rpartition(" ")[2])
    last = f"({pages} of {pages})"
    for argument, shown in (("x", outdated), ("-1", outdated), ("9" * 60, outdated), ("99999", last)):
        forged = Use(page.id, page.channel_id, f"lily:scores:{table.id}:1:{argument}")
        (answer,) = await world.at_once((ann, forged))
        assert answer is not None
        assert shown in answer.text


async def test_a_forged_page_never_replaces_a_public_board(world: World) -> None:
    ann, ben = world.people(2)
    board = await started(ann, [ben])
    for verb in ("scores", "describe", "happened", "options", "fair", "about", "leaving", "won", "tables", "rules"):
        argument = "pond.0.1" if verb == "rules" else "1"
        (answer,) = await world.at_once((ben, Use(board.id, board.channel_id, f"lily:{verb}:1:1:{argument}")))
        assert answer is not None
        assert answer.is_private, verb
    assert ann.now(board).text.startswith("### Table")


async def test_what_happened_can_be_read_even_after_the_end(world: World) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben])
    await ann.picks(ann.hand, next(iter(ann.hand.moves)))
    page = await ben.clicks(await ben.clicks(ben.board, "More"), "What happened")
    assert "Ann sets a card aside." in page.text.splitlines()
    asked = await ann.clicks(await ann.clicks(ann.board, "More"), "Resign")
    await ann.clicks(asked, "Resign")
    more = await ben.clicks(ben.board, "More")
    assert "Rematch" in ben.board.labels
    assert more.labels == [
        "Challenge",
        "Review",
        "What happened",
        "About this game",
        "Board in words",
        "Rules",
    ]
    assert "Ann sets a card aside." in (await ben.clicks(more, "What happened")).text


async def test_why_opens_the_rulings_of_all_games_as_well(world: World) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben])
    refused = await ann.types("pond move", move="hop")
    assert "G-04" not in refused.text
    page = await ann.clicks(refused, "Why?")
    assert page.text.startswith("### All games · Moves")
    assert explains(page.text, "G-04")
    assert "G-0" not in page.text
    assert "Resigning" in (await ann.picks(page, "1")).text
    await ann.types("pond open")
    refused = await ann.fills(await ann.clicks(ann.board, "🔒 Shuffle"), "Cut", "a|b")
    assert explains((await ann.clicks(refused, "Why?")).text, "G-12")


# ---- one page at a time


def pages_of(player: Player) -> list[Seen]:
    """Return the private messages that the player sees in their home channel."""
    return [seen for seen in player.messages() if seen.is_private]


async def test_pages_opened_from_more_take_its_place_and_lead_back(world: World) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben])
    more = await ann.clicks(ann.board, "More")
    for label in ("What happened", "About this game", "Board in words", "Rules", "Mark", LEAVING):
        if label not in more.labels:
            continue
        page = await ann.clicks(ann.now(more), label)
        assert page.id == more.id, label
        after = await ann.clicks(page, "Back")
        assert after.id == more.id, label
        assert after.labels == more.labels
    leaving = await ann.clicks(ann.now(more), LEAVING)
    away = await ann.clicks(leaving, "Someone's away")
    assert (await ann.clicks(away, "Back")).text == leaving.text
    for label in ("Resign", "Vote to end"):
        after = await ann.clicks(await ann.clicks_through(ann.board, "More", label), "Play on")
        assert after.text.startswith("### Your hand")


@pytest.mark.parametrize("command", ["pond", "frogs", "pontis", "potblack"])
async def test_more_has_at_most_six_buttons_in_play_and_at_the_end(world: World, command: str) -> None:
    ann, ben = world.people(2)
    options = {"potblack": {"computers": 2}, "pontis": {"players": 2}}
    await started_in(command, ann, [ben], **options.get(command, {}))
    watcher = world.person("Zoe")
    for is_over in (False, True):
        for player in (ann, ben, watcher):
            more = await player.clicks(player.board, "More")
            assert len(more.labels) <= 6, more.labels
            assert {"What happened", "About this game", "Board in words", "Rules"} <= {*more.labels}
            told = await player.clicks(more, "What happened")
            assert (await player.clicks(told, "Back")).text == more.text
            about = await player.clicks(player.now(more), "About this game")
            assert {"Check", "Transcript"} <= {*about.labels} or not is_over
            pages = await turn_pages(player, about, "Next")
            assert (await world.tables.table(1)).commitment in "".join(page.text for page in pages)
        if not is_over:
            for player in (ann, ben):
                await player.at_table("Vote to end", "Without a result")


async def test_a_deal_is_checked_with_a_press(world: World) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben])
    await ann.at_table("Resign", "Resign")
    about = await ben.clicks_through(ben.board, "More", "About this game")
    checked = await ben.clicks(about, "Check")
    assert "from the seed and the cuts" in checked.text
    assert (await ben.clicks(checked, "Back")).text == about.text


@pytest.mark.parametrize("game", ["pond", "frogs"])
@pytest.mark.parametrize("when", ["in play", "over"])
async def test_back_leads_from_every_page_behind_more_to_where_it_was(world: World, game: str, when: str) -> None:
    ann, ben = world.people(2)
    board = await started_in(game, ann, [ben])
    if when == "over":
        await world.tables.resign(1, ben.id)
        await until(lambda: "🏆" in ann.board.text)
        board = ann.board
    labels = (await ann.clicks(board, "More")).labels
    assert len({"Hint", "Mark"} & {*labels}) == (when == "in play")  # **Mark** is also on the page of hints
    for label in [label for label in labels if label not in {"Transcript", "Rematch"}]:
        more = await ann.clicks(ann.now(board), "More")
        page = await ann.clicks(more, label)
        if "Back" in page.labels:
            back = await ann.clicks(page, "Back")
            assert (back.id, back.labels) == (more.id, more.labels), label


async def test_a_page_asked_for_on_the_board_replaces_the_open_one(world: World) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben])
    for label in ("More", "Rules", "More", "Rules", "More"):
        await ann.clicks(ann.board, label)
        await ben.clicks(ben.board, label)
    await ann.clicks(ann.board, "My hand")
    hand = await ann.clicks(ann.board, "My hand")
    assert ["Board in words" in page.labels for page in pages_of(ann)] == [True, False]
    assert ann.now(hand).text.startswith("### Your hand")
    assert len(pages_of(ben)) == 1


async def test_pages_of_different_tables_do_not_replace_each_other(world: World) -> None:
    ann, ben = world.people(2)
    for _ in range(2):
        await ann.clicks(await started(ann, [ben]), "More")
    assert len(pages_of(ann)) == 2


async def test_a_page_stays_when_its_token_has_expired(world: World) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben])
    await ann.clicks(ann.board, "More")
    await world.wait(15 * 60)
    await ann.clicks(ann.board, "More")
    assert len(pages_of(ann)) == 2


async def test_turning_pages_keeps_a_page_replaceable(world: World) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben])
    page = await ann.clicks(ann.board, "Rules")
    await world.wait(10 * 60)
    await ann.clicks(page, "Next")
    await world.wait(10 * 60)
    await ann.clicks(ann.board, "More")
    assert len(pages_of(ann)) == 1


async def test_a_refusal_leaves_the_page_on_which_it_was_asked(world: World) -> None:
    ann, ben, cleo = world.people(3)
    await started(ann, [ben])
    asked = await ann.clicks(await ann.clicks(ann.board, "More"), "Resign")
    await ann.clicks(asked, "Resign")
    more = await cleo.clicks(cleo.board, "More")
    refused = await cleo.clicks(more, "Rematch")
    assert refused.id != more.id
    assert cleo.now(more) == more


async def test_pages_leave_direct_messages_as_they_are(world: World) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben])
    player = ann if "Rules" in ann.hand.labels else ben
    if "Rules" not in player.hand.labels:
        await player.picks(player.hand, next(iter(player.hand.moves)))
    hand = player.hand
    for _ in range(2):
        page = await player.clicks(hand, "Rules")
        page = await player.clicks(page, "Next")
        assert page.is_private
    assert player.now(hand) == hand
    assert len([seen for seen in player.messages(player.dm) if seen.is_private]) == 1


async def test_pages_can_be_used_after_a_restart(world: World) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben])
    more = await ann.clicks(ann.board, "More")
    await world.restart()
    page = await ann.clicks(more, "Board in words")
    assert page.id == more.id
    assert (await ann.clicks(page, "Back")).labels == more.labels


async def test_a_press_on_a_page_that_is_replaced_meanwhile_is_answered_below(world: World) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben])
    page = await ann.clicks(ann.board, "More")
    world.breaks("POST", "/interactions/*/callback", 404, code=10008)
    after = await ann.clicks(page, "What happened")
    assert after.id != page.id
    assert after.text.startswith("### What happened")


@pytest.mark.parametrize("game", ["pond", "frogs"])
async def test_the_board_in_words_of_a_game_that_is_over_says_who_won(world: World, game: str) -> None:
    ann, ben = world.people(2)
    await started_in(game, ann, [ben])
    asked = await ann.clicks(await ann.clicks(ann.board, "More"), "Resign")
    await ann.clicks(asked, "Resign")
    words = (await ben.clicks(await ben.clicks(ben.board, "More"), "Board in words")).text
    assert "**🏆 Ben wins**" in words
