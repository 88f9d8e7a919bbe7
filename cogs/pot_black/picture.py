"""Pot Black: the trick with the seats around it, chips, pots, trumps, the black tens, the hand, and the alt text."""

from collections.abc import Sequence
from math import ceil
from typing import Final, NamedTuple

from bot.games.cards import SUIT_NAMES, SUIT_SYMBOLS, Card, Play, face
from bot.games.game import Seat
from bot.games.pot_black.state import BLACK_TENS, Observation, Trick
from bot.games.pot_black.tricks import position, winner
from bot.pictures import MAX_HEIGHT, lettering
from bot.pictures.canvas import TABLE_CARD, TEXT, Box, Canvas
from bot.pictures.palette import FOAM, INK, LOSS, MUTED, PLATE, RIPPLE, TURN, WATER
from bot.pictures.picture import Drawings, Picture, Player, around, described, hand_in_words, players, turn_in_words
from bot.pictures.plates import Held, draw_hand, height_below, last_trick, plate, with_playable
from bot.pictures.result import draw_standings, sides_of, standings_height
from bot.texts import gettext as _, translated

_TABLE: Final = Box(14, 14, 972, 478)
_BAR: Final = _TABLE.bottom + 8
_BAR_HEIGHT: Final = 74
_TALL: Final = 124
_WIDE: Final = 314
"""The width of the plates at the top and at the bottom."""
_MOST_DISCS: Final = 5
_POTS: Final = {1: (434,), 2: (184, 242)}
"""The widths of one pot, or of two."""
_LAST_TRICK: Final = (738, 374)
_WRAPPED: Final = 90
"""The height of a line of text above a result card."""


class _Place(NamedTuple):
    """Positions of a seat: its plate, its card of the trick, and its tricks if the plate has no room for them."""

    plate: Box
    card: tuple[int, int]
    tricks: tuple[int, int] | None = None


def height(observation: Observation) -> int:
    """Return the height of the picture."""
    return _BAR + _BAR_HEIGHT + height_below(_hand(observation))


def _played(canvas: Canvas, card: Card, at: tuple[int, int], *, is_ahead: bool) -> None:
    """Draw a card of the trick, with a frame if it takes the trick so far."""
    if is_ahead:
        canvas.panel(Box(at[0] - 9, at[1] - 9, 114, 142), TURN, ground=WATER, radius=20)
    canvas.card(card, *at, TURN if is_ahead else WATER)


def draw(observation: Observation, names: Sequence[str]) -> Picture:
    """Draw the table, with the hand if the observation has a seat."""
    people = players(names)
    canvas = Canvas(height(observation))
    canvas.panel(_TABLE, WATER, radius=48)
    canvas.ripples((60, 430))
    played = dict(zip(observation.order, observation.trick, strict=False))
    ahead = observation.order[winner(observation.trick, observation.trumps)] if observation.trick else None
    places = [*zip(around(len(people), observation.seat), _places(len(people)), strict=True)]
    _sides(canvas, observation, [(seat, place.plate) for seat, place in places])
    for seat, place in places:
        _seat(canvas, place, observation, people[seat], seat)
        card = place.card
        if seat in played:
            _played(canvas, played[seat], card, is_ahead=seat == ahead and len(played) > 1)
        elif seat in observation.order and observation.outcome is None:
            canvas.slot(Box(*card, *TABLE_CARD), WATER, RIPPLE)
    _black_tens(canvas, observation, people)
    if last := _last_trick(observation):
        last_trick(canvas, *_LAST_TRICK, last.cards, last.seats.index(last.taker))
    _bar(canvas, observation)
    draw_hand(canvas, _BAR + _BAR_HEIGHT, _hand(observation))
    return Picture(canvas.png(), _alt(observation, names))


def _last_trick(observation: Observation) -> Trick | None:
    """Return the last trick of a deal in progress. That of the deal before would look like one of the new deal."""
    return observation.last_trick if observation.tricks and observation.outcome is None else None


def _places(seats: int) -> Sequence[_Place]:
    """Return the positions of each seat, clockwise from the bottom."""
    bottom = _Place(Box(290, 350, _WIDE, _TALL), (620, 350))
    left = _Place(Box(24, 104, 246, _TALL), (114, 242), (63, 286))
    top = _Place(Box(290, 30, _WIDE, _TALL), (620, 30))
    right = _Place(Box(730, 104, 246, _TALL), (790, 242), (937, 286))
    return (bottom, left, top, right) if seats == 4 else (bottom, left, right)


