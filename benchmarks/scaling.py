"""Is the time linear in the length of the text? Words per second by sentence length and by size of the text."""

import argparse
from itertools import cycle, islice

import common
import gardenpath as gp

LENGTHS = (10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
AMOUNTS = (10_000, 20_000, 50_000, 100_000, 200_000, 500_000)


def main() -> None:
    """Parse sentences of given lengths, then texts of given sizes."""
    settings = _settings()
    treebank = common.Treebank(settings.data)
    source = list(gp.read_conllu(treebank.test))
    for name, path in common.chosen_models(settings, treebank).items():
        model = gp.load(path)
        common.header(
            f"Speed by length and size, {name}",
            f"text of {treebank.test.name}, split into sentences of exactly this length; original sentences for the "
            "size",
            f"one thread, sentences in memory, gold tags, best of {settings.rounds} rounds in turns; about "
            f"{settings.words:,} words for each length",
        )
        _print(
            model,
            "words a sentence",
            {length: equal_sentences(source, length, settings.words) for length in LENGTHS},
            settings.rounds,
        )
        _print(model, "words of text", {amount: _amount(source, amount) for amount in AMOUNTS}, settings.rounds)


def _settings() -> argparse.Namespace:
    parser = common.options(__doc__)
    parser.add_argument("--rounds", type=int, default=3, help="number of rounds")
    parser.add_argument("--words", type=int, default=20_000, help="number of words for each length")
    return parser.parse_args()


def _print(model: gp.Model, what: str, texts: dict[int, list[gp.Sentence]], rounds: int) -> None:
    times: dict[int, list[float]] = {number: [] for number in texts}
    for _ in range(rounds):
        for number, sentences in texts.items():
            times[number].append(common.seconds(model.parse, sentences))
    speeds = {number: common.words_in(texts[number]) / min(values) for number, values in times.items()}
    top = max(speeds.values())
    rows = [
        [f"{number:,}", f"{1000 * min(times[number]):,.1f}", f"{speed:,.0f}", f"{speed / top:.2f}"]
        for number, speed in speeds.items()
    ]
    common.table([what, "ms", "words/s", "of the fastest"], rows)


def equal_sentences(source: list[gp.Sentence], length: int, words: int) -> list[gp.Sentence]:
    """Return sentences of one length made from running text, at least one, with this total number of words."""
    text = cycle([word for sentence in source for word in sentence.words])
    return [
        gp.Sentence([_copy(word, i) for i, word in enumerate(islice(text, length), 1)])
        for _ in range(max(words // length, 1))
    ]


def _amount(source: list[gp.Sentence], words: int) -> list[gp.Sentence]:
    result: list[gp.Sentence] = []
    for sentence in cycle(source):
        result.append(gp.Sentence([_copy(word, word.id) for word in sentence.words]))
        words -= len(sentence)
        if words <= 0:
            return result
    return result


def _copy(word: gp.Word, number: int) -> gp.Word:
    return gp.Word(number, word.form, word.lemma, word.upos, word.xpos, word.feats)


if __name__ == "__main__":
    main()
