-- When a user was last pinged at a table: pings of one user keep a pause between them, across restarts too.
CREATE TABLE pings (
    table_id    INTEGER NOT NULL REFERENCES tables (id),
    user_id     INTEGER NOT NULL,
    at          REAL    NOT NULL,
    PRIMARY KEY (table_id, user_id)
) STRICT, WITHOUT ROWID;
