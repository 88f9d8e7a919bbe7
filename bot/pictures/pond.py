"""Pond · cards: the pond as water with baits and traps, the trick around it, and the hand."""

from collections.abc import Sequence
from typing import Final

from bot.games.cards import Card, face
from bot.games.pond import STRENGTH, Laid, Observation, group_of
from bot.pictures import parts
from bot.pictures.canvas import TABLE_CARD, WIDTH, Box, Canvas
from bot.pictures.palette import INK, LOSS, PLATE, RIPPLE, WATER
from bot.pictures.parts import Held, badge, plate, turn_of
from bot.pictures.picture import Picture, Player, around, described, listed, players, waits_for
from bot.texts import gettext as _
from bot.texts import ngettext

POND: Final = Box(14, 14, 972, 454)
_SCORES: Final = POND.bottom + 6
_ONE_LINE: Final = 66
_TWO_LINES: Final = 124
_BAITS: Final = 166
_BELOW: Final = 44
"""How far a trap shows below its bait."""
_SUITS: Final = "SHDC"


def draw(observation: Observation, names: Sequence[str]) -> Picture:
    """Draw the table, with the hand if the observation has a seat."""
    people, hand = players(names), _hand(observation)
    scores = _ONE_LINE if observation.seat is not None else _TWO_LINES
    height = _SCORES + scores + (parts.hand_height(len(hand)) if hand else 0) + (4 if hand else 14)
    canvas = Canvas(height)
    canvas.panel(POND, WATER, radius=48)
    canvas.ripples(RIPPLE, WATER, [(300, 126), (760, 90), (620, 320), (820, 420), (330, 360), (60, 360)])
    _floating(canvas, observation)
    _seats(canvas, observation, people)
    _corners(canvas, observation)
    _totals(canvas, observation, people, scores)
    parts.hand(canvas, _SCORES + scores, hand)
    return Picture(canvas.png(), _alt(observation, names))


# ---- the pond


def _floating(canvas: Canvas, observation: Observation) -> None:
    """Draw baits on lily pads, and the traps below them."""
    places = observation.setup.players
    step = 110
    left = WIDTH // 2 - (places * step - (step - TABLE_CARD[0])) // 2
    for place in range(places):
        x, y = left + place * step, _BAITS
        if place >= len(observation.baits):
            canvas.sprite("pad", x + 48, y + 66, WATER, 0.55)
            continue
        if place < len(observation.traps):
            canvas.card(observation.traps[place].card, x, y + _BELOW, WATER)
        canvas.card(observation.baits[place].card, x, y, WATER)


def _seats(canvas: Canvas, observation: Observation, people: Sequence[Player]) -> None:
    played = {laid.seat: laid.card for laid in observation.trick}
    turn = turn_of(observation.to_act)
    seats = around(len(people), observation.seat)
    places = (_bottom, _left, _top, _right) if len(seats) == 4 else (_bottom, _top)
    for seat, place in zip(seats, places, strict=True):
        name, card = place()
        plate(canvas, name, people[seat], WATER, is_turn=seat in turn)
        if seat in played:
            canvas.card(played[seat], *card, WATER)
        elif observation.starter is not None and observation.phase in ("play", "award"):
            canvas.slot(*card, WATER, RIPPLE)


def _top() -> tuple[Box, tuple[int, int]]:
    return Box(290, 28, 314, parts.PLATE_HEIGHT), (614, 28)


def _bottom() -> tuple[Box, tuple[int, int]]:
    return Box(290, 394, 314, parts.PLATE_HEIGHT), (614, 340)


def _left() -> tuple[Box, tuple[int, int]]:
    return Box(28, 138, 242, parts.PLATE_HEIGHT), (101, 214)


def _right() -> tuple[Box, tuple[int, int]]:
    return Box(730, 138, 242, parts.PLATE_HEIGHT), (803, 214)


