"""The sandbox in a real browser."""

from typing import Final

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.page import (
    PHONE,
    channel,
    direct,
    give,
    latest,
    loaded,
    opened,
    press,
    resize,
    switch_to,
    until,
)
from tests.browser.phone import CHROMIUM
from tests.browser.test_heights import SCREEN

AT_THE_END: Final = "timeline.scrollHeight - timeline.clientHeight - timeline.scrollTop <= 1"
AT_123: Final = "Math.abs(timeline.scrollTop - 123) <= 2"
IS_ON_TOP: Final = """(element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return document.elementFromPoint(x + width / 2, y + height / 2) === element;
}"""
LONG_NAME: Final = "(heading) => heading.innerText = heading.innerText.replace(/^Table \\w+/, 'Table Grasshopper')"
"""Names of tables are drawn; with this one the heading takes two lines."""
SMALL_PHONE: Final = (320, 640)
WHITE: Final = "rgb(255, 255, 255)"
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed: apt install chromium")


def test_the_page_explains_how_to_begin(browser: Browser, used_sandbox: str) -> None:
    page = opened(browser, used_sandbox)
    expect(page.get_by_label("How to begin")).to_contain_text("/pond open")
    page.get_by_label("Close the help").click()
    expect(page.get_by_label("How to begin")).to_be_hidden()
    page.close()


def test_a_small_phone_shows_the_whole_lobby_in_the_theme_of_the_browser(browser: Browser, used_sandbox: str) -> None:
    page = opened(browser, used_sandbox, SMALL_PHONE, "light")
    assert page.evaluate("document.documentElement.scrollWidth") == SMALL_PHONE[0]
    expect(page.get_by_label("Close the help")).to_be_in_viewport(ratio=1)
    give(page, "/pond open")
    lobby = latest(channel(page))
    expect(lobby).to_contain_text("One seat left")
    lobby.locator("h3").evaluate(LONG_NAME)
    height = lobby.locator(".component-container").evaluate("(container) => container.offsetHeight")
    assert height <= channel(page).locator(".channel-timeline").evaluate("(timeline) => timeline.clientHeight")
    assert channel(page).locator("body").evaluate("(body) => getComputedStyle(body).backgroundColor") == WHITE
    page.emulate_media(color_scheme="dark")
    assert channel(page).locator("body").evaluate("(body) => getComputedStyle(body).backgroundColor") != WHITE
    page.close()


def test_a_window_shows_actions_of_others_without_a_reload(page: Page, browser: Browser, used_sandbox: str) -> None:
    ben = opened(browser, used_sandbox)
    switch_to(ben, "Ben")
    give(page, "/pond open")
    lobby = latest(channel(page)).get_attribute("data-message-id")
    expect(latest(channel(ben))).to_have_attribute("data-message-id", lobby or "none")
    press(channel(ben), "Join")
    expect(latest(channel(page))).to_contain_text("Everyone's here")
    ben.close()


def test_the_window_scrolls_to_a_new_message(page: Page) -> None:
    before = channel(page).locator(".channel-message").count()
    for number in range(4):
        if number == 3:
            channel(page).locator("#channel-timeline").evaluate("timeline => { timeline.scrollTop = 0; }")
        give(page, "/pond open")
        expect(channel(page).locator(".channel-message")).to_have_count(before + number + 1)
    expect(latest(channel(page)).locator(".component-button").last).to_be_in_viewport()


def test_links_to_the_board_stay_in_the_sandbox(page: Page) -> None:
    resize(page, PHONE)
    give(page, "/pond open")
    press(channel(page), "Add computer")
    page.get_by_role("tab", name="Direct messages").click()
    pages = page.context.pages
    direct(page).get_by_role("link", name="Open board").last.click()
    expect(page.get_by_role("tab", name="#games")).to_have_attribute("aria-selected", "true")
    expect(channel(page).get_by_role("button", name="Start").last).to_be_in_viewport()
    assert page.context.pages == pages


def scroll(page: Page, top: str, *, is_kept: bool) -> None:
    """Scroll the channel, and wait until the page keeps this place, or none at the end."""
    until(
        page,
        f"""() => {{
        const timeline = document.getElementById("channel").contentDocument.getElementById("channel-timeline");
        if (!timeline) return false;
        timeline.scrollTop = {top};
        return Boolean(JSON.parse(sessionStorage.memory).scrolled.channel) === {str(is_kept).lower()};
    }}""",
    )


