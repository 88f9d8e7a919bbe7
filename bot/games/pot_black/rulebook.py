"""The rulebook of Pot Black, a card game by Rob Rutherford.

Whist tricks are played for chips, and a black ten spoils the trick that holds it. There are three forms: partnerships,
individuals, and the classic game for 100 chips. Rulings: BK-01 to BK-30, K-01 to K-08.
"""

from collections.abc import Mapping
from itertools import chain
from typing import ClassVar, Final

from bot.errors import IllegalMove, InvalidOption, Text
from bot.games.cards import CardPlayed, Dealer, DealerDrawn, Play
from bot.games.daily import Daily
from bot.games.game import (
    CHANCE,
    CHANCE_ONLY,
    NOBODY,
    Actor,
    Event,
    Game,
    Move,
    Option,
    Seat,
    Shuffle,
    Step,
    Value,
)
from bot.games.pot_black import moves
from bot.games.pot_black.chips import open_deal, side_totals
from bot.games.pot_black.state import HAND, PACKS, Observation, Setup, State, from_left_of, observe, trumps
from bot.games.pot_black.tricks import play, playable

_ONLY_IN: Final = {"short": "partnership", "tied_side_pot": "individual"}
"""The options that matter in one form alone."""


# ---- chance: the dealer and the hands


def draw(state: State, shuffle: Shuffle) -> Move:
    """Draw the dealer of the first deal, or deal thirteen cards each, one at a time from the dealer's left (K-04)."""
    if state.dealer is None:
        return Dealer(shuffle.below(state.setup.players))
    seats = state.in_play
    shuffled = shuffle.shuffle(PACKS[len(seats)])
    hands = {seat: tuple(shuffled[at :: len(seats)]) for at, seat in enumerate(from_left_of(state.dealer, seats))}
    return moves.Deal(tuple(hands[seat] for seat in seats))


def _apply_chance(state: State, seat: Actor, move: Move) -> Step[State]:
    """Apply the chance entry that is due. Raise `IllegalMove` for any other, and for a seat (G-01)."""
    if seat is CHANCE and state.outcome is None and not state.order:
        match move:
            case Dealer(dealer) if state.dealer is None and dealer < state.setup.players:
                return open_deal(state, dealer, (DealerDrawn(dealer),))
            case moves.Deal() if state.dealer is not None:
                return _apply_deal(state, state.dealer, move)
    raise IllegalMove("This can't happen now at this table.", "G-01")


def _apply_deal(state: State, dealer: Seat, move: moves.Deal) -> Step[State]:
    seats = state.in_play
    is_whole = sorted(chain(*move.hands)) == sorted(PACKS[len(seats)])
    if [len(hand) for hand in move.hands] != [HAND] * len(seats) or not is_whole:
        raise IllegalMove("A deal is the whole pack: thirteen cards for each of {n} seats.", "K-04", n=len(seats))
    hands = dict(zip(seats, move.hands, strict=True))
    order = from_left_of(dealer, seats)
    dealt = state._replace(
        hands=tuple(tuple(sorted(hands.get(seat, ()))) for seat in range(state.setup.players)), order=order
    )
    return Step(dealt, (moves.Dealt(state.deal, dealer, order[0], trumps(state.deal)),))


