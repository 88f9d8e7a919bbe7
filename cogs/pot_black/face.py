"""The face of Pot Black: its options, moves and events. What boards, hands and scores say has modules of its own."""

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from bot.errors import Text
from bot.games import GAMES
from bot.games.cards import Card, CardPlayed, DealerDrawn, Play, face
from bot.games.game import Event, Move, Value
from bot.games.pot_black.moves import AntePaid, DealSettled, KnockedOut, TrickTaken
from bot.games.pot_black.state import BLACK_TENS, PACKS, SHORT_PACK, Observation
from bot.games.pot_black.tricks import winner
from bot.records.table import Table
from bot.texts import gettext as _, listed, ngettext
from bot.ui.posts.face import Face, OptionText
from bot.ui.posts.names import name_of
from cogs.card_texts import paragraphs, tricks_since
from cogs.pot_black import board as pot_black_board, picture, scores as pot_black_scores
from cogs.pot_black.decided import decided
from cogs.pot_black.hand import card_choices, choice_of, hand, open_hand
from cogs.pot_black.hint_words import HINT_WORDS
from cogs.pot_black.lesson import LESSON, PUZZLES

_GAME: Final = GAMES["pot_black"]
_LOW: Final = "23456"
_HIGH: Final = "JQKA"
"""The ranks of low cards."""


