"""How long does it take to the first tree? Load a model in this process and in new ones, and run `gardenpath parse`."""

import argparse
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median

import common
import gardenpath as gp
from peers import SpaCy, peer_paths

GARDENPATH = "import gardenpath as gp; begin = time.perf_counter(); gp.load({path!r})"
UDPIPE = "from ufal import udpipe; begin = time.perf_counter(); udpipe.Model.load({path!r})"
SPACY = "import spacy; begin = time.perf_counter(); spacy.load({path!r})"
PROGRAM = (
    "import time; start = time.perf_counter(); {load}; end = time.perf_counter(); print(begin - start, end - begin)"
)
COMMAND = [sys.executable, "-m", "gardenpath"]


def main() -> None:
    """Measure loading, then the command."""
    settings = _settings()
    treebank = common.Treebank(settings.data)
    models = common.chosen_models(settings, treebank)
    peers = peer_paths(settings.peers)
    common.header(
        "Loading a model, and the first sentence",
        f"models trained on {treebank.train.name}" if not settings.model else "models as given",
        f"medians of {settings.rounds} (milliseconds); files are in the page cache; OMP_NUM_THREADS=1",
        packages=("numpy", "ufal.udpipe", "spacy"),
    )
    rows = [
        _loading(f"gardenpath {name}", path, GARDENPATH, settings.rounds, lambda path=path: gp.load(path))
        for name, path in models.items()
    ]
    for peer, path in peers.items():
        what = f"{peer.name} (whole pipeline)" if peer is SpaCy else f"{peer.name} (parser only)"
        rows.append(
            _loading(
                what, path, SPACY if peer is SpaCy else UDPIPE, settings.rounds, lambda path=path, peer=peer: peer(path)
            )
        )
    common.table(["model", "MB on disk", "load", "load, fresh process", "importing the library there"], rows)
    _print_command(models, treebank.test, settings.rounds)


def _settings() -> argparse.Namespace:
    parser = common.options(__doc__)
    parser.add_argument("--peers", type=Path, default=common.PEERS, help="a folder with the models of UDPipe and spaCy")
    parser.add_argument("--rounds", type=int, default=9, help="number of measurements of each")
    return parser.parse_args()


def _loading(name: str, path: Path, program: str, rounds: int, load: Callable[[], object]) -> list[str]:
    here = median(common.seconds(load) for _ in range(rounds))
    code = PROGRAM.format(load=program.format(path=str(path)))
    outputs = [
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
        for _ in range(rounds)
    ]
    importing, loading = zip(*(map(float, output.split()) for output in outputs), strict=True)
    return [
        name,
        f"{_size(path) / 1e6:.1f}",
        *(f"{1000 * value:.1f}" for value in (here, median(loading), median(importing))),
    ]


def _size(path: Path) -> int:
    return (
        sum(file.stat().st_size for file in path.rglob("*") if file.is_file())
        if path.is_dir()
        else os.path.getsize(path)
    )


def _print_command(models: dict[str, Path], test: Path, rounds: int) -> None:
    sentence = next(gp.read_conllu(test))
    nothing = median(common.seconds(_run, [sys.executable, "-c", "pass"], b"") for _ in range(rounds))
    rows = [["python -c pass, for comparison", f"{1000 * nothing:.0f}"]]
    for name, path in models.items():
        whole = median(
            common.seconds(_run, [*COMMAND, "parse", "--model", str(path)], sentence.to_conllu().encode())
            for _ in range(rounds)
        )
        rows.append([f"gardenpath parse, {name}", f"{1000 * whole:.0f}"])
    common.table([f"a sentence of {len(sentence)} words, from start to exit", "ms"], rows)


def _run(command: list[str], text: bytes) -> None:
    subprocess.run(command, input=text, stdout=subprocess.DEVNULL, check=True)


if __name__ == "__main__":
    main()
