"""Puts moments and their twins on tables of two real bots, lets one person use everything there, and compares.

The two bots run on simulated Discords. The person uses every verb of a press as button, menu and form, every command
and every autocomplete, with arguments that anybody was shown there and with forged ones. Everything that reaches a
viewer who can't distinguish the twins has to be the same: what the person gets, if they are such a viewer, what
everyone in the channel gets, and the direct messages. Verbs and commands come from the bot's own registries.
"""

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Final, NamedTuple

from bot.games.game import AnyGame, Seat
from bot.ui.actions.press import all_verbs
from bot.ui.posts.custom_id import Press
from tests.leaks.knowledge import READERS, Viewer
from tests.leaks.pressed import Side, Use
from tests.leaks.twins import Twin, deals_of, moments, twins
from tests.recorded import Moment

LAST: Final = ("privacy_delete", "resigned", "counted", "ended", "closed")
"""Verbs that end a table or delete what was set are used last."""
KINDS: Final = ("seated", "sharing", "sealed", "watching")
"""Who acts, in turn: a seat that doesn't know the exchanged cards, one that does, one after the end of a table of an
event whose cards others may still play, and somebody without a seat.
"""
_BEFORE: Final = 80
_TOLD: Final = 240
"""How much of a difference is told, and from how far before it."""
_DEPTH: Final = 3
"""How often what was shown is used in turn."""
_SHORT: Final = 60
"""The length of games of which GIFs are shared."""
_NAME: Final = re.compile(r"Pond \d+")
"""The name of a table."""


class Dose(NamedTuple):
    """How much is tried.

    Parameters
    ----------
    full: The share of the verbs of all games that are used bare and about another seat; else one of these is drawn.
    by_others: The share of that which is used by others than a seated player who may know nothing more.
    forged: How many forged arguments of each verb are used besides.
    shown: How many of the arguments of each verb are used that somebody was shown.
    """

    full: float
    by_others: float
    forged: int
    shown: int


class Pair(NamedTuple):
    """A moment and a twin, and who acts there."""

    kind: str
    moment: Moment
    twin: Twin
    actor: Viewer


def pairs(game: AnyGame, rng: random.Random) -> Iterator[Pair]:
    """Yield pairs without end, of all `KINDS` in turn."""
    every = moments(game, rng)
    while True:
        for kind in KINDS:
            yield next(pair for moment in every for pair in _pairs_at(game, kind, moment, rng))


def _pairs_at(game: AnyGame, kind: str, moment: Moment, rng: random.Random) -> Iterator[Pair]:
    for twin in twins(game, moment, deals_of(game, moment), rng):
        if game.to_act(moment.state) and (actors := _actors(game, kind, moment, twin)):
            yield Pair(kind, moment, twin, rng.choice(actors))


def _actors(game: AnyGame, kind: str, moment: Moment, twin: Twin) -> Sequence[Viewer]:
    """Return those who may act as this kind does. Somebody else's hand has to differ, if the game has hands."""
    knowing = [seat for seat in range(moment.table.seats) if seat not in twin.viewers]
    holding = [seat for seat in knowing if _holds_other_cards(game, moment, twin.moment, seat)]
    if READERS[game.key] is not None and not holding:
        return ()
    if kind == "watching":
        return (None,)
    others = [seat for seat in twin.viewers if seat is not None]
    if kind == "sharing":
        is_there = game.keeps_record(moment.table.options) >= game.keeps_record(game.settle({}))
        return (holding or others) if is_there and moment.ply <= _SHORT else ()
    return others if kind == "sealed" else [seat for seat in others if len(game.legal(moment.state, seat)) > 1]


def _holds_other_cards(game: AnyGame, moment: Moment, twin: Moment, seat: Seat) -> bool:
    return bool(game.observe(moment.state, seat) != game.observe(twin.state, seat))


# ---- arguments


Shown = Mapping[str, set[tuple[str, str]]]
"""By verb, the arguments and the values to pick."""


