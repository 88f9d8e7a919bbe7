-- Where servers see the recap of a week, and on which day: 0 is Monday. ``recapped`` is the day of the last one, counted
-- from 0001-01-01.
ALTER TABLE servers ADD COLUMN recap_channel_id INTEGER;
ALTER TABLE servers ADD COLUMN recap_day INTEGER NOT NULL DEFAULT 0;
ALTER TABLE servers ADD COLUMN recapped INTEGER NOT NULL DEFAULT 0;
