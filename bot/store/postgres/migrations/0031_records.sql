-- A table is one record: the columns that queries need, and ``record``, a JSON object with all other fields of
-- `bot.store.records.Table`. `seats` remains as an index of who sits where, whose turn it is, and since when.
DROP VIEW open_tables;

-- Options that are no JSON must not stop the migration: their table is closed later.
DO $$
DECLARE
    one RECORD;
BEGIN
    FOR one IN SELECT id, options FROM tables LOOP
        BEGIN
            PERFORM CAST(one.options AS JSON);
        EXCEPTION WHEN others THEN
            UPDATE tables SET options = 'null' WHERE id = one.id;
        END;
    END LOOP;
END $$;

ALTER TABLE tables ADD COLUMN record TEXT NOT NULL DEFAULT '{}';

UPDATE tables SET record = json_build_object(
    'options', CAST(options AS JSON),
    'seats', seats,
    'sitters', (
        SELECT coalesce(json_agg(json_build_object('seat', seat, 'name', name, 'user_id', user_id, 'cut', cut,
            'started_as', started_as, 'held_for', held_for, 'started_by', started_by, 'level', level,
            'offered', offered <> 0, 'after_removal', after_removal <> 0) ORDER BY seat), '[]')
        FROM seats WHERE table_id = tables.id),
    'commitment', commitment,
    'seed', CASE WHEN status = 'over' OR (status = 'closed' AND reason NOT LIKE 'damaged %')
        THEN (SELECT encode(seed, 'hex') FROM secrets WHERE table_id = tables.id) END,
    'outcome', CASE WHEN status = 'over' AND reason IS NOT NULL THEN (
        SELECT json_build_object('scores', coalesce(json_agg(score ORDER BY seat), '[]'),
            'places', coalesce(json_agg(place ORDER BY seat), '[]'), 'reason', reason)
        FROM results WHERE table_id = tables.id) END,
    'rules', rules,
    'undone_at', undone_at,
    'clock', clock,
    'why', CASE status WHEN 'closed' THEN reason END,
    'guests', (
        SELECT coalesce(json_agg(json_build_object('user_id', user_id, 'is_invited', is_invited <> 0,
            'is_called', is_called <> 0) ORDER BY user_id), '[]')
        FROM invitations WHERE table_id = tables.id),
    'looked_at', looked_at,
    'level', level,
    'hints', hints,
    'invited_only', invited_only <> 0,
    'former', json_build_object(
        'removed', (
            SELECT coalesce(json_agg(user_id ORDER BY user_id), '[]') FROM removals WHERE table_id = tables.id),
        'salt', coalesce((SELECT encode(salt, 'hex') FROM salts WHERE table_id = tables.id), ''),
        'left', (
            SELECT coalesce(json_agg(encode(digest, 'hex') ORDER BY digest), '[]')
            FROM former_players WHERE table_id = tables.id AND was_removed = 0),
        'forgotten', (
            SELECT coalesce(json_agg(encode(digest, 'hex') ORDER BY digest), '[]')
            FROM former_players WHERE table_id = tables.id AND was_removed <> 0)));

ALTER TABLE tables DROP COLUMN options;
ALTER TABLE tables DROP COLUMN seats;
ALTER TABLE tables DROP COLUMN commitment;
ALTER TABLE tables DROP COLUMN reason;
ALTER TABLE tables DROP COLUMN rules;
ALTER TABLE tables DROP COLUMN undone_at;
ALTER TABLE tables DROP COLUMN clock;
ALTER TABLE tables DROP COLUMN looked_at;
ALTER TABLE tables DROP COLUMN level;
ALTER TABLE tables DROP COLUMN hints;
ALTER TABLE tables DROP COLUMN invited_only;

ALTER TABLE seats DROP COLUMN name;
ALTER TABLE seats DROP COLUMN cut;
ALTER TABLE seats DROP COLUMN started_as;
ALTER TABLE seats DROP COLUMN offered;
ALTER TABLE seats DROP COLUMN started_by;
ALTER TABLE seats DROP COLUMN level;
ALTER TABLE seats DROP COLUMN after_removal;

DROP TABLE results;
DROP TABLE invitations;
DROP TABLE removals;
DROP TABLE former_players;
DROP TABLE salts;

CREATE VIEW open_tables AS SELECT * FROM tables WHERE status IN ('lobby', 'playing');
