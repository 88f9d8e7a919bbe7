"""How interactions come in and are answered: routing, responses, rate limit."""
