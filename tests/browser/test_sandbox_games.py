"""Games in the sandbox in a real browser: direct messages, hands and the windows of several people."""

import contextlib
import re
from collections.abc import Iterator
from typing import Final

import pytest
from playwright.sync_api import Browser, Page, TimeoutError, expect  # noqa: A004 - Playwright's own

from tests.browser.page import DESK, PHONE, channel, direct, give, latest, opened, press, resize, switch_to, until
from tests.browser.phone import CHROMIUM

PAUSE_MS: Final = 5_000
LOOK: Final = (
    "(message) => [message.innerText, ...[...message.querySelectorAll('img')].map((image) => image.alt)].join()"
)
OVER: Final = re.compile(r"🏆|🤝")
IS_ATTENDED: Final = """() => {
    const direct = document.getElementById("direct");
    return direct.attended === direct.contentWindow.simcordPreview.lastAction?.requestId;
}"""
"""Whether the page has scrolled as the last action in the direct messages asks for."""
CARD_EMOJI: Final = ", ".join(f"img[alt*='_of_{suit}_']" for suit in ("spades", "hearts", "diamonds", "clubs"))
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed: apt install chromium")


@pytest.fixture(scope="module")
def solo(browser: Browser, game_sandbox: str) -> Iterator[Page]:
    """A phone on which Dan plays against a computer, and is asked for a first move."""
    page = opened(browser, game_sandbox, PHONE)
    switch_to(page, "Dan")
    give(page, "/pond open")
    expect(latest(channel(page))).to_contain_text("Dan (host)")
    press(channel(page), "Add computer")
    press(channel(page), "Start")
    expect(page.get_by_role("tab", name="Direct messages").get_by_text("new")).to_be_visible()
    page.get_by_role("tab", name="Direct messages").click()
    yield page
    page.close()


@pytest.fixture(scope="module")
def duel(browser: Browser, game_sandbox: str) -> Iterator[Page]:
    """A page that shows a game of Ann and Ben to Ben, who has started it."""
    page = opened(browser, game_sandbox)
    give(page, "/pond open")
    expect(latest(channel(page))).to_contain_text("Ann (host)")
    switch_to(page, "Ben")
    expect(latest(direct(page))).to_have_count(0)
    press(channel(page), "Join")
    expect(latest(direct(page))).to_contain_text("You've joined")
    press(channel(page), "Start")
    yield page
    page.close()


def plays_on(page: Page) -> bool:
    """Play the first choice of the hand, and wait until the hand changes. Return whether the game continues."""
    hand = latest(direct(page))
    menu = hand.get_by_role("combobox")
    over = hand.locator("h2", has_text=OVER)
    playing = hand.filter(has_not=page.locator("h2", has_text=OVER))  # the result has a button for a rematch
    moves = menu.or_(playing.locator(".button-style-1"))
    expect(moves.or_(over).first).to_be_visible()
    if over.count():
        return False
    before = hand.evaluate(LOOK)
    option = direct(page).get_by_role("option").first
    while hand.evaluate(LOOK) == before:  # SimCord's page drops a press or a pick while it is still updating
        with contextlib.suppress(TimeoutError):
            if not option.is_visible():
                moves.first.click(timeout=PAUSE_MS)
            if menu.count():
                option.click(timeout=PAUSE_MS)
            page.wait_for_timeout(PAUSE_MS / 10)
    return True


def test_people_with_unread_messages_are_marked(duel: Page) -> None:
    """Ann hasn't looked yet."""
    page = duel
    expect(page.get_by_role("radio", name="Ann").get_by_text("new")).to_be_visible()
    expect(page.get_by_role("radio", name="Cleo").get_by_text("new")).to_be_hidden()
    resize(page, PHONE)
    switch_to(page, "Ann")
    expect(page.get_by_role("tab", name="Direct messages").get_by_text("new")).to_be_visible()
    expect(page.get_by_role("tab", name="#games").get_by_text("new")).to_be_hidden()
    page.get_by_role("tab", name="Direct messages").click()
    expect(page.get_by_role("tab", name="Direct messages").get_by_text("new")).to_be_hidden()
    resize(page, DESK)


