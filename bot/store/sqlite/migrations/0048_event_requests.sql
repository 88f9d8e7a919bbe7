-- Events (dailies, matches, game nights) whose message another process than the holder of the server's lease has changed.
CREATE TABLE event_requests (
    event       TEXT    NOT NULL,
    guild_id    INTEGER NOT NULL,
    PRIMARY KEY (event, guild_id)
) STRICT, WITHOUT ROWID;
