"""What Pontis says: its banks, hands, bridges with their arithmetic, and scores."""

from collections.abc import Sequence
from typing import Final

from bot.games import GAMES
from bot.games.card_table import DealerDrawn, Play
from bot.games.cards import SUIT_NAMES, SUIT_SYMBOLS, Card, face
from bot.games.game import Event, Move, Seat
from bot.games.pontis import (
    AbilityPassed,
    Bridged,
    Curdle,
    Dealt,
    Decline,
    FoundationsLaid,
    FoundationTurned,
    GameScored,
    Liar,
    LiarCalled,
    Miss,
    Missed,
    Observation,
    Result,
    Sum,
    SumAbility,
    arithmetic,
    value,
)
from bot.tables import Table
from bot.ui.posts.post import Choice, Choices
from bot.ui.posts.text import label_of, listed, name_of, number, side_names, signed
from cogs.faces.cards import faces

_GAME: Final = GAMES["pontis"]
_ENDS: Final = {"out": "went out", "complete_curdle": "complete curdle", "stuck": "stuck"}
_CARDS_WORTH: Final = {0: "no card is", 1: "ace or joker", 11: "jack", 12: "queen", 13: "king"}


class PontisFace:
    """How Pontis looks. Everything is made from one seat's, or the public's, observation."""

    game = _GAME
    settlements: tuple[type[Event], ...] = (GameScored,)

    def progress(self, observation: Observation) -> str:
        """The game of the match, if it has several."""
        games = observation.setup.games
        return f"game {self.deal(observation) + 1} of {games}" if games > 1 else f"{observation.setup.players} players"

    def deal(self, observation: Observation) -> int:
        """The number of the game; the last one still when the match is over."""
        outcome = observation.outcome
        return len(observation.results) - (outcome is not None and not outcome.is_conceded)

    def board(self, table: Table, observation: Observation) -> Sequence[str]:
        """The bridge required, every bank, hands and points, what was missed, and what can be called a lie."""
        return [
            part
            for part in (
                _asked(table, observation),
                _banks(table, observation),
                _points(table, observation),
                _missed(table, observation),
                _window(table, observation),
            )
            if part
        ]

    def describe(self, table: Table, observation: Observation) -> Sequence[str]:
        """The board, which is in words already."""
        return self.board(table, observation)

    def hand(self, table: Table, observation: Observation) -> Sequence[str]:
        """The cards by value, those that can be played now first; on the seat's turn what is asked."""
        asked = _asked(table, observation) if observation.legal else ""
        calls = any(isinstance(move, Liar) for move in observation.legal)
        told = (_window(table, observation), _missed(table, observation)) if calls else ()
        return [part for part in (asked, *told, _hand(observation)) if part]

    def choices(self, table: Table, observation: Observation) -> tuple[Choices, ...]:
        """Bridges of one card or of two, and what can be said instead."""
        legal = observation.legal
        plays = sorted((m for m in legal if isinstance(m, Play)), key=lambda move: value(move.card))
        sums = sorted((m for m in legal if isinstance(m, Sum)), key=lambda move: -value(move.under) - value(move.top))
        groups = []
        if plays:
            singles = tuple(Choice(str(m), face(m.card), _point(observation, m.card)) for m in plays)
            groups.append(Choices(f"One card: {' or '.join(observation.asked)}", singles))
        if sums:
            pairs = tuple(Choice(str(m), *_pair(observation, m)) for m in sums)
            groups.append(Choices(f"Two cards that make {_numbers(observation.required)}", pairs))
        said = tuple(
            Choice(str(m), self.name_move(table, observation, m)) for m in legal if isinstance(m, Miss | Decline | Liar)
        )
        if said:
            groups.append(Choices("", said, as_buttons=True, style="secondary"))
        return tuple(groups)

    def name_move(self, table: Table, observation: Observation, move: Move) -> str:
        """The move in words."""
        match move:
            case Play(card):
                point = _point(observation, card)
                return f"play {face(card)}" + (f" · {point}" if point else "")
            case Sum():
                label, hint = _pair(observation, move)
                return f"{label} · {hint}"
            case Miss():
                return "Miss"
            case Decline():
                return "Decline"
            case Liar(seat):
                return f"Liar! {label_of(table, seat)}"
            case _:
                return str(move)

    def say(self, table: Table, event: Event) -> str | None:
        """The event as a sentence."""

        def who(seat: Seat) -> str:
            return name_of(table, seat)

        match event:
            case DealerDrawn(seat):
                return f"{who(seat)} deals first."
            case FoundationsLaid(suit):
                return f"The foundations are {SUIT_SYMBOLS[suit]} {SUIT_NAMES[suit]}, face down."
            case Dealt(dealer, hand, rest):
                out = f"; {rest} stay out" if rest else ""
                return f"**{who(dealer)} deals** {hand} cards each{out}."
            case FoundationTurned(seat, bank, card):
                return f"{who(seat)} turns up {face(card)} on bank {bank + 1}."
            case Bridged():
                return _bridged(table, event)
            case Missed(seat, _, required):
                return f"{who(seat)} misses: no {_numbers(required)}."
            case SumAbility(seat):
                return f"**{who(seat)} has the sum ability**: two cards, added or subtracted."
            case AbilityPassed(seat):
                return f"{who(seat)} passes the sum ability on."
            case Curdle(_, complete):
                return "A **complete curdle**: all tops are equal." if complete else "A **curdle**: two equal tops."
            case LiarCalled(caller, accused, right, points):
                if right:
                    return f"**{who(caller)}** calls {who(accused)} a liar, and is right: +{points}, −{points} (PT-25)."
                return f"**{who(caller)}** calls {who(accused)} a liar, and is wrong: −{points} (PT-25)."
            case GameScored(game, result, _):
                return _scored(table, game, result)
            case _:
                return None

    def scores(self, table: Table, observation: Observation) -> Sequence[str]:
        """Every finished game in full, the latest first; before, how the first one stands."""
        if not observation.results:
            parts = ("No game is finished yet.", _banks(table, observation), _points(table, observation))
            return [part for part in parts if part]
        games = list(enumerate(observation.results))
        return [_totals(table, observation), *(_scored(table, n, result) for n, result in reversed(games))]

    def result(self, table: Table, observation: Observation) -> Sequence[str]:
        """Totals over all games."""
        return [_totals(table, observation)]


