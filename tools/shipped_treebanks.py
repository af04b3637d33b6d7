"""Prepare the treebank of a shipped model: `make models` calls this script before `gardenpath models make`.

`python tools/shipped_treebanks.py ../ud-2.16/id_csui build/treebanks/id_csui`

It copies the CoNLL-U files, adds a README with the citation, which `models make` stores in the model, and makes two
changes:

    id_csui      Every tenth sentence of the training set becomes the dev set, because the treebank has none. Its
                 sentences are in random order.
    pt_bosque    XPOS is left out. Only the training set has it, and it is a Constraint Grammar analysis with syntactic
                 functions, such as `PRP|@N<`. With XPOS there are 6,001 combinations of tags and features, half of
                 them with one word; without it there are 508.
"""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

import gardenpath as gp
from gardenpath.formats.document import EMPTY
from gardenpath.treebank.parts import find_parts

HELD_OUT = 10                # one sentence of so many is for the dev set
WITHOUT_XPOS = ("pt_bosque",)
CITATIONS = {
    "pt_bosque": "Alexandre Rademaker et al. 2017. Universal Dependencies for Portuguese. Depling.",
    "fr_sequoia": (
        "Marie Candito and Djamé Seddah. 2012. Le corpus Sequoia : annotation syntaxique et exploitation pour "
        "l'adaptation d'analyseur par pont lexical. TALN."
    ),
    "vi_vtb": (
        "Phuong-Thai Nguyen et al. 2009. Building a Large Syntactically-Annotated Corpus of Vietnamese. Linguistic "
        "Annotation Workshop."
    ),
    "id_csui": (
        "Ika Alfina, Indra Budi and Heru Suhartanto. 2020. Tree Rotations for Dependency Trees: Converting the "
        "Head-Directionality of Noun Phrases. Journal of Computer Science 16(11)."
    ),
}


def prepare(source: Path, target: Path) -> None:
    """Write the treebank in `source` to the folder `target`, which is replaced."""
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    code = find_parts(source).code
    for path in find_parts(source).files():
        if code in WITHOUT_XPOS:
            write_without_xpos(path, target / path.name)
        else:
            shutil.copyfile(path, target / path.name)
    train, dev = (target / f"{code}-ud-{part}.conllu" for part in ("train", "dev"))
    if not dev.exists():
        hold_out(train, dev)
    citation = f"{CITATIONS[code]} https://universaldependencies.org/treebanks/{code}"
    (target / "README.md").write_text(f"# Citation\n\n{citation}\n", encoding="utf-8")


def write_without_xpos(source: Path, target: Path) -> None:
    """Copy a file with an empty column XPOS."""
    sentences = list(gp.read_conllu(source))
    for sentence in sentences:
        for word in sentence:
            word.xpos = EMPTY
    gp.write_conllu(sentences, target)


def hold_out(train: Path, dev: Path) -> None:
    """Move every tenth sentence of the training set to the dev set."""
    sentences = list(gp.read_conllu(train))
    gp.write_conllu(sentences[HELD_OUT - 1 :: HELD_OUT], dev)
    gp.write_conllu((each for number, each in enumerate(sentences, 1) if number % HELD_OUT), train)


def main() -> None:
    """Read the folders from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=Path, help="folder with the CoNLL-U files of the treebank")
    parser.add_argument("target", type=Path, help="folder to write")
    arguments = parser.parse_args()
    prepare(arguments.source, arguments.target)


if __name__ == "__main__":
    main()
