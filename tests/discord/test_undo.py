"""Undo on Discord: at once if nothing was revealed, otherwise with the consent of the others."""

from typing import Any

import pytest

from bot.ui.live.plan import TIDY_S
from tests.discord.play import Player, World
from tests.discord.seen import Seen
from tests.discord.tables import fast_forward, legal, play_on, public, started, started_in

_ASKED = "wants to undo their last move and everything after it"
"""A question in the channel. Hands say it in fewer words."""


async def baited(world: World, *players: Player) -> tuple[Player, Player]:
    """Play until the first bait is laid. Return the player who laid it, and the player to move."""
    await play_on(world, players, lambda seen: seen.phase == "bait")
    turn = await world.tables.whose_turn(await world.tables.table(1))
    first, second = sorted(players, key=lambda player: player.id not in turn)
    await first.picks(first.hand, next(iter(first.hand.moves)))
    return first, second


async def two_playing(world: World) -> list[Player]:
    """Start a game of two people, and return them."""
    ann, ben = world.people(2)
    await started(ann, [ben])
    return [ann, ben]


def question(player: Player) -> Seen:
    """Return the latest message in the channel that asks for consent."""
    return [seen for seen in player.messages() if _ASKED in seen.text][-1]


def question_count(player: Player) -> int:
    """Return the number of messages in the channel that ask for consent and can be answered."""
    return len([seen for seen in player.messages() if _ASKED in seen.text and "Agree" in seen.labels])


def mentions(world: World) -> list[list[int]]:
    """Return the users pinged by each message of the bot."""
    posts = [each for each in world.env.http_requests if each.method == "POST" and each.path.endswith("/messages")]
    return [[int(user) for user in (post.json or {}).get("allowed_mentions", {}).get("users", [])] for post in posts]


async def last_mover(world: World, people: list[Player]) -> Player:
    """Return the player who moved last at Table 1."""
    log = (await world.tables.transcript(1, unfinished=True)).entries
    last = [entry for entry in log if entry.seat is not None][-1]
    sitter = (await world.tables.table(1)).sitter_at(last.seat or 0)
    return next(player for player in people if sitter and player.id == sitter.user_id)


async def entries(world: World) -> int:
    """Return the number of entries in the log of Table 1."""
    return len((await world.tables.transcript(1, unfinished=True)).entries)


async def test_a_secret_choice_is_undone_with_one_press(world: World) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben])
    before, choices = await entries(world), await legal(world, ann)
    hand = await ann.picks(ann.hand, choices[0])
    assert "Undo" in hand.labels
    assert "Undo" not in ben.hand.labels
    back = await ann.clicks(hand, "Undo")
    assert sorted(back.moves) == choices
    assert "Undo" not in ann.hand.labels
    assert await entries(world) == before
    (again,) = await world.at_once((ann, hand.use("Undo")))
    assert again is not None
    assert "moved on" in again.text
    assert await entries(world) == before


async def test_the_undo_button_disappears_when_another_player_moves(world: World) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben])
    await ann.picks(ann.hand, next(iter(ann.hand.moves)))
    assert "Undo" in ann.hand.labels
    await ben.picks(ben.hand, next(iter(ben.hand.moves)))
    await world.wait(TIDY_S)
    assert "Undo" not in ann.hand.labels + ben.hand.labels


async def test_an_open_card_is_taken_back_when_the_opponent_agrees(world: World) -> None:
    asker, other = await baited(world, *await two_playing(world))
    before = await entries(world)
    name = other.member.user.global_name
    answer = await asker.clicks(asker.board, "Undo")
    assert answer.text == f"Waiting for {name} to agree."
    asked = question(other)
    assert asked.pinged == (other.id,)
    assert "You agreed" in (await other.clicks(asked, "Agree")).text
    await world.wait(1)
    assert not any("Waiting for" in seen.text and "agree" in seen.text for seen in asker.messages())
    assert await entries(world) == before - 1
    assert (await public(world)).phase == "bait"
    assert asker.hand.moves
    assert not other.hand.moves


