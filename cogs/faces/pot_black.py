"""What Pot Black says: boards, hands, choices and settlements."""

from collections.abc import Sequence
from typing import Final

from bot.games import GAMES
from bot.games.card_table import DealerDrawn, Play
from bot.games.cards import SUIT_NAMES, SUIT_SYMBOLS, SUITS, Card, face
from bot.games.game import Event, Move, Seat
from bot.games.pot_black import AntePaid, DealSettled, Dealt, KnockedOut, Trick, TrickTaken
from bot.games.pot_black import PotBlackObservation as Observation
from bot.games.pot_black.state import CLUB_TEN, HAND, SPADE_TEN
from bot.games.tricks import winner
from bot.tables import Table
from bot.ui.posts.post import Choice, Choices
from bot.ui.posts.text import listed, name_of, side_names, to_play
from cogs.faces.cards import by_suit, faces, paragraphs

_GAME: Final = GAMES["pot_black"]
_STRENGTH: Final = "23456789TJQKA"
_BLACK_TENS: Final = (SPADE_TEN, CLUB_TEN)


class PotBlackFace:
    """How Pot Black looks."""

    game = _GAME
    settlements: tuple[type[Event], ...] = (DealSettled,)

    def progress(self, observation: Observation) -> str:
        limit = f" of {observation.terms.deals}" if observation.terms.deals else ""
        return f"deal {observation.deal}{limit}, {_trumps(observation.trumps)}" if observation.deal else "no deal yet"

    def deal(self, observation: Observation) -> int:
        return observation.deal

    def prompt(self, table: Table, observation: Observation) -> str:
        return to_play(table, observation)

    def situation(self, table: Table, observation: Observation) -> Sequence[str]:
        return paragraphs(_trick(table, observation))

    def standings(self, table: Table, observation: Observation) -> Sequence[str]:
        return paragraphs(
            _this_deal(table, observation),
            _next_trumps(observation),
            _voids(table, observation),
            _chips(table, observation),
        )

    def describe(self, table: Table, observation: Observation) -> Sequence[str]:
        """Return the board, and all tricks of this deal (BK-30)."""
        now = (*self.situation(table, observation), *self.standings(table, observation))
        return [*now, *_earlier(table, observation)]

    def hand(self, table: Table, observation: Observation) -> Sequence[str]:
        return paragraphs(by_suit(observation.hand, _strength, observation.trumps))

    def choices(self, table: Table, observation: Observation) -> tuple[Choices, ...]:
        plays = sorted((m for m in observation.legal if isinstance(m, Play)), key=lambda move: _order(move.card))
        if not plays:
            return ()
        prompt = "Lead a card"
        if observation.trick:
            led = observation.trick[0][1]
            follows = plays[0].card[1] == led
            prompt = f"Follow {SUIT_NAMES[led]}" if follows else f"You have no {SUIT_NAMES[led]}: play any card"
        cards = tuple(Choice(str(move), face(move.card), _meaning(observation, move.card)) for move in plays)
        return (Choices(prompt, cards),)

    def name_move(self, table: Table, observation: Observation, move: Move) -> str:
        if not isinstance(move, Play):
            return str(move)
        meaning = _meaning(observation, move.card)
        return f"play {face(move.card)}" + (f" · {meaning}" if meaning else "")

    def say(self, table: Table, event: Event) -> str | None:
        def who(seat: Seat) -> str:
            return name_of(table, seat)

        match event:
            case DealerDrawn(seat):
                return f"{who(seat)} deals first."
            case AntePaid(deal, ante, paid, chips):
                return f"**Deal {deal}.** Ante {ante} each, {sum(paid)} chips in all; main pot {chips.main}."
            case Dealt(_, dealer, leader, trumps):
                return f"{who(dealer)} deals, {who(leader)} leads; {_trumps(trumps)}."
            case TrickTaken(seat, cards, False, penalty, paid):
                taken = f"**{who(seat)}** takes {faces(cards)}"
                return f"{taken}: the trick counts for nobody, and {_penalty(table, penalty, paid)}."
            case DealSettled():
                return f"**Deal {event.deal}** is over: {_chips_of(table, event.chips.stacks)}."
            case KnockedOut(seat, _):
                return f"**{who(seat)}** has no chips left and is out."
            case _:
                return None

    def settlement(self, table: Table, event: Event) -> str:
        return _settlement(table, event) if isinstance(event, DealSettled) else ""

    def scores(self, table: Table, observation: Observation) -> Sequence[str]:
        return paragraphs(_chips(table, observation), _this_deal(table, observation))

    def result(self, table: Table, observation: Observation) -> Sequence[str]:
        return [_chips(table, observation)]


def _trumps(suit: str | None) -> str:
    return f"trumps {SUIT_SYMBOLS[suit]} {SUIT_NAMES[suit]}" if suit else "no trumps"


def _strength(card: Card) -> int:
    return _STRENGTH.index(card[0])


def _order(card: Card) -> tuple[int, int]:
    return SUITS.index(card[1]), -_strength(card)


