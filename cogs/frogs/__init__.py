"""How Pond · frogs appears on Discord: its commands, boards, hands, scores and pictures."""
