"""Private pages that replace the one with the pressed button, with a button back to it."""

from msgspec.structs import replace

from bot.records.live_message import Snapshot
from bot.records.table import Table
from bot.ui.interactions.reply import Draw, Opens, Reply, gone
from bot.ui.posts.custom_id import Press
from bot.ui.posts.layout import with_way_back
from bot.ui.posts.post import Post


def in_place(reply: Reply, press: Press, table: Table | None) -> Reply:
    """Return a private page in place of the pressed one, with the way back. Other replies stay as they are.

    The page with the way back may be about a ``table``, also if the reply isn't.
    """
    if reply.where != "private" or reply.form is not None or reply.post.file is not None:
        return reply
    shows = reply.shows
    if isinstance(shows, Opens) and shows.draw is not None and shows.draw is not gone:
        shows = shows._replace(draw=_with_way_back(shows.draw, press))
    post = with_way_back(reply.post, press)
    return replace(reply, where="here", post=post, table=reply.table or table, shows=shows)


def _with_way_back(draw: Draw, press: Press) -> Draw:
    """Return what draws the page again, with the way back."""

    async def drawn(snapshot: Snapshot) -> Post | None:
        post = await draw(snapshot)
        return post and with_way_back(post, press)

    return drawn
