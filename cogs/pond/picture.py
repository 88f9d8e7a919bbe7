"""Pond · cards: the pond as water with baits and traps, the trick around it, the hand, and the alt text."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from bot.games.cards import SUIT_SYMBOLS, Card, face
from bot.games.pond.scoring import group_of, position
from bot.games.pond.state import Laid, Observation, Taken
from bot.pictures import plates
from bot.pictures.canvas import HAND_CARD, TABLE_CARD, TEXT, Box, Canvas
from bot.pictures.lettering import joined, width
from bot.pictures.palette import INK, LOSS, PLATE, RIPPLE, WATER
from bot.pictures.picture import (
    Drawings,
    Picture,
    Player,
    around,
    described,
    hand_in_words,
    players,
    turn_in_words,
    turn_of,
)
from bot.pictures.result import draw_standings, sides_of, summed
from bot.texts import gettext as _, listed, ngettext, number
from cogs.card_texts import ranks

POND: Final = Box(14, 14, 972, 454)
_SCORES: Final = POND.bottom + 6
_ONE_LINE: Final = 66
_TWO_LINES: Final = 132
_BETWEEN: Final = 14
"""The space between two baits."""


class _Layout(NamedTuple):
    """Positions on the water: for each seat, clockwise from the bottom, its plate and its card of the trick."""

    seats: Sequence[tuple[Box, tuple[int, int]]]
    baits: tuple[int, int]
    """The first bait."""
    below: int
    """Distance by which a trap shows below its bait."""
    own_trap: int
    """The top of the face of the seat's own trap: below its back or, without the room, in its place."""
    pile: tuple[int, int]
    """The badge of what the seat has won."""
    last: tuple[int, int]
    """The last trick."""
    card: tuple[int, int]
    """The size of a card."""

    @property
    def is_large(self) -> bool:
        """Whether cards are as large as in a hand."""
        return self.card == HAND_CARD


_FOUR: Final = _Layout(
    (
        (Box(290, 394, 314, plates.PLATE_HEIGHT), (614, 340)),
        (Box(28, 138, 242, plates.PLATE_HEIGHT), (101, 214)),
        (Box(290, 28, 314, plates.PLATE_HEIGHT), (614, 28)),
        (Box(730, 138, 242, plates.PLATE_HEIGHT), (803, 214)),
    ),
    baits=(287, 166),
    below=44,
    own_trap=289,
    pile=(730, 390),
    last=(736, 22),
    card=TABLE_CARD,
)
_TWO: Final = _Layout(
    (
        (Box(300, 390, 400, plates.PLATE_HEIGHT), (770, 312)),
        (Box(300, 28, 400, plates.PLATE_HEIGHT), (770, 28)),
    ),
    baits=(361, 134),
    below=56,
    own_trap=334,
    pile=(28, 210),
    last=(736, 214),
    card=HAND_CARD,
)
"""Two players leave room for large cards, with the trick on the right."""


def height(observation: Observation) -> int:
    """Return the height of the picture."""
    return _SCORES + _totals_height(observation) + plates.height_below(_hand(observation))


def draw(observation: Observation, names: Sequence[str]) -> Picture:
    """Draw the table, with the hand if the observation has a seat."""
    people, hand, scores = players(names), _hand(observation), _totals_height(observation)
    canvas = Canvas(height(observation))
    canvas.panel(POND, WATER, radius=48)
    layout = _FOUR if len(people) == len(_FOUR.seats) else _TWO
    canvas.ripples(*(((760, 90), (820, 420), (60, 360)) if layout is _FOUR else ((640, 350), (60, 150))))
    _floating(canvas, observation, layout)
    _seats(canvas, observation, people, layout)
    _corners(canvas, observation, layout)
    if last := _last_trick(observation):
        best = [laid.seat for laid in last.trick].index(last.taker)
        plates.last_trick(canvas, *layout.last, [laid.card for laid in last.trick], best)
    _totals(canvas, observation, people, scores)
    plates.draw_hand(canvas, _SCORES + scores, hand)
    return Picture(canvas.png(), _alt(observation, names))


def _totals_height(observation: Observation) -> int:
    return _ONE_LINE if observation.seat is not None else _TWO_LINES


# ---- the pond


