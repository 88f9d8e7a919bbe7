-- Tables are numbered per server, or per channel of direct messages. Those from before keep their numbers.
ALTER TABLE tables ADD COLUMN number BIGINT;
UPDATE tables SET number = id;
CREATE UNIQUE INDEX tables_by_number ON tables (coalesce(guild_id, channel_id), number);
-- A view keeps the columns that its table had when it was made.
CREATE OR REPLACE VIEW open_tables AS SELECT * FROM tables WHERE status IN ('lobby', 'playing');
