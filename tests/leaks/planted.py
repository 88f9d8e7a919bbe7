"""Rulebooks, faces and computers with planted leaks, which the comparison must find."""

import io
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Final

import msgspec
from PIL import Image

from bot.games import GAMES
from bot.games.cards import Card, face
from bot.games.game import Actor, Event, Move, Seat, Step
from bot.games.pond.rulebook import Pond
from bot.games.pond.state import Laid, Observation as PondObservation, State as PondState, Taken
from bot.games.pontis.rulebook import Pontis
from bot.games.pontis.state import Observation as PontisObservation, State as PontisState
from bot.games.pot_black.moves import Deal as PotBlackDeal
from bot.games.pot_black.rulebook import PotBlack
from bot.games.pot_black.state import State as PotBlackState
from bot.pictures import Picture
from bot.records.table import Table
from bot.ui.posts.pictures import file_name
from bot.ui.posts.post import Choices, Scene
from cogs.card_texts import emoji
from cogs.pond.face import PondFace
from cogs.pot_black.face import PotBlackFace
from tests.leaks.pairs import FACES, Subject
from tests.posts import draw_now

Show = Callable[[Any, Any], Any]
"""Changes an observation; it also gets the true state."""


class LeakingPond(Pond):
    """Pond · cards whose observations leak hidden information."""

    def __init__(self, show: Show) -> None:
        self._show = show

    def observe(self, state: PondState, seat: Seat | None) -> PondObservation:
        """Return the changed observation."""
        shown: PondObservation = self._show(state, super().observe(state, seat))
        return shown


class LeakingPontis(Pontis):
    """Pontis whose observations leak hidden information."""

    def __init__(self, show: Show) -> None:
        self._show = show

    def observe(self, state: PontisState, seat: Seat | None) -> PontisObservation:
        """Return the changed observation."""
        shown: PontisObservation = self._show(state, super().observe(state, seat))
        return shown


# ---- observations


def opponents_profit(state: PondState, seen: PondObservation) -> PondObservation:
    return replace(seen, set_aside=state.set_aside)


def all_taken_traps(state: PondState, seen: PondObservation) -> PondObservation:
    return replace(seen, taken=state.taken)


def partners_traps(state: PondState, seen: PondObservation) -> PondObservation:
    if seen.seat is None:
        return seen
    partner = (seen.seat + 2) % 4
    shown = [
        Taken(part.baits, _of_seat(true.traps, part.traps, partner), part.trick, part.taker)
        for true, part in zip(state.taken, seen.taken, strict=True)
    ]
    return replace(seen, taken=tuple(shown), traps=_of_seat(state.traps, seen.traps, partner))


def _of_seat(true: Sequence[Laid], seen: Sequence[Laid], seat: Seat) -> tuple[Laid, ...]:
    return tuple(one if one.seat == seat else other for one, other in zip(true, seen, strict=True))


def profit_of_even_seats(state: PondState, seen: PondObservation) -> PondObservation:
    """Identify partners by ``owner % 2`` instead of ``(owner - seat) % 2``."""
    if seen.seat is None or None in state.set_aside:
        return seen
    cards = zip(state.set_aside, seen.set_aside, strict=True)
    return replace(seen, set_aside=tuple(true if owner % 2 == 0 else card for owner, (true, card) in enumerate(cards)))


def own_hidden_five(state: PondState, seen: PondObservation) -> PondObservation:
    return replace(seen, hand=seen.hand + state.hidden[seen.seat]) if seen.seat is not None and state.hidden else seen


def foundations_face_down(state: PontisState, seen: PontisObservation) -> PontisObservation:
    return replace(seen, banks=tuple((card,) for card in state.foundations))


def rest_of_the_pack(state: PontisState, seen: PontisObservation) -> PontisObservation:
    return replace(seen, hand=seen.hand + state.rest)


# ---- events


@dataclass(frozen=True, slots=True)
class HandDealt(Event):
    """The first hand of a deal."""

    hand: tuple[Card, ...]


class LeakingPotBlack(PotBlack):
    """Pot Black with a public event that shows the first hand of a deal."""

    def apply_move(self, state: PotBlackState, seat: Actor, move: Move) -> Step[PotBlackState]:
        """Add an event after a deal."""
        step = super().apply_move(state, seat, move)
        return (
            step._replace(events=(*step.events, HandDealt(move.hands[0]))) if isinstance(move, PotBlackDeal) else step
        )


# ---- faces and computers


@dataclass(frozen=True, slots=True, kw_only=True)
class Carrying(PondObservation):
    """An observation that carries the true state, but ignores it in comparisons."""

    state: PondState = field(compare=False)


def carrying(state: PondState, seen: PondObservation) -> PondObservation:
    return Carrying(**{each.name: getattr(seen, each.name) for each in fields(seen)}, state=state)