async def test_the_question_and_the_answers_are_on_the_hands(world: World) -> None:
    asker, other = await baited(world, *await two_playing(world))
    names = [player.member.user.global_name for player in (asker, other)]
    opened = await other.clicks(other.board, "My hand")
    answer = await asker.clicks(asker.board, "Undo")
    for hand in (other.hand, other.now(opened)):
        assert f"**{names[0]}** wants to undo their last move." in hand.text
        assert {"Agree", "Refuse"} <= set(hand.labels)
        assert hand.moves
    assert f"Waiting for {names[1]} to agree." in asker.hand.text
    assert "Stop asking" in asker.hand.labels
    await other.clicks(other.hand, "Refuse")
    assert "said no." in asker.hand.text
    assert "said no." in asker.now(answer).text
    assert "Agree" not in other.hand.labels + other.now(opened).labels
    fresh = other.now(opened)
    await other.picks(fresh, next(iter(fresh.moves)))
    assert not [each for each in asker.messages() if "is void" in each.text]


async def test_both_sides_read_that_a_question_is_void(world: World) -> None:
    asker, other = await baited(world, *await two_playing(world))
    answer = await asker.types("pond undo")
    before = await entries(world)
    stale = other.hand
    hand = await other.picks(other.hand, next(iter(other.hand.moves)))
    assert "question about an undo is void: the game has moved on." in hand.text
    assert "Agree" not in hand.labels
    assert "Your question about an undo is void: the game has moved on." in asker.hand.text
    assert asker.now(answer).text == "The game has moved on, so your question is void."
    (late,) = await world.at_once((other, stale.use("Agree")))
    assert late is not None
    assert "nothing to agree to" in late.text
    assert await entries(world) == before + 1
    await asker.picks(asker.hand, next(iter(asker.hand.moves)))
    assert "void" not in asker.hand.text


async def test_after_a_restart_both_sides_read_that_a_question_is_void(world: World) -> None:
    asker, other = await baited(world, *await two_playing(world))
    await asker.clicks(asker.board, "Undo")
    (question,) = (each for each in other.messages() if "everything after it" in each.text)
    await world.restart()
    hand = await other.picks(other.hand, next(iter(other.hand.moves)))
    assert "question about an undo is void: the game has moved on." in hand.text
    assert "Your question about an undo is void: the game has moved on." in asker.hand.text
    assert question.id not in {each.id for each in other.messages()}


async def test_a_question_on_a_board_of_buttons(world: World) -> None:
    ann, ben = world.people(2)
    await started_in("frogs", ann, [ben])
    (first,) = await whose_turn(world, (ann, ben))
    other = ben if first is ann else ann
    for mover in (first, other):
        await mover.types("frogs move", move=(await legal(world, mover))[0])
    await first.types("frogs undo")
    assert "wants to undo their last move." in other.hand.text
    assert other.hand.labels[-3:] == ["Agree", "Refuse", "More"]
    before = await entries(world)
    await other.clicks(other.hand, "Agree")
    assert await entries(world) == before - 2


async def whose_turn(world: World, people: tuple[Player, ...]) -> list[Player]:
    """Return the players to move at Table 1."""
    turn = await world.tables.whose_turn(await world.tables.table(1))
    return [player for player in people if player.id in turn]


async def test_the_board_has_undo_where_a_hand_has_it(world: World) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben])
    assert "Undo" not in ann.board.labels
    hand = await ann.picks(ann.hand, next(iter(ann.hand.moves)))
    assert "Undo" in hand.labels
    assert ann.board.labels[:4] == ["My hand", "Undo", "Rules", "More"]
    assert "nothing to undo" in (await ben.clicks(ben.board, "Undo")).text
    watcher = world.person("Cleo")
    assert "You can watch" in (await watcher.clicks(ann.board, "Undo")).text
    back = await ann.clicks(ann.board, "Undo")
    assert "You took your move back." in back.text
    assert "Undo" not in ann.board.labels


async def test_the_opponent_can_refuse_an_undo(world: World) -> None:
    asker, other = await baited(world, *await two_playing(world))
    before = await entries(world)
    await asker.types("pond undo")
    asked = question(other)
    assert "You said no" in (await other.clicks(asked, "Refuse")).text
    assert " said no. " in other.now(asked).text
    assert not other.now(asked).labels
    assert "Not everyone agreed" in (await asker.types("pond undo")).text
    assert await entries(world) == before


