"""The tests of the computer players."""
