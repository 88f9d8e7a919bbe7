"""What each game says: boards, hands, choices, sentences. No Discord in here, only text made from observations."""
