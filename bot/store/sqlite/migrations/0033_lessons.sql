-- How far users are in the lesson of each game, and whether they have finished it once.
CREATE TABLE lessons (
    user_id     INTEGER NOT NULL,
    game        TEXT NOT NULL,
    step        INTEGER NOT NULL,
    finished    INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (user_id, game)
) STRICT, WITHOUT ROWID;