def expect_place(page: Page, place: str) -> None:
    """Wait until the channel is scrolled to a place. ``place`` is a condition on its ``timeline``."""
    until(
        page,
        f"""() => {{
        const timeline = document.getElementById("channel").contentDocument.getElementById("channel-timeline");
        return Boolean(timeline) && {place};
    }}""",
    )


def crowd(page: Page) -> None:
    """Let the channel be higher than the screen, of a phone."""
    resize(page, PHONE)
    messages = channel(page).locator(".channel-message", has_text="S")
    before = messages.count()
    for _ in range(3):
        channel(page).locator("#channel-composer-input").fill("\n".join("ABCDEFGHIJKLMNOPQRST"))
        channel(page).locator("#send-message").click()
        expect(channel(page).locator("#channel-composer-input")).to_have_value("")
    expect(messages).to_have_count(before + 3)
    scroll(page, "timeline.scrollHeight", is_kept=False)


def test_a_reload_keeps_person_conversation_and_place(page: Page) -> None:
    crowd(page)
    switch_to(page, "Ben")
    scroll(page, "123", is_kept=True)
    page.get_by_role("tab", name="Direct messages").click()
    page.reload()
    loaded(page)
    expect(page.get_by_role("radio", name="Ben")).to_be_checked()
    expect(page.get_by_role("tab", name="Direct messages")).to_have_attribute("aria-selected", "true")
    expect_place(page, AT_123)


def test_another_person_sees_the_same_place_in_the_channel(page: Page) -> None:
    crowd(page)
    for name in ("Ben", "Ann"):
        switch_to(page, name)
        expect_place(page, AT_THE_END)
    scroll(page, "123", is_kept=True)
    switch_to(page, "Ben")
    expect_place(page, AT_123)


def test_windows_take_presses_only_for_the_person_they_show(page: Page) -> None:
    give(page, "/pond open")
    assert page.locator("#channel").evaluate(IS_ON_TOP)
    page.get_by_role("radio", name="Ben").dispatch_event("click")
    assert not page.locator("#channel").evaluate(IS_ON_TOP)
    expect(page.get_by_role("radio", name="Ben")).to_be_checked()
    loaded(page)
    assert page.locator("#channel").evaluate(IS_ON_TOP)
    press(channel(page), "Join")
    expect(latest(channel(page))).to_contain_text("Everyone's here")


def test_a_moderator_has_the_commands_for_moderators(page: Page) -> None:
    for name, entries in (("Ann", 0), ("Dan", 1)):
        switch_to(page, name)
        channel(page).locator("#channel-composer-input").click()
        page.keyboard.type("/server show")
        expect(channel(page).locator(".command-entry", has_text="/server show")).to_have_count(entries)


def test_the_help_takes_one_line_on_a_phone(browser: Browser, used_sandbox: str) -> None:
    page = opened(browser, used_sandbox, PHONE)
    box = page.get_by_label("How to begin").bounding_box()
    assert box is not None
    assert box["height"] <= 40
    page.get_by_text("To begin").click()
    expect(page.get_by_text("Add computer")).to_be_in_viewport()
    assert page.get_by_label("How to begin").bounding_box() == box
    assert page.get_by_role("tab", name="Direct messages").evaluate(IS_ON_TOP)
    page.close()


def test_commands_and_their_help_fit_a_phone(page: Page) -> None:
    resize(page, PHONE)
    window = channel(page)
    for command in ("/pontis open", "/help"):
        window.locator("#channel-composer-input").click()
        page.keyboard.type(command)
        window.locator(".command-entry", has=page.get_by_text(command, exact=True)).click()
        expect(window.locator("#send-message")).to_be_in_viewport(ratio=1)
        window.locator("#send-message").click()
        expect(latest(window)).to_be_visible()
    expect(latest(window)).to_contain_text("Pot Black")
    box = latest(window).bounding_box()
    assert box is not None
    assert box["height"] <= SCREEN


def test_options_of_a_command_are_described(page: Page) -> None:
    resize(page, PHONE)
    window = channel(page)
    window.locator("#channel-composer-input").click()
    page.keyboard.type("/pond open")
    window.locator(".command-entry", has=page.get_by_text("/pond open", exact=True)).click()
    expect(window.locator("[data-value=rounds]")).to_contain_text("Number of rounds")
