-- How computers play: on a seat; those that join a table, and stand in there; those of a server's new tables.
ALTER TABLE seats ADD COLUMN level TEXT NOT NULL DEFAULT 'fair';
ALTER TABLE tables ADD COLUMN level TEXT NOT NULL DEFAULT 'fair';
ALTER TABLE servers ADD COLUMN level TEXT NOT NULL DEFAULT 'fair';
ALTER TABLE option_sets ADD COLUMN level TEXT NOT NULL DEFAULT 'fair';
