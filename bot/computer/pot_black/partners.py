"""Cards that would puzzle a partner, which no computer plays."""

from bot.computer.pot_black.engine import ACES, TENS, Deal


def sensible(deal: Deal) -> int:
    """Return the playable cards, without those that would puzzle a partner when they complete a trick."""
    cards, setup = deal.playable(), deal.setup
    losers = cards & ~deal.beaters & ~TENS
    if deal.laid < len(setup.seats) - 1 or not losers:
        return cards
    kept = ACES & losers if losers & ~ACES else 0
    if deal.taking == setup.partners[deal.turn]:
        # The trick is its partner's already. One with a black ten is lost anyway.
        return cards if deal.trick & TENS else losers & ~kept
    return cards & ~deal.beaters if deal.trick & TENS else cards & ~kept
