-- The changes from schema 48, the last one of the version before. Ends in the schema of `0049_baseline.sql`.

-- What is due when. A time is the earliest at which something may be due.
CREATE TABLE due (
    kind        TEXT    NOT NULL,
    id          INTEGER NOT NULL,
    guild_id    INTEGER,            -- the server whose process does it; NULL in direct messages
    at          REAL    NOT NULL,
    PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX due_by_time ON due (at);
INSERT INTO due (kind, id, guild_id, at) SELECT 'deadline', id, guild_id, changed_at FROM tables WHERE status = 'playing';
INSERT INTO due (kind, id, guild_id, at) SELECT 'night', id, guild_id, starts_at FROM nights;
INSERT INTO due (kind, id, guild_id, at) SELECT 'match', id, guild_id, until FROM matches WHERE is_final = 0;
INSERT INTO due (kind, id, guild_id, at) SELECT 'recap', guild_id, guild_id, 0.0 FROM servers
    WHERE recap_channel_id IS NOT NULL;

-- Only one process answers the people of a shard: nothing has to be claimed.
DROP TABLE claims;
-- Each process thinks about the moves of its computers itself.
DROP TABLE thoughts;
-- Where the holder of a lease runs, so that its lease ends with it on the same host.
ALTER TABLE leases ADD COLUMN host TEXT NOT NULL DEFAULT '';
ALTER TABLE leases ADD COLUMN pid INTEGER NOT NULL DEFAULT 0;

-- The record of a table of an event says until when it can be finished: `finish_by`.
-- What a game can change of a seat's rating: see docs/RATINGS.md.
ALTER TABLE results ADD COLUMN effect TEXT NOT NULL DEFAULT 'all';
-- Which fold of the results the ratings are: another one than the program's is recomputed at its start.
CREATE TABLE rating_fold (
    number      INTEGER NOT NULL PRIMARY KEY
) STRICT;
-- Games against computers alone are counted apart. Streaks are recomputed with the ratings.
ALTER TABLE results ADD COLUMN against_computers INTEGER NOT NULL DEFAULT 0;
UPDATE results SET against_computers = 1 WHERE (
    SELECT count(DISTINCT side) FROM results AS other WHERE other.guild_id = results.guild_id
    AND other.game = results.game AND other.nth = results.nth AND other.level IS NULL) < 2;
ALTER TABLE ratings ADD COLUMN computer_streak INTEGER NOT NULL DEFAULT 0;
ALTER TABLE ratings ADD COLUMN computer_longest INTEGER NOT NULL DEFAULT 0;
DROP INDEX results_by_score;
DROP INDEX results_by_margin;
CREATE INDEX results_by_score ON results (guild_id, game, against_computers, score) WHERE user_id IS NOT NULL;
CREATE INDEX results_by_margin ON results (guild_id, game, against_computers, margin) WHERE user_id IS NOT NULL AND margin IS NOT NULL;

-- Messages about dailies, matches and nights are kept like those of tables. Their marks were the ids.
CREATE TABLE messages_49 (
    id          INTEGER PRIMARY KEY,
    table_id    INTEGER REFERENCES tables (id),
    kind        TEXT    NOT NULL CHECK (kind IN ('board', 'hand', 'ping', 'question', 'score', 'card', 'result', 'alert')),
    user_id     INTEGER,
    stage       TEXT    NOT NULL CHECK (stage IN ('noted', 'live', 'retiring', 'left')),
    channel_id  INTEGER NOT NULL,
    message_id  INTEGER,
    nonce       INTEGER NOT NULL,
    version     INTEGER NOT NULL,
    content     TEXT,
    deal        INTEGER,
    notified    TEXT    NOT NULL,
    posted_at   REAL    NOT NULL,
    picture     TEXT,
    attachment_id INTEGER,
    reminders   INTEGER NOT NULL DEFAULT 0,
    subject     TEXT    NOT NULL,
    subject_id  INTEGER NOT NULL,
    CHECK ((subject = 'table') = (table_id IS NOT NULL))
) STRICT;
INSERT INTO messages_49
SELECT id, table_id, kind, user_id, stage, channel_id, message_id, nonce, version, content, deal, notified, posted_at,
    picture, attachment_id, reminders, 'table', table_id
FROM messages;
DROP TABLE messages;
ALTER TABLE messages_49 RENAME TO messages;
CREATE INDEX messages_of_a_table ON messages (table_id);
CREATE INDEX messages_of_a_subject ON messages (subject, subject_id);
CREATE INDEX messages_of_a_user ON messages (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX messages_by_message ON messages (message_id) WHERE message_id IS NOT NULL;
CREATE INDEX messages_to_remove ON messages (table_id) WHERE stage <> 'live';
INSERT INTO messages (kind, stage, channel_id, message_id, nonce, version, content, deal, notified, posted_at,
    subject, subject_id)
SELECT 'card', CASE WHEN is_final = 1 THEN 'left' WHEN message_id IS NULL THEN 'noted' ELSE 'live' END, channel_id,
    message_id, nonce, 0, nullif(shown, ''), CAST(julianday(substr(event, 7)) - 1721424.5 AS INTEGER), '[]', 1,
    'daily', guild_id
FROM event_posts;
INSERT INTO messages (kind, stage, channel_id, message_id, nonce, version, content, notified, posted_at, subject,
    subject_id)
SELECT 'card', CASE WHEN is_final = 1 THEN 'left' WHEN message_id IS NULL THEN 'noted' ELSE 'live' END, channel_id,
    message_id, id, 0, nullif(shown, ''), '[]', 1, 'match', id
FROM matches;
INSERT INTO messages (kind, stage, channel_id, nonce, version, notified, posted_at, subject, subject_id)
SELECT 'result', 'noted', channel_id, (id | 1) - (id & 1), 0, '[]', 1, 'match', id
FROM matches WHERE status = 'over' AND is_final = 0;
INSERT INTO messages (kind, stage, channel_id, message_id, nonce, version, content, notified, posted_at, subject,
    subject_id)
SELECT 'card', CASE WHEN message_id IS NULL THEN 'noted' ELSE 'live' END, channel_id,
    message_id, id, 0, nullif(shown, ''), '[]', 1, 'night', id
FROM nights;
DROP TABLE event_posts;
DROP INDEX matches_to_show;
ALTER TABLE matches DROP COLUMN message_id;
ALTER TABLE matches DROP COLUMN shown;
ALTER TABLE matches DROP COLUMN is_final;
ALTER TABLE nights DROP COLUMN message_id;
ALTER TABLE nights DROP COLUMN shown;
-- `moves`: how often the time of a night was changed while others were in. Last, that was perhaps a moderator.
ALTER TABLE nights ADD COLUMN moves INTEGER NOT NULL DEFAULT 0;
ALTER TABLE nights ADD COLUMN is_moderated INTEGER NOT NULL DEFAULT 0;

-- Events have their game and the level of their computers: which daily is played on which day has changed.
-- `daily`: whether a user wants to have a place among their friends (on, off), or hasn't been asked (ask).
ALTER TABLE events ADD COLUMN level TEXT NOT NULL DEFAULT 'fair';
-- `reminder`: whether they want to be told when their streak is at risk. `reminded`: the last day on which they were.
ALTER TABLE users ADD COLUMN daily TEXT NOT NULL DEFAULT 'ask';
ALTER TABLE users ADD COLUMN reminder INTEGER NOT NULL DEFAULT 0;
ALTER TABLE users ADD COLUMN reminded INTEGER NOT NULL DEFAULT 0;
UPDATE events SET
    game = CASE CAST(julianday(substr(event, 7)) - 1721424.5 AS INTEGER) % 3 WHEN 0 THEN 'pond' WHEN 1 THEN 'pontis' ELSE 'pot_black' END,
    options = CASE CAST(julianday(substr(event, 7)) - 1721424.5 AS INTEGER) % 3 WHEN 0 THEN '{"players":2,"rounds":2}' WHEN 1 THEN '{"players":3}'
        ELSE '{"players":3,"form":"individual","end":"deals","deals":5}' END
WHERE event LIKE 'daily %' AND game IS NULL;

-- Moves without a choice can play themselves. `forced`: whether a user wants that (on, off), or hasn't been asked (ask).
ALTER TABLE entries ADD COLUMN automatic INTEGER NOT NULL DEFAULT 0;
ALTER TABLE users ADD COLUMN forced TEXT NOT NULL DEFAULT 'ask';

-- About new tables of which games and servers users want to be told, and when they were last told, about which one.
CREATE TABLE alerts (
    user_id     INTEGER NOT NULL,
    guild_id    INTEGER NOT NULL,
    game        TEXT    NOT NULL,
    PRIMARY KEY (user_id, guild_id, game)
) STRICT, WITHOUT ROWID;
CREATE INDEX alerts_by_server ON alerts (guild_id, game);
CREATE TABLE alerted (
    user_id     INTEGER PRIMARY KEY,
    about_table INTEGER NOT NULL,
    at          REAL NOT NULL
) STRICT;
