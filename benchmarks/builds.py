"""Compare the speed of two builds of gardenpath: raw text and tagged input, with the shipped model, in turns.

    python benchmarks/builds.py OLD/src NEW/src --text text.txt --conllu tagged.conllu

Every round runs each build once in a new process, in alternating order, and measures its CPU seconds. The result is the
ratio of the least CPU seconds of the two builds, and the median of the ratios of the rounds. The results of both builds
must be the same.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys

CHILD = """
import hashlib, json, sys, time, warnings
warnings.simplefilter("ignore")
import gardenpath as gp
from gardenpath.formats.text import read_pieces
kind, path, repeat = sys.argv[1], sys.argv[2], int(sys.argv[3])
model = gp.load("en")
sentences = [] if kind == "text" else list(gp.read_conllu(path))
words = sum(map(len, sentences))
digest, seconds = hashlib.sha256(), 0.0
for _ in range(repeat):
    if kind == "text":
        pieces = list(read_pieces(path))
        began = time.process_time()
        output = b"".join(model.to_conllu(pieces))
        seconds += time.process_time() - began
        words += output.count(b"\\n")
    else:
        began = time.process_time()
        model.parse(sentences)
        seconds += time.process_time() - began
        output = "".join(sentence.to_conllu() for sentence in sentences).encode()
    digest.update(output)
print(json.dumps({"seconds": seconds, "digest": digest.hexdigest()}))
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", help="folder `src` of the first build")
    parser.add_argument("new", help="folder `src` of the second build")
    parser.add_argument("--text", required=True, help="a text file")
    parser.add_argument("--conllu", required=True, help="tagged sentences")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--repeat", type=int, default=3, help="how often a process parses the file")
    options = parser.parse_args()
    for kind, path in (("text", options.text), ("tagged", options.conllu)):
        compare(kind, path, [options.old, options.new], options.rounds, options.repeat)


def compare(kind: str, path: str, builds: list[str], rounds: int, repeat: int) -> None:
    seconds: dict[str, list[float]] = {build: [] for build in builds}
    digests = set()
    for number in range(rounds):
        for build in builds if number % 2 else builds[::-1]:
            found = run(build, kind, path, repeat)
            seconds[build].append(found["seconds"])
            digests.add(found["digest"])
    old, new = (seconds[build] for build in builds)
    ratios = [second / first for first, second in zip(old, new, strict=True)]
    same = "same results" if len(digests) == 1 else "DIFFERENT RESULTS"
    print(f"{kind}: CPU seconds {min(old):.3f} and {min(new):.3f}, ratio {min(new) / min(old):.4f}, "
          f"median ratio {statistics.median(ratios):.4f}, {rounds} rounds, {same}")


def run(build: str, kind: str, path: str, repeat: int) -> dict:
    environment = os.environ | {"PYTHONPATH": build}
    command = [sys.executable, "-c", CHILD, kind, path, str(repeat)]
    return json.loads(subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout)


if __name__ == "__main__":
    main()
