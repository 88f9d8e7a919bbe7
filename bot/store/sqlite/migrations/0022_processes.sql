-- The running processes of the bot: which set of emojis each uses (empty: none), and its part of Discord's requests.
-- A process is gone when its time is over. Times are the database's, in seconds since 1970.
CREATE TABLE bot_processes (
    process     TEXT    PRIMARY KEY,
    emojis      TEXT    NOT NULL,
    slots       INTEGER NOT NULL,
    expires_at  REAL    NOT NULL
) STRICT, WITHOUT ROWID;

DROP TABLE emoji_users;

-- The number of all shards by which the holder of a lease counts.
ALTER TABLE leases ADD COLUMN shard_count INTEGER NOT NULL DEFAULT 1;
