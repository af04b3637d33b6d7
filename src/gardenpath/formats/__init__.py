"""Formats: read and write."""