def _corners(canvas: Canvas, observation: Observation) -> None:
    """Draw the size of the hands and, for a seat, what it set aside and what it has won."""
    if observation.hand_counts:
        badge(canvas, Box(28, 30, 164, 72), "back", str(max(observation.hand_counts)), WATER)
    seat = observation.seat
    if seat is None:
        return
    own = observation.set_aside[seat] if observation.set_aside else None
    if own is not None:
        box = Box(28, 390, 242, 72)
        badge(canvas, box, "profit", face(own)[:-2], WATER)
        canvas.sprite(f"suit-{own[1]}", box.x + 168, box.centre[1], PLATE)
    if observation.pile:
        ink = LOSS if observation.pile_points < 0 else INK
        badge(canvas, Box(730, 390, 242, 72), "back", f"{observation.pile_points:+}".replace("-", "−"), WATER, ink)


def _totals(canvas: Canvas, observation: Observation, people: Sequence[Player], height: int) -> None:
    """Draw each side's points, its poison, and how many cards it has taken."""
    own = around(len(people), observation.seat)
    for place, seats in enumerate((own[::2], own[1::2])):
        box = Box(14 + place * 490, _SCORES, 482, height)
        canvas.panel(box, PLATE, radius=18)
        y = box.bottom - 33
        if observation.seat is None:
            names = " & ".join(people[seat].name for seat in seats)
            canvas.text(box.x + 20, box.y + 36, names, ground=PLATE, limit=box.width - 40)
            x = box.x + 20
        else:
            label = _("You") if place == 0 and len(seats) == 1 else _("Us") if place == 0 else _("Them")
            x = box.x + 38 + canvas.text(box.x + 20, y, label, ground=PLATE, limit=150)
        x += canvas.text(x, y, str(observation.totals[seats[0]]).replace("-", "−"), ground=PLATE, limit=130) + 12
        if observation.turned:
            canvas.sprite("poison", x + 20, y, PLATE)
            parts.suit(canvas, observation.poison(seats[0]), x + 74, y)
            x += 100
        if any(observation.pile_counts):
            taken = sum(observation.pile_counts[seat] for seat in seats)
            if x < box.right - 130:
                wide = canvas.text(box.right - 20, y, str(taken), ground=PLATE, align="right")
                canvas.sprite("back", box.right - 52 - wide, y, PLATE, 0.46)


# ---- the hand


def _hand(observation: Observation) -> list[Held]:
    """Return the hand by suit, with marks on profit and poison."""
    if observation.seat is None:
        return []
    seat = observation.seat
    poison = observation.poison(seat) if observation.turned else ""
    own = observation.set_aside[seat] if observation.set_aside else None
    group = (group_of(own) or "") if own is not None else ""
    cards = sorted(observation.hand, key=lambda card: (_SUITS.index(card[1]), -STRENGTH[card]))

    def mark(card: Card) -> str:
        return "poison" if card[1] == poison else "profit" if card[0] in group else ""

    return [Held(card, mark(card)) for card in cards]


# ---- in words


def _alt(observation: Observation, names: Sequence[str]) -> str:
    turn = waits_for(names, turn_of(observation.to_act), observation.seat)
    if observation.outcome is not None:
        turn = _("The game is over.")
    pond = _("Pond: {cards}.", cards=_laid(names, observation.baits)) if observation.baits else ""
    traps = len(observation.traps)
    hidden = ngettext("{n} trap face down.", "{n} traps face down.", traps) if traps else ""
    trick = _("Trick: {cards}.", cards=_laid(names, observation.trick)) if observation.trick else ""
    hand = ""
    if observation.hand:
        cards = " ".join(face(held.card) for held in _hand(observation))
        hand = _("Your hand: {cards}.", cards=cards)
    totals = ""
    if observation.totals and observation.turned:
        sides = [f"{names[seat]} {observation.totals[seat]}" for seat in range(2)]
        totals = _("Points: {points}.", points=listed(sides))
    return described(turn, hand, _secrets(observation), trick, pond, hidden, totals) or _("The table is being set.")


def _secrets(observation: Observation) -> str:
    """Return the card that the seat set aside, and what it has won so far."""
    seat = observation.seat
    own = observation.set_aside[seat] if seat is not None and observation.set_aside else None
    if own is None:
        return ""
    if not observation.pile:
        return _("You set aside {card}.", card=face(own))
    return _("You set aside {card}, and have {points} so far.", card=face(own), points=f"{observation.pile_points:+}")


def _laid(names: Sequence[str], laid: Sequence[Laid]) -> str:
    return ", ".join(f"{names[seat]} {face(card)}" for seat, card in laid)
