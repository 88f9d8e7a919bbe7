-- What was done within the last hour, by a keyed hash: since when, and how often or by which table. The row of number 0
-- has the key of the hashes.
CREATE TABLE recent_uses (
    digest  BYTEA            PRIMARY KEY,
    since   DOUBLE PRECISION NOT NULL,
    number  BIGINT           NOT NULL
);
-- Lobbies that never started are deleted soon.
CREATE INDEX closed_lobbies_by_end ON tables (changed_at) WHERE status = 'closed' AND plies = 0;
