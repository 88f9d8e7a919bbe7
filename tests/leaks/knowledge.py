"""Derives from the log and the rulings alone who knows which card, independently of what the program shows."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final

from bot.games.game import Actor, AnyGame, Entry, Seat, Value

Viewer = Seat | None
"""A seat, or the public."""

_CARD_OR_MARK: Final = re.compile("XX|[A2-9TJQK][SHDC]|[/+]")
_PACK: Final = tuple(rank + suit for suit in "SHDC" for rank in "A23456789TJQK")


@dataclass(eq=False, slots=True)
class DealtCard:
    """One physical card and the viewers who know it.

    ``written`` lists where the log names it: the number of an entry, and an offset in its text. ``holder`` is the seat
    with the card in its hand.
    """

    card: str
    holder: Actor
    known_to: set[Viewer]
    written: list[tuple[int, int]]


@dataclass(eq=False, slots=True)
class Deal:
    """The cards of one deal, or of one game of Pontis. ``ply`` is the first entry that names one."""

    ply: int
    cards: list[DealtCard] = field(default_factory=list)

    def hidden_from(self, viewer: Viewer) -> list[DealtCard]:
        """Return the cards that the viewer doesn't know."""
        return [card for card in self.cards if viewer not in card.known_to]


class Reader:
    """Reads a log entry by entry and tracks who knows which card. Each card game has a subclass."""

    public: ClassVar[frozenset[str]]
    """First words of the moves that show a card to everybody."""

    def __init__(self, options: Mapping[str, Value]) -> None:
        self.players = int(options["players"])
        self.everybody: frozenset[Viewer] = frozenset({None, *range(self.players)})
        self.deals: list[Deal] = []

    def read(self, ply: int, entry: Entry, before: Any) -> None:
        """Read one more entry. Only public parts of ``before``, the true state before it, are used."""
        word = entry.move.partition(" ")[0]
        if word in {"deal", "foundations", "poison"}:
            self.dealt(ply, entry.move, before)
        elif entry.seat is not None:
            cards = [self._out_of_hand(ply, entry.seat, *found) for found in _cards(entry.move)]
            for card in cards:
                if word in self.public:
                    card.known_to |= self.everybody
            self.moved(entry.seat, entry.move, cards)

    def dealt(self, ply: int, text: str, before: Any) -> None:
        """Note the cards that chance deals or turns up."""
        raise NotImplementedError

    def moved(self, seat: Seat, text: str, cards: list[DealtCard]) -> None:
        """Note what else a seat's move with these cards reveals."""

    def ended(self, state: Any) -> None:
        """Note what is open in the state at the end of the log."""

    def _out_of_hand(self, ply: int, seat: Seat, offset: int, text: str) -> DealtCard:
        card = next(card for card in self.deals[-1].cards if card.holder == seat and card.card == text)
        card.holder = None
        card.written.append((ply, offset))
        return card


