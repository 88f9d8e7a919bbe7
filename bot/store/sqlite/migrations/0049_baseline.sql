-- The schema of a new database. `0049_from_48.sql` makes the same of a database of the version before, so change both.
-- Ids of users, servers, channels and messages are Discord's. Times are seconds since 1970.

-- ---- Tables, with their logs and secrets

-- The columns that queries need; `record` is a JSON object with all other fields of `Table`. `number` counts per
-- server, or per channel of direct messages.
CREATE TABLE tables (
    id          INTEGER PRIMARY KEY,
    name        TEXT    NOT NULL COLLATE NOCASE,
    game        TEXT    NOT NULL,
    status      TEXT    NOT NULL CHECK (status IN ('lobby', 'playing', 'over', 'closed')),
    version     INTEGER NOT NULL,
    plies       INTEGER NOT NULL DEFAULT 0,
    host_id     INTEGER NOT NULL,
    guild_id    INTEGER,
    channel_id  INTEGER NOT NULL,
    rematch_of  INTEGER REFERENCES tables (id),
    opened_at   REAL    NOT NULL,
    changed_at  REAL    NOT NULL,
    number      INTEGER,
    record      TEXT    NOT NULL DEFAULT '{}'
) STRICT;

CREATE INDEX tables_by_name ON tables (name);
CREATE UNIQUE INDEX open_tables_by_name ON tables (name) WHERE status IN ('lobby', 'playing');
CREATE INDEX open_tables_by_channel ON tables (channel_id) WHERE status IN ('lobby', 'playing');
CREATE UNIQUE INDEX one_rematch_a_table ON tables (rematch_of) WHERE rematch_of IS NOT NULL AND status <> 'closed';
CREATE INDEX open_tables_by_status ON tables (status) WHERE status IN ('lobby', 'playing');
CREATE INDEX ended_tables_by_end ON tables (changed_at) WHERE status IN ('over', 'closed');
CREATE INDEX rematches_by_table ON tables (rematch_of) WHERE rematch_of IS NOT NULL;
CREATE INDEX open_tables_by_host ON tables (host_id) WHERE status IN ('lobby', 'playing');
CREATE INDEX open_tables_by_guild ON tables (guild_id) WHERE status IN ('lobby', 'playing');
CREATE INDEX tables_by_place ON tables (coalesce(guild_id, channel_id), opened_at);
CREATE UNIQUE INDEX tables_by_number ON tables (coalesce(guild_id, channel_id), number);
CREATE INDEX closed_lobbies_by_end ON tables (changed_at) WHERE status = 'closed' AND plies = 0;

CREATE VIEW open_tables AS SELECT * FROM tables WHERE status IN ('lobby', 'playing');

-- The log of each table: its state is the fold of these rows. The primary key is the lock for moves. `stand_in`: the
-- computer that moved for an absent user. `level` and `seen`: how a computer chose, and how many entries it had
-- seen. `automatic`: whether it was the only move, and played itself.
CREATE TABLE entries (
    table_id    INTEGER NOT NULL REFERENCES tables (id),
    ply         INTEGER NOT NULL,
    seat        INTEGER,
    move        TEXT    NOT NULL,
    by_user     INTEGER,
    at          REAL    NOT NULL,
    stand_in    TEXT,
    level       TEXT,
    seen        INTEGER,
    automatic   INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (table_id, ply)
) STRICT, WITHOUT ROWID;

-- Entries that were undone, by whom and when.
CREATE TABLE taken_back (
    table_id    INTEGER NOT NULL REFERENCES tables (id),
    undone_at   INTEGER NOT NULL,
    ply         INTEGER NOT NULL,
    seat        INTEGER,
    move        TEXT    NOT NULL,
    by_user     INTEGER,
    at          REAL    NOT NULL,
    taken_by    INTEGER NOT NULL,
    taken_at    REAL    NOT NULL,
    PRIMARY KEY (table_id, undone_at, ply)
) STRICT, WITHOUT ROWID;

-- Who agrees to undo a move of `asker_id`, who agrees too. Valid for one version of the table.
CREATE TABLE undo_votes (
    table_id    INTEGER NOT NULL REFERENCES tables (id),
    version     INTEGER NOT NULL,
    asker_id    INTEGER NOT NULL,
    user_id     INTEGER NOT NULL,
    PRIMARY KEY (table_id, version, asker_id, user_id)
) STRICT, WITHOUT ROWID;

-- Seeds, apart from the tables, so that they are never loaded with them.
CREATE TABLE secrets (
    table_id    INTEGER PRIMARY KEY REFERENCES tables (id),
    seed        BLOB    NOT NULL CHECK (length(seed) = 32)
) STRICT;

