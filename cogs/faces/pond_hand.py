"""What a seat of Pond · cards knows beyond the board: its cards, their meanings and its secrets."""

from collections.abc import Sequence
from typing import Final

from bot.games import GAMES
from bot.games.cards import SUIT_NAMES, SUIT_SYMBOLS, SUITS, Card, face
from bot.games.game import Seat
from bot.games.pond import FACE_DOWN, STRENGTH, Observation, ProfitChoice, group_of, profit_choices
from bot.tables import Table
from bot.ui.posts.post import Choice
from bot.ui.posts.text import label_of, name_of, number, side_seats
from cogs.faces.cards import faces, paragraphs, ranks

_GAME: Final = GAMES["pond"]
_WEAKEST_TRUMP: Final = STRENGTH[Card("8S")]


def cards_by_suit(observation: Observation) -> str:
    """Return the hand, one line per suit, with trumps and anti-trumps apart."""
    if not observation.hand:
        return ""
    lines = []
    for suit in SUITS:
        held = sorted((card for card in observation.hand if card[1] == suit), key=position)
        if suit == "S":
            trumps = [card for card in held if STRENGTH[card] >= _WEAKEST_TRUMP]
            low = held[len(trumps) :]
            parts = [f"{ranks(cards)} ({what})" for cards, what in ((trumps, "trump"), (low, "anti-trump")) if cards]
            text = " · ".join(parts)
        else:
            text = ranks(held)
        if held:
            lines.append(f"{SUIT_SYMBOLS[suit]} {text}")
    return "\n".join(lines)


def position(card: Card) -> tuple[int, int]:
    """Return a card's place among others: by suit, the strongest first."""
    return SUITS.index(card[1]), -STRENGTH[card]


def secrets(table: Table, observation: Observation) -> str:
    """Return the seat's poison, the profits it knows, and what it has taken."""
    if observation.seat is None or not observation.turned:
        return ""
    poison = poison_of(observation, observation.seat)
    lines = paragraphs(
        f"Your poison: {SUIT_SYMBOLS[poison]} {SUIT_NAMES[poison]}, −25 a card.",
        _own_profit(observation, observation.seat),
        _partners_profit(table, observation, observation.seat),
    )
    if observation.pile:
        taken = f"You took {len(observation.pile)} cards, worth {number(observation.pile_points)} so far"
        lines.append(f"{taken}: {faces(observation.pile)}")
    return "\n".join(lines)


def poison_of(observation: Observation, seat: Seat) -> str:
    """Return the seat's poisonous suit."""
    return observation.turned[seat][-1][1]


def _known_set_aside(observation: Observation, seat: Seat) -> Card | None:
    """Return the card that the seat set aside, if it is known here."""
    card = observation.set_aside[seat] if observation.set_aside else None
    return None if card == FACE_DOWN else card


def _own_profit(observation: Observation, seat: Seat) -> str:
    own = _known_set_aside(observation, seat)
    if own is not None:
        return f"Your profit: {ranks(group_of(own) or '')}, +15 a card (you set {face(own)} aside)."
    if observation.hidden:
        return f"{observation.hidden} more cards lie face down; you pick them up when all have chosen."
    return ""


def _partners_profit(table: Table, observation: Observation, seat: Seat) -> str:
    players = observation.setup.players
    partner = (seat + 2) % players
    card = _known_set_aside(observation, partner)
    if players == 2 or card is None:
        return ""
    return f"{name_of(table, partner)}'s profit: {ranks(group_of(card) or '')} (set {face(card)} aside)."


def pile_in_full(table: Table, observation: Observation) -> str:
    """Return the seat's pile card by card, for ``/pond won``."""
    if not observation.pile or observation.seat is None:
        return "You took nothing yet this round."
    heading = f"{len(observation.pile)} cards, worth **{number(observation.pile_points)}** so far."
    return "\n".join([heading, *(f"{face(card)} {meaning(table, observation, card)}" for card in observation.pile)])


def offered_profits(observation: Observation) -> tuple[Choice, ...]:
    """Return the cards to set aside, with the profit each stands for."""
    return tuple(
        Choice(
            f"profit {choice.card}",
            f"{face(choice.card)}: profit {ranks(choice.group)}",
            _left_of_group(observation, choice),
        )
        for choice in profit_choices(observation.hand)
    )


def _left_of_group(observation: Observation, choice: ProfitChoice) -> str:
    poison = poison_of(observation, observation.seat or 0)
    is_poison = choice.card[1] == poison
    poisoned = sum(card[0] in choice.group and card[1] == poison for card in observation.hand) - is_poison
    kept = f"You keep {choice.held - 1} of these ranks" + (f", {poisoned} of them poison to you" if poisoned else "")
    return f"{kept}; this card leaves play" + (" (it is your poison)" if is_poison else "")


def meaning(table: Table, observation: Observation, card: Card) -> str:
    """Return a card's role in the trick, whether it is the seat's profit, and whose poison it is."""
    parts = []
    if card[1] == "S":
        parts.append("trump" if STRENGTH[card] >= _WEAKEST_TRUMP else "anti-trump")
    seat = observation.seat
    if seat is None:
        return " · ".join(parts)
    own = _known_set_aside(observation, seat)
    if own is not None and card[0] in (group_of(own) or "") and card[1] != poison_of(observation, seat):
        parts.append("your profit")
    parts += [
        _whose_poison(table, seats, seat)
        for seats in side_seats(table, _GAME)
        if poison_of(observation, seats[0]) == card[1]
    ]
    return " · ".join(parts) or "plain card"


def _whose_poison(table: Table, seats: Sequence[Seat], seat: Seat) -> str:
    if seat in seats:
        return "your poison" if len(seats) == 1 else "your side's poison"
    return f"poison of {' & '.join(label_of(table, other) for other in seats)}"
