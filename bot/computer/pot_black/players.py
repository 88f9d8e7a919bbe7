"""The computer players for Pot Black.

Fair plays by the rule of thumb. Strong plays its cards in imagined deals, which the rule of thumb finishes, and
compares the chips. Both solve the last tricks. Easy is a beginner, who makes the same mistakes every time.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from bot.computer.imagined_deals import Habit, View, spread
from bot.computer.pot_black.engine import (
    ABOVE,
    CARDS,
    COSTS,
    SUIT,
    SUITS,
    TENS,
    Deal,
    deal_of,
    evaluate,
    set_of,
    setup_of,
    solve,
)
from bot.computer.pot_black.thumb import finish, is_owned, pick, puzzling, sensible, usual
from bot.computer.pot_black.why import PotBlackWhy
from bot.computer.thoughts import (
    IMAGINED,
    REVIEWED,
    Cause,
    Facts,
    Thought,
    TrickWhy,
    Verdict,
    compared,
    is_likely,
    only,
)
from bot.games.cards import SUIT_SYMBOLS, Card, Play, face
from bot.games.game import Move
from bot.games.pot_black.state import PACKS, Observation
from bot.games.pot_black.tricks import strength

_LOW: Final = 5
"""The number of ranks that are low: from the two to the six."""
_HIGH: Final = 9
"""The first rank that is high: the jack."""
_TRICK, _TEN = 2.0, 4.0
"""The worth of a trick, and of a black ten that others take, in chips."""


class _End(NamedTuple):
    """The end of a trick: its taker, and the black tens in it."""

    taker: int
    tens: int


class _Ends(NamedTuple):
    """The ends of a trick after a card in imagined deals. ``is_sure`` is whether nobody plays after it."""

    ends: list[_End]
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
    return dict([*found, *_kept(start, move, other), *_suits(start, move, other)])


def _gap(cases: Sequence[bool], others: Sequence[bool]) -> float:
    """Return how much likelier something is."""
    return (sum(cases) - sum(others)) / len(cases)


def _ends(deals: Sequence[Deal], card: int) -> _Ends:
    start = deals[0]
    return _Ends([_end(deal.copy(), card) for deal in deals], start.laid == len(start.setup.seats) - 1)


def _end(deal: Deal, card: int) -> _End:
    gone = deal.gone
    deal.play(card)
    while deal.laid:
        deal.play(pick(deal))
    # A trick with a choice isn't the last, so the deal only goes on without a turn if its taker has lost.
    return _End(deal.turn if deal.turn >= 0 else deal.lost, deal.gone & ~gone & TENS)


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
    """Yield which suit becomes shorter; of the same suit, that the card is lower."""
    hand, trumps = start.hands[start.turn], start.setup.trumps
    suit, instead = SUIT[move.bit_length()], SUIT[other.bit_length()]
    if suit == instead:
        if _rank(move) < _rank(other) and not other & TENS:
            yield Cause(PotBlackWhy.LOW, what=_face(other)), 0.2
        return
    if suit & trumps:
        return
    left, more = (hand & suit).bit_count() - 1, (hand & instead).bit_count() - 1
    is_hidden_elsewhere = (sum(start.hands) ^ hand) & suit
    if not left and hand & trumps and (more or instead & trumps) and is_hidden_elsewhere:
        yield Cause(PotBlackWhy.EMPTIES_SUIT, what=_sign(suit)), 0.7
    if left < more:
        yield Cause(PotBlackWhy.SHORTENS, what=_sign(suit), number=left), 0.1


def _rank(card: int) -> int:
    return (card.bit_length() - 1) % 13


def _face(card: int) -> str:
    return face(CARDS[card])


def _sign(suit: int) -> str:
    return SUIT_SYMBOLS["SHDC"[SUITS.index(suit)]]


class Deals:
    """Deals the hidden cards of an observation of a seat that has to play."""

    def __init__(self, seen: Observation) -> None:
        self._me: Final = seen.seat or 0
        setup = setup_of(seen)
        own = set_of(seen.hand)
        hands = [0] * seen.setup.players
        hands[self._me] = own
        self.start: Final = deal_of(seen, setup, hands)
        """The deal with the hidden cards left out."""
        hidden = set_of(PACKS[len(setup.seats)]) & ~(own | self.start.gone | self.start.trick)
        self._others: Final = [seat for seat in setup.seats if seat != self._me]
        self._counts: Final = [seen.hand_counts[seat] for seat in self._others]
        self.following: Final = hidden & ~_void(seen, setup.after[self._me])
        """The hidden cards that the next seat may hold."""
        voids = [_void(seen, seat) for seat in self._others]
        holders = _holders(hidden, voids)
        self._free: Final = [card for card, seats in holders.items() if len(seats) == len(voids)]
        # The cards that fewest seats can hold are dealt first, so that hardly any deal fails.
        bound = [(card, seats) for card, seats in holders.items() if len(seats) < len(voids)]
        self._bound: Final = sorted(bound, key=lambda each: len(each[1]))

    def draw(self, rng: random.Random) -> Deal:
        """Return a deal that agrees with the observation. No seat holds a suit that it failed to follow."""
        hands = None
        while hands is None:
            hands = spread(self._bound, self._free, self._counts[:], rng)
        deal = self.start.copy()
        for seat, hand in zip(self._others, hands, strict=True):
            deal.hands[seat] = hand
        return deal


def _void(seen: Observation, seat: int) -> int:
    """Return all cards of the suits that a seat failed to follow."""
    return sum(SUITS["SHDC".index(suit)] for suit in seen.voids[seat])


def _holders(hidden: int, voids: Sequence[int]) -> dict[int, list[int]]:
    """Return who may hold each hidden card, by the cards that each can't have."""
    cards = [1 << at for at in range(52) if hidden >> at & 1]
    return {card: [at for at, void in enumerate(voids) if not card & void] for card in cards}


