"""The state of a training run after a pass, in a file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from gardenpath.core import storage
from gardenpath.core.checksum import checksum
from gardenpath.errors import InputError
from gardenpath.formats.document import Sentence
from gardenpath.neural.network import Network
from gardenpath.neural.scorer import parameters_of
from gardenpath.search.training import Scores, Tree


class Checkpoint:
    """What a run is known by, how far it has come, and where that is written.

    Random numbers need no keeping: each pass draws its own, from the seed and its number.
    """

    def __init__(self, path: Path | None, identity: dict[str, Any], train: Sequence[Sentence], trees: Sequence[Tree], dev: Sequence[Sentence] | None) -> None:
        self.path = path
        known = {name: value for name, value in identity.items() if name != "passes"}      # a run may be made longer
        self.identity = known | {"training data": _digest(train, trees), "dev data": _digest(dev or [], [(s.heads, [w.deprel for w in s]) for s in dev or []])}
        self.passes = 0
        self.best_pass = 0
        self.best_scores: Scores = (None, None)
        self.best_parameters: storage.Arrays = {}

    def end_pass(self, network: Network, optimizer: torch.optim.Adam, learnt: storage.Arrays, scores: Scores) -> bool:
        """Take note of a pass that has ended, of what was learnt and how it scores, and write all down; was it the best?"""
        self.passes += 1
        is_best = scores[1] is None or self.best_scores[1] is None or scores[1] > self.best_scores[1]
        if is_best:
            self.best_pass, self.best_scores, self.best_parameters = self.passes, scores, learnt
        if self.path is not None:
            arrays = {f"now.{name}": array for name, array in parameters_of(network).items()}
            arrays |= {f"best.{name}": array for name, array in self.best_parameters.items()} | _moments(network, optimizer)
            record = {"checkpoint": self.identity, "passes": self.passes, "best_pass": self.best_pass, "best_scores": self.best_scores}
            storage.save(self.path, arrays, record)
        return is_best

    def load(self, network: Network, optimizer: torch.optim.Adam) -> bool:
        """Go on from the file, if it is there; was it?"""
        if self.path is None or not self.path.exists():
            return False
        views, record = storage.load(self.path)
        arrays = {name: np.asarray(view) for name, view in views.items()}
        self._refuse_other(record)
        try:
            self.passes, self.best_pass, self.best_scores = record["passes"], record["best_pass"], tuple(record["best_scores"])
            parts = {kind: {name.removeprefix(f"{kind}."): array for name, array in arrays.items() if name.startswith(f"{kind}.")} for kind in ("now", "best")}
            kinds = ("exp_avg", "exp_avg_sq", *(("average",) if self.identity["averaging"] else ()))
            with torch.no_grad():
                for name, parameter in network.named_parameters():
                    parameter.copy_(torch.from_numpy(parts["now"][name].copy()))
                    moments = {kind: torch.from_numpy(arrays[f"{kind}.{name}"].copy()).to(parameter.device) for kind in kinds}
                    optimizer.state[parameter] = moments | {"step": torch.from_numpy(arrays[f"step.{name}"].copy())}
        except (KeyError, TypeError, ValueError, RuntimeError) as error:
            raise InputError(f"{self.path}: not a usable checkpoint: it lacks or misstates {error}; remove it and train from the start") from None
        self.best_parameters = parts["best"]
        return True

    def _refuse_other(self, record: dict[str, Any]) -> None:
        """Refuse the checkpoint of another run, naming what differs."""
        if "checkpoint" not in record:
            raise InputError(f"{self.path}: this is a model, not a checkpoint; name another file")
        theirs = record["checkpoint"]
        for name in sorted(self.identity.keys() | theirs.keys()):
            if self.identity.get(name) != theirs.get(name):
                what = f"other {name}" if name.endswith("data") else f"{name}={theirs.get(name)!r}, not {self.identity.get(name)!r}"
                raise InputError(f"{self.path}: a checkpoint of another training run, with {what}; name another file or train as then")


def _moments(network: Network, optimizer: torch.optim.Adam) -> storage.Arrays:
    """What Adam remembers of each parameter, and its average if there is one."""
    return {
        f"{kind}.{name}": value.detach().cpu().numpy()
        for name, parameter in network.named_parameters() for kind, value in optimizer.state[parameter].items()
    }


def _digest(sentences: Iterable[Sentence], trees: Iterable[tuple[Sequence[int | None], Sequence[str]]]) -> str:
    """A checksum of all that training reads in a treebank."""
    words = [
        (word.form, word.upos, word.xpos, word.feats, head, label)
        for sentence, (heads, labels) in zip(sentences, trees, strict=True) for word, head, label in zip(sentence.words, heads, labels, strict=True)
    ]
    return str(checksum(np.frombuffer(repr(words).encode(errors="surrogatepass"), np.uint8)))