def _asked(table: Table, observation: Observation) -> str:
    """The bridge required, spelled out."""
    if observation.bank is None:
        return ""
    own, affecter = observation.banks[observation.bank][-1], observation.banks[observation.bank - 1][-1]
    tops = f"Bank {observation.bank + 1} shows {face(own)}, the bank before it {face(affecter)}: "
    asked = tops + " or ".join(f"**{sentence}**" for sentence in observation.asked)
    worth = " or ".join(map(_worth, observation.required))
    who = name_of(table, observation.order[0])
    if not observation.ability:
        return f"{asked}\n{who} needs a card worth {worth}."
    made = f"two cards whose sum or difference is {_numbers(observation.required)}"
    return f"{asked}\n{who} has the **sum ability**: {made}, or one card worth {worth}."


def _worth(required: int) -> str:
    """A number that is asked for, with the cards that are worth it where that isn't printed on them."""
    return f"{required} ({_CARDS_WORTH[required]})" if required in _CARDS_WORTH else str(required)


def _numbers(required: Sequence[int]) -> str:
    return " or ".join(map(str, required))


def _banks(table: Table, observation: Observation) -> str:
    """Each bank in a line, with all there is to say of its owner where it has one alone."""
    setup = observation.setup
    lines = []
    for bank, cards in enumerate(observation.banks):
        owners = dict.fromkeys(seat for slot, seat in enumerate(setup.owners) if slot % setup.banks == bank)
        whose = " & ".join(name_of(table, seat) for seat in owners)
        top = f"**{face(cards[-1])}**, {_cards(len(cards))}" if cards else "face down"
        parts = [top, *([_player(observation, bank)] if setup.banks == setup.players else [])]
        lines.append(f"{bank + 1}. {'→ ' if bank == observation.bank else ''}{whose}: {'; '.join(parts)}")
    return "**Banks**, clockwise: the turn goes down this list\n" + "\n".join(lines) if lines else ""