def shown_to_anybody(side: Side) -> Shown:
    """Return by verb the arguments, and the values to pick, of all components that are shown."""
    found: dict[str, set[tuple[str, str]]] = {}
    for part in side.components():
        press = Press.parse(str(part.get("custom_id", "")))
        if press is None:
            continue
        for option in part.get("options") or ({"value": ""},):
            found.setdefault(press.verb, set()).add((press.argument, str(option["value"])))
    return found


def forged(side: Side, game: AnyGame, pair: Pair, rng: random.Random) -> list[str]:
    """Return arguments that no message need have: other seats, users and tables, moments with their eyes, moves."""
    moment = pair.moment
    seats, ply = range(moment.table.seats), rng.randrange(1, moment.ply + 1)
    eyes = ("all", "table", *(f"seat{seat}" for seat in seats))
    moves = [str(move) for seat in seats for move in game.legal(moment.state, seat)]
    where = [f"{at}-{eye}" for at in (ply, moment.ply) for eye in eyes]
    ways = [f"{each}-{way}" for each in where for way in ("here", "last", "deal", "game")]
    return [
        *map(str, seats),
        *eyes,
        *(str(side.players[seat].id) for seat in seats),
        *where,
        *rng.sample(ways, min(8, len(ways))),
        *rng.sample(moves, min(6, len(moves))),
        *map(str, (ply, side.table.id - 1, "deal-1", "menu")),
    ]


def other_seat(game: AnyGame, pair: Pair, rng: random.Random) -> Seat:
    """Return another seat: one that sees something else in the twin, if there is one."""
    seats = [seat for seat in range(pair.moment.table.seats) if seat != pair.actor]
    differing = [seat for seat in seats if _holds_other_cards(game, pair.moment, pair.twin.moment, seat)]
    return rng.choice(differing or seats)


def first_uses(side: Side, game: AnyGame, pair: Pair, dose: Dose, rng: random.Random) -> list[Use]:
    """Return uses of every verb, command and autocomplete: bare, about another seat, and some forged ones."""
    other = other_seat(game, pair, rng)
    about = (str(other), str(side.players[other].id))
    tried = forged(side, game, pair, rng)
    uses: list[Use] = []
    for verb in sorted(all_verbs()):
        on, is_own = rng.choice(("page", "board", "hand")), verb in side.own_verbs
        arguments = ["", *about] if is_own or rng.random() < dose.full else [rng.choice(("", *about, *tried))]
        arguments += rng.sample(tried, min(dose.forged, len(tried)))
        uses += [Use(rng.choice(("press", "menu")), verb, each, each, on) for each in arguments]
        if rng.random() < dose.full / 4:
            uses.append(Use("form", verb, "", rng.choice(about), "board"))
            uses.append(Use("menu", verb, "", side.table.key, is_stale=True))
    for command in side.commands():
        path, moves = command.qualified_name, [each for each in tried if " " in each]
        uses.append(Use("command", path, value=rng.choice(("", *moves, *about))))
        named = [option.display_name for option in command.parameters if option.autocomplete]
        uses += [Use(name, path, value=each) for name in named for each in ("", *about[: dose.forged])]
    if pair.kind != "seated":
        uses = rng.sample(uses, round(len(uses) * dose.by_others))
    return _ordered(uses, pair, rng)


def next_uses(found: Shown, known: Shown, pair: Pair, dose: Dose, rng: random.Random) -> list[Use]:
    """Return uses of what was shown to anybody, and not before: some of each verb.

    A player with other cards in the twin has other moves there.
    """
    uses: list[Use] = []
    most = dose.shown * (3 if pair.kind == "sharing" else 1)
    for verb, pressed in sorted(found.items()):
        new = sorted(pressed - known.get(verb, set()))
        for argument, value in rng.sample(new, min(most, len(new))):
            uses.append(Use("menu" if value else "press", verb, argument, value, rng.choice(("page", "board", "hand"))))
    return _ordered([use for use in uses if pair.kind != "sharing" or " " not in use.argument + use.value], pair, rng)


