"""Compile the system: python setup.py build_ext --inplace."""

import sys

from Cython.Build import cythonize
from setuptools import Extension, setup

FLAGS = ["/std:c++17"] if sys.platform == "win32" else ["-O2", "-std=c++17"]

EXTENSION = Extension("arc_hybrid", ["arc_hybrid.pyx"], language="c++", extra_compile_args=FLAGS)

setup(name="arc-hybrid", ext_modules=cythonize([EXTENSION], language_level=3))
