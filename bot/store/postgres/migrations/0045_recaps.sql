-- Where servers see the recap of a week, and on which day: 0 is Monday. ``recapped`` is the day of the last one, counted
-- from 0001-01-01.
ALTER TABLE servers ADD COLUMN recap_channel_id BIGINT;
ALTER TABLE servers ADD COLUMN recap_day BIGINT NOT NULL DEFAULT 0;
ALTER TABLE servers ADD COLUMN recapped BIGINT NOT NULL DEFAULT 0;
