"""What people can do at a table, whichever way they do it."""
