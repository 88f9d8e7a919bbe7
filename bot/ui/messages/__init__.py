"""What messages say: lobbies, boards, hands, results, lessons, replays and other pages."""
