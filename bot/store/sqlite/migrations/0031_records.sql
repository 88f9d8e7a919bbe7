-- A table is one record: the columns that queries need, and ``record``, a JSON object with all other fields of
-- `bot.store.records.Table`. `seats` remains as an index of who sits where, whose turn it is, and since when.
DROP VIEW open_tables;

ALTER TABLE tables ADD COLUMN record TEXT NOT NULL DEFAULT '{}';

UPDATE tables SET record = json_object(
    'options', json(CASE WHEN json_valid(options) THEN options ELSE 'null' END),
    'seats', seats,
    'sitters', json((
        SELECT json_group_array(json_object('seat', seat, 'name', name, 'user_id', user_id, 'cut', cut,
            'started_as', started_as, 'held_for', held_for, 'started_by', started_by, 'level', level,
            'offered', json(CASE offered WHEN 0 THEN 'false' ELSE 'true' END),
            'after_removal', json(CASE after_removal WHEN 0 THEN 'false' ELSE 'true' END)))
        FROM (SELECT * FROM seats WHERE table_id = tables.id ORDER BY seat))),
    'commitment', commitment,
    'seed', CASE WHEN status = 'over' OR (status = 'closed' AND reason NOT LIKE 'damaged %')
        THEN (SELECT lower(hex(seed)) FROM secrets WHERE table_id = id) END,
    'outcome', json(CASE WHEN status = 'over' AND reason IS NOT NULL THEN (
        SELECT json_object('scores', json_group_array(score), 'places', json_group_array(place), 'reason', reason)
        FROM (SELECT * FROM results WHERE table_id = tables.id ORDER BY seat)) END),
    'rules', rules,
    'undone_at', undone_at,
    'clock', clock,
    'why', CASE status WHEN 'closed' THEN reason END,
    'guests', json((
        SELECT json_group_array(json_object('user_id', user_id,
            'is_invited', json(CASE is_invited WHEN 0 THEN 'false' ELSE 'true' END),
            'is_called', json(CASE is_called WHEN 0 THEN 'false' ELSE 'true' END)))
        FROM (SELECT * FROM invitations WHERE table_id = tables.id ORDER BY user_id))),
    'looked_at', looked_at,
    'level', level,
    'hints', hints,
    'invited_only', json(CASE invited_only WHEN 0 THEN 'false' ELSE 'true' END),
    'former', json_object(
        'removed', json((
            SELECT json_group_array(user_id) FROM (SELECT * FROM removals WHERE table_id = tables.id ORDER BY user_id))),
        'salt', coalesce((SELECT lower(hex(salt)) FROM salts WHERE table_id = id), ''),
        'left', json((SELECT json_group_array(lower(hex(digest)))
            FROM (SELECT * FROM former_players WHERE table_id = tables.id AND was_removed = 0 ORDER BY digest))),
        'forgotten', json((SELECT json_group_array(lower(hex(digest)))
            FROM (SELECT * FROM former_players WHERE table_id = tables.id AND was_removed <> 0 ORDER BY digest)))));

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
