"""The models that a server has, and the names that they answer to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from gardenpath import models
from gardenpath.errors import InputError, UsageError
from gardenpath.models import Model

_VERSIONED = re.compile(r"UD[ _]([^ -]+)-(\S+)(?: (\S+))?")


@dataclass(frozen=True, slots=True)
class Served:
    """A model under its name."""

    name: str
    model: Model

    @property
    def steps(self) -> list[str]:
        """What it can do: `tokenizer`, `tagger`, `parser`."""
        return [*(["tokenizer"] if self.model.tokenizer else []), *(["tagger"] if self.model.tagger else []), "parser"]

    @property
    def aliases(self) -> list[str]:
        """Other names: that of UDPipe's models for the same treebank, as `english-ewt-ud-2.16`, and what is before each hyphen of any name."""
        found = _VERSIONED.match(self.model.description["treebank"] or "")
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
            raise UsageError("a server needs a model; there is always `en`")
        names = [served.name for served in self.models]
        for name in names:
            if names.count(name) > 1:
                raise UsageError(f"two models are called {name!r}; name one of them: NAME=FILE")
        self._by_name = {served.name: served for served in self.models}
        for served in self.models:
            for alias in served.aliases:
                self._by_name.setdefault(alias, served)

    @classmethod
    def load(cls, given: Iterable[str]) -> ServedModels:
        """Load models as the command line names them: shipped ones, files, or NAME=FILE."""
        return cls(_load(entry) for entry in given)

    @property
    def default(self) -> Served:
        """The model for those who name none."""
        return self.models[0]

    def __iter__(self) -> Iterator[Served]:
        return iter(self.models)

    def find(self, name: str | None) -> Served:
        """The model of that name or alias; the default one for none or an empty one."""
        if not name:
            return self.default
        if name not in self._by_name:
            raise InputError(f"The requested model '{name}' does not exist; there are: {', '.join(served.name for served in self.models)}.")
        return self._by_name[name]


def _load(entry: str) -> Served:
    name, equals, file = entry.partition("=")
    if not equals or Path(entry).exists():
        return Served(Path(entry).stem, models.load(entry))
    if not name or not file:
        raise UsageError(f"{entry!r} does not name a model; give a shipped one (en), a file, or NAME=FILE")
    return Served(name, models.load(file))
