"""Read the bodies of requests: JSON, and forms with files."""

import io
import json
from typing import Any

import discord
from aiohttp import web

from tests.wire.faults import Refused


async def read_body(request: web.Request) -> tuple[Any, list[discord.File]]:
    """Return the JSON body and the files of a request. Raise `Refused` for other bodies, and for malformed forms."""
    if not request.can_read_body:
        return None, []
    if request.content_type == "application/json":
        return await request.json(), []
    if request.content_type != "multipart/form-data":
        raise Refused(400, 50035, f"content type {request.content_type}")
    form = await request.post()
    body = json.loads(str(form["payload_json"]))
    holder = body.get("data", body) if "type" in body else body
    names = {str(each["id"]): each["filename"] for each in holder.get("attachments") or () if "filename" in each}
    sent = {
        key[6:-1]: part for key, part in form.items() if isinstance(part, web.FileField) and key.startswith("files[")
    }
    if set(sent) != set(names) or len(form) != 1 + len(sent):
        raise Refused(400, 50035, f"files {list(form)} are not the attachments {names}")
    return body, [discord.File(io.BytesIO(part.file.read()), names[key]) for key, part in sent.items()]
