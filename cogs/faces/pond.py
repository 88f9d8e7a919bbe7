"""What Pond · cards says: boards, hands, choices and scores."""

from collections.abc import Iterable, Sequence
from typing import Final

from bot.games import GAMES
from bot.games.card_table import CardPlayed, DealerDrawn, Play
from bot.games.cards import SUIT_NAMES, SUIT_SYMBOLS, face
from bot.games.game import Event, Move, Seat
from bot.games.pond import (
    FACE_DOWN,
    Award,
    Bait,
    BaitLaid,
    CardClass,
    Laid,
    Misdealt,
    Observation,
    Pass,
    PoisonTurned,
    Profit,
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
)
from bot.tables import Table
from bot.ui.posts.post import Choice, Choices
from bot.ui.posts.text import label_of, listed, name_of, number, side_names, signed, to_play
from cogs.faces.cards import faces, paragraphs, ranks
from cogs.faces.pond_hand import cards_by_suit, meaning, offered_profits, poison_of, position, secrets

_GAME: Final = GAMES["pond"]
_CLASS_NAMES: Final = {
    CardClass.POISON: "poison",
    CardClass.PROFIT: "profit",
    CardClass.FACE: "face cards",
    CardClass.NUMBER: "number cards",
    CardClass.ACE: "aces",
}
_PROMPTS: Final = {
    "bait": "Bait, face up",
    "trap": "Open a trap, face down: everybody has to follow",
    "traps": "Trap card, face down",
}


class PondFace:
    """How Pond · cards looks."""

    game = _GAME
    settlements: tuple[type[Event], ...] = (RoundScored,)

    def progress(self, observation: Observation) -> str:
        rounds = observation.setup.rounds
        played = self.deal(observation) + 1
        return f"round {played} of {rounds}" if played <= rounds else f"extra round {played - rounds}"

    def controls(self, _table: Table, _observation: Observation) -> tuple[()]:
        return ()

    def deal(self, observation: Observation) -> int:
        """Return the number of the round. After the last round it stays the same."""
        outcome = observation.outcome
        return len(observation.rounds) - (outcome is not None and not outcome.is_conceded)

    def prompt(self, table: Table, observation: Observation) -> str:
        return to_play(table, observation)

    def situation(self, table: Table, observation: Observation) -> Sequence[str]:
        return paragraphs(_pond(table, observation, awaited=observation.seat is None))

    def standings(self, table: Table, observation: Observation) -> Sequence[str]:
        return paragraphs(
            _counts(table, observation),
            _poison(table, observation),
            _totals(table, observation),
        )

    def describe(self, table: Table, observation: Observation) -> Sequence[str]:
        """Return the board, and the visible tricks of this round (PC-21)."""
        return [
            *self.situation(table, observation),
            *self.standings(table, observation),
            *_earlier(table, observation),
        ]

    def hand(self, table: Table, observation: Observation) -> Sequence[str]:
        return paragraphs(cards_by_suit(observation), secrets(table, observation))

    def choices(self, table: Table, observation: Observation) -> tuple[Choices, ...]:
        """Return the legal moves. Every card comes with its meaning for this seat."""
        legal = observation.legal
        if any(isinstance(move, Profit) for move in legal):
            return (Choices("Set a card aside", offered_profits(observation)),)
        if awards := [move for move in legal if isinstance(move, Award)]:
            named = tuple(Choice(str(move), label_of(table, move.seat)) for move in awards)
            return (Choices("Who takes the tied trick?", named, as_buttons=True),)
        laid = sorted((m for m in legal if isinstance(m, Bait | Trap | Play)), key=lambda move: position(move.card))
        if not laid:
            return ()
        cards = tuple(Choice(str(m), face(m.card), meaning(table, observation, m.card)) for m in laid)
        to_trick = "Play to the trick" if observation.trick else "Lead"
        menu = Choices(_PROMPTS.get(observation.phase, to_trick), cards)
        no_trap = Choices("", (Choice("pass", "No trap"),), as_buttons=True, style="secondary")
        return (menu, no_trap) if observation.phase == "trap" else (menu,)

    def name_move(self, table: Table, observation: Observation, move: Move) -> str:
        match move:
            case Profit(card):
                return f"set {face(card)} aside: profit {ranks(group_of(card) or '')}"
            case Bait(card):
                return f"bait {face(card)} · {meaning(table, observation, card)}"
            case Trap(card):
                return f"trap {face(card)} · {meaning(table, observation, card)}"
            case Play(card):
                return f"play {face(card)} · {meaning(table, observation, card)}"
            case Award(seat):
                return f"{label_of(table, seat)} takes the trick"
            case Pass():
                return "no trap"
            case _:
                return str(move)

    def say(self, table: Table, event: Event) -> str | None:
        match event:
            case DealerDrawn(seat):
                return f"{name_of(table, seat)} deals first."
            case PoisonTurned(round_number, dealer, _):
                return f"**Round {round_number + 1}.** {name_of(table, dealer)} deals and begins the first pond."
            case Misdealt(seats):
                return f"{_listed(table, seats)} had only 4s and face cards: dealt anew (PC-10)."
            case ProfitChosen(seat):
                return f"{name_of(table, seat)} set a card aside."
            case RoundScored(round_number, score, _):
                return _round_in_brief(table, round_number, score)
            case _:
                return _said_of_pond(table, event)

    def settlement(self, table: Table, event: Event) -> str:
        return _round_in_full(table, event.round, event.score) if isinstance(event, RoundScored) else ""

    def scores(self, table: Table, observation: Observation) -> Sequence[str]:
        if not observation.rounds:
            return ["No round is finished yet."]
        rounds = list(enumerate(observation.rounds))
        return [_totals(table, observation), *(_round_in_full(table, n, score) for n, score in reversed(rounds))]

    def result(self, table: Table, observation: Observation) -> Sequence[str]:
        return [_totals(table, observation)]


