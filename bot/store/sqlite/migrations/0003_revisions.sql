-- How often what is recorded of a message has changed: who knows it as it was sees that it did, even where it came to
-- say the same again.
ALTER TABLE shown ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
