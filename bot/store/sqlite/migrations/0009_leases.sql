-- Which process updates the messages of a shard's servers, and until when unless it renews that. Times are seconds since
-- 1970 by the database's clock.
CREATE TABLE leases (
    shard       INTEGER PRIMARY KEY,
    holder      TEXT    NOT NULL,
    expires_at  REAL    NOT NULL
) STRICT;

-- Tables that another process than the lease's holder has changed.
CREATE TABLE update_requests (
    table_id    INTEGER PRIMARY KEY
) STRICT;
