"""The API description accepts valid requests and refuses invalid ones."""

from typing import Any

import pytest

from tests.wire.schemas import faults

V2 = 1 << 15
BUTTON: dict[str, Any] = {"type": 2, "style": 1, "label": "My hand", "custom_id": "hand:81:17"}
SELECT: dict[str, Any] = {
    "type": 3,
    "custom_id": "play:81:17",
    "options": [{"label": "10♦", "value": "play TD", "description": "+15 for you"}],
}
BOARD: dict[str, Any] = {
    "flags": V2,
    "components": [
        {
            "type": 17,
            "accent_color": 0x2E7D32,
            "components": [
                {"type": 10, "content": "Table Heron · Pond · cards"},
                {"type": 12, "items": [{"media": {"url": "attachment://board.png"}, "description": "Ann leads."}]},
                {"type": 14, "divider": True, "spacing": 1},
                {"type": 1, "components": [BUTTON]},
                {"type": 1, "components": [SELECT]},
            ],
        },
    ],
    "attachments": [{"id": "0", "filename": "board.png"}],
    "allowed_mentions": {"parse": [], "users": ["1"]},
    "nonce": "81-17",
    "enforce_nonce": True,
}
OPTION: dict[str, Any] = {"type": 3, "name": "move", "description": "A move", "required": True, "autocomplete": True}
COMMAND: dict[str, Any] = {
    "name": "pond",
    "type": 1,
    "description": "Pond · cards",
    "options": [{"type": 1, "name": "move", "description": "Make a move", "options": [OPTION]}],
}
EDIT: dict[str, Any] = {"content": "Done."}
MESSAGES = "/channels/1/messages"
CALLBACK = "/interactions/1/token/callback"
COMMANDS = "/applications/1/commands"


def board_with(component: object) -> dict[str, Any]:
    """Return a board with this component in its container."""
    return BOARD | {"components": [component]}


def callback(kind: int, **data: object) -> dict[str, Any]:
    """Return an initial response."""
    return {"type": kind, "data": data} if data else {"type": kind}


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        pytest.param("POST", MESSAGES, BOARD, id="a board"),
        pytest.param("POST", "/api/v10" + MESSAGES, BOARD, id="a board, with the version in the path"),
        pytest.param("POST", MESSAGES, EDIT | {"message_reference": {"type": 0, "message_id": "2"}}, id="a reply"),
        pytest.param("PATCH", f"{MESSAGES}/2", EDIT, id="an edit"),
        pytest.param("DELETE", f"{MESSAGES}/2", None, id="a deletion"),
        pytest.param("GET", f"{MESSAGES}/2", None, id="a look"),
        pytest.param("POST", CALLBACK, callback(4, content="Not now.", flags=64), id="a private answer"),
        pytest.param("POST", CALLBACK, callback(5, flags=64), id="an answer put off"),
        pytest.param("POST", CALLBACK, callback(6), id="an edit put off"),
        pytest.param("POST", CALLBACK, callback(7, components=BOARD["components"]), id="an edit at once"),
        pytest.param("POST", CALLBACK, callback(8, choices=[{"name": "10♦", "value": "play TD"}]), id="a completion"),
        pytest.param(
            "POST",
            CALLBACK,
            callback(
                9,
                title="Cut",
                custom_id="cut:81",
                components=[{"type": 1, "components": [{"type": 4, "style": 1, "label": "Cut", "custom_id": "cut"}]}],
            ),
            id="a form",
        ),
        pytest.param("PATCH", "/webhooks/1/token/messages/@original", EDIT, id="the first"),
        pytest.param("PATCH", "/webhooks/1/token/messages/3", EDIT, id="a later one"),
        pytest.param("POST", "/webhooks/1/token?wait=true", {"content": "More.", "flags": 64}, id="a follow-up"),
        pytest.param("PUT", COMMANDS, [COMMAND], id="all commands"),
        pytest.param("POST", "/users/@me/channels", {"recipient_id": "7"}, id="a direct message's channel"),
        pytest.param("POST", "/users/@me/channels", {"recipient_id": 7}, id="an id as a number"),
        pytest.param("PATCH", f"{MESSAGES}/2", EDIT | {"tts": False}, id="an edit as discord.py sends it"),
    ],
)
def test_valid_requests_have_no_errors(method: str, path: str, body: object) -> None:
    assert faults(method, path, body) == ()


@pytest.mark.parametrize(
    ("method", "path", "body", "fault"),
    [
        ("POST", "/channels/1/massages", BOARD, "no such request"),
        ("POST", MESSAGES, None, "needs a body"),
        ("DELETE", f"{MESSAGES}/2", {"reason": "old"}, "takes no body"),
        ("POST", MESSAGES, BOARD | {"flag": V2}, "'flag'"),
        ("POST", MESSAGES, BOARD | {"nonce": "x" * 26}, "$.nonce"),
        ("POST", MESSAGES, board_with({"type": 99}), "$.components[0].type: 99 is not"),
        ("POST", MESSAGES, board_with(BUTTON), "$.components[0].type: 2 is not"),
        ("POST", MESSAGES, board_with({"type": 1, "components": [BUTTON] * 6}), "$.components[0].components"),
        ("POST", MESSAGES, board_with({"type": 1, "components": []}), "$.components[0].components"),
        ("POST", MESSAGES, board_with({"type": 1, "components": [BUTTON | {"label": "x" * 81}]}), ".label"),
        ("POST", MESSAGES, board_with({"type": 1, "components": [BUTTON | {"custom_id": ""}]}), ".custom_id"),
        ("POST", MESSAGES, board_with({"type": 1, "components": [SELECT | {"options": []}]}), ".options"),
        ("POST", MESSAGES, board_with({"type": 12, "items": [{"media": {}}]}), '"url" is a required property'),
        ("POST", MESSAGES, BOARD | {"allowed_mentions": {"users": ["Ann"]}}, "$.allowed_mentions"),
        ("POST", CALLBACK, callback(4, content="x" * 2001), "$.data"),
        ("POST", CALLBACK, callback(9, title="Cut"), "is a required property"),
        ("POST", CALLBACK, callback(10), "$.type: 10 is not"),
        ("POST", CALLBACK, callback(8, choices=[{"name": "10♦", "value": "play TD"}] * 26), "$.data"),
        ("PUT", COMMANDS, [COMMAND | {"description": "x" * 101}], "$[0].description"),
        ("PUT", COMMANDS, [COMMAND | {"options": [OPTION] * 26}], "$[0].options"),
        ("PUT", COMMANDS, [COMMAND | {"options": [OPTION | {"name": ""}]}], "$[0].options[0].name"),
        ("PUT", COMMANDS, [COMMAND | {"options": [OPTION | {"min_value": 1}]}], "'min_value'"),
    ],
)
def test_invalid_requests_have_an_error_with_its_place(method: str, path: str, body: object, fault: str) -> None:
    found = faults(method, path, body)
    assert found
    assert fault in found[0]
