"""Analyses of trained models and oracles: repairs, opportunities to repair, bounds of the loss."""
