"""Conversions to and from other libraries, and gardenpath as a spaCy component."""
