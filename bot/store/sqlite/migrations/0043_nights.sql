-- Game nights: a message in a channel, who is in, and the table that opened when it began. ``shown`` is a digest of what
-- the message shows.
CREATE TABLE nights (
    id          INTEGER PRIMARY KEY,
    guild_id    INTEGER NOT NULL,
    channel_id  INTEGER NOT NULL,
    host_id     INTEGER NOT NULL,
    host_name   TEXT NOT NULL,
    game        TEXT NOT NULL,
    starts_at   REAL NOT NULL,
    status      TEXT NOT NULL,
    message_id  INTEGER,
    shown       TEXT NOT NULL DEFAULT '',
    opened_as   INTEGER
) STRICT;
CREATE INDEX nights_by_guild ON nights (guild_id);
CREATE TABLE night_guests (
    night_id    INTEGER NOT NULL REFERENCES nights (id),
    user_id     INTEGER NOT NULL,
    at          REAL NOT NULL,
    PRIMARY KEY (night_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX night_guests_by_user ON night_guests (user_id);
