"""What Pond · cards says: its boards, hands, choices and scores."""

from collections.abc import Sequence
from typing import Final

from bot.games import GAMES
from bot.games.card_table import CardPlayed, DealerDrawn, Play
from bot.games.cards import SUIT_NAMES, SUIT_SYMBOLS, SUITS, Card, face
from bot.games.game import Event, Move, Seat
from bot.games.pond import (
    FACE_DOWN,
    STRENGTH,
    Award,
    Bait,
    BaitLaid,
    CardClass,
    Dealt,
    HandsPickedUp,
    Laid,
    Misdealt,
    Observation,
    Pass,
    PoisonTurned,
    Profit,
    ProfitChoice,
    ProfitChosen,
    RoundScore,
    RoundScored,
    Tally,
    TieToDecide,
    Trap,
    TrapDeclined,
    TrapLaid,
    TrickTaken,
    group_of,
    profit_choices,
)
from bot.tables import Table
from bot.ui.posts.post import Choice, Choices
from bot.ui.posts.text import label_of, listed, name_of, number, side_names, side_seats, signed
from cogs.faces.cards import faces, ranks

_GAME: Final = GAMES["pond"]
_CLASS_NAMES: Final = {
    CardClass.POISON: "poison",
    CardClass.PROFIT: "profit",
    CardClass.FACE: "face cards",
    CardClass.NUMBER: "number cards",
    CardClass.ACE: "aces",
}
_WEAKEST_TRUMP: Final = STRENGTH[Card("8S")]


class PondFace:
    """How Pond · cards looks. Everything is made from one seat's, or the public's, observation."""

    game = _GAME
    settlements: tuple[type[Event], ...] = (RoundScored,)

    def progress(self, observation: Observation) -> str:
        """The round, of how many."""
        rounds = observation.setup.rounds
        played = self.deal(observation) + 1
        return f"round {played} of {rounds}" if played <= rounds else f"extra round {played - rounds}"

    def deal(self, observation: Observation) -> int:
        """The number of the round; the last one still when the game is over."""
        outcome = observation.outcome
        return len(observation.rounds) - (outcome is not None and not outcome.is_conceded)

    def board(self, table: Table, observation: Observation) -> Sequence[str]:
        """The pond and the trick, who holds and has taken how much, poison, totals."""
        return [
            part
            for part in (
                _pond(table, observation),
                _counts(table, observation),
                _poison(table, observation),
                _totals(table, observation),
            )
            if part
        ]

    def describe(self, table: Table, observation: Observation) -> Sequence[str]:
        """The board, which is in words already, and the tricks of this round as far as they may be seen (PC-21)."""
        return [*self.board(table, observation), *_earlier(table, observation)]

    def hand(self, table: Table, observation: Observation) -> Sequence[str]:
        """The cards, the secrets of the seat, and on its turn what lies on the table."""
        situation = _pond(table, observation) if observation.legal else ""
        return [part for part in (_cards_by_suit(observation), _secrets(table, observation), situation) if part]

    def choices(self, table: Table, observation: Observation) -> tuple[Choices, ...]:
        """What can be done now, each card with what it means to this seat."""
        legal = observation.legal
        if not legal:
            return ()
        laid = [move for move in legal if isinstance(move, Bait | Trap | Play)]
        cards = tuple(
            Choice(str(move), face(move.card), _meaning(table, observation, move.card))
            for move in sorted(laid, key=lambda move: _in_hand(move.card))
        )
        match observation.phase:
            case "profit":
                return (Choices("Set a card aside", _profit_choices(observation)),)
            case "bait":
                return (Choices("Bait, face up", cards),)
            case "trap":
                no_trap = Choices("", (Choice("pass", "No trap"),), as_buttons=True, style="secondary")
                return (Choices("Open a trap, face down: everybody has to follow", cards), no_trap)
            case "traps":
                return (Choices("Trap card, face down", cards),)
            case "play":
                return (Choices("Lead" if not observation.trick else "Play to the trick", cards),)
            case _:
                named = tuple(
                    Choice(str(move), label_of(table, move.seat)) for move in legal if isinstance(move, Award)
                )
                return (Choices("Who takes the tied trick?", named, as_buttons=True),)

    def name_move(self, table: Table, observation: Observation, move: Move) -> str:
        """The move in words."""
        match move:
            case Profit(card):
                return f"set {face(card)} aside: profit {ranks(group_of(card) or '')}"
            case Bait(card):
                return f"bait {face(card)} · {_meaning(table, observation, card)}"
            case Trap(card):
                return f"trap {face(card)} · {_meaning(table, observation, card)}"
            case Play(card):
                return f"play {face(card)} · {_meaning(table, observation, card)}"
            case Award(seat):
                return f"{label_of(table, seat)} takes the trick"
            case Pass():
                return "no trap"
            case _:
                return str(move)

    def say(self, table: Table, event: Event) -> str | None:
        """The event as a sentence; a scored round in full."""

        def who(seat: Seat) -> str:
            return name_of(table, seat)

        match event:
            case DealerDrawn(seat):
                return f"{who(seat)} deals first."
            case PoisonTurned(round_number, dealer, _):
                return f"**Round {round_number + 1}.** {who(dealer)} deals and begins the first pond."
            case Misdealt(seats):
                return f"{listed([who(s) for s in seats])} had only 4s and face cards: dealt anew (PC-10)."
            case ProfitChosen(seat):
                return f"{who(seat)} set a card aside."
            case BaitLaid(seat, card):
                return f"{who(seat)} baits with {face(card)}."
            case TrapLaid(seat):
                return f"{who(seat)} lays a trap card."
            case TrapDeclined(seat):
                return f"{who(seat)} opens no trap."
            case CardPlayed(seat, card):
                return f"{who(seat)} plays {face(card)}."
            case TieToDecide(leader, tied):
                return f"{listed([who(s) for s in tied])} are tied: {who(leader)} names who takes the trick (PC-24)."
            case TrickTaken(seat, count, how):
                by = {"best": "", "first": ", first of the tied", "awarded": " by the leader's choice"}[how]
                return f"**{who(seat)}** takes trick and pond, {count} cards{by}."
            case RoundScored(round_number, score, _):
                return _round_in_full(table, round_number, score)
            case Dealt() | HandsPickedUp() | _:
                return None

    def scores(self, table: Table, observation: Observation) -> Sequence[str]:
        """Every finished round in full, the latest first."""
        if not observation.rounds:
            return ["No round is finished yet."]
        rounds = list(enumerate(observation.rounds))
        return [_totals(table, observation), *(_round_in_full(table, n, score) for n, score in reversed(rounds))]

    def result(self, table: Table, observation: Observation) -> Sequence[str]:
        """Totals by round."""
        return [_totals(table, observation)]


