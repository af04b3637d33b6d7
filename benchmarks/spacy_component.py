"""How fast is gardenpath in spaCy, compared with gardenpath itself?"""

import argparse
import time
from collections.abc import Callable
from pathlib import Path

import spacy
from spacy.tokens import Doc

import common
import gardenpath as gp
from gardenpath.segmentation.raw import raw_text

DOCUMENT = 20            # sentences in a document


def main() -> None:
    """Measure the component on documents of 20 sentences and of one sentence, and the plain API on the same texts."""
    settings = _settings()
    path = common.Treebank(settings.data).test
    sentences = list(gp.read_conllu(path))
    texts = [raw_text(sentences[i : i + DOCUMENT]) for i in range(0, len(sentences), DOCUMENT)]
    single = [raw_text([sentence]) for sentence in sentences]
    nlp = spacy.blank("en")
    component = nlp.add_pipe("gardenpath", config={"model": settings.model})
    plain = gp.load(settings.model)
    common.header(
        "gardenpath in spaCy", f"the raw text of {path.name}, {DOCUMENT} sentences per document",
        f"one thread; CPU time of the best of {settings.rounds} rounds, in turns; the component alone, after "
        "spaCy's tokenizer; tokens of spaCy or words of gardenpath per second",
        packages=("numpy", "spacy"),
    )
    runners: dict[str, tuple[Callable[[], object], Callable[[object], int]]] = {
        "component": (lambda: _docs(nlp, texts), lambda docs: sum(map(len, component.pipe(docs)))),
        "component, one sentence each": (lambda: _docs(nlp, single), lambda docs: sum(map(len, component.pipe(docs)))),
        "plain API, to documents": (lambda: texts, lambda given: sum(len(doc.words) for doc in plain.pipe(given))),
        "spaCy's tokenizer": (lambda: texts, lambda given: sum(map(len, _docs(nlp, given)))),
    }
    speeds = dict.fromkeys(runners, 0.0)
    for _ in range(settings.rounds):
        for name, (prepare, run) in runners.items():
            given, begin = prepare(), time.process_time()
            count = run(given)
            speeds[name] = max(speeds[name], count / (time.process_time() - begin))
    common.table(
        ["what", "tokens/s", "of the plain API"],
        [
            [name, f"{speed:,.0f}", f"{speed / speeds['plain API, to documents']:.2f}"]
            for name, speed in speeds.items()
        ],
    )


def _docs(nlp: spacy.language.Language, texts: list[str]) -> list[Doc]:
    return [nlp.make_doc(text) for text in texts]


def _settings() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument(
        "--data", type=Path, default=common.EWT if common.EWT.is_dir() else common.SAMPLE,
        help="a folder with *-test.conllu",
    )
    parser.add_argument("--model", default="en-fast", help="name of a shipped model, or a file")
    parser.add_argument("--rounds", type=int, default=5, help="number of rounds")
    return parser.parse_args()


if __name__ == "__main__":
    main()
