"""The database: records, and every query, written once. `bot.store.sqlite` is the engine. Nothing else knows SQL."""
