"""The face of Pontis: its options, moves and events. What boards, hands and scores say has modules of its own."""

from collections.abc import Mapping, Sequence
from itertools import groupby, pairwise
from typing import Final

from bot.errors import Text
from bot.games import GAMES
from bot.games.cards import SUIT_SYMBOLS, Card, DealerDrawn, Play, face
from bot.games.game import Event, Move, Seat, Value
from bot.games.pontis import moves
from bot.games.pontis.bridges import Required, value
from bot.games.pontis.state import Observation
from bot.records.table import Table
from bot.texts import gettext as _, listed, ngettext
from bot.ui.posts.face import Face, OptionText
from bot.ui.posts.names import label_of, name_of
from bot.ui.posts.post import Choice, Choices
from cogs.card_texts import faces, paragraphs, suit_name
from cogs.pontis import board as pontis_board, picture, scores as pontis_scores
from cogs.pontis.decided import decided
from cogs.pontis.hand import bridge, bridges, hand, has_choice, numbers, open_hand, pairs_below
from cogs.pontis.hint_words import HINT_WORDS
from cogs.pontis.lesson import LESSON, PUZZLES

_GAME: Final = GAMES["pontis"]
_SKIPS: Final = (moves.Missed, moves.AbilityPassed, moves.SumAbility)
"""What follows a play while nobody can, or wants to, play."""
_MAX_TOTALS: Final = 4
"""With more sides, or with calls, the totals of earlier games are only among the scores: a board has to fit a phone."""


