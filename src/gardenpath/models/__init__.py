"""Trained models and their files."""

from gardenpath.models.loading import load
from gardenpath.models.model import Model

__all__ = ["Model", "load"]
