-- Messages may be scores of deals, one for each deal of a table. SQLite can't change a CHECK, so the table is copied.
CREATE TABLE messages_with_scores (
    id          INTEGER PRIMARY KEY,
    table_id    INTEGER NOT NULL REFERENCES tables (id),
    kind        TEXT    NOT NULL CHECK (kind IN ('board', 'hand', 'ping', 'question', 'score')),
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

INSERT INTO messages_with_scores (id, table_id, kind, user_id, stage, channel_id, message_id, nonce, version, content,
    deal, notified, posted_at)
SELECT id, table_id, kind, user_id, stage, channel_id, message_id, nonce, version, content, deal, notified, posted_at
FROM messages;

DROP TABLE messages;
ALTER TABLE messages_with_scores RENAME TO messages;

CREATE INDEX messages_of_a_table ON messages (table_id);
CREATE INDEX messages_of_a_user ON messages (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX messages_by_message ON messages (message_id) WHERE message_id IS NOT NULL;
CREATE INDEX messages_to_remove ON messages (table_id) WHERE stage <> 'live';
