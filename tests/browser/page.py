"""The sandbox's page in a browser, and what people do there."""

import contextlib
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Literal

import pytest
from playwright.sync_api import Browser, FrameLocator, Locator, Page, expect

ROOT: Final = Path(__file__).parents[2]
PATIENCE_MS: Final = 60_000
TICK_MS: Final = 100
LAST_MESSAGE: Final = "() => [...document.querySelectorAll('.channel-message')].at(-1)?.dataset.messageId"
LAST_ACTION: Final = "() => simcordPreview.lastAction?.requestId ?? null"
IS_ACCEPTED: Final = """async (_, before) => {
    for (let idle = 0; idle < 20; idle += simcordPreview.pendingAction ? 0 : 1) {
        const action = simcordPreview.lastAction;
        if (action && action.requestId !== before && !simcordPreview.pendingAction) return !action.rejected;
        await new Promise((done) => setTimeout(done, 100));
    }
    return false;
}"""
PATIENT: Final = "import runpy; runpy.run_module('tests.patient', run_name='__main__')"
"""Like ``-m tests.patient``, but worker processes, which import the main module of their parent, find none."""
DESK: Final = (1280, 800)
PHONE: Final = (390, 844)
Theme = Literal["dark", "light"]


@contextlib.contextmanager
def running_sandbox() -> Iterator[str]:
    """Start a sandbox, and return its address. Ctrl-C ends it without errors."""
    process = subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-c", PATIENT, "sandbox"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        found = re.search(r"http://\S+", process.stdout.readline())
        assert found is not None, process.communicate(timeout=60)
        yield found.group()
    finally:
        process.send_signal(signal.SIGINT)
        _, complaints = process.communicate(timeout=60)
    assert "Traceback" not in complaints, complaints
    assert " ERROR " not in complaints


def opened(browser: Browser, address: str, size: tuple[int, int] = DESK, theme: Theme = "dark") -> Page:
    """Open the sandbox's page. Errors of its scripts fail the test."""
    page = browser.new_page(viewport={"width": size[0], "height": size[1]}, color_scheme=theme)
    page.set_default_timeout(PATIENCE_MS)
    page.on("pageerror", lambda error: pytest.fail(str(error)))
    page.goto(address)
    return page


def resize(page: Page, size: tuple[int, int]) -> None:
    """Give the page another size."""
    page.set_viewport_size({"width": size[0], "height": size[1]})


def channel(page: Page) -> FrameLocator:
    """Return the channel's window."""
    return page.frame_locator("#channel")


def direct(page: Page) -> FrameLocator:
    """Return the window of the direct messages."""
    return page.frame_locator("#direct")


def latest(window: FrameLocator) -> Locator:
    """Return the last message in a window."""
    return window.locator(".channel-message").last


def give(page: Page, command: str, **options: str) -> None:
    """Type a slash command in the channel, and wait for the answer."""
    window = channel(page)
    before = window.locator("body").evaluate(LAST_MESSAGE)
    window.locator("#channel-composer-input").click()
    page.keyboard.type(command)
    window.locator(".command-entry", has=page.get_by_text(command, exact=True)).click()
    for name, value in options.items():
        window.locator(".command-suggestion", has_text=name).first.click()
        window.locator(".command-suggestion", has_text=value).first.click()
    window.locator("#send-message").click()
    while window.locator("body").evaluate(LAST_MESSAGE) == before:
        page.wait_for_timeout(TICK_MS)
    expect(window.locator("#channel-composer-input")).to_be_visible()


def press(window: FrameLocator, label: str) -> None:
    """Press the last button with this label, again if SimCord's page drops or refuses it because it is updating."""
    button = window.get_by_role("button", name=label, exact=True).last
    expect(button).to_be_visible()
    body = window.locator("body")
    before = body.evaluate(LAST_ACTION)
    button.click()
    while not body.evaluate(IS_ACCEPTED, before):
        button.click()


def loaded(page: Page) -> None:
    """Wait until both windows show the person, where they were."""
    page.wait_for_function("[...document.querySelectorAll('iframe')].every((frame) => frame.context)")


def switch_to(page: Page, name: str) -> None:
    """Switch to another person."""
    page.get_by_role("radio", name=name).click()
    expect(page.get_by_role("radio", name=name)).to_be_checked()
    loaded(page)
