-- When users are on holiday: clocks of tables stop on their turns.
CREATE TABLE holidays (
    user_id     BIGINT NOT NULL,
    began       DOUBLE PRECISION NOT NULL,
    ended       DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (user_id, began)
);
-- Whether users want a digest in place of pings, and when they got the last one.
ALTER TABLE users ADD COLUMN digest BIGINT NOT NULL DEFAULT 0;
ALTER TABLE users ADD COLUMN digest_at DOUBLE PRECISION;
CREATE INDEX digests ON users (id) WHERE digest = 1;
