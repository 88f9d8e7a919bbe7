"""Reasons for cards of Pot Black: facts that are true of a card, and false of another one."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from bot.computer.pot_black.engine import (
    ABOVE,
    CARDS,
    SUIT,
    SUITS,
    TENS,
    Deal,
)
from bot.computer.pot_black.thumb import pick
from bot.computer.pot_black.why import PotBlackWhy
from bot.computer.thoughts import (
    Cause,
    Facts,
    TrickWhy,
    compared,
    is_likely,
)
from bot.games.cards import SUIT_SYMBOLS, face

_LOW: Final = 5
"""The number of ranks that are low: from the two to the six."""
_HIGH: Final = 9
"""The first rank that is high: the jack."""
_TRICK, _TEN = 2.0, 4.0
"""The worth of a trick, and of a black ten that others take, in chips."""


class End(NamedTuple):
    """The end of a trick: its taker, and the black tens in it."""

    taker: int
    tens: int


class _Ends(NamedTuple):
    """The ends of a trick after a card in imagined deals. ``is_sure`` is whether nobody plays after it."""

    ends: list[End]
    is_sure: bool

    def taken_by(self, *seats: int) -> list[bool]:
        """Return the deals where one of the seats takes the trick."""
        return [end.taker in seats for end in self.ends]

    def with_ten(self, *seats: int) -> list[bool]:
        """Return the deals where one of the seats takes a black ten."""
        return [end.taker in seats and end.tens > 0 for end in self.ends]

    def without_ten(self, *seats: int) -> list[bool]:
        """Return the deals where none of the seats takes a black ten."""
        return [not case for case in self.with_ten(*seats)]


def facts(deals: Sequence[Deal], move: int, other: int) -> Facts:
    """Return facts that tell a card from another one; their worth is in chips, roughly."""
    start = deals[0]
    after, instead = _ends(deals, move), _ends(deals, other)
    found = [*_tens(start, move, other, after, instead), *_taker(start, after, instead)]
    if not start.laid:
        found += _lead(deals, move, other)
    found += [*_kept(start, move, other), *_suits(start, move, other), *_spared(start, move, other, instead)]
    return dict(found or _differing(start, move, other))


def _gap(cases: Sequence[bool], others: Sequence[bool]) -> float:
    """Return how much likelier something is."""
    return (sum(cases) - sum(others)) / len(cases)


def _ends(deals: Sequence[Deal], card: int) -> _Ends:
    start = deals[0]
    return _Ends([end_of(deal.copy(), card) for deal in deals], start.laid == len(start.setup.seats) - 1)


def end_of(deal: Deal, card: int) -> End:
    """Play a card in a deal, and return how the trick ends by the rule of thumb."""
    gone = deal.gone
    deal.play(card)
    while deal.laid:
        deal.play(pick(deal))
    # A trick with a choice isn't the last, so the deal only goes on without a turn if its taker has lost.
    return End(deal.turn if deal.turn >= 0 else deal.lost, deal.gone & ~gone & TENS)


# ---- this trick


def _tens(start: Deal, move: int, other: int, after: _Ends, instead: _Ends) -> Iterator[tuple[Cause, float]]:
    """Yield who gets a black ten."""
    me, partner = start.turn, start.setup.partners[start.turn]
    foes = [seat for seat in start.setup.seats if seat not in {me, partner}]
    given, given_instead = after.with_ten(*foes), instead.with_ten(*foes)
    how = compared(given, given_instead, is_sure=after.is_sure)
    if how is not None:
        seat = next((foe for foe in foes if is_likely(after.with_ten(foe))), -1)
        yield (
            Cause(PotBlackWhy.GIVES_TEN, seat, _face(move) if move & TENS else "", how=how),
            _TEN * _gap(given, given_instead),
        )
    spared, spared_instead = after.without_ten(me, partner), instead.without_ten(me, partner)
    how = compared(spared, spared_instead, is_sure=after.is_sure)
    if how is not None:
        yield Cause(PotBlackWhy.NO_TEN, how=how), _TEN * _gap(spared, spared_instead)
    if other & TENS and not move & TENS and not is_likely(given_instead):
        yield Cause(PotBlackWhy.KEEPS_TEN, what=_face(other)), _TEN / 2


def _taker(start: Deal, after: _Ends, instead: _Ends) -> Iterator[tuple[Cause, float]]:
    """Yield that the side of the seat takes a trick that counts, or that opponents take it."""
    me, partner = start.turn, start.setup.partners[start.turn]
    seats = (
        [(TrickWhy.TAKES, me), (TrickWhy.PARTNER_TAKES, partner)]
        if start.setup.has_partners
        else [(TrickWhy.TAKES, me)]
    )
    for why, seat in seats:
        counts, counts_instead = (
            [taken and not end.tens for taken, end in zip(ends.taken_by(seat), ends.ends, strict=True)]
            for ends in (after, instead)
        )
        how = compared(counts, counts_instead, is_sure=after.is_sure)
        if how is not None:
            yield Cause(why, how=how), _TRICK * _gap(counts, counts_instead)
    foes = [seat for seat in start.setup.seats if seat not in {me, partner}]
    given, given_instead = after.taken_by(*foes), instead.taken_by(*foes)
    how = compared(given, given_instead, is_sure=after.is_sure)
    if how is not None:
        yield Cause(TrickWhy.LEAVES, how=how), _TRICK / 4 * _gap(given, given_instead)


# ---- leading


def _lead(deals: Sequence[Deal], move: int, other: int) -> Iterator[tuple[Cause, float]]:
    start = deals[0]
    me, setup, suit, instead = start.turn, start.setup, SUIT[move.bit_length()], SUIT[other.bit_length()]
    hidden = sum(start.hands) ^ start.hands[me]
    if suit != instead:
        for seat in setup.seats:
            if seat not in {me, setup.partners[me]} and is_likely([not each.hands[seat] & instead for each in deals]):
                yield Cause(PotBlackWhy.HAS_NONE, seat, _sign(instead)), 1.8
                break
        if hidden & TENS & instead and not hidden & TENS & suit:
            yield Cause(PotBlackWhy.RED, what=_sign(suit)), 0.8
    if not hidden & ABOVE[move.bit_length()] and hidden & suit and hidden & ABOVE[other.bit_length()]:
        yield Cause(PotBlackWhy.HIGHEST, what=_face(move)), 1.2


# ---- the hand


def _kept(start: Deal, move: int, other: int) -> Iterator[tuple[Cause, float]]:
    """Yield which card stays in the hand."""
    trumps, hidden = start.setup.trumps, sum(start.hands) ^ start.hands[start.turn]
    suit, instead = SUIT[move.bit_length()], SUIT[other.bit_length()]
    ranks, kept = _rank(move), _rank(other)
    if other & trumps and not move & trumps:
        yield Cause(TrickWhy.KEEPS_TRUMP, what=_face(other)), 1.4
    elif not other & TENS and (kept >= _HIGH or not hidden & ABOVE[other.bit_length()]) and ranks < kept:
        yield Cause(TrickWhy.KEEPS_HIGH, what=_face(other)), 1.0
    if hidden & TENS & instead and kept < _LOW < ranks + (suit != instead) * _LOW and not other & trumps:
        yield Cause(TrickWhy.KEEPS_LOW, what=_face(other)), 0.6


def _suits(start: Deal, move: int, other: int) -> Iterator[tuple[Cause, float]]:
    """Yield which suit becomes shorter."""
    hand, trumps = start.hands[start.turn], start.setup.trumps
    suit, instead = SUIT[move.bit_length()], SUIT[other.bit_length()]
    if suit == instead or suit & trumps:
        return
    left, more = (hand & suit).bit_count() - 1, (hand & instead).bit_count() - 1
    is_hidden_elsewhere = (sum(start.hands) ^ hand) & suit
    if not left and hand & trumps and (more or instead & trumps) and is_hidden_elsewhere:
        yield Cause(PotBlackWhy.EMPTIES_SUIT, what=_sign(suit)), 0.7
    if left < more:
        yield Cause(PotBlackWhy.SHORTENS, what=_sign(suit), number=left), 0.1


def _spared(start: Deal, move: int, other: int, instead: _Ends) -> Iterator[tuple[Cause, float]]:
    """Yield that the other, higher card of the suit isn't needed: a lower one does, or it wouldn't win either."""
    if SUIT[move.bit_length()] != SUIT[other.bit_length()] or _rank(move) > _rank(other) or other & TENS:
        return
    me = start.turn
    is_last = start.laid == len(start.setup.seats) - 1
    if is_last and move & start.beaters:
        yield Cause(PotBlackWhy.LOW, what=_face(other)), 0.2
    elif start.laid and not any(instead.taken_by(me)):
        yield Cause(PotBlackWhy.LOST, what=_face(other)), 0.2


def _differing(start: Deal, move: int, other: int) -> Iterator[tuple[Cause, float]]:
    """Yield what differs, for want of anything better: how high the cards are, or how many of the suit there are."""
    hand = start.hands[start.turn]
    suit, instead = SUIT[move.bit_length()], SUIT[other.bit_length()]
    if _rank(move) != _rank(other):
        is_higher = _rank(other) > _rank(move)
        yield Cause(TrickWhy.KEEPS_STRONGER if is_higher else TrickWhy.KEEPS_WEAKER, what=_face(other)), 0.01
    elif suit != instead:
        left, more = (hand & suit).bit_count() - 1, (hand & instead).bit_count() - 1
        if left > more:
            yield Cause(PotBlackWhy.LONGER, what=_sign(suit), number=left), 0.01
        elif move & start.setup.trumps:
            yield Cause(PotBlackWhy.TRUMP), 0.01


def _rank(card: int) -> int:
    return (card.bit_length() - 1) % 13


def _face(card: int) -> str:
    return face(CARDS[card])


def _sign(suit: int) -> str:
    return SUIT_SYMBOLS["SHDC"[SUITS.index(suit)]]
