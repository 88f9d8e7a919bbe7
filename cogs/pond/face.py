"""The face of Pond · cards: its options, moves and events. What boards, hands and scores say has modules of its own."""

from collections.abc import Mapping, Sequence
from typing import Final

from bot.errors import Text
from bot.games import GAMES
from bot.games.cards import CardPlayed, DealerDrawn, Play, face as face_of
from bot.games.game import Event, Move, Value
from bot.games.pond import moves
from bot.games.pond.state import Observation
from bot.records.table import Table
from bot.texts import gettext as _, listed, ngettext
from bot.ui.posts.face import Face, OptionText
from bot.ui.posts.names import label_of, name_of
from bot.ui.posts.post import Button
from bot.ui.posts.text import signed
from cogs.card_texts import paragraphs, tricks_since
from cogs.pond import board as pond_board, hand as pond_hand, picture, scores as pond_scores
from cogs.pond.decided import decided
from cogs.pond.hint_words import HINT_WORDS
from cogs.pond.lesson import LESSON, PUZZLES

_GAME: Final = GAMES["pond"]
_OTHERS_POISON: Final = 1
_SPADES: Final = 2
_TURNED_TRUMPS: Final = 5
"""The numbers of the first advice on the other side's poison, spades, and trumps that were turned up for poison."""


