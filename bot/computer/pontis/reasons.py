"""Reasons for moves of Pontis: facts that are true of a move, and false of another one."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from bot.computer.pontis.engine import (
    CARDS,
    NEEDS,
    NO_MATCH,
    NO_SUIT,
    OF_SUIT,
    OUT,
    SINGLES,
    SUIT,
    VALUES,
    Deal,
    Move as Played,
    each,
)
from bot.computer.pontis.thumb import finish, pick, play
from bot.computer.pontis.why import PontisWhy
from bot.computer.thoughts import (
    Cause,
    Facts,
    How,
    compared,
)
from bot.games.cards import SUIT_SYMBOLS, SUITS, face
from bot.games.pontis.bridges import required

_SMALL: Final = 3
"""The highest value that is needed all the time."""
_HIGH: Final = 9
"""The lowest value that seldom fits alone."""
_MUCH: Final = 3
"""A clear difference between values."""
_FEWER: Final = 3
"""A clear difference between numbers of cards that fit."""


Course = tuple[bool, bool]
"""Whether the seat can play a card on its next turn, and whether it goes out first."""
Look = Callable[[Sequence[Deal], Played], list[Course]]


def facts(deals: Sequence[Deal], move: Played, other: Played, unseen: int, look: Look | None = None) -> Facts:
    """Return facts that tell a move from another one; their worth is in points, roughly.

    ``unseen`` are the cards that the seat hasn't seen. If they aren't hidden, there is one deal. ``look`` stands for
    `courses_of`.
    """
    start = deals[0]
    found = [*_now(start, move, other), *_next(deals, move, other, unseen)]
    found += [*_kept(start.hands[start.seat], move, other), *_outlook(deals, move, other, look or courses_of)]
    return dict(found or _differing(start, move, other, unseen))


def _differing(start: Deal, move: Played, other: Played, unseen: int) -> Iterator[tuple[Cause, float]]:
    """Yield what differs, for want of anything better: what the next player needs then, or which cards stay."""
    following = (start.slot + 1) % start.setup.lap
    own, seat = start.tops[following % start.setup.banks], start.setup.owners[following]
    saved = other[0] & ~move[0]
    if own >= 0 and NEEDS[own][move[1]] != NEEDS[own][other[1]]:
        needed = required(CARDS[own], CARDS[move[1]])
        number = _fitting(start, move, following, unseen).bit_count()
        yield Cause(PontisWhy.NEEDED, seat, "/".join(map(str, needed)), number), 0.01
    elif saved:
        highest = max(each(saved), key=int.bit_length)
        yield Cause(PontisWhy.KEEPS_CARD, what=face(CARDS[highest.bit_length() - 1])), 0.01
    else:
        yield Cause(PontisWhy.ON_TOP, what=face(CARDS[move[1]])), 0.01


def _now(start: Deal, move: Played, other: Played) -> Iterator[tuple[Cause, float]]:
    if _matches(start, move) and not _matches(start, other):
        yield Cause(PontisWhy.MATCHES), 1.0
    if move[0].bit_count() == 2 > other[0].bit_count():
        yield Cause(PontisWhy.TWO), 1.1
    if not other[0]:
        yield Cause(PontisWhy.CARD), 0.9
    if not move[0]:
        yield Cause(PontisWhy.WAITS), 0.2


def _matches(start: Deal, move: Played) -> bool:
    cards, top = move
    before = start.tops[start.slot % start.setup.banks - 1]
    return bool(cards) and before >= 0 and SUIT[top] == SUIT[before] < NO_MATCH


# ---- the next player


def _next(deals: Sequence[Deal], move: Played, other: Played, unseen: int) -> Iterator[tuple[Cause, float]]:
    """Yield that the next player, if it is a rival, can't go on or has few cards that fit."""
    start = deals[0]
    setup = start.setup
    following = (start.slot + 1) % setup.lap
    seat = setup.owners[following]
    if setup.sides[seat] == setup.sides[start.seat] or not move[0]:
        return
    possible = unseen & ~(start.denied[seat] if setup.fake == "off" else 0)
    is_sure = len(deals) == 1 or not _fitting(start, move, following, possible)
    how = compared(_misses(deals, move, following), _misses(deals, other, following), is_sure=is_sure)
    if how is not None:
        yield Cause(PontisWhy.BLOCKS, seat, how=how), 0.4 if how is How.LIKELIER else 0.8
    if len(deals) == 1:
        yield from _answers(start, move, other)
    elif start.tops[following % setup.banks] >= 0:
        yield from _fits(start, move, other, possible)


