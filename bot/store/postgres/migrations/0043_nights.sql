-- Game nights: a message in a channel, who is in, and the table that opened when it began. ``shown`` is a digest of what
-- the message shows.
CREATE TABLE nights (
    id          BIGINT PRIMARY KEY,
    guild_id    BIGINT NOT NULL,
    channel_id  BIGINT NOT NULL,
    host_id     BIGINT NOT NULL,
    host_name   TEXT NOT NULL,
    game        TEXT NOT NULL,
    starts_at   DOUBLE PRECISION NOT NULL,
    status      TEXT NOT NULL,
    message_id  BIGINT,
    shown       TEXT NOT NULL DEFAULT '',
    opened_as   BIGINT
);
CREATE INDEX nights_by_guild ON nights (guild_id);
CREATE TABLE night_guests (
    night_id    BIGINT NOT NULL REFERENCES nights (id),
    user_id     BIGINT NOT NULL,
    at          DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (night_id, user_id)
);
CREATE INDEX night_guests_by_user ON night_guests (user_id);
