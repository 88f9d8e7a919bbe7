-- How many reminders a table has had, and how many it had had when a message was noted as having notified its users.
ALTER TABLE waits ADD COLUMN reminders INTEGER NOT NULL DEFAULT 0;
ALTER TABLE messages ADD COLUMN reminders INTEGER NOT NULL DEFAULT 0;
