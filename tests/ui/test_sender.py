"""Of two edits of a message at the same time, nobody knows which one it shows."""

import asyncio
import time
from typing import Any, Final

from bot.ui.posts.post import Figure, Post
from bot.ui.posts.sender import Attached, Draft, Files, Sender, Sent

HELLO: Final = Post(("Hello",))
PICTURE: Final = Post((), scene=Figure("key", "Cards.", data=b"PNG"))


class Edits:
    """Requests to Discord that are answered when a test says so."""

    def __init__(self) -> None:
        self.sender = Sender(time.monotonic)
        self.files: list[list[Any]] = []

    def begin(
        self, message_id: int, *, post: Post = HELLO, kept: Attached | None = None
    ) -> tuple[asyncio.Task[Sent], asyncio.Future[int]]:
        """Begin an edit. Return its task, and what is set to answer it."""
        answered: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        async def transport(_view: object, files: Files) -> int:
            self.files.append(files)
            return await answered

        sending = self.sender.send(Draft(post), transport, (message_id,), edits=message_id, kept=kept)
        return asyncio.create_task(sending), answered


async def test_edits_of_a_message_that_overlap_have_crossed() -> None:
    edits = Edits()
    first, first_answer = edits.begin(7)
    await asyncio.sleep(0)
    second, second_answer = edits.begin(7)
    await asyncio.sleep(0)
    second_answer.set_result(7)
    assert (await second).has_crossed
    first_answer.set_result(7)
    assert (await first).has_crossed


async def test_an_edit_that_fails_crosses_the_other_all_the_same() -> None:
    edits = Edits()
    first, first_answer = edits.begin(7)
    await asyncio.sleep(0)
    second, second_answer = edits.begin(7)
    await asyncio.sleep(0)
    first_answer.set_exception(OSError())
    await asyncio.wait({first})
    second_answer.set_result(7)
    assert (await second).has_crossed


async def test_edits_one_after_the_other_or_of_other_messages_have_not_crossed() -> None:
    edits = Edits()
    other, other_answer = edits.begin(8)
    await asyncio.sleep(0)
    for _ in range(2):
        edit, answer = edits.begin(7)
        await asyncio.sleep(0)
        answer.set_result(7)
        assert not (await edit).has_crossed
    other_answer.set_result(8)
    assert not (await other).has_crossed


async def test_an_edit_beside_another_uploads_its_picture_as_the_other_may_replace_the_file() -> None:
    edits = Edits()
    alone, answer = edits.begin(7, post=PICTURE)
    await asyncio.sleep(0)
    ((file,),) = edits.files
    kept = Attached(file.filename, 1)
    answer.set_result(7)
    await alone
    alone, answer = edits.begin(7, post=PICTURE, kept=kept)
    await asyncio.sleep(0)
    _, answer_beside = edits.begin(7, post=PICTURE, kept=kept)
    await asyncio.sleep(0)
    answer.set_result(7)
    answer_beside.set_result(7)
    _, first, beside = edits.files
    assert isinstance(first[0], Attached)
    assert not isinstance(beside[0], Attached)
    assert (await alone).has_crossed
