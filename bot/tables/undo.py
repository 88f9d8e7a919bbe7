"""Undo: free until something is revealed or another seat acts; after that, the other players have to agree.

An undo removes the entries from the seat's last one to the end of the log; the store keeps them elsewhere. Moves that
played themselves go with the one before. A repeated deal is the same, as its cards follow from its number. Questions
and answers belong to one version of a table.

Computers can't agree, and their opponents can't forget cards. So an undo never goes back past anything that reveals a
computer's hand, unless one person plays there alone: then it may, but not past chance, and the game can't raise their
rating any more. Where a computer keeps the seat of an absent player, it never goes back past anything that this player
did or learned either.
"""

from dataclasses import dataclass
from itertools import islice

from bot.errors import NotAllowed, Stale
from bot.games.game import CHANCE, AnyGame, Entry, Event, Seat
from bot.records.live_message import Snapshot
from bot.records.standing import counts
from bot.records.table import Table
from bot.records.taken_back import REFUSED, WITHDRAWN, UndoAnswers
from bot.store.store import Store
from bot.tables.folds import Fold
from bot.tables.ledger import MOVED_ON, Ledger, unless_moved_on
from bot.tables.seating import need_playing, seated


@dataclass(frozen=True, slots=True)
class Undoing:
    """The result of asking for an undo: the table after it, or the users who have to agree first."""

    table: Table
    waiting: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """A player's question for an undo; ``waiting`` are the users who still have to agree."""

    asker_id: int
    waiting: tuple[int, ...] = ()
    refused: bool = False
    withdrawn: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """An undo: the entries before ``ply`` stay, and the users ``concerned`` have to agree.

    ``is_slip``: whether computers have answered the move of the only person, who therefore knows more.
    """

    ply: int
    concerned: tuple[int, ...]
    is_slip: bool = False


def plan(game: AnyGame, table: Table, folded: Fold, user_id: int) -> Plan:
    """Return the plan to undo the user's last move and everything after it.

    Raises `NotSeated`, `WrongPhase`, and `NotAllowed` if there is no such move, or because of a computer (`objection`).
    """
    seat = seated(table, user_id).seat
    need_playing(table)
    plies = _made_by(folded, seat)
    if not plies:
        raise NotAllowed("There's nothing to undo: you haven't made a move yet.")
    if folded.freely_undone_by == seat:
        return Plan(plies[-1], ())
    if table.is_compared:
        raise NotAllowed("Too late to undo: another table plays these cards.")
    if _is_of_one(table):
        _check_nothing_new(game, table, folded, plies[-1])
        return Plan(plies[-1], (), is_slip=True)
    _check_computers(game, table, folded, plies[-1])
    others = [sitter.user_id for sitter in table.sitters if sitter.user_id is not None]
    return Plan(plies[-1], tuple(other for other in others if other != user_id))


def _made_by(folded: Fold, seat: Seat) -> list[int]:
    """Return the numbers of the entries of a seat, without those that played themselves."""
    return [ply for ply, entry in enumerate(folded.entries) if entry.seat == seat and ply not in folded.automatic]


def _check_computers(game: AnyGame, table: Table, folded: Fold, ply: int) -> None:
    """Raise `NotAllowed` if a computer at the table has an `objection` to an undo of everything from the ply on."""
    computers = {sitter.seat for sitter in table.sitters if sitter.is_computer}
    if not computers:
        return
    played = zip(folded.entries, game.steps(table.options, folded.entries), strict=True)
    found = [(entry.seat, objection(game, table, entry, step.events)) for entry, step in islice(played, ply, None)]
    refusals = [(mover, refusal) for mover, refusal in found if refusal is not None]
    # A computer has nothing to agree to, so what it has seen since explains more than a rule about people.
    for _, refusal in sorted(refusals, key=lambda each: each[0] not in computers):
        raise refusal


