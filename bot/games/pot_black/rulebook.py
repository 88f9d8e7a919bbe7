"""Pot Black by Rob Rutherford: whist tricks for chips, in which a black ten spoils the trick that holds it.

Three forms: two partnerships; individuals, three or four; and the classic game for 100 chips with a knock-out. The
rules are in docs/rules/pot_black.md, whose rulings (``BK-``) are cited here. State: `bot.games.pot_black.state`;
chips: `bot.games.pot_black.chips`; what can be seen: `bot.games.pot_black.sight`.
"""

import random
from collections.abc import Mapping
from typing import ClassVar, Final

from bot.errors import IllegalMove, InvalidOption
from bot.games.card_table import CARD_PLAYED, CardPlayed, Dealer, DealerDrawn, Play
from bot.games.cards import SUIT_NAMES, Card, face
from bot.games.game import (
    CHANCE,
    CHANCE_ONLY,
    NOBODY,
    Actor,
    Event,
    Game,
    Move,
    Option,
    Outcome,
    Seat,
    Shuffle,
    Step,
    Value,
)
from bot.games.pot_black.chips import (
    AntePaid,
    Chips,
    DealResult,
    KnockedOut,
    Terms,
    ended,
    knocked_out,
    lost_by,
    pay_antes,
    pay_penalty,
    settle,
    side_totals,
)
from bot.games.pot_black.moves import LISTED_PLAYS, Deal, Dealt, GameOver, TrickTaken, parse, tidy
from bot.games.pot_black.sight import PotBlackObservation, imagine, observe
from bot.games.pot_black.state import (
    CLUB_TEN,
    HAND,
    PACKS,
    SPADE_TEN,
    WHOLE,
    Position,
    State,
    Trick,
    counted,
    faults,
    from_seat,
    left_of,
    trumps,
)
from bot.games.tricks import BIT, Cards, mask, playable, winner

NOTHING: Final[tuple[int, tuple[int, ...], frozenset[int]]] = (0, (), frozenset())
"""No penalty, so nothing paid, and nobody short."""
SEAT_ONLY: Final[tuple[frozenset[Actor], ...]] = tuple(frozenset({seat}) for seat in range(4))

_new: Final = tuple.__new__  # takes half the time of State(…); playing out and folding are mostly this


