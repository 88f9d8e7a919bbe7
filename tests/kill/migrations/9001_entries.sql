-- What a later version may do: rebuild the largest table, row by row, in one transaction.
CREATE TABLE entries_anew (
    table_id    INTEGER NOT NULL REFERENCES tables (id),
    ply         INTEGER NOT NULL CHECK (ply >= 0),
    seat        INTEGER,
    move        TEXT    NOT NULL,
    by_user     INTEGER,
    at          REAL    NOT NULL,
    stand_in    TEXT,
    level       TEXT,
    seen        INTEGER,
    PRIMARY KEY (table_id, ply)
) STRICT, WITHOUT ROWID;
INSERT INTO entries_anew SELECT table_id, ply, seat, move, by_user, at, stand_in, level, seen FROM entries;
DROP TABLE entries;
ALTER TABLE entries_anew RENAME TO entries;
CREATE INDEX entries_by_user ON entries (by_user);