def _seat(canvas: Canvas, place: _Place, observation: Observation, player: Player, seat: Seat) -> None:
    """Draw a player with chips and counted tricks."""
    box = place.plate
    canvas.panel(box, PLATE, ground=WATER, radius=18)
    plate(canvas, Box(box.x, box.y, box.width, 64), player, PLATE, is_turn=seat == observation.turn)
    y = box.bottom - 32
    if observation.out[seat]:
        canvas.text(box.x + 20, y, _("out"), ground=PLATE, ink=LOSS, limit=box.width - 40)
        return
    _stack(canvas, box.x + 40, box.bottom - 20, observation.chips.stacks[seat])
    canvas.text(box.x + 72, y, str(observation.chips.stacks[seat]), ground=PLATE)
    tricks = str(observation.counted[seat])
    if place.tricks:
        (x, y) = place.tricks
        canvas.sprite("pile", x, y, WATER, 0.68)
        canvas.text(x, y + 48, tricks, ground=WATER, ink=FOAM, align="centre")
    else:
        wide = canvas.text(box.right - 14, y, tricks, ground=PLATE, align="right", ink=MUTED)
        canvas.sprite("pile", box.right - 40 - wide, y, PLATE, 0.68)


def _stack(canvas: Canvas, x: int, y: int, chips: int) -> None:
    """Draw a stack of chips that grows with their number."""
    for disc in range(min(_MOST_DISCS, ceil(chips / 10))):
        canvas.sprite("chip-side", x, y - 8 * disc, PLATE, 0.65)


def _black_tens(canvas: Canvas, observation: Observation, people: Sequence[Player]) -> None:
    """Draw where the black tens are, in words: still to come, in this trick, or gone and crossed out."""
    for place, (ten, taker) in enumerate(zip(BLACK_TENS, observation.ten_takers, strict=True)):
        box = Box(306, 176 + place * 78, 388, 70)
        x, y = box.x + 20, box.centre[1]
        ink = INK if taker is None else MUTED
        canvas.panel(box, PLATE, ground=WATER, radius=18)
        wide = canvas.text(x, y, "10", ground=PLATE, ink=ink)
        canvas.sprite(f"suit-{ten[1]}", x + wide + 32, y, PLATE)
        if taker is not None:
            canvas.line([(x - 4, y + 22), (x + wide + 58, y - 22)], LOSS, 10, PLATE)
            text = people[taker].name
        else:
            text = _("in trick") if ten in observation.trick else _("to come")
        x += wide + 76
        canvas.text(x, y, text, ground=PLATE, ink=ink, limit=box.right - x - 14)


def _sides(canvas: Canvas, observation: Observation, places: Sequence[tuple[Seat, Box]]) -> None:
    """Draw badges beside plates that tell partners: A and B on a board; in a hand, one leads to the partner's name."""
    for each, box in places:
        if not (text := _badge(observation, each)):
            continue
        wide = min(lettering.width(text, TEXT) + 28, 244)
        is_wide = box.width == _WIDE
        beside = box.bottom - 60 if box.y > _TABLE.centre[1] else box.y
        at = Box(box.x - wide - 8, beside, wide, 60) if is_wide else Box(box.x, box.y - 68, wide, 60)
        canvas.panel(at, PLATE, ground=WATER, radius=30)
        canvas.text(at.centre[0], at.centre[1], text, ground=PLATE, limit=wide - 20, align="centre")


def _badge(observation: Observation, seat: Seat) -> str:
    """Return what a badge says about a player; empty without partners, and for what goes without saying."""
    own, sides = observation.seat, observation.setup.sides
    if observation.setup.form != "partnership":
        return ""
    if own is None:
        return "AB"[sides[seat] != sides[0]]
    return _("Partner:") if seat != own and sides[seat] == sides[own] else ""


