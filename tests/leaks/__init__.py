"""Nobody can tell apart what differs only in what he can't see."""
