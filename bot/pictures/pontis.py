"""Pontis: the banks in a ring, the bridge between two of them, and the hand by value."""

from collections.abc import Mapping, Sequence
from typing import Final

from bot.games.card_table import Play
from bot.games.cards import Card, face
from bot.games.game import Seat
from bot.games.pontis import Observation, Sum, value
from bot.pictures import parts
from bot.pictures.canvas import TEXT, Box, Canvas
from bot.pictures.lettering import width
from bot.pictures.palette import FOAM, RIPPLE, TURN, WATER
from bot.pictures.parts import Held, plate, turn_of
from bot.pictures.picture import Picture, Player, described, players, waits_for
from bot.texts import gettext as _

_LEFT: Final = 26
_WIDE: Final = 948
_CELL: Final = 196
_BETWEEN: Final = 92
_PAIR: Final = 300
"""The width of each of two banks."""
_SUITS: Final = "SHDCX"
_RINGS: Final[Mapping[int, tuple[int, int, int, int]]] = {
    2: (0, 1, 0, 1),
    3: (3, 0, 0, 0),
    4: (2, 0, 2, 0),
    5: (3, 0, 2, 0),
    6: (3, 0, 3, 0),
    7: (4, 0, 3, 0),
    8: (4, 0, 4, 0),
    9: (5, 0, 4, 0),
    10: (5, 0, 5, 0),
    11: (5, 1, 5, 0),
    12: (6, 0, 6, 0),
    13: (6, 1, 6, 0),
}
"""For each number of banks, how many are at the top, on the right, at the bottom and on the left."""


