"""Validate requests against Discord's description of its API.

`faults` checks one request against `openapi.json`, which is Discord's published file (MIT, see LICENSE). Unknown fields
are errors here, because Discord silently ignores them. As in Discord, and as discord.py needs it, ids may be numbers,
and the fields in `UNDESCRIBED` may be anywhere.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

from jsonschema import Draft202012Validator, ValidationError
from jsonschema.exceptions import best_match
from jsonschema.validators import extend
from referencing import Registry
from referencing.jsonschema import DRAFT202012

Schema = dict[str, Any]
Rule = Callable[[Any, Sequence[Schema], Any, Schema], Iterator[ValidationError]]

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
    found = (best_match([fault]) for fault in _validator(template, method.lower()).iter_errors(body))
    return tuple(sorted(f"{method} {template} {fault.json_path}: {fault.message[:300]}" for fault in found))


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
def _templates() -> tuple[tuple[tuple[str, ...], str], ...]:
    """Return the paths of the description in parts. Paths with fewer placeholders come first."""
    parts = ((tuple(path.strip("/").split("/")), path) for path in _description()["paths"])
    return tuple(sorted(parts, key=lambda each: each[1].count("{")))


def _template(path: str) -> str:
    asked = path.strip("/").split("/")
    for parts, template in _templates():
        if len(parts) == len(asked) and all(a == b or a[0] == "{" for a, b in zip(parts, asked, strict=True)):
            return template
    return path


@cache
def _validator(template: str, method: str) -> Any:
    registry: Registry[Any] = Registry().with_resource(NAME, DRAFT202012.create_resource(_description()))
    steps = ("paths", template, method, "requestBody", "content", "application/json", "schema")
    pointer = "/".join(step.replace("~", "~0").replace("/", "~1") for step in steps)
    return _Validator({"$ref": f"{NAME}#/{pointer}"}, registry=registry)


def _union(standard: str) -> Rule:
    """Validate a union by its only matching branch, if possible, else by the standard rule.

    Errors deep in a message then have their exact place, and large messages are validated once.
    """

    def rule(validator: Any, branches: Sequence[Schema], body: Any, schema: Schema) -> Iterator[ValidationError]:
        if all("const" in branch for branch in branches) and (type(body), body) in (_constant(b) for b in branches):
            return  # most unions are lists of numbers, which need no validator
        meant = [branch for branch in branches if body is None or branch.get("type") != "null"]
        if len(meant) > 1 and isinstance(body, Mapping) and "type" in body and all(map(_types, meant)):
            meant = [branch for branch in meant if body["type"] in _types(branch)]
        if len(meant) > 1:
            yield from Draft202012Validator.VALIDATORS[standard](validator, branches, body, schema)
        elif meant:
            yield from validator.descend(body, meant[0])
        else:
            yield ValidationError(f"nothing of type {body['type']!r} can stand here")

    return rule


def _constant(branch: Schema) -> tuple[type, object]:
    return type(branch["const"]), branch["const"]


def _types(branch: Schema) -> Sequence[object]:
    """Return the values that ``type`` may have in a branch of a union."""
    schema = _description()["components"]["schemas"][branch["$ref"].rpartition("/")[2]] if "$ref" in branch else branch
    values: Sequence[object] = schema.get("properties", {}).get("type", {}).get("enum", ())
    return values


_Validator = extend(  # type: ignore[no-untyped-call]  # the stubs leave it untyped
    Draft202012Validator, {"oneOf": _union("oneOf"), "anyOf": _union("anyOf")}
)
