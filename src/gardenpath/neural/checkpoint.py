"""Checkpoints: the state of a training run after an epoch, in a file."""

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
from gardenpath.neural.scorer import parameters_of
from gardenpath.parsing.training import Scores, Tree

CURRENT, BEST = "now", "best"              # prefixes of the names of parameters in the file
NUMBER_OF_EPOCHS = "passes"                # the name of this setting in the file


class Checkpoint:
    """The identity of a training run, its progress, and the file that stores both.

    The state of random generators is not stored: the seed of an epoch depends on the seed of the run and on the number
    of the epoch only. `averaged` is whether there are averages of the parameters, and `extendable` whether a run can be
    continued with another number of epochs.
    """

    def __init__(
        self, path: Path | None, identity: dict[str, Any], train: Sequence[Sentence], trees: Sequence[Tree],
        dev: Sequence[Sentence] | None, *, averaged: bool, extendable: bool = True,
    ) -> None:
        self.path = path
        self.averaged = averaged
        dev = dev or []
        dev_trees = [(sentence.heads, [word.deprel for word in sentence]) for sentence in dev]
        # If the number of epochs is not part of the identity, a run can be extended.
        settings = {name: value for name, value in identity.items() if not extendable or name != NUMBER_OF_EPOCHS}
        self.identity = settings | {"training data": _digest(train, trees), "dev data": _digest(dev, dev_trees)}
        self.epochs = 0                                     # completed so far
        self.best_epoch = 0
        self.best_scores: Scores = (None, None)
        self.best_parameters: storage.Arrays = {}

    def end_epoch(
        self, network: torch.nn.Module, optimizer: torch.optim.Adam, parameters: storage.Arrays,
        scores: Scores | None,
    ) -> bool:
        """Record the result of an epoch and write the file. Return whether the epoch is the best so far.

        `parameters` are those of the model after the epoch: with averaging, they differ from those of `network`. The
        scores are None if the epoch was not evaluated.
        """
        self.epochs += 1
        is_best = scores is not None and (
            scores[1] is None or self.best_scores[1] is None or scores[1] > self.best_scores[1]
        )
        if is_best and scores is not None:
            self.best_epoch, self.best_scores, self.best_parameters = self.epochs, scores, parameters
        if self.path is not None:
            arrays = {f"{CURRENT}.{name}": array for name, array in parameters_of(network).items()}
            arrays |= {f"{BEST}.{name}": array for name, array in self.best_parameters.items()}
            arrays |= _optimizer_state(network, optimizer)
            record = {
                "checkpoint": self.identity, "passes": self.epochs, "best_pass": self.best_epoch,
                "best_scores": self.best_scores,
            }
            storage.save(self.path, arrays, record)
        return is_best

    def load(self, network: torch.nn.Module, optimizer: torch.optim.Adam) -> bool:
        """Restore the state from the file, if it exists. Return whether it does."""
        if self.path is None or not self.path.exists():
            return False
        views, record = storage.load(self.path)
        arrays = {name: np.asarray(view) for name, view in views.items()}
        self._require_same_run(record)
        try:
            self.epochs, self.best_epoch = record["passes"], record["best_pass"]
            self.best_scores = tuple(record["best_scores"])
            current, best = _with_prefix(arrays, CURRENT), _with_prefix(arrays, BEST)
            kinds = ("exp_avg", "exp_avg_sq", *(("average",) if self.averaged else ()))
            with torch.no_grad():
                for name, parameter in network.named_parameters():
                    parameter.copy_(torch.from_numpy(current[name].copy()))
                    state = {
                        kind: torch.from_numpy(arrays[f"{kind}.{name}"].copy()).to(parameter.device) for kind in kinds
                    }
                    optimizer.state[parameter] = state | {"step": torch.from_numpy(arrays[f"step.{name}"].copy())}
        except (KeyError, TypeError, ValueError, RuntimeError) as error:
            reason = f"{error} is missing" if isinstance(error, KeyError) else error
            raise InputError(
                f"{self.path} is not a usable checkpoint: {reason}; remove the file and train from the start"
            ) from None
        self.best_parameters = best
        return True

    def _require_same_run(self, record: dict[str, Any]) -> None:
        """Raise `InputError` if the checkpoint belongs to another run. The error names the difference."""
        if "checkpoint" not in record:
            raise InputError(f"{self.path} is a model, not a checkpoint; name another file")
        theirs = record["checkpoint"]
        for name in sorted(self.identity.keys() | theirs.keys()):
            if self.identity.get(name) != theirs.get(name):
                difference = f"{name}={theirs.get(name)!r}, not {self.identity.get(name)!r}"
                raise InputError(
                    f"{self.path} is a checkpoint of another training run, with "
                    f"{f'other {name}' if name.endswith('data') else difference}; "
                    "name another file, or use the data and settings of that run"
                )


def _with_prefix(arrays: storage.Arrays, prefix: str) -> dict[str, np.ndarray]:
    """Return the arrays whose names have this prefix, by the rest of their names."""
    return {
        name.removeprefix(f"{prefix}."): np.asarray(array)
        for name, array in arrays.items() if name.startswith(f"{prefix}.")
    }


def _optimizer_state(network: torch.nn.Module, optimizer: torch.optim.Adam) -> storage.Arrays:
    """Return the state of Adam for each parameter, with the average of the parameter if there is one."""
    return {
        f"{kind}.{name}": value.detach().cpu().numpy()
        for name, parameter in network.named_parameters() for kind, value in optimizer.state[parameter].items()
    }


def _digest(sentences: Iterable[Sentence], trees: Iterable[tuple[Sequence[int | None], Sequence[str]]]) -> str:
    """Return a checksum of everything that training reads from a treebank."""
    words = [
        (word.form, word.upos, word.xpos, word.raw_feats, head, label)
        for sentence, (heads, labels) in zip(sentences, trees, strict=True)
        for word, head, label in zip(sentence.words, heads, labels, strict=True)
    ]
    return str(checksum(np.frombuffer(repr(words).encode(errors="surrogatepass"), np.uint8)))
