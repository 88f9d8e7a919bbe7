"""Plain values that every part may import: no queries, no Discord, no rules."""
