"""Analyses of trained models and oracles: repairs, bounds, opportunities."""
