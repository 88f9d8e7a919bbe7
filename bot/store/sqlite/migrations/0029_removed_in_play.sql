-- Whether a computer has the seat as its player was removed in play.
ALTER TABLE seats ADD COLUMN after_removal INTEGER NOT NULL DEFAULT 0;
