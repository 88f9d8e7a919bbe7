"""The SQL tables of the schema, as far as statements are made from their names."""

from typing import Final

KEYS: Final = {
    "tables": ("id",),
    "bot_processes": ("process",),
    "claims": ("interaction_id",),
    "entries": ("table_id", "ply"),
    "former_players": ("table_id", "digest"),
    "heartbeats": ("shard_count", "shard"),
    "hints": ("table_id", "ply", "seat"),
    "invitations": ("table_id", "user_id"),
    "leases": ("shard",),
    "left_guilds": ("guild_id",),
    "messages": ("id",),
    "option_sets": ("id",),
    "outages": ("shard_count", "shard", "began"),
    "pings": ("table_id", "user_id"),
    "removals": ("table_id", "user_id"),
    "results": ("table_id", "seat"),
    "salts": ("table_id",),
    "seats": ("table_id", "seat"),
    "secrets": ("table_id",),
    "servers": ("guild_id",),
    "taken_back": ("table_id", "undone_at", "ply"),
    "thoughts": ("table_id", "version", "seat"),
    "undo_votes": ("table_id", "version", "asker_id", "user_id"),
    "update_requests": ("table_id",),
    "users": ("id",),
    "votes": ("table_id", "user_id"),
    "waits": ("table_id",),
}
"""The primary key of each SQL table but `migrations`. The first one is what the others refer to."""

PARTS: Final = ("messages", *(table for table, key in KEYS.items() if key[0] == "table_id"))
"""All SQL tables with a column ``table_id``."""