class PotBlackFace(Face[Observation]):
    """The face of Pot Black."""

    game = _GAME
    main_options = ("players", "form", "deals")
    drawings = picture.DRAWINGS
    lesson = LESSON
    hint_words = HINT_WORDS
    plays_for_chips = True
    puzzles = PUZZLES
    settlements: tuple[type[Event], ...] = (DealSettled,)
    continuations: tuple[type[Event], ...] = (TrickTaken,)
    lobby_menus = ("deals",)

    prompt = staticmethod(pot_black_board.prompt)
    payoff = staticmethod(pot_black_board.payoff)
    hand = staticmethod(hand)
    open_hand = staticmethod(open_hand)
    choices = staticmethod(card_choices)
    why = staticmethod(pot_black_scores.why)
    settlement = staticmethod(pot_black_scores.settlement)
    reasons = staticmethod(pot_black_scores.reasons)
    decided = staticmethod(decided)
    ended_by = staticmethod(pot_black_scores.ended_by)
    ended_in_full = staticmethod(pot_black_scores.ended_in_full)
    amount = staticmethod(pot_black_scores.chips_in_words)
    record = Text("Most chips in a won game")
    close = 4

    def pitch(self) -> str:
        return _("Win tricks for chips, not the black tens.")

    def players(self) -> str:
        return _("3 or 4 players")

    def decisions(self, options: Mapping[str, Value]) -> float:
        if deals := int(options["deals"]):
            return 13.0 * deals
        if options["form"] == "classic":
            return 120.0
        return 280.0 if options["players"] == 3 else 600.0 if options["form"] == "partnership" else 320.0

    def option_texts(self) -> Mapping[str, OptionText]:
        """Return the options in words."""
        return {
            "players": OptionText(_("Players"), {4: _("4 players"), 3: _("3 players")}),
            "form": OptionText(
                _("Mode"),
                {
                    "partnership": _("Partners"),
                    "individual": _("Everyone for themselves"),
                    "classic": _("Classic, with 100 chips"),
                },
            ),
            "short": OptionText(
                _("Partners who can't pay"),
                {"cover": _("If you can't pay, play on"), "strict": _("If you can't pay, you lose")},
            ),
            "tied_side_pot": OptionText(
                _("Side pot after a tie"),
                {"paid": _("Side pot paid after a tie"), "stays": _("Side pot stays after a tie")},
            ),
            "end": OptionText(
                _("End of the game"),
                {
                    "first_out": _("Ends if a side is broke"),
                    "knock_out": _("Knock-out until two are left"),
                    "deals": _("Ends after the last deal"),
                },
            ),
            "deals": OptionText(_("Number of deals"), _limits()),
        }

    def depending(self, options: Mapping[str, Value]) -> Mapping[str, str]:
        """Say that a game which nothing else ends has exactly so many deals."""
        deals = options.get("deals")
        if options.get("end") != "deals" or not isinstance(deals, int) or not deals:
            return {}
        return {"end": "", "deals": ngettext("{n} deal", "{n} deals", deals)}

    def progress(self, observation: Observation) -> str:
        deal, limit = observation.deal, observation.setup.deals
        if not deal:
            return _("not dealt yet")
        trumps = pot_black_scores.trumps_of(observation.trumps)
        if limit:
            return _("deal {deal} of {limit} · {trumps}", deal=deal, limit=limit, trumps=trumps)
        return _("deal {deal} · {trumps}", deal=deal, trumps=trumps)

    def is_after_trick(self, observation: Observation) -> bool:
        """Whether a trick is complete and the next one hasn't begun."""
        return bool(observation.tricks) and not observation.trick

    def deal(self, observation: Observation) -> int:
        return observation.deal

    def situation(self, table: Table, observation: Observation) -> Sequence[str]:
        return paragraphs(pot_black_board.trick(table, observation))

    def standings(self, table: Table, observation: Observation) -> Sequence[str]:
        chips = pot_black_board.chips(table, observation)
        if observation.outcome is not None or observation.is_last_deal:
            return [chips]
        following = _("-# Next deal: {trumps}", trumps=pot_black_scores.trumps_of(observation.next_trumps))
        return ["\n".join(filter(None, (chips, following, pot_black_board.limit(observation))))]

    def describe(self, table: Table, observation: Observation) -> Sequence[str]:
        """Return the board, the suits that players are out of, and all tricks of this deal (BK-30)."""
        now = (*self.situation(table, observation), *self.standings(table, observation))
        return paragraphs(*now, pot_black_board.voids(table, observation), pot_black_board.earlier(table, observation))

    def news(self, table: Table, observation: Observation, events: Sequence[Event]) -> Sequence[str]:
        """Return the last trick to a seat, and at the end. Before, the situation has it on the board.

        During the first trick of three players, return which cards are in play.
        """
        if observation.outcome is not None:
            return paragraphs(pot_black_board.last_trick(table, observation))
        is_hand = observation.seat is not None
        is_short = PACKS[len(observation.in_play)] is SHORT_PACK and observation.deal and not observation.tricks
        pack = _("39 cards: no 2s, 3s or 4s, and no 5 of clubs.") if is_short else ""
        takers = [event.seat for event in events if isinstance(event, TrickTaken)] if is_hand else []
        last = pot_black_board.last_trick_in_brief(table, observation) if is_hand else ""
        return paragraphs(last, tricks_since(table, observation.seat, takers), pack)

    def beside_picture(self, table: Table, observation: Observation) -> Sequence[str]:
        last = pot_black_board.last_trick(table, observation) if observation.seat is None else ""
        is_beginning = observation.seat is None and not observation.tricks and observation.outcome is None
        return paragraphs(f"-# {last}" if last else "", pot_black_board.limit(observation) if is_beginning else "")

    def name_move(self, table: Table, observation: Observation, move: Move) -> str:
        if not isinstance(move, Play):
            return str(move)
        return choice_of(table, observation, move.card).label

    def tip(self, observation: Observation) -> int | None:
        if observation.settled or not observation.legal:
            return None
        has_partners = observation.setup.form == "partnership"
        tips = (0, _tip_on_suits(observation), _tip_to_throw(observation), 5 if has_partners else None)
        return tips[len(observation.tricks)] if len(observation.tricks) < len(tips) else None

    def name_in_hint(self, table: Table, observation: Observation, move: Move) -> tuple[str, str]:
        if not isinstance(move, Play):
            return str(move), ""
        choice = choice_of(table, observation, move.card)
        return choice.name, choice.worth

    def say(self, table: Table, event: Event) -> str | None:
        match event:
            case DealerDrawn(seat):
                return _("{name} deals first.", name=name_of(table, seat))
            case AntePaid():
                return _antes(table, event)
            case TrickTaken(counts=False):
                return _ten_taken(table, event)
            case DealSettled():
                return _gained(table, event)
            case KnockedOut(seat):
                return _("**{name}** has no chips left and is out.", name=name_of(table, seat))
            case _:
                return None

    def shown(self, table: Table, event: Event) -> str | None:
        match event:
            case CardPlayed(seat, card):
                return _("{name} plays {card}.", name=name_of(table, seat), card=face(card))
            case TrickTaken(seat, counts=True):
                return _("**{name}** takes the trick.", name=name_of(table, seat))
            case _:
                return None

    def end_of_deal(self, table: Table, observation: Observation, events: Sequence[Event]) -> Sequence[str]:
        last = pot_black_board.last_trick(table, observation)
        return paragraphs(pot_black_board.payoff(table, observation), f"-# {last}" if last else "")

    def scores(self, table: Table, observation: Observation) -> Sequence[str]:
        finished = reversed(observation.settled)
        return paragraphs(
            pot_black_board.chips(table, observation),
            *(pot_black_scores.account(table, observation, deal) for deal in finished),
        )

    def result(self, table: Table, observation: Observation) -> Sequence[str]:
        last = _gained(table, observation.settled[-1]) if observation.settled else ""
        outcome = observation.outcome
        left = pot_black_scores.unwon(observation) if outcome is None or outcome.reason not in self.game.reasons else ""
        sentences = paragraphs(last, left and f"-# {left}", pot_black_scores.highlights(table, observation))
        return paragraphs(pot_black_scores.final_table(table, observation), "\n".join(sentences))