-- An index of who sits where. `owes`: whether the table waits for this seat (NULL: not known yet), and `since` when.
-- Once the table has ended, `since` is NULL.
CREATE TABLE seats (
    table_id    INTEGER NOT NULL REFERENCES tables (id),
    seat        INTEGER NOT NULL,
    user_id     INTEGER,
    held_for    INTEGER,
    owes        INTEGER,
    since       REAL,
    PRIMARY KEY (table_id, seat)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX one_seat_a_user ON seats (user_id, table_id) WHERE user_id IS NOT NULL;
CREATE INDEX seats_held_by_user ON seats (held_for, table_id) WHERE held_for IS NOT NULL;
CREATE INDEX open_seats_by_user ON seats (user_id, owes DESC, since, table_id)
    WHERE user_id IS NOT NULL AND since IS NOT NULL;
CREATE INDEX open_seats_held ON seats (held_for, since, table_id) WHERE held_for IS NOT NULL AND since IS NOT NULL;

-- The hints that were shown: to which seat, and before which entry.
CREATE TABLE hints (
    table_id    INTEGER NOT NULL REFERENCES tables (id),
    ply         INTEGER NOT NULL,
    seat        INTEGER NOT NULL,
    PRIMARY KEY (table_id, ply, seat)
) STRICT, WITHOUT ROWID;

-- Moments that players have marked for the replay.
CREATE TABLE marks (
    table_id    INTEGER NOT NULL REFERENCES tables (id),
    user_id     INTEGER NOT NULL,
    ply         INTEGER NOT NULL,
    PRIMARY KEY (table_id, user_id, ply)
) STRICT, WITHOUT ROWID;

CREATE INDEX marks_by_user ON marks (user_id);

-- How many steps and reminders the wait for the move at this version has had, and since when it counts.
CREATE TABLE waits (
    table_id    INTEGER PRIMARY KEY REFERENCES tables (id),
    version     INTEGER NOT NULL,
    since       REAL    NOT NULL,
    steps       INTEGER NOT NULL,
    reminders   INTEGER NOT NULL DEFAULT 0
) STRICT;

-- What the others want done about an absent player. Valid for one version of the table.
CREATE TABLE votes (
    table_id    INTEGER NOT NULL REFERENCES tables (id),
    user_id     INTEGER NOT NULL,
    version     INTEGER NOT NULL,
    remedy      TEXT    NOT NULL,
    PRIMARY KEY (table_id, user_id)
) STRICT, WITHOUT ROWID;

-- When a user was last pinged at a table.
CREATE TABLE pings (
    table_id    INTEGER NOT NULL REFERENCES tables (id),
    user_id     INTEGER NOT NULL,
    at          REAL    NOT NULL,
    PRIMARY KEY (table_id, user_id)
) STRICT, WITHOUT ROWID;

-- ---- Messages on Discord

-- `stage`: noted (about to be posted, or posted and not yet recorded), live, retiring (replaced, still to be
-- deleted), left (not kept up to date any more). `user_id`: whose hand it is, or who asks the question. `nonce` marks
-- the message on Discord. `content`: a digest of what it shows, or NULL. `notified`: a JSON list of the users that it
-- has told that it's their turn. `subject`, `subject_id`: the table, match or night, or the server of a daily, whose
-- `deal` is its day, counted from 0001-01-01.
CREATE TABLE messages (
    id          INTEGER PRIMARY KEY,
    table_id    INTEGER REFERENCES tables (id),
    kind        TEXT    NOT NULL CHECK (kind IN ('board', 'hand', 'ping', 'question', 'score', 'card', 'result', 'alert')),
    user_id     INTEGER,
    stage       TEXT    NOT NULL CHECK (stage IN ('noted', 'live', 'retiring', 'left')),
    channel_id  INTEGER NOT NULL,
    message_id  INTEGER,
    nonce       INTEGER NOT NULL,
    version     INTEGER NOT NULL,
    content     TEXT,
    deal        INTEGER,
    notified    TEXT    NOT NULL,
    posted_at   REAL    NOT NULL,
    picture     TEXT,
    attachment_id INTEGER,
    reminders   INTEGER NOT NULL DEFAULT 0,
    subject     TEXT    NOT NULL,
    subject_id  INTEGER NOT NULL,
    CHECK ((subject = 'table') = (table_id IS NOT NULL))
) STRICT;

CREATE INDEX messages_of_a_table ON messages (table_id);
CREATE INDEX messages_of_a_subject ON messages (subject, subject_id);
CREATE INDEX messages_of_a_user ON messages (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX messages_by_message ON messages (message_id) WHERE message_id IS NOT NULL;
CREATE INDEX messages_to_remove ON messages (table_id) WHERE stage <> 'live';

-- Tables that another process than the holder of their lease has changed.
CREATE TABLE update_requests (
    table_id    INTEGER PRIMARY KEY
) STRICT;

-- Events (dailies, matches, game nights) that another process than the holder of the lease has changed.
CREATE TABLE event_requests (
    event       TEXT    NOT NULL,
    guild_id    INTEGER NOT NULL,
    PRIMARY KEY (event, guild_id)
) STRICT, WITHOUT ROWID;

-- ---- Results and ratings

-- A row for each seat of each game that counts. It outlives its table. `nth` numbers the games of a kind on a server
-- in the order in which they ended: ratings are the fold of the rows in this order. `mu` and `sigma` are the rating
-- of the seat before the game, so that the ratings of others can still be computed after a player was deleted.
-- `margin` is the difference between the best two sides, unless the game was drawn or conceded. `effect` limits what
-- the game changes of the rating: docs/RATINGS.md.
CREATE TABLE results (
    guild_id    INTEGER NOT NULL,
    game        TEXT    NOT NULL,
    nth         INTEGER NOT NULL,
    seat        INTEGER NOT NULL,
    number      INTEGER NOT NULL,
    ended_at    REAL    NOT NULL,
    options     TEXT    NOT NULL,
    reason      TEXT    NOT NULL,
    side        INTEGER NOT NULL,
    place       INTEGER NOT NULL,
    won         INTEGER NOT NULL,
    score       INTEGER NOT NULL,
    margin      INTEGER,
    user_id     INTEGER,
    level       TEXT,
    decisions   INTEGER NOT NULL,
    own         INTEGER NOT NULL,
    mu          REAL    NOT NULL,
    sigma       REAL    NOT NULL,
    gain        REAL    NOT NULL,
    effect      TEXT    NOT NULL DEFAULT 'all',
    against_computers INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (guild_id, game, nth, seat)
) STRICT, WITHOUT ROWID;

CREATE INDEX results_by_user ON results (user_id, guild_id, game, nth) WHERE user_id IS NOT NULL;
CREATE INDEX results_by_end ON results (guild_id, ended_at);
CREATE INDEX results_by_score ON results (guild_id, game, against_computers, score) WHERE user_id IS NOT NULL;
CREATE INDEX results_by_margin ON results (guild_id, game, against_computers, margin) WHERE user_id IS NOT NULL AND margin IS NOT NULL;

-- The ratings after all results. `streak` is the number of games that the player has won in a row against people,
-- `computer_streak` that against computers alone.
CREATE TABLE ratings (
    guild_id    INTEGER NOT NULL,
    game        TEXT    NOT NULL,
    user_id     INTEGER NOT NULL,
    name        TEXT    NOT NULL,
    mu          REAL    NOT NULL,
    sigma       REAL    NOT NULL,
    games       INTEGER NOT NULL,
    wins        INTEGER NOT NULL,
    streak      INTEGER NOT NULL,
    longest     INTEGER NOT NULL,
    computer_streak  INTEGER NOT NULL DEFAULT 0,
    computer_longest INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (guild_id, game, user_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX ratings_by_user ON ratings (user_id);

-- Which fold of the results the ratings are: another one than the program's is recomputed at its start.
CREATE TABLE rating_fold (
    number      INTEGER NOT NULL PRIMARY KEY
) STRICT;

-- ---- Events: the same deals for all who play them

-- `level` is that of the computers.
CREATE TABLE events (
    event       TEXT    NOT NULL PRIMARY KEY,
    secret      BLOB    NOT NULL CHECK (length(secret) = 32),
    commitment  TEXT    NOT NULL,
    closes_at   REAL    NOT NULL,
    is_closed   INTEGER NOT NULL DEFAULT 0,
    game        TEXT,
    options     TEXT,
    level       TEXT    NOT NULL DEFAULT 'fair'
) STRICT, WITHOUT ROWID;

-- `player` is a keyed hash of the user, so that one who deletes their data has no second try; or a computer.
-- `played` is the number of the table, which may be deleted. `deal` and `side` are those of a match.
CREATE TABLE event_results (
    event       TEXT    NOT NULL REFERENCES events (event),
    player      TEXT    NOT NULL,
    user_id     INTEGER,
    guild_id    INTEGER,
    name        TEXT    NOT NULL DEFAULT '',
    played      INTEGER,
    ends_at     REAL,
    score       INTEGER,
    streak      INTEGER NOT NULL DEFAULT 0,
    deal        INTEGER NOT NULL DEFAULT 0,
    side        INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (event, player)
) STRICT, WITHOUT ROWID;

CREATE INDEX event_results_by_user ON event_results (user_id, event);
CREATE INDEX event_results_by_table ON event_results (played);

-- Matches of two sides. `until` is when the offer ends, and then when the match does. `rooms`: the threads of the
-- tables of a duplicate (JSON).
CREATE TABLE matches (
    id          INTEGER PRIMARY KEY,
    event       TEXT    NOT NULL UNIQUE REFERENCES events (event),
    kind        TEXT    NOT NULL,
    guild_id    INTEGER NOT NULL,
    channel_id  INTEGER NOT NULL,
    deals       INTEGER NOT NULL,
    days        INTEGER NOT NULL,
    until       REAL    NOT NULL,
    status      TEXT    NOT NULL,
    host_id     INTEGER,
    rooms       TEXT    NOT NULL DEFAULT '[]'
) STRICT;

CREATE INDEX matches_by_guild ON matches (guild_id);

CREATE TABLE match_players (
    match_id    INTEGER NOT NULL REFERENCES matches (id),
    side        INTEGER NOT NULL,
    number      INTEGER NOT NULL,
    user_id     INTEGER,
    name        TEXT    NOT NULL DEFAULT '',
    PRIMARY KEY (match_id, side, number)
) STRICT, WITHOUT ROWID;

CREATE INDEX match_players_by_user ON match_players (user_id);

-- Game nights: a message in a channel, and the table that opened when the night began.
CREATE TABLE nights (
    id          INTEGER PRIMARY KEY,
    guild_id    INTEGER NOT NULL,
    channel_id  INTEGER NOT NULL,
    host_id     INTEGER NOT NULL,
    host_name   TEXT    NOT NULL,
    game        TEXT    NOT NULL,
    starts_at   REAL    NOT NULL,
    status      TEXT    NOT NULL,
    opened_as   INTEGER,
    moves       INTEGER NOT NULL DEFAULT 0,
    is_moderated INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX nights_by_guild ON nights (guild_id);

CREATE TABLE night_guests (
    night_id    INTEGER NOT NULL REFERENCES nights (id),
    user_id     INTEGER NOT NULL,
    at          REAL    NOT NULL,
    PRIMARY KEY (night_id, user_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX night_guests_by_user ON night_guests (user_id);

-- ---- Users and servers

-- `language` is the chosen one, `locale` the last one that Discord reported.
CREATE TABLE users (
    id          INTEGER PRIMARY KEY,
    dm_closed   INTEGER NOT NULL DEFAULT 0,
    pings       INTEGER NOT NULL DEFAULT 1,
    quiet_from  INTEGER,
    quiet_until INTEGER,
    utc_offset  INTEGER NOT NULL DEFAULT 0,
    language    TEXT,
    locale      TEXT,
    menus       INTEGER NOT NULL DEFAULT 0,
    hands       TEXT    NOT NULL DEFAULT 'pictures' CHECK (hands IN ('pictures', 'emojis', 'text')),
    timezone    TEXT,
    zone_asked  INTEGER NOT NULL DEFAULT 0,
    tips        INTEGER NOT NULL DEFAULT 1,
    ranking     INTEGER NOT NULL DEFAULT 1,
    digest      INTEGER NOT NULL DEFAULT 0,
    digest_at   REAL,
    daily       TEXT    NOT NULL DEFAULT 'ask',
    reminder    INTEGER NOT NULL DEFAULT 0,
    reminded    INTEGER NOT NULL DEFAULT 0,
    forced      TEXT    NOT NULL DEFAULT 'ask'
) STRICT;

CREATE INDEX digests ON users (id) WHERE digest = 1;

-- When users are on holiday: clocks of tables stop on their turns.
CREATE TABLE holidays (
    user_id     INTEGER NOT NULL,
    began       REAL    NOT NULL,
    ended       REAL    NOT NULL,
    PRIMARY KEY (user_id, began)
) STRICT, WITHOUT ROWID;

-- About new tables of which games and servers users want to be told, and when they were last told, about which one.
CREATE TABLE alerts (
    user_id     INTEGER NOT NULL,
    guild_id    INTEGER NOT NULL,
    game        TEXT    NOT NULL,
    PRIMARY KEY (user_id, guild_id, game)
) STRICT, WITHOUT ROWID;

CREATE INDEX alerts_by_server ON alerts (guild_id, game);

CREATE TABLE alerted (
    user_id     INTEGER PRIMARY KEY,
    about_table INTEGER NOT NULL,
    at          REAL NOT NULL
) STRICT;

-- How far users are in the lesson of each game, and whether they have finished it once.
CREATE TABLE lessons (
    user_id     INTEGER NOT NULL,
    game        TEXT    NOT NULL,
    step        INTEGER NOT NULL,
    finished    INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (user_id, game)
) STRICT, WITHOUT ROWID;

-- What was done within the last hour, by a keyed hash: since when, and how often or by which table. The row of
-- number 0 has the key of the hashes.
CREATE TABLE recent_uses (
    digest      BLOB    PRIMARY KEY,
    since       REAL    NOT NULL,
    number      INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Settings of servers; a server without a row has all defaults. `channels` is a JSON list. `recapped` is the day of
-- the last recap, counted from 0001-01-01.
CREATE TABLE servers (
    guild_id    INTEGER PRIMARY KEY,
    channels    TEXT    NOT NULL,
    threads     INTEGER NOT NULL,
    role_id     INTEGER,
    clock       TEXT    NOT NULL,
    language    TEXT,
    locale      TEXT,
    looking_role_id INTEGER,
    level       TEXT    NOT NULL DEFAULT 'fair',
    daily_channel_id INTEGER,
    timezone    TEXT,
    recap_channel_id INTEGER,
    recap_day   INTEGER NOT NULL DEFAULT 0,
    recapped    INTEGER NOT NULL DEFAULT 0
) STRICT;

-- Named options of a game (JSON), saved by a user for themselves or by a moderator for a server.
CREATE TABLE option_sets (
    id          INTEGER PRIMARY KEY,
    user_id     INTEGER,
    guild_id    INTEGER,
    game        TEXT    NOT NULL,
    name        TEXT    NOT NULL COLLATE NOCASE,
    options     TEXT    NOT NULL,
    clock       TEXT    NOT NULL,
    level       TEXT    NOT NULL DEFAULT 'fair',
    CHECK ((user_id IS NULL) <> (guild_id IS NULL))
) STRICT;

CREATE UNIQUE INDEX option_sets_of_users ON option_sets (user_id, game, name) WHERE user_id IS NOT NULL;
CREATE UNIQUE INDEX option_sets_of_servers ON option_sets (guild_id, game, name) WHERE guild_id IS NOT NULL;

-- Servers that the bot is no longer in, and since when.
CREATE TABLE left_guilds (
    guild_id    INTEGER PRIMARY KEY,
    left_at     REAL    NOT NULL
) STRICT;

-- ---- Processes of the bot. Their times are of the database's clock.

-- The running processes: which set of emojis each uses, and its share of Discord's requests.
CREATE TABLE bot_processes (
    process     TEXT    PRIMARY KEY,
    emojis      TEXT    NOT NULL,
    slots       INTEGER NOT NULL,
    expires_at  REAL    NOT NULL
) STRICT, WITHOUT ROWID;

-- Which process updates the messages of a shard's servers, and until when unless it renews that.
CREATE TABLE leases (
    shard       INTEGER PRIMARY KEY,
    holder      TEXT    NOT NULL,
    expires_at  REAL    NOT NULL,
    shard_count INTEGER NOT NULL DEFAULT 1,
    host        TEXT    NOT NULL DEFAULT '',
    pid         INTEGER NOT NULL DEFAULT 0
) STRICT;

-- When each shard was last known to run. A server is on the shard `(id >> 22) % shard_count`.
CREATE TABLE heartbeats (
    shard_count INTEGER NOT NULL,
    shard       INTEGER NOT NULL,
    at          REAL    NOT NULL,
    PRIMARY KEY (shard_count, shard)
) STRICT, WITHOUT ROWID;

-- When a shard didn't run: that time doesn't count against players.
CREATE TABLE outages (
    shard_count INTEGER NOT NULL,
    shard       INTEGER NOT NULL,
    began       REAL    NOT NULL,
    ended       REAL    NOT NULL,
    PRIMARY KEY (shard_count, shard, began)
) STRICT, WITHOUT ROWID;

-- What is due when. A time is the earliest at which something may be due.
CREATE TABLE due (
    kind        TEXT    NOT NULL,
    id          INTEGER NOT NULL,
    guild_id    INTEGER,            -- the server whose process does it; NULL in direct messages
    at          REAL    NOT NULL,
    PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX due_by_time ON due (at);