def _cards(count: int) -> str:
    return f"{count} card{'' if count == 1 else 's'}"


def _player(observation: Observation, seat: Seat) -> str:
    """What a player holds, and the points that he has beyond the cards of his bank."""
    suits, calls = observation.suit_points[seat], observation.calls[seat]
    points = f", +{suits} for suits" if suits else ""
    return f"{observation.hand_counts[seat]} in hand{points}{f', calls {signed(calls)}' if calls else ''}"


def _points(table: Table, observation: Observation) -> str:
    """Hands and points where they don't stand beside a bank, and the totals of several games."""
    setup = observation.setup
    shared = setup.banks != setup.players
    seats = range(setup.players) if shared and any(observation.hand_counts) else ()
    lines = [f"{name_of(table, seat)}: {_player(observation, seat)}" for seat in seats]
    if observation.results:
        lines.append(_totals(table, observation))
    return "\n".join(lines)


def _missed(table: Table, observation: Observation) -> str:
    """What each player has said not to hold; in honest play it is true for the rest of the game."""
    said = [
        f"{name_of(table, seat)} no {', '.join(map(str, sorted({value for required in missed for value in required})))}"
        for seat, missed in enumerate(observation.missed)
        if missed
    ]
    doubt = ", truly or not" if observation.setup.fake == "on" else ""
    return f"-# Missed{doubt}: {' · '.join(said)}" if said else ""


def _totals(table: Table, observation: Observation) -> str:
    sides = side_names(table, _GAME)
    return "**Totals**: " + " · ".join(f"{names} {number(observation.totals[seats[0]])}" for names, seats in sides)


def _window(table: Table, observation: Observation) -> str:
    window = observation.window
    if window is None or observation.setup.liar == "off":
        return ""
    played = f"{name_of(table, window.seat)} played {faces(window.cards)}"
    return f"{played}. Until the next play that can be called a lie (PT-25)."


def _hand(observation: Observation) -> str:
    if not observation.hand:
        return ""
    playable = {card for move in observation.legal for card in _cards_of(move)}
    first = sorted((card for card in observation.hand if card in playable), key=value)
    rest = sorted((card for card in observation.hand if card not in playable), key=value)
    lines = [f"Playable: **{faces(first)}**"] if first else []
    return "\n".join([*lines, f"{'Others' if first else f'{len(rest)} cards'}: {faces(rest)}"] if rest else lines)


def _cards_of(move: Move) -> tuple[Card, ...]:
    if isinstance(move, Play):
        return (move.card,)
    return (move.under, move.top) if isinstance(move, Sum) else ()


def _point(observation: Observation, top: Card) -> str:
    """Whether the card on top would earn a suit point (PT-12)."""
    if observation.bank is None or not (before := observation.banks[observation.bank - 1]):
        return ""
    return "+1 suit point" if top[1] == before[-1][1] and top[1] in SUIT_SYMBOLS else ""


def _pair(observation: Observation, move: Sum) -> tuple[str, str]:
    """A pair as a label, and the arithmetic behind it."""
    ways = " or ".join(arithmetic(move.under, move.top, observation.required))
    point = _point(observation, move.top)
    return f"{face(move.under)} and {face(move.top)} on top", f"{ways} · {point}" if point else ways


def _bridged(table: Table, event: Bridged) -> str:
    what = f"**{name_of(table, event.seat)}** bridges {' or '.join(event.asked)} with {faces(event.cards)}"
    made = f" ({' or '.join(event.made)})" if event.made else ""
    return f"{what}{made}{', +1 suit point' if event.suit_point else ''}."


def _scored(table: Table, game: int, result: Result) -> str:
    lines = [f"**Game {game + 1}**: {_ENDS[result.reason]}"]
    for (names, _), score in zip(side_names(table, _GAME), result.scores, strict=True):
        parts = [f"cards {score.cards}", f"suit points {score.suit_points}"]
        parts += [
            f"{what} {signed(points)}"
            for what, points in (("going out", score.bonus), ("first miss", score.penalty), ("calls", score.calls))
            if points
        ]
        lines.append(f"{names} **{number(score.total)}** = {listed(parts)}")
    return "\n".join(lines)
