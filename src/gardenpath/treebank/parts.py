"""The parts of a treebank, found by the file names of Universal Dependencies."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from gardenpath.errors import InputError
from gardenpath.formats.treebank_folder import files_by_part

_CODE = re.compile(r"([a-z]{2,3}(?:_\w+)?)-ud-")


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
    found = [
        (code[1], part, path)
        for part, paths in files_by_part(folder).items() for path in paths if (code := _CODE.match(path.name))
    ]
    codes = sorted({code for code, _, _ in found})
    if not codes:
        raise InputError(
            f"{folder}: no file has a name of Universal Dependencies, such as de_gsd-ud-train.conllu; rename the "
            "files, give another folder, or train on a file with `gardenpath train`"
        )
    if len(codes) > 1:
        raise InputError(f"{folder}: there are files of several treebanks: {', '.join(codes)}; keep each in a folder")
    by_part: dict[str, list[Path]] = {}
    for _, part, path in found:
        by_part.setdefault(part, []).append(path)
    return TreebankParts(codes[0], by_part)
