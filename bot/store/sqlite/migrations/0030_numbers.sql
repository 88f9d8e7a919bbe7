-- Tables are numbered per server, or per channel of direct messages. Those from before keep their numbers.
ALTER TABLE tables ADD COLUMN number INTEGER;
UPDATE tables SET number = id;
CREATE UNIQUE INDEX tables_by_number ON tables (coalesce(guild_id, channel_id), number);
