"""The database: records, and every query, written once. Nothing else knows SQL.

`bot.store.sqlite` and `bot.store.postgres` are the engines.
"""
