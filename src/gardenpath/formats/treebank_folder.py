"""The CoNLL-U files in a folder, and those of a treebank, by the names that Universal Dependencies gives them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TypeVar

from gardenpath.errors import InputError

Dev = TypeVar("Dev")            # a dev set: a file, or sentences in memory
PARTS = ("train", "dev", "test")
_NAME = re.compile(rf"(?:.+[-_])?({'|'.join(PARTS)})(?:-[\w-]+)?\.conllu")
_REMEDY = "UD's names are such as en_ewt-ud-train.conllu; give the folder of one treebank, or the file itself"


def conllu_files(path: str | Path) -> list[str | Path]:
    """Return a file as it is (`-` is standard input), or all CoNLL-U files of a folder and its folders."""
    if str(path) == "-" or not Path(path).is_dir():
        return [path]
    files: list[str | Path] = [*sorted(Path(path).rglob("*.conllu"))]
    if not files:
        raise InputError(f"{path}: the folder has no files *.conllu; parse its texts first, or name the files")
    return files


def files_by_part(folder: str | Path) -> dict[str, list[Path]]:
    """Return the files of a folder by part: `train`, `dev` and `test`, without parts that have no file.

    The part is the last component of the file name, as in `en_ewt-ud-train.conllu`. Subfolders are not searched. Large
    treebanks have several files per part: `cs_pdt-ud-train-l.conllu`, `de_hdt-ud-train-a-1.conllu`.
    """
    found: dict[str, list[Path]] = {part: [] for part in PARTS}
    for path in sorted(Path(folder).iterdir()):
        name = _NAME.fullmatch(path.name)
        if name and path.is_file() and not path.name.startswith("."):
            found[name[1]].append(path)
    return {part: paths for part, paths in found.items() if paths}


def parts_of(folder: str | Path) -> dict[str, Path]:
    """Return the only file of each part of a folder; a part with several files raises `InputError`."""
    found = files_by_part(folder)
    for part, paths in found.items():
        if len(paths) > 1:
            names = ", ".join(path.name for path in paths)
            raise InputError(
                f"{folder}: the folder has several {part} files: {names}; give the file itself, or join the files of "
                "one treebank first"
            )
    return {part: path for part, (path,) in found.items()}


def training_files(treebank: str | Path, dev: Dev | None = None) -> tuple[str | Path, str | Path | Dev | None]:
    """Return the training file and the dev file of a treebank that is a file, or a folder with such files.

    If `dev` is given, it is returned unchanged.
    """
    if str(treebank) == "-" or not Path(treebank).is_dir():
        return treebank, dev
    parts = parts_of(treebank)
    if "train" not in parts:
        raise InputError(f"{treebank}: the folder has no training file; {_hint(Path(treebank))}")
    return parts["train"], parts.get("dev") if dev is None else dev


def _hint(folder: Path) -> str:
    inside = sorted(path.parent.name for path in folder.glob("*/*.conllu") if _NAME.fullmatch(path.name))
    if not inside:
        return _REMEDY
    names = list(dict.fromkeys(inside))
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return f"it has folders of treebanks: {', '.join(names[:3])}{more}; give one of them"
