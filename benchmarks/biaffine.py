"""How does the network compare with a biaffine parser? Train both on the same treebank and parse its test set in turns.

Both see only the word forms. With `--upos`, the biaffine parser learns from and gets gold UPOS; the network learns from
the tags that it predicts, as always, and gets gold UPOS when it parses. The biaffine parser is that of `supar`, which
the project does not require: install it and its requirements with `pip install --target` and name that folder in
`PYTHONPATH`.
"""

import argparse
import hashlib
import os
from pathlib import Path
from typing import Any

import common
import gardenpath as gp
from gardenpath.formats import registry

os.environ["TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD"] = "1"    # supar's files are pickles; these are our own

# supar's defaults for this parser, except for two LSTM layers instead of three and small batches for small treebanks.
SIZES = {
    "encoder": "lstm", "embed": None, "n_embed": 100, "n_char_embed": 50, "n_feat_embed": 100, "embed_dropout": 0.33,
    "n_lstm_hidden": 400, "n_lstm_layers": 2, "encoder_dropout": 0.33, "n_arc_mlp": 500, "n_rel_mlp": 100,
    "mlp_dropout": 0.33,
}
OPTIMIZER = {
    "lr": 2e-3, "mu": 0.9, "nu": 0.9, "eps": 1e-12, "weight_decay": 0, "clip": 5.0, "decay": 0.75, "decay_steps": 2000,
}


def main() -> None:
    """Print one table."""
    settings = _settings()
    treebank = common.Treebank(settings.data)
    given = ["FORM", "UPOS"] if settings.upos else ["FORM"]
    common.header(
        "The network and a biaffine parser",
        f"test set of {settings.data.name}",
        f"trained on {treebank.train.name}, seed {settings.seed}; epoch chosen on dev by LAS",
        f"gold tokens; given: {' and '.join(given)}; official F1",
        f"biaffine: supar, {settings.epochs} epochs of batches of {settings.batch} words, "
        f"BiLSTM {SIZES['n_lstm_layers']} x {SIZES['n_lstm_hidden']}, characters, no pretrained vectors",
        f"one thread; fastest of {settings.rounds} rounds, in turns; from sentences in memory to trees",
        packages=("numpy", "torch", "supar"),
    )
    contestants = [_Network(treebank, settings), _Biaffine(treebank, settings)]
    times: dict[str, list[float]] = {contestant.name: [] for contestant in contestants}
    for _ in range(settings.rounds):
        for contestant in contestants:
            times[contestant.name].append(common.seconds(contestant.parse, contestant.fresh()))
    words = common.words_in(gp.read_conllu(treebank.test))
    rows = []
    for contestant in contestants:
        scores = gp.evaluate(treebank.test, contestant.parsed())
        speed = words / min(times[contestant.name])
        rows.append([contestant.name, f"{scores.uas:.2f}", f"{scores.las:.2f}", f"{speed:,.0f}"])
    common.table(["parser", "UAS", "LAS", "words/s"], rows)


def _settings() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    default = common.EWT.parent.parent / "ud-2.0" / "en_lines"
    parser.add_argument("--data", type=Path, default=default, help="a folder with *-train, *-dev and *-test.conllu")
    parser.add_argument("--upos", action="store_true", help="give gold UPOS to both parsers")
    parser.add_argument("--epochs", type=int, default=30, help="epochs of the biaffine parser")
    parser.add_argument("--batch", type=int, default=500, help="words in a batch of the biaffine parser")
    parser.add_argument("--seed", type=int, default=1, help="random seed of both parsers")
    parser.add_argument("--rounds", type=int, default=5, help="rounds of measuring")
    parser.add_argument("--cache", type=Path, default=common.CACHE, help="folder for trained models")
    return parser.parse_args()


