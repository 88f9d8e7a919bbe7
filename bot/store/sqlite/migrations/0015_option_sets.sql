-- Options of a game under a name, saved by a user for themselves or by a moderator for a server. ``options`` is a JSON object.
CREATE TABLE option_sets (
    id          INTEGER PRIMARY KEY,
    user_id     INTEGER,
    guild_id    INTEGER,
    game        TEXT    NOT NULL,
    name        TEXT    NOT NULL COLLATE NOCASE,
    options     TEXT    NOT NULL,
    clock       TEXT    NOT NULL,
    CHECK ((user_id IS NULL) <> (guild_id IS NULL))
) STRICT;

CREATE UNIQUE INDEX option_sets_of_users ON option_sets (user_id, game, name) WHERE user_id IS NOT NULL;
CREATE UNIQUE INDEX option_sets_of_servers ON option_sets (guild_id, game, name) WHERE guild_id IS NOT NULL;
