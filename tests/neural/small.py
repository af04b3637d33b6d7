"""Small networks with random parameters, and random treebanks for them."""

from __future__ import annotations

import random

import torch
from slow_network import words_of

import gardenpath as gp
from brute import random_projective_tree, random_tree
from gardenpath import oracles, systems
from gardenpath.neural.scorer import StackLSTM
from gardenpath.neural.symbols import Symbols
from gardenpath.parsing.parser import Parser
from gardenpath.systems.classes import Classes

SYSTEMS = [name for name in systems.names() if name != "lr-spine"]
LABELS = ("root", "nsubj", "obj", "det")


class Small:
    """A system with a random treebank and a network for it."""

    def __init__(
        self, name: str, seed: int = 1, encoder: str = "incremental", single_root: bool = True, longest: int = 9,
        sentences: int = 8,
    ) -> None:
        rng = random.Random(seed)
        self.system = systems.for_parsing(name, single_root=single_root)
        self.oracle = oracles.of(self.system, "static")
        tree = random_projective_tree if self.system.is_projective or name == "attardi" else random_tree
        lengths = [rng.randint(1, longest) for _ in range(sentences)]
        heads = [tree(rng, n) for n in lengths]
        self.trees = [(each, ["root" if head == 0 else rng.choice(LABELS[1:]) for head in each]) for each in heads]
        self.sentences = [gp.Sentence(words_of(rng, n)) for n in lengths]
        self.classes = Classes.of_trees(self.system, self.trees)
        self.scorer = StackLSTM.untrained(self.system, self.classes, Symbols.of(self.sentences), encoder, seed)
        self.network = self.scorer.network
        # Initial states and biases are zero at first. Here every parameter must matter.
        generator = torch.Generator().manual_seed(seed)
        for parameter in self.network.parameters():
            parameter.data += 0.1 * torch.randn(parameter.shape, generator=generator)
        self.parser = Parser(self.scorer, single_root)

    @property
    def words(self) -> list[list[gp.Word]]:
        return [sentence.words for sentence in self.sentences]

    def tokens(self) -> torch.Tensor:
        """The first vectors of all words."""
        encoded = self.network.words.symbols.encode(self.words)
        return self.network.tokens(encoded, self.network.words.spell(encoded.forms))
