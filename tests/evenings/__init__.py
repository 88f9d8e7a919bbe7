"""Simulated evenings: the real bot on a simulated Discord, with every order, delay and fault drawn from a number."""
