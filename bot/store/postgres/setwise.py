"""The statements of a move, each for the moves of many tables at once.

Each does the work of one statement in `bot.store.statements`. Its parameters are lists: one for each value of that
statement, with an item for each move, and the numbers of the moves. For each row that it changes, it returns the number
of the move. This takes about half of the server's time for single statements.
"""

from typing import Final

from bot.store.statements import INSERT_ENTRY, MOVE_ON, NOTE_TURNS

SETWISE: Final = {
    MOVE_ON: """
UPDATE tables SET version = given.after, plies = plies + given.more, changed_at = given.at
FROM unnest($1::bigint[], $2::bigint[], $3::double precision[], $4::bigint[], $5::bigint[], $6::integer[])
    AS given (after, more, at, id, before, number)
WHERE tables.id = given.id AND tables.version = given.before
RETURNING given.number
""",
    INSERT_ENTRY: """
WITH given AS (
    SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::integer[], $4::text[], $5::bigint[], $6::double precision[],
        $7::text[], $8::integer[]) AS given (id, back, seat, move, by_user, at, stand_in, number)
), added AS (
    INSERT INTO entries (table_id, ply, seat, move, by_user, at, stand_in)
    SELECT id, plies - back, seat, move, by_user, at, stand_in FROM given JOIN tables USING (id)
    RETURNING table_id
)
SELECT number FROM given JOIN added ON id = table_id
""",
    NOTE_TURNS: """
UPDATE seats SET owes = (given.turns >> seat) & 1, since = given.at
FROM unnest($1::bigint[], $2::bigint[], $3::double precision[], $4::integer[]) AS given (id, turns, at, number)
WHERE table_id = given.id AND since IS NOT NULL AND coalesce(owes, -1) <> (given.turns >> seat) & 1
RETURNING given.number
""",
}