# ---- events


def _listed(table: Table, seats: Iterable[Seat]) -> str:
    return listed([name_of(table, seat) for seat in seats])


def _said_of_pond(table: Table, event: Event) -> str | None:
    """Return an event of a pond or a trick as a sentence."""
    match event:
        case BaitLaid(seat, card):
            return f"{name_of(table, seat)} baits with {face(card)}."
        case TrapLaid(seat):
            return f"{name_of(table, seat)} lays a trap card."
        case TrapDeclined(seat):
            return f"{name_of(table, seat)} opens no trap."
        case CardPlayed(seat, card):
            return f"{name_of(table, seat)} plays {face(card)}."
        case TieToDecide(leader, tied):
            return f"{_listed(table, tied)} are tied: {name_of(table, leader)} names who takes the trick (PC-24)."
        case TrickTaken(seat, count, how):
            by = {"best": "", "first": ", first of the tied", "awarded": " by the leader's choice"}[how]
            return f"**{name_of(table, seat)}** takes trick and pond, {count} cards{by}."
        case _:
            return None


# ---- the parts of a board


def _poison(table: Table, observation: Observation) -> str:
    if not observation.turned:
        return ""
    lines = []
    for names, seats in side_names(table, _GAME):
        suit = poison_of(observation, seats[0])
        turned = ", ".join(faces(observation.turned[seat]) for seat in seats)
        lines.append(f"{names}: {SUIT_SYMBOLS[suit]} {SUIT_NAMES[suit]} (turned {turned})")
    return "**Poison**\n" + "\n".join(lines)


def _laid(table: Table, laid: Sequence[Laid]) -> str:
    return " · ".join(f"{name_of(table, seat)} {faces((card,))}" for seat, card in laid)


def _pond(table: Table, observation: Observation, *, awaited: bool = True) -> str:
    """Return what lies on the table; ``awaited``: also who has still to choose, or has laid a trap card."""
    if observation.starter is None or observation.phase == "profit":
        choosing = [seat for seat, card in enumerate(observation.set_aside) if card is None]
        if not choosing:
            return ""
        names = f"; still to choose: {_listed(table, choosing)}" if awaited else ""
        return f"Everybody sets a card aside in secret{names}."
    lines = [f"**Pond**: {_laid(table, observation.baits) or f'{name_of(table, observation.starter)} begins'}"]
    if observation.traps and (awaited or observation.phase != "traps"):
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


def _round_in_brief(table: Table, round_number: int, score: RoundScore) -> str:
    sides = " · ".join(f"{names} {signed(score.points[seats[0]])}" for names, seats in side_names(table, _GAME))
    return f"**Round {round_number + 1}**: {sides}."


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
