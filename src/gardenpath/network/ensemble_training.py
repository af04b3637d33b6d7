"""Train the networks of an ensemble side by side: one epoch of each in turn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from torch import nn

from gardenpath.core.storage import Arrays
from gardenpath.network.ensemble import ensemble
from gardenpath.network.training import NetworkTrainer
from gardenpath.parsing.parser import Parser
from gardenpath.parsing.training import TrainingStep, TrainingTask

SEEDS = 2**64


class EnsembleTrainer:
    """The networks of an ensemble in training.

    The network number k, from 0, is the one that is trained alone with the seed of the run plus k. The ensemble as a
    whole is evaluated, so that all networks come from the same epoch.
    """

    def __init__(self, task: TrainingTask) -> None:
        self.task = task
        self.members = [
            NetworkTrainer(replace(task, seed=(task.seed + number) % SEEDS)) for number in range(task.scorer.networks)
        ]
        self.network = nn.ModuleList(member.network for member in self.members)
        self.optimizer = self.members[0].optimizer
        for member in self.members[1:]:
            self.optimizer.add_param_group({"params": list(member.network.parameters())})
            member.optimizer = self.optimizer

    def identity(self) -> dict[str, str]:
        """Return checksums of the data that the settings and the trees do not contain."""
        return self.members[0].identity()

    def train(self, number: int) -> Iterator[TrainingStep]:
        """Train one epoch of each network. The steps count the sentences of all networks."""
        sentences = len(self.task.sentences)
        for place, member in enumerate(self.members):
            for step in member.train(number):
                yield replace(
                    step, sentences=place * sentences + step.sentences, total=len(self.members) * sentences,
                )

    def result(self) -> dict[str, np.ndarray]:
        """Return the current parameters of all networks."""
        return {
            f"{place}.{name}": array
            for place, member in enumerate(self.members) for name, array in member.result().items()
        }

    def parser(self, parameters: Arrays) -> Parser:
        """Return a native parser with these parameters."""
        networks = []
        for place, member in enumerate(self.members):
            prefix = f"{place}."
            networks.append(member.native({
                name.removeprefix(prefix): array for name, array in parameters.items() if name.startswith(prefix)
            }))
        return self.task.parser_of(ensemble(networks))
