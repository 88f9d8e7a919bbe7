"""The rulebook of Pontis, a card game by Aaron Hopewell.

Bridge the difference between the top of your bank and your neighbour's. Rulings: PT-01 to PT-43, T-01 to T-12.
"""

from collections.abc import Mapping
from itertools import chain
from typing import Any, ClassVar, Final

from bot.errors import IllegalMove, InvalidOption, Text
from bot.games import cards
from bot.games.cards import RANKS, SUITS, Card, Dealer, DealerDrawn, Play, replaced
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
from bot.games.pontis import moves, turns
from bot.games.pontis.state import Observation, Setup, State, cleared, observe, totals

DEFAULT_PLAYERS: Final = 4
MAX_PLAYERS: Final = 13
OPTIONS: Final = (
    Option("players", tuple(range(2, MAX_PLAYERS + 1)), "Number of players", "PT-01", DEFAULT_PLAYERS),
    Option("jokers", (2, 0, 3, 4), "Jokers in the pack, each worth 1", "PT-02", 2),
    Option("fake", ("off", "on"), "Players may miss even if they can play", "PT-24", "off"),
    Option(
        "liar",
        ("off", "on"),
        "Players may call a liar when a card contradicts a miss",
        "PT-25",
        "off",
    ),
    Option(
        "curdle",
        ("deadlock", "instant"),
        "A complete curdle ends the game when nobody can play, or at once",
        "PT-30",
        "deadlock",
    ),
    Option(
        "out_bonus",
        ("always", "match"),
        "4 points for going out: in every game, or only in matches",
        "PT-33",
        "always",
    ),
    Option("games", tuple(range(1, 11)), "Games to play. Their points add up", "PT-36", 1),
    Option("banks", tuple(range(2, 14)), "Number of banks", "PT-40"),
    Option("teams", ("off", "on"), "Players who share a bank play as a team", "PT-42", "off"),
)


def setup_of(options: Mapping[str, Any]) -> Setup:
    """Return the setup of settled options."""
    return Setup(**{option.key: options[option.key] for option in OPTIONS})


def _check_players(given: object) -> None:
    """Raise `InvalidOption` for a number of players that is too large. Others are for `Option.read`."""
    number = str(given)
    if number.isdecimal() and int(number) > MAX_PLAYERS:
        raise InvalidOption(
            "Pontis has at most {most} players, even if they share banks: with more, hands would be too small.",
            "PT-01",
            most=MAX_PLAYERS,
        )


def _check(setup: Setup) -> None:
    """Raise `InvalidOption` for options that exclude one another (T-01, G-06)."""
    players, banks = setup.players, setup.banks
    if banks % players and players % banks:
        raise InvalidOption(
            "{players} players can't share {banks} banks. One number has to divide the other.",
            "PT-40",
            players=players,
            banks=banks,
        )
    if setup.liar == "on" and setup.fake == "off":
        raise InvalidOption("Calling a liar needs faked misses. Turn both on, or both off.", "PT-25")
    if setup.teams == "on" and banks >= players:
        raise InvalidOption("A team shares a bank, so teams need fewer banks than players.", "PT-42")


# ---- chance: the dealer, the foundations and the deal


def draw(state: State, shuffle: Shuffle) -> Move:
    """Draw the chance entry that is due (G-12)."""
    match state.phase:
        case "dealer":
            return Dealer(shuffle.below(state.setup.players))
        case "foundations":
            suit = SUITS[shuffle.below(len(SUITS))]
            shuffled = shuffle.shuffle([Card(rank + suit) for rank in RANKS])
            return moves.Foundations(tuple(shuffled[: state.setup.banks]))
        case _:
            return _draw_deal(state, shuffle)


def _draw_deal(state: State, shuffle: Shuffle) -> moves.Deal:
    """Deal the shuffled pack one card at a time, from the dealer's left."""
    players = state.setup.players
    pack = shuffle.shuffle(cards.leave_out(state.setup.pack, state.foundations))
    dealt = state.setup.hand_size * players
    hands = tuple(tuple(pack[(seat - state.dealer - 1) % players : dealt : players]) for seat in range(players))
    return moves.Deal(hands, tuple(pack[dealt:]))


def _apply_chance(state: State, move: Move) -> Step[State]:
    """Apply the chance entry that is due. Raise `IllegalMove` for any other."""
    match state.phase, move:
        case "dealer", Dealer(seat):
            return _apply_dealer(state, seat)
        case "foundations", moves.Foundations(laid):
            return _apply_foundations(state, laid)
        case "deal", moves.Deal():
            return _apply_deal(state, move)
        case _:
            raise IllegalMove("{move!r} can't be drawn here.", "G-01", move=str(move)[:40])


def _apply_dealer(state: State, seat: Seat) -> Step[State]:
    if seat >= state.setup.players:
        raise IllegalMove("There's no seat {seat} at this table.", "T-03", seat=seat)
    return Step(cleared(state.setup, "foundations", seat, ()), (DealerDrawn(seat),))


def _apply_foundations(state: State, laid: tuple[Card, ...]) -> Step[State]:
    banks = state.setup.banks
    if len(laid) != banks or len(set(laid)) != banks or len({card[1] for card in laid}) > 1:
        raise IllegalMove("The foundations are {banks} different cards of one suit.", "PT-04", banks=banks)
    return Step(state._replace(phase="deal", foundations=laid), (moves.FoundationsLaid(laid[0][1]),))