def _answers(start: Deal, move: Played, other: Played) -> Iterator[tuple[Cause, float]]:
    """Yield facts about all that the next player can do, where no card is hidden."""
    after, instead = _after(start, move), _after(start, other)
    if after.ended or instead.ended or start.seat in {after.seat, instead.seat}:
        return
    ways, others = len(after.moves()), len(instead.moves())
    if others - ways >= _FEWER:
        yield Cause(PontisWhy.NARROWS, after.seat, number=ways), min(0.04 * (others - ways), 0.6)
    suit = SUIT[move[1]]
    matching, more = (sum(_matches(deal, reply) for reply in deal.moves()) for deal in (after, instead))
    if suit < NO_MATCH and matching < more:
        yield Cause(PontisWhy.UNMATCHED, after.seat, SUIT_SYMBOLS[SUITS[suit]], matching), 0.25
    if _always_matches(after) and not _always_matches(instead):
        yield Cause(PontisWhy.ANSWERS, after.seat, how=How.SURE), 0.5
    yield from _outscored(start, after, instead)


def _outscored(start: Deal, after: Deal, instead: Deal) -> Iterator[tuple[Cause, float]]:
    """Yield that the next player can score less, or the seat itself more after that."""
    (theirs, own), (theirs_instead, own_instead) = _gains(after, start.seat), _gains(instead, start.seat)
    if theirs < theirs_instead:
        yield Cause(PontisWhy.LIMITS, after.seat, number=theirs, how=How.SURE), 0.2 * (theirs_instead - theirs)
    if own > own_instead:
        yield Cause(PontisWhy.SECURES, after.seat, number=own, how=How.SURE), 0.2 * (own - own_instead)


def _after(deal: Deal, move: Played) -> Deal:
    deal = deal.copy()
    deal.play(move)
    return deal


def _gains(deal: Deal, me: int) -> tuple[int, int]:
    """Return what the seat on turn can score, and what the other one can score next whatever that one does."""
    replies = [(_points(deal, reply), _after(deal, reply)) for reply in deal.moves()]
    own = [_best(after) if not after.ended and after.seat == me else 0 for _points_of_it, after in replies]
    return max([points for points, _after_it in replies], default=0), min(own, default=0)


def _best(deal: Deal) -> int:
    """Return the points that the seat on turn can score."""
    return max([_points(deal, move) for move in deal.moves()], default=0)


def _points(start: Deal, move: Played) -> int:
    return move[0].bit_count() + _matches(start, move)


def _always_matches(deal: Deal) -> bool:
    """Whether the seat that isn't on turn can match the suit next, whatever the other one does."""
    replies = [_after(deal, reply) for reply in deal.moves()]
    return all(
        not after.ended and after.seat != deal.seat and any(_matches(after, each) for each in after.moves())
        for after in replies
    )


def _fits(start: Deal, move: Played, other: Played, possible: int) -> Iterator[tuple[Cause, float]]:
    """Yield that fewer of the cards that the next player may have fit, or fewer of the same suit."""
    following = (start.slot + 1) % start.setup.lap
    seat = start.setup.owners[following]
    fitting, instead = (_fitting(start, each, following, possible) for each in (move, other))
    number, fewer = fitting.bit_count(), instead.bit_count() - fitting.bit_count()
    if fewer >= _FEWER:
        yield Cause(PontisWhy.FEWER, seat, number=number), 0.04 * fewer
    suit, suit_instead = SUIT[move[1]], SUIT[other[1]] if other[0] else NO_MATCH
    matching, more = _of_suit(fitting, suit), _of_suit(instead, suit_instead)
    if suit < NO_MATCH and matching.bit_count() < more.bit_count():
        yield Cause(PontisWhy.UNMATCHED, seat, SUIT_SYMBOLS[SUITS[suit]], matching.bit_count()), 0.25