class PontisFace(Face[Observation]):
    """The face of Pontis."""

    game = _GAME
    main_options = ("players", "games")
    drawings = picture.DRAWINGS
    lesson = LESSON
    hint_words = HINT_WORDS
    puzzles = PUZZLES
    settlements: tuple[type[Event], ...] = (moves.GameScored,)
    continuations: tuple[type[Event], ...] = (moves.Curdle, *_SKIPS)
    unfinished = Text("The unfinished game isn't included.")

    prompt = staticmethod(pontis_board.prompt)
    hand = staticmethod(hand)
    open_hand = staticmethod(open_hand)
    settlement = staticmethod(pontis_scores.settlement)
    reasons = staticmethod(pontis_scores.reasons)
    why = staticmethod(pontis_scores.why)
    decided = staticmethod(decided)
    ended_by = staticmethod(pontis_scores.ended_by)
    ended_in_full = staticmethod(pontis_scores.ended_in_full)

    def pitch(self) -> str:
        return _("Play the difference of two cards.")

    def players(self) -> str:
        return _("2 to 13 players")

    def decisions(self, options: Mapping[str, Value]) -> float:
        in_a_game = max(1.0, 38 / int(options["players"]) - 1.8)
        return in_a_game * int(options["games"]) * (2.5 if options["fake"] == "on" else 1.0)

    def option_texts(self) -> Mapping[str, OptionText]:
        return {
            "players": OptionText(
                _("Players"), {n: ngettext("{n} player", "{n} players", n) for n in _choices("players")}
            ),
            "jokers": OptionText(
                _("Jokers"),
                {n: ngettext("{n} joker", "{n} jokers", n) if n else _("No jokers") for n in _choices("jokers")},
            ),
            "fake": OptionText(_("Faked misses"), {"off": _("No faked misses"), "on": _("You may fake misses")}),
            "liar": OptionText(_("Calling a liar"), {"off": _("No calling a liar"), "on": _("You may call liars")}),
            "curdle": OptionText(
                _("Complete curdle"),
                {
                    "deadlock": _("Complete curdle: play on"),
                    "instant": _("Complete curdle: game ends"),
                },
            ),
            "out_bonus": OptionText(
                _("Going out"),
                {"always": _("4 points for going out"), "match": _("4 for going out, matches only")},
            ),
            "games": OptionText(_("Games"), {n: ngettext("{n} game", "{n} games", n) for n in _choices("games")}),
            "banks": OptionText(_("Banks"), {n: ngettext("{n} bank", "{n} banks", n) for n in _choices("banks")}),
            "teams": OptionText(_("Teams"), {"off": _("No teams"), "on": _("Teams share a bank")}),
        }

    def progress(self, observation: Observation) -> str:
        """Return the number of the game, if the match has several."""
        setup = observation.setup
        if setup.games == 1:
            return ngettext("{n} player", "{n} players", setup.players)
        return _("game {game} of {games}", game=self.deal(observation) + 1, games=setup.games)

    def deal(self, observation: Observation) -> int:
        """Return the number of the game. After the last game it stays the same."""
        outcome = observation.outcome
        return len(observation.results) - (outcome is not None and not outcome.is_conceded)

    def situation(self, table: Table, observation: Observation) -> Sequence[str]:
        # Boards have the points of shared banks below the latest events.
        points = "" if observation.seat is None else pontis_board.points(table, observation)
        small = f"-# {points}" if points else ""
        return paragraphs(pontis_board.banks(table, observation), _warnings(table, observation), small)

    def standings(self, table: Table, observation: Observation) -> Sequence[str]:
        has_room = len(observation.scores) <= _MAX_TOTALS and observation.setup.liar == "off"
        totals = pontis_scores.totals(table, observation) if has_room else ""
        lines = paragraphs(pontis_board.points(table, observation), totals)
        return paragraphs("\n".join(f"-# {line}" for line in lines))

    def describe(self, table: Table, observation: Observation) -> Sequence[str]:
        return paragraphs(
            pontis_board.in_words(table, observation),
            pontis_board.misses(table, observation),
            pontis_board.call(table, observation),
            pontis_scores.totals(table, observation),
            pontis_board.missed(table, observation),
        )

    def news(self, table: Table, observation: Observation, events: Sequence[Event]) -> Sequence[str]:
        """Return the events to a seat, and at the end to everybody who played last."""
        if observation.seat is None and observation.outcome is not None:
            last = max((at for at, event in enumerate(events) if isinstance(event, moves.Bridged)), default=0)
            return _in_brief(table, observation, events[last:])
        if observation.seat is None:
            return ()
        return _in_turns(table, observation, events)

    def end_of_deal(self, table: Table, observation: Observation, events: Sequence[Event]) -> Sequence[str]:
        last = max((at for at, event in enumerate(events) if isinstance(event, moves.Bridged)), default=0)
        return [f"-# {' · '.join(_in_brief(table, observation, events[last:]))}"]

    def gained(self, table: Table, observation: Observation, events: Sequence[Event], *, in_full: bool) -> str:
        """Return everyone's points in the events of this game, and how often the seat missed."""
        dealt = max((at for at, event in enumerate(events) if isinstance(event, moves.Dealt)), default=0)
        return pontis_board.points_since(table, observation, events[dealt:], in_full=in_full)

    def beside_picture(self, table: Table, observation: Observation) -> Sequence[str]:
        so_far = pontis_board.totals_so_far(table, observation) if observation.seat is None else ""
        points = paragraphs(so_far and f"-# {so_far}", pontis_board.calls(table, observation))
        warnings, standings = _warnings(table, observation), self.standings(table, observation)
        if observation.seat is None:
            return paragraphs(warnings, *standings, "\n".join(points))
        return paragraphs(*standings, "\n".join(points), warnings)  # on a hand, rules are the first to give way

    def choices(self, table: Table, observation: Observation) -> tuple[Choices, ...]:
        groups = bridges(table, observation)
        said = [move for move in observation.legal if isinstance(move, moves.Miss | moves.Decline | moves.Liar)]
        if said:
            said.sort(key=lambda move: isinstance(move, moves.Liar))
            buttons = tuple(Choice(str(move), self.name_move(table, observation, move)) for move in said)
            groups.append(Choices("", buttons, as_buttons=True, style="secondary"))
        return tuple(groups)

    def behind(self, table: Table, observation: Observation, picked: str) -> tuple[Choices, ...]:
        page = pairs_below(table, observation, Card(picked))
        return () if page is None else page.choices

    def name_move(self, table: Table, observation: Observation, move: Move) -> str:
        match move:
            case Play() | moves.Sum():
                choice = bridge(table, observation, move)
                return f"{choice.label} · {choice.hint}"
            case moves.Miss():
                return _("Miss")
            case moves.Decline():
                return _("Pass the sum ability on")
            case moves.Liar(seat):
                return _("Call {name} a liar", name=label_of(table, seat))
            case _:
                return str(move)

    def tip(self, observation: Observation) -> int | None:
        setup = observation.setup
        if observation.results or observation.seat not in observation.to_act or setup.fake == "on":
            return None
        alone: Mapping[int, tuple[int, ...]] = {0: (1,), 1: (0,), 2: (4,), 6: (5,)}
        of_played = {2: (2,), 3: (2,), 4: (3,), 5: (3,)} if observation.ability else alone
        numbers = of_played.get(setup.hand_size - len(observation.hand), ())
        return next((number for number in numbers if has_choice(observation, number)), None)

    def name_in_hint(self, table: Table, observation: Observation, move: Move) -> tuple[str, str]:
        if not isinstance(move, Play | moves.Sum):
            return self.name_move(table, observation, move), ""
        choice = bridge(table, observation, move)
        return choice.name, choice.worth

    def say(self, table: Table, event: Event) -> str | None:
        match event:
            case DealerDrawn(seat):
                return _("{name} deals first.", name=name_of(table, seat))
            case moves.FoundationsLaid(suit):
                symbol = SUIT_SYMBOLS[suit]
                return _(
                    "Each bank starts with a card face down: {symbol} {suit}.", symbol=symbol, suit=suit_name(suit)
                )
            case moves.Dealt():
                return _dealt(table, event)
            case moves.FoundationTurned(seat, _bank, card):
                return _("{name} turns up {card}.", name=name_of(table, seat), card=face(card))
            case moves.Curdle(_banks, complete):
                if complete:
                    return _("A **complete curdle**: all top cards have the same value.")
                return _("A **curdle**: two top cards of the same value.")
            case moves.GameScored(game, result, _totals):
                return pontis_scores.in_brief(table, game, result)
            case _:
                return _said_by_player(table, event)

    def say_turn(self, table: Table, observation: Observation, events: Sequence[Event]) -> Sequence[str]:
        """Return a play with its curdle, and in small print who had to skip after it."""
        if not isinstance(events[0], moves.Bridged):
            return ()
        said = (self.say(table, event) for event in events if not isinstance(event, _SKIPS))
        skips = _in_brief(table, observation, [event for event in events if isinstance(event, _SKIPS)])
        return (*filter(None, said), *([f"-# {' · '.join(skips)}"] if skips else []))

    def scores(self, table: Table, observation: Observation) -> Sequence[str]:
        """Return every finished game, the latest first. During the first game, return the banks and points."""
        if not observation.results:
            banks, points = pontis_board.banks(table, observation), pontis_board.points(table, observation)
            return paragraphs(_("No game is finished yet."), banks, points)
        games = [pontis_scores.in_full(table, observation, n) for n in range(len(observation.results))]
        summary = pontis_scores.table_of(table, observation) if len(games) > 1 else ""
        return paragraphs(summary, *reversed(games))

    def result(self, table: Table, observation: Observation) -> Sequence[str]:
        outcome, unfinished = observation.outcome, ""
        if outcome is not None and outcome.is_conceded:
            so_far = pontis_board.totals_so_far(table, observation)
            unfinished = so_far and f"-# {so_far}"
        facts = "\n".join(paragraphs(unfinished, pontis_scores.sentences(table, observation)))
        points = pontis_scores.table_of(table, observation) or _("No game is finished yet.")
        return paragraphs(points, facts)


