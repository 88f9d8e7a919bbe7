-- The seats with unknown turns are found by the open tables.
DROP INDEX unknown_turns;