async def test_the_question_is_asked_once_and_removed_after_the_turn(world: World) -> None:
    asker, other = await baited(world, *await two_playing(world))
    for _ in range(3):
        await asker.types("pond undo")
    questions = [seen for seen in asker.messages() if _ASKED in seen.text]
    assert len(questions) == 1
    await other.picks(other.hand, next(iter(other.hand.moves)))
    await play_on(world, [asker, other], lambda seen: seen.phase == "play")
    assert not [seen for seen in asker.messages() if _ASKED in seen.text]


async def test_a_deleted_question_can_be_asked_again(world: World) -> None:
    asker, other = await baited(world, *await two_playing(world))
    await asker.types("pond undo")
    world.deletes(question(other))
    await world.env.settle()
    await asker.types("pond undo")
    assert "You agreed" in (await other.clicks(question(other), "Agree")).text


async def test_a_question_that_is_asked_again_pings_nobody(world: World) -> None:
    asker, other = await baited(world, *await two_playing(world))
    await asker.types("pond undo")
    first = question(other)
    assert first.pinged == (other.id,)
    world.deletes(first)
    await world.env.settle()
    await asker.types("pond undo")
    assert question(other).id != first.id
    assert question(other).pinged == ()


async def test_a_question_counts_as_a_ping(world: World) -> None:
    asker, other = await baited(world, *await two_playing(world))
    await world.wait(200)
    before = mentions(world).count([other.id])
    for _ in range(2):
        await asker.types("pond undo")
        assert "You agreed" in (await other.clicks(question(other), "Agree")).text
        await asker.picks(asker.hand, next(iter(asker.hand.moves)))
    assert mentions(world).count([other.id]) == before + 1


async def test_a_withdrawn_question_can_be_asked_again_after_the_next_move(world: World) -> None:
    asker, other = await baited(world, *await two_playing(world))
    await asker.types("pond undo")
    first = question(asker)
    assert "You stopped asking" in (await asker.clicks(first, "Refuse")).text
    assert "after the next move" in (await asker.types("pond undo")).text
    assert question_count(other) == 0
    await other.picks(other.hand, next(iter(other.hand.moves)))
    await asker.types("pond undo")
    assert question_count(other) == 1


@pytest.mark.parametrize("settings", [{"pings": "off"}, {"quiet": "0:00-8:00", "timezone": "0"}])
async def test_a_question_does_not_ping_players_who_want_no_pings(world: World, settings: dict[str, Any]) -> None:
    assert world.env.now().hour == 0
    people = world.people(4)
    await started(people[0], people[1:], players=4)
    await play_on(world, people, lambda seen: len(seen.baits) == 1)
    asker = await last_mover(world, people)
    sleeper, *others = [player for player in people if player is not asker]
    await sleeper.types("settings", **settings)
    answer = await asker.types("pond undo")
    assert str(sleeper.member.user.global_name) in answer.text, "they are still asked"
    asked = question(sleeper)
    assert set(asked.pinged) == {player.id for player in others}
    assert "You agreed" in (await sleeper.clicks(asked, "Agree")).text


async def test_two_players_can_ask_at_the_same_time(world: World) -> None:
    people = world.people(4)
    await started(people[0], people[1:], players=4)
    await play_on(world, people, lambda seen: len(seen.baits) == 2)
    turn = await world.tables.whose_turn(await world.tables.table(1))
    snapshot = await world.tables.snapshot(1)
    moved = {player.id: snapshot.reader(player.id).moved_at or 0.0 for player in people}
    askers = sorted((player for player in people if player.id not in turn), key=lambda player: -moved[player.id])[:2]
    for asker in askers:
        await asker.types("pond undo")
    assert len([seen for seen in people[0].messages() if _ASKED in seen.text]) == 2
    await play_on(world, people, lambda seen: bool(seen.trick))
    assert not [seen for seen in people[0].messages() if _ASKED in seen.text]


