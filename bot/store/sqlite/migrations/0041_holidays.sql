-- When users are on holiday: clocks of tables stop on their turns.
CREATE TABLE holidays (
    user_id     INTEGER NOT NULL,
    began       REAL NOT NULL,
    ended       REAL NOT NULL,
    PRIMARY KEY (user_id, began)
) STRICT, WITHOUT ROWID;
-- Whether users want a digest in place of pings, and when they got the last one.
ALTER TABLE users ADD COLUMN digest INTEGER NOT NULL DEFAULT 0;
ALTER TABLE users ADD COLUMN digest_at REAL;
CREATE INDEX digests ON users (id) WHERE digest = 1;
