-- And count, in another transaction.
CREATE TABLE moves_made (
    user_id     INTEGER PRIMARY KEY,
    moves       INTEGER NOT NULL
) STRICT;
INSERT INTO moves_made SELECT by_user, count(*) FROM entries WHERE by_user IS NOT NULL GROUP BY by_user;
UPDATE tables SET record = json_set(record, '$.later', 1) WHERE status = 'over';
