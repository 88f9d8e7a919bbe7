-- The messages that show a table, one row each, in place of `shown`.
--
-- stage: noted (about to be posted, or posted and not yet recorded), live, retiring (replaced, still to be removed).
-- user_id: whose hand it is, or who asks the question. message_id: NULL until Discord has answered. nonce: marks the
-- message on Discord, as its nonce and as the id of its outermost component. content: a digest of what it shows, NULL
-- where that is unknown. notified: a JSON list of the users whom it has told that it's their turn.
CREATE TABLE messages (
    id          INTEGER PRIMARY KEY,
    table_id    INTEGER NOT NULL REFERENCES tables (id),
    kind        TEXT    NOT NULL CHECK (kind IN ('board', 'hand', 'ping', 'question')),
    user_id     INTEGER,
    stage       TEXT    NOT NULL CHECK (stage IN ('noted', 'live', 'retiring')),
    channel_id  INTEGER NOT NULL,
    message_id  INTEGER,
    nonce       INTEGER NOT NULL,
    version     INTEGER NOT NULL,
    content     TEXT,
    deal        INTEGER,
    notified    TEXT    NOT NULL,
    posted_at   REAL    NOT NULL
) STRICT;

CREATE INDEX messages_of_a_table ON messages (table_id);
CREATE INDEX messages_of_a_user ON messages (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX messages_by_message ON messages (message_id) WHERE message_id IS NOT NULL;
CREATE INDEX messages_to_remove ON messages (table_id) WHERE stage <> 'live';

-- Notes of messages that were about to be posted are left behind: they can't be recognised by their old marks.
INSERT INTO messages (table_id, kind, user_id, stage, channel_id, message_id, nonce, version, content, deal, notified,
    posted_at)
SELECT table_id, kind, nullif(user_id, 0), 'live', channel_id, message_id, abs(random() % 2147483647) + 1, version,
    CASE kind WHEN 'board' THEN nullif(substr(digest, 1, instr(digest, ':') - 1), '')
        WHEN 'hand' THEN nullif(substr(digest, instr(digest, ':') + 1), '') END,
    CASE kind WHEN 'hand' THEN CAST(substr(digest, 1, instr(digest, ':') - 1) AS INTEGER) END,
    '[' || CASE kind WHEN 'board' THEN replace(substr(digest, instr(digest, ':') + 1), '.', ',') ELSE '' END || ']',
    posted_at
FROM shown WHERE kind IN ('board', 'hand');

INSERT INTO messages (table_id, kind, stage, channel_id, message_id, nonce, version, notified, posted_at)
SELECT table_id, 'ping', 'live', channel_id, message_id, abs(random() % 2147483647) + 1, version,
    '[' || replace(digest, '.', ',') || ']', posted_at
FROM shown WHERE kind = 'ping' AND user_id > 0;

-- A question was recorded under its seat: -1 for the first one.
INSERT INTO messages (table_id, kind, user_id, stage, channel_id, message_id, nonce, version, notified, posted_at)
SELECT shown.table_id, 'question', seats.user_id, 'live', channel_id, message_id, abs(random() % 2147483647) + 1,
    version, '[]', posted_at
FROM shown JOIN seats ON seats.table_id = shown.table_id AND seats.seat = -1 - shown.user_id
WHERE kind = 'ping' AND shown.user_id < 0 AND seats.user_id IS NOT NULL;

DROP TABLE shown;
