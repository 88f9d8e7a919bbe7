"""A compact engine for one deal of Pot Black: cards, chips and both pots.

A card is a bit of an integer, and a set of cards is an integer: spades have bits 0 to 12, from the two to the ace, then
follow hearts, diamonds and clubs. It plays exactly as the rulebook does.
"""

import math
from collections.abc import Iterable
from typing import Final, NamedTuple

from bot.games.cards import LOW_TO_HIGH, Card
from bot.games.pot_black.state import Observation, State

SUITS: Final = tuple(0x1FFF << 13 * at for at in range(4))
"""The cards of each suit."""
BITS: Final = {
    Card(rank + suit): 1 << 13 * at + low for at, suit in enumerate("SHDC") for low, rank in enumerate(LOW_TO_HIGH)
}
"""The bit of each card."""
CARDS: Final = {bit: card for card, bit in BITS.items()}
"""The card of each bit."""
TENS: Final = BITS[Card("TS")] | BITS[Card("TC")]
"""Both black tens."""
ACES: Final = sum(BITS[Card("A" + suit)] for suit in "SHDC")

# By the length in bits of a card, which is its number plus 1.
SUIT: Final = (0, *(SUITS[at // 13] for at in range(52)))
ABOVE: Final = (0, *(SUITS[at // 13] & -(2 << at) for at in range(52)))


class Setup(NamedTuple):
    """Facts that stay the same in a deal.

    * ``after``: the seat in play after each seat. ``partners``: the partner of each seat, or the seat itself.
    * ``trumps``: the trumps. ``penalty``: the chips for a black ten.
    """

    seats: tuple[int, ...]
    after: tuple[int, ...]
    partners: tuple[int, ...]
    trumps: int
    penalty: int
    has_partners: bool
    is_classic: bool
    is_strict: bool
    tied_side_pot_stays: bool


def setup_of(seen: Observation) -> Setup:
    """Return the facts of the deal that a seat sees."""
    setup, seats = seen.setup, seen.in_play
    after = tuple(
        next(other for at in range(1, 5) if (other := (seat + at) % setup.players) in seats)
        for seat in range(setup.players)
    )
    has_partners = setup.form == "partnership"
    return Setup(
        seats=seats,
        after=after,
        partners=tuple((seat + 2) % 4 if has_partners else seat for seat in range(setup.players)),
        trumps=SUITS["SHDC".index(seen.trumps)] if seen.trumps else 0,
        penalty=setup.penalty,
        has_partners=has_partners,
        is_classic=setup.form == "classic",
        is_strict=setup.short == "strict",
        tied_side_pot_stays=setup.tied_side_pot == "stays",
    )


def set_of(cards: Iterable[Card]) -> int:
    """Return cards as a set."""
    return sum(map(BITS.__getitem__, cards))


class Deal:
    """A deal in play.

    * ``hands``, ``stacks`` and ``counted`` (tricks) are lists by seat. ``main`` and ``side``: the pots.
    * ``gone``: the cards played to complete tricks. ``takers``: the seats that took a black ten, as bits.
    * ``turn``: the seat to play, -1 once the deal is settled. ``laid``: the number of cards on the table.
    * ``led``: the suit led, 0 for a leader. ``trick``: the cards on the table. ``taking``: the seat that is winning it.
    * ``beaters``: all cards that would win the trick. ``lost``: the seat of a side that lost a strict game, or -1.
    """

    def __init__(self, setup: Setup, hands: list[int], stacks: list[int], turn: int) -> None:
        self.setup = setup
        self.hands = hands
        self.stacks = stacks
        self.counted = [0] * len(stacks)
        self.main = self.side = 0
        self.gone = self.takers = self.laid = self.led = self.trick = self.beaters = 0
        self.turn = turn
        self.taking = self.lost = -1

    def copy(self) -> "Deal":
        """Return a copy."""
        deal = Deal(self.setup, self.hands[:], self.stacks[:], self.turn)
        deal.counted = self.counted[:]
        deal.main, deal.side = self.main, self.side
        deal.gone, deal.takers, deal.laid = self.gone, self.takers, self.laid
        deal.led, deal.trick, deal.beaters = self.led, self.trick, self.beaters
        deal.taking, deal.lost = self.taking, self.lost
        return deal

    def playable(self) -> int:
        """Return the cards that the seat to play may play."""
        hand = self.hands[self.turn]
        return hand & self.led or hand

    def play(self, card: int) -> None:
        """Play a card of the seat to play, and complete the trick or the deal if it is the last."""
        seat, setup = self.turn, self.setup
        self.hands[seat] ^= card
        if not self.laid:
            self.led = SUIT[card.bit_length()]
        if not self.laid or card & self.beaters:
            at = card.bit_length()
            self.beaters = ABOVE[at] if card & setup.trumps else ABOVE[at] | setup.trumps
            self.taking = seat
        self.trick |= card
        self.laid += 1
        if self.laid == len(setup.seats):
            self._take()
        else:
            self.turn = setup.after[seat]

    def _take(self) -> None:
        taker, trick = self.taking, self.trick
        self.gone |= trick
        self.trick = self.led = self.laid = self.beaters = 0
        self.turn, self.taking = taker, -1
        if trick & TENS:
            self.takers |= 1 << taker
            self._pay(taker, self.setup.penalty * (trick & TENS).bit_count())
            if self.lost >= 0:
                self.turn = -1
                return
        else:
            self.counted[taker] += 1
        if not self.hands[taker]:
            self._settle()

    def _pay(self, taker: int, debt: int) -> None:
        setup, stacks = self.setup, self.stacks
        paid = min(debt, stacks[taker])
        stacks[taker] -= paid
        if paid < debt and setup.has_partners:
            partner = setup.partners[taker]
            part = min(debt - paid, stacks[partner])
            stacks[partner] -= part
            paid += part
        if setup.is_classic:
            self.main += paid
        else:
            self.side += paid
        if paid < debt and setup.is_strict:
            self.lost = taker

    def _settle(self) -> None:
        """Share both pots."""
        self.turn = -1
        setup = self.setup
        winners = self._winners()
        self.main -= self._share(self.main, winners)
        if setup.has_partners:
            clean = winners if not any(self.takers >> seat & 1 for seat in winners) else ()
        elif not winners and setup.tied_side_pot_stays:
            clean = ()
        else:
            clean = tuple(seat for seat in setup.seats if not self.takers >> seat & 1)
        self.side -= self._share(self.side, clean)

    def _winners(self) -> tuple[int, ...]:
        counted, setup = self.counted, self.setup
        if setup.has_partners:
            lead = counted[0] + counted[2] - counted[1] - counted[3]
            return ((0, 2) if lead > 0 else (1, 3)) if lead else ()
        most = max(counted)
        best = tuple(seat for seat in setup.seats if counted[seat] == most)
        return best if len(best) == 1 else ()

    def _share(self, pot: int, seats: tuple[int, ...]) -> int:
        """Share a pot, and return what was taken from it."""
        if not seats:
            return 0
        part = pot // len(seats)
        for seat in seats:
            self.stacks[seat] += part
        return part * len(seats)


def deal_of(seen: State | Observation, setup: Setup, hands: list[int]) -> Deal:
    """Return the deal in play, with these hands."""
    deal = Deal(setup, hands, [*seen.chips.stacks], seen.order[0])
    deal.main, deal.side = seen.chips.main, seen.chips.side
    deal.counted = [*seen.counted]
    for trick in seen.tricks:
        deal.gone |= set_of(trick.cards)
        if not trick.counts:
            deal.takers |= 1 << trick.taker
    for seat, card in zip(seen.order, seen.trick, strict=False):
        hands[seat] |= BITS[card]
        deal.play(BITS[card])
    return deal


TRICK: Final = 0.05
"""The value of a counted trick that decides nothing, in chips."""
GAME: Final = 30.0
"""The value of ending the game well, in chips."""


def evaluate(deal: Deal, me: int) -> float:
    """Return the value of a finished deal to a seat, in chips: what its side has more than the mean of the others."""
    setup, stacks, counted = deal.setup, deal.stacks, deal.counted
    partner = setup.partners[me]
    ours = {me, partner}
    own = sum([stacks[seat] for seat in ours])
    tricks = sum([counted[seat] for seat in ours])
    sides = len(setup.seats) // len(ours)
    found = own - (sum(stacks) - own) / (sides - 1) + TRICK * (tricks - (sum(counted) - tricks) / (sides - 1))
    if deal.lost >= 0:
        return found + (-GAME if deal.lost in ours else GAME)
    if setup.has_partners:
        found += GAME * ((not sum(stacks) - own) - (not own))
    return found


COSTS: Final = {2: 4, 3: 10}
"""Cost of solving a deal exactly, by cards in the hand of the seat to play. Larger hands take too long."""


def solve(deal: Deal, me: int) -> float:
    """Return the value of a deal to a seat if all play their best from now on."""
    if deal.setup.has_partners:
        return _of_sides(deal, me, -math.inf, math.inf)
    return _of_seats(deal)[deal.setup.seats.index(me)]


def _of_sides(deal: Deal, me: int, low: float, high: float) -> float:
    """Return the value between two sides (alpha-beta). Outside the bounds, the value is a bound of it."""
    if deal.turn < 0:
        return evaluate(deal, me)
    is_ours = (deal.turn - me) % 2 == 0
    best = -math.inf if is_ours else math.inf
    for after in _replies(deal):
        value = _of_sides(after, me, low, high)
        if is_ours:
            best = max(best, value)
            low = max(low, value)
        else:
            best = min(best, value)
            high = min(high, value)
        if low >= high:
            break
    return best


def _of_seats(deal: Deal) -> tuple[float, ...]:
    """Return the value to each seat in play, if each plays for itself alone (max^n)."""
    seats = deal.setup.seats
    if deal.turn < 0:
        return tuple([evaluate(deal, seat) for seat in seats])
    at = seats.index(deal.turn)
    return max([_of_seats(after) for after in _replies(deal)], key=lambda values: values[at])


def _replies(deal: Deal) -> list[Deal]:
    """Return the deals after each card that makes a difference."""
    found = []
    for card in distinct(deal):
        after = deal.copy()
        after.play(card)
        found.append(after)
    return found


def distinct(deal: Deal) -> list[int]:
    """Return the playable cards, of neighbours only the lowest.

    Cards are neighbours if nobody else holds one between them.
    """
    cards = deal.playable()
    if not cards & (cards - 1):
        return [cards]
    others = (sum(deal.hands) ^ deal.hands[deal.turn]) | deal.trick
    found: list[int] = []
    lower = 0
    while cards:
        card = cards & -cards
        cards ^= card
        is_equal = lower & SUIT[card.bit_length()] and not (card - 2 * lower) & others
        if card & TENS or not is_equal:
            found.append(card)
        if not card & TENS:
            lower = card
    return found
