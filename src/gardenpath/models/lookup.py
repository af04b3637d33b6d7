"""Find a model by a name: that of a model, a treebank or a language.

The library, the command line, the server and the spaCy component find models through `path_of` only.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from gardenpath.errors import GardenpathWarning, InputError, UsageError
from gardenpath.models import installed, packaged, shipped

FAST = "-fast"                  # the end of the names of perceptrons
INSTALLED, SHIPPED, PACKAGED = "installed", "shipped", "package"


@dataclass(frozen=True, slots=True)
class ModelFile:
    """A model that can be loaded: its name, its file, and where it comes from."""

    name: str
    path: Path
    origin: str


def available(folder: str | Path | None = None) -> list[ModelFile]:
    """Return all models that can be loaded by name, without loading them. Warn of packages that are broken."""
    found = []
    for name in sorted({*installed.names(folder), *shipped.names(), *packaged.names()}):
        try:
            model = find(name, folder)
        except UsageError as error:
            warnings.warn(str(error), GardenpathWarning, stacklevel=2)
            continue
        if model is not None:
            found.append(model)
    return found


def find(name: str, folder: str | Path | None = None) -> ModelFile | None:
    """Return the model with exactly this name: an installed one, else a shipped one, else one in a Python package."""
    if not installed.NAME.fullmatch(name):
        return None
    for origin, path in ((INSTALLED, installed.place(name, folder)), (SHIPPED, shipped.FOLDER / f"{name}.gp")):
        if path.is_file():
            return ModelFile(name, path, origin)
    path_in_package = packaged.path_of(name)
    return ModelFile(name, path_in_package, PACKAGED) if path_in_package else None


def find_any(name: str, folder: str | Path | None = None) -> ModelFile | None:
    """Return the model with this name, else a model of the treebank or the language with this name.

    For a language, models of the recommended treebank come first, then those of its other treebanks. For a treebank,
    the network comes before the perceptron (`-fast`). With `-fast` at its end, a name finds perceptrons only.
    """
    exact = find(name, folder)
    if exact is not None:
        return exact
    return next((model for other in _equivalents(name) if (model := find(other, folder))), None)


def can_be_made(language: str) -> bool:
    """Return whether the catalogue has a treebank to make a model for the language with this name."""
    from gardenpath.catalogue import find_language  # only needed for other languages than those of the models

    found = find_language(language)
    return found is not None and found.recommended is not None


def path_of(name: str | Path) -> Path:
    """Return the file of the model with this name, or the path that was given.

    Raise `UsageError` if there is no such model, and `InputError` if the path is that of a folder. The message names
    the command that makes a model, if there is one.
    """
    path = Path(name)
    if not str(name).strip():
        raise UsageError("the name of the model is empty; give the name of a model or a language, or a model file")
    if path.name != str(name) or path.suffix:
        if path.is_dir():
            raise InputError(f"{name}: this is a folder; give the path of a model file, or the name of a model")
        return path
    exact = find(str(name))
    if exact is not None:
        return exact.path
    if path.exists() and not path.is_dir():         # a folder may be called like a language
        return path
    other = find_any(str(name))
    if other is None:
        raise UsageError(_unknown(str(name)))
    return other.path


def _equivalents(name: str) -> list[str]:
    """Return the names of models of the treebank or language with this name, the best first."""
    from gardenpath.catalogue import find_language, find_treebank  # most names are those of models

    base, is_fast = name.removesuffix(FAST), name.endswith(FAST)
    treebank, language = find_treebank(base), find_language(base)
    bases = [treebank.code] if treebank else []
    if treebank and treebank.is_recommended:
        bases.append(treebank.code.partition("_")[0])       # such as the shipped model en, of en_ewt
    if language:
        bases += [language.code, *(each.code for each in language.treebanks)]
    return [each for code in bases for each in ((f"{code}{FAST}",) if is_fast else (code, f"{code}{FAST}"))]


def _unknown(name: str) -> str:
    from gardenpath.catalogue import choose, find_language, find_treebank
    from gardenpath.catalogue.search import SIMILAR, suggestions

    base = name.removesuffix(FAST)
    kind = "fast model" if name.endswith(FAST) else "model"
    treebank, language = find_treebank(base), find_language(base)
    if treebank or (language and language.recommended):
        chosen = choose(base)
        return (
            f"there is no {kind} for {language.title if language else chosen.title} yet; make one from the treebank "
            f"{chosen.name} with `gardenpath models make {base}`, or install one with `gardenpath models install FILE`"
        )
    if language:
        return (
            f"there is no model for {language.title}, and no treebank of it is known to have a training set; see "
            f"`gardenpath treebank list {language.code}`"
        )
    known = [model.name for model in available()]
    similar = dict.fromkeys([*get_close_matches(name, known, 2, SIMILAR), *suggestions(base)])
    if similar:
        return f"no model is called {name!r}; did you mean {' or '.join(similar)}?"
    return (
        f"no model is called {name!r}; there are {', '.join(known)}; `gardenpath models list` shows more; or give the "
        "path of a model file"
    )
