"""The texts of Pond · cards on boards and in events. Hands are in `pond_hand`, scores in `pond_scores`."""

from collections.abc import Mapping, Sequence
from typing import Final

from bot.games import GAMES
from bot.games.card_table import CardPlayed, DealerDrawn, Play
from bot.games.cards import SUIT_SYMBOLS
from bot.games.cards import face as face_of
from bot.games.game import Event, Move, Seat
from bot.games.pond.events import (
    BaitLaid,
    Misdealt,
    PoisonTurned,
    ProfitChosen,
    RoundScored,
    TieToDecide,
    TrapDeclined,
    TrapLaid,
    TrickTaken,
)
from bot.games.pond.moves import Award, Bait, Pass, Profit, Trap
from bot.games.pond.observation import FACE_DOWN, Observation
from bot.games.pond.scoring import position
from bot.games.pond.state import Laid, Taken
from bot.tables import Table
from bot.texts import gettext as _
from bot.texts import ngettext
from bot.ui.posts.face import Face, OptionText
from bot.ui.posts.names import label_of, name_of, side_names
from bot.ui.posts.post import Button, Choices
from bot.ui.posts.text import listed, number, signed
from cogs.faces import pond_hand, pond_scores
from cogs.faces.cards import face_down, faces, paragraphs

_GAME: Final = GAMES["pond"]


class PondFace(Face[Observation]):
    """The face of Pond · cards."""

    game = _GAME
    settlements: tuple[type[Event], ...] = (RoundScored,)
    continuations: tuple[type[Event], ...] = (TieToDecide, TrickTaken)
    summed_up: tuple[type[Event], ...] = (TrickTaken,)

    def pitch(self) -> str:
        return _("Tricks with poison · 2 or 4 players · about 30 min")

    def option_texts(self) -> Mapping[str, OptionText]:
        return {
            "players": OptionText(_("Players"), {2: _("2 players"), 4: _("4 players in pairs")}),
            "rounds": OptionText(_("Rounds"), {4: _("4 rounds"), 2: _("2 rounds")}),
            "tie": OptionText(
                _("Tied tricks"),
                {"leader": _("The leader settles ties"), "first": _("First of tied cards wins")},
                is_common=False,
            ),
            "tiebreak": OptionText(
                _("Equal scores"),
                {"none": _("Equal scores are a draw"), "extra": _("Extra rounds break a draw")},
                is_common=False,
            ),
            "history": OptionText(
                _("Earlier tricks"),
                {"log": _("Look up any trick"), "last": _("Look up the last trick")},
                is_common=False,
            ),
        }

    def progress(self, observation: Observation) -> str:
        rounds = observation.setup.rounds
        played = self.deal(observation) + 1
        if played > rounds:
            return _("extra round {n}", n=played - rounds)
        return _("round {n} of {rounds}", n=played, rounds=rounds)

    def controls(self, table: Table, observation: Observation) -> tuple[tuple[Button, ...], ...]:
        pile = _("My pile {points}", points=signed(observation.pile_points))
        return ((Button("won", pile),),) if observation.pile else ()

    def deal(self, observation: Observation) -> int:
        """Return the number of the round. After the last round it stays the same."""
        outcome = observation.outcome
        return len(observation.rounds) - (outcome is not None and not outcome.is_conceded)

    def prompt(self, table: Table, observation: Observation) -> str:
        if observation.seat in observation.to_act:
            return pond_hand.purpose(table, observation)
        seats = sorted(seat for seat in observation.to_act if seat is not None)
        names = listed([f"**{name_of(table, seat)}**" for seat in seats])
        if observation.seat is None:
            return _("{names}: {task}", names=names, task=_task(observation))
        return _("Waiting for {names}: {task}", names=names, task=_task(observation))

    def situation(self, table: Table, observation: Observation) -> Sequence[str]:
        if observation.starter is None or observation.phase == "profit":
            if observation.seat is not None:
                return []
            return [_("Everyone sets a card aside in secret. Cards of its ranks score +15 for them.")]
        lines = [_pond(table, observation), _trick(table, observation), pond_hand.worth(table, observation)]
        if observation.seat is None or observation.phase == "bait":
            lines.append(_last_trick(table, observation))
        return paragraphs("\n".join(filter(None, lines)))

    def standings(self, table: Table, observation: Observation) -> Sequence[str]:
        if not observation.turned:
            return []
        sides = [_side(observation, names, seats) for names, seats in side_names(table, _GAME)]
        return ["\n".join((*sides, _cards(observation)))]

    def describe(self, table: Table, observation: Observation) -> Sequence[str]:
        """Return the board, and the visible tricks of this round (PC-21)."""
        return [
            *self.situation(table, observation),
            *self.standings(table, observation),
            *_earlier(table, observation),
        ]

    def hand(self, table: Table, observation: Observation) -> Sequence[str]:
        return pond_hand.hand(table, observation)

    def card_row(self, table: Table, observation: Observation) -> str:
        return pond_hand.card_row(observation)

    def news(self, table: Table, observation: Observation, events: Sequence[Event]) -> Sequence[str]:
        """Return the last trick where the situation doesn't have it, also of the round before."""
        if observation.taken and (observation.seat is None or observation.phase == "bait"):
            return ()
        line = _last_trick(table, observation) or _last_of_round(table, observation, events)
        return paragraphs(line.removeprefix("-# "))

    def beside_picture(self, table: Table, observation: Observation) -> Sequence[str]:
        has_last = observation.phase != "profit" and (observation.seat is None or observation.phase == "bait")
        last = _last_trick(table, observation) if has_last else ""
        known = (
            pond_hand.worth(table, observation),
            pond_hand.marks(observation),
            pond_hand.partners_profit(table, observation),
        )
        return paragraphs("\n".join(filter(None, (*known, last))))

    def choices(self, table: Table, observation: Observation) -> tuple[Choices, ...]:
        return pond_hand.choices(table, observation)

    def name_move(self, table: Table, observation: Observation, move: Move) -> str:
        match move:
            case Profit(card):
                return pond_hand.name_profit(card)
            case Bait(card) | Trap(card) | Play(card):
                return pond_hand.label(table, observation, card)
            case Award(seat):
                return _("{name} takes the trick", name=label_of(table, seat))
            case Pass():
                return _("no trap")
            case _:
                return str(move)

    def say(self, table: Table, event: Event) -> str | None:
        match event:
            case DealerDrawn(seat):
                return _("{name} deals first.", name=name_of(table, seat))
            case PoisonTurned(round=played, dealer=dealer):
                return _("**Round {n}**: {name} starts the first pond.", n=played + 1, name=name_of(table, dealer))
            case Misdealt(seats):
                names = listed([name_of(table, seat) for seat in seats])
                return _("{names} had only 4s and face cards, so everyone gets new cards.", names=names)
            case ProfitChosen(seat):
                return _("{name} sets a card aside.", name=name_of(table, seat))
            case RoundScored(round=played, score=score):
                return pond_scores.round_in_brief(table, played, score)
            case _:
                return _said_of_pond(table, event)

    def settlement(self, table: Table, observation: Observation) -> str:
        return pond_scores.settlement(table, observation)

    def scores(self, table: Table, observation: Observation) -> Sequence[str]:
        return pond_scores.scores(table, observation)

    def result(self, table: Table, observation: Observation) -> Sequence[str]:
        return pond_scores.result(table, observation)


