"""The rule of thumb for Pot Black, which is quick enough to finish thousands of imagined deals.

It looks at the own hand, the trick and the cards played so far, as a careful person does, and never at other hands.
`sensible` leaves out cards that would puzzle a partner.
"""

from bot.computer.pot_black.engine import ABOVE, ACES, SUITS, TENS, Deal

_PACK = sum(SUITS)


def finish(deal: Deal) -> None:
    """Play a deal to its end by the rule of thumb."""
    while deal.turn >= 0:
        deal.play(pick(deal))


def pick(deal: Deal) -> int:
    """Return the card that the seat to play would play."""
    hand = deal.hands[deal.turn]
    if not hand & (hand - 1):
        return hand
    others = _PACK & ~(deal.gone | deal.trick | hand)
    if not deal.laid:
        return _lead(deal, hand, others)
    following = hand & deal.led
    if not following:
        return _discard(deal, hand, others)
    if not following & (following - 1):
        return following
    if deal.laid == len(deal.setup.seats) - 1:
        return _follow_last(deal, following)
    if deal.taking == deal.setup.partners[deal.turn]:
        return _follow_partner(deal, following, others)
    return _follow(deal, following, others)


def _lead(deal: Deal, hand: int, others: int) -> int:
    trumps = deal.setup.trumps
    best, best_value = 0, -99.0
    for suit in SUITS:
        mine = hand & suit
        if mine:
            left = others & suit
            plain = mine & ~TENS or mine
            top, low = 1 << plain.bit_length() - 1, plain & -plain
            if not left & ABOVE[top.bit_length()]:
                value = _value_of_winner(top, left, others & trumps, is_trump=suit == trumps)
                if value > best_value:
                    best, best_value = top, value
            value = _value_of_low(low, left) - (suit == trumps)
            if value > best_value:
                best, best_value = low, value
    return best


def _value_of_winner(top: int, left: int, trumps: int, *, is_trump: bool) -> float:
    """Rate leading a card that only a trump can beat. ``left`` is its suit in other hands."""
    if top & TENS:
        return -6.0
    if left & TENS:
        return -1.0
    if is_trump:
        return 4.0 if left else 2.0
    return 1.5 if trumps and left.bit_count() < 4 else 5.0


def _value_of_low(low: int, left: int) -> float:
    """Rate leading a low card. ``left`` is its suit in other hands. A black ten is good if somebody has to take it."""
    if low & TENS:
        return 6.0 if left and not left & (low - 1) else -2.0
    return 2.5 - 0.1 * ((low.bit_length() - 1) % 13) + (0.5 if low < left & TENS else 0.0)


def _follow_last(deal: Deal, following: int) -> int:
    beaters = deal.beaters
    losers, plain, tens = following & ~beaters, following & ~TENS, following & TENS
    if deal.taking == deal.setup.partners[deal.turn]:
        return plain & -plain or tens
    if losers & tens:
        return losers & tens
    if deal.trick & TENS:
        if losers:
            return 1 << losers.bit_length() - 1
        return 1 << (plain or tens).bit_length() - 1
    winners = plain & beaters
    if winners:
        return winners & -winners
    return plain & -plain or tens


def _follow_partner(deal: Deal, following: int, others: int) -> int:
    beaters, plain = deal.beaters, following & ~TENS
    winners = plain & beaters
    if winners and not deal.trick & TENS and others & beaters & deal.led:
        top = 1 << winners.bit_length() - 1
        if not others & ABOVE[top.bit_length()] and not others & deal.led & TENS:
            return top
    return plain & -plain or following & TENS


def _follow(deal: Deal, following: int, others: int) -> int:
    beaters = deal.beaters
    losers, plain, tens = following & ~beaters, following & ~TENS, following & TENS
    if losers & tens and not others & beaters & deal.led:
        return tens
    if deal.trick & TENS:
        return 1 << (losers & plain).bit_length() - 1 if losers & plain else plain & -plain or tens
    winners = plain & beaters
    if winners and not others & deal.led & TENS:
        top = 1 << winners.bit_length() - 1
        if not others & ABOVE[top.bit_length()] or deal.laid == len(deal.setup.seats) - 2:
            return top
    return plain & -plain or tens


