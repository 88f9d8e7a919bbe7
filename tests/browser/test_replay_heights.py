"""Pages of replays and reviews, and computers' reasons, fit the screen of a phone, within Discord's five rows."""

import random
import sys
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from bot import computer
from bot.computer.thoughts import Rated, Reason, Recalled, Thought
from bot.games import GAMES
from bot.records.table import Chosen
from bot.tables.folds import Fold
from bot.tables.replays import Decision, Recollection, Reel, Vantage, glimpse, reel_of
from bot.texts import using
from bot.ui.actions.hint_thoughts import Mistake
from bot.ui.actions.review import question, told
from bot.ui.messages.hint_texts import recalled
from bot.ui.messages.replay_pages import replay_post
from bot.ui.posts.custom_id import Press
from bot.ui.posts.layout import with_way_back
from bot.ui.posts.pictures import in_words
from bot.ui.posts.post import Post
from tests.browser.phone import CHROMIUM, Phone
from tests.browser.test_heights import FORMS, SCREEN, Form, guess, with_names
from tests.doses import IS_COMPLETE
from tests.leaks.pairs import FACES
from tests.recorded import Moment, recorded
from tests.spoken import some_languages

_LOOKED_AT = 200 if IS_COMPLETE else 5
"""Moments of a game, evenly spread, and its end."""
_FORMS = 99 if IS_COMPLETE else 1
"""Forms of each game, from the last on, which have most players."""
MOST_ROWS = 5


def whole_game(form: Form) -> tuple[Moment, Reel]:
    """Return the end of a random game, and its reel, in which computers have chosen all."""
    game = GAMES[form.game]
    *_, end = recorded(form.game, form.options)
    entries = tuple(end.log.entries)
    chosen = {ply: Chosen("strong", ply) for ply, _ in enumerate(entries)}
    return end, reel_of(game, end.log.options, Fold(len(entries), None, entries), chosen)


def pages(form: Form) -> Iterator[tuple[str, Post]]:
    """Yield pages of a game that is over, in the present language, with the longest names."""
    end, reel = whole_game(form)
    face, table = FACES[form.game], replace(with_names(end.table), status="over", seed="5eed" * 16)
    outcome = reel.moments[-1].board.outcome
    table, count = replace(table, outcome=outcome), len(reel.moments)
    for at in {*range(0, count, max(1, count // _LOOKED_AT)), count - 1}:
        mover = next(iter(reel.game.to_act(reel.states[at])), 0)
        seat = mover if isinstance(mover, int) else 0
        for view in (Vantage.EVERYONE, Vantage.PUBLIC, seat):
            seen = replace(glimpse(reel, table, at, view, 100 + seat), own=seat)
            yield f"replay as {view}", replay_post(face, seen)
            yield f"replay as {view}, in words", in_words(replay_post(face, seen))
        seen = glimpse(reel, table, at, seat, 100 + seat)
        legal = [move for move in seen.observation.legal if not str(move).startswith("liar")]
        if len(legal) > 1:
            first, *_, last = legal
            asked = question(face, seen, face.choices(seen.table, seen.observation))
            yield "question", asked
            yield "question, in words", in_words(asked)
            cause = computer.why(form.game, seen.observation, last, first, random.Random(1))
            mistake = Mistake(Decision(seen.moment.ply, seen.observation, first), last, 12.0)
            yield "answer", told(face, glimpse(reel, table, at, Vantage.EVERYONE), mistake, first, cause)
            reasons = (Reason(cause, (first,), (last,)),) if cause else ()
            thought = Thought(first, (Rated(last, 12.0),), reasons)
            move = Recollection(None, seat, seen.observation, first, "strong", "")
            yield "reason", recalled(face, table, move, Recalled(thought), "strong")


@pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed: apt install chromium")
@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("game", GAMES)
async def test_replays_and_reviews_fit_a_phone(game: str, screen: Phone) -> None:
    highest: dict[str, Post] = {}
    for spoken in some_languages(f"replays of {game}"):
        with using(spoken):
            for form in [form for form in FORMS if form.game == game][-_FORMS:]:
                for what, post in pages(form):
                    rows = with_way_back(post, Press("page", origin="happened")).rows
                    assert len(rows) + len(post.choices) <= MOST_ROWS, what
                    kind = f"{spoken} {what} {form if IS_COMPLETE else ''}".replace("as 1", "as 0")
                    highest[kind] = max(highest.get(kind, post), post, key=guess)
    shown = [with_way_back(post, Press("page", origin="happened")) for post in highest.values()]
    measured = await screen.measure([(post, True) for post in shown])
    lines = [f"{height.pixels:5} px  {what}" for what, height in zip(highest, measured, strict=True)]
    sys.stdout.write("\n".join(sorted(lines, reverse=True)) + "\n")
    assert max(height.pixels for height in measured) <= SCREEN, max(measured).text
