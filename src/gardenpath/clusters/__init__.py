"""Induction of word clusters."""
