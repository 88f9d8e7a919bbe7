"""The statements that export and delete personal data, and the columns with ids of users."""

from typing import Final

USER_COLUMNS: Final = {
    "alerted": ("user_id",),
    "alerts": ("user_id",),
    "entries": ("by_user",),
    "event_results": ("user_id",),
    "holidays": ("user_id",),
    "lessons": ("user_id",),
    "marks": ("user_id",),
    "match_players": ("user_id",),
    "matches": ("host_id",),
    "messages": ("user_id",),
    "night_guests": ("user_id",),
    "nights": ("host_id", "host_name"),
    "option_sets": ("user_id",),
    "pings": ("user_id",),
    "ratings": ("user_id",),
    "results": ("user_id",),
    "seats": ("user_id", "held_for"),
    "tables": ("host_id",),
    "taken_back": ("by_user", "taken_by"),
    "undo_votes": ("asker_id", "user_id"),
    "users": ("id",),
    "votes": ("user_id",),
}
"""The columns that hold ids of users. `FORGET` and `bot.store.personal_data` clear all of them."""

APART: Final = (
    *("users", "option_sets", "lessons", "event_results", "holidays", "match_players", "matches", "nights"),
    *("night_guests", "ratings", "results", "alerts", "alerted"),
)
"""Those of them that belong to no table."""

FORGET: Final = (
    """UPDATE seats SET user_id = NULL
        WHERE user_id = :user AND NOT EXISTS (SELECT 1 FROM open_tables WHERE id = table_id)""",
    "UPDATE seats SET held_for = NULL WHERE held_for = :user",
    """UPDATE tables SET channel_id = 0, number = 1000000000 + id
        WHERE guild_id IS NULL AND id IN (SELECT value FROM json_each(:tables))
        AND channel_id IN (SELECT value FROM json_each(:channels))""",
    "UPDATE entries SET by_user = NULL WHERE by_user = :user AND table_id IN (SELECT value FROM json_each(:tables))",
    "UPDATE taken_back SET by_user = NULL WHERE by_user = :user AND table_id IN (SELECT value FROM json_each(:tables))",
    "UPDATE taken_back SET taken_by = 0 WHERE taken_by = :user AND table_id IN (SELECT value FROM json_each(:tables))",
    "DELETE FROM undo_votes WHERE :user IN (asker_id, user_id) AND table_id IN (SELECT value FROM json_each(:tables))",
    "DELETE FROM votes WHERE user_id = :user AND table_id IN (SELECT value FROM json_each(:tables))",
    "DELETE FROM pings WHERE user_id = :user AND table_id IN (SELECT value FROM json_each(:tables))",
    """DELETE FROM messages WHERE user_id = :user
        AND (subject = 'alert' OR table_id IN (SELECT value FROM json_each(:tables)))""",
    """DELETE FROM messages WHERE channel_id IN (SELECT value FROM json_each(:channels))
        AND table_id IN (SELECT value FROM json_each(:tables))""",
    """UPDATE messages SET notified = (
            SELECT coalesce(json_group_array(value), '[]') FROM json_each(notified) WHERE value <> :user)
        WHERE table_id IN (SELECT value FROM json_each(:tables))""",
    "DELETE FROM marks WHERE user_id = :user AND table_id IN (SELECT value FROM json_each(:tables))",
    "UPDATE event_results SET user_id = NULL, name = '' WHERE user_id = :user",
    """UPDATE due SET at = 0 WHERE kind = 'match' AND id IN (SELECT match_id FROM match_players WHERE user_id = :user)
        OR kind = 'night' AND id IN (SELECT night_id FROM night_guests WHERE user_id = :user)""",
    """UPDATE matches SET status = 'withdrawn' WHERE status = 'offered'
        AND (host_id = :user OR
            kind = 'challenge' AND id IN (SELECT match_id FROM match_players WHERE user_id = :user))""",
    "UPDATE matches SET host_id = NULL WHERE host_id = :user",
    "UPDATE match_players SET user_id = NULL, name = '' WHERE user_id = :user",
    "DELETE FROM alerts WHERE user_id = :user",
    "DELETE FROM alerted WHERE user_id = :user",
    "DELETE FROM option_sets WHERE user_id = :user",
    "DELETE FROM lessons WHERE user_id = :user",
    "DELETE FROM holidays WHERE user_id = :user",
    "UPDATE results SET user_id = NULL WHERE user_id = :user",
    "DELETE FROM ratings WHERE user_id = :user",
    "DELETE FROM night_guests WHERE user_id = :user",
    "UPDATE nights SET status = 'cancelled' WHERE host_id = :user AND status = 'planned'",
    "UPDATE nights SET host_id = 0, host_name = '' WHERE host_id = :user",
    "DELETE FROM users WHERE id = :user",
)
"""Clears everything but the records of tables, which are rewritten, and offers of others, which the user leaves first.

Parameters: ``user`` is the user's id, ``tables`` the tables that mention them, ``channels`` the channels of their
direct messages. The latter two are looked up before the transaction, as that takes long. Where channels are unknown,
each table needs a number of its own.
"""

