"""What chance does in Pond: drawing the dealer, turning poison, dealing; and what such an entry has to be."""

from collections import Counter
from collections.abc import Sequence
from itertools import chain
from typing import Final

from bot.errors import IllegalMove
from bot.games.card_table import DEALERS, Dealer, DealerDrawn
from bot.games.cards import PACK, Card, leave_out
from bot.games.game import CHANCE, Actor, Move, Seat, Shuffle, Step
from bot.games.pond.moves import Cards, Deal, Dealt, Misdealt, Poison, PoisonTurned
from bot.games.pond.scoring import group_of
from bot.games.pond.state import HIDDEN, PACKS, VISIBLE, State, dealer_of

_DIFFERENT: Final = frozenset(PACK)
_COPIES: Final = {players: Counter(pack) for players, pack in PACKS.items()}
_DEALT: Final = (Dealt(),)

# ---- drawing


def draw(state: State, shuffle: Shuffle) -> Move:
    """The chance entry that is due, drawn by the notation's "Fair deals". Raises `IllegalMove` if none is."""
    players = state.setup.players
    pack = PACKS[players]
    match state.phase:
        case "dealer":
            return DEALERS[shuffle.below(players)]
        case "poison":
            return _draw_poison(shuffle.shuffle(pack), players)
        case "deal":
            left = shuffle.shuffle(leave_out(pack, chain.from_iterable(state.turned)))
            return _draw_deal(left, players, dealer_of(state) or 0)
        case _:
            raise IllegalMove("No chance is due now.", "G-01")


def _draw_poison(pack: list[Card], players: int) -> Poison:
    """Turned from the top (PC-02); each marker is the first card of its suit in what is left (PC-07)."""
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
    """One card at a time from the dealer's left, the first eleven to each to be seen by him (PC-08)."""
    seen, hidden = pack[: VISIBLE * players], pack[VISIBLE * players : (VISIBLE + HIDDEN) * players]
    at = [(seat - dealer - 1) % players for seat in range(players)]
    return Deal(tuple([(tuple(seen[first::players]), tuple(hidden[first::players])) for first in at]))


# ---- applying


def apply_chance(state: State, seat: Actor, move: Move) -> Step[State]:
    """The step of a chance entry where one is due. Raises `IllegalMove`."""
    if seat is not CHANCE:
        raise IllegalMove("Nobody can play while cards are being dealt.", "G-01")
    match state.phase, move:
        case "dealer", Dealer(first):
            return _apply_dealer(state, first)
        case "poison", Poison(groups):
            return _apply_poison(state, groups)
        case "deal", Deal(hands):
            return _apply_deal(state, hands)
    raise IllegalMove(f"Chance owes a {state.phase} now.", "G-01")


def _apply_dealer(state: State, first: Seat) -> Step[State]:
    if first >= state.setup.players:
        raise IllegalMove(f"Seat {first} can't deal: it is not at this table.", "PC-01")
    return Step(state._replace(phase="poison", first_dealer=first), (DealerDrawn(first),))


def _apply_poison(state: State, groups: tuple[Cards, ...]) -> Step[State]:
    players = state.setup.players
    if len(groups) != players:
        raise IllegalMove("Poison needs one group of cards for each seat.", "P-01")
    for turned in groups[:2]:
        if turned[-1][1] == "S" or any(card[1] != "S" for card in turned[:-1]):
            raise IllegalMove("Cards are turned until the first that is no spade.", "PC-03")
    for marker, turned in zip(groups[2:], groups, strict=False):
        if len(marker) != 1 or marker[0][1] != turned[-1][1]:
            raise IllegalMove("A partner's marker is one card of his side's poison suit.", "PC-07")
    _require(players, list(chain.from_iterable(groups)), "PC-03")
    dealer, rounds = dealer_of(state) or 0, state.rounds
    turned_by = tuple([groups[(seat - dealer) % players] for seat in range(players)])
    to_deal = State(state.setup, state.first_dealer, turned_by, rounds=rounds, phase="deal")
    return Step(to_deal, (PoisonTurned(len(rounds), dealer, turned_by),))


def _apply_deal(state: State, hands: tuple[tuple[Cards, Cards], ...]) -> Step[State]:
    players, turned = state.setup.players, state.turned
    if [(len(seen), len(hidden)) for seen, hidden in hands] != [(VISIBLE, HIDDEN)] * players:
        raise IllegalMove("Every seat is dealt eleven cards and five.", "PC-08")
    _require(players, list(chain(*turned, *chain.from_iterable(hands))), "PC-03")
    misdealt = tuple([seat for seat, (seen, _) in enumerate(hands) if not any(map(group_of, seen))])
    if misdealt:
        return Step(state, (Misdealt(misdealt),))
    dealt = State(
        state.setup,
        state.first_dealer,
        turned,
        hidden=tuple([tuple(sorted(hidden)) for _, hidden in hands]),
        set_aside=(None,) * players,
        starter=dealer_of(state) or 0,
        rounds=state.rounds,
        phase="profit",
        hands=tuple([tuple(sorted(seen)) for seen, _ in hands]),
    )
    return Step(dealt, _DEALT)


def _require(players: int, cards: Sequence[Card], ruling: str) -> None:
    """Raises `IllegalMove` unless all these cards are in the pack at once."""
    different = set(cards)
    if len(different) == len(cards) and different <= _DIFFERENT:
        return  # with one pack that is all there is to it
    for card, count in Counter(cards).items():
        if count > _COPIES[players][card]:
            raise IllegalMove(f"{card} is not in the pack any more.", ruling)
