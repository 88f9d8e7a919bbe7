"""Live messages: boards, hands, pings and questions, kept up to date."""
