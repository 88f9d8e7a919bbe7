-- Events, such as the daily: the same cards for all who play them. `bot.store.records.Table` has the field ``event``.
-- ``player`` is a keyed hash of the user, so that one who deletes their data has no second try; or a computer.
-- ``played`` is the number of the table, which may be deleted.
CREATE TABLE events (
    event       TEXT    NOT NULL PRIMARY KEY,
    secret      BYTEA   NOT NULL CHECK (length(secret) = 32),
    commitment  TEXT    NOT NULL,
    closes_at   DOUBLE PRECISION NOT NULL,
    is_closed   BIGINT  NOT NULL DEFAULT 0
);
CREATE TABLE event_results (
    event       TEXT    NOT NULL REFERENCES events (event),
    player      TEXT    NOT NULL,
    user_id     BIGINT,
    guild_id    BIGINT,
    name        TEXT    NOT NULL DEFAULT '',
    played      BIGINT,
    ends_at     DOUBLE PRECISION,
    score       BIGINT,
    streak      BIGINT  NOT NULL DEFAULT 0,
    PRIMARY KEY (event, player)
);
CREATE INDEX event_results_by_user ON event_results (user_id, event);
CREATE INDEX event_results_by_table ON event_results (played);