class PotBlack(Game[State, PotBlackObservation]):
    """The rulebook of Pot Black."""

    key: ClassVar[str] = "pot_black"
    title: ClassVar[str] = "Pot Black"
    options: ClassVar[tuple[Option, ...]] = (
        Option("players", (4, 3), "How many play; three always play as individuals.", "BK-25", 4),
        Option(
            "form",
            ("partnership", "individual", "classic"),
            "Two teams, each for himself, or the 100-chip game.",
            "K-01",
        ),
        Option(
            "short", ("cover", "strict"), "A team that can't pay in full: pays what it has, or loses.", "BK-13", "cover"
        ),
        Option(
            "tied_side_pot", ("paid", "stays"), "Individuals: the side pot when the tricks are tied.", "BK-21", "paid"
        ),
        Option(
            "end",
            ("first_out", "knock_out", "deals"),
            "Over when one is broke, at a knock-out, or by the limit.",
            "BK-22",
        ),
        Option("deals", (0, 5, 10, 20), "The most deals that are played; 0 is no limit.", "BK-28", 0),
    )
    reasons: ClassVar[Mapping[str, str]] = {
        "broke": "A side had no chips left; the others are placed by their chips.",
        "knock_out": "Fewer than three players had chips left.",
        "deals": "The agreed number of deals was played, and the most chips win.",
        "draw": "Two or more sides share first place.",
    }
    own: ClassVar[tuple[type[Event], ...]] = (CardPlayed,)

    # ---- options

    def default(self, option: Option, chosen: Mapping[str, Value]) -> Value:
        """Three play as individuals, and the classic form is a knock-out (K-01)."""
        if option.key == "form":
            return "individual" if chosen.get("players") == 3 else "partnership"
        return "knock_out" if chosen.get("form") == "classic" else "first_out"

    def check_options(self, options: Mapping[str, Value]) -> None:
        """Raises `InvalidOption` for options that have no meaning in the chosen form (K-01)."""
        form, end = options["form"], options["end"]
        refusals = {
            "Partners are four; three play as individuals.": form == "partnership" and options["players"] == 3,
            "Only partners can be strict about short payments.": form != "partnership" and options["short"] == "strict",
            "Only in the individual form can a tie hold back the side pot.": form != "individual"
            and options["tied_side_pot"] == "stays",
            "The partnership game ends when a team is broke: end=first_out.": form == "partnership"
            and end != "first_out",
            "The classic game is a knock-out: end=knock_out.": form == "classic" and end != "knock_out",
            "end=deals needs a number of deals.": end == "deals" and not options["deals"],
        }
        for sentence, refused in refusals.items():
            if refused:
                raise InvalidOption(sentence, "K-01")

    def seats(self, options: Mapping[str, Value]) -> int:
        """Four, or three."""
        return _terms(options).players

    def sides(self, options: Mapping[str, Value]) -> tuple[int, ...]:
        """Seats 0 and 2 against 1 and 3 in the partnership form; else each his own."""
        return _terms(options).sides

    # ---- play

    def start(self, options: Mapping[str, Value]) -> State:
        """Everybody has his chips; the dealer is to be named."""
        terms = _terms(options)
        return State(Position(terms, Chips((terms.stack,) * terms.players), (0,) * terms.players))

    def to_act(self, state: State) -> frozenset[Actor]:
        """One seat, or chance between the deals."""
        position, trick, outcome = state
        if outcome is not None:
            return NOBODY
        order = position.order
        return SEAT_ONLY[order[len(trick)]] if order else CHANCE_ONLY

    def chance(self, state: State, shuffle: Shuffle) -> Move:
        """The dealer of the first deal; then thirteen cards each, one at a time from the dealer's left (K-04)."""
        position = state.position
        if position.dealer is None:
            return Dealer(shuffle.below(position.terms.players))
        seats = position.in_play
        shuffled = shuffle.shuffle(PACKS[len(seats)])
        first = left_of(seats, position.dealer)
        hands = {seat: tuple(shuffled[at :: len(seats)]) for at, seat in enumerate(from_seat(seats, first))}
        return Deal(tuple([hands[seat] for seat in seats]))

    def legal(self, state: State, seat: Seat) -> tuple[Move, ...]:
        """The cards that the seat may play: only the seat on turn has any (BK-04)."""
        position, trick, outcome = state
        order = position.order
        if outcome is not None or not order or seat != order[len(trick)]:
            return ()
        return LISTED_PLAYS.of(playable(position.hands[seat], trick))

    def apply_move(self, state: State, seat: Actor, move: Move) -> Step[State]:
        """The step of a card played, or of the dealer named or hands dealt by chance."""
        if type(move) is not Play:
            return _by_chance(state, seat, move)
        position, trick, outcome = state
        order, card = position.order, move.card
        if outcome is not None or not order or seat != (turn := order[len(trick)]):
            raise IllegalMove("It is not your turn to play a card.", "BK-02")
        hand = position.hands[turn]
        if not BIT[card] & playable(hand, trick):
            raise _refusal(hand, trick, card)
        cards = (*trick, card)
        if len(cards) < len(order):
            return _new(Step, (_new(State, (position, cards, None)), CARD_PLAYED[turn][card]))
        return _take(position, cards, CARD_PLAYED[turn][card])

    def observe(self, state: State, seat: Seat | None) -> PotBlackObservation:
        """What the seat, or the public, can know: all but the hands of the others."""
        return observe(state, seat, self.to_act(state), () if seat is None else self.legal(state, seat))

    def imagine(self, observation: PotBlackObservation, rng: random.Random) -> State:
        """A whole state that agrees with the observation; nobody holds a suit that he failed to follow."""
        return imagine(observation, rng)

    def check(self, state: State) -> tuple[str, ...]:
        """The name of each invariant that the state breaks: cards and chips conserved, hands even."""
        return faults(state)

    # ---- text

    def parse(self, text: str) -> Move:
        """``dealer 3``, ``deal <hand>/<hand>/…``, ``play TH``. Raises `InvalidMove`."""
        return parse(text)

    def tidy(self, text: str) -> str:
        """``10h``, ``play ♥10`` and ``ten of hearts`` all mean ``play TH``."""
        return tidy(text)

    # ---- resigning

    def standing(self, state: State) -> tuple[int, ...]:
        """The stacks, both partners' together (G-07, G-08); chips in pots belong to nobody."""
        return side_totals(state.position.terms, state.position.chips.stacks)

    def options_of(self, state: State) -> Mapping[str, Value]:
        """The settled options that the state was started with."""
        return state.position.terms._asdict()


def _terms(options: Mapping[str, Value]) -> Terms:
    return Terms(
        players=int(options["players"]),
        form=str(options["form"]),
        short=str(options["short"]),
        tied_side_pot=str(options["tied_side_pot"]),
        end=str(options["end"]),
        deals=int(options["deals"]),
    )


