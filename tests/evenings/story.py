"""The story of an evening: what people did, what went wrong, and every request, in order."""

import hashlib
import json
from collections.abc import Callable
from typing import Any, Final

_WIDTH: Final = 220


class Story:
    """Notes what happens. ``now`` returns the virtual time."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self.lines: list[str] = []
        self._digest = hashlib.sha256()

    def tell(self, text: str, body: Any = None, fault: str = "") -> None:
        """Note an event. All of a body counts for the digest, and its beginning is printed."""
        said = "" if body is None else f" {json.dumps(body, ensure_ascii=False, default=str)}"
        line = f"{self._now():10.4f} {text}{said}{f' [{fault}]' if fault else ''}"
        self._digest.update(line.encode())
        self.lines.append(line if len(line) <= _WIDTH else f"{line[:_WIDTH]}…")

    @property
    def digest(self) -> str:
        """A digest of everything that was noted."""
        return self._digest.hexdigest()
