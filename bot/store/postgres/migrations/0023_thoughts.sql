CREATE TABLE thoughts (
    table_id    BIGINT  NOT NULL REFERENCES tables (id),
    version     BIGINT  NOT NULL,
    seat        BIGINT  NOT NULL,
    for_absent  BIGINT  NOT NULL,
    asked_at    DOUBLE PRECISION NOT NULL,
    taken_until DOUBLE PRECISION NOT NULL,
    move        TEXT,
    PRIMARY KEY (table_id, version, seat)
);

CREATE INDEX thoughts_to_take ON thoughts (asked_at) WHERE move IS NULL;
