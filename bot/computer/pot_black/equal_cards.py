"""Cards of Pot Black that count as one: nothing that their player can know tells them apart."""

from bot.games.cards import Play
from bot.games.pot_black.state import BLACK_TENS, PACKS, Observation
from bot.games.pot_black.tricks import strength


def alike(seen: Observation, move: Play, other: Play) -> bool:
    """Whether two cards of a suit count as one, as no other hand can have a card between them.

    A black ten is like no other card. A card of the trick on the table is between them too: only one may beat it.
    """
    one, two = move.card, other.card
    if one[1] != two[1] or {one, two} & {*BLACK_TENS}:
        return False
    suit = sorted((card for card in PACKS[len(seen.in_play)] if card[1] == one[1]), key=strength)
    first, last = sorted((suit.index(one), suit.index(two)))
    gone = {*seen.hand, *(card for trick in seen.tricks for card in trick.cards)}
    return gone.issuperset(suit[first + 1 : last])