class LeakingFace(PondFace):
    """Pond's face with a card of an opponent in autocomplete or on the board."""

    def __init__(self, *, on_board: bool) -> None:
        self._on_board = on_board

    def name_move(self, table: Table, observation: PondObservation, move: Move) -> str:
        """Add the card that the next seat has set aside."""
        name = super().name_move(table, observation, move)
        return name if self._on_board else f"{name} {_next_seats_profit(observation)}"

    def situation(self, table: Table, observation: PondObservation) -> Sequence[str]:
        """Add the first card of the hand of seat 0."""
        paragraphs = super().situation(table, observation)
        held = observation.state.hands if isinstance(observation, Carrying) and self._on_board else ()
        return [*paragraphs, *(face(hand[0]) for hand in held[:1] if hand)]


class LeakingEmojis(PondFace):
    """Pond's face with the emoji of a hidden card beside every card to choose."""

    def choices(self, table: Table, observation: PondObservation) -> tuple[Choices, ...]:
        """Show the card that the next seat has set aside."""
        groups, hidden = super().choices(table, observation), _next_seats_profit(observation)
        if hidden in {"", "None"}:
            return groups
        shown = emoji(Card(hidden))
        return tuple(
            msgspec.structs.replace(
                group, choices=tuple(msgspec.structs.replace(each, emoji=shown) for each in group.choices)
            )
            for group in groups
        )


def with_a_dot(scene: Scene, state: PondState) -> Picture:
    """Draw a picture with a dot whose place depends on a hidden card."""
    picture = draw_now(scene)
    image = Image.open(io.BytesIO(picture.png)).convert("RGB")
    image.putpixel((sum(map(ord, _hidden_from(scene, state))) % image.width, 0), (255, 0, 0))
    out = io.BytesIO()
    image.save(out, "PNG")
    return picture._replace(png=out.getvalue())


def with_a_word(scene: Scene, state: PondState) -> Picture:
    """Draw a picture whose alt text names a hidden card."""
    picture = draw_now(scene)
    return picture._replace(alt=f"{picture.alt} {_hidden_from(scene, state)}")


def named_by_a_card(scene: Scene, picture: Picture, state: PondState) -> str:
    """Name a file by a hidden card."""
    return f"{_hidden_from(scene, state)}-{file_name(scene, picture)}"


def _hidden_from(scene: Scene, state: PondState) -> str:
    """Return the highest card of a seat whose picture this isn't."""
    seat = scene.observation.seat
    others = (hand for other, hand in enumerate(state.hands) if other != seat)
    return max((str(card) for hand in others for card in hand), default="")


def _next_seats_profit(observation: PondObservation) -> str:
    if not isinstance(observation, Carrying) or observation.seat is None:
        return ""
    return str(observation.state.set_aside[(observation.seat + 1) % observation.setup.players])


def by_the_next_hand(_game_key: str, seen: Any, _rng: random.Random) -> Move:
    """Choose by the highest card of the next seat's hand."""
    hand = seen.state.hands[(seen.seat + 1) % seen.setup.players]
    move: Move = seen.legal[sum(map(ord, max(hand))) % len(seen.legal)]
    return move


# ---- the list


def _pond(show: Show) -> Subject:
    return Subject(LeakingPond(show), FACES["pond"])


def _pontis(show: Show) -> Subject:
    return Subject(LeakingPontis(show), FACES["pontis"])


_CARRYING: Final = LeakingPond(carrying)

PLANTED: Final[Mapping[str, tuple[Subject, str]]] = {
    "opponents' profit visible": (_pond(opponents_profit), "observation"),
    "all taken traps visible": (_pond(all_taken_traps), "observation"),
    "partner's traps visible": (_pond(partners_traps), "observation"),
    "owner % 2 for (owner - seat) % 2": (_pond(profit_of_even_seats), "observation"),
    "a hand in an event": (Subject(LeakingPotBlack(), PotBlackFace()), "events"),
    "a set-aside card in autocomplete": (Subject(_CARRYING, LeakingFace(on_board=False)), "autocomplete"),
    "a computer's choice by a hidden card": (Subject(_CARRYING, FACES["pond"], by_the_next_hand), "choice"),
    "a hidden card in a board's text": (Subject(_CARRYING, LeakingFace(on_board=True)), "pages"),
    "a hidden card in an emoji": (Subject(_CARRYING, LeakingEmojis()), "pages"),
    "a hidden card in a picture": (Subject(GAMES["pond"], FACES["pond"], draw=with_a_dot), "message"),
    "a hidden card in an alt text": (Subject(GAMES["pond"], FACES["pond"], draw=with_a_word), "message"),
    "a hidden card in the name of a file": (
        Subject(GAMES["pond"], FACES["pond"], file_name=named_by_a_card),
        "message",
    ),
    "one's own hidden five visible": (_pond(own_hidden_five), "observation"),
    "foundations visible face down": (_pontis(foundations_face_down), "observation"),
    "the rest of the pack visible": (_pontis(rest_of_the_pack), "observation"),
}
"""Planted leaks, and the part of the comparison that must find each."""
