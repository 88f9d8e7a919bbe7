"""Words for the reasons of hints: the form that `cogs/<game>/hint_words.py` fills in."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from bot.computer.thoughts import How, Kind


class Named(NamedTuple):
    """What a sentence names: a player, a card or squares, and a number."""

    name: str
    what: str
    n: int


Sentence = Callable[[Named], str]


class HintWords(NamedTuple):
    """A sentence for each kind of fact.

    ``by_certainty`` has those for facts that have to be so, or are only likelier, where they differ.
    """

    plain: Mapping[Kind, Sentence] = {}
    by_certainty: Mapping[tuple[Kind, How], Sentence] = {}

    def of(self, kind: Kind, how: How) -> Sentence | None:
        """Return the sentence for a fact, or ``None`` if these words have none for it."""
        return self.by_certainty.get((kind, how)) or self.plain.get(kind)