# ---- the parts of a board


def _poison(table: Table, observation: Observation) -> str:
    if not observation.turned:
        return ""
    lines = []
    for names, seats in side_names(table, _GAME):
        suit = observation.turned[seats[0]][-1][1]
        turned = ", ".join(faces(observation.turned[seat]) for seat in seats)
        lines.append(f"{names}: {SUIT_SYMBOLS[suit]} {SUIT_NAMES[suit]} (turned {turned})")
    return "**Poison**\n" + "\n".join(lines)


def _laid(table: Table, laid: Sequence[Laid]) -> str:
    return " · ".join(f"{name_of(table, seat)} {faces((card,))}" for seat, card in laid)


def _pond(table: Table, observation: Observation) -> str:
    if observation.starter is None or observation.phase == "profit":
        chosen = [seat for seat, card in enumerate(observation.set_aside) if card is None]
        if not chosen:
            return ""
        return f"Everybody sets a card aside in secret; still to choose: {listed([name_of(table, s) for s in chosen])}."
    lines = [f"**Pond**: {_laid(table, observation.baits) or f'{name_of(table, observation.starter)} begins'}"]
    if observation.traps:
        lines.append(f"**Trap**: {_laid(table, observation.traps)}")
    if observation.trick:
        lines.append(f"**Trick**: {_laid(table, observation.trick)}")
    return "\n".join(lines)


def _earlier(table: Table, observation: Observation) -> list[str]:
    lines = []
    for count, taken in enumerate(observation.taken, 1):
        if any(laid.card != FACE_DOWN for laid in taken.laid):
            traps = f" · traps {_laid(table, taken.traps)}" if taken.traps else ""
            lines.append(
                f"{count}. pond {_laid(table, taken.baits)}{traps} · trick {_laid(table, taken.trick)}"
                f": {name_of(table, taken.taker)} takes them"
            )
    return ["\n".join(("**Earlier this round**", *lines))] if lines else []


def _counts(table: Table, observation: Observation) -> str:
    if not observation.hand_counts:
        return ""
    counts = zip(observation.hand_counts, observation.pile_counts, strict=True)
    return "**Cards**: " + " · ".join(
        f"{name_of(table, seat)} {held} in hand, {taken} taken" for seat, (held, taken) in enumerate(counts)
    )


def _totals(table: Table, observation: Observation) -> str:
    if not observation.rounds:
        return "**Totals**: no round scored yet"
    parts = []
    for names, seats in side_names(table, _GAME):
        rounds = " ".join(signed(score.points[seats[0]]) for score in observation.rounds)
        parts.append(f"{names} **{number(observation.totals[seats[0]])}** ({rounds})")
    return "**Totals**: " + " · ".join(parts)