class PotBlack(Game[State, Observation]):
    """The rulebook of Pot Black."""

    key: ClassVar[str] = "pot_black"
    title: ClassVar[str] = Text("Pot Black")
    options: ClassVar[tuple[Option, ...]] = (
        Option("players", (4, 3), "Number of players. Three play for themselves", "BK-25", 4),
        Option(
            "form",
            ("partnership", "individual", "classic"),
            "Partners, everyone for themselves, or the classic game with 100 chips",
            "K-01",
        ),
        Option(
            "short", ("cover", "strict"), "Partners who can't pay in full play on, or lose at once", "BK-13", "cover"
        ),
        Option(
            "tied_side_pot",
            ("paid", "stays"),
            "The side pot after a tie, if everyone plays for themselves",
            "BK-21",
            "paid",
        ),
        Option(
            "end",
            ("first_out", "knock_out", "deals"),
            "End when a side is out of chips, with a knock-out, or after the last deal",
            "BK-22",
        ),
        Option("deals", (0, 2, 5, 10, 20), "Maximum number of deals. 0 means no limit", "BK-28", 0),
    )
    proposed_to_learners: ClassVar[Mapping[str, Value]] = {"deals": 2}
    proposed: ClassVar[Mapping[str, Value]] = {"deals": 10}  # without a limit, a game can take an evening and more
    reasons: ClassVar[Mapping[str, str]] = {
        "broke": "A side is out of chips.",
        "knock_out": "Fewer than three players have chips left.",
        "deals": "That was the last deal. The most chips win.",
        "draw": "It's a tie for first place.",
    }
    own: ClassVar[tuple[type[Event], ...]] = (CardPlayed,)
    # At this level, an easy player wins 32 %, and a fair one 39 % (120 games, 2026-11-30).
    daily: ClassVar[Daily] = Daily(
        {"players": 3, "form": "individual", "end": "deals", "deals": 2}, "easy", decisions=21, minutes=4
    )
    duplicates: ClassVar[Mapping[str, tuple[Text, Mapping[str, Value]]]] = {
        "pot_black": (Text("Pot Black, 4 at a table"), {"players": 4, "form": "partnership"})
    }

    chance = staticmethod(draw)
    parse = staticmethod(moves.parse)
    tidy = staticmethod(moves.tidy)

    # ---- options

    def default(self, option: Option, chosen: Mapping[str, Value]) -> Value:
        """Three players are individuals, and the classic form is a knock-out (K-01)."""
        if option.key == "form":
            return "individual" if chosen.get("players") == 3 else "partnership"
        return "knock_out" if chosen.get("form") == "classic" else "first_out"

    def check_options(self, options: Mapping[str, Value]) -> None:
        """Refuse options that have no meaning in the chosen form (K-01)."""
        form = options["form"]
        if form == "partnership" and options["players"] == 3:
            raise InvalidOption("Partners need four players.", "K-01")
        if form != "partnership" and options["short"] == "strict":
            raise InvalidOption("Strict payments are only for partners.", "K-01")
        if form != "individual" and options["tied_side_pot"] == "stays":
            raise InvalidOption("The side pot can only stay after a tie if everyone plays for themselves.", "K-01")
        _check_end(options)

    def needs(self, options: Mapping[str, Value], given: Mapping[str, object]) -> Mapping[str, Value]:
        """A game that ends after the last deal needs a number of deals."""
        return {"deals": self.proposed["deals"]} if given.get("end") == "deals" and not options["deals"] else {}

    def applies(self, key: str, options: Mapping[str, Value]) -> bool:
        """Only partners can be strict, and only with everyone for themselves can the side pot stay after a tie."""
        return _ONLY_IN.get(key) in {None, options["form"]}

    def sides(self, options: Mapping[str, Value]) -> tuple[int, ...]:
        """Opposite seats are partners in the partnership form. In the others each seat is a side."""
        return _setup(options).sides

    def keeps_record(self, options: Mapping[str, Value]) -> bool:  # noqa: ARG002 - at every table
        """All tricks of a deal may be looked up (BK-30)."""
        return True

    def options_of(self, state: State) -> Mapping[str, Value]:
        """The options of the table."""
        return state.setup._asdict()

    # ---- play

    def start(self, options: Mapping[str, Value]) -> State:
        """Return the table before the dealer is drawn. All seats have their chips."""
        setup = _setup(options)
        no_hands = ((),) * setup.players
        return State(setup, moves.Chips((setup.stack,) * setup.players), out=(0,) * setup.players, hands=no_hands)

    def to_act(self, state: State) -> frozenset[Actor]:
        """One seat, or chance between deals."""
        if state.outcome is not None:
            return NOBODY
        return CHANCE_ONLY if state.turn is None else frozenset({state.turn})

    def legal(self, state: State, seat: Seat) -> tuple[Move, ...]:
        """The cards that the seat on turn may play (BK-04)."""
        return tuple(map(Play, playable(state.hands[seat], state.trick))) if seat == state.turn else ()

    def apply_move(self, state: State, seat: Actor, move: Move) -> Step[State]:
        """Apply a card of a seat, or an entry of chance."""
        return play(state, seat, move.card) if isinstance(move, Play) else _apply_chance(state, seat, move)

    def standing(self, state: State) -> tuple[int, ...]:
        """The stacks, of both partners together (G-07, G-08). Chips in pots belong to nobody."""
        return side_totals(state.setup, state.chips.stacks)

    # ---- what can be known

    def observe(self, state: State, seat: Seat | None) -> Observation:
        """Return everything but the hands of other seats."""
        return observe(state, seat, self.to_act(state), () if seat is None else self.legal(state, seat))


def _check_end(options: Mapping[str, Value]) -> None:
    form, end = options["form"], options["end"]
    if form == "partnership" and end != "first_out":
        raise InvalidOption("Partners always play until one side is out of chips.", "K-01")
    if form == "classic" and end != "knock_out":
        raise InvalidOption("The classic game is always a knock-out.", "K-01")
    if end == "deals" and not options["deals"]:
        raise InvalidOption("Choose how many deals to play.", "K-01")


def _setup(options: Mapping[str, Value]) -> Setup:
    return Setup._make(options[key] for key in Setup._fields)
