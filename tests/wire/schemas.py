"""Validate requests against Discord's description of its API.

`faults` checks one request against `openapi.json`, which is Discord's published file (MIT, see LICENSE). Unknown fields
are errors here, because Discord silently ignores them. As in Discord, and as discord.py needs it, ids may be numbers,
and the fields in `UNDESCRIBED` may be anywhere.
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from jsonschema_rs import Draft202012Validator, Registry, ValidationError

Schema = dict[str, Any]

NAME: Final = "urn:discord"
"""The URI of the description. Nothing is fetched."""

UNDESCRIBED: Final = {"^(?:nsfw|tts)$": {"type": "boolean"}}
"""Fields that discord.py adds to every command and to every edit of a message."""


def faults(method: str, path: str, body: object) -> tuple[str, ...]:
    """Return one line per error in a request, with its place in the body.

    ``path`` is that of the URL, with or without ``/api/v10``. ``body`` is the JSON, or ``None``. With files, it is
    the ``payload_json``.
    """
    template = _template(path.partition("?")[0].removeprefix("/api/v10"))
    operation = _description()["paths"].get(template, {}).get(method.lower())
    if operation is None:
        return (f"{method} {path}: no such request",)
    if "requestBody" not in operation:
        return () if body is None else (f"{method} {template}: takes no body",)
    if body is None and operation["requestBody"].get("required", False):
        return (f"{method} {template}: needs a body",)
    found = map(_innermost, _validator(template, method.lower()).iter_errors(body))
    return tuple(sorted(f"{method} {template} {_place(fault)}: {fault.message[:300]}" for fault in found))


def _innermost(fault: ValidationError) -> ValidationError:
    """Return the most telling error of a union of which no branch is valid: one in the branch with the right type."""
    branches = [[_innermost(each) for each in branch] for branch in getattr(fault.kind, "context", ())]
    place = len(fault.instance_path)
    meant = [branch for branch in branches if not any(each.instance_path[place:] == ["type"] for each in branch)]
    found = [each for branch in meant or branches for each in branch]
    return max(found, key=_tells, default=fault)


def _tells(fault: ValidationError) -> tuple[int, bool]:
    """Rank an error: those deep inside come first, and those of the branch for ``null`` last."""
    return len(fault.instance_path), fault.kind.name != "type"


def _place(fault: ValidationError) -> str:
    steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in fault.instance_path)
    return "$" + "".join(steps)


@cache
def _description() -> Schema:
    description: Schema = json.loads((Path(__file__).parent / "openapi.json").read_text(encoding="utf-8"))
    for schema in _objects(description):
        if "additionalProperties" not in schema:
            schema |= {"additionalProperties": False, "patternProperties": UNDESCRIBED}
    description["components"]["schemas"]["SnowflakeType"] |= {"type": ["string", "integer"]}
    return description


def _objects(node: object) -> Iterator[Schema]:
    """Return each schema of an object with named properties, except those that are a part of another one."""
    if isinstance(node, list):
        for each in node:
            yield from _objects(each)
    elif isinstance(node, dict):
        if isinstance(node.get("properties"), dict) and node.get("type") == "object":
            yield node
        for key, value in node.items():
            if key not in ("allOf", "responses", "multipart/form-data"):
                yield from _objects(value)


@cache
def _templates() -> Mapping[tuple[int, str], Sequence[tuple[Sequence[str], str]]]:
    """Return the paths of the description in parts, by how many there are and by the first one, which is constant.

    Paths with fewer placeholders come first.
    """
    found = defaultdict[tuple[int, str], list[tuple[Sequence[str], str]]](list)
    for path in sorted(_description()["paths"], key=lambda path: path.count("{")):
        parts = path.strip("/").split("/")
        found[len(parts), parts[0]].append((parts, path))
    return found


def _template(path: str) -> str:
    asked = path.strip("/").split("/")
    for parts, template in _templates().get((len(asked), asked[0]), ()):
        if all(a == b or a[0] == "{" for a, b in zip(parts, asked, strict=True)):
            return template
    return path


@cache
def _validator(template: str, method: str) -> Draft202012Validator:
    steps = ("paths", template, method, "requestBody", "content", "application/json", "schema")
    pointer = "/".join(quote(step.replace("~", "~0").replace("/", "~1"), safe="~") for step in steps)
    return Draft202012Validator({"$ref": f"{NAME}#/{pointer}"}, registry=_registry())


@cache
def _registry() -> Registry:
    return Registry([(NAME, _description())])
