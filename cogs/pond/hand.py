"""The hand of a seat of Pond · cards: its cards, their worth to it, its menu, and its secrets."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from bot.games import GAMES
from bot.games.cards import SUIT_SYMBOLS, SUITS, Card, Play, face
from bot.games.game import Seat
from bot.games.pond.moves import Award, Bait, Profit, Trap
from bot.games.pond.scoring import STRENGTH, CardClass, group_of, position, raised_by
from bot.games.pond.state import FACE_DOWN, Laid, Observation
from bot.records.table import Table
from bot.texts import gettext as _, ngettext
from bot.ui.posts.names import label_of, name_of, side_seats
from bot.ui.posts.post import Choice, Choices
from bot.ui.posts.text import signed
from cogs.card_texts import by_suit, emoji, only, paragraphs, ranks

OfCard = Profit | Bait | Trap | Play

_GAME: Final = GAMES["pond"]
_WEAKEST_TRUMP: Final = STRENGTH[Card("8S")]
_LONGEST_WORTH: Final = 32
"""Maximum length of a card's worth in a label that a phone shows in full."""


# ---- the menu


def choices(table: Table, observation: Observation) -> tuple[Choices, ...]:
    """Return the legal moves. Every card comes with its worth to this seat."""
    legal = observation.legal
    if profits := [move for move in legal if isinstance(move, Profit)]:
        return (Choices(_("Set a card aside (no 4 J Q K)"), _options(table, observation, profits)),)
    if awards := [move for move in legal if isinstance(move, Award)]:
        return (Choices("", tuple(award(table, observation, move) for move in awards), as_buttons=True),)
    laid = [move for move in legal if isinstance(move, Bait | Trap | Play)]
    return _cards_to_lay(table, observation, laid) if laid else ()


def _cards_to_lay(table: Table, observation: Observation, laid: Sequence[Bait | Trap | Play]) -> tuple[Choices, ...]:
    """Return the menu of cards, and whether to lay no trap. A last card has a button instead."""
    cards = _options(table, observation, laid)
    if len(cards) == 1 and observation.phase == "play":
        return (only(cards[0]),)
    menu = Choices(_placeholder(observation), cards)
    no_trap = Choices("", (Choice("pass", _("No trap")),), as_buttons=True, style="secondary")
    return (menu, no_trap) if observation.phase == "trap" else (menu,)


def _placeholder(observation: Observation) -> str:
    match observation.phase:
        case "bait":
            return _("Choose a bait")
        case "trap" | "traps":
            return _("Choose a trap card")
        case _:
            return _("Play to the trick") if observation.trick else _("Lead a card")


def _options(table: Table, observation: Observation, moves: Iterable[OfCard]) -> tuple[Choice, ...]:
    return tuple(choice(table, observation, move) for move in sorted(moves, key=lambda move: position(move.card)))


def choice(table: Table, observation: Observation, move: OfCard) -> Choice:
    """Return the option to lay or set aside a card."""
    card = move.card
    if isinstance(move, Profit):
        worth, hint = _("profit {ranks}", ranks=ranks(group_of(card) or "")), _profit_hint(observation, card)
    else:
        worth, hint = _worth(table, observation, card), _hint(table, observation, card)
    return Choice(str(move), face(card), hint, emoji=emoji(card), worth=worth)


def award(table: Table, observation: Observation, move: Award) -> Choice:
    """Return the option to leave the cards to a tied player, with their worth to that player as far as it is known."""
    return Choice(str(move), label_of(table, move.seat), worth=_worth_to(observation, move.seat))


def _worth_to(observation: Observation, taker: Seat) -> str:
    """Return the points of the cards on the table for a seat; for one whose profit is secret, the number of poison."""
    known = _visible(observation)
    if not observation.profit(taker):
        n = sum(card[1] == observation.poison(taker) for card in known)
        return ngettext("{n} poison", "{n} poison", n) if n else _("no poison")
    points = signed(observation.points(taker, *known))
    if hidden := len(_on_table(observation)) - len(known):
        return ngettext("{points} plus a trap", "{points} plus {n} traps", hidden, points=points)
    return points


