"""Make models from treebanks, install models, and write them as Python packages."""

from gardenpath.making.installing import install
from gardenpath.making.make import MadeModel, MakeOptions, make
from gardenpath.making.package import write_package

__all__ = ["MadeModel", "MakeOptions", "install", "make", "write_package"]
