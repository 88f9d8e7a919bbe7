"""Pontis: the banks in a ring, the bridge between two of them, the hand by value, and the alt text."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from bot.games.cards import face
from bot.games.game import Seat
from bot.games.pontis.bridges import position
from bot.games.pontis.moves import playable
from bot.games.pontis.state import Observation
from bot.pictures.canvas import MAX_HEIGHT, TABLE_CARD, TEXT, Box, Canvas
from bot.pictures.lettering import joined, shortened, width
from bot.pictures.palette import FOAM, PLATE, RIPPLE, TURN, WATER
from bot.pictures.picture import Drawings, Picture, Player, described, hand_in_words, players, turn_in_words, turn_of
from bot.pictures.plates import Held, draw_hand, height_below, plate, with_playable
from bot.pictures.result import draw_standings, sides_of, summed
from bot.texts import gettext as _, number
from cogs.pontis.result_card import draw_shares, height as share_height

_AROUND: Final = 22
"""The height of the space above and below the banks."""
_LEFT: Final = 26
_WIDE: Final = 948
_PAIR: Final = 300
"""The width of each of two banks."""
_TWO: Final = 2
_PLATE_Y: Final = 56
"""The middle of the plates of the first row."""
_BETWEEN_ARROWS: Final = 770
_ROOM_FOR_NAME: Final = 240
"""The least width for the name alone of the bank before, beside the arithmetic of a bridge."""
_ROOM_FOR_HAND: Final = 240
"""Narrower banks don't show how many cards their owners hold."""


class _Ring(NamedTuple):
    """Numbers of banks at the top, on the right, at the bottom and on the left."""

    top: int
    right: int
    bottom: int
    left: int


_RINGS: Final[Mapping[int, _Ring]] = {
    2: _Ring(0, 1, 0, 1),
    3: _Ring(3, 0, 0, 0),
    4: _Ring(2, 0, 2, 0),
    5: _Ring(3, 0, 2, 0),
    6: _Ring(3, 0, 3, 0),
    7: _Ring(4, 0, 3, 0),
    8: _Ring(4, 0, 4, 0),
    9: _Ring(5, 0, 4, 0),
    10: _Ring(5, 0, 5, 0),
    11: _Ring(5, 1, 5, 0),
    12: _Ring(6, 0, 6, 0),
    13: _Ring(6, 1, 6, 0),
}
"""The ring of each number of banks in two rows."""
_WIDE_RINGS: Final[Mapping[int, _Ring]] = {
    9: _Ring(4, 1, 4, 0),
    10: _Ring(4, 1, 4, 1),
    11: _Ring(4, 2, 4, 1),
    12: _Ring(4, 2, 4, 2),
    13: _Ring(4, 2, 5, 2),
}
"""Rings of more rows, with more room for names. Large hands don't leave the height for them."""


class _Size(NamedTuple):
    """The height of a bank, and of the space between two rows of banks."""

    cell: int
    between: int

    def high(self, ring: _Ring) -> int:
        """Return the height of the banks."""
        return self.cell * (bool(ring.top) + bool(ring.bottom)) + self.middle(ring) + 24

    def middle(self, ring: _Ring) -> int:
        """Return the height of what is between the rows at the top and at the bottom."""
        return self.cell * max(ring.right, ring.left) or self.between


_TALL: Final = _Size(192, 92)
_FLAT: Final = _Size(136, 80)
"""For two players with many banks and large hands: a bank has its name beside its card."""


class _Places(NamedTuple):
    """Positions in a bank: its plate, its card, its number of cards, and its owner's points and hand count.

    ``right``: where the points end at most.
    """

    plate: Box
    card: tuple[int, int]
    number: tuple[int, int]
    points: tuple[int, int]
    held: tuple[int, int] | None
    right: int


def height(observation: Observation) -> int:
    """Return the height of the picture."""
    return _plan(observation)[-1]


def draw(observation: Observation, names: Sequence[str]) -> Picture:
    """Draw the banks, with the hand if the observation has a seat."""
    ring, size, total = _plan(observation)
    people, high, canvas = players(names), size.high(ring), Canvas(total)
    canvas.panel(Box(14, 14, 972, high), WATER, radius=48)
    places = [_flat(cell) if size is _FLAT else _tall(cell) for cell in _cells(ring, size)]
    middle = Box(_LEFT, 26 + (size.cell if ring.top else 0), _WIDE, size.middle(ring))
    _direction(canvas, middle, ring)
    if _has_bridge(observation):
        is_in_rows = ring.bottom and not (ring.right or ring.left)
        owners = observation.setup.owners_of(_before(observation)) if is_in_rows else ()
        _bridge(canvas, observation, places, middle, [people[seat].name for seat in owners])
    for bank, place in enumerate(places):
        _bank(canvas, place, observation, people, bank)
    draw_hand(canvas, 18 + high, _hand(observation))
    return Picture(canvas.png(), _alt(observation, names))


