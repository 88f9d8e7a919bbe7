-- Whether the table waits for this seat to move (NULL: not known yet, as only the rules can tell), and since when that
-- holds. ``since`` is NULL once the table is over or closed.
ALTER TABLE seats ADD COLUMN owes INTEGER;
ALTER TABLE seats ADD COLUMN since REAL;

UPDATE seats SET
    since = (SELECT changed_at FROM tables WHERE id = table_id),
    owes = (SELECT CASE status WHEN 'lobby' THEN 0 END FROM tables WHERE id = table_id)
WHERE table_id IN (SELECT id FROM open_tables);

-- The open tables of a user in the order in which they are listed.
CREATE INDEX open_seats_by_user ON seats (user_id, owes DESC, since, table_id)
    WHERE user_id IS NOT NULL AND since IS NOT NULL;
CREATE INDEX open_seats_held ON seats (held_for, since, table_id) WHERE held_for IS NOT NULL AND since IS NOT NULL;
CREATE INDEX unknown_turns ON seats (table_id) WHERE owes IS NULL AND since IS NOT NULL;

CREATE INDEX open_tables_by_host ON tables (host_id) WHERE status IN ('lobby', 'playing');
CREATE INDEX open_tables_by_guild ON tables (guild_id) WHERE status IN ('lobby', 'playing');
