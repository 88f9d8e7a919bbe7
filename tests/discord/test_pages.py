"""Texts too long for one message are split into pages, which buttons turn in place."""

import random
import re
from pathlib import Path

import pytest

from bot.fairness import Deals
from bot.games import GAMES
from bot.games.game import CHANCE, Entry
from bot.store.records import Place, Sitter, Table
from bot.store.sqlite import SqliteStore
from tests.discord.play import Player, World
from tests.discord.seen import Seen, Use
from tests.discord.tables import started, started_in
from tests.store.lilypads import append, opened
from tests.world import text_of


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


async def test_scores_of_ten_games_are_paged_newest_first(world: World, tmp_path: Path) -> None:
    ann, _ = await long_match(world, tmp_path / "lilypad.db", 13, 10)
    more = await ann.clicks(await ann.types("pontis board"), "More")
    first = await ann.clicks(more, "Scores")
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
    assert first.labels == ["Older", "Back"]
    assert pages[-1].labels == ["Newer", "Back"]


async def test_pages_can_be_turned_after_a_restart(world: World, tmp_path: Path) -> None:
    ann, _ = await long_match(world, tmp_path / "lilypad.db", 13, 10)
    page = await ann.clicks(await ann.clicks(await ann.types("pontis board"), "More"), "Scores")
    await world.restart()
    assert "(2 of" in (await ann.clicks(page, "Older")).text


async def test_the_cuts_of_thirteen_players_are_all_shown(world: World) -> None:
    people = [world.person("*" * 23 + letter) for letter in "ABCDEFGHIJKLM"]
    ann, *others = people
    await ann.types("pontis open", players=13)
    for other in others:
        await other.clicks(ann.board, "Join")
    for person in people:
        await person.types("pontis cut", text="*" * 100)
    await ann.clicks(ann.board, "Start")
    await ann.clicks(await ann.clicks(await ann.clicks(ann.board, "More"), "Close the table"), "Close the table")
    pages = await turn_pages(ann, await ann.clicks(await ann.clicks(ann.board, "More"), "Fair deal"), "Next")
    text = "\n".join(page.text for page in pages)
    assert all(r"\*" * 23 + f"{letter}: " + r"\*" * 100 in text for letter in "ABCDEFGHIJKLM")


async def test_a_page_number_too_high_shows_the_last_page(world: World, tmp_path: Path) -> None:
    ann, table = await long_match(world, tmp_path / "lilypad.db", 13, 5)
    page = await ann.clicks(await ann.clicks(await ann.types("pontis board"), "More"), "Scores")
    outdated = "This button is too old."
    for argument, shown in (("x", outdated), ("-1", outdated), ("9" * 60, outdated), ("99999", "(2 of 2)")):
        forged = Use(page.id, page.channel_id, f"lily:scores:{table.id}:1:{argument}")
        (answer,) = await world.at_once((ann, forged))
        assert answer is not None
        assert shown in answer.text


async def test_a_forged_page_never_replaces_a_public_board(world: World) -> None:
    ann, ben = world.people(2)
    board = await started(ann, [ben])
    for verb in ("scores", "describe", "happened", "options", "fair", "won", "tables", "rules"):
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
    assert page.text.splitlines()[-1] == "Ann sets a card aside."
    asked = await ann.clicks(await ann.clicks(ann.board, "More"), "Resign")
    await ann.clicks(asked, "Resign")
    more = await ben.clicks(ben.board, "More")
    assert more.labels == [
        "Board in words",
        "Scores",
        "What happened",
        "Options",
        "Fair deal",
        "Rematch",
        "Review",
        "Rules",
        "Transcript",
        "Why?",
    ]
    assert "Ann sets a card aside." in (await ben.clicks(more, "What happened")).text


async def test_no_line_ends_within_a_ruling(world: World) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben])
    refused = await ann.types("pond move", move="hop")
    page = await ann.clicks(refused, "Why?")
    assert "(G\N{NON-BREAKING HYPHEN}04)" in text_of(page.components)


async def test_why_opens_the_rulings_of_all_games_as_well(world: World) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben])
    refused = await ann.types("pond move", move="hop")
    assert "G-04" not in refused.text
    page = await ann.clicks(refused, "Why?")
    assert page.text.startswith("### All games · Moves")
    assert "(G-04)" in page.text
    assert "Resigning" in (await ann.picks(page, "1")).text
    await ann.types("pond open")
    refused = await ann.types("pond cut", text="a|b", table="2")
    assert "G-12" in (await ann.clicks(refused, "Why?")).text


# ---- one page at a time


def pages_of(player: Player) -> list[Seen]:
    """Return the private messages that the player sees in their home channel."""
    return [seen for seen in player.messages() if seen.is_private]


async def test_pages_opened_from_more_take_its_place_and_lead_back(world: World) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben])
    more = await ann.clicks(ann.board, "More")
    for label in ("Board in words", "Scores", "What happened", "Options", "Fair deal", "Resign", "Close the table"):
        page = await ann.clicks(ann.now(more), label)
        assert page.id == more.id, label
        back = {"Resign": "Play on", "Close the table": "Keep it"}.get(label, "Back")
        after = await ann.clicks(page, back)
        assert after.id == more.id, label
        if label == "Resign":
            assert after.text.startswith("### Your hand")
            more = await ann.clicks(ann.board, "More")
        else:
            assert after.labels == more.labels


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
    after = await ann.clicks(page, "Scores")
    assert after.id != page.id
    assert after.text.startswith("### Scores")


@pytest.mark.parametrize("game", ["pond", "frogs"])
async def test_the_board_in_words_of_a_game_that_is_over_says_who_won(world: World, game: str) -> None:
    ann, ben = world.people(2)
    await started_in(game, ann, [ben])
    asked = await ann.clicks(await ann.clicks(ann.board, "More"), "Resign")
    await ann.clicks(asked, "Resign")
    words = (await ben.clicks(await ben.clicks(ben.board, "More"), "Board in words")).text
    assert "**🏆 Ben wins**" in words
