"""Why Discord couldn't be asked, in a clause for the log and the command line."""

from typing import Final
from urllib.parse import urlsplit

import aiohttp
import discord
from discord.http import Route

_WHAT_TO_CHECK: Final = "check DISCORD_API_URL, the proxy, and whether this network asks for a login"
_MAX_TEXT: Final = 150


def reason_of(error: BaseException) -> str:
    """Return in a clause why Discord couldn't be asked, and what to check."""
    return _of_connection(error) or f"{_of_answer(error)}; {_WHAT_TO_CHECK}"


def _of_connection(error: BaseException) -> str | None:
    """Return what is known better than that something else has answered."""
    match error:
        case discord.HTTPException() if is_discords(error):
            return f"Discord answers {error.status} {' '.join(error.text.split())[:_MAX_TEXT]}"
        case aiohttp.ClientHttpProxyError():
            return f"the proxy answers {error.status} {error.message}; check HTTPS_PROXY, and what the proxy allows"
        case aiohttp.ClientProxyConnectionError():
            return f"no connection to the proxy ({_short(error)}); check HTTPS_PROXY"
        case aiohttp.ClientSSLError():
            return f"no secure connection to {error.host}: {_short(error)}; check this machine's clock, and the proxy"
    return None


def _of_answer(error: BaseException) -> str:
    host = urlsplit(Route.BASE).netloc
    match error:
        case discord.HTTPException():
            return f"{host} answers {error.status} without Discord's JSON"
        case discord.ConnectionClosed():
            return f"the gateway closes the connection with code {error.code}"
        case aiohttp.TooManyRedirects() | aiohttp.RedirectClientError():
            return f"{host} redirects to other pages"
        case aiohttp.WSServerHandshakeError():
            return f"the gateway answers {error.status} instead of opening a WebSocket"
        case TimeoutError():
            return "no answer in time"
        case aiohttp.ClientError() | OSError():
            return f"the connection fails ({_short(error)})"
    return f"{host} answers something other than Discord's JSON"


def is_discords(error: BaseException) -> bool:
    """Whether this is an error response in Discord's form."""
    if not isinstance(error, discord.HTTPException):
        return False
    return error.response.headers.get("Content-Type") == "application/json" and bool(error.text)


def _short(error: BaseException) -> str:
    return " ".join(str(error).split())[:_MAX_TEXT] or type(error).__name__
