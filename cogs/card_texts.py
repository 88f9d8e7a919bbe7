"""Cards, hands and paragraphs as text, for all card games."""

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec.structs import replace

from bot.games.cards import SUIT_NAMES, SUIT_SYMBOLS, SUITS, Card, face, name
from bot.games.game import Seat
from bot.records.table import Table
from bot.texts import gettext as _, translated
from bot.ui.posts.emojis import MARK_OF
from bot.ui.posts.names import name_of
from bot.ui.posts.post import Choice, Choices

BACK_SIGN: Final = "▮\ufe0e"
"""The back of a card. Like suits, it has a text variation selector (`bot.ui.posts.emojis`)."""


def faces(cards: Iterable[Card]) -> str:
    """Return cards side by side: ``10♦ A♠``. A card that can't be seen is a block."""
    return " ".join(face(card) if card[1] in SUITS or card == "XX" else BACK_SIGN for card in cards)


def emoji(card: Card) -> str:
    """Return the name of the emoji that shows a card: ``king_of_diamonds``."""
    return name(card).replace(" ", "_")


def mark(name: str, text: str) -> str:
    """Return the text with an emoji before it, if emojis are available: ``mark("chip", "28")``."""
    return f"{MARK_OF[name]} {text}"


def held(text: str) -> str:
    """Return a text that lines don't end in."""
    return text.replace(" ", "\N{NO-BREAK SPACE}")


def played(name: str, card: Card) -> str:
    """Return a card with its player, parted by no line's end: ``Ann 6♦``."""
    return f"{name}\N{NO-BREAK SPACE}{faces((card,))}"


def tricks_since(table: Table, seat: Seat | None, takers: Sequence[Seat]) -> str:
    """Return who took how many tricks while a player was away; empty for one trick, which hands tell in full."""
    if len(takers) < 2:
        return ""
    counts = (
        f"{_('You') if taker == seat else name_of(table, taker)}\N{NO-BREAK SPACE}{takers.count(taker)}"
        for taker in sorted(set(takers))
    )
    return _("Tricks since your turn: {counts}", counts=", ".join(counts))


def only(choice: Choice) -> Choices:
    """Return the only card or pair that can be played, as a button: ``Play 4♥ · +1 point``."""
    named = replace(choice, name=_("Play {card}", card=choice.name), hint="")
    return Choices("", (named,), as_buttons=True)


def suit_name(suit: str) -> str:
    """Return the name of a suit in the current language: ``spades``."""
    return translated(SUIT_NAMES[suit])


def ranks(cards: Iterable[str]) -> str:
    """Return the ranks of cards, or bare ranks, side by side: ``A K 10 4``."""
    return " ".join("10" if card[0] == "T" else card[0] for card in cards)


def by_suit(cards: Iterable[Card]) -> str:
    """Return cards in a given order on one line, with each suit named once: ``♠ K 9 ♥ 5``."""
    held = [*cards]
    suits = {suit: [card for card in held if card[1] == suit] for suit in SUITS}
    return " ".join(f"{SUIT_SYMBOLS[suit]} {ranks(of_suit)}" for suit, of_suit in suits.items() if of_suit)


def paragraphs(*parts: str) -> list[str]:
    """Return the parts that aren't empty."""
    return [part for part in parts if part]
