"""Read the bodies of requests: JSON, and forms with files."""

import io
import json
from typing import Any

import discord
from aiohttp import BodyPartReader, web

from tests.wire.faults import Refused


async def read_body(request: web.Request) -> tuple[Any, list[discord.File]]:
    """Return the JSON body and the files of a request. Raise `Refused` for other bodies, and for malformed forms."""
    if not request.can_read_body:
        return None, []
    if request.content_type == "application/json":
        return await request.json(), []
    if request.content_type != "multipart/form-data":
        raise Refused(400, 50035, f"content type {request.content_type}")
    form = {}  # read by ourselves: `request.post` leaves files open if the client hangs up
    async for part in await request.multipart():
        assert isinstance(part, BodyPartReader)
        form[str(part.name)] = bytes(await part.read(decode=True))
    body = json.loads(form.pop("payload_json"))
    holder = body.get("data", body) if "type" in body else body
    names = {f"files[{each['id']}]": each["filename"] for each in holder.get("attachments") or () if "filename" in each}
    if form.keys() != names.keys():
        raise Refused(400, 50035, f"files {list(form)} are not the attachments {names}")
    return body, [discord.File(io.BytesIO(form[field]), name) for field, name in names.items()]
