"""Lobbies and their pages of options fit the screen of a phone, and Discord's limit of components."""

import sys

import pytest
from msgspec.structs import replace

from bot.games import GAMES
from bot.records.preference import UserSettings
from bot.records.table import Guest, Place, Sitter, Table
from bot.texts import languages, using
from bot.ui.actions.options import host_page, house_rules_page
from bot.ui.messages.lobby import lobby
from bot.ui.posts.layout import layout
from bot.ui.posts.post import Post
from cogs.help import help_post
from cogs.user_settings import page as settings_page
from tests.browser.phone import CHROMIUM, Phone
from tests.browser.test_heights import FORMS, SCREEN, Form, with_names
from tests.leaks.pairs import FACES
from tests.spoken import some_languages

MOST_COMPONENTS = 40
LONGEST_OPTION = 31
GUESTS = tuple(Guest(200 + number, is_invited=True) for number in range(4))


def open_table(form: Form) -> Table:
    """Return a lobby of this form in a server."""
    game = GAMES[form.game]
    options = game.settle(form.options)
    return Table(
        id=1,
        name="Grasshopper",
        game=game.key,
        options=options,
        seats=game.seats(options),
        status="lobby",
        version=1,
        host_id=100,
        place=Place(1, 2),
        sitters=(Sitter(0, "Ann", 100),),
        commitment="ab" * 32,
        seed=None,
        outcome=None,
        opened_at=0.0,
        changed_at=0.0,
        clock="day",
    )


def pages(form: Form) -> dict[str, Post]:
    """Return the lobby at its longest, with one player, with all but one and with all, and the page of options."""
    face, table = FACES[form.game], open_table(form)
    full = replace(with_names(table), guests=GUESTS, invited_only=True, has_grown=True)
    new = replace(full, sitters=tuple(replace(sitter, nth_game=2) for sitter in full.sitters))
    almost = replace(full, sitters=full.sitters[:-1])
    return {
        "lobby": lobby(table, face, frozenset({100}), is_crowded=True),
        "almost full lobby": lobby(almost, face, frozenset({100}), is_crowded=True),
        "almost full lobby of a quiet place": lobby(almost, face, frozenset({100}), is_crowded=False),
        "full lobby": lobby(full, face, frozenset({100, 101}), is_crowded=True),
        "full lobby of learners": lobby(new, face, frozenset({100, 101}), is_crowded=True),
        "options": host_page(face, full),
        "options, house rules": house_rules_page(face, full),
    }


@pytest.mark.parametrize("form", FORMS, ids=str)
def test_lobbies_and_options_have_at_most_40_components(form: Form) -> None:
    for post in pages(form).values():
        assert layout(post, 1, 1).total_children_count <= MOST_COMPONENTS


@pytest.mark.parametrize("spoken", languages())
@pytest.mark.parametrize("form", [form for form in FORMS if form.game == "pond"], ids=str)
def test_options_of_pond_have_room_in_a_closed_menu(form: Form, spoken: str) -> None:
    with using(spoken):
        shown = {name: post for name, post in pages(form).items() if name.startswith("options")}
    labels = [choice.label for post in shown.values() for menu in post.choices for choice in menu.choices]
    assert labels
    assert not [label for label in labels if len(label) > LONGEST_OPTION]


@pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed: apt install chromium")
@pytest.mark.asyncio(loop_scope="module")
async def test_lobbies_and_options_fit_a_phone(screen: Phone) -> None:
    named: list[tuple[str, Post]] = []
    for spoken in some_languages("lobbies"):
        with using(spoken):
            named += [(f"{what} {form} {spoken}", post) for form in FORMS for what, post in pages(form).items()]
            away = UserSettings(quiet=(1320, 420), away_until=2e9, utc_offset=330)
            for settings in (UserSettings(), away):
                named.append((f"options of /settings {spoken}, {settings.quiet}", settings_page(settings, 1e9)))
            for is_direct in (True, False):
                named.append((f"options of /help {spoken}, {is_direct}", help_post(FACES, is_direct=is_direct)))
    measured = await screen.measure([(post, name.startswith("options")) for name, post in named])
    heights = {name: height.pixels for (name, _post), height in zip(named, measured, strict=True)}
    for name, pixels in sorted(heights.items(), key=lambda each: -each[1]):
        sys.stdout.write(f"{pixels:5} px  {name}\n")
    assert max(heights.values()) <= SCREEN