def _of_suit(cards: int, suit: int) -> int:
    return cards & OF_SUIT[suit] if suit < NO_MATCH else 0


def _misses(deals: Sequence[Deal], move: Played, following: int) -> list[bool]:
    """Return the deals where the next slot has no bridge after the move."""
    found = []
    for each_deal in deals:
        deal = each_deal.copy()
        seat = deal.setup.owners[following]
        deal.play(move)
        # In honest play, the engine goes on at once.
        if deal.ended:
            found.append(deal.ended != OUT and deal.idle > 0)
        else:
            found.append(deal.slot != following or not deal.hands[seat] & SINGLES[deal.need])
    return found


def _fitting(deal: Deal, move: Played, following: int, cards: int) -> int:
    """Return which of the cards fit the next bridge after the move; all while its bank isn't turned up."""
    tops, bank = deal.tops, deal.slot % deal.setup.banks
    top = move[1] if move[0] else tops[bank]
    own = tops[following % deal.setup.banks]
    return SINGLES[NEEDS[own][top]] & cards if own >= 0 else cards


# ---- the hand, and the rest of the game


def _kept(hand: int, move: Played, other: Played) -> Iterator[tuple[Cause, float]]:
    """Yield that a high card goes, or a small one stays."""
    if not move[0] or not other[0]:
        return
    gone, instead = (max(VALUES[bit.bit_length() - 1] for bit in each(cards)) for cards, _ in (move, other))
    if gone >= _HIGH and gone - instead >= _MUCH:
        highest = max((bit.bit_length() - 1 for bit in each(move[0])), key=VALUES.__getitem__)
        yield Cause(PontisWhy.SHEDS, what=face(CARDS[highest])), 0.05 * (gone - instead)
    small = min(other[0].bit_length() - 1, (other[0] & -other[0]).bit_length() - 1)
    if VALUES[small] <= _SMALL < min(VALUES[bit.bit_length() - 1] for bit in each(move[0])) and small < NO_SUIT:
        yield Cause(PontisWhy.KEEPS_SMALL, what=face(CARDS[small])), 0.45
    yield from _only_of_suit(hand, move, other)


def _only_of_suit(hand: int, move: Played, other: Played) -> Iterator[tuple[Cause, float]]:
    """Yield that the only card of a suit stays."""
    for card in each(other[0] & ~move[0]):
        name = CARDS[card.bit_length() - 1]
        suit = SUIT[card.bit_length() - 1]
        if suit < NO_MATCH and not hand & ~card & OF_SUIT[suit]:
            yield Cause(PontisWhy.KEEPS_SUIT, what=face(name)), 0.1


def _outlook(deals: Sequence[Deal], move: Played, other: Played, look: Look) -> Iterator[tuple[Cause, float]]:
    """Yield that the seat can go on, or goes out."""
    courses, instead = look(deals, move), look(deals, other)
    how = compared([again for again, _ in courses], [again for again, _ in instead])
    if how is not None:
        yield Cause(PontisWhy.AGAIN, how=how), 0.3 if how is How.LIKELIER else 0.6
    goes_out, instead_out = ([out for _, out in found] for found in (courses, instead))
    how = compared(goes_out, instead_out)
    if how is not None and len(deals) > 1:
        yield Cause(PontisWhy.OUT, how=how), 4 * (sum(goes_out) - sum(instead_out)) / len(deals)


def courses_of(deals: Sequence[Deal], move: Played) -> list[Course]:
    """Return what a move leads to in each of the deals, if all go on by the rule of thumb."""
    return [_course(deal.copy(), move) for deal in deals]


def _course(deal: Deal, move: Played) -> Course:
    seat, lap, is_honest = deal.seat, deal.setup.lap, deal.setup.fake == "off"
    play(deal, move)
    passed = deal.idle if is_honest else 0
    while not deal.ended and deal.seat != seat and passed < lap:
        play(deal, pick(deal))
        passed += 1 + (deal.idle if is_honest else 0)
    plays = not deal.ended and deal.seat == seat and passed < lap and bool(deal.hands[seat] & SINGLES[deal.need])
    finish(deal)
    return plays, deal.ended == OUT and deal.last == seat
