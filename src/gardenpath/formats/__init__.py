"""Readers and writers of every file format, and the documents they read into."""
