-- A row for each seat of each game that counts. It outlives its table. `nth` numbers the games of a kind on a server in
-- the order in which they ended: ratings are the fold of the rows in this order. `mu` and `sigma` are the rating of the
-- seat before the game, so that the ratings of others can still be computed after a player was deleted.
-- ``margin`` is the difference between the best two sides, unless the game was drawn or conceded.
CREATE TABLE results (
    guild_id    INTEGER NOT NULL,
    game        TEXT    NOT NULL,
    nth         INTEGER NOT NULL,
    seat        INTEGER NOT NULL,
    number      INTEGER NOT NULL,
    ended_at    REAL    NOT NULL,
    options     TEXT    NOT NULL,
    reason      TEXT    NOT NULL,
    side        INTEGER NOT NULL,
    place       INTEGER NOT NULL,
    won         INTEGER NOT NULL,
    score       INTEGER NOT NULL,
    margin      INTEGER,
    user_id     INTEGER,
    level       TEXT,
    decisions   INTEGER NOT NULL,
    own         INTEGER NOT NULL,
    mu          REAL    NOT NULL,
    sigma       REAL    NOT NULL,
    gain        REAL    NOT NULL,
    PRIMARY KEY (guild_id, game, nth, seat)
) STRICT, WITHOUT ROWID;

CREATE INDEX results_by_user ON results (user_id, guild_id, game, nth) WHERE user_id IS NOT NULL;
CREATE INDEX results_by_end ON results (guild_id, ended_at);
CREATE INDEX results_by_score ON results (guild_id, game, score) WHERE user_id IS NOT NULL;
CREATE INDEX results_by_margin ON results (guild_id, game, margin) WHERE user_id IS NOT NULL AND margin IS NOT NULL;

-- The ratings after all results. `streak` is the number of games that the player has won in a row.
CREATE TABLE ratings (
    guild_id    INTEGER NOT NULL,
    game        TEXT    NOT NULL,
    user_id     INTEGER NOT NULL,
    name        TEXT    NOT NULL,
    mu          REAL    NOT NULL,
    sigma       REAL    NOT NULL,
    games       INTEGER NOT NULL,
    wins        INTEGER NOT NULL,
    streak      INTEGER NOT NULL,
    longest     INTEGER NOT NULL,
    PRIMARY KEY (guild_id, game, user_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX ratings_by_user ON ratings (user_id);

-- Whether users are shown in standings. `bot.store.records.Table` has the field ``counted``.
ALTER TABLE users ADD COLUMN ranking INTEGER NOT NULL DEFAULT 1;
