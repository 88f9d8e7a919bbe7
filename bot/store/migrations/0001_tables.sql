-- Tables, their logs and secrets, who sits where, results, the messages that show them, users.
-- Ids of users, guilds, channels and messages are Discord's. Times are seconds since 1970.

CREATE TABLE tables (
    id          INTEGER PRIMARY KEY,
    name        TEXT    NOT NULL COLLATE NOCASE,
    game        TEXT    NOT NULL,
    rules       INTEGER NOT NULL,
    options     TEXT    NOT NULL,
    seats       INTEGER NOT NULL,
    status      TEXT    NOT NULL CHECK (status IN ('lobby', 'playing', 'over', 'closed')),
    version     INTEGER NOT NULL,
    plies       INTEGER NOT NULL DEFAULT 0,
    host_id     INTEGER NOT NULL,
    guild_id    INTEGER,
    channel_id  INTEGER NOT NULL,
    commitment  TEXT    NOT NULL,
    reason      TEXT,
    opened_at   REAL    NOT NULL,
    changed_at  REAL    NOT NULL
) STRICT;

CREATE INDEX tables_by_name ON tables (name);
CREATE UNIQUE INDEX open_tables_by_name ON tables (name) WHERE status IN ('lobby', 'playing');
CREATE INDEX open_tables_by_channel ON tables (channel_id) WHERE status IN ('lobby', 'playing');
CREATE INDEX open_tables_by_status ON tables (status) WHERE status IN ('lobby', 'playing');

CREATE VIEW open_tables AS SELECT * FROM tables WHERE status IN ('lobby', 'playing');

-- The truth: a table's state is the fold of these. The primary key is the lock across processes.
CREATE TABLE entries (
    table_id    INTEGER NOT NULL REFERENCES tables (id),
    ply         INTEGER NOT NULL,
    seat        INTEGER,
    move        TEXT    NOT NULL,
    by_user     INTEGER,
    at          REAL    NOT NULL,
    PRIMARY KEY (table_id, ply)
) STRICT, WITHOUT ROWID;

-- Apart from the table's own row, so that it is never loaded with it.
CREATE TABLE secrets (
    table_id    INTEGER PRIMARY KEY REFERENCES tables (id),
    seed        BLOB    NOT NULL CHECK (length(seed) = 32)
) STRICT;

CREATE TABLE seats (
    table_id    INTEGER NOT NULL REFERENCES tables (id),
    seat        INTEGER NOT NULL,
    name        TEXT    NOT NULL,
    user_id     INTEGER,
    cut         TEXT    NOT NULL,
    started_as  TEXT,
    PRIMARY KEY (table_id, seat)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX one_seat_a_user ON seats (user_id, table_id) WHERE user_id IS NOT NULL;

CREATE TABLE results (
    table_id    INTEGER NOT NULL REFERENCES tables (id),
    seat        INTEGER NOT NULL,
    score       INTEGER NOT NULL,
    place       INTEGER NOT NULL,
    PRIMARY KEY (table_id, seat)
) STRICT, WITHOUT ROWID;

CREATE TABLE shown (
    table_id    INTEGER NOT NULL REFERENCES tables (id),
    kind        TEXT    NOT NULL CHECK (kind IN ('board', 'hand', 'ping')),
    user_id     INTEGER NOT NULL,
    channel_id  INTEGER NOT NULL,
    message_id  INTEGER NOT NULL,
    version     INTEGER NOT NULL,
    posted_at   REAL    NOT NULL,
    digest      TEXT    NOT NULL,
    PRIMARY KEY (table_id, kind, user_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE users (
    id          INTEGER PRIMARY KEY,
    dm_closed   INTEGER NOT NULL
) STRICT;
