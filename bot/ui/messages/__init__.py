"""Live messages: boards, hands, pings and questions, kept as the table is."""