def _round_in_full(table: Table, round_number: int, score: RoundScore) -> str:
    lines = [f"**Round {round_number + 1} scored**"]
    lines += [_tally(name_of(table, seat), tally) for seat, tally in enumerate(score.tallies)]
    if len(score.tallies) > 2:
        sides = " · ".join(f"{names} {number(score.points[seats[0]])}" for names, seats in side_names(table, _GAME))
        lines.append(f"Sides: {sides}")
    return "\n".join(lines)


def _tally(name: str, tally: Tally) -> str:
    details = {CardClass.POISON: f" {SUIT_SYMBOLS[tally.poison]}", CardClass.PROFIT: f" {ranks(tally.group)}"}
    lines = " · ".join(
        f"{_CLASS_NAMES[line.kind]}{details.get(line.kind, '')} {signed(line.points)} ({faces(line.cards)})"
        for line in tally.lines
        if line.cards
    )
    rest = f"set aside {face(tally.set_aside)}, left in hand {faces(tally.left) or 'none'}"
    return f"{name} **{number(tally.points)}**: {lines or 'nothing taken'}; {rest}"


# ---- the parts of a hand


def _cards_by_suit(observation: Observation) -> str:
    if not observation.hand:
        return ""
    lines = []
    for suit in SUITS:
        held = sorted((card for card in observation.hand if card[1] == suit), key=_in_hand)
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


def _in_hand(card: Card) -> tuple[int, int]:
    """Where a card stands among others: by suit, the strongest first."""
    return SUITS.index(card[1]), -STRENGTH[card]


def _secrets(table: Table, observation: Observation) -> str:
    seat = observation.seat
    if seat is None or not observation.turned:
        return ""
    poison = observation.turned[seat][-1][1]
    lines = [f"Your poison: {SUIT_SYMBOLS[poison]} {SUIT_NAMES[poison]}, −25 a card."]
    own = observation.set_aside[seat] if observation.set_aside else None
    if own is not None:
        lines.append(f"Your profit: {ranks(group_of(own) or '')}, +15 a card (you set {face(own)} aside).")
    elif observation.hidden:
        lines.append(f"{observation.hidden} more cards lie face down; you pick them up when all have chosen.")
    if observation.setup.players > 2:
        partner = (seat + 2) % observation.setup.players
        card = observation.set_aside[partner] if observation.set_aside else None
        if card is not None and card != FACE_DOWN:
            group = ranks(group_of(card) or "")
            lines.append(f"{name_of(table, partner)}'s profit: {group} (set {face(card)} aside).")
    if observation.pile:
        taken = f"You took {len(observation.pile)} cards, worth {number(observation.pile_points)} so far"
        lines.append(f"{taken}: {faces(observation.pile)}")
    return "\n".join(lines)


def pile_in_full(table: Table, observation: Observation) -> str:
    """The seat's own pile, card by card, for ``/pond won``."""
    if not observation.pile or observation.seat is None:
        return "You took nothing yet this round."
    heading = f"{len(observation.pile)} cards, worth **{number(observation.pile_points)}** so far."
    return "\n".join([heading, *(f"{face(card)} {_meaning(table, observation, card)}" for card in observation.pile)])


def _profit_choices(observation: Observation) -> tuple[Choice, ...]:
    return tuple(
        Choice(
            f"profit {choice.card}",
            f"{face(choice.card)}: profit {ranks(choice.group)}",
            _left_of_group(observation, choice),
        )
        for choice in profit_choices(observation.hand)
    )


def _left_of_group(observation: Observation, choice: ProfitChoice) -> str:
    poison = observation.turned[observation.seat or 0][-1][1]
    is_poison = choice.card[1] == poison
    poisoned = sum(card[0] in choice.group and card[1] == poison for card in observation.hand) - is_poison
    kept = f"You keep {choice.held - 1} of these ranks" + (f", {poisoned} of them poison to you" if poisoned else "")
    return f"{kept}; this card leaves play" + (" (it is your poison)" if is_poison else "")


def _meaning(table: Table, observation: Observation, card: Card) -> str:
    """What a card is in the trick, and to whom it is poison or, for the owner, profit."""
    parts = []
    if card[1] == "S":
        parts.append("trump" if STRENGTH[card] >= _WEAKEST_TRUMP else "anti-trump")
    seat = observation.seat
    if seat is None:
        return " · ".join(parts)
    own, poison = observation.set_aside[seat], observation.turned[seat][-1][1]
    if own is not None and own != FACE_DOWN and card[0] in (group_of(own) or "") and card[1] != poison:
        parts.append("your profit")
    for seats in side_seats(table, _GAME):
        if observation.turned[seats[0]][-1][1] == card[1]:
            own_side = "your poison" if len(seats) == 1 else "your side's poison"
            others = " & ".join(label_of(table, other) for other in seats)
            parts.append(own_side if seat in seats else f"poison of {others}")
    return " · ".join(parts) or "plain card"
