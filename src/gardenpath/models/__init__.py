"""Trained models and their files."""

from gardenpath.models.model import Model, load

__all__ = ["Model", "load"]
