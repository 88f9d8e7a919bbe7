"""The form in which a game is played as a daily and in challenges."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple


class Daily(NamedTuple):
    """A short form of a game, in which every player is a side of their own.

    Parameters
    ----------
    options: Those of all its deals.
    level: How the computers play; it needs to be a quick level.
    decisions: About how many choices the person has, without forced ones.
    minutes: How long it takes about, as people are told.
    turns: Further options that change from deal to deal, and for dailies from day to day.
    """

    options: Mapping[str, str | int]
    level: str
    decisions: int
    minutes: int
    turns: Sequence[Mapping[str, str | int]] = ({},)

    def of_deal(self, deal: int) -> dict[str, str | int]:
        """Return the options of a deal, or of the daily of the day with this number."""
        return {**self.options, **self.turns[deal % len(self.turns)]}
