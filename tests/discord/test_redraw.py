"""What follows from an edit that may have come too late."""

import asyncio
import logging

import pytest
from msgspec.structs import replace

from bot.tables import Shown
from bot.ui.layout import components
from bot.ui.post import Post
from bot.ui.posting import edit
from bot.ui.redraw import Redraws
from tests.discord.play import World, legal, play_on, started
from tests.waiting import until


@pytest.mark.parametrize(
    ("told", "happened"),
    [
        pytest.param(True, ["drawn"], id="something newer may be hidden"),
        pytest.param(None, ["mended"], id="another message is in its place"),
        pytest.param(False, [], id="all is well"),
    ],
)
async def test_an_edit_that_came_too_late_is_made_good(*, told: bool | None, happened: list[str]) -> None:
    seen: list[str] = []

    async def draw(_: int) -> None:
        seen.append("drawn")

    async def mend() -> None:
        seen.append("mended")

    redraws = Redraws("hand", draw)
    noted: asyncio.Future[bool | None] = asyncio.get_running_loop().create_future()
    redraws.overtaken(noted, 1, mend)
    noted.set_result(told)
    await until(lambda: len(seen) == len(happened))
    await asyncio.sleep(0.01)  # if anything else follows, it has happened by then
    await redraws.close()
    assert seen == happened


async def test_an_old_message_that_can_not_be_mended_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    async def draw(_: int) -> None:
        """Not asked for here."""

    async def mend() -> None:
        raise ConnectionError("no way")

    redraws = Redraws("hand", draw)
    noted: asyncio.Future[bool | None] = asyncio.get_running_loop().create_future()
    redraws.overtaken(noted, 1, mend)
    noted.set_result(None)
    await until(lambda: caplog.records)
    assert [(record.levelno, "stays as it is" in record.message) for record in caplog.records] == [
        (logging.WARNING, True)
    ]


@pytest.mark.parametrize("noted", ["anything", "the same"])
@pytest.mark.parametrize("kind", ["hand", "board"])
async def test_what_another_process_edits_while_its_successor_is_posted_is_taken_out_of_play_again(
    world: World, monkeypatch: pytest.MonkeyPatch, kind: str, noted: str
) -> None:
    ann, ben = world.people(2)
    await started(ann, [ben], rounds=2)
    store = world.bot._store
    user_id = ann.id if kind == "hand" else 0
    (old,) = [each for each in await store.shown(1) if (each.kind, each.user_id) == (kind, user_id)]
    record = store.record_shown

    async def record_after_a_late_edit(shown: Shown, *, is_first: bool = False) -> Shown | None:
        (recorded, *_) = [each for each in await store.shown(1) if (each.kind, each.user_id) == (kind, user_id)]
        if (shown.kind, shown.user_id) == (kind, user_id) and recorded.message_id == old.message_id < shown.message_id:
            await edit(world.bot, recorded, components(Post(("### As it was",))))
            other = replace(recorded, digest=recorded.digest.replace(":", ":as-it-was-"))
            store.redrawn(*((other, recorded) if noted == "anything" else (recorded, other)))
            await store.shown(1)
        return await record(shown, is_first=is_first)

    monkeypatch.setattr(store, "record_shown", record_after_a_late_edit)
    if kind == "board":
        await play_on(world, [ann, ben], lambda seen: seen.phase == "bait")
        await ben.says("what a day")
        mover = ann if await legal(world, ann) else ben
        await mover.types("pond move", move=(await legal(world, mover))[0])
    else:
        await play_on(world, [ann, ben], lambda seen: seen.round == 1)
    place = ann.home if kind == "board" else ann.dm
    (left,) = [seen for seen in ann.messages(place) if seen.id == old.message_id]
    assert ("goes on" if kind == "board" else "The next hand is below.") in left.text
    assert left.labels == []
