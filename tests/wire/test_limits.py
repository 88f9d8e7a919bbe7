"""What Discord refuses although its description allows it."""

from typing import Any

import pytest

from tests.wire.limits import faults_beyond
from tests.wire.test_schemas import BOARD, BUTTON, CALLBACK, COMMAND, COMMANDS, MESSAGES, OPTION, SELECT, callback

TEXT = {"type": 10, "content": "x" * 2001}
PICTURE = {"type": 12, "items": [{"media": {"url": "attachment://b.png"}}]}


def message(*components: dict[str, Any], **others: Any) -> dict[str, Any]:
    """Return a board with these components."""
    return BOARD | {"components": list(components), "attachments": []} | others


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", MESSAGES, BOARD),
        ("PATCH", f"{MESSAGES}/2", message({"type": 10, "content": "Done."}, flags=None)),
        ("POST", CALLBACK, callback(5, flags=64)),
        ("POST", CALLBACK, callback(8, choices=[{"name": "10♦", "value": "play TD"}])),
        ("PUT", COMMANDS, [COMMAND | {"description_localizations": {"de": "Pond · Karten"}}]),
    ],
)
def test_what_discord_takes_has_no_faults(method: str, path: str, body: Any) -> None:
    assert faults_beyond(method, path, body) == []


@pytest.mark.parametrize(
    ("path", "body", "fault"),
    [
        (MESSAGES, {key: value for key, value in BOARD.items() if key != "allowed_mentions"}, "no allowed_mentions"),
        (MESSAGES, BOARD | {"content": "Hello"}, "text outside"),
        (MESSAGES, BOARD | {"flags": 0}, "no flag"),
        (MESSAGES, message(*({"type": 14} for _ in range(41))), "41 components"),
        (MESSAGES, message(TEXT, TEXT), "4002 characters"),
        (MESSAGES, message({"type": 1, "components": [BUTTON, BUTTON]}), "doubled ids"),
        (MESSAGES, message({"type": 1, "components": [BUTTON | {"label": ""}]}), "empty button"),
        (MESSAGES, message({"type": 1, "components": [SELECT | {"options": SELECT["options"] * 2}]}), "doubled values"),
        (MESSAGES, message(PICTURE, attachments=[{"id": "0", "filename": "b.png"}]), "without a description"),
        (MESSAGES, message(PICTURE), "uploads"),
        (MESSAGES, message(TEXT, attachments=[{"id": "0", "filename": "b.png"}]), "uploads"),
        (CALLBACK, callback(4, components=[TEXT], flags=64), "no allowed_mentions"),
        (CALLBACK, callback(8, choices=[{"name": "x" * 101, "value": "x"}]), "name"),
        (CALLBACK, callback(8, choices=[{"name": "x", "value": "x" * 101}]), "value"),
        (COMMANDS, [COMMAND | {"name": "Pond"}], "name 'Pond'"),
        (COMMANDS, [COMMAND | {"name_localizations": {"xx": "pond"}}], "no locales"),
        (COMMANDS, [COMMAND | {"options": [OPTION | {"required": False}, OPTION | {"name": "b"}]}], "order of"),
        (COMMANDS, [COMMAND | {"options": [OPTION | {"choices": [{"name": "a", "value": "a"}]}]}], "autocomplete"),
    ],
)
def test_what_discord_refuses_has_a_fault(path: str, body: Any, fault: str) -> None:
    found = faults_beyond("PUT" if path == COMMANDS else "POST", path, body)
    assert fault in " ".join(found)
