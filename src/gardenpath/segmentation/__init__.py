"""Sentence splitting, tokenization and multi-word tokens."""
