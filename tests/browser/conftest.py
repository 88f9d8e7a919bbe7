"""Running sandboxes and a browser for tests of the sandbox's page. Tests share them where they can."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.browser.page import PATIENCE_MS, running_sandbox
from tests.browser.phone import CHROMIUM, FLAGS


@pytest.fixture
def sandbox() -> Iterator[str]:
    """The address of a new sandbox."""
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
