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
    undone_at   INTEGER NOT NULL DEFAULT 0,
    host_id     INTEGER NOT NULL,
    guild_id    INTEGER,
    channel_id  INTEGER NOT NULL,
    commitment  TEXT    NOT NULL,
    reason      TEXT,
    clock       TEXT    NOT NULL DEFAULT 'none',
    rematch_of  INTEGER REFERENCES tables (id),
    opened_at   REAL    NOT NULL,
    changed_at  REAL    NOT NULL
) STRICT;

CREATE INDEX tables_by_name ON tables (name);
CREATE UNIQUE INDEX open_tables_by_name ON tables (name) WHERE status IN ('lobby', 'playing');
CREATE INDEX open_tables_by_channel ON tables (channel_id) WHERE status IN ('lobby', 'playing');
CREATE UNIQUE INDEX one_rematch_a_table ON tables (rematch_of) WHERE rematch_of IS NOT NULL AND status <> 'closed';
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

-- What stands no more: entries that were taken back, by whom and when. The log itself holds only what stands.
CREATE TABLE taken_back (
    table_id    INTEGER NOT NULL REFERENCES tables (id),
    undone_at   INTEGER NOT NULL,
    ply         INTEGER NOT NULL,
    seat        INTEGER,
    move        TEXT    NOT NULL,
    by_user     INTEGER,
    at          REAL    NOT NULL,
    taken_by    INTEGER NOT NULL,
    taken_at    REAL    NOT NULL,
    PRIMARY KEY (table_id, undone_at, ply)
) STRICT, WITHOUT ROWID;

-- Who agrees that somebody takes his move back; who asks agrees himself. Good for one version of the table only.
CREATE TABLE undo_votes (
    table_id    INTEGER NOT NULL REFERENCES tables (id),
    version     INTEGER NOT NULL,
    asker_id    INTEGER NOT NULL,
    user_id     INTEGER NOT NULL,
    PRIMARY KEY (table_id, version, asker_id, user_id)
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
    held_for    INTEGER,
    offered     INTEGER NOT NULL DEFAULT 0,
    started_by  INTEGER,
    PRIMARY KEY (table_id, seat)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX one_seat_a_user ON seats (user_id, table_id) WHERE user_id IS NOT NULL;
CREATE INDEX seats_held_by_user ON seats (held_for, table_id) WHERE held_for IS NOT NULL;

CREATE TABLE results (
    table_id    INTEGER NOT NULL REFERENCES tables (id),
    seat        INTEGER NOT NULL,
    score       INTEGER NOT NULL,
    place       INTEGER NOT NULL,
    PRIMARY KEY (table_id, seat)
) STRICT, WITHOUT ROWID;

CREATE TABLE shown (
    table_id    INTEGER NOT NULL REFERENCES tables (id),
    kind        TEXT    NOT NULL CHECK (kind IN ('board', 'hand', 'ping', 'new board', 'new hand', 'new ping')),
    user_id     INTEGER NOT NULL,
    channel_id  INTEGER NOT NULL,
    message_id  INTEGER NOT NULL,
    version     INTEGER NOT NULL,
    posted_at   REAL    NOT NULL,
    digest      TEXT    NOT NULL,
    PRIMARY KEY (table_id, kind, user_id)
) STRICT, WITHOUT ROWID;

-- What moderators have set for their server; a server without a row has all defaults. ``channels`` is a JSON list.
CREATE TABLE servers (
    guild_id    INTEGER PRIMARY KEY,
    channels    TEXT    NOT NULL,
    threads     INTEGER NOT NULL,
    role_id     INTEGER,
    clock       TEXT    NOT NULL
) STRICT;

-- Servers that the bot is no longer in, and since when.
CREATE TABLE left_guilds (
    guild_id    INTEGER PRIMARY KEY,
    left_at     REAL    NOT NULL
) STRICT;

CREATE TABLE users (
    id          INTEGER PRIMARY KEY,
    dm_closed   INTEGER NOT NULL DEFAULT 0,
    pings       INTEGER NOT NULL DEFAULT 1,
    quiet_from  INTEGER,
    quiet_until INTEGER,
    utc_offset  INTEGER NOT NULL DEFAULT 0
) STRICT;

-- How far the waiting for the move at this version has come: steps done, and since when it counts.
CREATE TABLE waits (
    table_id    INTEGER PRIMARY KEY REFERENCES tables (id),
    version     INTEGER NOT NULL,
    since       REAL    NOT NULL,
    steps       INTEGER NOT NULL
) STRICT;

-- What those who aren't waited for want done; good for the version it was said at.
CREATE TABLE votes (
    table_id    INTEGER NOT NULL REFERENCES tables (id),
    user_id     INTEGER NOT NULL,
    version     INTEGER NOT NULL,
    remedy      TEXT    NOT NULL,
    PRIMARY KEY (table_id, user_id)
) STRICT, WITHOUT ROWID;

-- When the program was last known to run, and when it did not: that time counts for nobody.
CREATE TABLE heartbeat (
    id          INTEGER PRIMARY KEY CHECK (id = 1),
    at          REAL    NOT NULL
) STRICT;

CREATE TABLE outages (
    began       REAL    PRIMARY KEY,
    ended       REAL    NOT NULL
) STRICT, WITHOUT ROWID;
