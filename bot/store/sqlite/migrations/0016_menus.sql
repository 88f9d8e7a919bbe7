-- Whether a user wants menus and the board in words, in games that are played on buttons.
ALTER TABLE users ADD COLUMN menus INTEGER NOT NULL DEFAULT 0;