def _task(observation: Observation) -> str:
    """Return the task, to stand after the names."""
    match observation.phase:
        case "profit":
            return _("set a card aside.")
        case "bait":
            return _("add a bait to the pond.")
        case "trap":
            return _("trap or no trap?")
        case "traps":
            return _("lay a trap too, face down.")
        case "award":
            return _("choose who takes the tied trick.")
        case _:
            return _("play a card to the trick.") if observation.trick else _("lead a card.")


# ---- events


def _said_of_pond(table: Table, event: Event) -> str | None:
    """Return an event of a pond or a trick as a sentence."""
    match event:
        case BaitLaid(seat, card):
            return _("{name} baits with {card}.", name=name_of(table, seat), card=face_of(card))
        case TrapLaid(seat):
            return _("{name} lays a trap.", name=name_of(table, seat))
        case TrapDeclined(seat):
            return _("{name} lays no trap.", name=name_of(table, seat))
        case CardPlayed(seat, card):
            return _("{name} plays {card}.", name=name_of(table, seat), card=face_of(card))
        case TieToDecide(leader, tied):
            names = listed([name_of(table, seat) for seat in tied])
            return _("{names} tie: {leader} decides.", names=names, leader=name_of(table, leader))
        case TrickTaken(seat, n, how):
            name = name_of(table, seat)
            if how == "awarded":
                return ngettext("**{name}** gets {n} card.", "**{name}** gets {n} cards.", n, name=name)
            return ngettext("**{name}** takes {n} card.", "**{name}** takes {n} cards.", n, name=name)
        case _:
            return None


