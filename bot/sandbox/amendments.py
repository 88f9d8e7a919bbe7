"""What the proxy changes in the scripts of SimCord's page.

SimCord shows what a bot sends. People who play need some things more that Discord's own app does.
"""

from typing import Final

AMENDMENTS: Final = (
    # Options of a command have descriptions.
    (
        'node("span", "command-suggestion-ellipsis", "\N{HORIZONTAL ELLIPSIS}")',
        'node("span", "command-suggestion-meta", String(value.description))',
    ),
    # Private messages can be dismissed; `page.js` does it.
    (
        'root.append(node("div", "message-ephemeral-note", "Only you can see this"));',
        (
            'const note = node("div", "message-ephemeral-note", "Only you can see this \N{BULLET} ");'
            'note.append(Object.assign(node("button", "dismiss-message", "Dismiss message"), { type: "button" }));'
            "root.append(note);"
        ),
    ),
    # A press during another one, or before its result is shown, waits instead of being dropped. It is made if its
    # button still looks the same. A second press on the pressed button counts for nothing.
    (
        "  let busyDeferred = false;",
        (
            'const all = () => [...document.querySelectorAll("[data-control-key]")];'
            "const look = ({ control_key: key }) => all().find((each) => each.dataset.controlKey === key)?.textContent;"
            "let pressed = null;"
            "const later = (kind, extra, metadata, seen = look(extra)) => setTimeout(() => {"
            " if (look(extra) === seen) dispatch(kind, extra, metadata); }, 50);"
            "let busyDeferred = false;"
        ),
    ),
    ("void perform(kind, extra, null, metadata);", "pressed = look(extra); void perform(kind, extra, null, metadata);"),
    (
        "if (pageAction(kind)) pageIntent(kind, extra); return; }",
        (
            "if (pageAction(kind)) pageIntent(kind, extra);"
            " else if (pending && (pending.controlKey !== extra.control_key || pressed !== look(extra)))"
            " later(kind, extra, metadata); return; }"
        ),
    ),
    (
        "if (!pageAction(kind) && awaitingRevision !== null && awaitingRevision > context.publishedRevision) return;",
        (
            "if (!pageAction(kind) && awaitingRevision !== null && awaitingRevision > context.publishedRevision)"
            " { later(kind, extra, metadata); return; }"
        ),
    ),
    ("if (state.pendingAction || state.blocked) {", "if (state.pinnedCapture) {"),
    # A picture that was replaced before it is loaded leaves its place empty until the new one is shown.
    ("trigger.replaceWith(unavailable);", ""),
    # A window that was at its end stays there, however messages grow meanwhile.
    (
        "return { policy: ui.timeline.scrollHeight",
        "return { policy: window.frameElement?.isAtEnd || ui.timeline.scrollHeight",
    ),
    # The list of a menu that opens upwards ends at the menu.
    ("const height = Math.min(220, available);", "const height = Math.min(desired, available);"),
)
"""Parts of the scripts, each in one place, and what they are replaced by."""

_AMENDMENTS: Final = tuple((old.encode(), new.encode()) for old, new in AMENDMENTS)


def amended(script: bytes) -> bytes:
    """Return one of SimCord's scripts with our changes."""
    for old, new in _AMENDMENTS:
        script = script.replace(old, new)
    return script
