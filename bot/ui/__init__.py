"""The parts of the Discord interface that all games share."""
