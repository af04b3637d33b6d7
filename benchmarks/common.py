"""Shared code of the benchmarks: data folders, cached models, headers and tables. Import it first."""

import os

os.environ["OMP_NUM_THREADS"] = "1"  # before numpy or spaCy start threads

import argparse
import gc
import hashlib
import platform
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import gardenpath as gp
from gardenpath.formats.document import EMPTY
from gardenpath.formats.treebank_folder import PARTS, parts_of

ROOT = Path(__file__).resolve().parent.parent
SAMPLE = ROOT / "data" / "sample"
EWT = Path(os.environ.get("GARDENPATH_TREEBANK", ROOT.parent / "shared" / "treebanks" / "ud-2.16" / "en_ewt"))
PEERS = Path(os.environ.get("GARDENPATH_PEERS", ROOT.parent / "shared" / "peers"))
CACHE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "gardenpath" / "benchmarks"


class Treebank:
    """A folder with files `*-train.conllu`, `*-dev.conllu` and `*-test.conllu`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        found = parts_of(folder)
        for part in PARTS:
            if part not in found:
                sys.exit(f"{folder}: there is no file *-{part}.conllu. Choose another folder with --data.")
        self.train, self.dev, self.test = (found[part] for part in PARTS)


def options(
    description: str, *, models: bool = True, systems: Sequence[str] = (), features: Sequence[str] = ()
) -> argparse.ArgumentParser:
    """Create a parser with the options of all scripts. Models have default settings unless the script names others."""
    default = gp.models.settings.Settings()
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument(
        "--data",
        type=Path,
        default=EWT if EWT.is_dir() else SAMPLE,
        help="a folder with *-train, *-dev and *-test.conllu",
    )
    parser.add_argument("--cache", type=Path, default=CACHE, help="folder for trained models")
    parser.add_argument(
        "--system", nargs="+", default=list(systems or [default.parser.system]), help="transition systems to train"
    )
    parser.add_argument(
        "--features", nargs="+", default=list(features or [default.scorer.features]), help="template sets to train"
    )
    if models:
        parser.add_argument(
            "--model", nargs="+", type=Path, default=[], help="model files to measure instead of trained ones"
        )
        parser.add_argument("--epochs", type=int, default=5, help="number of epochs of trained models")
    return parser


def chosen_models(settings: argparse.Namespace, treebank: Treebank) -> dict[str, Path]:
    """Return the model files by name: the given ones, or a trained or cached one per system and template set."""
    if settings.model:
        return {path.stem: path for path in settings.model}
    return {
        f"{system}, {Path(features).stem}": trained(treebank, system, features, settings.epochs, settings.cache)
        for system in settings.system
        for features in settings.features
    }


def trained(treebank: Treebank, system: str, features: str, epochs: int, cache: Path) -> Path:
    """Return a model trained on this treebank by this build of gardenpath; delete models of earlier builds."""
    stem = f"{treebank.train.stem}-{system}-{Path(features).stem}-{epochs}"
    path = cache / f"{stem}-{fingerprint(treebank, features)}.gp"
    if not path.exists():
        cache.mkdir(parents=True, exist_ok=True)
        for old in cache.glob(f"{stem}-{'[0-9a-f]' * 16}.gp"):
            old.unlink()
        say(f"training {system} with {features}, {epochs} epochs on {treebank.train.name} ...")
        gp.train(treebank.train, dev=treebank.dev, tags="gold", system=system, features=features, epochs=epochs).save(
            path
        )
    return path


def fingerprint(treebank: Treebank, features: str) -> str:
    """Return a hash of everything a trained model depends on: the build of gardenpath, the treebank, the templates."""
    digest = hashlib.sha256()
    package = Path(gp.__file__).parent
    built = (path for path in sorted(package.rglob("*")) if path.suffix in (".py", ".so", ".pyd", ".txt"))
    own = (Path(features),) if Path(features).is_file() else ()
    for path in (*built, treebank.train, treebank.dev, *own):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def untouched(path: Path) -> list[gp.Sentence]:
    """Return the sentences of a file as input for a parser: tagged, without HEAD and DEPREL."""
    sentences = list(gp.read_conllu(path))
    for sentence in sentences:
        for word in sentence.words:
            word.head, word.deprel = None, EMPTY
    return sentences


def words_in(sentences: Iterable[gp.Sentence]) -> int:
    """Count the words of the sentences."""
    return sum(len(sentence) for sentence in sentences)


def seconds(function: Callable[..., object], *arguments: object) -> float:
    """Measure the wall time of a call. Garbage is collected before; the collector stays on."""
    gc.collect()
    begin = time.perf_counter()
    function(*arguments)
    return time.perf_counter() - begin


def header(title: str, data: str, *conditions: str, packages: Sequence[str] = ("numpy",)) -> None:
    """Print the machine, the versions and the conditions of the measurements."""
    versions = [
        f"gardenpath {gp.__version__}",
        f"Python {platform.python_version()}",
        *(f"{name} {_version(name)}" for name in packages),
    ]
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    print(title)
    print(f"  machine     {_processor()}, {os.cpu_count()} cores, {platform.system()} {platform.release()}")
    print(f"  versions    {', '.join(versions)}")
    print(f"  data        {data}")
    for condition in conditions:
        print(f"  conditions  {condition}")
    if load > 0.5:
        print(f"  caution     the machine is busy (load {load:.1f}): repeat on an idle machine")
    print("", flush=True)


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "absent"


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine())


def table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a plain table with the first column left-aligned and the others right-aligned."""
    widths = [max(len(row[i]) for row in (columns, *rows)) for i in range(len(columns))]
    for row in (columns, ["-" * width for width in widths], *rows):
        cells = [cell.rjust(width) for cell, width in zip(row, widths, strict=True)]
        print("  ".join([row[0].ljust(widths[0]), *cells[1:]]))
    print("", flush=True)


def say(text: str) -> None:
    """Print progress to standard error."""
    print(text, file=sys.stderr, flush=True)
