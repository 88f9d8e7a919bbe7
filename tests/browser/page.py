"""The sandbox's page in a browser, and what people do there."""

import contextlib
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Literal

import pytest
from playwright.sync_api import Browser, Error, FrameLocator, Locator, Page, expect

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
def running_sandbox(log: Path) -> Iterator[str]:
    """Start a sandbox that writes this log, and return its address. Ctrl-C ends it without errors."""
    command = [sys.executable, "-c", PATIENT, "sandbox"]
    with log.open("w", encoding="utf-8") as errors:
        process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=errors, text=True)  # noqa: S603 - our own program
    assert process.stdout is not None
    try:
        found = re.search(r"http://\S+", process.stdout.readline())
        assert found is not None, log.read_text("utf-8")
        yield found.group()
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
    complaints = log.read_text("utf-8")
    assert "Traceback" not in complaints, complaints
    assert " ERROR " not in complaints, complaints


def leave_traces(browser: Browser, folder: Path) -> None:
    """Write a picture of each page, and the HTML of its frames, to the folder."""
    pages = [page for context in browser.contexts for page in context.pages]
    for number, page in enumerate(pages):
        page.screenshot(path=folder / f"{number}.png")
        for frame in page.frames:
            name = "-".join(part for part in (str(number), frame.name) if part)
            (folder / f"{name}.html").write_text(frame.content(), encoding="utf-8")


def opened(browser: Browser, address: str, size: tuple[int, int] = DESK, theme: Theme = "dark") -> Page:
    """Open the sandbox's page, with the files that the browser has kept. Errors of its scripts fail the test."""
    context = browser.contexts[0] if browser.contexts else browser.new_context()
    page = context.new_page()
    resize(page, size)
    page.emulate_media(color_scheme=theme)
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


def evaluated(window: FrameLocator, script: str, argument: object = None) -> object:
    """Return what a script says in a window, again if that is loaded anew meanwhile, as after a long wait."""
    while True:
        try:
            return window.locator("body").evaluate(script, argument)
        except Error as error:
            if "context was destroyed" not in error.message:
                raise


def give(page: Page, command: str, **options: str) -> None:
    """Type a slash command in the channel, and wait for the answer."""
    window = channel(page)
    before = evaluated(window, LAST_MESSAGE)
    window.locator("#channel-composer-input").click()
    page.keyboard.type(command)
    window.locator(".command-entry", has=page.get_by_text(command, exact=True)).click()
    for name, value in options.items():
        window.locator(".command-suggestion", has_text=name).first.click()
        window.locator(".command-suggestion", has_text=value).first.click()
    window.locator("#send-message").click()
    while evaluated(window, LAST_MESSAGE) == before:
        page.wait_for_timeout(TICK_MS)
    expect(window.locator(".message-loading")).to_have_count(0)  # a busy bot defers its answer
    expect(window.locator("#channel-composer-input")).to_be_visible()


def press(window: FrameLocator, label: str) -> None:
    """Press the last button with this label, again if SimCord's page drops or refuses it because it is updating."""
    button = window.get_by_role("button", name=label, exact=True).last
    expect(button).to_be_visible()
    before = evaluated(window, LAST_ACTION)
    button.click()
    while not evaluated(window, IS_ACCEPTED, before):
        button.click()


def until(page: Page, condition: str) -> None:
    """Wait until an expression or a function is true. The page's policy forbids Playwright's own wait."""
    deadline = time.monotonic() + PATIENCE_MS / 1000
    while not page.evaluate(condition):
        assert time.monotonic() < deadline, f"never true: {condition}"
        page.wait_for_timeout(TICK_MS)


def loaded(page: Page) -> None:
    """Wait until both windows show the person, where they were."""
    until(page, "[...document.querySelectorAll('iframe')].every((frame) => frame.context)")


def switch_to(page: Page, name: str) -> None:
    """Switch to another person."""
    page.get_by_role("radio", name=name).click()
    expect(page.get_by_role("radio", name=name)).to_be_checked()
    loaded(page)
