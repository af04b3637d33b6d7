"""The parts of a treebank, found by the file names of Universal Dependencies."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from gardenpath.catalogue.entries import PARTS
from gardenpath.errors import InputError

# Large treebanks have several files per part: cs_pdt-ud-train-l.conllu, de_hdt-ud-train-a-1.conllu.
FILE_NAME = re.compile(r"([a-z]{2,3}(?:_\w+)?)-ud-(train|dev|test)(?:-[\w-]+)?\.conllu")


@dataclass(frozen=True, slots=True)
class TreebankParts:
    """The code of a treebank (`de_gsd`) and the files of each part that it has."""

    code: str
    by_part: dict[str, list[Path]]

    def files(self) -> list[Path]:
        """Return the files of all parts."""
        return [path for paths in self.by_part.values() for path in paths]


def find_parts(folder: str | Path) -> TreebankParts:
    """Find train, dev and test in the folder of a treebank. Raise `InputError` if there is no such file."""
    found = [(match, path) for path in sorted(Path(folder).iterdir()) if (match := FILE_NAME.fullmatch(path.name))]
    codes = sorted({match[1] for match, _ in found})
    if not codes:
        raise InputError(
            f"{folder}: no file has a name of Universal Dependencies, such as de_gsd-ud-train.conllu; give the folder "
            "of a treebank"
        )
    if len(codes) > 1:
        raise InputError(f"{folder}: there are files of several treebanks: {', '.join(codes)}; keep each in a folder")
    by_part = {part: [path for match, path in found if match[2] == part] for part in PARTS}
    return TreebankParts(codes[0], {part: paths for part, paths in by_part.items() if paths})
