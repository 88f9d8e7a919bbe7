"""Kinds of requests, and whether they count against the global limit."""


def kind_of(method: str, path: str) -> str:
    """Return the kind of a request: its method and the last word of its path, such as ``PATCH messages``.

    A message that follows an initial response is ``POST follow-up``.
    """
    if path.startswith("/webhooks/") and "/messages" not in path:
        return f"{method} follow-up"
    *_, word = [part for part in path.split("/") if not part.isdecimal()]
    return f"{method} {'@me/channels' if path == '/users/@me/channels' else word}"


def is_limited_globally(path: str) -> bool:
    """Return whether a request counts against the bot's global limit. Those with an interaction's token don't."""
    return not path.startswith(("/interactions/", "/webhooks/"))
