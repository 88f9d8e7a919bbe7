-- Tables that have ended are deleted some time later; these find them, and the rematches that refer to them.
CREATE INDEX ended_tables_by_end ON tables (changed_at) WHERE status IN ('over', 'closed');
CREATE INDEX rematches_by_table ON tables (rematch_of) WHERE rematch_of IS NOT NULL;

-- Whom the host has removed from a lobby: they can't join it again. Deleted when the lobby ends.
CREATE TABLE removals (
    table_id    INTEGER NOT NULL REFERENCES tables (id),
    user_id     INTEGER NOT NULL,
    PRIMARY KEY (table_id, user_id)
) STRICT, WITHOUT ROWID;
