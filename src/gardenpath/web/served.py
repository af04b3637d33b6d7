"""The models of a server and their names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from gardenpath import models
from gardenpath.errors import InputError, UsageError
from gardenpath.formats.conllu import excerpt
from gardenpath.models import Model

LONGEST = 200            # maximum number of characters of a name in an error
_VERSIONED = re.compile(r"UD[ _]([^ -]+)-(\S+)(?: (\S+))?")


@dataclass(frozen=True, slots=True)
class Served:
    """A model with its name."""

    name: str
    model: Model

    @property
    def steps(self) -> list[str]:
        """The steps that the model can run: `tokenizer`, `tagger`, `parser`."""
        tokenizer = ["tokenizer"] if self.model.tokenizer else []
        tagger = ["tagger"] if self.model.tagger else []
        return [*tokenizer, *tagger, "parser"]

    @property
    def aliases(self) -> list[str]:
        """Other names: UDPipe's name for the treebank, such as `english-ewt-ud-2.16`, and prefixes up to a hyphen."""
        found = _VERSIONED.match(self.model.about.treebank or "")
        names = [self.name]
        if found:
            language, treebank, version = found.groups()
            names.append("-".join(part for part in (language.lower(), treebank.lower(), "ud", version) if part))
        prefixes = [name[: hyphen.start()] for name in names for hyphen in reversed([*re.finditer("-", name)])]
        return [alias for alias in dict.fromkeys([*names, *prefixes]) if alias != self.name]


class ServedModels:
    """Models by name; the first is the default."""

    def __init__(self, models: Iterable[Served]) -> None:
        self.models = list(models)
        if not self.models:
            raise UsageError("the server needs a model; give one, for example `en`")
        names = [served.name for served in self.models]
        for name in names:
            if names.count(name) > 1:
                raise UsageError(f"two models are called {name!r}; rename one of them with NAME=FILE")
        self._by_name = {served.name: served for served in self.models}
        for served in self.models:
            for alias in served.aliases:
                self._by_name.setdefault(alias, served)

    @classmethod
    def load(cls, given: Iterable[str]) -> ServedModels:
        """Load models from command-line arguments: names of models or languages, files, or NAME=FILE."""
        return cls(_load(entry) for entry in given)

    @property
    def default(self) -> Served:
        """The model for requests that name none."""
        return self.models[0]

    def __iter__(self) -> Iterator[Served]:
        return iter(self.models)

    def find(self, name: str | None) -> Served:
        """Return the model with this name or alias. None or an empty name gives the default model."""
        if not name:
            return self.default
        if name not in self._by_name:
            known = ", ".join(served.name for served in self.models)
            asked = excerpt(name, LONGEST)
            raise InputError(f"The requested model '{asked}' does not exist; available models: {known}.")
        return self._by_name[name]


def _load(entry: str) -> Served:
    name, equals, file = entry.partition("=")
    if not equals or Path(entry).exists():
        return Served(Path(entry).stem, models.load(entry))
    if not name or not file:
        raise UsageError(f"{entry!r} is not a model; give the name of a model (en), a file, or NAME=FILE")
    return Served(name, models.load(file))
