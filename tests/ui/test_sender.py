"""Two edits of a message are never under way together, whatever their transports: nobody would know which came last."""

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


async def test_an_edit_waits_for_the_one_before() -> None:
    edits = Edits()
    first, first_answer = edits.begin(7)
    await asyncio.sleep(0)
    second, second_answer = edits.begin(7)
    second_answer.set_result(7)
    await asyncio.sleep(0)
    assert len(edits.files) == 1
    assert edits.sender.is_editing(7)
    first_answer.set_result(7)
    await asyncio.wait({first, second})
    assert len(edits.files) == 2
    assert not edits.sender.is_editing(7)


async def test_an_edit_follows_one_that_fails() -> None:
    edits = Edits()
    first, first_answer = edits.begin(7)
    await asyncio.sleep(0)
    second, second_answer = edits.begin(7)
    second_answer.set_result(7)
    first_answer.set_exception(OSError())
    await asyncio.wait({first, second})
    assert isinstance(first.exception(), OSError)
    assert (await second).message_id == 7


async def test_edits_of_other_messages_and_new_ones_do_not_wait() -> None:
    edits = Edits()
    begun = [edits.begin(message_id) for message_id in (7, 8, 0, 0)]
    await asyncio.sleep(0)
    assert len(edits.files) == len(begun)
    for edit, answer in begun:
        answer.set_result(1)
        await edit


async def test_an_edit_that_waited_uploads_its_picture_as_the_one_before_may_have_replaced_the_file() -> None:
    edits = Edits()
    alone, answer = edits.begin(7, post=PICTURE)
    await asyncio.sleep(0)
    ((file,),) = edits.files
    kept = Attached(file.filename, 1)
    answer.set_result(7)
    await alone
    alone, answer = edits.begin(7, post=PICTURE, kept=kept)
    await asyncio.sleep(0)
    beside, answer_beside = edits.begin(7, post=PICTURE, kept=kept)
    answer_beside.set_result(7)
    answer.set_result(7)
    await asyncio.wait({alone, beside})
    _, first, second = edits.files
    assert isinstance(first[0], Attached)
    assert not isinstance(second[0], Attached)