def _plan(observation: Observation) -> tuple[_Ring, _Size, int]:
    """Return the ring of the banks, their size, and the height of the picture."""
    besides = _AROUND + height_below(_hand(observation))
    ring, size = _arrangement(observation.setup.banks, MAX_HEIGHT - besides)
    return ring, size, size.high(ring) + besides


def _arrangement(banks: int, room: int) -> tuple[_Ring, _Size]:
    """Return the first ring that fits a height."""
    ring = _RINGS[banks]
    for each, size in ((_WIDE_RINGS.get(banks, ring), _TALL), (ring, _TALL)):
        if size.high(each) <= room:
            return each, size
    return ring, _FLAT


def _cells(ring: _Ring, size: _Size) -> list[Box]:
    """Return the place of each bank, clockwise from the top left."""
    top, right, bottom, left = ring
    y, middle = 26, size.middle(ring)
    cells = [Box(_LEFT + at * _WIDE // top, y, _WIDE // top, size.cell) for at in range(top)]
    y += size.cell if top else 0
    beside = _WIDE // top if top else _PAIR
    cells += [Box(_LEFT + _WIDE - beside, y + at * size.cell, beside, size.cell) for at in range(right)]
    if bottom:
        wide, under = _WIDE // bottom, y + middle
        cells += [Box(_LEFT + at * _WIDE // bottom, under, wide, size.cell) for at in reversed(range(bottom))]
    cells += [Box(_LEFT, y + at * size.cell, beside, size.cell) for at in reversed(range(left))]
    return cells


def _tall(cell: Box) -> _Places:
    """Return positions with the plate above. What belongs to the owner is on the left of the card, if there is room."""
    wide = min(cell.width - 2, 330)
    x, y = cell.centre[0] - wide // 2, cell.y + 66
    plate_at = Box(x, cell.y, wide, 60)
    if wide >= _ROOM_FOR_HAND:
        left = x + (wide - 96) // 2 + 14
        return _Places(plate_at, (left, y), (left + 112, y + 34), (x + 10, y + 92), (x + 48, y + 34), left - 8)
    left = x + max(0, (wide - 156) // 2)
    right = left + cell.width - 12
    return _Places(plate_at, (left, y), (left + 106, y + 34), (left + 112, y + 92), None, right)


def _flat(cell: Box) -> _Places:
    wide = min(cell.width - 6, 330)
    x = cell.centre[0] - wide // 2
    beside, y = x + 112, cell.y + 98
    plate_at = Box(x + 104, cell.y, wide - 104, 60)
    return _Places(plate_at, (x + 4, cell.y + 2), (beside, y), (beside + 80, y), None, cell.right)


def _owner(people: Sequence[Player], seats: Sequence[Seat], room: int) -> Player:
    """Return the name on the plate of a bank: of its only owner, or of several."""
    return people[seats[0]] if len(seats) == 1 else Player(_names(people, seats, room), is_computer=False)


def _bank(canvas: Canvas, at: _Places, observation: Observation, people: Sequence[Player], bank: int) -> None:
    """Draw a bank: whose it is, its top, and its only owner's points or, apart, its number of cards and suit points."""
    seats = observation.setup.owners_of(bank)
    on_turn = [seat for seat in turn_of(observation) if seat in seats and bank == observation.bank]
    plate(canvas, at.plate, _owner(people, on_turn or seats, at.plate.width - 30), WATER, is_turn=bool(on_turn))
    is_part = _has_bridge(observation) and bank in (observation.bank, _before(observation))
    _top(canvas, at.card, observation, bank, is_part=is_part)
    canvas.text(*at.number, _worth(observation, bank), ground=WATER, ink=FOAM)
    if points := _points_apart(observation, bank):
        _points(canvas, at, f"+{points}")
    if at.held and any(observation.hand_counts):
        _held(canvas, *at.held, _total(observation.hand_counts, seats))


def _has_own_banks(observation: Observation) -> bool:
    """Whether each player has one bank, and each bank one player."""
    return observation.setup.banks == observation.setup.players and bool(observation.scores)


def _worth(observation: Observation, bank: int) -> str:
    """Return the points of a bank's only owner so far; of other banks, the number of their cards."""
    return number(observation.scores[bank].total if _has_own_banks(observation) else len(observation.banks[bank]))


def _points_apart(observation: Observation, bank: int) -> int:
    """Return the suit points that are drawn apart: those of the bank's owners, with the first of their banks."""
    seats = observation.setup.owners_of(bank)
    is_first = not any(set(seats) & set(observation.setup.owners_of(other)) for other in range(bank))
    return _total(observation.suit_points, seats) if is_first and not _has_own_banks(observation) else 0


def _total(numbers: Sequence[int], seats: Iterable[Seat]) -> int:
    return sum(numbers[seat] for seat in seats)


def _held(canvas: Canvas, x: int, y: int, cards: int) -> None:
    """Draw the number of cards in the hands of a bank's owners."""
    canvas.sprite("back", x - 24, y, WATER, 0.46)
    canvas.text(x, y, str(cards), ground=WATER, ink=FOAM, limit=64)


def _names(people: Sequence[Player], seats: Sequence[Seat], room: int) -> str:
    """Return the names of a bank's owners. Of three or more, only the first has room: ``Ann & 2``."""
    first, *others = (people[seat].name for seat in seats)
    if len(others) == 1:
        return joined((first, *others), TEXT, room)
    rest = f" & {len(others)}"
    return shortened(first, TEXT, room - width(rest, TEXT)) + rest


def _points(canvas: Canvas, at: _Places, text: str) -> None:
    """Draw suit points as dark figures on a ground of their own, if there is room."""
    (x, y), wide = at.points, width(text, TEXT)
    if x + wide + 8 <= at.right:
        canvas.panel(Box(x - 8, y - 27, wide + 16, 54), PLATE, ground=WATER, radius=16)
        canvas.text(x, y, text, ground=PLATE)


def _top(canvas: Canvas, place: tuple[int, int], observation: Observation, bank: int, *, is_part: bool) -> None:
    """Draw the top of a bank, with a frame if it is part of the bridge."""
    x, y = place
    if is_part:
        canvas.panel(Box(x - 8, y - 4, 112, 132), TURN, ground=WATER, radius=20)
    ground, cards = TURN if is_part else WATER, observation.banks[bank]
    if cards:
        canvas.card(cards[-1], x, y, ground)
    elif observation.suit:
        canvas.card("??", x, y, ground)
    else:
        canvas.slot(Box(x, y, *TABLE_CARD), ground, RIPPLE)


def _has_bridge(observation: Observation) -> bool:
    """Whether somebody is to bridge, which nobody is after the end."""
    return observation.bank is not None and observation.outcome is None


def _before(observation: Observation) -> int:
    """Return the bank before the bank of the turn: its affecter."""
    return ((observation.bank or 0) - 1) % observation.setup.banks


def _bridge(
    canvas: Canvas, observation: Observation, places: Sequence[_Places], middle: Box, before: Sequence[str]
) -> None:
    """Draw the bridge between the bank of the turn and the one before it, with its arithmetic in the middle.

    ``before`` are the names of the owners of the bank before, to stand there where banks lie in two rows.
    """
    y = middle.centre[1]
    _link(canvas, observation, places, y)
    has_room = len(observation.asked) * (TEXT + 8) + 8 <= middle.height
    has_lines = has_room and (len(places) == _TWO or len(places) in _WIDE_RINGS)
    lines = observation.asked if has_lines else (" / ".join(observation.asked),)
    size = 72 if len(observation.asked) == 1 and len(places) > _TWO else TEXT
    after, size = _after(before, lines, size)
    wide = max(width(line, size) for line in lines) + 48
    named = width(after, TEXT) + 32 if after else 0
    wide += named
    high = len(lines) * (size + 8) + 8
    canvas.panel(Box(500 - wide // 2, y - high // 2, wide, high), TURN, ground=WATER, radius=26)
    canvas.text(524 - wide // 2, y, after, ground=TURN)
    for n, line in enumerate(lines):
        at = y + round((n - (len(lines) - 1) / 2) * (size + 8))
        canvas.text(500 + named // 2, at, line, ground=TURN, size=size, align="centre")


def _link(canvas: Canvas, observation: Observation, places: Sequence[_Places], y: int) -> None:
    """Draw a line from the bank before to that of the turn, through the middle at height ``y``."""
    if len(places) > _TWO:
        ends = [_edge(places[bank], y) for bank in (_before(observation), observation.bank or 0)]
        canvas.line([ends[0], (500, y), ends[1]], TURN, 14, WATER)


def _after(before: Sequence[str], lines: Sequence[str], size: int) -> tuple[str, int]:
    """Return whose bank is the one before, as far as there is room for that, and the size of the arithmetic beside it.

    For the whole of it, the figures may get smaller: ``after Ben's bank: 9 − 4 = 5``.
    """
    if not before:
        return "", size
    name, rooms = " & ".join(before), {each: _BETWEEN_ARROWS - _widest(lines, each) - 80 for each in (size, TEXT)}
    said = _("after {name}'s bank:", name=name)
    for each, room in rooms.items():
        if width(said, TEXT) <= room:
            return said, each
    has_room = rooms[size] >= _ROOM_FOR_NAME
    return shortened(_("after {name}", name=name), TEXT, rooms[size]) if has_room else "", size


def _widest(lines: Sequence[str], size: int) -> int:
    return max(width(line, size) for line in lines)


def _edge(place: _Places, y: int) -> tuple[int, int]:
    """Return the point of a bank where its line to the middle, at height ``y``, crosses none of its numbers."""
    x, top = place.card
    middle = x + TABLE_CARD[0] // 2
    if top + TABLE_CARD[1] <= y:
        return middle, top + TABLE_CARD[1]
    return (middle, min(place.plate.y, top)) if top > y else (middle, top + TABLE_CARD[1] // 2)


def _direction(canvas: Canvas, middle: Box, ring: _Ring) -> None:
    """Draw arrows where no banks are: the turn goes clockwise."""
    if not ring.top:
        return
    for edge, inner, up, banks in ((62, 300, 1, ring.left), (938, 700, -1, ring.right)):
        x, y = (inner, middle.centre[1] - 74) if banks else (edge, middle.centre[1])
        half, long = (24, 35) if banks else (34, 40)
        canvas.polygon([(x, y - long * up), (x + half, y + long * up), (x - half, y + long * up)], FOAM, WATER)
    for banks, y, on in ((ring.top, _PLATE_Y, 1), (ring.bottom, middle.y + middle.height + _PLATE_Y - 26, -1)):
        if banks == _TWO and ring.bottom:  # between their plates is room
            canvas.polygon([(500 + 38 * on, y), (500 - 38 * on, y - 26), (500 - 38 * on, y + 26)], FOAM, WATER)


def _hand(observation: Observation) -> list[Held]:
    """Return the hand by value. On the seat's turn, playable cards are raised."""
    return with_playable(sorted(observation.hand, key=position), playable(observation.legal))


def _alt(observation: Observation, names: Sequence[str]) -> str:
    turn = turn_in_words(observation, names)
    bridge = _("Bridge: {sums}.", sums=" / ".join(observation.asked)) if _has_bridge(observation) else ""
    hand = hand_in_words(held.card for held in _hand(observation))
    tops = [
        f"{' & '.join(names[seat] for seat in observation.setup.owners_of(bank))} {face(cards[-1])}"
        for bank, cards in enumerate(observation.banks)
        if cards
    ]
    banks = _("Tops: {cards}.", cards=", ".join(tops)) if tops else ""
    counts = enumerate(observation.hand_counts) if any(observation.hand_counts) else ()
    hands = ", ".join(f"{names[seat]} {count}" for seat, count in counts)
    held = _("In hand: {hands}", hands=hands) + "." if hands else ""
    return described(turn, bridge, hand, banks, _points_in_words(observation, names), held) or _(
        "The cards are being dealt."
    )


def _points_in_words(observation: Observation, names: Sequence[str]) -> str:
    if not _has_own_banks(observation):
        return ""
    scores = zip(names, observation.scores, strict=True)
    return _("Points: {sides}", sides=", ".join(f"{name} {number(score.total)}" for name, score in scores)) + "."


def draw_result(observation: Observation, names: Sequence[str]) -> Picture:
    """Draw the result card: for a single game, where the points came from."""
    results, sides = observation.results, observation.setup.sides
    if len(results) == 1:
        return draw_shares(sides_of(observation, names, sides), results[0].scores, sides)
    courses = summed([score.total for score in result.scores] for result in results)
    return draw_standings(sides_of(observation, names, sides, courses))


def result_height(observation: Observation) -> int:
    """Return the height of the result card, or its maximum."""
    return share_height(len({*observation.setup.sides})) if len(observation.results) < 2 else MAX_HEIGHT


DRAWINGS: Final = Drawings(draw, draw_result, height=height, result_height=result_height)