async def test_only_the_opponents_can_agree_or_refuse(world: World) -> None:
    asker, other = await baited(world, *await two_playing(world))
    before = await entries(world)
    await asker.types("pond undo")
    asked = question(other)
    watcher = world.person("Cleo")
    for label in ("Agree", "Refuse"):
        assert "not playing" in (await watcher.clicks(asked, label)).text
    await asker.clicks(asked, "Agree")
    assert await entries(world) == before
    assert "You stopped asking" in (await asker.clicks(asked, "Refuse")).text
    (late,) = await world.at_once((other, asked.use("Agree")))
    assert late is not None
    assert "stopped asking" in late.text


async def test_only_one_of_a_simultaneous_move_and_consent_takes_effect(world: World) -> None:
    asker, other = await baited(world, *await two_playing(world))
    await asker.types("pond undo")
    agree = question(other).use("Agree")
    before = await entries(world)
    played, agreed = await world.at_once((other, next(iter(other.hand.moves.values()))), (other, agree))
    assert played is not None
    assert agreed is not None
    if await entries(world) == before + 1:
        assert "nothing to agree to" in agreed.text
    else:
        assert await entries(world) == before - 1
        assert "moved on" in played.text


async def test_against_computers_a_move_is_taken_back_at_once(world: World) -> None:
    ann = world.person("Ann")
    lobby = await ann.types("frogs open", computers=1)
    await ann.clicks(lobby, "Start")
    sight = await world.tables.look(1, ann.id)
    await ann.types("frogs move", move=str(sight.observation.legal[0]))
    before = await entries(world)
    back = await ann.clicks(await ann.types("frogs undo"), "Take it back")
    assert "You took your move back." in back.text
    assert await entries(world) == before - 2
    assert "**Your turn**" in back.text


async def test_against_computers_the_hand_offers_undo_while_one_is_to_move(world: World) -> None:
    ann = world.person("Ann")
    await ann.clicks(await ann.types("pond open", computers=1, rounds=2), "Start")
    for _ in range(2):
        await ann.picks(ann.hand, next(iter(ann.hand.moves)))
    assert "Undo" in ann.hand.labels
    asked = await ann.clicks(ann.hand, "Undo")
    assert "You took your move back." in (await ann.clicks(asked, "Take it back")).text


async def test_a_button_from_before_an_undo_is_answered(world: World) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben])
    first = await ann.clicks(ann.board, "My hand")
    use = next(iter(first.moves.values()))
    hand = await ann.picks(ann.hand, next(iter(ann.hand.moves)))
    await ann.clicks(hand, "Undo")
    before = await entries(world)
    (answer,) = await world.at_once((ann, use))
    assert answer is not None
    assert "The game has moved on" in answer.text
    assert await entries(world) == before
    assert answer.moves


async def test_undoing_the_last_card_of_a_deal_undoes_the_next_deal(world: World) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben], rounds=2)
    await fast_forward(world, lambda seen: seen.round == 1)
    dealt = (await world.tables.transcript(1, unfinished=True)).entries
    hands = [without_link(player.hand) for player in (ann, ben)]
    last = max(ply for ply, entry in enumerate(dealt) if entry.seat is not None)
    asker, other = (ann, ben) if dealt[last].seat == 0 else (ben, ann)
    await asker.types("pond undo")
    await other.clicks(question(other), "Agree")
    assert await entries(world) == last
    assert dealt[last].move in asker.hand.moves
    assert "round 1 of 2" in asker.board.text
    await asker.picks(asker.hand, dealt[last].move)
    again = (await world.tables.transcript(1, unfinished=True)).entries
    assert again == dealt
    assert [without_link(player.hand) for player in (ann, ben)] == hands
    await world.restart()
    assert [without_link(player.hand) for player in (ann, ben)] == hands


def without_link(hand: Seen) -> str:
    """Return the text of a hand without the link to the board, which is posted again with each deal."""
    return hand.text.partition("[Open board]")[0] + hand.text.partition(")\n")[2]


async def test_the_number_of_undos_is_public(world: World) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben])
    for _ in range(2):
        hand = await ann.picks(ann.hand, next(iter(ann.hand.moves)))
        await ann.clicks(hand, "Undo")
    page = await ben.clicks_through(ben.board, "More", "About this game", "Next")
    assert "Ann took 2 moves back." in page.text
