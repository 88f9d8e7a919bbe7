-- Whether players may ask for hints at a table: ``auto`` is for those who play against computers alone.
ALTER TABLE tables ADD COLUMN hints TEXT NOT NULL DEFAULT 'auto' CHECK (hints IN ('auto', 'on', 'off'));
-- The hints that were shown: to which seat, and before which entry.
CREATE TABLE hints (
    table_id    INTEGER NOT NULL REFERENCES tables (id),
    ply         INTEGER NOT NULL,
    seat        INTEGER NOT NULL,
    PRIMARY KEY (table_id, ply, seat)
) STRICT, WITHOUT ROWID;
