-- Duplicates: matches of two tables on a server. Who offered them, and the threads of their tables (JSON).
ALTER TABLE matches ADD COLUMN host_id BIGINT;
ALTER TABLE matches ADD COLUMN rooms TEXT NOT NULL DEFAULT '[]';
