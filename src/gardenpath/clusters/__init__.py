"""Induction of word clusters from text and from word vectors."""
