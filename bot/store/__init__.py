"""The database: records, and every query. `bot.store.sqlite` is its only engine; nothing else knows SQL."""