def _meaning(observation: Observation, card: Card) -> str:
    parts = []
    if card[1] == observation.trumps:
        parts.append("trump")
    if card in _BLACK_TENS:
        parts.append(f"black ten: who takes it pays {observation.terms.penalty}")
    return " · ".join(parts)


def _trick(table: Table, observation: Observation) -> str:
    if not observation.order or observation.outcome is not None:
        return ""
    order, cards = observation.order, observation.trick
    if cards:
        trick = " · ".join(f"{name_of(table, seat)} {face(card)}" for seat, card in zip(order, cards, strict=False))
        best = f"; so far {name_of(table, order[winner(cards, observation.trumps)])} takes it" if len(cards) > 1 else ""
        lines = [f"**Trick**: {trick}{best}"]
    else:
        lines = [f"**Trick**: {name_of(table, order[0])} leads"]
    if observation.last_trick is not None:
        lines.append(f"-# Last trick: {_taken(table, observation.last_trick)}")
    return "\n".join(lines)


def _taken(table: Table, trick: Trick) -> str:
    played = " · ".join(f"{name_of(table, s)} {face(c)}" for s, c in zip(trick.seats, trick.cards, strict=True))
    return f"{played}; taken by {name_of(table, trick.taker)}"


def _earlier(table: Table, observation: Observation) -> list[str]:
    lines = [f"{number}. {_taken(table, trick)}" for number, trick in enumerate(observation.tricks, 1)]
    return ["\n".join(("**Tricks of this deal**", *lines))] if lines else []


def _this_deal(table: Table, observation: Observation) -> str:
    if not observation.order:
        return ""
    tens = [
        f"ten of {SUIT_SYMBOLS[ten[1]]} {f'taken by {name_of(table, taker)}' if taker is not None else 'still to fall'}"
        for ten, taker in zip(_BLACK_TENS, observation.ten_takers, strict=True)
    ]
    counted = " · ".join(
        f"{names} {sum(observation.counted[seat] for seat in seats)}" for names, seats in side_names(table, _GAME)
    )
    left = HAND - len(observation.tricks)
    to_come = f"; {left} to come" if left and observation.outcome is None else ""
    return f"**Tricks that count**: {counted}{to_come}\n**Black tens**: {' · '.join(tens)}"


def _next_trumps(observation: Observation) -> str:
    if not observation.order:
        return ""
    now, then = _trumps(observation.trumps), _trumps(observation.next_trumps)
    return f"This deal **{now}**, the next {then}"


def _voids(table: Table, observation: Observation) -> str:
    """Return the suits that players have failed to follow, so they have none left."""
    out = [
        f"{name_of(table, seat)} of {' '.join(SUIT_SYMBOLS[suit] for suit in SUITS if suit in suits)}"
        for seat, suits in enumerate(observation.voids)
        if suits
    ]
    return f"-# Out of a suit: {' · '.join(out)}" if out else ""


def _chips(table: Table, observation: Observation) -> str:
    chips = observation.chips
    parts = []
    for names, seats in side_names(table, _GAME):
        stacks = " + ".join(str(chips.stacks[seat]) for seat in seats)
        total = f" = **{sum(chips.stacks[seat] for seat in seats)}**" if len(seats) > 1 else ""
        out = observation.out[seats[0]]
        parts.append(f"{names} {stacks}{total}{f' (out in deal {out})' if out else ''}")
    pots = (
        f"Pot {chips.main}" if observation.terms.form == "classic" else f"Main pot {chips.main}, side pot {chips.side}"
    )
    return f"**Chips**: {' · '.join(parts)}\n{pots}"


def _penalty(table: Table, penalty: int, paid: tuple[int, ...]) -> str:
    payers = [f"{name_of(table, seat)} pays {chips}" for seat, chips in enumerate(paid) if chips]
    short = penalty - sum(paid)
    forgiven = f", {short} of {penalty} are missing (BK-13)" if short else ""
    return f"{listed(payers) if payers else 'nobody can pay'}{forgiven}"


def _settlement(table: Table, event: DealSettled) -> str:
    counted = " · ".join(
        f"{names} {sum(event.counted[seat] for seat in seats)}" for names, seats in side_names(table, _GAME)
    )
    lines = [f"**Deal {event.deal} settled** — tricks that count: {counted}"]
    if event.winners:
        winners = listed([name_of(table, seat) for seat in event.winners])
        lines.append(f"{winners} took the most.")
    else:
        lines.append("A tie for most tricks.")
    lines += paragraphs(
        _pot(table, "main pot", event.from_main, event.chips.main),
        _pot(table, "side pot", event.from_side, event.chips.side),
    )
    lines.append(f"Chips: {_chips_of(table, event.chips.stacks)}")
    return "\n".join(lines)


def _chips_of(table: Table, stacks: Sequence[int]) -> str:
    return " · ".join(f"{name_of(table, seat)} {chips}" for seat, chips in enumerate(stacks))


def _pot(table: Table, pot: str, shares: Sequence[int], left: int) -> str:
    given = [f"{name_of(table, seat)} +{chips}" for seat, chips in enumerate(shares) if chips]
    if given:
        return f"From the {pot}: {', '.join(given)}{f'; {left} left in it' if left else ''}."
    return f"The {pot} stays: {left}." if left else ""
