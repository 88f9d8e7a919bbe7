-- Users who are asked to join a lobby. If any of them is invited, only invited users can. Those who are called are still to
-- come, and get one ping. Deleted when the lobby ends.
CREATE TABLE invitations (
    table_id    INTEGER NOT NULL REFERENCES tables (id),
    user_id     INTEGER NOT NULL,
    is_invited  INTEGER NOT NULL,
    is_called   INTEGER NOT NULL,
    PRIMARY KEY (table_id, user_id)
) STRICT, WITHOUT ROWID;