def _worth(table: Table, observation: Observation, card: Card) -> str:
    """Return the points of a card for this seat and for opponents whose poison it is.

    If somebody else is sure to take the trick, return what the card means to them.
    """
    seat = observation.seat or 0
    if other := _other_taker(observation, card):
        taker, is_sure = other
        return _taken_by(table, observation, card, taker, is_sure=is_sure)
    own = signed(observation.points(seat, card))
    others = next(seats for seats in side_seats(table, _GAME) if seat not in seats)
    if observation.poison(others[0]) != card[1]:
        return _("{points} for you", points=own)
    named = _for_both(own, " & ".join(label_of(table, other) for other in others))
    return named if len(named) <= _LONGEST_WORTH else _for_both(own, _("them"))


def _for_both(own: str, names: str) -> str:
    poison = signed(CardClass.POISON)
    return _("{points} for you, {poison} for {names}", points=own, poison=poison, names=names)


def _other_taker(observation: Observation, card: Card) -> tuple[Seat, bool] | None:
    """Return the other seat that takes this card, and whether that is sure; ``None`` if it may take the trick."""
    taker, best = _sure_taker(observation, card), _best(observation)
    if taker is not None and taker != (observation.seat or 0):
        return taker, True
    if observation.phase == "play" and best and STRENGTH[card] < STRENGTH[best.card]:
        return best.seat, False
    return None


def _sure_taker(observation: Observation, card: Card) -> Seat | None:
    """Return the seat that takes the trick if this card completes it; ``None`` if it doesn't, or if there is a tie."""
    trick, setup = observation.trick, observation.setup
    if observation.phase != "play" or len(trick) < setup.players - 1:
        return None
    strengths = [STRENGTH[laid.card] for laid in trick] + [STRENGTH[card]]
    best = max(strengths)
    if strengths.count(best) > 1 and setup.tie == "leader":
        return None
    winner = strengths.index(best)
    return observation.seat if winner == len(trick) else trick[winner].seat


def _best(observation: Observation) -> Laid | None:
    """Return the first of the strongest cards in the trick."""
    return max(observation.trick, key=lambda laid: STRENGTH[laid.card], default=None)


def _taken_by(table: Table, observation: Observation, card: Card, taker: Seat, *, is_sure: bool) -> str:
    """Return who takes the card, for sure or so far, with its points for them if this seat knows these."""
    name, worth = label_of(table, taker), observation.points(taker, card)
    if worth == CardClass.POISON or observation.profit(taker):
        if is_sure:
            return _("{points} for {name}", points=signed(worth), name=name)
        return _("{points} for {name} so far", points=signed(worth), name=name)
    if is_sure:
        return _("{name} takes it", name=name)
    return _("{name} is winning", name=name)


def _hint(table: Table, observation: Observation, card: Card) -> str:
    is_profit = observation.points(observation.seat or 0, card) == CardClass.PROFIT
    of_partner = _worth_to_partner(table, observation, card)
    parts = (_chance(observation, card), _("profit") if is_profit else "", of_partner, _role(card))
    return " · ".join(filter(None, parts))


def _worth_to_partner(table: Table, observation: Observation, card: Card) -> str:
    """Return the points of the card for the seat's partner, if they differ from its own and the pair may take it."""
    partner = _partner(observation)
    points = observation.points(partner, card)
    if points == observation.points(observation.seat or 0, card) or _other_taker(observation, card):
        return ""
    return _("{points} for {name}", points=signed(points), name=label_of(table, partner))


def _partner(observation: Observation) -> Seat:
    """Return the seat's partner: itself, if two play."""
    return ((observation.seat or 0) + 2) % observation.setup.players


def _role(card: Card) -> str:
    if card[1] != "S":
        return ""
    return _("trump") if STRENGTH[card] >= _WEAKEST_TRUMP else _("anti-trump")


