"""Builds the Cython core; everything else is in pyproject.toml."""

import os
import sys
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

# Portable flags only: a wheel runs on every machine of its kind.
FLAGS = ["/O2", "/std:c++17"] if sys.platform == "win32" else ["-O3", "-g0", "-std=c++17", "-ffp-contract=off", "-Wno-unused-function"]
SOURCES = sorted(path.relative_to(Path(__file__).parent) for path in Path(__file__).parent.glob("src/gardenpath/**/*.pyx"))

extensions = [
    Extension(".".join(path.with_suffix("").parts[1:]), [str(path)], include_dirs=[str(path.parent)], language="c++", extra_compile_args=FLAGS)
    for path in SOURCES
]
# What Cython would otherwise write into every module that has memory views; it is most of the time that compiling takes. The source is made on building.
SHARED = "gardenpath.core.shared"
extensions.append(Extension(SHARED, ["src/gardenpath/core/shared.c"], extra_compile_args=[flag for flag in FLAGS if "std" not in flag]))
# Who has compiled in place already and only installs says so: an editable install would compile all of it again.
if os.environ.get("GARDENPATH_COMPILED"):
    extensions = []
setup(
    options={"build_ext": {"parallel": os.cpu_count() or 1}},
    ext_modules=cythonize(
        extensions,
        language_level=3,
        shared_utility_qualified_name=SHARED,
        nthreads=0 if sys.platform == "win32" else os.cpu_count() or 1,
        compiler_directives={"cdivision": True, "embedsignature": True, "allow_none_for_extension_args": False},
    )
)
