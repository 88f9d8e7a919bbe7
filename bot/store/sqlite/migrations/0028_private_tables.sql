-- Whether a host removed the former player: the hash stays after the user deletes their data. Whether only invited users
-- may sit at a table: that holds even if none of them is left.
ALTER TABLE former_players ADD COLUMN was_removed INTEGER NOT NULL DEFAULT 0;
ALTER TABLE tables ADD COLUMN invited_only INTEGER NOT NULL DEFAULT 0;
UPDATE tables SET invited_only = 1
WHERE id IN (SELECT table_id FROM invitations WHERE is_invited <> 0);