def _playable(observation: Observation) -> list[Card]:
    return [move.card for move in observation.legal if isinstance(move, Play)]


def _tip_on_suits(observation: Observation) -> int | None:
    """Return the number of the advice on black suits, to a seat that can play one or another card."""
    cards, suits = _playable(observation), _with_hidden_ten(observation)
    if not observation.trick:
        is_red = any(card[1] in "HD" for card in cards)
        return 1 if is_red and _of(cards, suits, _HIGH) else None
    return 4 if 0 < len(_of(cards, suits, _LOW)) < len(cards) else None


def _of(cards: Sequence[Card], suits: Collection[str], ranks: str) -> list[Card]:
    return [card for card in cards if card[1] in suits and card[0] in ranks]


def _with_hidden_ten(observation: Observation) -> set[str]:
    """Return the suits whose black ten may be in another hand."""
    known = {*observation.hand, *observation.trick, *(card for trick in observation.tricks for card in trick.cards)}
    return {ten[1] for ten in BLACK_TENS if ten not in known}


def _tip_to_throw(observation: Observation) -> int | None:
    """Return the number of the advice on a card that can't win: what a partner's trick takes, and what others' take."""
    cards, trick = _playable(observation), observation.trick
    if not trick:
        return None
    tens = {card in BLACK_TENS for card in cards}
    owner = observation.order[winner(observation.trick, observation.trumps)]
    if observation.setup.form == "partnership" and (owner - (observation.seat or 0)) % 2 == 0:
        beats = {winner((*trick, card), observation.trumps) == len(trick) for card in cards}
        return 2 if len(tens) > 1 or len(beats) > 1 else None
    return 3 if len(tens) > 1 else None


def _limits() -> Mapping[Value, str]:
    texts: dict[Value, str] = {number: _("At most {n} deals", n=number) for number in (2, 5, 10, 20)}
    return {0: _("As many deals as it takes")} | texts


def _gained(table: Table, deal: DealSettled) -> str:
    return _("**Deal {deal}**: {gains}", deal=deal.deal, gains=pot_black_scores.gains(table, deal))


def _antes(table: Table, event: AntePaid) -> str:
    is_classic = table.options["form"] == "classic"
    pot = _("pot {n}", n=event.chips.main) if is_classic else _("main pot {n}", n=event.chips.main)
    has_partners = table.options["form"] == "partnership"
    in_play = [seat for seat, chips in enumerate(event.paid) if chips or has_partners]
    if sum(event.paid) >= event.ante * len(in_play):
        return _("**Deal {deal}**: antes paid ({ante} each), {pot}", deal=event.deal, ante=event.ante, pot=pot)
    short = [(name_of(table, seat), event.paid[seat]) for seat in in_play if event.paid[seat] < event.ante]
    less = listed([_("{name} only {n}", name=name, n=chips) for name, chips in short])
    return _(
        "**Deal {deal}**: antes paid ({ante} each, but {less}), {pot}",
        deal=event.deal,
        ante=event.ante,
        less=less,
        pot=pot,
    )


def _ten_taken(table: Table, event: TrickTaken) -> str:
    name, paid = name_of(table, event.seat), sum(event.paid)
    tens = listed([face(card) for card in event.cards if card in BLACK_TENS])
    if paid > event.paid[event.seat]:
        payers = [f"{name_of(table, seat)} {chips}" for seat, chips in enumerate(event.paid) if chips]
        return _("**{name}** takes {tens}. Paid: {payments}.", name=name, tens=tens, payments=" · ".join(payers))
    if paid < event.penalty:
        return _("**{name}** takes {tens} and can only pay {chips}.", name=name, tens=tens, chips=paid)
    return _("**{name}** takes {tens} and pays {chips} chips.", name=name, tens=tens, chips=paid)


FACE: Final = PotBlackFace()
