-- Hands in emojis are gone.
UPDATE users SET hands = 'pictures' WHERE hands = 'emojis';
