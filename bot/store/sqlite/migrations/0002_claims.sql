-- Interactions that a process has taken up, so that no other one does the same again. Old ones go as new ones come.
CREATE TABLE claims (
    interaction_id INTEGER PRIMARY KEY
) STRICT;
