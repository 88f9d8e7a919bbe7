-- Who had a seat in play and left it, so that they can't take another one there. Not ids, but HMAC-SHA256 of them under a
-- random salt of the table. Both are deleted when the table ends.
CREATE TABLE former_players (
    table_id    INTEGER NOT NULL REFERENCES tables (id),
    digest      BLOB    NOT NULL,
    PRIMARY KEY (table_id, digest)
) STRICT, WITHOUT ROWID;

CREATE TABLE salts (
    table_id    INTEGER PRIMARY KEY REFERENCES tables (id),
    salt        BLOB    NOT NULL
) STRICT;
