"""Absent players: how long a table waits for them, and what the others can do about it.

`deadlines`: what becomes due, and when. `votes`: who may apply a remedy. `waiting`: what that changes at the table,
joined with the database. `timer` takes the steps, when `bot.calendar` calls.
"""