BUDGET: Final = 8_000
"""How often a card is tried in an imagined deal, all cards and deals together. Exact endings count `COSTS` times."""
FAIR_BUDGET: Final = 40
"""Likewise for fair with two cards."""
MARGIN: Final = 0.1
"""The gain in chips that isn't worth a card which a partner doesn't understand."""


ODD: Final = 0.5
"""Likewise for a card that seems wasted."""


def fair(seen: Observation, rng: random.Random) -> Move:
    """Return the card of the rule of thumb or, with two cards, the better one in a few deals."""
    if _looks_ahead(seen):
        return strong(seen, rng, FAIR_BUDGET)
    deals = Deals(seen)
    return Play(CARDS[usual(deals.start, deals.following)])


def look(seen: Observation, rng: random.Random) -> Thought | None:
    """Return the thought of the fair computer; ``None`` where it follows the rule of thumb."""
    return explain(seen, rng, FAIR_BUDGET) if _looks_ahead(seen) else None


def _looks_ahead(seen: Observation) -> bool:
    return len(seen.hand) == min(COSTS)


def strong(seen: Observation, rng: random.Random, budget: int | None = None) -> Move:
    """Return the best legal move of the observing seat. ``budget`` is a number of deals, by default `BUDGET`."""
    return explain(seen, rng, budget, with_reasons=False).move


def explain(seen: Observation, rng: random.Random, budget: int | None = None, *, with_reasons: bool = True) -> Thought:
    """Return the best legal move with its alternatives, in chips, and its cause, unless ``with_reasons`` is false."""
    if len(seen.legal) == 1:
        return only(seen.legal[0])
    return Cards(seen).explain(rng, budget or BUDGET, with_reasons=with_reasons)


def judge(seen: Observation, played: Move, rng: random.Random, budget: int | None = None) -> Verdict:
    """Return the best legal move, and by how much the one that was played is worse."""
    return Cards(seen).judge(played, rng, budget or BUDGET // REVIEWED)


def why(seen: Observation, move: Move, other: Move, rng: random.Random, number: int = IMAGINED) -> Cause | None:
    """Return the fact of most worth that tells a legal move from another one, in a number of deals, if there is any."""
    return Cards(seen).why(move, other, rng, number)


class Cards(View[Deal, int]):
    """The sensible cards of a seat that has to play. Values are chips."""

    even = 0.25

    def __init__(self, seen: Observation) -> None:
        self._deals: Final = Deals(seen)
        self.me = seen.seat or 0
        start, following = self._deals.start, self._deals.following
        playable = sensible(start, following)
        self.moves = [bit for bit in CARDS if bit & playable]
        self.absurd = [bit for bit in CARDS if bit & start.playable() & ~playable]
        odd = puzzling(start, following, playable)
        self.habit = Habit(usual(start, following), MARGIN, {bit: ODD for bit in self.moves if bit & odd})
        self._is_end: Final = len(seen.hand) in COSTS
        self.cost = COSTS.get(len(seen.hand), 1)

    def imagining(self, rng: random.Random, budget: int) -> Callable[[], Deal]:  # noqa: ARG002 - as in all games
        return lambda: self._deals.draw(rng)

    def value(self, deal: Deal, move: int) -> float:
        deal = deal.copy()
        deal.play(move)
        if self._is_end:
            return solve(deal, self.me)
        finish(deal)
        return evaluate(deal, self.me)

    def named(self, move: int) -> Move:
        return Play(CARDS[move])

    def facts(self, deals: Sequence[Deal], move: int, other: int) -> Facts:
        return facts(deals, move, other)

    def ends_trick(self, deal: Deal) -> bool:
        return deal.laid == len(deal.setup.seats) - 1

    def taker(self, deal: Deal, move: int) -> int:
        return _end(deal.copy(), move).taker if deal.laid else -1


def easy(seen: Observation, rng: random.Random) -> Move:
    """Return a beginner's move. ``rng`` decides between equal ones.

    They take every trick that isn't their partner's already and has no black ten, with a high card, throw away their
    highest cards when they can't follow suit, unless nobody can beat them, and never expect a black ten.
    """
    deals = Deals(seen)
    cards, winners = _choice(deals.start, deals.following)
    is_high = winners & deals.start.led if winners else not cards & deals.start.led
    choose = max if is_high else min
    return Play(choose(_named(winners or cards, rng), key=strength))


def _choice(deal: Deal, following: int) -> tuple[int, int]:
    """Return the cards that a beginner may play, and those that are to win the trick.

    Beginners leave a trick to their partner, and one with a black ten to anybody. They neither lead nor win with one,
    nor throw one on their partner's card.
    """
    kept = sensible(deal, following)
    kept &= ~puzzling(deal, following, kept)
    is_partners = deal.taking == deal.setup.partners[deal.turn]
    cards = kept & ~(TENS if is_partners or not deal.laid else TENS & deal.beaters) or kept
    losers = cards & ~deal.beaters
    if losers and (is_owned(deal, following) or deal.trick & TENS):
        return losers, 0
    return cards, cards & deal.beaters


def _named(cards: int, rng: random.Random) -> list[Card]:
    found = [CARDS[bit] for bit in CARDS if bit & cards]
    rng.shuffle(found)
    return found
