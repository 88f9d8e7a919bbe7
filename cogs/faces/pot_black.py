"""The texts of Pot Black: boards, hands and events."""

from collections.abc import Mapping, Sequence
from typing import Final

from bot.games import GAMES
from bot.games.card_table import DealerDrawn, Play
from bot.games.cards import SUIT_SYMBOLS, SUITS, face
from bot.games.game import Event, Move, Seat, Value
from bot.games.pot_black.events import AntePaid, DealSettled, KnockedOut, TrickTaken
from bot.games.pot_black.observation import Observation
from bot.games.pot_black.state import CLUB_TEN, SPADE_TEN, Trick
from bot.games.tricks import STRENGTH, winner
from bot.tables import Table
from bot.texts import gettext as _
from bot.ui.posts.face import Face, OptionText
from bot.ui.posts.names import name_of
from bot.ui.posts.post import Choices
from bot.ui.posts.text import listed
from cogs.faces.cards import by_suit, mark, paragraphs
from cogs.faces.pot_black_hand import card_choices, card_row, choice_of, prompt_for
from cogs.faces.pot_black_scores import account, final_table, gains, highlights, sides, stacks_of, trumps_of, unwon

_GAME: Final = GAMES["pot_black"]
_BLACK_TENS: Final = (SPADE_TEN, CLUB_TEN)


class PotBlackFace(Face[Observation]):
    """The face of Pot Black."""

    game = _GAME
    settlements: tuple[type[Event], ...] = (DealSettled,)
    continuations: tuple[type[Event], ...] = (TrickTaken,)

    def pitch(self) -> str:
        """Return the game in a line: its idea, the number of players, the duration."""
        return _("Tricks for chips, with two poisonous tens · 3 or 4 players · about 5 min a deal")

    def option_texts(self) -> Mapping[str, OptionText]:
        """Return the options in words."""
        return {
            "players": OptionText(_("Players"), {4: _("4 players"), 3: _("3 players")}),
            "form": OptionText(
                _("Form"),
                {
                    "partnership": _("Partners"),
                    "individual": _("Everyone for themselves"),
                    "classic": _("Classic, with 100 chips"),
                },
            ),
            "short": OptionText(
                _("Partners who can't pay"),
                {"cover": _("If you can't pay, play on"), "strict": _("If you can't pay, you lose")},
                is_common=False,
            ),
            "tied_side_pot": OptionText(
                _("Side pot after a tie"),
                {"paid": _("Side pot paid after a tie"), "stays": _("Side pot stays after a tie")},
                is_common=False,
            ),
            "end": OptionText(
                _("End of the game"),
                {
                    "first_out": _("Until a side has no chips"),
                    "knock_out": _("Knock-out"),
                    "deals": _("Until the last deal"),
                },
                is_common=False,
            ),
            "deals": OptionText(_("Number of deals"), _limits()),
        }

    def progress(self, observation: Observation) -> str:
        deal, limit = observation.deal, observation.terms.deals
        if not deal:
            return _("not dealt yet")
        trumps = trumps_of(observation.trumps)
        if limit:
            return _("deal {deal} of {limit} · {trumps}", deal=deal, limit=limit, trumps=trumps)
        return _("deal {deal} · {trumps}", deal=deal, trumps=trumps)

    def deal(self, observation: Observation) -> int:
        return observation.deal

    def prompt(self, table: Table, observation: Observation) -> str:
        return prompt_for(table, observation)

    def situation(self, table: Table, observation: Observation) -> Sequence[str]:
        return paragraphs(_trick(table, observation))

    def standings(self, table: Table, observation: Observation) -> Sequence[str]:
        chips, trumps = _chips(table, observation), trumps_of(observation.next_trumps)
        if observation.outcome is not None:
            return [chips]
        return ["\n".join((chips, _("-# Next deal: {trumps}", trumps=trumps)))]

    def describe(self, table: Table, observation: Observation) -> Sequence[str]:
        """Return the board, the suits that players are out of, and all tricks of this deal (BK-30)."""
        now = (*self.situation(table, observation), *self.standings(table, observation))
        return paragraphs(*now, _voids(table, observation), _earlier(table, observation))

    def hand(self, table: Table, observation: Observation) -> Sequence[str]:
        return paragraphs(by_suit(observation.hand, lambda card: STRENGTH.index(card[0]), observation.trumps))

    def card_row(self, table: Table, observation: Observation) -> str:
        return card_row(observation)

    def news(self, table: Table, observation: Observation, events: Sequence[Event]) -> Sequence[str]:
        """Return the last trick at the end. Before, the situation has it."""
        is_over = observation.outcome is not None
        return paragraphs(_last_trick(table, observation).removeprefix("-# ")) if is_over else ()

    def beside_picture(self, table: Table, observation: Observation) -> Sequence[str]:
        return paragraphs(_last_trick(table, observation))

    def choices(self, table: Table, observation: Observation) -> tuple[Choices, ...]:
        return card_choices(table, observation)

    def name_move(self, table: Table, observation: Observation, move: Move) -> str:
        if not isinstance(move, Play):
            return str(move)
        return _("play {card}", card=choice_of(table, observation, move.card).label)

    def say(self, table: Table, event: Event) -> str | None:
        match event:
            case DealerDrawn(seat):
                return _("{name} deals first.", name=name_of(table, seat))
            case AntePaid():
                return _antes(table, event)
            case TrickTaken(counts=False):
                return _ten_taken(table, event)
            case DealSettled():
                return _("**Deal {deal}**: {gains}", deal=event.deal, gains=gains(table, event))
            case KnockedOut(seat):
                return _("**{name}** has no chips left and is out.", name=name_of(table, seat))
            case _:
                return None

    def settlement(self, table: Table, observation: Observation) -> str:
        return account(table, observation.settled[-1]) if observation.settled else ""

    def scores(self, table: Table, observation: Observation) -> Sequence[str]:
        finished = reversed(observation.settled)
        return paragraphs(_chips(table, observation), *(account(table, deal) for deal in finished))

    def result(self, table: Table, observation: Observation) -> Sequence[str]:
        return paragraphs(final_table(table, observation), unwon(observation), highlights(table, observation))


