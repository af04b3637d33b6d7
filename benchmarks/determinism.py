"""Are results the same for all compilers' optimisations and instruction sets? Build variants and compare their bytes.

    python benchmarks/determinism.py --text text.txt --conllu tagged.conllu [--flags="-O1" --flags="-O3 -march=native"]

Each variant is compiled into build/determinism with its flags added; the compiled package in `src` is compared too.
With every variant and every instruction set of the network's kernels, the text is parsed by the shipped models, the
tagged sentences are parsed, and a perceptron is trained on the sample treebank.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

import common

FOLDER = common.ROOT / "build" / "determinism"
CHILD = """
import hashlib, json, sys, tempfile, warnings
from pathlib import Path
warnings.simplefilter("ignore")
import gardenpath as gp
from gardenpath.formats.text import read_pieces
from gardenpath.network import kernels
text, conllu, sample = sys.argv[1:]
digest = lambda content: hashlib.sha256(content).hexdigest()[:16]
found = {}
for name in kernels.available():
    kernels.use(name)
    for model in ("en", "en-fast"):
        loaded = gp.load(model)
        found[f"{model}, text, {name}"] = digest(b"".join(loaded.to_conllu(read_pieces(text))))
        sentences = loaded.parse(gp.read_conllu(conllu))
        found[f"{model}, tagged, {name}"] = digest("".join(s.to_conllu() for s in sentences).encode())
with tempfile.TemporaryDirectory() as folder:
    gp.train(sample, epochs=2).save(Path(folder) / "model.gp")
    found["training"] = digest((Path(folder) / "model.gp").read_bytes())
print(json.dumps(found))
"""


def main() -> None:
    """Build the variants, run them, and print where they differ."""
    settings = _settings()
    builds = {"as installed": common.ROOT / "src", **{flags: built(flags) for flags in settings.flags}}
    found = {name: results(folder, settings) for name, folder in builds.items()}
    common.header("Results of different builds", f"{settings.text.name}, {settings.conllu.name}, the sample treebank")
    tasks = sorted({task for results in found.values() for task in results})
    common.table(["task", *found], [[task, *(each.get(task, "") for each in found.values())] for task in tasks])
    groups: dict[str, set[str]] = {}
    for each in found.values():
        for task, digest in each.items():
            groups.setdefault(task.rpartition(", ")[0] or task, set()).add(digest)
    different = [task for task, digests in groups.items() if len(digests) > 1]
    print(f"DIFFERENT: {'; '.join(different)}" if different else f"All {len(found)} builds give the same results.")
    sys.exit(bool(different))


def _settings() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--text", type=Path, required=True, help="a text file")
    parser.add_argument("--conllu", type=Path, required=True, help="tagged sentences")
    parser.add_argument(
        "--flags", action="append", default=[], help="compiler flags of a variant; can be repeated. They come last",
    )
    return parser.parse_args()


def built(flags: str) -> Path:
    """Compile the package with these flags, unless it is compiled already, and return its folder."""
    base = FOLDER / "".join(character if character.isalnum() else "_" for character in flags)
    common.say(f"compiling with {flags} ...")
    subprocess.run(
        [sys.executable, "setup.py", "--quiet", "build", "--build-base", str(base), "--build-lib", str(base / "lib")],
        cwd=common.ROOT, env=os.environ | {"GARDENPATH_FLAGS": flags}, check=True, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    return base / "lib"


def results(folder: Path, settings: argparse.Namespace) -> dict[str, str]:
    """Return the digests of all tasks with a build."""
    paths = [str(path.resolve()) for path in (settings.text, settings.conllu, common.SAMPLE / "sample-train.conllu")]
    done = subprocess.run(
        [sys.executable, "-c", CHILD, *paths], env=os.environ | {"PYTHONPATH": str(folder)}, check=True,
        capture_output=True, text=True,
    )
    found: dict[str, str] = json.loads(done.stdout)
    return found


if __name__ == "__main__":
    main()