def _chance(observation: Observation, card: Card) -> str:
    """Compare the card to the trick so far. If it takes the trick, return what all visible cards are worth."""
    best = _best(observation)
    if observation.phase != "play" or best is None:
        return ""
    if _sure_taker(observation, card) == observation.seat:
        return _in_all(observation, card)
    if STRENGTH[card] > STRENGTH[best.card]:
        return _("best so far")
    if STRENGTH[card] == STRENGTH[best.card] and observation.setup.tie == "leader":
        return _("ties with {card}", card=face(best.card))
    return _("loses to {card}", card=face(best.card))


def _in_all(observation: Observation, card: Card) -> str:
    """Return the worth of the whole pond with this card to the seat that takes it by that."""
    visible = _visible(observation)
    points = signed(observation.points(observation.seat or 0, *visible, card))
    if hidden := len(_on_table(observation)) - len(visible):
        return ngettext(
            "takes the trick: {points} plus a trap", "takes the trick: {points} plus {n} traps", hidden, points=points
        )
    return _("takes the trick: {points} in all", points=points)


def _profit_hint(observation: Observation, card: Card) -> str:
    """Return how many other cards of the hand the profit would make worth more, and how many of them are poison."""
    poison, others = observation.poison(observation.seat or 0), raised_by(card, observation.hand)
    others.remove(card)
    text = ngettext("{n} other in hand", "{n} others in hand", len(others)) if others else _("no others in hand")
    if poisoned := sum(other[1] == poison for other in others):
        text = ngettext("{others} ({n} is poison)", "{others} ({n} are poison)", poisoned, others=text)
    marks = (text, _("this card is poison") if card[1] == poison else "", _role(card))
    return " · ".join(filter(None, marks))


# ---- what cards are worth


def worth(table: Table, observation: Observation) -> str:
    """Return the worth of the cards on the table to the seat, and the number that are an opponent's poison.

    After a tie, the leader's choices say it of the players who can get them.
    """
    seat, known = observation.seat, _visible(observation)
    if seat is None or not known or observation.phase == "award":
        return ""
    parts = [*_worths(table, observation, seat, known)]
    hidden = len(_on_table(observation)) - len(known)
    if hidden and observation.phase != "traps" and observation.setup.players == 2:
        parts.append(ngettext("{n} hidden trap", "{n} hidden traps", hidden))
    said = " · ".join(parts)
    return _("For you: {parts}", parts=said) if observation.setup.players == 2 else said


def _on_table(observation: Observation) -> list[Card]:
    return [laid.card for laid in (*observation.baits, *observation.traps, *observation.trick)]


def _visible(observation: Observation) -> list[Card]:
    """Return the cards on the table that the seat can see."""
    return [card for card in _on_table(observation) if card != FACE_DOWN]


def _worths(table: Table, observation: Observation, seat: Seat, known: Sequence[Card]) -> Iterator[str]:
    for seats in sorted(side_seats(table, _GAME), key=lambda seats: seat not in seats):
        if seat not in seats:
            poisonous = sum(card[1] == observation.poison(seats[0]) for card in known)
            if poisonous:
                whose = _("them") if len(seats) > 1 else name_of(table, seats[0])
                yield ngettext("{n} poison for {name}", "{n} poison for {name}", poisonous, name=whose)
            continue
        own = f"**{signed(observation.points(seat, *known))}**"
        yield own if len(seats) == 1 else _("If you take it: {points}", points=own)
        for partner in (each for each in seats if each != seat):
            points = f"**{signed(observation.points(partner, *known))}**"
            yield _("if {name} does: {points}", name=name_of(table, partner), points=points)


# ---- the hand


def hand(table: Table, observation: Observation) -> list[str]:
    """Return the cards, and what else the seat knows."""
    return paragraphs("\n".join(_cards_by_suit(table, observation)), "\n".join(_secrets(table, observation)))


def open_hand(table: Table, observation: Observation) -> str:  # noqa: ARG001 - as in all games
    """Return the cards, the trap and the profit of a seat, as others may read them afterwards."""
    seat = observation.seat or 0
    trap = [_("trap {card}", card=face(laid.card)) for laid in observation.traps if laid.seat == seat]
    own = observation.profit(seat)
    profit = _("profit {ranks}", ranks=ranks(own)) if own else ""
    return " · ".join(paragraphs(by_suit(sorted(observation.hand, key=position)), *trap, profit))


