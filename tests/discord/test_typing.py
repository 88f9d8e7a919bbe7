"""Slash commands: autocomplete, refusals, the choice of a table, and information pages."""

from typing import Final

from bot.games import GAMES
from bot.ui.autocomplete import matching
from tests.discord.play import Player, World
from tests.discord.tables import fast_forward, legal, opened_in, play_on, public, started, started_in
from tests.discord.watch import cards_in


async def pair(world: World) -> tuple[Player, Player]:
    """Start a table with Ann and Ben."""
    ann, ben = world.people(2)
    await started(ann, [ben])
    return ann, ben


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


async def test_a_refused_move_names_its_ruling_and_is_private(world: World) -> None:
    mover, other = await baiting(world)
    version = (await world.tables.table(1)).version
    for move, ruling in REFUSED.items():
        answer = await mover.types("pond move", move=move)
        assert answer.is_private
        assert ruling in answer.text, move
        assert "went wrong" not in answer.text
        assert (await world.tables.table(1)).version == version
        assert answer.id not in {seen.id for seen in other.messages()}


async def test_a_trap_by_a_player_who_does_not_lead_is_refused_by_pc_18(world: World) -> None:
    mover, other = await baiting(world)
    await play_on(world, [mover, other], lambda seen: seen.phase == "trap")
    follower = other if await legal(world, mover) else mover
    await follower.types("settings", hands="text")
    held = (await follower.types("pond hand")).text
    card = min(cards_in(held))
    answer = await follower.types("pond move", move=f"trap {card}")
    assert "(PC-18)" in answer.text
    assert answer.is_private


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
    assert shown.text.startswith(f"### Scores · Table {two.name}")


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


# ---- information pages


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


async def test_help_explains_how_to_begin_and_opens_the_rules(world: World) -> None:
    (ann,) = world.people(1)
    for at in (ann.home, ann.dm):
        answer = await ann.types("help", at=at)
        assert "/pond open" in answer.text
        rules = await ann.clicks(answer, "Pond · cards")
        assert "How to play" in rules.text
        assert rules.id == answer.id
        assert (await ann.clicks(await ann.clicks(rules, "Next"), "Back")).text == answer.text


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
    assert "PC-18" in whole
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
    assert "2 rounds · First of tied cards wins" in lobby.text
    answer = await ben.clicks(lobby, "Options")
    assert "- First of tied cards wins" in answer.text
    assert len(answer.text.splitlines()) == 3 + len(GAMES["pond"].options)


async def test_scores_show_every_round(world: World) -> None:
    ann, ben = await pair(world)
    more = await ben.clicks(ann.board, "More")
    assert more.is_private
    assert "No round is finished yet" in (await ben.clicks(more, "Scores")).text
    await fast_forward(world, lambda seen: seen.round == 2)
    answer = await ben.clicks_through(ben.now(more), "Back", "Scores")
    assert answer.id == more.id
    assert "**Round 1 scored**" in answer.text
    assert "**Round 2 scored**" in answer.text
    assert answer.text.index("Round 2") < answer.text.index("Round 1 scored")


async def test_the_seed_is_shown_only_after_the_end(world: World) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben], rounds=2)
    more = await ann.clicks(ann.board, "More")
    before = await ann.clicks(more, "Fair deal")
    table = await world.tables.table(1)
    assert table.commitment in before.text
    assert "You'll see it when the game is over" in before.text
    assert "Cut" not in before.text
    await fast_forward(world, lambda seen: seen.outcome is not None)
    table = await world.tables.table(1)
    assert table.seed is not None
    assert table.seed in (await ann.clicks(await ann.clicks(ann.board, "More"), "Fair deal")).text
    more = await ann.clicks(ann.board, "More")
    (answer,) = await world.at_once((ben, more.use("Scores")))
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
    assert "Someone's away" in table.labels
    assert [*(await ann.types("tables", table="1")).labels, "Back"] == table.labels
    assert list(await ann.completes("tables", "table")) == ["1"]
    await world.tables.resign(1, ann.id)
    assert {"Rematch", "Transcript"} <= set((await ann.types("tables", table="1")).labels)


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
