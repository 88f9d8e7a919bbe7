-- Matches: events whose deals two sides play, such as a challenge. An event without a game is that of its day.
ALTER TABLE events ADD COLUMN game TEXT;
ALTER TABLE events ADD COLUMN options TEXT;
-- The number of the deal that was played, and the side that it counts for.
ALTER TABLE event_results ADD COLUMN deal INTEGER NOT NULL DEFAULT 0;
ALTER TABLE event_results ADD COLUMN side INTEGER NOT NULL DEFAULT 0;
-- ``until`` is when the offer ends, and then when the match does. ``shown`` is a digest of what the message shows.
CREATE TABLE matches (
    id          INTEGER PRIMARY KEY,
    event       TEXT NOT NULL UNIQUE REFERENCES events (event),
    kind        TEXT NOT NULL,
    guild_id    INTEGER NOT NULL,
    channel_id  INTEGER NOT NULL,
    deals       INTEGER NOT NULL,
    days        INTEGER NOT NULL,
    until       REAL NOT NULL,
    status      TEXT NOT NULL,
    message_id  INTEGER,
    shown       TEXT NOT NULL DEFAULT '',
    is_final    INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX matches_to_show ON matches (id) WHERE is_final = 0;
CREATE INDEX matches_by_guild ON matches (guild_id);
CREATE TABLE match_players (
    match_id    INTEGER NOT NULL REFERENCES matches (id),
    side        INTEGER NOT NULL,
    number      INTEGER NOT NULL,
    user_id     INTEGER,
    name        TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (match_id, side, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX match_players_by_user ON match_players (user_id);
