-- Where servers see the daily, and when their day ends.
ALTER TABLE servers ADD COLUMN daily_channel_id BIGINT;
ALTER TABLE servers ADD COLUMN timezone TEXT;
-- The message about a daily on each server. ``shown`` is the digest of what it shows.
CREATE TABLE event_posts (
    event       TEXT    NOT NULL REFERENCES events (event),
    guild_id    BIGINT NOT NULL,
    channel_id  BIGINT NOT NULL,
    nonce       BIGINT NOT NULL,
    message_id  BIGINT,
    shown       TEXT    NOT NULL DEFAULT '',
    is_final    BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (event, guild_id)
);
