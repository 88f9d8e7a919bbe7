"""The texts of each game: boards, hands, choices, sentences. No Discord in here, only text made from observations."""
