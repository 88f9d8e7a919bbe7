"""The tests of the rulebooks."""