DM_CHANNELS: Final = """
SELECT channel_id FROM messages WHERE user_id = ?1 AND kind = 'hand'
UNION SELECT channel_id FROM tables WHERE guild_id IS NULL AND host_id = ?1 AND channel_id NOT IN
    (SELECT channel_id FROM messages WHERE user_id <> ?1 AND kind = 'hand')
UNION SELECT CAST(?2 AS BIGINT) WHERE ?2 IS NOT NULL
"""
"""The channel of a user's direct messages: where they got hands, or host tables outside of servers."""

IN_RECORDS: Final = "SELECT id FROM tables WHERE host_id = ?1 OR instr(record, ?2) > 0"
"""The tables with this user, or at least with their digits somewhere in the record."""

MENTIONING: Final = " UNION ".join(
    (
        IN_RECORDS,
        *(
            f"SELECT table_id FROM {table} WHERE table_id IS NOT NULL AND ?1 IN ({', '.join(columns)})"  # noqa: S608 - constant names
            for table, columns in USER_COLUMNS.items()
            if table not in {*APART, "tables"}
        ),
    )
)

KEPT: Final = {
    "settings": "SELECT * FROM users WHERE id = ?1",
    "option_sets": "SELECT game, name, options, clock, level FROM option_sets WHERE user_id = ?1 ORDER BY game, name",
    "alerts": "SELECT guild_id, game FROM alerts WHERE user_id = ?1 ORDER BY guild_id, game",
    "last_alert": "SELECT about_table AS table_id, at FROM alerted WHERE user_id = ?1",
    "game_nights": """
        SELECT guild_id, game, starts_at, status, night_guests.at, nights.host_id = ?1 AS is_host
        FROM nights JOIN night_guests ON night_id = nights.id WHERE user_id = ?1 ORDER BY starts_at
    """,
    "game_nights_planned": """
        SELECT guild_id, channel_id, host_name, game, starts_at, status, moves, is_moderated
        FROM nights WHERE host_id = ?1 ORDER BY starts_at
    """,
    "holidays": "SELECT began, ended FROM holidays WHERE user_id = ?1 ORDER BY began",
    "lessons": "SELECT game, step + 1 AS step, finished FROM lessons WHERE user_id = ?1 ORDER BY game",
    "events": """
        SELECT event, guild_id, name, played AS table_id, deal, side, ends_at, score, streak
        FROM event_results WHERE user_id = ?1 ORDER BY event, deal
    """,
    "matches": """
        SELECT event, kind, guild_id, channel_id, deals, days, until, status, name, side, number
        FROM match_players JOIN matches ON id = match_id WHERE user_id = ?1 ORDER BY event
    """,
    "matches_offered": """
        SELECT event, kind, guild_id, channel_id, deals, days, until, status FROM matches WHERE host_id = ?1
        ORDER BY event
    """,
    "ratings": """
        SELECT guild_id, game, name, mu, sigma, games, wins, streak, longest, computer_streak, computer_longest
        FROM ratings WHERE user_id = ?1 ORDER BY guild_id, game
    """,
    "results": """
        SELECT guild_id, game, options, nth, number, ended_at, reason, seat + 1 AS seat, side, place, won, score,
            margin, decisions, own, mu, sigma, gain, effect, against_computers
        FROM results WHERE user_id = ?1 ORDER BY guild_id, game, nth
    """,
    "marks": "SELECT table_id, ply FROM marks WHERE user_id = ?1 ORDER BY table_id, ply",
    "moves": "SELECT table_id, ply, move, at, automatic FROM entries WHERE by_user = ?1 ORDER BY table_id, ply",
    "moves_undone": """
        SELECT table_id, ply, move, at, taken_at
        FROM taken_back WHERE by_user = ?1 ORDER BY table_id, ply
    """,
    "hints": """
        SELECT table_id, ply FROM hints JOIN seats USING (table_id, seat) WHERE user_id = ?1 ORDER BY table_id, ply
    """,
    "undone_by_you": "SELECT DISTINCT table_id, taken_at FROM taken_back WHERE taken_by = ?1 ORDER BY table_id",
    "votes_to_undo": """
        SELECT DISTINCT table_id, version
        FROM undo_votes WHERE ?1 IN (asker_id, user_id) ORDER BY table_id
    """,
    "votes_about_absence": "SELECT table_id, version, remedy FROM votes WHERE user_id = ?1 ORDER BY table_id",
    "pings": "SELECT table_id, at FROM pings WHERE user_id = ?1 ORDER BY table_id",
    "messages": """
        SELECT subject_id AS table_id, kind, channel_id, message_id, posted_at
        FROM messages WHERE user_id = ?1 ORDER BY subject_id
    """,
}
"""The export of a user's data outside of the records of tables, by heading. It has no other user's id."""
