"""The application's emojis, as Discord checks them and SimCord doesn't: their names, their number, and their use."""

import base64
from collections.abc import Iterator, Sequence
from typing import Any, Final

from simcord.backend import Backend

from tests.wire.faults import Refused
from tests.world import Json

MOST: Final = 2000
MAX_BYTES: Final = 256 * 1024
_PNG: Final = b"\x89PNG\r\n\x1a\n"


class Invalid(Refused):
    """An invalid form body: the place of the error, its code and its message."""

    def __init__(self, place: Sequence[str], code: str, message: str) -> None:
        super().__init__(400, 50035, f"Invalid Form Body {code}")
        self._place, self._error = place, {"code": code, "message": message}

    @property
    def described(self) -> Json:
        """Return the body of the response."""
        errors: Json = {"_errors": [self._error]}
        for part in reversed(self._place):
            errors = {part: errors}
        return super().described | {"errors": errors}


def check_emojis(backend: Backend, method: str, path: str, body: Any) -> None:
    """Refuse an emoji that can't be created, or a message with a menu or button whose emoji doesn't exist."""
    if not isinstance(body, dict):
        return
    if method == "POST" and path.startswith("/applications/") and path.endswith("/emojis"):
        _check_new(backend, body)
    for place, emoji in _used([], (body.get("data") or body).get("components")):
        if emoji.get("id") and int(emoji["id"]) not in backend.application_emojis:
            code = "BUTTON_COMPONENT_INVALID_EMOJI" if "options" not in place else "COMPONENT_INVALID_EMOJI"
            raise Invalid([*place, "emoji", "id"], code, "Invalid emoji")


def _check_new(backend: Backend, body: Json) -> None:
    if any(emoji.name == body["name"] for emoji in backend.application_emojis.values()):
        raise Invalid(["name"], "APPLICATION_EMOJI_NAME_ALREADY_TAKEN", "Name is already taken.")
    if len(backend.application_emojis) >= MOST:
        raise Refused(400, 30008, f"Maximum number of emojis reached ({MOST})")
    kind, _, data = body["image"].partition(";base64,")
    image = base64.b64decode(data)
    if kind != "data:image/png" or not image.startswith(_PNG) or len(image) > MAX_BYTES:
        raise Invalid(["image"], "INVALID_IMAGE", "Invalid image")


def _used(place: list[str], part: Any) -> Iterator[tuple[list[str], Json]]:
    """Yield the emojis of menus and buttons, each with its place."""
    if isinstance(part, list):
        for number, each in enumerate(part):
            yield from _used([*place, str(number)], each)
    elif isinstance(part, dict):
        if part.get("emoji"):
            yield place, part["emoji"]
        for key in ("components", "options", "accessory"):
            yield from _used([*place, key], part.get(key))
