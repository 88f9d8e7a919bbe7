"""Pictures in boards and hands."""

import multiprocessing
import os
from pathlib import Path

import pytest

from bot.pictures.worker import NICENESS, Painter
from bot.ui.posts.sender import RETRY_S
from tests.discord.play import Player, World
from tests.discord.running import running_world
from tests.discord.seen import Seen
from tests.discord.tables import legal, started_in
from tests.waiting import until


@pytest.mark.parametrize(("group", "players"), [("pond", 2), ("frogs", 2), ("pontis", 4), ("potblack", 4)])
async def test_boards_and_hands_have_pictures_that_change_with_the_game(world: World, group: str, players: int) -> None:
    people = world.people(players)
    await started_in(group, people[0], people[1:])
    await until(lambda: all(person.hand.pictures for person in people))
    for _ in range(3):
        before = people[0].board.pictures
        (turn, *_) = await world.tables.whose_turn(await world.tables.table(1))
        mover = next(person for person in people if person.id == turn)
        await mover.types(f"{group} move", move=(await legal(world, mover))[0])
        await world.env.settle()
    assert len(people[0].board.pictures) == 1
    assert people[0].board.pictures != before


async def test_hands_are_private(world: World) -> None:
    ann, ben = world.people(2)
    await started_in("pond", ann, [ben])
    await until(lambda: ann.hand.pictures and ben.hand.pictures)
    (of_ann,), (of_ben,) = ann.hand.pictures.values(), ben.hand.pictures.values()
    assert "Your hand" in of_ann
    assert of_ann != of_ben
    assert all("hand" not in alt for alt in ann.board.pictures.values())


async def test_a_hand_can_be_text_alone(world: World) -> None:
    ann, ben = world.people(2)
    await started_in("pond", ann, [ben])
    await until(lambda: ann.hand.pictures)
    assert "Spades" not in ann.hand.text
    await ann.types("settings", hands="text")
    await until(lambda: not ann.hand.pictures)
    assert "Spades" in ann.hand.text
    assert "♠" not in ann.hand.text
    assert not (await ann.types("pond hand")).pictures
    assert ben.hand.pictures


async def test_the_hand_is_above_the_choice(world: World) -> None:
    ann, ben = world.people(2)
    await started_in("pontis", ann, [ben], players=2)
    mover = ann if await legal(world, ann) else ben
    page = await mover.clicks(mover.board, "My hand")
    assert list(page.pictures) == list((await mover.types("pontis hand")).pictures)
    assert sorted(page.moves) == sorted(await legal(world, mover))


@pytest.mark.parametrize(("status", "code", "refusals"), [(400, 0, 2), (403, 50013, 1), (413, 40005, 2)])
async def test_a_message_is_text_if_discord_refuses_its_picture(
    world: World, status: int, code: int, refusals: int
) -> None:
    ann, ben = world.people(2)
    await started_in("pond", ann, [ben])
    await until(lambda: ann.board.pictures)
    world.expire_tokens()  # of the press of **Start**
    world.breaks("PATCH", f"/channels/{ann.board.channel_id}/messages/{ann.board.id}", status, code, times=refusals)
    await ann.types("pond move", move=(await legal(world, ann))[0])
    await until(lambda: not ann.board.pictures)
    assert "♣" in ann.board.text
    before = ann.board.text
    await ben.types("pond move", move=(await legal(world, ben))[0])
    await until(lambda: ann.board.text != before)
    assert not ann.board.pictures  # so the message isn't uploaded twice in vain with every move
    world.jump_s += RETRY_S
    mover = ann if await legal(world, ann) else ben
    await mover.types("pond move", move=(await legal(world, mover))[0])
    await until(lambda: ann.board.pictures)


async def begins(world: World, host: Player, guest: Player) -> tuple[Seen, Seen]:
    """Begin a game whose lobby the bot itself edits. Return the lobby as it is then, and the board."""
    lobby = await guest.clicks(await host.types("pond open"), "Join")
    world.expire_tokens()
    number = int((await world.tables.lists.seats(host.id, None, None, 5))[0].table.id)
    world.breaks("PATCH", f"/channels/{lobby.channel_id}/messages/{lobby.id}", 400, 0, times=2)
    await world.tables.lobbies.start(number, host.id)
    await world.bot.live.refresh(number)
    await world.env.settle()
    return lobby, host.board