def _discard(deal: Deal, hand: int, others: int) -> int:
    trumps, beaters = deal.setup.trumps, deal.beaters
    if deal.taking != deal.setup.partners[deal.turn]:
        tens = hand & TENS & ~beaters
        if tens and (not others & beaters & deal.led or deal.laid > 1 or not deal.setup.has_partners):
            return tens & -tens
        if not deal.trick & TENS:
            ruffs = hand & beaters & ~TENS
            if ruffs:
                return ruffs & -ruffs
    return _lowest(hand, trumps)


def _lowest(hand: int, trumps: int) -> int:
    """Return the card that is needed least: a low one, not a trump, and not a black ten."""
    cards = hand & ~trumps & ~TENS or hand & ~TENS or hand
    best, best_rank = 0, 99
    for suit in SUITS:
        mine = cards & suit
        if mine:
            low = mine & -mine
            rank = (low.bit_length() - 1) % 13
            if rank < best_rank:
                best, best_rank = low, rank
    return best


def usual(deal: Deal, following: int) -> int:
    """Return the card that the rule of thumb prefers among those that don't puzzle a partner.

    ``following`` are the hidden cards that the next seat may hold.
    """
    kept = sensible(deal, following)
    kept &= ~puzzling(deal, following, kept)
    deal = deal.copy()
    deal.gone |= deal.playable() & ~kept
    deal.hands[deal.turn] = kept
    return pick(deal)


def sensible(deal: Deal, following: int) -> int:
    """Return the playable cards, without absurd ones where the owner of the trick is known."""
    cards = deal.playable()
    if is_owned(deal, following):
        return _spared(deal, cards) or cards & ~TENS or cards
    if deal.laid < len(deal.setup.seats) - 1 or deal.taking == deal.setup.partners[deal.turn]:
        return cards
    losers, winners = _losers(deal, cards), cards & deal.beaters
    if winners & ~TENS:
        cards &= ~(TENS & winners)
    if losers and deal.trick & TENS:
        cards &= ~winners
    return cards & ~losers | _spared(deal, cards)


def _losers(deal: Deal, cards: int) -> int:
    """Return the cards that lose the trick as it lies, without black tens."""
    return cards & ~deal.beaters & ~TENS


def _spared(deal: Deal, cards: int) -> int:
    """Return the losers, without aces and discarded trumps if there are others."""
    losers = _losers(deal, cards)
    return losers & ~(ACES | deal.setup.trumps & ~deal.led) or losers


def puzzling(deal: Deal, following: int, cards: int) -> int:
    """Return which of these cards seem wasted, as with others the trick ends the same: high ones, as a rule.

    In a suit whose black ten is hidden, high cards are a burden.
    """
    losers = _losers(deal, cards)
    if not deal.laid or not losers or not deal.setup.has_partners:
        return 0
    if is_owned(deal, following):
        return _high(deal, losers)
    if deal.taking == deal.setup.partners[deal.turn]:
        return _needless(cards & deal.led & deal.beaters & ~TENS, following & deal.beaters & deal.led)
    return _high(deal, losers) if deal.laid == len(deal.setup.seats) - 1 else 0


def _high(deal: Deal, losers: int) -> int:
    """Return the losers that are needlessly high."""
    others = _PACK & ~(deal.gone | deal.trick | deal.hands[deal.turn])
    if losers & deal.led:
        return 0 if others & deal.led & TENS else losers & deal.led & _above(losers & deal.led, others)
    highest = sum([_highest(losers & suit, others & suit) for suit in SUITS])
    return highest if highest != losers else 0


def _highest(mine: int, others: int) -> int:
    """Return the cards of a suit that are above all others; none if no others are hidden, or its black ten is."""
    return 0 if not others or others & TENS else mine & ABOVE[others.bit_length()]


def _above(mine: int, others: int) -> int:
    """Return the cards that are above the lowest of a suit and a card in other hands."""
    between = others & ABOVE[(mine & -mine).bit_length()]
    return ABOVE[(between & -between).bit_length()] if between else 0


def _needless(winners: int, better: int) -> int:
    """Return the winners that beat the partner's card and nothing else. ``better`` are others that beat it."""
    return winners & ((better & -better) - 1) if better else winners


def is_owned(deal: Deal, following: int) -> bool:
    """Whether the trick is the partner's already: nobody follows, or the last seat has no higher card of the suit.

    If the last seat can't follow suit, it has no trump either.
    """
    if not deal.laid or deal.taking != deal.setup.partners[deal.turn]:
        return False
    better = following & deal.beaters
    return deal.laid == len(deal.setup.seats) - 1 or not (better & deal.led if following & deal.led else better)
