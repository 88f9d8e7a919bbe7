-- The file of the picture that a message shows, and Discord's id of it.
ALTER TABLE messages ADD COLUMN picture TEXT;
ALTER TABLE messages ADD COLUMN attachment_id INTEGER;
-- How a user wants to see hands.
ALTER TABLE users ADD COLUMN hands TEXT NOT NULL DEFAULT 'pictures' CHECK (hands IN ('pictures', 'emojis', 'text'));