def _apply_deal(state: State, deal: moves.Deal) -> Step[State]:
    """Deal the hands. The dealer's first turn only turns up their foundation (PT-07)."""
    setup = state.setup
    if [*map(len, deal.hands), len(deal.rest)] != [setup.hand_size] * setup.players + [setup.rest]:
        raise IllegalMove(
            "Each seat gets {hand} cards, and {rest} stay out.", "PT-06", hand=setup.hand_size, rest=setup.rest
        )
    if sorted(chain(state.foundations, *deal.hands, deal.rest)) != sorted(setup.pack):
        raise IllegalMove("The cards dealt are the pack without the foundations.", "T-03")
    foundation = state.foundations[state.bank]
    dealt = state._replace(
        phase="play",
        hands=tuple(tuple(sorted(hand)) for hand in deal.hands),
        rest=deal.rest,
        banks=replaced(state.banks, state.bank, (foundation,)),
        slot=state.next_slot,
    )
    turned_up = moves.FoundationTurned(state.dealer, state.bank, foundation)
    return turns.run(dealt, (moves.Dealt(state.dealer, setup.hand_size, setup.rest), turned_up))


class Pontis(Game[State, Observation]):
    """The rulebook of Pontis."""

    key: ClassVar[str] = "pontis"
    title: ClassVar[str] = Text("Pontis")
    options: ClassVar[tuple[Option, ...]] = OPTIONS
    reasons: ClassVar[Mapping[str, str]] = {
        "out": "Someone played their last card.",
        "complete_curdle": "All banks showed the same value: a complete curdle.",
        "stuck": "Nobody played any more. The first to miss lost 2 points.",
    }
    quiet: ClassVar[tuple[type[Event], ...]] = (moves.Missed, moves.AbilityPassed, moves.SumAbility)
    # At this level, an easy player wins 29 %, and a fair one 57 % (120 games, 2026-11-30).
    daily: ClassVar[Daily] = Daily({"players": 3}, "easy", decisions=7, minutes=3)

    chance = staticmethod(draw)
    parse = staticmethod(moves.parse)
    tidy = staticmethod(cards.tidy)

    # ---- options

    def settle(self, given: Mapping[str, object]) -> dict[str, Value]:
        """Return all options. Refuse more than thirteen players with the reason, also if they would share banks."""
        _check_players(given.get("players"))
        return super().settle(given)

    def default(self, option: Option, chosen: Mapping[str, Value]) -> Value:
        """As many banks as players. All other options have a fixed default."""
        if option.key != "banks":
            return super().default(option, chosen)
        return chosen.get("players", DEFAULT_PLAYERS)

    def check_options(self, options: Mapping[str, Value]) -> None:
        """Refuse numbers of banks that don't fit the players, and options without meaning (T-01)."""
        _check(setup_of(options))

    def needs(self, options: Mapping[str, Value], given: Mapping[str, object]) -> Mapping[str, Value]:
        """Whoever calls liars needs faked misses, and teams need shared banks: as many as give the smallest teams."""
        match given:
            case {"liar": "on"}:
                return {"fake": "on"}
            case {"teams": "on"}:
                players, banks = int(options["players"]), int(options["banks"])
                shared = [n for n in range(2, players) if players % n == 0]
                return {"banks": shared[-1]} if shared and banks >= players else {}
            case _:
                return {}

    def sides(self, options: Mapping[str, Value]) -> tuple[int, ...]:
        """The seats that share a bank are a side in teams. Without teams each seat is a side."""
        return setup_of(options).sides

    def options_of(self, state: State) -> Mapping[str, Value]:
        """The options of the table."""
        return {option.key: getattr(state.setup, option.key) for option in OPTIONS}

    # ---- play

    def start(self, options: Mapping[str, Value]) -> State:
        """Return the table before the dealer is drawn."""
        return cleared(setup_of(options), "dealer", 0, ())

    def to_act(self, state: State) -> frozenset[Actor]:
        """The seat on turn. Seats that may call a liar have a right, not a duty (T-06)."""
        if state.outcome is not None:
            return NOBODY
        return frozenset({state.on_turn}) if state.phase == "play" else CHANCE_ONLY

    def legal(self, state: State, seat: Seat) -> tuple[Move, ...]:
        """The moves of the seat on turn, and ``liar`` for each seat that may call."""
        if not state.is_playing:
            return ()
        found = turns.moves(state) if seat == state.on_turn else []
        if state.window is not None and turns.may_call(state, seat):
            found.append(moves.Liar(state.window.seat))
        return tuple(sorted(found, key=str))

    def apply_move(self, state: State, seat: Actor, move: Move) -> Step[State]:
        """Apply a move, and all that follows from it without a choice (G-03)."""
        if seat is CHANCE:
            return _apply_chance(state, move)
        if state.phase != "play":
            raise IllegalMove("The cards are being dealt. Wait a moment.", "G-01")
        if isinstance(move, moves.Liar):
            return turns.call(state, seat, move.seat)
        if seat != state.on_turn:
            raise IllegalMove("It isn't your turn yet.", "T-02")
        match move:
            case Play(card):
                return turns.play(state, seat, card)
            case moves.Sum(under, top):
                return turns.play_sum(state, seat, under, top)
            case moves.Miss():
                return turns.miss(state)
            case moves.Decline():
                return turns.decline(state)
            case _:
                raise IllegalMove("Players can't make that move.", "G-01")

    def standing(self, state: State) -> tuple[int, ...]:
        """The points of the finished games. Those of the current one hold secrets (G-10)."""
        return totals(state.setup, state.results)

    # ---- what can be known

    def observe(self, state: State, seat: Seat | None) -> Observation:
        """Return the table as the seat, or the public, sees it."""
        return observe(state, seat, self.to_act(state), () if seat is None else self.legal(state, seat))
