"""How Pond · cards appears on Discord: its commands, boards, hands, scores and pictures."""