def _by_chance(state: State, seat: Actor, move: Move) -> Step[State]:
    """The dealer named, or hands dealt; both by chance alone, when they are due (G-01)."""
    position, _, outcome = state
    if seat is CHANCE and outcome is None and not position.order:
        if isinstance(move, Dealer) and position.dealer is None and move.seat < position.terms.players:
            return _open_deal(position, move.seat, (DealerDrawn(move.seat),))
        if isinstance(move, Deal) and position.dealer is not None:
            return _deal(position, position.dealer, move)
    raise IllegalMove("That is not what happens now at this table.", "G-01")


def _open_deal(position: Position, dealer: Seat, events: tuple[Event, ...]) -> Step[State]:
    """The antes of the next deal, which ends the game where a team can't pay and payments are strict (K-05)."""
    terms, seats, deal = position.terms, position.in_play, position.deal + 1
    ante = terms.ante(position.ante, len(seats))
    chips, paid, short = pay_antes(terms, position.chips, seats, ante)
    opened = position._replace(chips=chips, deal=deal, dealer=dealer, ante=ante, hands=(), order=(), tricks=())
    events = (*events, AntePaid(deal, ante, paid, chips))
    if short and terms.short == "strict":
        return _over(opened, lost_by(terms, chips.stacks, short), events)
    return Step(State(opened), events)


def _deal(position: Position, dealer: Seat, move: Deal) -> Step[State]:
    seats = position.in_play
    masks = [mask(hand) for hand in move.hands]
    if [len(hand) for hand in move.hands] != [HAND] * len(seats) or sum(masks) != WHOLE[len(seats)]:
        raise IllegalMove(f"A deal is the whole pack, thirteen cards to each of {len(seats)} seats.", "K-04")
    hands = dict(zip(seats, masks, strict=True))
    leader = left_of(seats, dealer)
    dealt = position._replace(
        hands=tuple([hands.get(seat, 0) for seat in range(position.terms.players)]), order=from_seat(seats, leader)
    )
    return Step(State(dealt), (Dealt(position.deal, dealer, leader, trumps(position.deal)),))


def _refusal(hand: Cards, trick: tuple[Card, ...], card: Card) -> IllegalMove:
    if BIT[card] & hand:
        return IllegalMove(f"You hold {SUIT_NAMES[trick[0][1]]} and have to follow suit.", "BK-04")
    return IllegalMove(f"You don't hold {face(card)}.", "BK-04")


def _take(position: Position, cards: tuple[Card, ...], events: tuple[Event, ...]) -> Step[State]:
    """A complete trick: its taker leads to the next, and pays for black tens at once (BK-06)."""
    terms, chips, out, deal, dealer, ante, held, order, tricks, _ = position
    at = winner(cards, trumps(deal))
    taker = order[at]
    tens = (SPADE_TEN in cards) + (CLUB_TEN in cards)
    trick = _new(Trick, (order, cards, taker, not tens))
    hands = list(held)
    for seat, card in zip(order, cards, strict=True):
        hands[seat] -= BIT[card]
    penalty, paid, short = NOTHING
    if tens:
        penalty = tens * terms.penalty
        chips, paid, short = pay_penalty(terms, chips, taker, tens)
    tricks = (*tricks, trick)
    now = terms, chips, out, deal, dealer, ante, tuple(hands), order[at:] + order[:at], tricks, trick
    after = _new(Position, now)
    events = (*events, TrickTaken(taker, cards, not tens, penalty, paid))
    if short and terms.short == "strict":
        return _over(after, lost_by(terms, chips.stacks, short), events)  # K-06
    if len(tricks) == HAND:
        return _settle(after, events)
    return _new(Step, (_new(State, (after, (), None)), events))


def _settle(position: Position, events: tuple[Event, ...]) -> Step[State]:
    """The end of a deal: pots, knock-outs, the end of the game (K-02), else the antes of the next deal."""
    terms, tricks, deal = position.terms, position.tricks, position.deal
    takers = frozenset([trick.taker for trick in tricks if not trick.counts])
    result = DealResult(deal, position.in_play, counted(terms.players, tricks), takers)
    settled = settle(terms, position.chips, result)
    dropped = knocked_out(terms, settled.chips.stacks, result.in_play)
    out = tuple([deal if seat in dropped else left for seat, left in enumerate(position.out)])
    after = position._replace(chips=settled.chips, out=out)
    events = (*events, settled, *[KnockedOut(seat, deal) for seat in dropped])
    if outcome := ended(terms, settled.chips.stacks, out, deal):
        return _over(after, outcome, events)
    # K-04: the deal passes to the left, to the seat that led first or, if it is out, to the next.
    return _open_deal(after, next(seat for seat in tricks[0].seats if seat not in dropped), events)


def _over(position: Position, outcome: Outcome, events: tuple[Event, ...]) -> Step[State]:
    return Step(State(position, (), outcome), (*events, GameOver(outcome)))
