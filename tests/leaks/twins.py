"""Moments of random tables, and their twins: tables that differ only in what some viewers can't know.

A twin is the true log with hidden cards exchanged, folded by the real rulebook. It is kept if every entry is still
legal and the same is announced. So what may differ doesn't depend on anything that the program shows.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from typing import Final, NamedTuple

from bot.errors import IllegalMove
from bot.games.game import AnyGame, Entry
from tests.leaks.knowledge import READERS, Deal, DealtCard, Viewer, announced
from tests.recorded import Moment, every_form, moments_of

_MOMENTS: Final = 12
"""Moments taken from each table."""
_TRIED: Final = 14
"""Exchanges tried at each moment."""
_FOLDED_AGAIN: Final = 4
"""Twins of each moment in a game without hidden cards."""


def moments(game: AnyGame, rng: random.Random) -> Iterator[Moment]:
    """Yield moments of random tables without end, over every choice of every option.

    Two moments of each table are from the first round of turns, which has secrets that later rounds don't.
    """
    for number in count():
        for log in every_form(game.key, number):
            every = moments_of(game.key, log)
            first = every[: game.seats(log.options)]
            yield from rng.sample(first, min(2, len(first)))
            yield from rng.sample(every, min(_MOMENTS - 2, len(every)))


# ---- twins


class Twin(NamedTuple):
    """A moment that these viewers can't distinguish from the original."""

    moment: Moment
    viewers: tuple[Viewer, ...]


def deals_of(game: AnyGame, moment: Moment) -> list[Deal]:
    """Return the deals that still have secrets."""
    log, read_by = moment.log, READERS[game.key]
    if read_by is None:
        return []
    reader = read_by(log.options)
    for ply, entry in enumerate(log.entries[: moment.ply]):
        reader.read(ply, entry, log.states[ply])
    reader.ended(moment.state)
    return reader.deals


def twins(game: AnyGame, moment: Moment, deals: Sequence[Deal], rng: random.Random) -> Iterator[Twin]:
    """Yield twins of the moment; few or none if little is hidden.

    In a game without hidden cards, a twin is the same log folded again.
    """
    log = moment.log
    if READERS[game.key] is None:
        for _ in range(_FOLDED_AGAIN):
            if again := _folded(game, moment, 0, log.entries[: moment.ply]):
                yield Twin(again, moment.viewers)
        return
    for _ in range(_TRIED):
        viewer = rng.choice(moment.viewers)
        deal = rng.choice((deals[-1], rng.choice(deals)))
        exchange = _exchange(deal.hidden_from(viewer), rng)
        twin = _folded(game, moment, deal.ply, _rewritten(log.entries[deal.ply : moment.ply], deal.ply, exchange))
        if twin is not None and twin.state != moment.state:
            yield Twin(twin, tuple(v for v in moment.viewers if all(v not in card.known_to for card in exchange)))


def _exchange(hidden: list[DealtCard], rng: random.Random) -> dict[DealtCard, str]:
    """Exchange some hidden cards: two, four and so on, or all of them.

    Half the time they share a suit, as foundations do, or a rank. Plays and misses reveal such properties.
    """
    alike = rng.choice((None, None, 0, 1))
    if alike is not None and hidden:
        like = rng.choice(hidden).card[alike]
        hidden = [card for card in hidden if card.card[alike] == like]
    size = rng.choice([len(hidden) >> halvings for halvings in range(len(hidden).bit_length() - 1)] or [0])
    cards = rng.sample(hidden, size)
    others = [card.card for card in cards]
    changed = zip(cards, rng.sample(others, size), strict=True)
    return {card: other for card, other in changed if card.card != other}


def _rewritten(entries: list[Entry], first: int, exchange: Mapping[DealtCard, str]) -> list[Entry]:
    """Return the entries, numbered from ``first``, with exchanged cards."""
    texts: dict[int, str] = {}
    for card, other in exchange.items():
        for ply, offset in card.written:
            text = texts.get(ply) or entries[ply - first].move
            texts[ply] = text[:offset] + other + text[offset + 2 :]
    entries = list(entries)
    for ply, text in texts.items():
        entries[ply - first] = Entry(entries[ply - first].seat, text)
    return entries


def _folded(game: AnyGame, moment: Moment, ply: int, entries: Sequence[Entry]) -> Moment | None:
    """Return the moment with other entries from ``ply`` on.

    Return ``None`` if one is illegal, or something else is announced. Earlier entries aren't folded again.
    """
    log = moment.log.until(ply)
    try:
        for entry in entries:
            log.append(game, entry)
    except IllegalMove:
        return None
    is_same = announced(game, log.states[-1]) == announced(game, moment.state)
    return moment._replace(log=log) if is_same else None
