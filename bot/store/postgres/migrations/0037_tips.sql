-- Whether users want tips in their first games.
ALTER TABLE users ADD COLUMN tips INTEGER NOT NULL DEFAULT 1;
