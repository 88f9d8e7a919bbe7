"""Commands and buttons that show pages: own tables, rules, options, scores, the seed and the transcript."""

from bot.games import GAMES
from tests.discord.play import LEAVING, World
from tests.discord.seen import Use
from tests.discord.tables import fast_forward, legal, opened_in, pair, play_on, public, started


async def test_the_own_tables_are_listed_with_those_to_move_at_first(world: World) -> None:
    ann, ben = await pair(world)
    await world.wait(10)
    await started(ann, [ben], rounds=2)
    await ann.types("pond move", table="1", move=(await legal(world, ann, 1))[0])
    await ann.types("pond open")
    one, two, three = [(await world.tables.table(number)).name for number in (1, 2, 3)]
    answer = await ann.types("tables")
    _, first, second, third = answer.text.splitlines()
    assert first.startswith(f"**{two}** (number 2) · Pond · cards · **your turn** [Open board](https://discord.com/")
    assert second.startswith(f"**{one}** (number 1) · Pond · cards · waiting for others")
    assert third.startswith(f"**{three}** (number 3) · Pond · cards · in the lobby, 1 of 2 here")
    assert answer.is_private


async def test_the_rules_can_be_read_page_by_page(world: World) -> None:
    (ann,) = world.people(1)
    page = await ann.types("pond rules")
    assert page.is_private
    texts = [page.text]
    while "Next" in page.labels:
        after = await ann.clicks(page, "Next")
        assert after.id == page.id
        page = after
        texts.append(page.text)
    assert len(set(texts)) == len(texts) > 5
    whole = "\n".join(texts)
    assert "only the starter decides: lay a second card" in whole
    assert "PC-18" not in whole
    assert (await ann.clicks(page, "Previous")).text == texts[-2]


async def test_the_rules_open_at_a_topic(world: World) -> None:
    (ann,) = world.people(1)
    topics = await ann.completes("pond rules", "topic")
    assert len(topics) > 3
    for topic in topics:
        _, _, title = topic.partition(". ")
        heading = (await ann.types("pond rules", topic=topic)).text.splitlines()[0]
        assert heading.partition(" (")[0] == f"### Pond · cards · {title}"
    page = await ann.types("pond rules")
    picked = await ann.picks(page, "1")
    assert f"· {page.options['1'].partition('. ')[2]} (" in picked.text
    assert "no topic “\\*\\*chess\\*\\*”" in (await ann.types("pond rules", topic="**chess**")).text


async def test_options_are_shown_in_words(world: World) -> None:
    ann, ben = world.people(2)
    lobby = await opened_in("pond", ann, tie="first", rounds=2)
    assert "2 rounds · Ties: first card wins" in lobby.text
    answer = await ben.clicks(lobby, "Options")
    assert "- Ties: first card wins" in answer.text
    assert len(answer.text.splitlines()) == 3 + len(GAMES["pond"].options)


async def test_scores_show_every_round(world: World) -> None:
    ann, ben = await pair(world)
    more = await ben.clicks(ann.board, "More")
    assert more.is_private
    first = await ben.clicks(more, "What happened")
    assert "No round is finished yet" in (await ben.clicks(first, "Older")).text
    await fast_forward(world, lambda seen: seen.round == 2)
    pages = [await ben.clicks_through(ben.now(more), "Back", "What happened")]
    assert pages[0].id == more.id
    while "Older" in pages[-1].labels:
        pages.append(await ben.clicks(pages[-1], "Older"))
    text = "".join(page.text for page in pages)
    assert "**Round 1 scored**" in text
    assert "**Round 2 scored**" in text
    assert text.index("Round 2 scored") < text.index("Round 1 scored")


async def test_the_seed_is_shown_only_after_the_end(world: World) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben], rounds=2)
    more = await ann.clicks(ann.board, "More")
    before = await ann.clicks(more, "About this game")
    table = await world.tables.table(1)
    onward = [await ann.clicks(before, "Next")] if "Next" in before.labels else []
    assert table.commitment in "".join(page.text for page in (before, *onward))
    before = await ann.clicks(onward[-1], "Previous") if onward else before
    assert "You'll see it when the game is over" in before.text
    assert "Cut" not in before.text
    await fast_forward(world, lambda seen: seen.outcome is not None)
    table = await world.tables.table(1)
    assert table.seed is not None
    assert table.seed in (await ann.clicks_through(ann.board, "More", "About this game")).text
    board = ann.board
    (answer,) = await world.at_once((ben, Use(board.id, board.channel_id, "lily:scores:1:1:")))  # of an old page
    assert answer is not None
    assert "Round 2 scored" in answer.text


async def test_there_is_no_transcript_before_the_end(world: World) -> None:
    ann, _ = await pair(world)
    use = ann.board.use("Rules")
    (answer,) = await world.at_once((ann, type(use)(use.message_id, use.channel_id, "lily:transcript:1:1:")))
    assert answer is not None
    assert "when the game is over" in answer.text
    assert answer.files == []


async def test_players_see_the_cards_they_took(world: World) -> None:
    ann, ben = await pair(world)
    await play_on(world, [ann, ben], lambda seen: any(seen.pile_counts))
    counts = (await public(world)).pile_counts
    for player, count in zip((ann, ben), counts, strict=True):
        text = (await player.types("pond won")).text
        assert (f"{count} cards, worth" in text) == bool(count)
        assert ("You haven't taken any cards yet" in text) == (not count)
        piles = [label for label in player.hand.labels if label.startswith("My pile ")]
        assert len(piles) == bool(count)
        assert not count or (await player.clicks(player.hand, piles[0])).text == text


async def test_a_table_picked_from_the_list_shows_what_can_be_done_there(world: World) -> None:
    ann, _ = await pair(world)
    page = await ann.types("tables")
    table = await ann.picks(page, (await world.tables.table(1)).key)
    assert table.id == page.id
    assert (await ann.clicks(table, "Back")).text == page.text
    assert LEAVING in table.labels
    assert [*(await ann.types("tables", table="1")).labels, "Back"] == table.labels
    assert list(await ann.completes("tables", "table")) == ["1"]
    await world.tables.resign(1, ann.id)
    assert {"Rematch", "About this game"} <= set((await ann.types("tables", table="1")).labels)