def _cards_by_suit(table: Table, observation: Observation) -> Iterator[str]:
    for suit in SUITS:
        held = sorted((card for card in observation.hand if card[1] == suit), key=position)
        if not held:
            continue
        if suit == "S":
            trumps = [card for card in held if STRENGTH[card] >= _WEAKEST_TRUMP]
            named = (
                (trumps, ngettext("trump", "trumps", len(trumps))),
                (held[len(trumps) :], ngettext("anti-trump", "anti-trumps", len(held) - len(trumps))),
            )
            text = " · ".join(f"{ranks(cards)} ({name})" for cards, name in named if cards)
        else:
            text = " · ".join((ranks(held), *_whose_poison(table, observation, suit)))
        yield f"{SUIT_SYMBOLS[suit]} {text}"


def _whose_poison(table: Table, observation: Observation, suit: str) -> list[str]:
    poisoned = [seats for seats in side_seats(table, _GAME) if observation.poison(seats[0]) == suit]
    if not poisoned:
        return []
    if len(poisoned) > 1:
        return [_("everyone's poison")]
    (seats,) = poisoned
    if observation.seat in seats:
        return [_("your poison")]
    return [_("their poison") if len(seats) > 1 else _("poison for {name}", name=name_of(table, seats[0]))]


def _secrets(table: Table, observation: Observation) -> Iterator[str]:
    """Yield the seat's poison, the profits it knows, and what it has taken."""
    seat = observation.seat
    if seat is None or not observation.set_aside:
        return
    yield marks(observation)
    partner = _partner(observation)
    small = (
        partners_profit(table, observation),
        _aside(table, observation, seat, partner),
        ngettext("{n} more card to come", "{n} more cards to come", hidden) if (hidden := observation.hidden) else "",
    )
    if any(small):
        yield f"-# {' · '.join(filter(None, small))}"


def marks(observation: Observation) -> str:
    """Return the seat's profit and poison, which pictures mark on its cards."""
    seat = observation.seat
    if seat is None or not observation.set_aside:
        return ""
    poison, profit = SUIT_SYMBOLS[observation.poison(seat)], observation.profit(seat)
    if not profit:
        return _("Your poison {suit} −25", suit=poison)
    return _("Profit {ranks} +15 · poison {suit} −25", ranks=ranks(profit), suit=poison)


def secrets_in_brief(table: Table, observation: Observation) -> str:
    """Return the poison and the profits that the seat knows on as few lines as possible."""
    own = marks(observation)
    seat = observation.seat or 0
    if not own or not observation.profit(seat):
        return own
    poison, profit = SUIT_SYMBOLS[observation.poison(seat)], ranks(observation.profit(seat))
    mine = _("Profit {ranks} · poison {suit}", ranks=profit, suit=poison)
    return " · ".join(filter(None, (mine, partners_profit(table, observation))))


def partners_profit(table: Table, observation: Observation) -> str:
    """Return the profit of the seat's partner, once it is known."""
    if observation.seat is None or not observation.set_aside:
        return ""
    partner = _partner(observation)
    partners = observation.profit(partner) if partner != observation.seat else ""
    return _("{name}'s profit {ranks}", name=name_of(table, partner), ranks=ranks(partners)) if partners else ""


def _aside(table: Table, observation: Observation, seat: Seat, partner: Seat) -> str:
    """Return the cards set aside that the seat may see: its own and its partner's (PC-32)."""
    own, theirs = observation.set_aside[seat], observation.set_aside[partner]
    if own is None:
        return ""
    if partner == seat or theirs in {None, FACE_DOWN}:
        return _("you set aside {card}", card=face(own))
    name = name_of(table, partner)
    return _("you set aside {card}, {name} {other}", card=face(own), name=name, other=face(theirs or FACE_DOWN))
