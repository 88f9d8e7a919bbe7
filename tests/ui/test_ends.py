"""What is said after the end of a game: nothing about a next move, whether it ended by the rules or early."""

import re
from collections.abc import Iterator
from dataclasses import replace as with_outcome
from typing import Any, Final

import pytest
from msgspec.structs import replace

from bot.games import GAMES
from bot.games.frogs.rulebook import QUIET_PLIES
from bot.games.game import STOPPED, Entry
from bot.records.preference import UserSettings
from bot.tables.tables import Sight
from bot.ui.messages.board import board
from bot.ui.messages.hand import hand
from bot.ui.posts.post import Post
from tests.doses import IS_COMPLETE
from tests.leaks.pairs import FACES
from tests.posts import draw_now, paragraphs_of
from tests.recorded import Log, Moment, recorded

FORMS: Final[tuple[tuple[str, Any], ...]] = (
    ("pond", {"players": 2}),
    ("pond", {"players": 4}),
    ("frogs", {}),
    ("pontis", {"players": 2}),
    ("pontis", {"players": 4, "fake": "on", "liar": "on"}),
    ("pot_black", {"players": 4}),
    ("pot_black", {"players": 3}),
)
GAMES_EACH: Final = 3 if IS_COMPLETE else 1
NEXT_MOVE: Final = re.compile(
    r"\bmay\b|\bmight\b|Waiting|[Yy]our turn|Liar\?|nobody can play|moves? without|Bridge:|begins|: tap |Undo|Hint\b"
)
"""What only makes sense while somebody is to move."""


def sights(moment: Moment, *, stopped: bool = False) -> Iterator[Sight]:
    """Yield what the public and the first two seats see at the end; with ``stopped``, as the table ended there."""
    game = GAMES[moment.table.game]
    for seat in (None, 0, 1):
        seen, table = game.observe(moment.state, seat), moment.table
        if stopped:
            seen = with_outcome(seen, outcome=game.stopped(moment.state, STOPPED), to_act=frozenset(), legal=())
            table = replace(table, status="closed", why="agreed")
        else:
            table = replace(table, status="over", outcome=seen.outcome)
        yield Sight(table, seen, moment.events)


def ends(key: str, options: Any) -> Iterator[Sight]:
    """Yield ends by the rules, resignations, and tables that were stopped, some late in a game and some early."""
    game = GAMES[key]
    for number in range(GAMES_EACH):
        moments = recorded(key, options, number)
        yield from sights(moments[-1])
        for share in (0.2, 0.5, 0.8, 0.95):
            moment = moments[int(share * (len(moments) - 1))]
            yield from sights(moment, stopped=True)
            if game.may_resign(moment.state):
                log = moment.log
                own = Log(log.options, log.entries[: moment.ply], log.states[: moment.ply + 1], log.seen[: moment.ply])
                own.append(game, Entry(0, "resign"))
                yield from sights(Moment(moment.table, own, moment.ply + 1))


def said(post: Post) -> str:
    labels = [button.label for row in (*post.rows, *post.grid) for button in row]
    alt = draw_now(post.scene).alt if post.scene else ""
    return "\n".join((*paragraphs_of(post), *labels, alt))


@pytest.mark.parametrize(("key", "options"), FORMS)
def test_nothing_is_said_about_a_next_move_after_the_end(key: str, options: Any) -> None:
    face = FACES[key]
    assert face.drawings is not None
    for seen in ends(key, options):
        observation = seen.observation
        names = [f"P{seat}" for seat in range(seen.table.seats)]
        texts = [
            "\n".join(face.describe(seen.table, observation)),
            "\n".join(face.beside_picture(seen.table, observation)),
            face.drawings.table(observation, names).alt,
        ]
        if observation.seat is None:
            texts += [said(board(face, seen, with_picture=is_drawn)) for is_drawn in (False, True)]
        else:
            texts += [said(hand(face, seen, "", UserSettings(hands=how))) for how in ("pictures", "text")]
        for text in texts:
            assert not (found := NEXT_MOVE.search(text)), f"{found[0]!r} in: {text}"
        assert not face.choices(seen.table, observation)


def test_a_draw_that_came_for_lack_of_progress_is_no_warning_any_more() -> None:
    game, face = GAMES["frogs"], FACES["frogs"]
    moment = recorded("frogs")[0]
    seen = with_outcome(game.observe(moment.state, None), quiet=QUIET_PLIES)
    assert list(face.beside_picture(moment.table, seen))
    over = with_outcome(seen, outcome=game.stopped(moment.state, STOPPED))
    assert not list(face.beside_picture(moment.table, over))


def test_a_preview_says_of_the_end_what_the_result_says() -> None:
    """With the points and the goal, and of both players if both have got that far."""
    game, reasons = GAMES["frogs"], set()
    face: Any = FACES["frogs"]
    for number in range(40):
        *_, before, last = recorded("frogs", {"preset": "big"}, number)
        over, seat = game.observe(last.state, None), before.log.entries[before.ply].seat
        assert over.outcome is not None
        seen = game.observe(before.state, seat)
        preview = said(face.confirm(before.table, seen, game.parse(before.log.entries[before.ply].move)))
        why = face.ended_by(last.table, over) or game.reasons[over.outcome.reason]
        assert why in preview
        if over.outcome.reason == "goal":
            reasons.add(min(over.scores) >= over.setup.goal)
            assert ("Both have at least 10 points" in why) == (min(over.scores) >= over.setup.goal)
            assert "the goal" in why
    assert reasons == {False, True}
