"""Does memory stay constant? Send a million sentences through one `gardenpath parse` and read /proc (Linux)."""

import argparse
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path

import common
import gardenpath as gp
from gardenpath.models import lookup
from gardenpath.segmentation.raw import sentence_text

COMMAND = [sys.executable, "-m", "gardenpath"]
NEW_WORD = "\0"
Usage = dict[str, float]


def main() -> None:
    """Feed the command and record its memory."""
    settings = _settings()
    if not Path("/proc/self/status").exists():
        sys.exit("This benchmark needs /proc/<pid>/status, which this system does not have.")
    if settings.sentences < 100_000:
        common.say("few sentences: the first values may be taken before the process has read them")
    treebank = common.Treebank(settings.data)
    sentences = list(gp.read_conllu(settings.source or treebank.test))
    average = common.words_in(sentences) / len(sentences)
    models = {settings.raw: lookup.path_of(settings.raw)} if settings.raw else common.chosen_models(settings, treebank)
    name, model = next(iter(models.items()))
    common.header(
        "Memory of one `gardenpath parse` over a long text",
        f"{settings.sentences:,} sentences of {average:.1f} words on average, {settings.source or treebank.test} "
        "repeated; "
        "the first word of every sentence is new",
        f"a separate process, {'raw text' if settings.raw else 'CoNLL-U'} through a pipe, output discarded; threads: "
        f"{settings.threads}",
        f"model: {name}, {model.stat().st_size / 1e6:.1f} MB on disk",
        "resident: all memory in use; private: without the memory-mapped model",
    )
    blocks = raw_text(sentences, settings.sentences) if settings.raw else text(sentences, settings.sentences)
    marks, peak, size, elapsed = watch(blocks, model, settings.sentences, settings.threads)
    rows = [[f"{percent} %", f"{mark['VmRSS']:.1f}", f"{mark['RssAnon']:.1f}"] for percent, mark in marks.items()]
    common.table(["sentences read", "resident MB", "private MB"], rows)
    growth = marks[100]["RssAnon"] - marks[1]["RssAnon"]
    print(f"From 1 % to 100 %: {growth:+.1f} MB private. Peak: {peak:.1f} MB resident.")
    speed = settings.sentences / elapsed
    print(
        f"{size / 1e6:,.0f} MB in {elapsed:,.0f} s: {speed:,.0f} sentences/s, {speed * average:,.0f} words/s, with "
        "start-up, reading and writing."
    )


def _settings() -> argparse.Namespace:
    parser = common.options(__doc__)
    parser.add_argument("--sentences", type=int, default=1_000_000, help="number of sentences")
    parser.add_argument("--source", type=Path, help="a CoNLL-U file to repeat; by default the test file of --data")
    parser.add_argument("--threads", type=int, default=1, help="number of threads of the command")
    parser.add_argument("--raw", nargs="?", const="en", help="raw text instead of CoNLL-U, with this shipped model")
    parser.set_defaults(data=common.SAMPLE)
    return parser.parse_args()


def watch(blocks: Iterator[bytes], model: Path, total: int, threads: int) -> tuple[dict[int, Usage], float, int, float]:
    """Return the memory in MB after given shares of the sentences, its peak, the bytes sent, and the seconds."""
    begin = time.perf_counter()
    size = 0
    marks: dict[int, Usage] = {}
    due = [1, 5, 10, 25, 50, 75, 100]
    process = subprocess.Popen(
        [*COMMAND, "parse", "--model", str(model), "--threads", str(threads)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
    )
    with process:
        assert process.stdin is not None
        for number, block in enumerate(blocks, 1):
            process.stdin.write(block)
            size += len(block)
            while due and 100 * number >= due[0] * total:
                # The pipe and the reader buffer at most a few hundred sentences.
                process.stdin.flush()
                marks[due[0]] = usage(process.pid)
                common.say(f"{due.pop(0)} %, {size / 1e6:,.0f} MB: {marks[max(marks)]['VmRSS']:.1f} MB resident")
        peak = usage(process.pid)["VmHWM"]
        process.stdin.close()
    if process.returncode:
        sys.exit(f"gardenpath parse ended with exit code {process.returncode}.")
    return marks, peak, size, time.perf_counter() - begin


def text(sentences: list[gp.Sentence], total: int) -> Iterator[bytes]:
    """Repeat the sentences as CoNLL-U, each with a new first word, so that a parser that stores words would grow."""
    templates = []
    for sentence in sentences:
        sentence.words[0].form = NEW_WORD
        templates.append(sentence.to_conllu().encode().split(NEW_WORD.encode()))
    for number, (before, after) in enumerate(islice(cycle(templates), total)):
        yield b"%bw%d%b" % (before, number, after)


def raw_text(sentences: list[gp.Sentence], total: int) -> Iterator[bytes]:
    """Repeat the sentences as raw text, each after a new word, with a paragraph every ten."""
    texts = [sentence_text(sentence).encode() for sentence in sentences]
    for number, text in enumerate(islice(cycle(texts), total)):
        yield b"w%d %b%b" % (number, text, b" " if number % 10 else b"\n\n")


def usage(pid: int) -> Usage:
    """Return the sizes in /proc/<pid>/status, in MB."""
    lines = (line.split() for line in Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines())
    return {words[0].rstrip(":"): int(words[1]) * 1024 / 1e6 for words in lines if words[-1] == "kB"}


if __name__ == "__main__":
    main()