def _is_of_one(table: Table) -> bool:
    """Whether nobody else than one person has ever played at the table."""
    users = {user for each in table.sitters for user in (each.player_id, each.began[1]) if user is not None}
    return len(users) == 1 and not any(each.after_removal or each.is_given_up for each in table.sitters)


def _check_nothing_new(game: AnyGame, table: Table, folded: Fold, ply: int) -> None:
    """Raise `NotAllowed` in an event, if chance has written since the ply, or if its seat has got new cards."""
    if table.event is not None:
        raise NotAllowed("Too late to undo: others play the same, and moves there stay.")
    if any(entry.seat is CHANCE for entry in folded.entries[ply:]):
        raise NotAllowed("Too late to undo: new cards have been dealt.")
    seat = folded.entries[ply].seat
    before = game.observe(game.fold(table.options, folded.entries[:ply]), seat)
    held, hand = getattr(before, "hand", ()), getattr(folded.observation(game, seat), "hand", ())
    if len(held) < len(hand):
        raise NotAllowed("Too late to undo: hidden cards have been revealed.")


def can_undo(game: AnyGame, table: Table, folded: Fold, user_id: int) -> bool:
    """Whether the last move of the user may be undone: at once, or if the others agree.

    The fold keeps the answer, as each redrawing of a hand needs it.
    """
    if user_id not in folded.undoable:
        try:
            plan(game, table, folded, user_id)
        except NotAllowed:
            folded.undoable[user_id] = False
        else:
            folded.undoable[user_id] = True
    return folded.undoable[user_id]


def may_be_undone(game: AnyGame, table: Table, folded: Fold, seat: Seat | None) -> bool:
    """Whether the last move of the user on the seat, or for ``None`` of anybody, may be undone."""
    users = [each.user_id for each in table.sitters if each.user_id is not None and seat in {None, each.seat}]
    return any(can_undo(game, table, folded, user_id) for user_id in users)


def objection(game: AnyGame, table: Table, entry: Entry, events: tuple[Event, ...]) -> NotAllowed | None:
    """Return why a step can't be undone at a table with computers; ``None`` if it can."""
    if entry.seat is CHANCE:
        return NotAllowed("Too late to undo: new cards have been dealt.") if game.informs(events) else None
    for sitter in table.sitters:
        if sitter.held_for is not None and (sitter.seat == entry.seat or game.reveals(events)):
            refusal = "Too late to undo: {player} is away and can't agree."
            return NotAllowed(refusal, player=f"<@{sitter.held_for}>")
    mover = table.sitter_at(entry.seat)
    if mover is not None and mover.is_computer:
        if not game.informs(events):
            return None
        return NotAllowed("Too late to undo: {computer} has played since.", computer=mover.name)
    if game.shows_others(entry.seat, events):
        return NotAllowed("Too late to undo: hidden cards have been revealed.")
    return None


