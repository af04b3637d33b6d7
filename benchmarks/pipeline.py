"""How fast is raw text to CoNLL-U, compared with UDPipe and spaCy, and with two threads?"""

import argparse
import io
import os
from functools import partial
from pathlib import Path

import common
import gardenpath as gp
from gardenpath.formats.text import read_pieces
from gardenpath.segmentation.raw import raw_text
from peers import SPACY_PIPELINE, UDPIPE_PIPELINE, SpacyPipeline, UdpipePipeline

THREADS_WORDS = 400_000      # minimum size of the text for the comparison of threads


def main() -> None:
    """Measure the pipelines."""
    settings = _settings()
    treebank = common.Treebank(settings.data)
    models = {str(name): gp.load(name) for name in settings.model}
    text = raw_text(gp.read_conllu(treebank.test))
    words = common.words_in(gp.read_conllu(treebank.test))
    common.header(
        "From raw text in memory to CoNLL-U",
        f"the raw text of {treebank.test.name}: {len(text):,} characters, {words:,} words in gold",
        f"one thread, one process; {settings.rounds} rounds, the pipelines in turns; words/s of the best round, "
        "counted in gold words",
        f"gardenpath: models {', '.join(models)}; text to CoNLL-U bytes, as `gardenpath parse` does; `document`: to "
        "objects instead, as nlp(text) does",
        "UDPipe 1: tokenizer, tagger and parser, three models, to CoNLL-U",
        "spaCy: Language.pipe over the paragraphs with its tokenizer, tok2vec, morphologizer and parser, to Doc "
        "objects; CoNLL-U is not written",
        packages=("numpy", "ufal.udpipe", "spacy"),
    )
    runners = {}
    for name, model in models.items():
        runners[f"gardenpath {name}"] = partial(_to_conllu, model, text, 1)
        runners[f"gardenpath {name}, document"] = partial(model, text)
    runners |= _peers(settings.peers, text)
    times = {name: [] for name in runners}
    for _ in range(settings.rounds):
        for name, runner in runners.items():
            times[name].append(common.seconds(runner))
    speeds = {name: words / min(values) for name, values in times.items()}
    common.table(
        ["pipeline", "words/s", *(f"{model} is faster by" for model in models)],
        [
            [name, f"{speed:,.0f}", *(f"{speeds[f'gardenpath {model}'] / speed:.1f}" for model in models)]
            for name, speed in speeds.items()
        ],
    )
    for name, model in models.items():
        _print_threads(name, model, text, words, settings)


def _settings() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument(
        "--data",
        type=Path,
        default=common.EWT if common.EWT.is_dir() else common.SAMPLE,
        help="a folder with *-test.conllu",
    )
    parser.add_argument("--model", nargs="+", default=["en", "en-fast"], help="names of shipped models, or files")
    parser.add_argument("--peers", type=Path, default=common.PEERS, help="a folder with the models of UDPipe and spaCy")
    parser.add_argument("--rounds", type=int, default=5, help="number of rounds")
    parser.add_argument("--threads", type=int, default=2, help="number of threads to compare with one")
    return parser.parse_args()


def _to_conllu(model: gp.Model, text: str, threads: int) -> int:
    return sum(map(len, model.to_conllu(read_pieces(io.BytesIO(text.encode())), threads)))


def _peers(folder: Path, text: str) -> dict[str, object]:
    runners = {}
    udpipe = [folder / name for name in UDPIPE_PIPELINE]
    if all(path.exists() for path in udpipe):
        pipeline = UdpipePipeline(udpipe)
        runners["UDPipe 1"] = lambda: pipeline.conllu(text)
    if (folder / SPACY_PIPELINE).exists():
        spacy = SpacyPipeline(folder / SPACY_PIPELINE)
        paragraphs = text.split("\n\n")
        runners["spaCy"] = lambda: spacy.run(paragraphs)
    for name in {"UDPipe 1", "spaCy"} - set(runners):
        common.say(f"skipped {name}: its models are not in {folder}")
    return runners


def _print_threads(name: str, model: gp.Model, text: str, words: int, settings: argparse.Namespace) -> None:
    """Compare one thread with several, on enough text for all of them."""
    if settings.threads == 1 or (os.cpu_count() or 1) < settings.threads:
        common.say(f"skipped the comparison of threads: {settings.threads} threads, {os.cpu_count()} cores")
        return
    times = THREADS_WORDS // words + 1
    long = "\n\n".join([text] * times)
    rounds = [
        [common.seconds(_to_conllu, model, long, threads) for threads in (1, settings.threads)]
        for _ in range(settings.rounds)
    ]
    one, several = (min(column) for column in zip(*rounds, strict=True))
    common.table(
        ["model", "threads", "words/s", "times one"],
        [
            [name, "1", f"{times * words / one:,.0f}", "1.00"],
            [name, str(settings.threads), f"{times * words / several:,.0f}", f"{one / several:.2f}"],
        ],
    )


if __name__ == "__main__":
    main()
