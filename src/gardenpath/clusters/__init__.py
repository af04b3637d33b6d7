"""Inducing word clusters."""
