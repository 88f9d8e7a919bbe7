PRAGMA application_id = 1281977465;
BEGIN TRANSACTION;
CREATE TABLE bot_processes (
    process     TEXT    PRIMARY KEY,
    emojis      TEXT    NOT NULL,
    slots       INTEGER NOT NULL,
    expires_at  REAL    NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE claims (
    interaction_id INTEGER PRIMARY KEY
) STRICT;
CREATE TABLE entries (
    table_id    INTEGER NOT NULL REFERENCES tables (id),
    ply         INTEGER NOT NULL,
    seat        INTEGER,
    move        TEXT    NOT NULL,
    by_user     INTEGER,
    at          REAL    NOT NULL, stand_in TEXT, level TEXT, seen INTEGER,
    PRIMARY KEY (table_id, ply)
) STRICT, WITHOUT ROWID;
INSERT INTO "entries" VALUES(1,0,NULL,'dealer 1',NULL,1767225600.0,NULL,NULL,NULL);
INSERT INTO "entries" VALUES(1,1,NULL,'poison QD/4C',NULL,1767225600.0,NULL,NULL,NULL);
INSERT INTO "entries" VALUES(1,2,NULL,'deal 6HKS5D6S4S5CAC3H8S9DKH+8H5HJCTD7C/2S2C9SAH3C8CJDQH9C2D7D+KD5STH8DTC',NULL,1767225600.0,NULL,NULL,NULL);
INSERT INTO "entries" VALUES(1,3,0,'profit 5C',1456074443980800006,1767225601.8,NULL,NULL,NULL);
INSERT INTO "entries" VALUES(1,4,1,'profit 2D',1456074443980800007,1767225601.8,NULL,NULL,NULL);
INSERT INTO "entries" VALUES(1,5,1,'bait QH',1456074443980800007,1767225601.8,NULL,NULL,NULL);
INSERT INTO "entries" VALUES(1,6,0,'bait 8H',1456074443980800006,1767225601.8,NULL,NULL,NULL);
INSERT INTO "entries" VALUES(1,7,1,'trap KD',1456074443980800007,1767225601.8,NULL,NULL,NULL);
INSERT INTO "entries" VALUES(1,8,0,'trap 4S',1456074443980800006,1767225601.8,NULL,NULL,NULL);
INSERT INTO "entries" VALUES(1,9,1,'play 2C',1456074443980800007,1767225601.8,NULL,NULL,NULL);
INSERT INTO "entries" VALUES(1,10,0,'play 8S',1456074443980800006,1767225601.8,NULL,NULL,NULL);
INSERT INTO "entries" VALUES(1,11,0,'bait TD',1456074443980800006,1767225601.8,NULL,NULL,NULL);
INSERT INTO "entries" VALUES(2,0,NULL,'first 0',NULL,1767225601.8,NULL,NULL,NULL);
INSERT INTO "entries" VALUES(2,1,0,'place c1',1456074443980800007,1767225601.8,NULL,NULL,NULL);
INSERT INTO "entries" VALUES(2,2,1,'place c3',1456074443980800006,1767225601.8,NULL,NULL,NULL);
INSERT INTO "entries" VALUES(2,3,0,'place b2',1456074443980800007,1767225601.8,NULL,NULL,NULL);
INSERT INTO "entries" VALUES(2,4,1,'place a1',1456074443980800006,1767225601.8,NULL,NULL,NULL);
INSERT INTO "entries" VALUES(2,5,0,'place d3',1456074443980800007,1767225601.8,NULL,NULL,NULL);
INSERT INTO "entries" VALUES(2,6,1,'place b1',1456074443980800006,1767225601.8,NULL,NULL,NULL);
INSERT INTO "entries" VALUES(2,7,0,'place a3',1456074443980800007,1767225601.8,NULL,NULL,NULL);
INSERT INTO "entries" VALUES(2,8,1,'place c2',1456074443980800006,1767225601.8,NULL,NULL,NULL);
INSERT INTO "entries" VALUES(2,9,0,'place d4',1456074443980800007,1767225601.8,NULL,NULL,NULL);
INSERT INTO "entries" VALUES(2,10,1,'place c4',1456074443980800006,1767225601.8,NULL,NULL,NULL);
INSERT INTO "entries" VALUES(2,11,0,'place a2',1456074443980800007,1767225601.8,NULL,NULL,NULL);
INSERT INTO "entries" VALUES(2,12,1,'place c2',1456074443980800006,1767225601.8,NULL,NULL,NULL);
INSERT INTO "entries" VALUES(2,13,0,'move d3 d2',1456074443980800007,1767225601.8,NULL,NULL,NULL);
INSERT INTO "entries" VALUES(2,14,1,'place c4',1456074443980800006,1767225601.8,NULL,NULL,NULL);
INSERT INTO "entries" VALUES(2,15,0,'move d4 b4',1456074443980800007,1767225601.8,NULL,NULL,NULL);
INSERT INTO "entries" VALUES(2,16,1,'move c4 d4',1456074443980800006,1767225601.8,NULL,NULL,NULL);
INSERT INTO "entries" VALUES(2,17,0,'place d3',1456074443980800007,1767225601.8,NULL,NULL,NULL);
INSERT INTO "entries" VALUES(2,18,1,'place d1',1456074443980800006,1767225601.8,NULL,NULL,NULL);
INSERT INTO "entries" VALUES(2,19,0,'move b4 b3',1456074443980800007,1767225601.8,NULL,NULL,NULL);
INSERT INTO "entries" VALUES(2,20,1,'place d2',1456074443980800006,1767225601.8,NULL,NULL,NULL);
INSERT INTO "entries" VALUES(2,21,0,'place b2',1456074443980800007,1767225601.8,NULL,NULL,NULL);
INSERT INTO "entries" VALUES(2,22,1,'place c3',1456074443980800006,1767225601.8,NULL,NULL,NULL);
INSERT INTO "entries" VALUES(2,23,0,'place c2',1456074443980800007,1767225601.8,NULL,NULL,NULL);
INSERT INTO "entries" VALUES(2,24,1,'place d1',1456074443980800006,1767225601.8,NULL,NULL,NULL);
INSERT INTO "entries" VALUES(3,0,NULL,'dealer 0',NULL,1767225601.8,NULL,NULL,NULL);
INSERT INTO "entries" VALUES(3,1,NULL,'foundations 5S/4S/KS',NULL,1767225601.8,NULL,NULL,NULL);
INSERT INTO "entries" VALUES(3,2,NULL,'deal 8H7D9DQCQDKH4HAHAS6D2DTCJH2S9S3S5D/9C2CKD9H3DACTD6H8S8D5C4DJSAD6CQH7S/JC6STHXX2H5HXXQS7CKC4C3C3HTSJD7H8C/',NULL,1767225601.8,NULL,NULL,NULL);
INSERT INTO "entries" VALUES(3,3,1,'play AD',1456074443980800006,1767225601.8,NULL,NULL,NULL);
INSERT INTO "entries" VALUES(3,4,2,'play XX',1456074443980800007,1767225601.8,NULL,NULL,NULL);
INSERT INTO "entries" VALUES(3,5,0,'play 4H',1456074443980800008,1767225601.8,NULL,NULL,NULL);
INSERT INTO "entries" VALUES(3,6,1,'play 3D',1456074443980800006,1767225601.8,NULL,NULL,NULL);
INSERT INTO "entries" VALUES(5,0,NULL,'dealer 1',NULL,1767225602.8,NULL,NULL,NULL);
INSERT INTO "entries" VALUES(5,1,NULL,'poison TSKC/7D',NULL,1767225602.8,NULL,NULL,NULL);
INSERT INTO "entries" VALUES(5,2,NULL,'deal 3H4H5C9HKHJSTD3D4CAH8D+QCQH8C2S6D/5H5D2HKDJHTHQDAD8H9D3C+4SAC3S4DAS',NULL,1767225602.8,NULL,NULL,NULL);
INSERT INTO "entries" VALUES(5,3,1,'profit 3C',NULL,1767225602.8,NULL,'fair',3);
INSERT INTO "entries" VALUES(6,0,NULL,'dealer 1',NULL,1767225614.8,NULL,NULL,NULL);
INSERT INTO "entries" VALUES(6,1,NULL,'poison TSQSJS2C/QD',NULL,1767225614.8,NULL,NULL,NULL);
INSERT INTO "entries" VALUES(6,2,NULL,'deal 4HQCKS5D2SJD2H6C9H3S7D+8CAH4S8SQH/7CTD3HKD5H5CTCADKH4D9S+8H9DJH6D6S',NULL,1767225614.8,NULL,NULL,NULL);
INSERT INTO "entries" VALUES(6,3,1,'profit 7C',NULL,1767225614.8,NULL,'fair',3);
CREATE TABLE event_posts (
    event       TEXT    NOT NULL REFERENCES events (event),
    guild_id    INTEGER NOT NULL,
    channel_id  INTEGER NOT NULL,
    nonce       INTEGER NOT NULL,
    message_id  INTEGER,
    shown       TEXT    NOT NULL DEFAULT '',
    is_final    INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (event, guild_id)
) STRICT, WITHOUT ROWID;
INSERT INTO "event_posts" VALUES('daily 2026-01-01',1456074443980800002,1456074443980800005,353383913,1456074455724851204,'cc5fb546feb3456c',0);
CREATE TABLE event_requests (
    event       TEXT    NOT NULL,
    guild_id    INTEGER NOT NULL,
    PRIMARY KEY (event, guild_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE event_results (
    event       TEXT    NOT NULL REFERENCES events (event),
    player      TEXT    NOT NULL,
    user_id     INTEGER,
    guild_id    INTEGER,
    name        TEXT    NOT NULL DEFAULT '',
    played      INTEGER,
    ends_at     REAL,
    score       INTEGER,
    streak      INTEGER NOT NULL DEFAULT 0, deal INTEGER NOT NULL DEFAULT 0, side INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (event, player)
) STRICT, WITHOUT ROWID;
INSERT INTO "event_results" VALUES('daily 2026-01-01','computer 0',NULL,NULL,'',NULL,NULL,-234,0,0,0);
INSERT INTO "event_results" VALUES('daily 2026-01-01','computer 1',NULL,NULL,'',NULL,NULL,-209,0,0,0);
INSERT INTO "event_results" VALUES('daily 2026-01-01','ef6a536403086bbcef1179b6e4fba2ce2d7b7ccb08a0b5eebe8a10c01d440d68',1456074443980800006,1456074443980800002,'Ann',5,1767312000.0,NULL,0,0,0);
INSERT INTO "event_results" VALUES('match 48840197','12cb935320f68a05b357cf53e187ed2f3c6116e78747eba524c6812bfb50a1a4',1456074443980800006,1456074443980800002,'Ann',6,1767830413.8,NULL,0,0,0);
CREATE TABLE events (
    event       TEXT    NOT NULL PRIMARY KEY,
    secret      BLOB    NOT NULL CHECK (length(secret) = 32),
    commitment  TEXT    NOT NULL,
    closes_at   REAL    NOT NULL,
    is_closed   INTEGER NOT NULL DEFAULT 0
, game TEXT, options TEXT) STRICT, WITHOUT ROWID;
INSERT INTO "events" VALUES('daily 2026-01-01',X'9E656ACF0641169A0B59F4E629439F25D9D4654FEC8D4819FB40D6BAB2C8E012','e6a3ba15b98fec5dab69be1dc427cd24c436f00baa6303b9962e574970baf4db',1767355200.0,0,NULL,NULL);
INSERT INTO "events" VALUES('daily 2026-01-02',X'1C441AE614A7B8D92A9219AF1ECE87545758DE781EF34F8FF48DC7198711925A','be26a1608a8bfc6aad2df8040f99e56489c708065bcb0b917959fffa22dbae1f',1767441600.0,0,NULL,NULL);
INSERT INTO "events" VALUES('match 48840197',X'225848556AF1703E7A89F3BACA974053EBEA21B4E833D7DECCBC1F10CCC5E930','4191e9b1b66f2ae6759d7f43af348509e52b1fe1ed5d0a8c477937e565992cab',1767830413.8,0,'pond','{"players":2,"rounds":2}');
CREATE TABLE heartbeats (
    shard_count INTEGER NOT NULL,
    shard       INTEGER NOT NULL,
    at          REAL    NOT NULL,
    PRIMARY KEY (shard_count, shard)
) STRICT, WITHOUT ROWID;
INSERT INTO "heartbeats" VALUES(1,0,1767225679.8);
CREATE TABLE hints (
    table_id    INTEGER NOT NULL REFERENCES tables (id),
    ply         INTEGER NOT NULL,
    seat        INTEGER NOT NULL,
    PRIMARY KEY (table_id, ply, seat)
) STRICT, WITHOUT ROWID;
INSERT INTO "hints" VALUES(1,3,0);
CREATE TABLE holidays (
    user_id     INTEGER NOT NULL,
    began       REAL NOT NULL,
    ended       REAL NOT NULL,
    PRIMARY KEY (user_id, began)
) STRICT, WITHOUT ROWID;
INSERT INTO "holidays" VALUES(1456074443980800007,1000000000.0,1100000000.0);
CREATE TABLE leases (
    shard       INTEGER PRIMARY KEY,
    holder      TEXT    NOT NULL,
    expires_at  REAL    NOT NULL
, shard_count INTEGER NOT NULL DEFAULT 1) STRICT;
CREATE TABLE left_guilds (
    guild_id    INTEGER PRIMARY KEY,
    left_at     REAL    NOT NULL
) STRICT;
INSERT INTO "left_guilds" VALUES(4194304,1000000000.0);
CREATE TABLE lessons (
    user_id     INTEGER NOT NULL,
    game        TEXT NOT NULL,
    step        INTEGER NOT NULL,
    finished    INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (user_id, game)
) STRICT, WITHOUT ROWID;
INSERT INTO "lessons" VALUES(1456074443980800007,'pond',3,1);
CREATE TABLE marks (
    table_id    INTEGER NOT NULL REFERENCES tables (id),
    user_id     INTEGER NOT NULL,
    ply         INTEGER NOT NULL,
    PRIMARY KEY (table_id, user_id, ply)
) STRICT, WITHOUT ROWID;
INSERT INTO "marks" VALUES(1,1456074443980800007,2);
CREATE TABLE match_players (
    match_id    INTEGER NOT NULL REFERENCES matches (id),
    side        INTEGER NOT NULL,
    number      INTEGER NOT NULL,
    user_id     INTEGER,
    name        TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (match_id, side, number)
) STRICT, WITHOUT ROWID;
INSERT INTO "match_players" VALUES(48840197,0,0,1456074443980800006,'Ann');
INSERT INTO "match_players" VALUES(48840197,1,0,1456074443980800007,'Ben');
CREATE TABLE matches (
    id          INTEGER PRIMARY KEY,
    event       TEXT NOT NULL UNIQUE REFERENCES events (event),
    kind        TEXT NOT NULL,
    guild_id    INTEGER NOT NULL,
    channel_id  INTEGER NOT NULL,
    deals       INTEGER NOT NULL,
    days        INTEGER NOT NULL,
    until       REAL NOT NULL,
    status      TEXT NOT NULL,
    message_id  INTEGER,
    shown       TEXT NOT NULL DEFAULT '',
    is_final    INTEGER NOT NULL DEFAULT 0
, host_id INTEGER, rooms TEXT NOT NULL DEFAULT '[]') STRICT;
INSERT INTO "matches" VALUES(48840197,'match 48840197','challenge',1456074443980800002,1456074443980800005,1,7,1767830413.8,'playing',1456074476696371202,'74fb7ed1817efe09',0,1456074443980800006,'[]');
CREATE TABLE "messages" (
    id          INTEGER PRIMARY KEY,
    table_id    INTEGER NOT NULL REFERENCES tables (id),
    kind        TEXT    NOT NULL CHECK (kind IN ('board', 'hand', 'ping', 'question', 'score')),
    user_id     INTEGER,
    stage       TEXT    NOT NULL CHECK (stage IN ('noted', 'live', 'retiring')),
    channel_id  INTEGER NOT NULL,
    message_id  INTEGER,
    nonce       INTEGER NOT NULL,
    version     INTEGER NOT NULL,
    content     TEXT,
    deal        INTEGER,
    notified    TEXT    NOT NULL,
    posted_at   REAL    NOT NULL
, picture TEXT, attachment_id INTEGER, reminders INTEGER NOT NULL DEFAULT 0) STRICT;
INSERT INTO "messages" VALUES(1,1,'board',NULL,'live',1456074443980800005,1456074443980800031,77626624,14,'c34b0ea7cd2476fb',NULL,'[]',1767225600.0,'board-65d249d403d55a15.png',1456074451530547208,0);
INSERT INTO "messages" VALUES(4,1,'hand',1456074443980800006,'live',1456074443980800009,1456074443980800037,1864918594,14,'21724b4ba59c674f',0,'[]',1767225600.0,'hand-66715b07ab519adc.png',1456074451530547207,0);
INSERT INTO "messages" VALUES(5,1,'hand',1456074443980800007,'live',1456074443980800010,1456074443980800039,800338483,14,'130ab145dfffee11 12',0,'[1456074443980800007]',1767225600.0,'hand-736773124f2e254a.png',1456074451530547206,0);
INSERT INTO "messages" VALUES(6,2,'board',NULL,'live',1456074443980800005,1456074451530547210,481988747,27,'5d06a8bb1cdc60d8',NULL,'[]',1767225601.8,'result-d3f88f371abc6745.png',1456074451530547226,0);
INSERT INTO "messages" VALUES(9,2,'hand',1456074443980800007,'live',1456074443980800010,1456074451530547216,1215702863,27,'b87de0a5040d144a',0,'[]',1767225601.8,'result-d3f88f371abc6745.png',1456074451530547224,0);
INSERT INTO "messages" VALUES(10,2,'hand',1456074443980800006,'live',1456074443980800009,1456074451530547218,1459780732,27,'b8892197a156c431',0,'[]',1767225601.8,'result-d3f88f371abc6745.png',1456074451530547225,0);
INSERT INTO "messages" VALUES(11,3,'board',NULL,'live',1456074443980800005,1456074451530547228,314635055,10,'a0131340dbc46db4',NULL,'[]',1767225601.8,'board-9e726164e25d1c75.png',1456074451530547249,0);
INSERT INTO "messages" VALUES(15,3,'hand',1456074443980800008,'live',1456074443980800011,1456074451530547236,1829321010,10,'873282072ad71704',0,'[]',1767225601.8,'hand-f949988755bdaa2b.png',1456074451530547248,0);
INSERT INTO "messages" VALUES(16,3,'hand',1456074443980800006,'live',1456074443980800009,1456074451530547238,1418676178,7,'77f87f014ca8d01c',0,'[]',1767225601.8,'hand-8f2c5d2393643f3c.png',1456074451530547243,0);
INSERT INTO "messages" VALUES(17,3,'hand',1456074443980800007,'live',1456074443980800010,1456074451530547240,96843623,10,'203a7e82925f419b 8',0,'[1456074443980800007]',1767225601.8,'hand-e547c3be86c44bfe.png',1456074451530547247,0);
INSERT INTO "messages" VALUES(18,4,'board',NULL,'live',1456074443980800005,1456074451530547251,1265780845,1,'e249ad49e5791b5f',NULL,'[]',1767225601.8,NULL,NULL,0);
INSERT INTO "messages" VALUES(19,4,'hand',1456074443980800008,'live',1456074443980800011,1456074451530547252,1312680604,1,'f88053ed6a01324c',-1,'[]',1767225601.8,NULL,NULL,0);
INSERT INTO "messages" VALUES(20,5,'board',NULL,'live',1456074443980800009,1456074455724851206,433495189,5,'6d5b7e5760d848e9',NULL,'[1456074443980800006]',1767225602.8,'board-c4262393a11b6b04.png',1456074455724851210,0);
INSERT INTO "messages" VALUES(21,5,'hand',1456074443980800006,'live',1456074443980800009,1456074455724851208,1345479694,4,'988adde55462027e 4',0,'[1456074443980800006]',1767225602.8,'hand-842c264959e961fa.png',1456074455724851209,0);
INSERT INTO "messages" VALUES(22,6,'board',NULL,'live',1456074443980800009,1456074506056499201,1054320819,5,'21002387348f77b7',NULL,'[1456074443980800006]',1767225614.8,'board-c4262393a11b6b04.png',1456074506056499205,0);
INSERT INTO "messages" VALUES(23,6,'hand',1456074443980800006,'live',1456074443980800009,1456074506056499203,1619548462,4,'5e0c7cc91f5988c0 4',0,'[1456074443980800006]',1767225614.8,'hand-b346e5baafe27072.png',1456074506056499204,0);
CREATE TABLE migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL, at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP) STRICT;
INSERT INTO "migrations" VALUES(1,'tables','2026-11-29 14:11:00');
INSERT INTO "migrations" VALUES(2,'claims','2026-11-29 14:11:00');
INSERT INTO "migrations" VALUES(3,'revisions','2026-11-29 14:11:00');
INSERT INTO "migrations" VALUES(4,'former_players','2026-11-29 14:11:00');
INSERT INTO "migrations" VALUES(5,'retention','2026-11-29 14:11:00');
INSERT INTO "migrations" VALUES(6,'turns','2026-11-29 14:11:00');
INSERT INTO "migrations" VALUES(7,'pings','2026-11-29 14:11:00');
INSERT INTO "migrations" VALUES(8,'messages','2026-11-29 14:11:00');
INSERT INTO "migrations" VALUES(9,'leases','2026-11-29 14:11:00');
INSERT INTO "migrations" VALUES(10,'recent_names','2026-11-29 14:11:00');
INSERT INTO "migrations" VALUES(11,'languages','2026-11-29 14:11:00');
INSERT INTO "migrations" VALUES(12,'scores','2026-11-29 14:11:00');
INSERT INTO "migrations" VALUES(13,'invitations','2026-11-29 14:11:00');
INSERT INTO "migrations" VALUES(14,'looking','2026-11-29 14:11:00');
INSERT INTO "migrations" VALUES(15,'option_sets','2026-11-29 14:11:00');
INSERT INTO "migrations" VALUES(16,'menus','2026-11-29 14:11:00');
INSERT INTO "migrations" VALUES(17,'emoji_users','2026-11-29 14:11:00');
INSERT INTO "migrations" VALUES(18,'pictures','2026-11-29 14:11:00');
INSERT INTO "migrations" VALUES(19,'levels','2026-11-29 14:11:00');
INSERT INTO "migrations" VALUES(20,'stand_ins','2026-11-29 14:11:00');
INSERT INTO "migrations" VALUES(21,'hints','2026-11-29 14:11:00');
INSERT INTO "migrations" VALUES(22,'processes','2026-11-29 14:11:00');
INSERT INTO "migrations" VALUES(23,'thoughts','2026-11-29 14:11:00');
INSERT INTO "migrations" VALUES(24,'reminders','2026-11-29 14:11:00');
INSERT INTO "migrations" VALUES(25,'fewer_indexes','2026-11-29 14:11:00');
INSERT INTO "migrations" VALUES(26,'no_hands_in_emojis','2026-11-29 14:11:00');
INSERT INTO "migrations" VALUES(27,'time_zones','2026-11-29 14:11:00');
INSERT INTO "migrations" VALUES(28,'private_tables','2026-11-29 14:11:00');
INSERT INTO "migrations" VALUES(29,'removed_in_play','2026-11-29 14:11:00');
INSERT INTO "migrations" VALUES(30,'numbers','2026-11-29 14:11:00');
INSERT INTO "migrations" VALUES(31,'records','2026-11-29 14:11:00');
INSERT INTO "migrations" VALUES(32,'rates','2026-11-29 14:11:00');
INSERT INTO "migrations" VALUES(33,'lessons','2026-11-29 14:11:00');
INSERT INTO "migrations" VALUES(34,'played_on','2026-11-29 14:11:00');
INSERT INTO "migrations" VALUES(35,'marks','2026-11-29 14:11:00');
INSERT INTO "migrations" VALUES(36,'grown_lobbies','2026-11-29 14:11:00');
INSERT INTO "migrations" VALUES(37,'tips','2026-11-29 14:11:00');
INSERT INTO "migrations" VALUES(38,'results','2026-11-29 14:11:00');
INSERT INTO "migrations" VALUES(39,'events','2026-11-29 14:11:00');
INSERT INTO "migrations" VALUES(40,'stepped_out','2026-11-29 14:11:00');
INSERT INTO "migrations" VALUES(41,'holidays','2026-11-29 14:11:00');
INSERT INTO "migrations" VALUES(42,'dailies','2026-11-29 14:11:01');
INSERT INTO "migrations" VALUES(43,'nights','2026-11-29 14:11:01');
INSERT INTO "migrations" VALUES(44,'chosen','2026-11-29 14:11:01');
INSERT INTO "migrations" VALUES(45,'recaps','2026-11-29 14:11:01');
INSERT INTO "migrations" VALUES(46,'matches','2026-11-29 14:11:01');
INSERT INTO "migrations" VALUES(47,'duplicates','2026-11-29 14:11:01');
INSERT INTO "migrations" VALUES(48,'event_requests','2026-11-29 14:11:01');
CREATE TABLE night_guests (
    night_id    INTEGER NOT NULL REFERENCES nights (id),
    user_id     INTEGER NOT NULL,
    at          REAL NOT NULL,
    PRIMARY KEY (night_id, user_id)
) STRICT, WITHOUT ROWID;
INSERT INTO "night_guests" VALUES(108674,1456074443980800007,1767225602.8);
INSERT INTO "night_guests" VALUES(108674,1456074443980800008,1767225601.8);
CREATE TABLE nights (
    id          INTEGER PRIMARY KEY,
    guild_id    INTEGER NOT NULL,
    channel_id  INTEGER NOT NULL,
    host_id     INTEGER NOT NULL,
    host_name   TEXT NOT NULL,
    game        TEXT NOT NULL,
    starts_at   REAL NOT NULL,
    status      TEXT NOT NULL,
    message_id  INTEGER,
    shown       TEXT NOT NULL DEFAULT '',
    opened_as   INTEGER
) STRICT;
INSERT INTO "nights" VALUES(108674,1456074443980800002,1456074443980800005,1456074443980800008,'Cleo','pond',1767232801.8,'planned',1456074451530547255,'0485ec48b87b9b11',NULL);
CREATE TABLE option_sets (
    id          INTEGER PRIMARY KEY,
    user_id     INTEGER,
    guild_id    INTEGER,
    game        TEXT    NOT NULL,
    name        TEXT    NOT NULL COLLATE NOCASE,
    options     TEXT    NOT NULL,
    clock       TEXT    NOT NULL, level TEXT NOT NULL DEFAULT 'fair',
    CHECK ((user_id IS NULL) <> (guild_id IS NULL))
) STRICT;
INSERT INTO "option_sets" VALUES(1,1456074443980800006,NULL,'pond','Long','{"rounds": 4}','none','fair');
CREATE TABLE "outages" (
    shard_count INTEGER NOT NULL,
    shard       INTEGER NOT NULL,
    began       REAL    NOT NULL,
    ended       REAL    NOT NULL,
    PRIMARY KEY (shard_count, shard, began)
) STRICT, WITHOUT ROWID;
INSERT INTO "outages" VALUES(1,0,1000000000.0,1000000100.0);
CREATE TABLE pings (
    table_id    INTEGER NOT NULL REFERENCES tables (id),
    user_id     INTEGER NOT NULL,
    at          REAL    NOT NULL,
    PRIMARY KEY (table_id, user_id)
) STRICT, WITHOUT ROWID;
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
    PRIMARY KEY (guild_id, game, user_id)
) STRICT, WITHOUT ROWID;
INSERT INTO "ratings" VALUES(1456074443980800002,'frogs',1456074443980800006,'Ann',2.76353894931404973087e+01,8.06590141354368,1,1,1,1);
INSERT INTO "ratings" VALUES(1456074443980800002,'frogs',1456074443980800007,'Ben',2.23646105068595026912e+01,8.06590141354368,1,0,0,0);
CREATE TABLE recent_uses (
    digest  BLOB    PRIMARY KEY,
    since   REAL    NOT NULL,
    number  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO "recent_uses" VALUES(X'1378D89884E02B9EEE3DC1484B94A8E456D0A378E03E4CF60952E0DB301D6B61',1767225607.8,1);
INSERT INTO "recent_uses" VALUES(X'2E732CA2A07CCF29418190E8EC9524EBE7230C23569C6A1E8019A388DC0C21EB',1767225601.8,1);
INSERT INTO "recent_uses" VALUES(X'2F568B0B8078583D663D95E2B4D59BD51F8EA6DBC2466A323626179BFB2385B4',1767225601.8,1);
INSERT INTO "recent_uses" VALUES(X'65A35D637BA7C215D3F6428F0D8347F882080DA579B2DA024E0AFF382EA2D485',1767225607.8,1);
INSERT INTO "recent_uses" VALUES(X'680F89DFD7E0C1732EA9D0E42313B0C73BB809F10AE4BD12825235BF65B0C977',0.0,0);
INSERT INTO "recent_uses" VALUES(X'869DA954492E77D81297D88F9EDF4386AF2017356868735FD433DD0EB88D70A1',1767225600.0,4);
INSERT INTO "recent_uses" VALUES(X'89C7F7E1729E77DE330AEAF45BE00BCF335835965262B0C23D4A05C86C013A23',1767225600.0,1);
INSERT INTO "recent_uses" VALUES(X'A6E4EEC93031DF8771ED2863BFAE30E40790647F0E4B2696C007FC09DA6563B7',1767225601.8,1);
INSERT INTO "recent_uses" VALUES(X'D73C544367986C44D895B33A84E50BC1D85FA91C3642343268BB2A80544BB716',1767225601.8,2);
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
    PRIMARY KEY (guild_id, game, nth, seat)
) STRICT, WITHOUT ROWID;
INSERT INTO "results" VALUES(1456074443980800002,'frogs',1,0,2,1767225601.8,'{"preset":"standard","repetition":"draw"}','goal',0,2,0,4,4,1456074443980800007,NULL,12,12,25.0,8.33333333333333392545e+00,-2.63538949314049730787e+00);
INSERT INTO "results" VALUES(1456074443980800002,'frogs',1,1,2,1767225601.8,'{"preset":"standard","repetition":"draw"}','goal',1,1,1,8,4,1456074443980800006,NULL,12,12,25.0,8.33333333333333392545e+00,2.63538949314049730787e+00);
CREATE TABLE seats (
    table_id    INTEGER NOT NULL REFERENCES tables (id),
    seat        INTEGER NOT NULL,
    user_id     INTEGER,
    held_for    INTEGER,
    owes INTEGER, since REAL,
    PRIMARY KEY (table_id, seat)
) STRICT, WITHOUT ROWID;
INSERT INTO "seats" VALUES(1,0,1456074443980800006,NULL,0,1767225601.8);
INSERT INTO "seats" VALUES(1,1,1456074443980800007,NULL,1,1767225601.8);
INSERT INTO "seats" VALUES(2,0,1456074443980800007,NULL,0,NULL);
INSERT INTO "seats" VALUES(2,1,1456074443980800006,NULL,0,NULL);
INSERT INTO "seats" VALUES(3,0,1456074443980800008,NULL,0,1767225601.8);
INSERT INTO "seats" VALUES(3,1,1456074443980800006,NULL,0,1767225601.8);
INSERT INTO "seats" VALUES(3,2,1456074443980800007,NULL,1,1767225601.8);
INSERT INTO "seats" VALUES(4,0,1456074443980800008,NULL,0,1767225601.8);
INSERT INTO "seats" VALUES(5,0,1456074443980800006,NULL,1,1767225602.8);
INSERT INTO "seats" VALUES(5,1,NULL,NULL,0,1767225602.8);
INSERT INTO "seats" VALUES(6,0,1456074443980800006,NULL,1,1767225614.8);
INSERT INTO "seats" VALUES(6,1,NULL,NULL,0,1767225614.8);
CREATE TABLE secrets (
    table_id    INTEGER PRIMARY KEY REFERENCES tables (id),
    seed        BLOB    NOT NULL CHECK (length(seed) = 32)
) STRICT;
INSERT INTO "secrets" VALUES(1,X'CD072CD8BE6F9F62AC4C09C28206E7E35594AA6B342F5D0A3A5E4842FAB428F7');
INSERT INTO "secrets" VALUES(2,X'E5C1657C78C3A967B36711EB3906A7C8603D71D409E7A54D87BDC1F70442027A');
INSERT INTO "secrets" VALUES(3,X'7F86589578DF43E413167AE8D9DCEB37762833811A71A723738626482F61C623');
INSERT INTO "secrets" VALUES(4,X'24D446183C6E4D9EA1A5A5CCF72E2140C304BDFC6A21E5E81217568835D497FB');
INSERT INTO "secrets" VALUES(5,X'B8E02FAD01345871B5B0FE329B9FFF8F1C208D399C78517DADA2A06A96F438C2');
INSERT INTO "secrets" VALUES(6,X'E19B67D213B4F41B1124C279164A594E3CF65E9DB2497F5ACEE9E27FCD3A278D');
CREATE TABLE servers (
    guild_id    INTEGER PRIMARY KEY,
    channels    TEXT    NOT NULL,
    threads     INTEGER NOT NULL,
    role_id     INTEGER,
    clock       TEXT    NOT NULL
, language TEXT, locale TEXT, looking_role_id INTEGER, level TEXT NOT NULL DEFAULT 'fair', daily_channel_id INTEGER, timezone TEXT, recap_channel_id INTEGER, recap_day INTEGER NOT NULL DEFAULT 0, recapped INTEGER NOT NULL DEFAULT 0) STRICT;
INSERT INTO "servers" VALUES(1456074443980800002,'[]',0,NULL,'day',NULL,NULL,NULL,'easy',NULL,'Europe/Berlin',NULL,0,0);
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
    changed_at  REAL    NOT NULL
, number INTEGER, record TEXT NOT NULL DEFAULT '{}') STRICT;
INSERT INTO "tables" VALUES(1,'Oak','pond','playing',14,12,1456074443980800006,1456074443980800002,1456074443980800005,NULL,1767225600.0,1767225601.8,1,'{"options":{"players":2,"rounds":2,"tie":"leader","tiebreak":"none","history":"log"},"seats":2,"sitters":[{"seat":0,"name":"Ann","user_id":1456074443980800006,"cut":"","started_as":null,"held_for":null,"offered":false,"started_by":null,"level":"fair","after_removal":false,"nth_game":1,"stepped_out":false},{"seat":1,"name":"Ben","user_id":1456074443980800007,"cut":"","started_as":null,"held_for":null,"offered":false,"started_by":null,"level":"fair","after_removal":false,"nth_game":1,"stepped_out":false}],"commitment":"6c74ad1cf921a0cc991a7f3e62e3ecbdbe4c0b31563e77c84c1cd1f6ac77d9fa","seed":null,"outcome":null,"rules":1,"undone_at":0,"clock":"none","why":null,"guests":[],"looked_at":null,"level":"fair","hints":"auto","invited_only":false,"former":{"removed":[],"salt":"","left":[],"forgotten":[]},"has_grown":false,"continues":null,"event":null,"counted":null}');
INSERT INTO "tables" VALUES(2,'Teal','frogs','over',27,25,1456074443980800007,1456074443980800002,1456074443980800005,NULL,1767225601.8,1767225601.8,2,'{"options":{"preset":"standard","repetition":"draw"},"seats":2,"sitters":[{"seat":0,"name":"Ben","user_id":1456074443980800007,"cut":"","started_as":null,"held_for":null,"offered":false,"started_by":null,"level":"fair","after_removal":false,"nth_game":1,"stepped_out":false},{"seat":1,"name":"Ann","user_id":1456074443980800006,"cut":"","started_as":null,"held_for":null,"offered":false,"started_by":null,"level":"fair","after_removal":false,"nth_game":1,"stepped_out":false}],"commitment":"dfd82aa40c0aae3b092ad7715e0e3e232be8f77ccd648939b2b071b4494125ca","seed":"e5c1657c78c3a967b36711eb3906a7c8603d71d409e7a54d87bdc1f70442027a","outcome":{"scores":[4,8],"places":[2,1],"reason":"goal"},"rules":1,"undone_at":0,"clock":"none","why":null,"guests":[],"looked_at":null,"level":"fair","hints":"auto","invited_only":false,"former":{"removed":[],"salt":"","left":[],"forgotten":[]},"has_grown":false,"continues":null,"event":null,"counted":{"nth":1,"gains":[-2.6353894931404973,2.6353894931404973],"wins":[0,1]}}');
INSERT INTO "tables" VALUES(3,'Catkin','pontis','playing',10,7,1456074443980800008,1456074443980800002,1456074443980800005,NULL,1767225601.8,1767225601.8,3,'{"options":{"players":3,"jokers":2,"fake":"off","liar":"off","curdle":"deadlock","out_bonus":"always","games":1,"banks":3,"teams":"off"},"seats":3,"sitters":[{"seat":0,"name":"Cleo","user_id":1456074443980800008,"cut":"","started_as":null,"held_for":null,"offered":false,"started_by":null,"level":"fair","after_removal":false,"nth_game":1,"stepped_out":false},{"seat":1,"name":"Ann","user_id":1456074443980800006,"cut":"","started_as":null,"held_for":null,"offered":false,"started_by":null,"level":"fair","after_removal":false,"nth_game":1,"stepped_out":false},{"seat":2,"name":"Ben","user_id":1456074443980800007,"cut":"","started_as":null,"held_for":null,"offered":false,"started_by":null,"level":"fair","after_removal":false,"nth_game":1,"stepped_out":false}],"commitment":"60cff3d3ecedb520a335a740b09340cbd780cd8eb50014567ce484cc9abb0e32","seed":null,"outcome":null,"rules":1,"undone_at":0,"clock":"none","why":null,"guests":[],"looked_at":null,"level":"fair","hints":"auto","invited_only":false,"former":{"removed":[],"salt":"","left":[],"forgotten":[]},"has_grown":false,"continues":null,"event":null,"counted":null}');
INSERT INTO "tables" VALUES(4,'Crayfish','pot_black','lobby',1,0,1456074443980800008,1456074443980800002,1456074443980800005,NULL,1767225601.8,1767225601.8,4,'{"options":{"players":3,"form":"individual","short":"cover","tied_side_pot":"paid","end":"first_out","deals":10},"seats":3,"sitters":[{"seat":0,"name":"Cleo","user_id":1456074443980800008,"cut":"","started_as":null,"held_for":null,"offered":false,"started_by":null,"level":"fair","after_removal":false,"nth_game":1,"stepped_out":false}],"commitment":"be71cd447c8510d48045dd2279be16d8ebaab587e67c58bfea4a221781fe174e","seed":null,"outcome":null,"rules":1,"undone_at":0,"clock":"none","why":null,"guests":[],"looked_at":null,"level":"fair","hints":"auto","invited_only":false,"former":{"removed":[],"salt":"","left":[],"forgotten":[]},"has_grown":false,"continues":null,"event":null,"counted":null}');
INSERT INTO "tables" VALUES(5,'Rowan','pond','playing',5,4,1456074443980800006,NULL,1456074443980800009,NULL,1767225602.8,1767225602.8,1,'{"options":{"players":2,"rounds":2,"tie":"leader","tiebreak":"none","history":"log"},"seats":2,"sitters":[{"seat":0,"name":"Ann","user_id":1456074443980800006,"cut":"","started_as":null,"held_for":null,"offered":false,"started_by":null,"level":"fair","after_removal":false,"nth_game":0,"stepped_out":false},{"seat":1,"name":"Moss","user_id":null,"cut":"","started_as":null,"held_for":null,"offered":false,"started_by":null,"level":"fair","after_removal":false,"nth_game":0,"stepped_out":false}],"commitment":"4ff2f984c47cdaf1c97461c5df6d414585b0d7f9ad8ce14c65227fbc87e09d05","seed":null,"outcome":null,"rules":1,"undone_at":0,"clock":"none","why":null,"guests":[],"looked_at":null,"level":"fair","hints":"off","invited_only":false,"former":{"removed":[],"salt":"","left":[],"forgotten":[]},"has_grown":false,"continues":null,"event":["daily 2026-01-01",0],"counted":null}');
INSERT INTO "tables" VALUES(6,'Stork','pond','playing',5,4,1456074443980800006,NULL,1456074443980800009,NULL,1767225614.8,1767225614.8,2,'{"options":{"players":2,"rounds":2,"tie":"leader","tiebreak":"none","history":"log"},"seats":2,"sitters":[{"seat":0,"name":"Ann","user_id":1456074443980800006,"cut":"","started_as":null,"held_for":null,"offered":false,"started_by":null,"level":"fair","after_removal":false,"nth_game":0,"stepped_out":false},{"seat":1,"name":"Moss","user_id":null,"cut":"","started_as":null,"held_for":null,"offered":false,"started_by":null,"level":"fair","after_removal":false,"nth_game":0,"stepped_out":false}],"commitment":"f47c3a54498588d163e45ec785400bb5ab80d908573b6b79a5512ad560ef13d9","seed":null,"outcome":null,"rules":1,"undone_at":0,"clock":"none","why":null,"guests":[],"looked_at":null,"level":"fair","hints":"off","invited_only":false,"former":{"removed":[],"salt":"","left":[],"forgotten":[]},"has_grown":false,"continues":null,"event":["match 48840197",0],"counted":null}');
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
CREATE TABLE thoughts (
    table_id    INTEGER NOT NULL REFERENCES tables (id),
    version     INTEGER NOT NULL,
    seat        INTEGER NOT NULL,
    for_absent  INTEGER NOT NULL,
    asked_at    REAL    NOT NULL,
    taken_until REAL    NOT NULL,
    move        TEXT,
    PRIMARY KEY (table_id, version, seat)
) STRICT, WITHOUT ROWID;
CREATE TABLE undo_votes (
    table_id    INTEGER NOT NULL REFERENCES tables (id),
    version     INTEGER NOT NULL,
    asker_id    INTEGER NOT NULL,
    user_id     INTEGER NOT NULL,
    PRIMARY KEY (table_id, version, asker_id, user_id)
) STRICT, WITHOUT ROWID;
INSERT INTO "undo_votes" VALUES(1,14,1456074443980800006,1456074443980800006);
CREATE TABLE update_requests (
    table_id    INTEGER PRIMARY KEY
) STRICT;
INSERT INTO "update_requests" VALUES(1);
CREATE TABLE users (
    id          INTEGER PRIMARY KEY,
    dm_closed   INTEGER NOT NULL DEFAULT 0,
    pings       INTEGER NOT NULL DEFAULT 1,
    quiet_from  INTEGER,
    quiet_until INTEGER,
    utc_offset  INTEGER NOT NULL DEFAULT 0
, language TEXT, locale TEXT, menus INTEGER NOT NULL DEFAULT 0, hands TEXT NOT NULL DEFAULT 'pictures' CHECK (hands IN ('pictures', 'emojis', 'text')), timezone TEXT, zone_asked INTEGER NOT NULL DEFAULT 0, tips INTEGER NOT NULL DEFAULT 1, ranking INTEGER NOT NULL DEFAULT 1, digest INTEGER NOT NULL DEFAULT 0, digest_at REAL) STRICT;
INSERT INTO "users" VALUES(1456074443980800006,0,1,NULL,NULL,0,NULL,NULL,0,'pictures',NULL,0,1,1,0,NULL);
INSERT INTO "users" VALUES(1456074443980800007,0,1,NULL,NULL,0,NULL,NULL,0,'pictures',NULL,0,1,1,0,NULL);
INSERT INTO "users" VALUES(1456074443980800008,0,1,NULL,NULL,0,NULL,NULL,0,'pictures',NULL,0,1,1,0,NULL);
CREATE TABLE votes (
    table_id    INTEGER NOT NULL REFERENCES tables (id),
    user_id     INTEGER NOT NULL,
    version     INTEGER NOT NULL,
    remedy      TEXT    NOT NULL,
    PRIMARY KEY (table_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE waits (
    table_id    INTEGER PRIMARY KEY REFERENCES tables (id),
    version     INTEGER NOT NULL,
    since       REAL    NOT NULL,
    steps       INTEGER NOT NULL
, reminders INTEGER NOT NULL DEFAULT 0) STRICT;
INSERT INTO "waits" VALUES(1,14,1767225601.8,1,1);
CREATE INDEX tables_by_name ON tables (name);
CREATE UNIQUE INDEX open_tables_by_name ON tables (name) WHERE status IN ('lobby', 'playing');
CREATE INDEX open_tables_by_channel ON tables (channel_id) WHERE status IN ('lobby', 'playing');
CREATE UNIQUE INDEX one_rematch_a_table ON tables (rematch_of) WHERE rematch_of IS NOT NULL AND status <> 'closed';
CREATE INDEX open_tables_by_status ON tables (status) WHERE status IN ('lobby', 'playing');
CREATE UNIQUE INDEX one_seat_a_user ON seats (user_id, table_id) WHERE user_id IS NOT NULL;
CREATE INDEX seats_held_by_user ON seats (held_for, table_id) WHERE held_for IS NOT NULL;
CREATE INDEX ended_tables_by_end ON tables (changed_at) WHERE status IN ('over', 'closed');
CREATE INDEX rematches_by_table ON tables (rematch_of) WHERE rematch_of IS NOT NULL;
CREATE INDEX open_seats_by_user ON seats (user_id, owes DESC, since, table_id)
    WHERE user_id IS NOT NULL AND since IS NOT NULL;
CREATE INDEX open_seats_held ON seats (held_for, since, table_id) WHERE held_for IS NOT NULL AND since IS NOT NULL;
CREATE INDEX open_tables_by_host ON tables (host_id) WHERE status IN ('lobby', 'playing');
CREATE INDEX open_tables_by_guild ON tables (guild_id) WHERE status IN ('lobby', 'playing');
CREATE INDEX tables_by_place ON tables (coalesce(guild_id, channel_id), opened_at);
CREATE INDEX messages_of_a_table ON messages (table_id);
CREATE INDEX messages_of_a_user ON messages (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX messages_by_message ON messages (message_id) WHERE message_id IS NOT NULL;
CREATE INDEX messages_to_remove ON messages (table_id) WHERE stage <> 'live';
CREATE UNIQUE INDEX option_sets_of_users ON option_sets (user_id, game, name) WHERE user_id IS NOT NULL;
CREATE UNIQUE INDEX option_sets_of_servers ON option_sets (guild_id, game, name) WHERE guild_id IS NOT NULL;
CREATE INDEX thoughts_to_take ON thoughts (asked_at) WHERE move IS NULL;
CREATE UNIQUE INDEX tables_by_number ON tables (coalesce(guild_id, channel_id), number);
CREATE INDEX closed_lobbies_by_end ON tables (changed_at) WHERE status = 'closed' AND plies = 0;
CREATE INDEX marks_by_user ON marks (user_id);
CREATE INDEX results_by_user ON results (user_id, guild_id, game, nth) WHERE user_id IS NOT NULL;
CREATE INDEX results_by_end ON results (guild_id, ended_at);
CREATE INDEX results_by_score ON results (guild_id, game, score) WHERE user_id IS NOT NULL;
CREATE INDEX results_by_margin ON results (guild_id, game, margin) WHERE user_id IS NOT NULL AND margin IS NOT NULL;
CREATE INDEX ratings_by_user ON ratings (user_id);
CREATE INDEX event_results_by_user ON event_results (user_id, event);
CREATE INDEX event_results_by_table ON event_results (played);
CREATE INDEX digests ON users (id) WHERE digest = 1;
CREATE INDEX nights_by_guild ON nights (guild_id);
CREATE INDEX night_guests_by_user ON night_guests (user_id);
CREATE INDEX matches_to_show ON matches (id) WHERE is_final = 0;
CREATE INDEX matches_by_guild ON matches (guild_id);
CREATE INDEX match_players_by_user ON match_players (user_id);
CREATE VIEW open_tables AS SELECT * FROM tables WHERE status IN ('lobby', 'playing');
COMMIT;
