"""Tables: opens, changes and shows them. The only writer of a table's log.

A table's state is the fold of its log. Every change is one transaction; listeners (`Tables.on_change`) are called after
the commit.
"""
