"""How Pot Black appears on Discord: its commands, boards, hands, scores and pictures."""
