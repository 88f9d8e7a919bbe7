"""Absent players: how long a table waits for them, and what the others can do about it.

`deadlines`: what becomes due, and when. `votes`: who may apply a remedy. `remedies`: what that changes at the table.
`waiting` joins these with the database, `timer` acts when something becomes due.
"""
