"""Tagging and lemmatization: training and applying the tagger."""