def _bar(canvas: Canvas, observation: Observation) -> None:
    """Draw the trumps of this deal and of the next, if there may be one, and the pots."""
    left = Box(14, _BAR, 530, _BAR_HEIGHT - 6)
    canvas.panel(left, PLATE, radius=18)
    x, y = left.x + 18, left.centre[1]
    x = _trumps(canvas, x, left, _("Trumps"), _("No trumps"), observation.trumps, INK)
    if not observation.is_last_deal:
        _trumps(canvas, x, left, _("then"), _("then none"), observation.next_trumps, MUTED)
    pots = [(_("Pot"), observation.chips.main)]
    if observation.setup.form != "classic":
        pots.append((_("Side"), observation.chips.side))
    x = left.right + 8
    for (label, chips), wide in zip(pots, _POTS[len(pots)], strict=True):
        box = Box(x, _BAR, wide, _BAR_HEIGHT - 6)
        canvas.panel(box, PLATE, radius=18)
        number = lettering.width(str(chips), TEXT)
        x = box.x + 14 + canvas.text(box.x + 14, y, label, ground=PLATE, ink=MUTED, limit=wide - number - 40)
        canvas.text(x + 12, y, str(chips), ground=PLATE)
        x = box.right + 8


def _trumps(canvas: Canvas, x: int, box: Box, label: str, none: str, trumps: str | None, ink: str) -> int:
    """Draw the trumps of a deal, or in words that there are none. Return where the next thing begins."""
    text = none if trumps is None else label
    x += canvas.text(x, box.centre[1], text, ground=PLATE, ink=ink, limit=box.right - x - 12)
    if trumps is None:
        return x + 24
    canvas.sprite(f"suit-{trumps}", x + 33, box.centre[1], PLATE)
    return x + 78


def _hand(observation: Observation) -> list[Held]:
    """Return the hand by suit. On the seat's turn, playable cards are raised, unless all are."""
    playable = {move.card for move in observation.legal if isinstance(move, Play)}
    is_free = len(playable) == len(observation.hand)
    return with_playable(sorted(observation.hand, key=position), () if is_free else playable)


def _alt(observation: Observation, names: Sequence[str]) -> str:
    turn = turn_in_words(observation, names)
    played = [f"{names[seat]} {face(card)}" for seat, card in zip(observation.order, observation.trick, strict=False)]
    trick = _("Trick: {cards}.", cards=", ".join(played)) if played else ""
    hand = hand_in_words(held.card for held in _hand(observation))
    suit = observation.trumps
    trumps = _("Trumps: {suit}.", suit=translated(SUIT_NAMES[suit])) if suit else _("No trumps.")
    chips = ", ".join(f"{name} {stack}" for name, stack in zip(names, observation.chips.stacks, strict=True))
    taken = ""
    if last := _last_trick(observation):
        cards = ", ".join(f"{names[seat]} {face(card)}" for seat, card in zip(last.seats, last.cards, strict=True))
        taken = _("Last trick: {cards}. {name} took it.", cards=cards, name=names[last.taker])
    tens = f"{black_tens(observation, names)}."
    return described(turn, hand, trick, trumps, tens, _("Chips: {chips}.", chips=chips), _pots(observation), taken)


def black_tens(observation: Observation, names: Sequence[str]) -> str:
    """Return where the black tens are, in words."""
    where = []
    for ten, taker in zip(BLACK_TENS, observation.ten_takers, strict=True):
        suit = SUIT_SYMBOLS[ten[1]]
        if taker is not None:
            where.append(_("{suit} with {name}", suit=suit, name=names[taker]))
        elif ten in observation.trick:
            where.append(_("{suit} in this trick", suit=suit))
        else:
            where.append(_("{suit} to come", suit=suit))
    return _("Black tens: {tens}", tens=" · ".join(where))


def _pots(observation: Observation) -> str:
    main, side = observation.chips.main, observation.chips.side
    if observation.setup.form == "classic":
        return _("In the pot: {main}.", main=main)
    return _("In the main pot: {main}, in the side pot: {side}.", main=main, side=side)


def draw_result(observation: Observation, names: Sequence[str]) -> Picture:
    """Draw the result card."""
    return draw_standings(sides_of(observation, names, observation.setup.sides, _courses(observation)))


def _courses(observation: Observation) -> Sequence[tuple[int, ...]]:
    """Return the chips of each side at the beginning and after each deal."""
    setup = observation.setup
    stacks = [(setup.stack,) * setup.players, *(deal.chips.stacks for deal in observation.settled)]
    return [
        tuple(sum(stack for other, stack in zip(setup.sides, held, strict=True) if other == side) for held in stacks)
        for side in sorted({*setup.sides})
    ]


def result_height(observation: Observation) -> int:
    """Return the maximum height of the result card, with a margin for the lines of names above it, which wrap often."""
    return min(MAX_HEIGHT, standings_height(len({*observation.setup.sides})) + _WRAPPED)


DRAWINGS: Final = Drawings(draw, draw_result, height=height, result_height=result_height)