def _limits() -> Mapping[Value, str]:
    texts: dict[Value, str] = {number: _("At most {n} deals", n=number) for number in (5, 10, 20)}
    return {0: _("As many deals as it takes")} | texts


def _trick(table: Table, observation: Observation) -> str:
    """Return the trick on the table, the black tens of this deal and the last trick."""
    lines = []
    if observation.order and observation.outcome is None:
        lines = [_current_trick(table, observation), _black_tens(table, observation)]
    return "\n".join(paragraphs(*lines, _last_trick(table, observation)))


def _last_trick(table: Table, observation: Observation) -> str:
    if observation.last_trick is None:
        return ""
    return _("-# Last trick: {trick}", trick=_taken(table, observation.last_trick))


def _current_trick(table: Table, observation: Observation) -> str:
    order, cards, number = observation.order, observation.trick, len(observation.tricks) + 1
    if not cards:
        return _("**Trick {n}**: {name} leads", n=number, name=name_of(table, order[0]))
    played = [f"{name_of(table, seat)} {face(card)}" for seat, card in zip(order, cards, strict=False)]
    best = winner(cards, observation.trumps)
    if len(cards) > 1:
        played[best] = _("**{card} ahead**", card=played[best])
    return _("**Trick {n}**: {cards}", n=number, cards=" · ".join(played))


def _black_tens(table: Table, observation: Observation) -> str:
    where = []
    for ten, taker in zip(_BLACK_TENS, observation.ten_takers, strict=True):
        suit = SUIT_SYMBOLS[ten[1]]
        if taker is not None:
            where.append(_("{suit} with {name}", suit=suit, name=name_of(table, taker)))
        elif ten in observation.trick:
            where.append(_("{suit} in this trick", suit=suit))
        else:
            where.append(_("{suit} to come", suit=suit))
    return _("Black tens: {tens}", tens=" · ".join(where))


def _taken(table: Table, trick: Trick) -> str:
    played = " · ".join(f"{name_of(table, s)} {face(c)}" for s, c in zip(trick.seats, trick.cards, strict=True))
    return _("{cards}; taken by {name}", cards=played, name=name_of(table, trick.taker))


def _earlier(table: Table, observation: Observation) -> str:
    lines = [f"{number}. {_taken(table, trick)}" for number, trick in enumerate(observation.tricks, 1)]
    return "\n".join((_("**Tricks of this deal**"), *lines)) if lines else ""


def _chips(table: Table, observation: Observation) -> str:
    """Return the chips and counted tricks of each side, and the pots."""
    lines = [_side(observation, names, seats) for names, seats in sides(table)]
    main, side = mark("chip", str(observation.chips.main)), mark("chip", str(observation.chips.side))
    if observation.terms.form == "classic":
        lines.append(_("Pot **{chips}**", chips=main))
    else:
        lines.append(_("Main pot **{main}** · side pot **{side}**", main=main, side=side))
    return "\n".join(lines)


def _side(observation: Observation, names: str, seats: Sequence[Seat]) -> str:
    if deal := observation.out[seats[0]]:
        return _("**{names}** · out since deal {deal}", names=names, deal=deal)
    chips = stacks_of(observation.chips, seats)
    tricks = sum(observation.counted[seat] for seat in seats)
    return _("**{names}** · chips {chips} · tricks {tricks}", names=names, chips=chips, tricks=tricks)


def _voids(table: Table, observation: Observation) -> str:
    """Return the suits that players have failed to follow, and so don't have."""
    out = [
        f"{name_of(table, seat)} {' '.join(SUIT_SYMBOLS[suit] for suit in SUITS if suit in suits)}"
        for seat, suits in enumerate(observation.voids)
        if suits
    ]
    return _("Out of a suit: {players}", players=" · ".join(out)) if out else ""


def _antes(table: Table, event: AntePaid) -> str:
    is_classic = table.options["form"] == "classic"
    pot = _("pot {n}", n=event.chips.main) if is_classic else _("main pot {n}", n=event.chips.main)
    return _("**Deal {deal}**: ante {ante}, {pot}", deal=event.deal, ante=event.ante, pot=pot)


def _ten_taken(table: Table, event: TrickTaken) -> str:
    name, paid = name_of(table, event.seat), sum(event.paid)
    tens = listed([face(card) for card in event.cards if card in _BLACK_TENS])
    if paid > event.paid[event.seat]:
        payers = [f"{name_of(table, seat)} {chips}" for seat, chips in enumerate(event.paid) if chips]
        return _("**{name}** takes {tens}. Paid: {payments}.", name=name, tens=tens, payments=" · ".join(payers))
    if paid < event.penalty:
        return _("**{name}** takes {tens} and can pay only {chips}.", name=name, tens=tens, chips=paid)
    return _("**{name}** takes {tens} and pays {chips}.", name=name, tens=tens, chips=paid)
