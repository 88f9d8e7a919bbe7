-- Moments that players have marked for the replay.
CREATE TABLE marks (
    table_id    INTEGER NOT NULL REFERENCES tables (id),
    user_id     INTEGER NOT NULL,
    ply         INTEGER NOT NULL,
    PRIMARY KEY (table_id, user_id, ply)
) STRICT, WITHOUT ROWID;
CREATE INDEX marks_by_user ON marks (user_id);
