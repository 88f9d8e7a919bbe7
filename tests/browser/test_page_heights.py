"""Private pages about a table fit the screen of a phone, with the button back to the page that opened them."""

import sys
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from bot.games import GAMES
from bot.games.game import CHANCE
from bot.records.preference import UserSettings
from bot.texts import gettext as _, using
from bot.ui.actions.about_page import about_post
from bot.ui.messages.deal_over import board_over, hand_over
from bot.ui.messages.happened_pages import Happened
from bot.ui.messages.result_texts import why
from bot.ui.posts.custom_id import Press
from bot.ui.posts.layout import paged, with_way_back
from bot.ui.posts.post import Post
from bot.ui.posts.text import PAGE
from tests.browser.phone import CHROMIUM, Phone
from tests.browser.test_heights import FORMS, LINK, SCREEN, Form, guess, sight, whole_games
from tests.doses import IS_COMPLETE
from tests.leaks.pairs import FACES
from tests.recorded import Moment, recorded
from tests.spoken import some_languages

_GAMES = 6 if IS_COMPLETE else 2
"""Games of each form whose deals are looked at."""
_FORMS = 99 if IS_COMPLETE else 2
"""Forms of each game, from the last on, which have most players."""


def pages_of(form: Form, moments: list[Moment]) -> Iterator[tuple[str, Post]]:
    """Yield all pages about these moments, as the player of the first seat reads them."""
    face = FACES[form.game]
    for moment in moments:
        public, own = sight(moment, None), sight(moment, 0)
        is_over = public.table.status == "over"
        happened = Happened.of(face, public, own)
        for page in range(len(happened.lately) + len(happened.scored)):
            yield "what happened", happened.post(page)
        said = why(face, own).paragraphs
        yield "why", paged(said[0], said[1:], "why", lines=PAGE)
        for page in range(3):
            yield f"about{' at the end' if is_over else ''}", about_post(face, public.table, (), page)
        described = tuple(face.describe(public.table, public.observation))
        for page in range(4):
            yield "in words", paged("### Heading", described, "describe", page, lines=PAGE)


@pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed: apt install chromium")
@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("game", GAMES)
async def test_pages_about_a_table_fit_a_phone(game: str, screen: Phone) -> None:
    highest: dict[str, list[Post]] = {}
    for form in [form for form in FORMS if form.game == game][-_FORMS:]:
        moments = whole_games(form)
        for spoken in some_languages(f"pages of {game}"):
            with using(spoken):
                for what, post in pages_of(form, moments):
                    shown = with_way_back(post, Press("page", origin="more"))
                    highest.setdefault(f"{spoken} {what}", []).append(shown)
    named = [(what, post) for what, posts in highest.items() for post in sorted({*posts}, key=guess, reverse=True)[:2]]
    measured = await screen.measure([(post, True) for _what, post in named])
    lines = [f"{height.pixels:5} px  {what}" for (what, _post), height in zip(named, measured, strict=True)]
    sys.stdout.write("\n".join(sorted(lines, reverse=True)) + "\n")
    assert max(height.pixels for height in measured) <= SCREEN, max(measured).text


def ends_of_deals(form: Form) -> Iterator[tuple[str, Post]]:
    """Yield what boards and hands show between two deals to one person, in some games of this form."""
    face = FACES[form.game]
    for moment in (each for number in range(_GAMES) for each in recorded(form.game, form.options, number)):
        ply = next((ply for ply in range(moment.ply, 0, -1) if moment.log.entries[ply - 1].seat is not CHANCE), 0)
        if ply in {0, moment.ply}:
            continue
        moment = moment._replace(ply=ply)  # noqa: PLW2901 - as it was before the new deal
        for seat in (None, *range(moment.table.seats)):
            shown = sight(moment, seat)
            shown = replace(shown, before=shown)
            if seat is None:
                yield "board", board_over(face, shown)
            else:
                yield "hand", hand_over(face, shown, LINK.format(_("Open board")), UserSettings())


@pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed: apt install chromium")
@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("game", [game for game in GAMES if GAMES[game].has_hands])
async def test_the_end_of_a_deal_fits_a_phone(game: str, screen: Phone) -> None:
    highest: dict[str, list[Post]] = {}
    for form in [form for form in FORMS if form.game == game]:
        games = form._replace(options={**form.options, "games": 3}) if game == "pontis" else form
        for spoken in some_languages(f"ends of deals of {game}"):
            with using(spoken):
                for what, post in ends_of_deals(games):
                    highest.setdefault(f"{spoken} {what}", []).append(post)
    assert highest
    named = [(what, post) for what, posts in highest.items() for post in sorted({*posts}, key=guess, reverse=True)[:3]]
    measured = await screen.measure([(post, "hand" in what) for what, post in named])
    lines = [f"{height.pixels:5} px  {what}" for (what, _post), height in zip(named, measured, strict=True)]
    sys.stdout.write("\n".join(sorted(lines, reverse=True)) + "\n")
    assert max(height.pixels for height in measured) <= SCREEN, max(measured).text