class PondReader(Reader):
    """Pond · cards: rulings PC-08 to PC-34."""

    public = frozenset({"bait", "play"})  # PC-17, PC-22; traps are face down (PC-18)

    def __init__(self, options: Mapping[str, Value]) -> None:
        super().__init__(options)
        self._first_of_tied = options["tie"] == "first"
        self._pack: list[str] = []
        self._set_aside: dict[Seat, DealtCard] = {}
        self._traps: list[DealtCard] = []
        self._trick: list[tuple[Seat, str]] = []

    def dealt(self, ply: int, text: str, before: Any) -> None:  # noqa: ARG002 - the log is enough
        """Nobody knows the hidden five (PC-08) and undealt cards. Cards turned for poison are out (PC-03)."""
        if text.startswith("poison"):
            self._pack = list(_PACK) * (self.players // 2)
            for _, card in _cards(text):
                self._pack.remove(card)
            return
        undealt = list(self._pack)
        deal = Deal(ply)
        for offset, card, seat, is_hidden in _groups(text):
            undealt.remove(card)
            deal.cards.append(DealtCard(card, seat, set() if is_hidden else {seat}, [(ply, offset)]))
        deal.cards += [DealtCard(card, None, set(), []) for card in undealt]
        self.deals.append(deal)
        self._set_aside = {}

    def moved(self, seat: Seat, text: str, cards: list[DealtCard]) -> None:
        """Note what the last profit, a trick and scoring reveal."""
        word, _, rest = text.partition(" ")
        if word == "profit":
            self._set_aside[seat] = cards[0]
            if len(self._set_aside) == self.players:
                self._all_have_chosen()
        elif word == "trap":
            self._traps += cards
        elif word == "play":
            self._trick.append((seat, rest))
            best = _best(self._trick)
            if len(self._trick) == self.players and (len(best) == 1 or self._first_of_tied):
                self._taken_by(best[0])
        elif word == "award":
            self._taken_by(int(rest))

    def _all_have_chosen(self) -> None:
        """Players pick up their hidden five (PC-12), and partners see each other's card (PC-32)."""
        for card in self.deals[-1].cards:
            if card.holder is not None:
                card.known_to.add(card.holder)
        if self.players == 4:
            for seat, card in self._set_aside.items():
                card.known_to.add((seat + 2) % 4)

    def _taken_by(self, seat: Seat) -> None:
        """Only the taker may look at the traps (PC-20) until scoring reveals everything (PC-28, PC-34)."""
        for card in self._traps:
            card.known_to.add(seat)
        self._traps, self._trick = [], []
        cards = self.deals[-1].cards
        if sum(card.holder == seat for card in cards) < 4:
            for card in cards:
                if card.written:
                    card.known_to |= self.everybody


class PontisReader(Reader):
    """Pontis: rulings PT-04 to PT-06, and section 3.4 on hidden information."""

    public = frozenset({"play", "sum"})

    def __init__(self, options: Mapping[str, Value]) -> None:
        super().__init__(options)
        self._foundations: list[DealtCard] = []

    def dealt(self, ply: int, text: str, before: Any) -> None:  # noqa: ARG002 - the log is enough
        """Nobody knows the foundations (PT-05) and the rest (PT-06), the last group."""
        if text.startswith("foundations"):
            self._turn_up(self._foundations)
            self._foundations = [DealtCard(card, None, set(), [(ply, offset)]) for offset, card in _cards(text)]
            self.deals.append(Deal(ply, list(self._foundations)))
            return
        for offset, card, seat, _ in _groups(text):
            holder = seat if seat < self.players else None
            known_to: set[Viewer] = set() if holder is None else {holder}
            self.deals[-1].cards.append(DealtCard(card, holder, known_to, [(ply, offset)]))

    def ended(self, state: Any) -> None:
        """A foundation is turned up at the first turn of its bank (PT-07, PT-08)."""
        self._turn_up([card for card, bank in zip(self._foundations, state.banks, strict=True) if bank])

    def _turn_up(self, foundations: list[DealtCard]) -> None:
        for card in foundations:
            card.known_to |= self.everybody


class PotBlackReader(Reader):
    """Pot Black: only hands are hidden (4.4), and a deal is played to its end before the next."""

    public = frozenset({"play"})

    def dealt(self, ply: int, text: str, before: Any) -> None:
        """There is one hand for each seat in play, from the lowest (K-04)."""
        seats = before.in_play
        cards = [DealtCard(card, seats[at], {seats[at]}, [(ply, offset)]) for offset, card, at, _ in _groups(text)]
        self.deals = [Deal(ply, cards)]


READERS: Final[Mapping[str, type[Reader] | None]] = {
    "pond": PondReader,
    "frogs": None,
    "pontis": PontisReader,
    "pot_black": PotBlackReader,
}
"""Readers by game; ``None`` if the game hides nothing."""


def announced(game: AnyGame, state: Any) -> tuple[object, ...]:
    """Return public facts that depend on hidden cards: who is to act, the outcome, and misses in Pontis."""
    facts = game.to_act(state), state.outcome
    return (*facts, state.slot, state.idle, state.missed, state.banks) if game.key == "pontis" else facts


def _cards(text: str) -> Iterator[tuple[int, str]]:
    """Yield each card of an entry with its offset."""
    return ((offset, card) for offset, card, _, _ in _groups(text))


def _groups(text: str) -> Iterator[tuple[int, str, int, bool]]:
    """Yield each card of an entry: its offset, the card, its group, and whether it follows a plus sign."""
    group, is_hidden = 0, False
    for found in _CARD_OR_MARK.finditer(text):
        if found[0] == "/":
            group, is_hidden = group + 1, False
        elif found[0] == "+":
            is_hidden = True
        else:
            yield found.start(), found[0], group, is_hidden


def _best(trick: list[tuple[Seat, str]]) -> list[Seat]:
    """Return the seats with the best card. Spades from 8 up are trumps, lower ones anti-trumps."""
    keys = [_strength(card) for _, card in trick]
    return [seat for (seat, _), key in zip(trick, keys, strict=True) if key == max(keys)]


def _strength(card: str) -> tuple[int, int]:
    rank = "23456789TJQKA".index(card[0])
    return (1 if card[1] != "S" else 0 if card[0] in "234567" else 2), rank
