"""The engine of the computers for Pond · frogs: boards as plain integers.

A board is a tuple of integers. Its pieces are in three *lanes* of one integer: the eggs, above them the tadpoles, above
them the frogs. So one shift develops pieces of any stage, and one expression finds the sets of all stages. The engine
knows actions, development and sets, but not how a game ends. A test plays the same games with it and with the rulebook.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Final, NamedTuple

from bot.games.frogs.moves import COLUMNS, ROWS, Place, Shift, Square, Stage, squares
from bot.games.frogs.position import NEIGHBOURS, REACH, Position

Squares = int
"""A set of squares: one bit for each."""

Lanes = int
"""A set of squares for each stage, in three lanes."""

Board = tuple[Lanes, Squares, Squares, int, int, int, int]
"""Pieces by stage, the squares of the mover and of the rival, their spawns, their scores."""

STAGES: Final = tuple(Stage)
"""The order of the lanes."""


class Action(NamedTuple):
    """A placing or the move of a piece, as changes of a board.

    ``pieces`` are the bits of the lanes that change, ``own`` the mover's squares that change, ``near`` the neighbours
    of the landing square in all lanes, and ``eggs`` is 1 for a placing.
    """

    pieces: Lanes
    own: Squares
    near: Lanes
    eggs: int


class Engine:
    """The pond of one size."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.across = size + 1
        """The distance between neighbours in a row. Each column has a spare bit, so that no line leaves it."""
        self.lane = size * self.across
        """The distance between lanes."""
        self.bit: dict[Square, Squares] = {
            name: 1 << (self.across * COLUMNS.index(name[0]) + ROWS.index(name[1])) for name in squares(size)
        }
        self.all: Squares = sum(self.bit.values())
        self.corners: Squares = self._with_neighbours(2)
        self.centre: Squares = self._with_neighbours(4)
        self.lanes: Lanes = self.in_all_lanes(self.all)
        left = COLUMNS[: size - 2]
        self.starts: Lanes = self.in_all_lanes(sum(bit for name, bit in self.bit.items() if name[0] in left))
        """Squares where a line across may start."""
        self.placings = tuple(self._placing(name) for name in self.bit)
        self.tadpole_moves = self._moves(Stage.TADPOLE)
        self.frog_moves = self._moves(Stage.FROG)
        self.tadpole_reach = self._reach(Stage.TADPOLE)
        self.frog_reach = self._reach(Stage.FROG)
        self.moves = self._names()
        last = size - 1
        self._turns = [
            self._turn(map_square)
            for map_square in (
                lambda x, y: (last - x, y),
                lambda x, y: (x, last - y),
                lambda x, y: (last - x, last - y),
                lambda x, y: (y, x),
                lambda x, y: (last - y, x),
                lambda x, y: (y, last - x),
                lambda x, y: (last - y, last - x),
            )
        ]
        """The rotations and reflections of the pond, as maps of the bits of the lanes."""

    def in_all_lanes(self, places: Squares) -> Lanes:
        """Return the squares in each lane."""
        return places | places << self.lane | places << 2 * self.lane

    # ---- boards

    def board_of(self, position: Position) -> Board:
        """Return a position of the rulebook as a board, seen by the side to move."""
        mover = position.turn or 0
        pieces = 0
        owners = [0, 0]
        for name, owner, stage in position.pieces:
            pieces |= self.bit[name] << self.lane * STAGES.index(stage)
            owners[owner] |= self.bit[name]
        own, spawns, scores = owners[mover], position.spawns, position.scores
        return (pieces, own, owners[1 - mover], spawns[mover], spawns[1 - mover], scores[mover], scores[1 - mover])

    def actions(self, board: Board) -> list[Action]:
        """Return all actions of the mover."""
        pieces, own, rival, spawn = board[:4]
        empty = self.all ^ own ^ rival
        found = [action for action in self.placings if action[1] & empty] if spawn else []
        tadpoles, frogs = pieces >> self.lane & own, pieces >> 2 * self.lane & own
        while tadpoles:
            origin = tadpoles & -tadpoles
            tadpoles ^= origin
            found += [action for action in self.tadpole_moves[origin] if action[1] & empty]
        while frogs:
            origin = frogs & -frogs
            frogs ^= origin
            found += [action for action in self.frog_moves[origin] if action[1] & empty]
        return found

    def can_act(self, board: Board) -> bool:
        """Return whether the mover has any action."""
        pieces, own, rival, spawn = board[:4]
        empty = self.all ^ own ^ rival
        if spawn and empty:
            return True
        tadpoles, frogs = pieces >> self.lane & own, pieces >> 2 * self.lane & own
        return any(self.tadpole_reach[origin] & empty for origin in _each(tadpoles)) or any(
            self.frog_reach[origin] & empty for origin in _each(frogs)
        )

    def play(self, board: Board, action: Action) -> Board:
        """Return the board after a legal action, seen by the other side."""
        pieces, own, rival, spawn, rival_spawn, score, rival_score = board
        changed, landed, near, eggs = action
        lane, across = self.lane, self.across
        pieces ^= changed
        own ^= landed
        developing = pieces & near
        pieces ^= developing ^ (developing << lane & self.lanes) ^ developing >> 2 * lane
        lines = pieces & (pieces >> 1 & pieces >> 2 | pieces >> across & pieces >> 2 * across & self.starts)
        if lines:
            pieces, gone = self._scored(pieces)
            score += (own & gone).bit_count()
            rival_score += (rival & gone).bit_count()
            own &= ~gone
            rival &= ~gone
        return (pieces, rival, own, rival_spawn, spawn - eggs, rival_score, score)

    def _scored(self, pieces: Lanes) -> tuple[Lanes, Squares]:
        """Return the pieces that stay when all sets have left, and the squares of the sets."""
        across, lane = self.across, self.lane
        down = pieces & pieces >> 1 & pieces >> 2
        right = pieces & pieces >> across & pieces >> 2 * across & self.starts
        sets = down | down << 1 | down << 2 | right | right << across | right << 2 * across
        return pieces ^ sets, (sets | sets >> lane | sets >> 2 * lane) & self.all

    # ---- symmetry

    def families(self, board: Board, actions: Sequence[Action]) -> list[list[Action]]:
        """Group actions that lead to the same board but for a rotation or a reflection."""
        pieces, own = board[0], board[1]
        symmetries = [turn for turn in self._turns if _turned(pieces, turn) == pieces and _turned(own, turn) == own]
        if not symmetries:
            return [[action] for action in actions]
        groups: dict[Lanes, list[Action]] = {}
        for action in actions:
            alike = min(action.pieces, *(_turned(action.pieces, turn) for turn in symmetries))
            groups.setdefault(alike, []).append(action)
        return list(groups.values())

    # ---- tables

    def _turn(self, map_square: Callable[[int, int], tuple[int, int]]) -> dict[int, int]:
        """Return the new place of each bit of the lanes when squares move."""
        turn = {}
        for name, bit in self.bit.items():
            column, row = map_square(COLUMNS.index(name[0]), ROWS.index(name[1]))
            for shift in (0, self.lane, 2 * self.lane):
                turn[bit << shift] = self.bit[COLUMNS[column] + ROWS[row]] << shift
        return turn

    def _near(self, name: Square) -> Lanes:
        return self.in_all_lanes(sum(self.bit.get(near, 0) for near in NEIGHBOURS[name]))

    def _with_neighbours(self, number: int) -> Squares:
        """Return the squares that have this many neighbours."""
        return sum(
            bit for name, bit in self.bit.items() if sum(near in self.bit for near in NEIGHBOURS[name]) == number
        )

    def _placing(self, name: Square) -> Action:
        return Action(self.bit[name], self.bit[name], self._near(name), 1)

    def _moves(self, stage: Stage) -> dict[Squares, tuple[Action, ...]]:
        return {self.bit[name]: tuple(action for action, _ in self._moves_from(name, stage)) for name in self.bit}

    def _moves_from(self, name: Square, stage: Stage) -> Iterator[tuple[Action, Shift]]:
        for landing in REACH[stage][name]:
            if landing in self.bit:
                own = self.bit[name] | self.bit[landing]
                yield (
                    Action(own << self.lane * STAGES.index(stage), own, self._near(landing), 0),
                    Shift(name, landing),
                )

    def _reach(self, stage: Stage) -> dict[Squares, Squares]:
        return {bit: sum(self.bit.get(landing, 0) for landing in REACH[stage][name]) for name, bit in self.bit.items()}

    def _names(self) -> dict[Action, Place | Shift]:
        """Return the rulebook's move for each action."""
        named: dict[Action, Place | Shift] = {self._placing(name): Place(name) for name in self.bit}
        for stage in (Stage.TADPOLE, Stage.FROG):
            for name in self.bit:
                named.update(self._moves_from(name, stage))
        return named


@cache
def engine_of(size: int) -> Engine:
    """Return the engine for ponds of ``size`` by ``size``."""
    return Engine(size)


def _turned(places: int, turn: dict[int, int]) -> int:
    return sum(turn[place] for place in _each(places))


def _each(places: Squares) -> Iterator[Squares]:
    while places:
        place = places & -places
        yield place
        places ^= place
