"""The hand of a player of Pot Black: its cards, its menu, and what each card would cost or win."""

from collections.abc import Sequence

from bot.games.cards import SUIT_SYMBOLS, SUITS, Card, Play, face
from bot.games.game import Seat
from bot.games.pot_black.state import BLACK_TENS, PACKS, Observation
from bot.games.pot_black.tricks import position, strength, winner
from bot.records.table import Table
from bot.texts import either, gettext as _, ngettext
from bot.ui.posts.names import label_of
from bot.ui.posts.post import Choice, Choices
from cogs.card_texts import by_suit, emoji, only, paragraphs, ranks


def card_choices(table: Table, observation: Observation) -> tuple[Choices, ...]:
    """Return the cards that the seat may play, by suit and rank."""
    cards = sorted((move.card for move in observation.legal if isinstance(move, Play)), key=position)
    if not cards:
        return ()
    choices = tuple(choice_of(table, observation, card) for card in cards)
    if len(choices) == 1:
        return (only(choices[0]),)
    return (Choices(_("Lead a card") if not observation.trick else _("Play a card"), choices),)


def hand(table: Table, observation: Observation) -> list[str]:  # noqa: ARG001 - as in all games
    """Return the hand with one line per suit, the strongest card first."""
    lines = []
    for suit in SUITS:
        if held := sorted((card for card in observation.hand if card[1] == suit), key=position):
            line = f"{SUIT_SYMBOLS[suit]} {ranks(held)}"
            lines.append(_("{cards} (trumps)", cards=line) if suit == observation.trumps else line)
    return paragraphs("\n".join(lines))


def open_hand(table: Table, observation: Observation) -> str:  # noqa: ARG001 - as in all games
    """Return the cards of a seat in a line, as others may read them afterwards."""
    return by_suit(sorted(observation.hand, key=position))


def choice_of(table: Table, observation: Observation, card: Card) -> Choice:
    """Return the option for a card: its cost or gain for each player, and a remark on it."""
    worth, hint = _worth_and_hint(table, observation, card)
    return Choice(str(Play(card)), face(card), hint, emoji=emoji(card), worth=worth)


def _worth_and_hint(table: Table, observation: Observation, card: Card) -> tuple[str, str]:
    """Return the cost or gain of playing a card in a few words, and a remark on it."""
    return _leading(observation, card) if not observation.trick else _following(table, observation, card)


def price_of(observation: Observation, cards: Sequence[Card]) -> int:
    """Return the penalty for taking these cards."""
    return observation.setup.penalty * sum(ten in cards for ten in BLACK_TENS)


def _leading(observation: Observation, card: Card) -> tuple[str, str]:
    price, suit = observation.setup.penalty, card[1]
    if card in BLACK_TENS:
        return _("−{n} for the player who takes it", n=price), _("The trick counts for nobody.")
    left = _left_above(observation, card)
    return _("trump, {left}", left=left) if suit == observation.trumps else left, _danger(observation, card)


def _danger(observation: Observation, card: Card) -> str:
    """Return the black tens that players to come may throw on the card, if it would be ahead; empty if none."""
    trick = (*observation.trick, card)
    led, later = trick[0][1], observation.order[len(trick) :]
    thrown = any(led in observation.voids[seat] for seat in later)
    tens = [
        ten
        for ten in BLACK_TENS
        if _is_to_come(observation, ten)
        and (ten[1] == led or thrown)
        and winner((*trick, ten), observation.trumps) == len(trick) - 1
    ]
    if not tens:
        return ""
    suits = either([SUIT_SYMBOLS[ten[1]] for ten in tens])
    return _("The ten of {suit} can still fall on it and cost you {n}.", suit=suits, n=observation.setup.penalty)


def unseen_by(observation: Observation) -> frozenset[Card]:
    """Return the cards that the other players hold, as far as the seat can know."""
    played = {card for trick in observation.tricks for card in trick.cards}.union(observation.trick)
    return frozenset(PACKS[len(observation.in_play)]).difference(played, observation.hand)


