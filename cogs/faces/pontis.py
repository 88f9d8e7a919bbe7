"""What Pontis says: banks, hands, bridges with their arithmetic, and scores."""

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
from bot.ui.posts.text import label_of, listed, name_of, number, side_names, signed, to_play
from cogs.faces.cards import faces, paragraphs

_GAME: Final = GAMES["pontis"]
_ENDS: Final = {"out": "went out", "complete_curdle": "complete curdle", "stuck": "stuck"}
_CARDS_WORTH: Final = {0: "no card is", 1: "ace or joker", 11: "jack", 12: "queen", 13: "king"}


class PontisFace:
    """How Pontis looks."""

    game = _GAME
    settlements: tuple[type[Event], ...] = (GameScored,)

    def progress(self, observation: Observation) -> str:
        """Return the number of the game, if the match has several."""
        games = observation.setup.games
        return f"game {self.deal(observation) + 1} of {games}" if games > 1 else f"{observation.setup.players} players"

    def controls(self, _table: Table, _observation: Observation) -> tuple[()]:
        return ()

    def deal(self, observation: Observation) -> int:
        """Return the number of the game. After the last game it stays the same."""
        outcome = observation.outcome
        return len(observation.results) - (outcome is not None and not outcome.is_conceded)

    def prompt(self, table: Table, observation: Observation) -> str:
        return to_play(table, observation)

    def situation(self, table: Table, observation: Observation) -> Sequence[str]:
        return paragraphs(_asked(table, observation), _banks(table, observation), _window(table, observation))

    def standings(self, table: Table, observation: Observation) -> Sequence[str]:
        return paragraphs(_points(table, observation), _missed(table, observation))

    def describe(self, table: Table, observation: Observation) -> Sequence[str]:
        return [*self.situation(table, observation), *self.standings(table, observation)]

    def hand(self, table: Table, observation: Observation) -> Sequence[str]:
        """Return the cards by value, playable ones first, and who missed what if that can be called a lie."""
        calls = any(isinstance(move, Liar) for move in observation.legal)
        return paragraphs(_missed(table, observation) if calls else "", _hand(observation))

    def choices(self, table: Table, observation: Observation) -> tuple[Choices, ...]:
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
        match event:
            case DealerDrawn(seat):
                return f"{name_of(table, seat)} deals first."
            case FoundationsLaid(suit):
                return f"The foundations are {SUIT_SYMBOLS[suit]} {SUIT_NAMES[suit]}, face down."
            case Dealt(dealer, hand, rest):
                out = f"; {rest} stay out" if rest else ""
                return f"**{name_of(table, dealer)} deals** {hand} cards each{out}."
            case FoundationTurned(seat, bank, card):
                return f"{name_of(table, seat)} turns up {face(card)} on bank {bank + 1}."
            case Curdle(_, complete):
                return "A **complete curdle**: all tops are equal." if complete else "A **curdle**: two equal tops."
            case GameScored(game, result, _):
                return _scored_in_brief(table, game, result)
            case _:
                return _said_by_player(table, event)

    def settlement(self, table: Table, event: Event) -> str:
        return _scored(table, event.game, event.result) if isinstance(event, GameScored) else ""

    def scores(self, table: Table, observation: Observation) -> Sequence[str]:
        """Return every finished game, the latest first. During the first game, return the banks and points."""
        if not observation.results:
            return paragraphs("No game is finished yet.", _banks(table, observation), _points(table, observation))
        games = list(enumerate(observation.results))
        return [_totals(table, observation), *(_scored(table, n, result) for n, result in reversed(games))]

    def result(self, table: Table, observation: Observation) -> Sequence[str]:
        return [_totals(table, observation)]


def _said_by_player(table: Table, event: Event) -> str | None:
    """Return an event of a player's turn as a sentence."""
    match event:
        case Bridged():
            return _bridged(table, event)
        case Missed(seat, _, required):
            return f"{name_of(table, seat)} misses: no {_numbers(required)}."
        case SumAbility(seat):
            return f"**{name_of(table, seat)} has the sum ability**: two cards, added or subtracted."
        case AbilityPassed(seat):
            return f"{name_of(table, seat)} passes the sum ability on."
        case LiarCalled(caller, accused, right, points):
            verdict = f"right: +{points}, −{points}" if right else f"wrong: −{points}"
            return f"**{name_of(table, caller)}** calls {name_of(table, accused)} a liar, and is {verdict} (PT-25)."
        case _:
            return None


def _asked(table: Table, observation: Observation) -> str:
    """Return the bridge required, in words."""
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
    """Return a required number. If cards don't show that number, add which cards are worth it."""
    return f"{required} ({_CARDS_WORTH[required]})" if required in _CARDS_WORTH else str(required)


def _numbers(required: Sequence[int]) -> str:
    return " or ".join(map(str, required))


def _banks(table: Table, observation: Observation) -> str:
    """Return one line per bank, with the owner's hand and points if every bank has one owner."""
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
    """Return a player's hand size and their points besides the cards of their bank."""
    suits, calls = observation.suit_points[seat], observation.calls[seat]
    points = f", +{suits} for suits" if suits else ""
    return f"{observation.hand_counts[seat]} in hand{points}{f', calls {signed(calls)}' if calls else ''}"


def _points(table: Table, observation: Observation) -> str:
    """Return hands and points if `_banks` doesn't, and the totals of earlier games."""
    setup = observation.setup
    shared = setup.banks != setup.players
    seats = range(setup.players) if shared and any(observation.hand_counts) else ()
    lines = [f"{name_of(table, seat)}: {_player(observation, seat)}" for seat in seats]
    if observation.results:
        lines.append(_totals(table, observation))
    return "\n".join(lines)


def _missed(table: Table, observation: Observation) -> str:
    """Return the numbers each player has missed. Without fakes, these are true for the rest of the game."""
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
    """Return the suit point that the card on top would earn, if any (PT-12)."""
    if observation.bank is None or not (before := observation.banks[observation.bank - 1]):
        return ""
    return "+1 suit point" if top[1] == before[-1][1] and top[1] in SUIT_SYMBOLS else ""


def _pair(observation: Observation, move: Sum) -> tuple[str, str]:
    """Return a pair as a label, and its arithmetic."""
    ways = " or ".join(arithmetic(move.under, move.top, observation.required))
    point = _point(observation, move.top)
    return f"{face(move.under)} and {face(move.top)} on top", f"{ways} · {point}" if point else ways


def _bridged(table: Table, event: Bridged) -> str:
    what = f"**{name_of(table, event.seat)}** bridges {' or '.join(event.asked)} with {faces(event.cards)}"
    made = f" ({' or '.join(event.made)})" if event.made else ""
    return f"{what}{made}{', +1 suit point' if event.suit_point else ''}."


def _scored_in_brief(table: Table, game: int, result: Result) -> str:
    scores = zip(side_names(table, _GAME), result.scores, strict=True)
    return f"**Game {game + 1}**: " + " · ".join(f"{names} {signed(score.total)}" for (names, _), score in scores) + "."


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
