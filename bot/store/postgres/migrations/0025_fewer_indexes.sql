-- A move changes `owes` and `since` of two seats. As long as no index has these columns, PostgreSQL changes no index of
-- `seats` for that (heap-only tuples). Lists read all seats of their user, also those of ended tables.
DROP INDEX open_seats_by_user;
DROP INDEX open_seats_held;
DROP INDEX unknown_turns;
