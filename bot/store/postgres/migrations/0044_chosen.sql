-- How a computer chose the move: its level, and the number of entries that it had seen.
ALTER TABLE entries ADD COLUMN level TEXT;
ALTER TABLE entries ADD COLUMN seen INTEGER;
