-- Moments that players have marked for the replay.
CREATE TABLE marks (
    table_id    BIGINT NOT NULL REFERENCES tables (id),
    user_id     BIGINT NOT NULL,
    ply         BIGINT NOT NULL,
    PRIMARY KEY (table_id, user_id, ply)
);
CREATE INDEX marks_by_user ON marks (user_id);