def _warnings(table: Table, observation: Observation) -> str:
    """Return the lines on possible consequences of misses, and on players who may be called liars."""
    lines = paragraphs(pontis_board.misses(table, observation), pontis_board.call(table, observation))
    return "\n".join(f"-# {line}" for line in lines)


def _choices(key: str) -> Sequence[int]:
    return next([int(choice) for choice in option.choices] for option in _GAME.options if option.key == key)


# ---- events


def _dealt(table: Table, event: moves.Dealt) -> str:
    name = name_of(table, event.dealer)
    if event.rest:
        return _("**{name}** deals {hand} cards each; {rest} stay out.", name=name, hand=event.hand, rest=event.rest)
    return _("**{name}** deals {hand} cards each.", name=name, hand=event.hand)


def _said_by_player(table: Table, event: Event) -> str | None:
    """Return an event of a player's turn as a sentence."""
    match event:
        case moves.Bridged():
            return _bridged(table, event)
        case moves.Missed(seat, _bank, required):
            name, asked = name_of(table, seat), numbers(tuple(number for number in required if number))
            if not asked:
                return _("{name} misses: no card is worth 0.", name=name)
            if table.options["fake"] == "on":
                return _("{name} says: no {numbers}.", name=name, numbers=asked)
            return _("{name} has no {numbers}.", name=name, numbers=asked)
        case moves.SumAbility():
            return _sum_ability(table, event)
        case moves.LiarCalled():
            return _liar_called(table, event)
        case _:
            return None


def _in_turns(table: Table, observation: Observation, events: Sequence[Event]) -> list[str]:
    """Return events in a few words: an item for each turn, so that none begins in the middle of another."""
    if not events:
        return []
    starts = [at for at, event in enumerate(events) if not at or not isinstance(event, (moves.Curdle, *_SKIPS))]
    turns = (events[start:end] for start, end in pairwise([*starts, len(events)]))
    return paragraphs(*(" · ".join(_in_brief(table, observation, turn)) for turn in turns))


