"""Where computers think: worker processes, jobs for other machines, and when a move is shown."""
