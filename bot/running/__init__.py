"""A running bot: its client and login, the connection to Discord, and what processes of one bot share."""
