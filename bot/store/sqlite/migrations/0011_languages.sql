-- The language that a user or a server has chosen, and the last one that Discord reported for them. Without either, it
-- is English.
ALTER TABLE users ADD COLUMN language TEXT;
ALTER TABLE users ADD COLUMN locale TEXT;
ALTER TABLE servers ADD COLUMN language TEXT;
ALTER TABLE servers ADD COLUMN locale TEXT;