async def test_a_board_is_posted_anew_if_no_edit_may_add_its_picture(world: World) -> None:
    ann, ben, cleo, dan = world.people(4)
    lobby, board = await begins(world, ann, ben)
    assert board.id != lobby.id
    assert board.pictures
    assert lobby.id not in [seen.id for seen in ann.messages()]
    lobby, board = await begins(world, cleo, dan)
    assert board.id != lobby.id, "the bot remembers which of the two works"
    assert board.pictures
    assert not [each for each in world.env.http_requests if each.method == "PATCH" and str(lobby.id) in each.path]


async def test_a_board_stays_in_words_if_no_new_post_may_have_its_picture_either(world: World) -> None:
    ann, ben = world.people(2)
    lobby = await ben.clicks(await ann.types("pond open"), "Join")
    world.expire_tokens()
    uploads = f"/channels/{world.channel.id}/messages"
    world.breaks("PATCH", f"{uploads}/{lobby.id}", 400, 0, times=2)
    world.breaks("POST", uploads, 400, 0, times=2)
    await world.tables.lobbies.start(1, ann.id)
    await world.bot.live.refresh(1)
    await world.env.settle()
    assert not ann.board.pictures
    assert "♣" in ann.board.text or "trap" in ann.board.text or "profit" in ann.board.text
    shown = ann.board.id
    for _ in range(2):
        mover = ann if await legal(world, ann) else ben
        await mover.types("pond move", move=(await legal(world, mover))[0])
        await world.env.settle()
    assert ann.board.id == shown, "a new post doesn't help, so it isn't tried again"


async def test_each_page_of_the_rules_has_its_own_picture_or_none(world: World) -> None:
    (ann,) = world.people(1)
    first = await ann.types("pond rules")
    ((file, alt),) = first.pictures.items()
    assert file.startswith("rules-")
    assert "K♦" in alt
    second = await ann.clicks(first, "Next")
    assert second.id == first.id
    assert second.pictures == {}
    assert (await ann.clicks(second, "Previous")).pictures == first.pictures


async def test_the_rules_have_no_pictures_where_hands_have_none(world: World) -> None:
    (ann,) = world.people(1)
    await ann.types("settings", hands="text")
    page = await ann.types("pond rules")
    assert page.pictures == {}
    assert "*A trick:*" in page.text


async def test_a_page_of_the_rules_is_text_if_discord_refuses_its_picture(world: World) -> None:
    (ann,) = world.people(1)
    second = await ann.clicks(await ann.types("frogs rules"), "Next")
    world.breaks("PATCH", "/webhooks/*", 400, times=2)
    first = await ann.clicks(second, "Previous")
    assert first.pictures == {}
    assert "*One turn.*" in first.text


async def test_pictures_come_back_when_the_process_that_draws_them_was_killed(world: World) -> None:
    ann, ben = world.people(2)
    await started_in("pond", ann, [ben])
    await until(lambda: ann.board.pictures)
    own = os.getpriority(os.PRIO_PROCESS, 0)
    for process in multiprocessing.active_children():
        assert os.getpriority(os.PRIO_PROCESS, process.pid or 0) == min(own + NICENESS, 19)
        process.kill()
    await ann.types("pond move", move=(await legal(world, ann))[0])
    await world.env.settle()
    await ben.types("pond move", move=(await legal(world, ben))[0])
    await until(lambda: ann.board.pictures)


async def test_the_file_of_a_board_is_known_after_a_preview_took_its_place(world: World) -> None:
    people = world.people(2)
    await started_in("frogs", people[0], people[1:])
    await until(lambda: all(person.hand.pictures for person in people))
    mover = people[0] if await legal(world, people[0]) else people[1]
    before = mover.hand
    assert await _knows_its_file(world, before)
    await mover.taps(before, next(iter(before.squares)))
    await world.env.settle()
    preview = mover.now(before)
    assert preview.text != before.text
    assert preview.pictures
    assert await _knows_its_file(world, preview)
    assert not await _knows_its_file(world, before)


async def _knows_its_file(world: World, seen: Seen) -> bool:
    """Whether the file that is recorded of a message is the one that it shows here."""
    (recorded,) = [each for each in await world.tables.messages.of(1) if each.message_id == seen.id]
    return str(recorded.attachment_id) in str(seen.components)


async def test_a_bot_that_is_ready_has_started_the_process_that_draws(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    painter = Painter()
    monkeypatch.setattr("bot.running.client.painter", painter)
    async with running_world(tmp_path / "lilypad.db"):
        assert painter.pid is not None
