"""The native core: configurations, transitions, gold trees, hashing and the model file."""
