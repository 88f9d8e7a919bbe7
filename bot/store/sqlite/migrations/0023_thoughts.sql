-- Turns of computers that any process may think about: asked, taken until a time by one that may die, answered.
CREATE TABLE thoughts (
    table_id    INTEGER NOT NULL REFERENCES tables (id),
    version     INTEGER NOT NULL,
    seat        INTEGER NOT NULL,
    for_absent  INTEGER NOT NULL,
    asked_at    REAL    NOT NULL,
    taken_until REAL    NOT NULL,
    move        TEXT,
    PRIMARY KEY (table_id, version, seat)
) STRICT, WITHOUT ROWID;

CREATE INDEX thoughts_to_take ON thoughts (asked_at) WHERE move IS NULL;