# ---- the parts of a board


def _laid(table: Table, laid: Sequence[Laid]) -> str:
    return " · ".join(f"{name_of(table, seat)} {faces((card,))}" for seat, card in laid)


def _pond(table: Table, observation: Observation) -> str:
    cards = _laid(table, observation.baits) or _("empty so far")
    if traps := _traps(observation):
        return _("**Pond**: {cards} · {traps}", cards=cards, traps=traps)
    return _("**Pond**: {cards}", cards=cards)


def _traps(observation: Observation) -> str:
    """Return the number of traps, and the seat's own.

    While they are being laid, a seat sees only its own, so that its hand needn't be edited for each.
    """
    n = len(observation.traps)
    own = [face_of(card) for seat, card in observation.traps if seat == observation.seat]
    if observation.seat is not None and observation.phase == "traps":
        return _("your trap {card}", card=own[0]) if own else ""
    if own:
        return ngettext("{n} trap (yours {card})", "{n} traps (yours {card})", n, card=own[0])
    return face_down(n, ngettext("{n} trap face down", "{n} traps face down", n)) if n else ""


def _trick(table: Table, observation: Observation) -> str:
    return _("**Trick**: {cards}", cards=_laid(table, observation.trick)) if observation.trick else ""


def _last_trick(table: Table, observation: Observation) -> str:
    if not observation.taken:
        return ""
    last = observation.taken[-1]
    return _trick_taken(table, last.trick, last.taker, len(last.laid))


def _last_of_round(table: Table, observation: Observation, events: Sequence[Event]) -> str:
    """Return the last trick of the round that was scored last; empty if that's too long ago."""
    at = max((at for at, event in enumerate(events) if isinstance(event, TrickTaken)), default=0)
    played = [Laid(event.seat, event.card) for event in events[:at] if isinstance(event, CardPlayed)]
    trick, taken = played[-observation.setup.players :], events[at] if events else None
    if not isinstance(taken, TrickTaken) or len(trick) < observation.setup.players:
        return ""
    return _trick_taken(table, trick, taken.seat, taken.cards)


def _trick_taken(table: Table, trick: Sequence[Laid], taker: Seat, n: int) -> str:
    return ngettext(
        "-# Last trick: {cards}; {name} took {n} card",
        "-# Last trick: {cards}; {name} took {n} cards",
        n,
        cards=_laid(table, trick),
        name=name_of(table, taker),
    )


def _earlier(table: Table, observation: Observation) -> list[str]:
    lines = [
        _one_earlier(table, count, taken)
        for count, taken in enumerate(observation.taken, 1)
        if any(laid.card != FACE_DOWN for laid in taken.laid)
    ]
    return ["\n".join((_("**Earlier this round**"), *lines))] if lines else []


def _one_earlier(table: Table, count: int, taken: Taken) -> str:
    parts = [_("pond {cards}", cards=_laid(table, taken.baits))]
    if taken.traps:
        parts.append(_("traps {cards}", cards=_laid(table, taken.traps)))
    parts.append(_("trick {cards}", cards=_laid(table, taken.trick)))
    return _("{n}. {parts}; {name} took it", n=count, parts="; ".join(parts), name=name_of(table, taken.taker))


def _side(observation: Observation, names: str, seats: Sequence[Seat]) -> str:
    """Return a side's points, its poison and how many cards each of its players has taken."""
    total, suit = number(observation.totals[seats[0]]), SUIT_SYMBOLS[observation.poison(seats[0])]
    piles = [observation.pile_counts[seat] for seat in seats if observation.pile_counts]
    if not any(piles):
        return _("{names} **{total}** · poison {suit}", names=names, total=total, suit=suit)
    taken = " + ".join(map(str, piles))
    return _("{names} **{total}** · poison {suit} · taken {taken}", names=names, total=total, suit=suit, taken=taken)


def _cards(observation: Observation) -> str:
    """Return the number of cards that everyone holds, and the cards turned for poison."""
    few, many = min(observation.hand_counts, default=0), max(observation.hand_counts, default=0)
    held = str(many) if few == many else _("{few} or {many}", few=few, many=many)
    turned = sorted((card for cards in observation.turned for card in cards), key=position)
    return _("-# In hand: {held} each · turned for poison, not in play: {cards}", held=held, cards=faces(turned))
