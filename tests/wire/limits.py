"""Discord's limits on messages and commands that its description doesn't tell."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

import discord

from tests.wire.kinds import kind_of
from tests.wire.objects import V2
from tests.world import Json, walk

MOST_COMPONENTS: Final = 40
MOST_TEXT: Final = 4000
MOST_IN_COMMAND: Final = 8000
_NAME: Final = re.compile(r"[-_'\w]{1,32}")
_LOCALES: Final = frozenset(each.value for each in discord.Locale)
_SHOWS: Final = frozenset({"POST messages", "PATCH messages", "PATCH @original"})
_MESSAGES: Final = frozenset({4, 7})
_CHOICES: Final = 8


def faults_beyond(method: str, path: str, body: Any) -> list[str]:
    """Return one line for each limit that a request breaks."""
    kind = kind_of(method, path)
    if kind == "POST callback":
        data = body.get("data") or {}
        if body["type"] == _CHOICES:
            return [f"choices: {found}" for found in _choices(data["choices"])]
        return list(_message(data, is_new=body["type"] != 7)) if body["type"] in _MESSAGES else []
    if kind in _SHOWS or (path.startswith("/webhooks/") and body is not None):
        return list(_message(body, is_new=method == "POST"))
    if kind == "PUT commands":
        return [f"{each['name']}: {found}" for each in body for found in _command(each)]
    return []


def _message(message: Json, *, is_new: bool) -> Iterator[str]:
    if "components" in message and "allowed_mentions" not in message:
        yield "no allowed_mentions"
    if message.get("content") or message.get("embeds"):
        yield "text outside of components"
    flags = message.get("flags") or 0
    if is_new and not flags & V2:
        yield "no flag for components V2"
    parts = list(_parts(message.get("components") or []))
    if len(parts) > MOST_COMPONENTS:
        yield f"{len(parts)} components"
    if (text := sum(len(part.get("content", "")) for part in parts)) > MOST_TEXT:
        yield f"{text} characters"
    ids = [part["custom_id"] for part in parts if "custom_id" in part]
    if len(set(ids)) < len(ids):
        yield f"doubled ids: {ids}"
    for part in parts:
        yield from _part(part)
    yield from _files(message, parts)


def _part(part: Mapping[str, Any]) -> Iterator[str]:
    if part["type"] == 2 and not (part.get("label") or part.get("emoji")):
        yield f"an empty button: {part}"
    if part["type"] == 10 and not part["content"].strip():
        yield "an empty text"
    if part["type"] == 12 and not all(item.get("description") for item in part["items"]):
        yield "a picture without a description"
    options = part.get("options", ())
    values = [option["value"] for option in options]
    if len(set(values)) < len(values):
        yield f"doubled values: {values}"
    if sum(bool(option.get("default")) for option in options) > (part.get("max_values") or 1):
        yield f"too many defaults: {part}"
    if not all(option["label"].strip() for option in options):
        yield "an empty label"


def _files(message: Json, parts: list[Mapping[str, Any]]) -> Iterator[str]:
    """Each uploaded file is shown, and each file that is shown is uploaded, or kept by its id."""
    urls = {url.removeprefix("attachment://") for url in _urls(parts)}
    attachments = message.get("attachments") or ()
    uploaded = {each["filename"] for each in attachments if "filename" in each}
    if not uploaded <= urls or len(urls - uploaded) > len(attachments) - len(uploaded):
        yield f"shows {urls}, uploads {attachments}"


def _urls(parts: list[Mapping[str, Any]]) -> Iterator[str]:
    media = [item["media"] for part in parts for item in part.get("items", ())]
    media += [part["file"] for part in parts if part["type"] == 13]
    return (each["url"] for each in media if each["url"].startswith("attachment://"))


def _parts(components: Any) -> Iterator[Mapping[str, Any]]:
    for part in walk(components):
        yield part
        if "accessory" in part:
            yield part["accessory"]


def _choices(choices: list[Json]) -> Iterator[str]:
    if len(choices) > 25:
        yield f"{len(choices)} of them"
    for choice in choices:
        names = [choice["name"], *(choice.get("name_localizations") or {}).values()]
        if not all(name.strip() and len(name) <= 100 for name in names):
            yield f"name {names}"
        if isinstance(choice["value"], str) and not 1 <= len(choice["value"]) <= 100:
            yield f"value {choice['value']!r}"


def _command(command: Json) -> Iterator[str]:
    every = list(_with_options(command))
    keys = ("name", "description", "value")
    longest = sum(max(map(len, _texts(part, key)), default=0) for part in every for key in keys)
    if longest > MOST_IN_COMMAND:
        yield f"{longest} characters"
    for part in every:
        yield from _option(part)


def _with_options(part: Json) -> Iterator[Json]:
    yield part
    for inner in (*part.get("options", ()), *part.get("choices", ())):
        yield from _with_options(inner)


def _texts(part: Json, key: str) -> list[str]:
    return [str(part[key]), *(part.get(f"{key}_localizations") or {}).values()] if key in part else []


def _option(part: Json) -> Iterator[str]:
    for key in ("name_localizations", "description_localizations"):
        if unknown := (part.get(key) or {}).keys() - _LOCALES:
            yield f"no locales: {unknown}"
    if "value" in part:
        yield from _choices([part])
        return
    for name in _texts(part, "name"):
        if not _NAME.fullmatch(name) or name != name.lower():
            yield f"name {name!r}"
    if not all(1 <= len(text) <= 100 and text.strip() for text in _texts(part, "description")):
        yield f"description {_texts(part, 'description')}"
    options = part.get("options") or []
    names = [each["name"] for each in options]
    required = [bool(each.get("required")) for each in options]
    if len(set(names)) < len(names) or sorted(required, reverse=True) != required:
        yield f"order of {json.dumps(names)}"
    if part.get("autocomplete") and part.get("choices"):
        yield f"{part['name']} has choices and autocomplete"
