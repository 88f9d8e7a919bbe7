"""How the sandbox's windows behave where Discord's own app differs from SimCord's page."""

import pytest
from playwright.sync_api import Browser, FrameLocator, Page, expect

from tests.browser.page import (
    DESK,
    PHONE,
    TICK_MS,
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

GROWS = """async (body) => {
    const timeline = document.getElementById("channel-timeline");
    const message = body.querySelector(".channel-message:last-child");
    for (const height of [200, 400, 600]) {
        message.style.paddingBottom = `${height}px`;
        timeline.dispatchEvent(new Event("scroll"));
        await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    }
}"""
"""Lets the last message grow as pictures do that load, while the window scrolls."""
IS_AT_THE_END = """() => {
    const timeline = document.getElementById("direct").contentDocument.getElementById("channel-timeline");
    return timeline.scrollHeight - timeline.clientHeight - timeline.scrollTop <= 1;
}"""
AT_THE_EDGE = """async (menu) => {
    const timeline = document.getElementById("channel-timeline");
    const distance = () => timeline.getBoundingClientRect().bottom - menu.getBoundingClientRect().top - 8;
    timeline.scrollTop -= distance();
    await new Promise((done) => setTimeout(done, 500));
    return Math.abs(distance()) < 2;
}"""
"""Scrolls a menu so that its upper 8 pixels are in sight, and returns whether it has stayed there."""
GAP = """(menu) => {
    const list = document.querySelector(".select-list:popover-open");
    return menu.getBoundingClientRect().top - list.getBoundingClientRect().bottom;
}"""
SLOW_ACTIONS = """
    const ask = window.fetch;
    window.fetch = async (address, ...options) => {
        const answer = await ask(address, ...options);
        if (String(address).includes("/api/action")) await new Promise((done) => setTimeout(done, 1500));
        return answer;
    };
"""
PICTURES_ARE_GONE = """
    const ask = window.fetch;
    window.fetch = async (address, ...options) => {
        const answer = await ask(address, ...options);
        return Number(answer.headers.get("X-Display-Width")) > 500 ? new Response(null, { status: 404 }) : answer;
    };
"""
"""Lets pictures be missing that are wider than emojis, as if they had just been replaced."""
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed: apt install chromium")


def write(window: FrameLocator, text: str) -> None:
    """Send a message."""
    window.locator("#channel-composer-input").fill(text)
    window.locator("#send-message").click()
    expect(window.locator("#channel-composer-input")).to_have_value("")


def test_direct_messages_stay_at_their_end_while_they_grow(page: Page) -> None:
    write(direct(page), "\n".join("ABCDEFGHIJKLMNOPQRST"))
    write(direct(page), "\n".join("ABCDEFGHIJKLMNOPQRST"))
    direct(page).locator("body").evaluate(GROWS)
    until(page, IS_AT_THE_END)


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_a_menu_at_the_lower_edge_opens_above_itself(size: tuple[int, int], page: Page) -> None:
    resize(page, size)
    chat = "\n".join("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    write(channel(page), chat)
    give(page, "/pond open")
    expect(latest(channel(page))).to_contain_text("Ann (host)")
    press(channel(page), "Add computer")
    menu = latest(channel(page)).get_by_role("combobox", name="Change the computers…")
    expect(menu).to_be_visible()
    write(channel(page), chat)
    menu = channel(page).get_by_role("combobox", name="Change the computers…").last
    while not menu.evaluate(AT_THE_EDGE):
        page.wait_for_timeout(TICK_MS)
    edge = channel(page).locator("#channel-timeline").evaluate("(timeline) => timeline.getBoundingClientRect().bottom")
    frame = page.locator("#channel").bounding_box()
    assert frame is not None
    page.mouse.click(size[0] / 4, frame["y"] + edge - 4)
    expect(channel(page).get_by_role("option")).to_have_count(3)
    expect(channel(page).get_by_role("option").first).to_be_in_viewport()
    assert 0 <= menu.evaluate(GAP) <= 8


def test_private_messages_can_be_dismissed(page: Page) -> None:
    give(page, "/help")
    private = channel(page).locator(".channel-message", has_text="Only you can see this")
    private.last.get_by_role("button", name="Dismiss message").click()
    expect(private.last).to_be_hidden()
    page.reload()
    loaded(page)
    expect(private).to_have_count(1)
    expect(private).to_be_hidden()


def test_nothing_is_dropped_after_a_change_of_person(browser: Browser, used_sandbox: str) -> None:
    page = opened(browser, used_sandbox)
    page.add_init_script(SLOW_ACTIONS)
    for _ in range(2):
        give(page, "/pontis open")
    switch_to(page, "Ben")
    lobbies = channel(page).locator(".channel-message", has_text="3 seats left")
    expect(lobbies).to_have_count(2)
    for join in lobbies.get_by_role("button", name="Join", exact=True).all():
        join.dispatch_event("click")
    expect(lobbies).to_have_count(0)
    page.close()


def test_a_picture_that_was_replaced_leaves_no_text(browser: Browser, used_sandbox: str) -> None:
    page = opened(browser, used_sandbox)
    page.add_init_script(PICTURES_ARE_GONE)
    switch_to(page, "Cleo")
    give(page, "/pond open")
    lobby = latest(channel(page))  # there are others of earlier tests, with the same buttons
    expect(lobby).to_contain_text("Cleo (host)")
    press(channel(page), "Add computer")
    expect(lobby.get_by_role("button", name="Start")).to_be_visible()
    press(channel(page), "Start")
    hand = latest(direct(page))
    expect(hand).to_contain_text("Your hand ·")
    expect(hand.locator("img[alt*='Your hand']")).to_be_attached()
    until(page, "document.getElementById('direct').contentWindow.simcordPreview.ready")
    expect(hand).not_to_contain_text("unavailable")
    page.close()
