-- The name of the computer that made the move for an absent user.
ALTER TABLE entries ADD COLUMN stand_in TEXT;
