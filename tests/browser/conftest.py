"""Running sandboxes and a browser for tests of the sandbox's page. Tests share them where they can.

A test that fails leaves pictures and the HTML of all pages, and the logs of the sandboxes.
"""

import tempfile
from collections.abc import AsyncIterator, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.page import (
    DESK,
    PATIENCE_MS,
    PHONE,
    leave_traces,
    loaded,
    opened,
    resize,
    running_sandbox,
    switch_to,
)
from tests.browser.phone import CHROMIUM, FLAGS, Phone, phone


@pytest.fixture(scope="module")
def traces(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for the logs of the sandboxes, and for what tests leave that fail."""
    return tmp_path_factory.mktemp("browser")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Name the folder in the report of a failed test."""
    report = yield
    arguments: dict[str, Any] = item.funcargs if isinstance(item, pytest.Function) else {}
    if report.when == "call" and report.failed and "browser" in arguments:
        folder = Path(tempfile.mkdtemp(prefix=f"{item.name}-", dir=arguments["traces"]))
        leave_traces(arguments["browser"], folder)
        report.sections.append(("browser", f"{folder}\n"))
    return report


@pytest.fixture(scope="module")
def game_sandbox(traces: Path) -> Iterator[str]:
    """The address of a sandbox for tests that start games, each with other people: the bot goes on there afterwards."""
    with running_sandbox(traces / "games.log") as address:
        yield address


@pytest.fixture(scope="module")
def used_sandbox(traces: Path) -> Iterator[str]:
    """The address of a sandbox for tests that don't look at earlier messages."""
    with running_sandbox(traces / "lobbies.log") as address:
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
