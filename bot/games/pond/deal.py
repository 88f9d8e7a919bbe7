"""Chance in Pond: the dealer, poison and the deal."""

from collections import Counter
from collections.abc import Iterable
from itertools import chain

from bot.errors import IllegalMove
from bot.games.cards import Card, Dealer, DealerDrawn, leave_out
from bot.games.game import CHANCE, Actor, Move, Seat, Shuffle, Step
from bot.games.pond.moves import Cards, Deal, Dealt, Misdealt, Poison, PoisonTurned
from bot.games.pond.scoring import group_of
from bot.games.pond.state import HIDDEN, PACKS, VISIBLE, State

# ---- drawing


def draw(state: State, shuffle: Shuffle) -> Move:
    """Draw the chance entry that is due (G-12). Raise `IllegalMove` if none is."""
    players = state.setup.players
    pack = PACKS[players]
    match state.phase:
        case "dealer":
            return Dealer(shuffle.below(players))
        case "poison":
            return _draw_poison(shuffle.shuffle(pack), players)
        case "deal":
            left = shuffle.shuffle(leave_out(pack, chain.from_iterable(state.turned)))
            return _draw_deal(left, players, state.dealer or 0)
        case _:
            raise IllegalMove("No cards are dealt now.", "G-01")


def _draw_poison(pack: list[Card], players: int) -> Poison:
    """Turn cards from the top up to the first that is no spade (PC-02), for the dealer and for the next seat.

    The marker of each partner is the first card of the suit in what is left (PC-07).
    """
    groups: list[Cards] = []
    for _ in range(2):
        size = 1 + next(at for at, card in enumerate(pack) if card[1] != "S")
        groups.append(tuple(pack[:size]))
        del pack[:size]
    for turned in groups[: players - 2]:
        marker = next(card for card in pack if card[1] == turned[-1][1])
        pack.remove(marker)
        groups = [*groups, (marker,)]
    return Poison(tuple(groups))


def _draw_deal(pack: list[Card], players: int, dealer: Seat) -> Deal:
    """Deal one card at a time from the dealer's left: first the visible eleven, then the hidden five (PC-08)."""
    seen, hidden = pack[: VISIBLE * players], pack[VISIBLE * players : (VISIBLE + HIDDEN) * players]
    at = [(seat - dealer - 1) % players for seat in range(players)]
    return Deal(tuple([(tuple(seen[first::players]), tuple(hidden[first::players])) for first in at]))


# ---- applying


def apply_chance(state: State, seat: Actor, move: Move) -> Step[State]:
    """Apply the chance entry that is due. Raises `IllegalMove`."""
    if seat is not CHANCE:
        raise IllegalMove("Wait until the cards are dealt.", "G-01")
    match state.phase, move:
        case "dealer", Dealer(first):
            return _apply_dealer(state, first)
        case "poison", Poison(groups):
            return _apply_poison(state, groups)
        case "deal", Deal(hands):
            return _apply_deal(state, hands)
    raise IllegalMove("The next entry of chance is: {phase}.", "G-01", phase=state.phase)


def _apply_dealer(state: State, first: Seat) -> Step[State]:
    if first >= state.setup.players:
        raise IllegalMove("There's no seat {seat} at this table.", "PC-01", seat=first)
    return Step(state._replace(phase="poison", first_dealer=first), (DealerDrawn(first),))


def _apply_poison(state: State, groups: tuple[Cards, ...]) -> Step[State]:
    players, dealer = state.setup.players, state.dealer or 0
    _check_poison(players, groups)
    turned = tuple([groups[(seat - dealer) % players] for seat in range(players)])
    return Step(state._replace(phase="deal", turned=turned), (PoisonTurned(state.round, dealer, turned),))


def _check_poison(players: int, groups: tuple[Cards, ...]) -> None:
    if len(groups) != players:
        raise IllegalMove("Poison needs one group of cards for each seat.", "P-01")
    for turned in groups[:2]:
        if [card[1] == "S" for card in turned] != [True] * (len(turned) - 1) + [False]:
            raise IllegalMove("Cards are turned up to the first that isn't a spade.", "PC-03")
    for marker, turned in zip(groups[2:], groups, strict=False):
        if [card[1] for card in marker] != [turned[-1][1]]:
            raise IllegalMove("A partner's marker is one card of their side's poison suit.", "PC-07")
    _check_in_pack(players, chain.from_iterable(groups))


def _apply_deal(state: State, hands: tuple[tuple[Cards, Cards], ...]) -> Step[State]:
    """Deal, unless a seat got only 4s and face cards: then all cards are dealt again (PC-09, PC-10)."""
    players = state.setup.players
    if [(len(seen), len(hidden)) for seen, hidden in hands] != [(VISIBLE, HIDDEN)] * players:
        raise IllegalMove("Every seat gets eleven cards, then five.", "PC-08")
    _check_in_pack(players, chain(*state.turned, *chain.from_iterable(hands)))
    misdealt = tuple([seat for seat, (seen, _) in enumerate(hands) if not any(map(group_of, seen))])
    if misdealt:
        return Step(state, (Misdealt(misdealt),))
    dealt = state._replace(
        phase="profit",
        hands=tuple([tuple(sorted(seen)) for seen, _ in hands]),
        hidden=tuple([tuple(sorted(hidden)) for _, hidden in hands]),
        set_aside=(None,) * players,
        starter=state.dealer or 0,
    )
    return Step(dealt, (Dealt(),))


def _check_in_pack(players: int, cards: Iterable[Card]) -> None:
    """Raise `IllegalMove` unless the pack holds all these cards at once."""
    pack = Counter(PACKS[players])
    for card, count in Counter(cards).items():
        if count > pack[card]:
            raise IllegalMove("{card} isn't in the pack any more.", "PC-03", card=card)
