"""Discord's rules for messages that aren't in the API description: Components V2, and maximum counts."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

Json = dict[str, Any]

EPHEMERAL: Final = 1 << 6
LOADING: Final = 1 << 7
V2: Final = 1 << 15
FLAGS_OF_A_MESSAGE: Final = 1 << 2 | 1 << 12 | V2
"""Without link previews, without a notification, Components V2."""

ROW, BUTTON, SELECT, INPUT, TEXT, FILE, CONTAINER = 1, 2, 3, 4, 10, 13, 17
NOT_IN_OLD_MESSAGES: Final = frozenset(range(9, 18))
MOST_COMPONENTS, MOST_TEXT, MOST_OPTIONS = 40, 4000, 25


def parts(components: Sequence[Json]) -> Iterator[Json]:
    """Yield every component, including nested ones."""
    for part in components:
        yield part
        yield from parts(part.get("components") or ())
        yield from parts([part[key] for key in ("component", "accessory") if key in part])


def message_faults(body: Mapping[str, Any], flags: int, files: Sequence[str]) -> Iterator[str]:
    """Return the errors in a message with these flags. ``files`` are the names of its attachments."""
    components = body.get("components") or []
    every = list(parts(components))
    if flags & V2:
        yield from (
            f"{key} has no place beside Components V2" for key in ("content", "embeds", "poll") if body.get(key)
        )
        if len(every) > MOST_COMPONENTS:
            yield f"{len(every)} components"
        if (length := sum(len(part["content"]) for part in every if part["type"] == TEXT)) > MOST_TEXT:
            yield f"{length} characters of text"
    else:
        yield from (
            f"a component of type {p['type']} needs the flag" for p in every if p["type"] in NOT_IN_OLD_MESSAGES
        )
        if len(components) > 5:
            yield f"{len(components)} rows"
    ids = Counter(part["custom_id"] for part in every if "custom_id" in part)
    yield from (f"custom_id {each!r} stands there {n} times" for each, n in ids.items() if n > 1)
    yield from (f"custom_id {each!r} has {len(each)} characters" for each in ids if not 1 <= len(each) <= 100)
    for part in every:
        yield from _part_faults(part, files)
    mentions = body.get("allowed_mentions") or {}
    yield from (
        f"mentions of {kind} twice"
        for kind in ("users", "roles")
        if kind in (mentions.get("parse") or ()) and mentions.get(kind)
    )


def _part_faults(part: Json, files: Sequence[str]) -> Iterator[str]:
    match part["type"]:
        case 1:
            kinds = [inner["type"] for inner in part["components"]]
            if not (len(kinds) == 1 or (set(kinds) == {BUTTON} and len(kinds) <= 5)):
                yield f"a row of {kinds}"
        case 2:
            yield from _button_faults(part)
        case 3:
            yield from _select_faults(part)
        case 10 if not part["content"].strip():
            yield "an empty text"
        case 13 if part["file"]["url"].removeprefix("attachment://") not in files:
            yield f"{part['file']['url']} is no attachment of this message"
        case 17 if not part["components"]:
            yield "an empty container"


def _button_faults(button: Json) -> Iterator[str]:
    if not button.get("label") and not button.get("emoji"):
        yield "a button without a label"
    if len(button.get("label") or "") > 80:
        yield f"a label of {len(button['label'])} characters"
    if (button["style"] == 5) == ("custom_id" in button):
        yield "a button is either a link or has a custom_id"


def _select_faults(menu: Json) -> Iterator[str]:
    options = menu["options"]
    if not 1 <= len(options) <= MOST_OPTIONS:
        yield f"{len(options)} options"
    values = Counter(option["value"] for option in options)
    yield from (f"value {value!r} stands there {count} times" for value, count in values.items() if count > 1)
    for option in options:
        for key in ("label", "value", "description"):
            text = option.get(key)
            if text is not None and not 1 <= len(text) <= 100:
                yield f"{key} of {len(text)} characters"
    if len(menu.get("placeholder") or "") > 150:
        yield "a placeholder of more than 150 characters"
