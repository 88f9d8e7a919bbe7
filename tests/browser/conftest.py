"""Running sandboxes and a browser for tests of the sandbox's page. Tests share them where they can."""

from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.page import DESK, PATIENCE_MS, PHONE, loaded, opened, resize, running_sandbox, switch_to
from tests.browser.phone import CHROMIUM, FLAGS, Phone, phone


@pytest.fixture
def sandbox() -> Iterator[str]:
    """The address of a new sandbox, for a test that starts a game: the bot goes on there after the test."""
    with running_sandbox() as address:
        yield address


@pytest.fixture(scope="module")
def used_sandbox() -> Iterator[str]:
    """The address of a sandbox for tests that don't look at earlier messages."""
    with running_sandbox() as address:
        yield address


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def used_page(browser: Browser, used_sandbox: str) -> Iterator[Page]:
    page = opened(browser, used_sandbox)
    loaded(page)
    yield page
    page.close()


@pytest.fixture
def page(used_page: Page) -> Page:
    """A page that shows Ann the channel, at a desk. Earlier tests have used it and its sandbox; they start no game."""
    resize(used_page, PHONE)
    used_page.get_by_role("tab", name="#games").click()
    resize(used_page, DESK)
    switch_to(used_page, "Ann")
    return used_page


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def screen() -> AsyncIterator[Phone]:
    """A phone that measures messages."""
    async with phone() as screen:
        yield screen
