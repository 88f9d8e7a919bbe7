-- A row for each seat of each game that counts. It outlives its table. `nth` numbers the games of a kind on a server in
-- the order in which they ended: ratings are the fold of the rows in this order. `mu` and `sigma` are the rating of the
-- seat before the game, so that the ratings of others can still be computed after a player was deleted.
-- ``margin`` is the difference between the best two sides, unless the game was drawn or conceded.
CREATE TABLE results (
    guild_id    BIGINT NOT NULL,
    game        TEXT    NOT NULL,
    nth         BIGINT NOT NULL,
    seat        INTEGER NOT NULL,
    number      BIGINT NOT NULL,
    ended_at    DOUBLE PRECISION NOT NULL,
    options     TEXT    NOT NULL,
    reason      TEXT    NOT NULL,
    side        BIGINT NOT NULL,
    place       BIGINT NOT NULL,
    won         BIGINT NOT NULL,
    score       BIGINT NOT NULL,
    margin      BIGINT,
    user_id     BIGINT,
    level       TEXT,
    decisions   BIGINT NOT NULL,
    own         BIGINT NOT NULL,
    mu          DOUBLE PRECISION NOT NULL,
    sigma       DOUBLE PRECISION NOT NULL,
    gain        DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (guild_id, game, nth, seat)
);

CREATE INDEX results_by_user ON results (user_id, guild_id, game, nth) WHERE user_id IS NOT NULL;
CREATE INDEX results_by_end ON results (guild_id, ended_at);
CREATE INDEX results_by_score ON results (guild_id, game, score) WHERE user_id IS NOT NULL;
CREATE INDEX results_by_margin ON results (guild_id, game, margin) WHERE user_id IS NOT NULL AND margin IS NOT NULL;

-- The ratings after all results. `streak` is the number of games that the player has won in a row.
CREATE TABLE ratings (
    guild_id    BIGINT NOT NULL,
    game        TEXT    NOT NULL,
    user_id     BIGINT NOT NULL,
    name        TEXT    NOT NULL,
    mu          DOUBLE PRECISION NOT NULL,
    sigma       DOUBLE PRECISION NOT NULL,
    games       BIGINT NOT NULL,
    wins        BIGINT NOT NULL,
    streak      BIGINT NOT NULL,
    longest     BIGINT NOT NULL,
    PRIMARY KEY (guild_id, game, user_id)
);

CREATE INDEX ratings_by_user ON ratings (user_id);

-- Whether users are shown in standings. `bot.store.records.Table` has the field ``counted``.
ALTER TABLE users ADD COLUMN ranking INTEGER NOT NULL DEFAULT 1;
