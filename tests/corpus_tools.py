"""Small corpora of many kinds, and the part of their output that must not depend on the engine."""

from __future__ import annotations

import gzip
import json
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import gardenpath as gp
from faults import Deaths, Gate
from gardenpath.corpus import Corpus, CorpusSettings
from gardenpath.corpus.engines import Engine
from gardenpath.corpus.work import Work
from gardenpath.crews.crew import Ended
from sample import DEV, TEST, TRAIN

TESTS = Path(__file__).parent
TEXTS = (
    "The old man the boat.\n\nI saw Jack and Jill fall. They fell,\nand nobody saw.\n",
    "Été à Besançon: 20 €.\r\n\r\nThe horse raced past the barn fell. \u00a0 \n\u00a0\nGarden paths wind 🌿.",
    "One line only, no end",
)


@cache
def model_file(folder: Path) -> str:
    """Return a small model for raw text, trained once per test run."""
    path = folder / "small.gp"
    gp.train(TRAIN, dev=DEV, epochs=2, min_updates=1).save(path)
    return str(path)


def parts(folder: Path) -> dict[str, bytes]:
    """Return the parts of a corpus, and the files of failures and of documents in other languages, by name."""
    return {
        path.name: path.read_bytes() for path in sorted(folder.iterdir())
        if path.name.startswith(("part-", "failed-", "language-"))
    }


def output(folder: Path) -> str:
    """Return the CoNLL-U of all parts, concatenated."""
    return "".join(_opened(path).decode() for path in sorted(folder.glob("part-*.conllu*")))


def _opened(path: Path) -> bytes:
    if path.suffix == ".gz":
        return gzip.decompress(path.read_bytes())
    if path.suffix == ".zst":
        import zstandard

        return zstandard.ZstdDecompressor().stream_reader(path.read_bytes()).read()
    return path.read_bytes()


def bare(conllu: str) -> str:
    """Remove from CoNLL-U the comments that depend on where a corpus was cut: sentence ids and `continues`."""
    return re.sub(r"^# (sent_id|continues) = .*\n", "", conllu, flags=re.MULTILINE)


def here(work, shards, workers=None):
    """An engine that does everything in this process."""
    for shard in shards:
        following = shard
        while following is not None:
            done = work(following)
            yield Ended(following, 1, done)
            following = done.following


def parsed(inputs: list[Path], folder: Path, engine: Engine = here, workers: int = 1, **settings) -> Path:
    """Parse a corpus. Documents may fail, shards may not."""
    for done in Corpus(inputs, folder, CorpusSettings(**settings)).run(engine, workers):
        assert done.failure is None, done.failure
    return folder


def small_corpus(folder: Path) -> Path:
    """Write several files of several kinds, some of them compressed, one with documents that fail."""
    folder.mkdir()
    sentences = [
        sentence.text or " ".join(word.form for word in sentence)
        for path in (TEST, DEV)
        for sentence in gp.read_conllu(path)
    ]
    (folder / "long.txt").write_text("\n\n".join(sentences) + "\n")
    (folder / "packed.txt.gz").write_bytes(gzip.compress("\n\n".join(sentences * 2).encode(), mtime=0))
    documents = [json.dumps({"id": number, "text": text}) for number, text in enumerate(sentences)]
    documents[3] = '{"id": 3}'
    (folder / "pages.jsonl").write_text("\n".join(documents) + "\n")
    (folder / "trees.conllu").write_bytes(TEST.read_bytes())
    for number, text in enumerate(TEXTS):
        (folder / f"small-{number}.txt").write_bytes(text.encode())
    return folder


class FaultyWork(Work):
    """Work on shards with a fault."""

    def __init__(self, work: Work, fault: Deaths | Gate) -> None:
        super().__init__(work.model, work.settings, work.folder)
        self.fault = fault

    def attempt(self, shard, fetched):
        with self.fault.during(shard.label):
            return super().attempt(shard, fetched)


def faulty(engine: Engine, fault: Deaths | Gate) -> Engine:
    """Return an engine whose workers have a fault."""
    return lambda work, shards, workers=None: engine(FaultyWork(work, fault), shards, workers)


GATED = f"""
import sys; sys.path.insert(0, {str(TESTS)!r})
from pathlib import Path
from corpus_tools import faulty
from faults import Gate
from gardenpath.corpus import engines
gate = Gate(Path(sys.argv.pop(1)), int(sys.argv.pop(1)))
engines.local = faulty(engines.local, gate)
"""


def driver(inputs: Path, folder: Path, gate: Gate, engine: str = "local", **settings) -> subprocess.Popen[bytes]:
    """Start a process that parses a corpus with two workers until they are blocked."""
    code = GATED + (
        "import json; from gardenpath.corpus import Corpus, CorpusSettings\n"
        "engine = engines.local if sys.argv[3] == 'local' else faulty(engines.engine_of(sys.argv[3]), gate)\n"
        "for _ in Corpus([sys.argv[1]], sys.argv[2], CorpusSettings(**json.loads(sys.argv[4]))).run(engine, 2): pass"
    )
    arguments = map(str, (gate.folder, gate.limit, inputs, folder, engine, json.dumps(settings)))
    return subprocess.Popen([sys.executable, "-c", code, *arguments])
