-- Finds the tables that were opened lately on a server, or in somebody's direct messages: their names aren't used again.
CREATE INDEX tables_by_place ON tables (coalesce(guild_id, channel_id), opened_at);