class Undos:
    """Undoes moves, and asks the other players."""

    def __init__(self, store: Store, ledger: Ledger) -> None:
        self._stored = store.undos
        self.taken_back = store.undos.taken_back
        self.drop_question = store.undos.forget
        self._ledger = ledger

    async def undo(self, table_id: int, user_id: int, seen: int | None = None) -> Undoing:
        """Undo the user's last move if nobody has to agree; else store their question.

        ``seen`` is the version that the user saw, ``None`` for the current one. Raises `Stale` if the table isn't at
        that version, `NotAllowed` if the question was refused or withdrawn at this version, and the errors of `plan`.
        """
        table, folded = await self._ledger.folded(table_id)
        if seen not in {None, table.version}:
            raise Stale(MOVED_ON)
        if self._plan(table, folded, user_id).concerned:
            await unless_moved_on(self._stored.answer(table_id, table.version, user_id, user_id))
        return await self._undo(table_id, user_id, table.version)

    async def costs_rating(self, table_id: int, user_id: int, seen: int | None = None) -> bool:
        """Whether the game couldn't raise the user's rating any more after an undo, but still can at this version."""
        table, folded = await self._ledger.folded(table_id)
        if seen not in {None, table.version}:
            return False
        return counts(table) and not table.has_slips and self._plan(table, folded, user_id).is_slip

    async def agree(self, table_id: int, user_id: int, asker_id: int, version: int) -> Undoing:
        """Undo the asker's move if all others have agreed; else store that the user agrees.

        Raises `NotSeated`, `Stale` if the table isn't at this version, and `NotAllowed` if there is no such question.
        """
        table = await self._ledger.unchanged(table_id, user_id, version)
        if asker_id not in await self._agreed(table_id, version, asker_id):
            raise NotAllowed("This question has been settled.")
        table, folded = await self._ledger.fold(table)
        if table.version != version:
            raise Stale(MOVED_ON)
        concerned = self._plan(table, folded, asker_id).concerned
        if await unless_moved_on(self._stored.agree(table, asker_id, user_id, concerned)):
            return await self._undo(table_id, asker_id, version)
        return await self._undo(table_id, asker_id, version, last=user_id)

    async def refuse(self, table_id: int, user_id: int, asker_id: int, version: int) -> Table:
        """Refuse a question, or withdraw it if the user is the asker. Both settle it for this version.

        Raises `NotSeated`, and `Stale` if the table isn't at this version.
        """
        table = await self._ledger.unchanged(table_id, user_id, version)
        answer = WITHDRAWN if user_id == asker_id else REFUSED
        await unless_moved_on(self._stored.answer(table_id, version, asker_id, answer))
        return table

    async def questions(self, snapshot: Snapshot) -> tuple[Question, ...]:
        """Return the questions at this version of the table."""
        if not snapshot.questions:
            return ()
        table, folded = await self._ledger.fold(snapshot.table)
        if table.version != snapshot.table.version:  # somebody has just moved, which settles them
            return ()
        return tuple(self._question(table, folded, asker, answers) for asker, answers in snapshot.questions.items())

    def _question(self, table: Table, folded: Fold, asker_id: int, answers: UndoAnswers) -> Question:
        if answers.is_withdrawn or answers.is_refused or table.sitter(asker_id) is None:
            return Question(asker_id, refused=answers.is_refused, withdrawn=not answers.is_refused)
        concerned = self._plan(table, folded, asker_id).concerned
        return Question(asker_id, tuple(user for user in concerned if user not in answers.agreed))

    async def _agreed(self, table_id: int, version: int, asker_id: int) -> frozenset[int]:
        questions = await self._stored.questions(table_id, version)
        answers = questions.get(asker_id, UndoAnswers())
        if answers.is_withdrawn:
            raise NotAllowed("You stopped asking. You can ask again after the next move.")
        if answers.is_refused:
            raise NotAllowed("Not everyone agreed. You can ask again after the next move.")
        return answers.agreed

    async def _undo(self, table_id: int, asker_id: int, version: int, last: int | None = None) -> Undoing:
        """Undo the asker's move if all have agreed; ``last`` is who agrees by this."""
        table, folded = await self._ledger.folded(table_id)
        if table.version != version:
            raise Stale(MOVED_ON)
        agreed = {*await self._agreed(table_id, version, asker_id), last}
        waiting = tuple(user for user in self._plan(table, folded, asker_id).concerned if user not in agreed)
        if waiting:
            return Undoing(table, waiting)

        async def ply_of(table: Table, folded: Fold) -> tuple[int, bool]:
            await self._agreed(table_id, version, asker_id)  # raises if it was refused in the meantime
            found = self._plan(table, folded, asker_id)
            return found.ply, found.is_slip

        return Undoing((await self._ledger.undo(table_id, ply_of, asker_id, version)).table)

    def _plan(self, table: Table, folded: Fold, user_id: int) -> Plan:
        return plan(self._ledger.rulebook(table), table, folded, user_id)