def ways_in(pair: Pair, rng: random.Random) -> list[Use]:
    """Return uses by the actor and another player of what shows most of a table."""
    others = [seat for seat in range(pair.moment.table.seats) if seat != pair.actor]
    by = (pair.actor, rng.choice(others))
    return [Use("press", verb, by=each) for verb in ("replay", "more", "hand") for each in by]


def _ordered(uses: Sequence[Use], pair: Pair, rng: random.Random) -> list[Use]:
    """Return the actor's uses in random order, once each, those that end something last."""
    distinct = list(dict.fromkeys(use._replace(by=pair.actor) for use in uses))
    rng.shuffle(distinct)
    return sorted(distinct, key=lambda use: use.name in LAST)


# ---- comparing


class Act(NamedTuple):
    """A use, what its viewers were shown, and what they know of the game after it if that has changed the table."""

    use: Use
    shown: list[str]
    known: object = None


async def acted(side: Side, game: AnyGame, pair: Pair, dose: Dose, rng: random.Random) -> list[Act]:
    """Let the actor use everything at the moment. Put it on a new table whenever the table has changed."""
    found: list[Act] = []
    known: Shown = {}
    side.answered.clear()
    await _put(side, pair, pair.moment)
    uses = ways_in(pair, rng)
    for _ in range(_DEPTH):
        for use in uses:
            found.append(await _act(side, game, pair, use))
            if found[-1].known is not None:
                await _put(side, pair, pair.moment)
        shown = shown_to_anybody(side)
        uses, known = next_uses(shown, known, pair, dose, rng), shown
    for use in first_uses(side, game, pair, dose, rng):
        found.append(await _act(side, game, pair, use))
        if found[-1].known is not None:
            await _put(side, pair, pair.moment)
    return found


async def differing(side: Side, game: AnyGame, pair: Pair, acts: Sequence[Act]) -> list[str]:
    """Let the actor do the same at the twin. Return what differs for a viewer.

    After a move, viewers may know what distinguishes the two: what is about such a table isn't compared.
    """
    found: list[str] = []
    side.part()
    await _put(side, pair, pair.twin.moment)
    for act in acts:
        again = await _act(side, game, pair, act.use)
        if again.known != act.known:
            side.parted.add(side.table.name)
        elif _about(side, again) != _about(side, act) and side.parted.isdisjoint(_NAME.findall("".join(again.shown))):
            found.append(_difference(act, again))
        if act.known is not None:
            await _put(side, pair, pair.twin.moment)
        elif again.known is not None:
            # Who knows the exchanged cards holds others, and may play those.
            return found if act.use.by not in pair.twin.viewers else [*found, _difference(act, again)]
    return found


def _about(side: Side, act: Act) -> list[str]:
    """Return what was shown, without messages about other tables only: they may come in any order, and later."""
    named = ((each, {*_NAME.findall(each)}) for each in act.shown)
    return [each for each, names in named if not names or side.table.name in names]


def _difference(act: Act, again: Act) -> str:
    """Return what was used, and the beginning of the first difference of what was shown."""
    shown = [*zip_longest(act.shown, again.shown, fillvalue="nothing")]
    one, other = next(((a, b) for a, b in shown if a != b), ("the table", "only one table has changed"))
    same = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), 0)
    at = max(0, same - _BEFORE)
    return f"{act.use}\n  {one[at : at + _TOLD]}\n  {other[at : at + _TOLD]}"


async def _put(side: Side, pair: Pair, moment: Moment) -> None:
    await side.put(moment, pair.kind)
    await side.changed(pair.twin.viewers)


async def _act(side: Side, game: AnyGame, pair: Pair, use: Use) -> Act:
    readers = pair.twin.viewers
    answer = await side.use(use)
    shown = [*(answer if use.by in readers else ()), *await side.changed(readers)]
    if not await side.has_changed():
        return Act(use, shown)
    table, state = await side.state()
    known = table.version, table.status, table.is_revealed, [game.observe(state, seat) for seat in readers]
    return Act(use, shown, known)
