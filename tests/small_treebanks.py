"""Small treebanks in the form of Universal Dependencies, cut from the sample, and archives of them."""

from __future__ import annotations

import zipfile

from gardenpath.formats.conllu import read_conllu
from sample import DEV, TEST, TRAIN
from treebank_server import archive_of

README = "# References\n\nAda Lovelace. 1843. Notes.\n\n# Metadata\n\nLicense: CC BY-SA 4.0\n"
# Three treebanks of the catalogue, by name: their codes.
TREEBANKS = {"UD_German-GSD": "de_gsd", "UD_Latvian-LVTB": "lv_lvtb", "UD_French-Sequoia": "fr_sequoia"}


def files_of(code, first=0, parts=("train", "dev", "test")):
    """Return the files of a treebank by name. `first` chooses other sentences."""
    sizes = {"train": (TRAIN, 60), "dev": (DEV, 15), "test": (TEST, 15)}
    files = {"README.md": README}
    for part in parts:
        source, size = sizes[part]
        sentences = list(read_conllu(source))[first:first + size]
        files[f"{code}-ud-{part}.conllu"] = "".join(sentence.to_conllu() for sentence in sentences)
    return files


def folder_of(path, code, **options):
    """Write the files of a treebank to a folder and return it."""
    path.mkdir(parents=True)
    for name, text in files_of(code, **options).items():
        (path / name).write_text(text, encoding="utf-8", newline="")
    return path


def zip_of(path, code, top="UD_Something-Else-r2.16/"):
    """Write the files of a treebank to a zip file and return it."""
    with zipfile.ZipFile(path, "w") as packed:
        for name, text in files_of(code).items():
            packed.writestr(f"{top}{name}", text)
    return path


def archives(release="2.16"):
    """Return the archives of the three treebanks by their paths on the server."""
    return {
        f"/{name}/archive/refs/tags/r{release}.tar.gz": archive_of(files_of(code, 10 * i), top=f"{name}-r{release}")
        for i, (name, code) in enumerate(TREEBANKS.items())
    }
