"""What the benchmarks share: where data is, models trained once and kept, the header, the table. Import it before anything else."""

import os

os.environ["OMP_NUM_THREADS"] = "1"  # before numpy or spaCy start their own threads

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

ROOT = Path(__file__).resolve().parent.parent
SAMPLE = ROOT / "data" / "sample"
EWT = Path(os.environ.get("GARDENPATH_TREEBANK", ROOT.parent / "shared" / "treebanks" / "ud-2.16" / "en_ewt"))
PEERS = Path(os.environ.get("GARDENPATH_PEERS", ROOT.parent / "shared" / "peers"))
CACHE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "gardenpath" / "benchmarks"


class Treebank:
    """A folder with files `*-train.conllu`, `*-dev.conllu` and `*-test.conllu`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.train, self.dev, self.test = (self._file(part) for part in ("train", "dev", "test"))

    def _file(self, part: str) -> Path:
        found = sorted(self.folder.glob(f"*-{part}.conllu"))
        if not found:
            sys.exit(f"{self.folder}: no file *-{part}.conllu; give another folder with --data")
        return found[0]


def options(description: str, *, models: bool = True, systems: Sequence[str] = (), features: Sequence[str] = ()) -> argparse.ArgumentParser:
    """The options that all scripts have; models are trained with the defaults of `gardenpath train` where the script names no others."""
    default = gp.models.settings.Settings()
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("--data", type=Path, default=EWT if EWT.is_dir() else SAMPLE, help="a folder with *-train, *-dev and *-test.conllu")
    parser.add_argument("--cache", type=Path, default=CACHE, help="where models trained here are kept")
    parser.add_argument("--system", nargs="+", default=list(systems or [default.system]), help="the transition systems to train")
    parser.add_argument("--features", nargs="+", default=list(features or [default.features]), help="the template sets to train")
    if models:
        parser.add_argument("--model", nargs="+", type=Path, default=[], help="model files to measure instead of training some")
        parser.add_argument("--passes", type=int, default=5, help="passes of a model trained here")
    return parser


def chosen_models(settings: argparse.Namespace, treebank: Treebank) -> dict[str, Path]:
    """The model files to measure by name: those given, or one for each system and template set, trained now or kept from before."""
    if settings.model:
        return {path.stem: path for path in settings.model}
    return {
        f"{system}, {Path(features).stem}": trained(treebank, system, features, settings.passes, settings.cache)
        for system in settings.system
        for features in settings.features
    }


def trained(treebank: Treebank, system: str, features: str, passes: int, cache: Path) -> Path:
    """A model trained on this treebank by this very build of gardenpath; an earlier build's is thrown away."""
    stem = f"{treebank.train.stem}-{system}-{Path(features).stem}-{passes}"
    path = cache / f"{stem}-{fingerprint(treebank, features)}.gp"
    if not path.exists():
        cache.mkdir(parents=True, exist_ok=True)
        for old in cache.glob(f"{stem}-{'[0-9a-f]' * 16}.gp"):
            old.unlink()
        say(f"training {system} with {features}, {passes} passes on {treebank.train.name} ...")
        gp.train(treebank.train, dev=treebank.dev, tags="gold", system=system, features=features, passes=passes).save(path)
    return path


def fingerprint(treebank: Treebank, features: str) -> str:
    """What a trained model depends on: this build of gardenpath, the treebank, the templates."""
    digest = hashlib.sha256()
    package = Path(gp.__file__).parent
    built = (path for path in sorted(package.rglob("*")) if path.suffix in (".py", ".so", ".pyd", ".txt"))
    own = (Path(features),) if Path(features).is_file() else ()
    for path in (*built, treebank.train, treebank.dev, *own):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def untouched(path: Path) -> list[gp.Sentence]:
    """The sentences of a file as a parser finds them: tagged, without HEAD and DEPREL."""
    sentences = list(gp.read_conllu(path))
    for sentence in sentences:
        for word in sentence.words:
            word.head, word.deprel = None, EMPTY
    return sentences


def words_in(sentences: Iterable[gp.Sentence]) -> int:
    """How many words the sentences have."""
    return sum(len(sentence) for sentence in sentences)


def seconds(function: Callable[..., object], *arguments: object) -> float:
    """How long a call takes by the clock. The garbage of before is collected first; the collector stays on, as it does for a user."""
    gc.collect()
    begin = time.perf_counter()
    function(*arguments)
    return time.perf_counter() - begin


def header(title: str, data: str, *conditions: str, packages: Sequence[str] = ("numpy",)) -> None:
    """Say on which machine, with what and under which conditions the numbers below hold."""
    versions = [f"gardenpath {gp.__version__}", f"Python {platform.python_version()}", *(f"{name} {_version(name)}" for name in packages)]
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    print(title)
    print(f"  machine     {_processor()}, {os.cpu_count()} cores, {platform.system()} {platform.release()}")
    print(f"  versions    {', '.join(versions)}")
    print(f"  data        {data}")
    for condition in conditions:
        print(f"  conditions  {condition}")
    if load > 0.5:
        print(f"  caution     other work is running (load {load:.1f}): compare within this run only, and repeat it on an idle machine")
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
    """Print a plain table: the first column to the left, numbers to the right."""
    widths = [max(len(row[i]) for row in (columns, *rows)) for i in range(len(columns))]
    for row in (columns, ["-" * width for width in widths], *rows):
        cells = [cell.rjust(width) for cell, width in zip(row, widths, strict=True)]
        print("  ".join([row[0].ljust(widths[0]), *cells[1:]]))
    print("", flush=True)


def say(text: str) -> None:
    """Tell what is being done or was skipped, apart from the results."""
    print(text, file=sys.stderr, flush=True)