class PondFace(Face[Observation]):
    """The face of Pond · cards."""

    game = _GAME
    main_options = ("players", "rounds")
    lobby_menus = ("players",)
    drawings = picture.DRAWINGS
    lesson = LESSON
    hint_words = HINT_WORDS
    dear = 5.0
    close = 25
    puzzles = PUZZLES
    settlements: tuple[type[Event], ...] = (moves.RoundScored,)
    continuations: tuple[type[Event], ...] = (moves.TieToDecide, moves.TrickTaken)
    summed_up: tuple[type[Event], ...] = (moves.TrickTaken,)
    unfinished = Text("The unfinished round isn't included.")

    prompt = staticmethod(pond_board.prompt)
    payoff = staticmethod(pond_board.payoff)
    hand = staticmethod(pond_hand.hand)
    open_hand = staticmethod(pond_hand.open_hand)
    choices = staticmethod(pond_hand.choices)
    decided = staticmethod(decided)
    ended_in_full = staticmethod(pond_scores.ended_in_full)
    settlement = staticmethod(pond_scores.settlement)
    reasons = staticmethod(pond_scores.reasons)
    scores = staticmethod(pond_scores.scores)
    result = staticmethod(pond_scores.result)
    why = staticmethod(pond_scores.why)

    def pitch(self) -> str:
        return _("Win ponds of cards, but not your poison.")

    def players(self) -> str:
        return _("2 or 4 players")

    def decisions(self, options: Mapping[str, Value]) -> float:
        return 13 * int(options["rounds"])

    def option_texts(self) -> Mapping[str, OptionText]:
        return {
            "players": OptionText(_("Players"), {2: _("2 players"), 4: _("4 players in pairs")}),
            "rounds": OptionText(_("Rounds"), {4: _("4 rounds"), 2: _("2 rounds")}),
            "tie": OptionText(
                _("Ties"), {"leader": _("Ties: the leader decides"), "first": _("Ties: first card wins")}
            ),
            "tiebreak": OptionText(
                _("Equal scores"), {"none": _("Equal scores are a draw"), "extra": _("Equal scores: extra rounds")}
            ),
            "history": OptionText(
                _("Earlier tricks"), {"log": _("Earlier tricks: all"), "last": _("Earlier tricks: last only")}
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

    def tip(self, observation: Observation) -> int | None:
        if observation.round or not observation.legal:
            return None
        tricks, is_leading = len(observation.taken), not observation.trick
        of_phase = {"bait": (1, 5), "trap": (4,), "play": (3 if is_leading else 0, 2)}
        number = dict(enumerate(of_phase.get(observation.phase, ()))).get(tricks)
        return number if number is not None and _has_choice(observation, number) else None

    def is_after_trick(self, observation: Observation) -> bool:
        return bool(observation.taken) and not observation.baits

    def deal(self, observation: Observation) -> int:
        """Return the number of the round. After the last round it stays the same."""
        return observation.round

    def situation(self, table: Table, observation: Observation) -> Sequence[str]:
        if observation.starter is None or observation.phase == "profit":
            if observation.seat is not None or observation.outcome is not None:
                return []
            return [_("Everyone secretly sets a card aside: its profit ranks score +15 for them.")]
        lines = [
            pond_board.pond(table, observation),
            pond_board.trick(table, observation),
            pond_hand.worth(table, observation),
        ]
        if observation.seat is None:  # a hand has it among its news
            lines += _last_trick(table, observation)
        return paragraphs("\n".join(filter(None, lines)))

    def standings(self, table: Table, observation: Observation) -> Sequence[str]:
        return paragraphs(pond_board.standings(table, observation))

    def describe(self, table: Table, observation: Observation) -> Sequence[str]:
        """Return the board, and the visible tricks of this round (PC-21); after the game, its scores."""
        return [
            *self.situation(table, observation),
            *self.standings(table, observation),
            *pond_board.earlier(table, observation),
            *(self.result(table, observation) if observation.outcome is not None else ()),
        ]

    def news(self, table: Table, observation: Observation, events: Sequence[Event]) -> Sequence[str]:
        """Return the last trick where the situation doesn't have it: to a hand, at the end, and between two rounds."""
        if observation.taken and observation.seat is None:
            return ()
        return paragraphs(pond_board.last_trick(table, observation), _tricks_since(table, observation, events))

    def end_of_deal(self, table: Table, observation: Observation, events: Sequence[Event]) -> Sequence[str]:
        last = pond_board.last_trick(table, observation)
        return paragraphs(pond_board.payoff(table, observation), f"-# {last}" if last else "")

    def beside_picture(self, table: Table, observation: Observation) -> Sequence[str]:
        if observation.seat is None:
            last = _last_trick(table, observation) if observation.phase != "profit" else []
            return paragraphs(*last, pond_board.out_of_play(observation))
        secrets, out_of_play = pond_hand.secrets_in_brief(table, observation), pond_board.out_of_play(observation)
        if observation.seat in observation.to_act and observation.phase == "profit":
            return paragraphs("\n".join(paragraphs(secrets, out_of_play)))  # both are part of the choice
        return paragraphs("\n".join(paragraphs(secrets, pond_hand.worth(table, observation))), out_of_play)

    def name_move(self, table: Table, observation: Observation, move: Move) -> str:
        match move:
            case moves.Profit() | moves.Bait() | moves.Trap() | Play():
                return pond_hand.choice(table, observation, move).label
            case moves.Award(seat):
                return _("{name} takes the trick", name=label_of(table, seat))
            case moves.Pass():
                return _("no trap")
            case _:
                return str(move)

    def name_in_hint(self, table: Table, observation: Observation, move: Move) -> tuple[str, str]:
        if isinstance(move, moves.Award):
            return self.name_move(table, observation, move), pond_hand.award(table, observation, move).worth
        if not isinstance(move, moves.Profit | moves.Bait | moves.Trap | Play):
            return self.name_move(table, observation, move), ""
        choice = pond_hand.choice(table, observation, move)
        return choice.name, choice.worth

    def say(self, table: Table, event: Event) -> str | None:
        match event:
            case DealerDrawn(seat):
                return _("{name} deals first.", name=name_of(table, seat))
            case moves.PoisonTurned(round=played, dealer=dealer):
                return _("**Round {n}**: {name} starts the first pond.", n=played + 1, name=name_of(table, dealer))
            case moves.Misdealt(seats):
                names = listed([name_of(table, seat) for seat in seats])
                return _("{names} had only 4s and face cards, so everyone gets new cards.", names=names)
            case moves.ProfitChosen(seat):
                return _("{name} sets a card aside.", name=name_of(table, seat))
            case moves.RoundScored(round=played, score=score):
                return pond_scores.round_in_brief(table, played, score)
            case _:
                return _said_of_pond(table, event)


def _tricks_since(table: Table, observation: Observation, events: Sequence[Event]) -> str:
    takers = [event.seat for event in events if isinstance(event, moves.TrickTaken)]
    return "" if observation.outcome else tricks_since(table, observation.seat, takers)


def _last_trick(table: Table, observation: Observation) -> list[str]:
    """Return what the last trick of this round brought, and its cards in small print."""
    if not observation.taken:
        return []
    return [pond_board.payoff(table, observation), f"-# {pond_board.last_trick(table, observation)}"]


# ---- events


def _said_of_pond(table: Table, event: Event) -> str | None:
    """Return an event of a pond or a trick as a sentence."""
    match event:
        case moves.BaitLaid(seat, card):
            return _("{name} baits with {card}.", name=name_of(table, seat), card=face_of(card))
        case moves.TrapLaid(seat):
            return _("{name} lays a trap.", name=name_of(table, seat))
        case moves.TrapDeclined(seat):
            return _("{name} lays no trap.", name=name_of(table, seat))
        case CardPlayed(seat, card):
            return _("{name} plays {card}.", name=name_of(table, seat), card=face_of(card))
        case moves.TieToDecide(leader, tied):
            names = listed([name_of(table, seat) for seat in tied])
            return _("{names} tie: {leader} decides.", names=names, leader=name_of(table, leader))
        case moves.TrickTaken(seat, n, how):
            name = name_of(table, seat)
            if how == "awarded":
                return ngettext("**{name}** gets {n} card.", "**{name}** gets {n} cards.", n, name=name)
            return ngettext("**{name}** takes {n} card.", "**{name}** takes {n} cards.", n, name=name)
        case _:
            return None


FACE: Final = PondFace()


def _has_choice(observation: Observation, number: int) -> bool:
    """Whether the seat has the choice that a line of the first advice is about."""
    suits, seat = {card[1] for card in observation.hand}, observation.seat or 0
    if number == _OTHERS_POISON:
        others = observation.poison((seat + 1) % observation.setup.players)
        return others in suits and len(suits) > 1 and others != observation.poison(seat)
    if number == _SPADES:
        return "S" in suits and len(suits) > 1
    return number != _TURNED_TRUMPS or pond_board.has_turned_trump(observation)
