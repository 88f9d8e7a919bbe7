"""The value of a finished deal of Pot Black to a seat."""

from typing import Final

from bot.computer.pot_black.engine import Deal

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
