"""**What happened**: pages from the last trick to the whole game, the newest first."""

from collections.abc import Sequence
from itertools import chain
from typing import Any, NamedTuple, Self

from bot.tables.tables import Sight
from bot.texts import gettext as _
from bot.ui.messages.result_texts import happened
from bot.ui.posts.face import Face
from bot.ui.posts.layout import page_buttons, page_heading, split_for
from bot.ui.posts.names import with_short_names
from bot.ui.posts.post import Button, Choices, Post
from bot.ui.posts.text import PAGE, ROW

VERB = "happened"


class Happened(NamedTuple):
    """All pages: the last events and why they count what they do, and the scores of each finished deal.

    If the game is in the standings of its server, each page leads there.
    """

    heading: str
    lately: Sequence[tuple[str, ...]]
    scored: Sequence[tuple[str, ...]]
    is_counted: bool

    @classmethod
    def of(cls, face: Face[Any], public: Sight, own: Sight) -> Self:
        """Return the pages for a reader with their ``own`` sight; the events are those that everyone saw."""
        heading = _("### What happened · Table {name}", name=public.table.name)
        scores = face.scores(public.table, public.observation)
        return cls(
            heading,
            _lately(heading, face, public, own),
            split_for(heading, scores, PAGE),
            public.table.counted is not None,
        )

    def post(self, page: int, menu: tuple[Choices, ...] = ()) -> Post:
        """Return a page, or the last one. The first one has the ``menu``."""
        pages = [*self.lately, *self.scored]
        page = min(page, len(pages) - 1)
        turning = chain(*page_buttons(VERB, page, len(pages), is_newest_first=True))
        standings = (Button("friends", _("Standings")),) if self.is_counted else ()
        row = (*turning, Button("replay", _("Replay"), origin=VERB), *standings)
        return Post((page_heading(self.heading, page, len(pages)), *pages[page]), () if page else menu, (row,))


def _lately(heading: str, face: Face[Any], public: Sight, own: Sight) -> Sequence[tuple[str, ...]]:
    """Return pages with the last events first, on each page in their order, and below those why they count that."""
    events = happened(face, public) or (_("Nothing has happened yet."),)
    last, *earlier = ("\n".join(reversed(page)) for page in split_for(heading, events, PAGE - ROW))
    found = face.why(with_short_names(own.table), own.observation, own.events)
    why = () if found is None else (_("**Why?** {reason}", reason=found[0]),)
    return (*split_for(heading, (last, *why), PAGE - ROW), *((text,) for text in earlier))
