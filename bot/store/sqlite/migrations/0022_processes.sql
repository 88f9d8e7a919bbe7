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

-- When each shard was last known to run, and when it did not: that time counts for nobody. A server is on the shard
-- (id >> 22) % shard_count. What is known from before is about all servers, that is about shard 0 of 1.
CREATE TABLE heartbeats (
    shard_count INTEGER NOT NULL,
    shard       INTEGER NOT NULL,
    at          REAL    NOT NULL,
    PRIMARY KEY (shard_count, shard)
) STRICT, WITHOUT ROWID;

INSERT INTO heartbeats SELECT 1, 0, at FROM heartbeat;

DROP TABLE heartbeat;

CREATE TABLE shard_outages (
    shard_count INTEGER NOT NULL,
    shard       INTEGER NOT NULL,
    began       REAL    NOT NULL,
    ended       REAL    NOT NULL,
    PRIMARY KEY (shard_count, shard, began)
) STRICT, WITHOUT ROWID;

INSERT INTO shard_outages SELECT 1, 0, began, ended FROM outages;

DROP TABLE outages;

ALTER TABLE shard_outages RENAME TO outages;