def draw(observation: Observation, names: Sequence[str]) -> Picture:
    """Draw the banks, with the hand if the observation has a seat."""
    people, hand = players(names), _hand(observation)
    top, right, bottom, left = _RINGS[observation.setup.banks]
    middle = _CELL if right or left else _BETWEEN
    high = (_CELL if top else 0) + middle + (_CELL if bottom else 0) + 24
    chooses = any(held.is_raised for held in hand)
    below = parts.hand_height(len(hand), raises=chooses) + 4 if hand else 14
    canvas = Canvas(14 + high + 8 + below)
    canvas.panel(Box(14, 14, 972, high), WATER, radius=48)
    cells = _cells(observation.setup.banks, middle)
    _bridge(canvas, observation, cells, 26 + (_CELL if top else 0) + middle // 2)
    for bank, cell in enumerate(cells):
        _bank(canvas, cell, observation, people, bank)
    parts.hand(canvas, 14 + high + 4, hand, raises=chooses)
    return Picture(canvas.png(), _alt(observation, names))


def _cells(banks: int, middle: int) -> list[Box]:
    """Return the place of each bank, clockwise from the top left."""
    top, right, bottom, left = _RINGS[banks]
    y = 26
    cells = [Box(_LEFT + at * _WIDE // top, y, _WIDE // top, _CELL) for at in range(top)]
    y += _CELL if top else 0
    beside = _WIDE // top if top else _PAIR
    cells += [Box(_LEFT + _WIDE - beside, y, beside, _CELL)] * right
    if bottom:
        under = y + middle
        cells += [Box(_LEFT + at * _WIDE // bottom, under, _WIDE // bottom, _CELL) for at in reversed(range(bottom))]
    cells += [Box(_LEFT, y, beside, _CELL)] * left
    return cells


def _bank(canvas: Canvas, cell: Box, observation: Observation, people: Sequence[Player], bank: int) -> None:
    """Draw a bank: whose it is, its top, the number of its cards, and suit points."""
    wide = min(cell.width - 2, 330)
    x = cell.centre[0] - wide // 2
    seats = _owners(observation, bank)
    on_turn = [seat for seat in turn_of(observation.to_act) if seat in seats and bank == observation.bank]
    player = people[on_turn[0]] if on_turn else people[seats[0]]
    if len(seats) > 1 and not on_turn:
        player = Player(" & ".join(people[seat].name for seat in seats), is_computer=False)
    plate(canvas, Box(x, cell.y, wide, 60), player, WATER, is_turn=bool(on_turn))
    cards, y = observation.banks[bank], cell.y + 66
    has_room = wide >= 240
    left = x + (wide - 96) // 2 + 14 if has_room else x + max(0, (wide - 156) // 2)
    is_part = observation.bank is not None and bank in (observation.bank, _before(observation))
    if is_part:
        canvas.panel(Box(left - 8, y - 4, 112, 132), TURN, ground=WATER, radius=20)
    ground = TURN if is_part else WATER
    if cards:
        canvas.card(cards[-1], left, y, ground)
    elif observation.suit:
        canvas.card(Card("??"), left, y, ground)
    else:
        canvas.slot(left, y, ground, RIPPLE)
    points = sum(observation.suit_points[seat] for seat in seats)
    beside = left + (112 if has_room else 98)
    canvas.text(beside, y + 34, str(len(cards)), ground=WATER, ink=FOAM)
    if points:
        canvas.text(beside, y + 92, f"+{points}", ground=WATER, ink=TURN)
    if has_room and any(observation.hand_counts):
        held = sum(observation.hand_counts[seat] for seat in seats)
        canvas.sprite("back", x + 24, y + 62, WATER, 0.46)
        canvas.text(x + 48, y + 62, str(held), ground=WATER, ink=FOAM, limit=64)


def _owners(observation: Observation, bank: int) -> Sequence[Seat]:
    setup = observation.setup
    return tuple(dict.fromkeys(owner for slot, owner in enumerate(setup.owners) if slot % setup.banks == bank))


def _before(observation: Observation) -> int:
    """Return the bank before that of the turn: its affecter."""
    return ((observation.bank or 0) - 1) % observation.setup.banks


def _bridge(canvas: Canvas, observation: Observation, cells: Sequence[Box], y: int) -> None:
    """Draw the direction around the ring, and the bridge between the two banks with its arithmetic."""
    _direction(canvas, y, _RINGS[len(cells)])
    if observation.bank is None:
        return
    own, before = cells[observation.bank].centre, cells[_before(observation)].centre
    if len(cells) > 2:
        canvas.line([(before[0], before[1] + 34), (500, y), (own[0], own[1] + 34)], TURN, 14, WATER)
    has_lines = len(cells) == 2 or len(observation.asked) == 1
    lines = observation.asked if has_lines else (" / ".join(observation.asked),)
    size = 72 if len(observation.asked) == 1 and len(cells) > 2 else TEXT
    wide = max(width(line, size) for line in lines) + 48
    high = len(lines) * (size + 8) + 8
    canvas.panel(Box(500 - wide // 2, y - high // 2, wide, high), TURN, ground=WATER, radius=26)
    for number, line in enumerate(lines):
        at = y + round((number - (len(lines) - 1) / 2) * (size + 8))
        canvas.text(500, at, line, ground=TURN, size=size, align="centre")


def _direction(canvas: Canvas, y: int, ring: tuple[int, int, int, int]) -> None:
    """Draw arrows where no banks are: the turn goes clockwise."""
    _top, right, _bottom, left = ring
    for x, up, banks in ((44, 1, left), (956, -1, right)):
        if not banks:
            canvas.polygon([(x, y - 22 * up), (x + 22, y + 14 * up), (x - 22, y + 14 * up)], FOAM, WATER)


def _hand(observation: Observation) -> list[Held]:
    """Return the hand by value. On the seat's turn, playable cards are raised."""
    playable: set[Card] = set()
    for move in observation.legal:
        if isinstance(move, Play):
            playable.add(move.card)
        elif isinstance(move, Sum):
            playable |= {move.under, move.top}
    cards = sorted(observation.hand, key=lambda card: (value(card), _SUITS.index(card[1])))
    return [Held(card, is_raised=card in playable, is_shaded=bool(playable) and card not in playable) for card in cards]


def _alt(observation: Observation, names: Sequence[str]) -> str:
    turn = waits_for(names, turn_of(observation.to_act))
    if observation.outcome is not None:
        turn = _("The game is over.")
    bridge = _("Bridge: {sums}.", sums=" / ".join(observation.asked)) if observation.asked else ""
    hand = ""
    if observation.hand:
        hand = _("Your hand: {cards}.", cards=" ".join(face(held.card) for held in _hand(observation)))
    tops = [
        f"{names[_owners(observation, bank)[0]]} {face(cards[-1])}"
        for bank, cards in enumerate(observation.banks)
        if cards
    ]
    banks = _("Tops: {cards}.", cards=", ".join(tops)) if tops else ""
    return described(turn, bridge, hand, banks) or _("The cards are being dealt.")
