"""Tagging and lemmatization."""
