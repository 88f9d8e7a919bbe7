-- How far users are in the lesson of each game, and whether they have finished it once.
CREATE TABLE lessons (
    user_id     BIGINT NOT NULL,
    game        TEXT NOT NULL,
    step        BIGINT NOT NULL,
    finished    BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (user_id, game)
);
