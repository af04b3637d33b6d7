"""How many ordinary sentences are parsed correctly? Parse the 60 sentences of data/first-sentences from raw text."""

import argparse
from collections.abc import Sequence
from itertools import groupby

import common
import gardenpath as gp
from gardenpath.models import shipped

SENTENCES = common.ROOT / "data" / "first-sentences" / "first-sentences.conllu"
Pair = tuple[gp.Sentence, gp.Sentence]


def main() -> None:
    """Print one table for each model."""
    settings = _settings()
    gold = list(gp.read_conllu(SENTENCES))
    common.header(
        "First sentences",
        f"{SENTENCES.relative_to(common.ROOT)}: {len(gold)} sentences, {common.words_in(gold)} words; not for training",
        'raw text, one call per sentence with input="lines": sentence splitting does not matter',
        "root, heads: sentences with the correct root word, and with all heads correct; words must be as in gold",
        "UPOS, LAS: F1 of the CoNLL 2018 shared task: all words, label subtypes ignored",
    )
    for name in settings.model:
        model = gp.load(name)
        pairs = [(sentence, _parsed(model, sentence)) for sentence in gold]
        groups = {group: list(found) for group, found in groupby(pairs, key=lambda pair: _group(pair[0]))}
        rows = [_row(group, found) for group, found in groups.items()]
        common.table([f"model {name}", "sentences", "root", "heads", "UPOS", "LAS"], [*rows, _row("all", pairs)])
        if settings.list:
            _print_wrong(pairs)


def _settings() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("--model", nargs="+", default=shipped.names(), help="names or files of models")
    parser.add_argument("--list", action="store_true", help="list the sentences with a wrong root or wrong heads")
    return parser.parse_args()


def _parsed(model: gp.Model, sentence: gp.Sentence) -> gp.Sentence:
    (parsed,) = model(sentence.text, input="lines").sentences
    return parsed


def _group(sentence: gp.Sentence) -> str:
    return sentence.sent_id.rpartition("-")[0]


def _row(group: str, pairs: Sequence[Pair]) -> list[str]:
    scores = gp.evaluate(*zip(*pairs, strict=True))
    counts = len(pairs), sum(_same_root(*pair) for pair in pairs), sum(_same_heads(*pair) for pair in pairs)
    return [group, *map(str, counts), f"{scores.upos:.2f}", f"{scores.las:.2f}"]


def _same_root(gold: gp.Sentence, parsed: gp.Sentence) -> bool:
    return _same_words(gold, parsed) and gold.heads.index(0) == parsed.heads.index(0)


def _same_heads(gold: gp.Sentence, parsed: gp.Sentence) -> bool:
    return _same_words(gold, parsed) and gold.heads == parsed.heads


def _same_words(gold: gp.Sentence, parsed: gp.Sentence) -> bool:
    return [word.form for word in gold] == [word.form for word in parsed]


def _print_wrong(pairs: Sequence[Pair]) -> None:
    for gold, parsed in pairs:
        if not _same_heads(gold, parsed):
            print(f"{gold.sent_id}  {gold.text}")
            print(f"    {'; '.join(_differences(gold, parsed))}")
    print("", flush=True)


def _differences(gold: gp.Sentence, parsed: gp.Sentence) -> list[str]:
    if not _same_words(gold, parsed):
        return [f"words: {' '.join(word.form for word in parsed)}"]
    return [
        f"{expected.form} <- {_head(parsed, found)} {found.deprel} (gold {_head(gold, expected)} {expected.deprel})"
        for expected, found in zip(gold, parsed, strict=True)
        if expected.head != found.head
    ]


def _head(sentence: gp.Sentence, word: gp.Word) -> str:
    return sentence.words[word.head - 1].form if word.head else "ROOT"


if __name__ == "__main__":
    main()