class _Network:
    """The network of gardenpath, with default settings."""

    name = "gardenpath, network"

    def __init__(self, treebank: common.Treebank, settings: argparse.Namespace) -> None:
        stem = f"{settings.data.name}-network-{settings.seed}-{common.fingerprint(treebank, '')}.gp"
        saved = settings.cache / "biaffine" / stem
        if not saved.exists():
            common.say(f"training the network on {settings.data.name} ...")
            saved.parent.mkdir(parents=True, exist_ok=True)
            gp.train(treebank.train, dev=treebank.dev, scorer="network", seed=settings.seed).save(saved)
        self.model = gp.load(saved)
        self.test, self.upos = treebank.test, settings.upos
        self.results: list[gp.Sentence] = []

    def fresh(self) -> list[gp.Sentence]:
        """Return newly read test sentences."""
        return _input(self.test, self.upos)

    def parse(self, sentences: list[gp.Sentence]) -> None:
        """Parse the sentences in place."""
        self.results = self.model.parse(sentences)

    def parsed(self) -> list[gp.Sentence]:
        """Return the trees of the last round."""
        return self.results


class _Biaffine:
    """The biaffine parser of supar."""

    name = "biaffine, supar"

    def __init__(self, treebank: common.Treebank, settings: argparse.Namespace) -> None:
        import torch
        from supar import BiaffineDependencyParser

        torch.set_num_threads(1)
        torch.manual_seed(settings.seed)
        options: dict[str, Any] = {
            **SIZES, **OPTIMIZER, "feat": ["tag", "char"] if settings.upos else ["char"], "build": True,
            "checkpoint": False, "punct": True, "verbose": True, "batch_size": settings.batch,
            "epochs": settings.epochs,
        }
        identity = hashlib.sha256(repr(options).encode() + treebank.train.read_bytes() + treebank.dev.read_bytes())
        folder = settings.cache / "biaffine" / f"{settings.data.name}-supar-{settings.seed}-{identity.hexdigest()[:16]}"
        folder.mkdir(parents=True, exist_ok=True)
        train, dev = (_plain(path, folder) for path in (treebank.train, treebank.dev))
        saved = folder / "model"
        if not saved.exists():
            common.say(f"training supar on {settings.data.name} ...")
            options |= {"train": str(train), "dev": str(dev), "test": str(dev)}
            unfinished = saved.with_suffix(".training")
            BiaffineDependencyParser.build(str(unfinished), **options).train(**options)
            unfinished.rename(saved)
        self.parser = BiaffineDependencyParser.load(str(saved))
        self.test, self.upos = treebank.test, settings.upos
        self.results: Any = None

    def fresh(self) -> list[Any]:
        """Return the test sentences as lists of words, or of words with UPOS."""
        return [
            [(word.form, word.upos) if self.upos else word.form for word in sentence.words]
            for sentence in _input(self.test, self.upos)
        ]

    def parse(self, sentences: list[Any]) -> None:
        """Parse the sentences in batches of supar's size."""
        self.results = self.parser.predict(sentences, verbose=False)

    def parsed(self) -> list[gp.Sentence]:
        """Return the trees of the last round as gardenpath sentences."""
        sentences = common.untouched(self.test)
        for sentence, found in zip(sentences, self.results.sentences, strict=True):
            for word, head, relation in zip(sentence.words, found.arcs, found.rels, strict=True):
                word.head, word.deprel = int(head), relation
        return sentences


def _input(path: Path, upos: bool) -> list[gp.Sentence]:
    """Return the sentences of a file without their annotation, except for UPOS if it is given."""
    sentences = common.untouched(path)
    for sentence in sentences:
        for word in sentence.words:
            word.lemma = word.xpos = word.feats = "_"
            if not upos:
                word.upos = "_"
    return sentences


def _plain(path: Path, folder: Path) -> Path:
    """Write a treebank as supar reads it: only words, without comments."""
    target = folder / path.with_suffix(".conllx").name
    registry.write(gp.read_conllu(path), target, "conllx")
    return target


if __name__ == "__main__":
    main()
