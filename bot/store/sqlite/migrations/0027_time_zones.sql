-- The name of a user's time zone, and whether they were asked for it, as hours from UTC don't follow summer time.
ALTER TABLE users ADD COLUMN timezone TEXT;
ALTER TABLE users ADD COLUMN zone_asked INTEGER NOT NULL DEFAULT 0;