def test_two_people_play_in_separate_windows(duel: Page) -> None:
    page = duel
    switch_to(page, "Ben")
    expect(latest(direct(page))).to_contain_text("Your hand ·")
    picture = latest(direct(page)).locator("img[alt*='Your hand']")
    hand = picture.get_attribute("alt")
    switch_to(page, "Ann")
    expect(latest(direct(page))).to_contain_text("Your hand ·")
    assert picture.get_attribute("alt") != hand


def test_the_same_card_can_be_picked_again_after_undo(duel: Page) -> None:
    page = duel
    switch_to(page, "Ben")
    menu, option = latest(direct(page)).get_by_role("combobox"), direct(page).get_by_role("option").first
    for _ in range(2):
        expect(menu).to_have_text(menu.get_attribute("aria-label") or "nothing")
        while menu.count():  # SimCord's page drops a press or a pick while it is still updating
            with contextlib.suppress(AssertionError, TimeoutError):
                if not option.is_visible():
                    menu.click(timeout=PAUSE_MS)
                option.click(timeout=PAUSE_MS)
                expect(menu).to_have_count(0, timeout=PAUSE_MS)
        press(direct(page), "Undo")


def test_an_answer_in_the_pressed_message_leaves_the_window_where_it_is(browser: Browser, game_sandbox: str) -> None:
    page = opened(browser, game_sandbox, PHONE)
    switch_to(page, "Cleo")
    give(page, "/frogs open")
    expect(latest(channel(page))).to_contain_text("Cleo (host)")
    press(channel(page), "Add computer")
    press(channel(page), "Start")
    page.get_by_role("tab", name="Direct messages").click()
    square = direct(page).get_by_role("button", name="b2", exact=True)
    expect(square).to_be_visible()
    direct(page).locator("#channel-composer-input").fill("\n".join([*(["and so on"] * 50), "the end"]))
    direct(page).locator("#send-message").click()
    expect(latest(direct(page))).to_contain_text("the end")
    square.scroll_into_view_if_needed()
    press(direct(page), "b2")
    back = direct(page).get_by_role("button", name="Back", exact=True)
    expect(back).to_be_visible()
    until(page, IS_ATTENDED)
    expect(back).to_be_in_viewport()
    page.close()


def test_a_game_against_a_computer_is_played_and_ended(browser: Browser, game_sandbox: str) -> None:
    page = opened(browser, game_sandbox)
    switch_to(page, "Cleo")
    give(page, "/pontis open", players="2")
    expect(latest(channel(page))).to_contain_text("Cleo (host)")
    press(channel(page), "Add computer")
    press(channel(page), "Start")
    expect(latest(direct(page))).to_contain_text("Your hand")
    for _ in range(5):
        assert plays_on(page)
    give(page, "/pontis resign")
    press(channel(page), "Resign")
    expect(channel(page).locator("h2", has_text=OVER)).to_be_visible()
    page.close()


def test_everything_fits_the_width_of_a_phone(solo: Page) -> None:
    expect(latest(direct(solo)).get_by_role("combobox")).to_be_in_viewport()
    for frame in solo.frames:
        assert frame.evaluate("document.documentElement.scrollWidth <= innerWidth"), frame.url


def test_emojis_are_shown_as_pictures(solo: Page) -> None:
    option = direct(solo).get_by_role("option").first
    while not option.is_visible():  # as in `plays_on`
        with contextlib.suppress(TimeoutError):
            latest(direct(solo)).get_by_role("combobox").click(timeout=PAUSE_MS)
        solo.wait_for_timeout(PAUSE_MS / 10)
    for number in range(2):
        picture = direct(solo).locator(CARD_EMOJI).nth(number)
        expect(picture).to_be_visible()
        expect(picture).to_have_js_property("naturalWidth", 128)  # SimCord's page may replace an image while it loads