def _floating(canvas: Canvas, observation: Observation, layout: _Layout) -> None:
    """Draw baits on lily pads, and each trap below the bait of the same seat, with the face of the seat's own."""
    traps, own = {laid.seat for laid in observation.traps}, _own_trap(observation)
    (left, y), (wide, high) = layout.baits, layout.card
    scale = 1.2 if layout.is_large else 1.0
    for place in range(observation.setup.players):
        x = left + place * (wide + _BETWEEN)
        middle = x + wide // 2
        if place >= len(observation.baits):
            canvas.sprite("pad", middle, y + high // 2 + 4, WATER, 0.55 * scale)
            continue
        bait = observation.baits[place]
        is_own = own is not None and bait.seat == observation.seat
        if bait.seat in traps and (layout.is_large or not is_own):
            canvas.sprite("back", middle, y + layout.below + high // 2, WATER, scale)
        if own is not None and is_own:
            plates.small_card(canvas, middle - plates.SMALL_CARD[0] // 2, layout.own_trap, own, WATER)
        canvas.card(bait.card, x, y, WATER, is_large=layout.is_large)


def _seats(canvas: Canvas, observation: Observation, people: Sequence[Player], layout: _Layout) -> None:
    """Draw the players and the trick."""
    played = {laid.seat: laid.card for laid in observation.trick}
    turn = turn_of(observation)
    if observation.seat is not None and observation.phase in ("profit", "traps"):
        turn = tuple(seat for seat in turn if seat == observation.seat)  # hands don't follow the others' choices
    for seat, (name, card) in zip(around(len(people), observation.seat), layout.seats, strict=True):
        plates.plate(canvas, name, people[seat], WATER, is_turn=seat in turn)
        if seat in played:
            canvas.card(played[seat], *card, WATER, is_large=layout.is_large)
        elif observation.starter is not None and observation.phase in ("play", "award"):
            canvas.slot(Box(*card, *layout.card), WATER, RIPPLE)


def _corners(canvas: Canvas, observation: Observation, layout: _Layout) -> None:
    """Draw the size of the hands and, for a seat, what it set aside and what it has won."""
    seat = observation.seat
    if observation.hand_counts:
        plates.badge(canvas, Box(28, 30, 164, 72), "hand", str(max(observation.hand_counts)))
    if seat is None:
        return
    own = observation.set_aside[seat] if observation.set_aside else None
    if own is not None:
        plates.badge(canvas, Box(28, 390, 256, 72), "profit", ranks(group_of(own) or ""))
    if observation.pile:
        ink = LOSS if observation.pile_points < 0 else INK
        plates.badge(canvas, Box(*layout.pile, 242, 72), "pile", _pile_points(observation), ink)


def _last_trick(observation: Observation) -> Taken | None:
    """Return the last trick of this round while it is played."""
    return observation.last_trick if observation.taken and observation.outcome is None else None


def _own_trap(observation: Observation) -> Card | None:
    """Return the trap that the observing seat has laid."""
    return next((laid.card for laid in observation.traps if laid.seat == observation.seat), None)


class _Score(NamedTuple):
    """What stands on the line of a side. The poison and the number of cards taken are empty before there are any."""

    label: str
    total: str
    poison: str
    taken: str

    @property
    def symbols(self) -> int:
        """The width of the margins, gaps and symbols in full size."""
        return 58 + bool(self.poison) * 112 + bool(self.taken) * 76

    def scale(self, room: int) -> float:
        """Return the scale of margins, gaps and symbols that leaves the texts their size."""
        texts = min(width(self.label, TEXT), _LABEL) + width(self.total, TEXT) + width(self.taken, TEXT)
        return min(1.0, max(_LEAST, (room - texts) / self.symbols))


_LABEL: Final = 150
"""The maximum width of a label."""
_LEAST: Final = 0.66
"""The least scale of symbols. If a line is still too long, its label is shortened."""


def _totals(canvas: Canvas, observation: Observation, people: Sequence[Player], height: int) -> None:
    """Draw each side's points, its poison, and how many cards it has taken."""
    own = around(len(people), observation.seat)
    sides = (own[::2], own[1::2])
    scores = [_score(observation, people, seats, is_own=place == 0) for place, seats in enumerate(sides)]
    boxes = [Box(14 + place * 490, _SCORES, 482, height) for place in range(len(sides))]
    scale = min(score.scale(box.width) for score, box in zip(scores, boxes, strict=True))
    for box, seats, score in zip(boxes, sides, scores, strict=True):
        canvas.panel(box, PLATE, radius=18)
        if observation.seat is None:
            names = joined(tuple(people[seat].name for seat in seats), TEXT, box.width - 40)
            canvas.text(box.x + 20, box.y + 36, names, ground=PLATE)
        _draw_score(canvas, box, score, scale)


def _score(observation: Observation, people: Sequence[Player], seats: Sequence[int], *, is_own: bool) -> _Score:
    taken = str(sum(observation.pile_counts[seat] for seat in seats)) if any(observation.pile_counts) else ""
    return _Score(
        _whose(people, seats, is_own=is_own) if observation.seat is not None else "",
        str(observation.totals[seats[0]]).replace("-", "−"),
        observation.poison(seats[0]) if observation.turned else "",
        taken,
    )


def _draw_score(canvas: Canvas, box: Box, score: _Score, scale: float) -> None:
    """Draw the line of a side, with its symbols in this scale."""

    def scaled(pixels: int) -> int:
        return int(pixels * scale)

    x, y = box.x + scaled(20), box.bottom - 33
    if score.label:
        rest = width(score.total, TEXT) + width(score.taken, TEXT) + int(score.symbols * scale)
        limit = min(_LABEL, box.width - rest)
        x += canvas.text(x, y, score.label, ground=PLATE, limit=limit) + scaled(18)
    x += canvas.text(x, y, score.total, ground=PLATE) + scaled(12)
    if score.poison:
        canvas.sprite("poison", x + scaled(20), y, PLATE, scale)
        canvas.sprite(f"suit-{score.poison}", x + scaled(74), y, PLATE, scale)
    if score.taken:
        wide = canvas.text(box.right - scaled(20), y, score.taken, ground=PLATE, align="right")
        canvas.sprite("pile", box.right - scaled(56) - wide, y, PLATE, scale)


def _whose(people: Sequence[Player], seats: Sequence[int], *, is_own: bool) -> str:
    """Return how a side is called in a player's own picture."""
    if len(seats) > 1:
        return _("Us") if is_own else _("Them")
    return _("You") if is_own else people[seats[0]].name


# ---- the hand


def _hand(observation: Observation) -> list[plates.Held]:
    """Return the hand by suit, with marks on profit and poison."""
    if observation.seat is None:
        return []
    seat = observation.seat
    poison = observation.poison(seat) if observation.turned else ""
    profit = observation.profit(seat)
    cards = sorted(observation.hand, key=position)

    def mark(card: Card) -> str:
        return "poison" if card[1] == poison else "profit" if card[0] in profit else ""

    return [plates.Held(card, mark(card)) for card in cards]


# ---- in words


def _pile_points(observation: Observation) -> str:
    return f"{observation.pile_points:+}".replace("-", "−")


def _taken(observation: Observation, names: Sequence[str]) -> str:
    """Return the last trick in words, empty without one."""
    last = _last_trick(observation)
    if last is None:
        return ""
    return _("Last trick: {cards}. {name} took it.", cards=_laid(names, last.trick), name=names[last.taker])


def _alt(observation: Observation, names: Sequence[str]) -> str:
    turn = turn_in_words(observation, names)
    pond = _("Pond: {cards}.", cards=_laid(names, observation.baits)) if observation.baits else ""
    traps = len(observation.traps)
    hidden = ngettext("{n} trap face down.", "{n} traps face down.", traps) if traps else ""
    if trap := _own_trap(observation):
        hidden += " " + _("Yours is {card}.", card=face(trap))
    trick = _("Trick: {cards}.", cards=_laid(names, observation.trick)) if observation.trick else ""
    hand = hand_in_words(held.card for held in _hand(observation))
    totals = ""
    if observation.totals and observation.turned:
        sides = [_side(observation, names, side) for side in range(2)]
        totals = _("Points: {points}.", points=listed(sides))
    return described(turn, hand, _secrets(observation), trick, pond, hidden, totals, _taken(observation, names)) or _(
        "The table is being set."
    )


def _side(observation: Observation, names: Sequence[str], side: int) -> str:
    """Return the points and the poison of a side."""
    total, suit = number(observation.totals[side]), SUIT_SYMBOLS[observation.poison(side)]
    return _("{names} {total} (poison {suit})", names=" & ".join(names[side::2]), total=total, suit=suit)


def _secrets(observation: Observation) -> str:
    """Return the card that the seat set aside, and what it has won so far."""
    seat = observation.seat
    own = observation.set_aside[seat] if seat is not None and observation.set_aside else None
    if own is None:
        return ""
    if not observation.pile:
        return _("You set aside {card}.", card=face(own))
    return _("You set aside {card}, and have {points} so far.", card=face(own), points=_pile_points(observation))


def _laid(names: Sequence[str], laid: Sequence[Laid]) -> str:
    return ", ".join(f"{names[seat]} {face(card)}" for seat, card in laid)


def draw_result(observation: Observation, names: Sequence[str]) -> Picture:
    """Draw the result card."""
    pairs = tuple(seat % 2 for seat in range(len(names)))
    return draw_standings(sides_of(observation, names, pairs, summed(played.points for played in observation.rounds)))


DRAWINGS: Final = Drawings(draw, draw_result, height=height)
