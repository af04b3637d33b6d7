"""Feature templates: the notation, the compiler, the sets."""
