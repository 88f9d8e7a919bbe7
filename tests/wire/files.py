"""Discord's rules for files of components, where SimCord is more lenient."""

import json
from typing import Any, Final

from simcord.backend.cdn import CDN_BASE

from tests.wire.faults import Refused
from tests.world import Json, walk

SIGNATURE: Final = "?ex=6abc&is=6abd&hm=5eed"
"""Links to files expire, so that bots can't keep them."""


def as_told(answer: Any) -> Any:
    """Return an answer or event with signed links, and without the attachments that components show."""
    return _told(json.loads(json.dumps(answer)))


def _told(part: Any) -> Any:
    if isinstance(part, list):
        return [_told(each) for each in part]
    if not isinstance(part, dict):
        return part
    part = {key: _told(each) for key, each in part.items()}
    if isinstance(part.get("attachment_id"), str) and "url" in part:
        part["url"] = part["url"].partition("?")[0] + SIGNATURE
    if isinstance(part.get("components"), list) and part.get("attachments"):
        shown = {media["attachment_id"] for media in _media(part["components"])}
        part["attachments"] = [each for each in part["attachments"] if each["id"] not in shown]
    return part


def _media(components: list[Json]) -> list[Json]:
    items = [item["media"] for part in walk(components) for item in part.get("items", ())]
    files = [part["file"] for part in walk(components) if isinstance(part.get("file"), dict)]
    return [media for media in (*items, *files) if media.get("attachment_id")]


def check_files(method: str, path: str, body: Any, files: list[Any], refused: set[str]) -> None:
    """Refuse uploads by a kind of request in ``refused``: ``POST``, ``PATCH`` or ``UPDATE_MESSAGE`` (type 7)."""
    if CDN_BASE in json.dumps(body):
        raise Refused(400, 50035, "a link to a file that expires")
    kind = "UPDATE_MESSAGE" if path.startswith("/interactions/") and body["type"] == 7 else method
    if files and kind in refused:
        raise Refused(400, 50035, f"a file in {kind}")
