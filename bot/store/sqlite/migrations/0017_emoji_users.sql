-- Which set of emojis each running process uses. Times are the database's, in seconds since 1970.
CREATE TABLE emoji_users (
    process TEXT PRIMARY KEY,
    emojis TEXT NOT NULL,
    expires_at REAL NOT NULL
) WITHOUT ROWID;
