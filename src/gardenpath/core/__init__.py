"""The native core: configurations, moves, classes, encoded sentences."""