def _left_above(observation: Observation, card: Card) -> str:
    """Return the number of cards of the suit that can still beat the card, or whether a trump can."""
    above = [other for other in unseen_by(observation) if other[1] == card[1] and strength(other) > strength(card)]
    if above:
        return ngettext("{n} higher card left", "{n} higher cards left", len(above))
    return _("only trumps can beat it") if _can_be_trumped(observation, card) else _("the highest left")


def _can_be_trumped(observation: Observation, card: Card) -> bool:
    """Whether an opponent who is yet to play may have a trump and take the trick from this card, as far as is known."""
    trumps = observation.trumps
    if trumps is None or card[1] == trumps or not any(unseen[1] == trumps for unseen in unseen_by(observation)):
        return False
    later = observation.order[len(observation.trick) + 1 :]
    return any(trumps not in observation.voids[seat] for seat in later if not _is_ours(observation, seat))


def _is_to_come(observation: Observation, card: Card) -> bool:
    """Whether the card is a black ten in the hand of another player."""
    is_ten = card in BLACK_TENS and card not in observation.hand
    return is_ten and card not in observation.trick and observation.ten_takers[BLACK_TENS.index(card)] is None


def _following(table: Table, observation: Observation, card: Card) -> tuple[str, str]:
    cards = (*observation.trick, card)
    seat = observation.order[winner(cards, observation.trumps)]
    price, is_last = price_of(observation, cards), len(cards) == len(observation.order)
    hint = _hint(table, observation, seat, price, is_last=is_last)
    if seat == observation.seat and not is_last and not price:
        left = _left_above(observation, card)
        return _("you'd be ahead, {left}", left=left), _danger(observation, card) or hint
    return _worth(table, observation, seat, price, is_last=is_last), hint


def _worth(table: Table, observation: Observation, seat: Seat, price: int, *, is_last: bool) -> str:
    """Return the gain or loss of the seat that takes the trick or is ahead."""
    if seat == observation.seat:
        if price:
            return _("−{n} for you", n=price) if is_last else _("−{n} for you if it holds", n=price)
        return _("+1 trick for you")
    name = label_of(table, seat)
    if price:
        return _("−{n} for {name}", n=price, name=name) if is_last else _("−{n} for {name} so far", n=price, name=name)
    return _("+1 trick for {name}", name=name) if is_last else _("{name} stays ahead", name=name)


def _hint(table: Table, observation: Observation, seat: Seat, price: int, *, is_last: bool) -> str:
    """Return the other stakes: the trick, or the side pot."""
    if price:
        return _chance_lost(table, observation, seat, price)
    if not _is_ours(observation, seat):
        return ""
    if seat != observation.seat:
        return _("Your partner's trick counts for you too.")
    return "" if is_last else _("+1 trick if nobody beats it.")


def _is_ours(observation: Observation, seat: Seat) -> bool:
    sides = observation.setup.sides
    return sides[seat] == sides[observation.seat or 0]


def _chance_lost(table: Table, observation: Observation, seat: Seat, price: int) -> str:
    """Return that the seat that takes black tens loses its chance of the side pot, or its side does."""
    if observation.setup.form == "classic" or _has_ten(observation, seat):
        return _("The trick counts for nobody.")
    pot = observation.chips.side + price
    if not _is_ours(observation, seat):
        if observation.setup.form == "partnership":
            return _("It also keeps the other side from the side pot ({n}).", n=pot)
        return _("It also keeps {name} from the side pot ({n}).", name=label_of(table, seat), n=pot)
    if observation.setup.form == "partnership":
        return _("Your side also loses its chance at the side pot ({n}).", n=pot)
    return _("You also lose your share of the side pot ({n}).", n=pot)


def _has_ten(observation: Observation, seat: Seat) -> bool:
    """Whether the side of the seat has already taken a black ten in this deal."""
    sides = observation.setup.sides
    return any(taker is not None and sides[taker] == sides[seat] for taker in observation.ten_takers)