def _in_brief(table: Table, observation: Observation, events: Sequence[Event]) -> list[str]:
    """Return events of the current game in a few words. Misses of the same values in a row are one item.

    So are all who had the sum ability in turn: "then Ben may" alone doesn't say what Ben may do.
    """
    said: list[str] = []
    for kind, alike in groupby(events, key=_kind):
        if isinstance(kind, tuple):
            names = ", ".join(
                _short(table, observation, event.seat) for event in alike if isinstance(event, moves.Missed)
            )
            said.append(_missed(names, kind))
        elif kind is moves.SumAbility:
            said.append(
                _abilities(table, observation, [event for event in alike if isinstance(event, moves.SumAbility)])
            )
        else:
            said += [_item(table, observation, event) for event in alike]
    return list(filter(None, said))


def _kind(event: Event) -> Required | type[Event] | None:
    """Return what events in a row have in common if they are one item."""
    if isinstance(event, moves.Missed):
        return event.required
    return moves.SumAbility if isinstance(event, moves.SumAbility | moves.AbilityPassed) else None


def _missed(names: str, required: Required) -> str:
    asked = tuple(number for number in required if number)
    if not asked:
        return _("{name}: can't play", name=names)
    return _("{name}: no {numbers}", name=names, numbers=numbers(asked))


def _abilities(table: Table, observation: Observation, events: Sequence[moves.SumAbility]) -> str:
    """Return who may use the sum ability, in turn; after the end, who had it."""
    if observation.outcome is not None:
        seats = dict.fromkeys(event.seat for event in events)
        others = listed([name_of(table, seat) for seat in seats if seat != observation.seat])
        if observation.seat not in seats:
            return _("the sum ability went to {names}", names=others)
        return (
            _("you and {names} had the sum ability", names=others) if len(seats) > 1 else _("you had the sum ability")
        )
    turns = enumerate(event.seat for event in events)
    return " · ".join(_ability(table, seat, is_own=seat == observation.seat, is_first=not at) for at, seat in turns)


def _ability(table: Table, seat: Seat, *, is_own: bool, is_first: bool) -> str:
    """Return who may use the sum ability: the first player, or the one after them."""
    if is_own:
        return _("you may play a pair") if is_first else _("then you may")
    name = name_of(table, seat)
    return _("{name} may play a pair", name=name) if is_first else _("then {name} may", name=name)


def _item(table: Table, observation: Observation, event: Event) -> str:
    """Return an event other than a miss in a few words, or nothing."""
    match event:
        case moves.Bridged(seat, _bank, cards):
            said = _("{name} {cards}", name=_short(table, observation, seat), cards=faces(cards))
            return _("{play} (+1 {suit})", play=said, suit=SUIT_SYMBOLS[cards[-1][1]]) if event.suit_point else said
        case moves.Curdle(_banks, complete):
            return _("complete curdle: all values equal") if complete else _("curdle: same values")
        case moves.FoundationTurned(seat, _bank, card):
            return _("{name}: {card} turned up", name=_short(table, observation, seat), card=face(card))
        case moves.LiarCalled():
            return (_liar_called(table, event)).removesuffix(".")
        case _:
            return ""


def _short(table: Table, observation: Observation, seat: Seat) -> str:
    return _("You") if seat == observation.seat else name_of(table, seat)


def _bridged(table: Table, event: moves.Bridged) -> str:
    """Return a play with its arithmetic: of the two cards, or of the tops that asked for the card."""
    number = str(value(event.cards[-1]))
    sums = event.made or [asked for asked in event.asked if asked.rpartition(" ")[2] == number]
    said = _(
        "**{name}** plays {cards}: {sums}", name=name_of(table, event.seat), cards=faces(event.cards), sums=sums[0]
    )
    return _("{play} (+1 {suit})", play=said, suit=SUIT_SYMBOLS[event.cards[-1][1]]) if event.suit_point else said


def _sum_ability(table: Table, event: moves.SumAbility) -> str:
    name = name_of(table, event.seat)
    if event.after is None:
        return _("**{name}** has the sum ability.", name=name)
    before, may_fake = name_of(table, event.after), table.options["fake"] == "on"
    if event.after == event.seat:
        if may_fake:
            return _("{name} passes, and can try the next bank.", name=name)
        return _("{name} can't, and tries the next bank.", name=name)
    if may_fake:
        return _("{before} passes. {name} can try.", before=before, name=name)
    return _("{before} can't use the sum ability. {name} can try.", before=before, name=name)


def _liar_called(table: Table, event: moves.LiarCalled) -> str:
    names = {"name": name_of(table, event.caller), "other": name_of(table, event.accused), "points": event.points}
    if event.right:
        return _("**{name}** (+{points}) catches {other} lying (−{points}).", **names)
    return _("**{name}** calls {other} a liar: wrong, −{points}.", **names)


FACE: Final = PontisFace()
