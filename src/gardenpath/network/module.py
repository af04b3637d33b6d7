"""The network in PyTorch, for training. `docs/network.md` has its equations."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from gardenpath.network.arcs import Arcs
from gardenpath.network.bilstm import last_states, run_bidirectional
from gardenpath.network.products import linear
from gardenpath.network.vocabulary import UNKNOWN, Vocabulary

_EMBEDDINGS = (
    "arcs.root", "words.forms.weight", "words.characters.weight", "tag_inputs", "part_inputs", "part_rules", "labels",
    "special",
)


@dataclass(frozen=True, slots=True)
class Sizes:
    """The numbers of symbols and the sizes of the layers."""

    characters: int
    forms: int
    tags: int
    parts: int               # that several tags share
    rules: int
    labels: int
    arc_labels: int          # of the second task, see `Arcs`
    classes: int             # rounded up to a multiple of 16
    slots: int
    vectors: int             # dimension of the pretrained vectors; 0 if there are none
    character_dim: int
    character_hidden: int
    word_dim: int
    layers: int
    hidden: int
    parser_dim: int
    slot_dim: int


class Words(nn.Module):
    """Word vectors: x = E[form] + C [c→; c←] + G g + b."""

    def __init__(self, sizes: Sizes) -> None:
        super().__init__()
        self.characters = nn.Embedding(sizes.characters + 1, sizes.character_dim)
        self.spelling = nn.LSTM(sizes.character_dim, sizes.character_hidden, bidirectional=True)
        self.forms = nn.Embedding(sizes.forms + 1, sizes.word_dim)
        self.spelt = nn.Linear(2 * sizes.character_hidden, sizes.word_dim)
        self.vectors = nn.Linear(sizes.vectors, sizes.word_dim, bias=False) if sizes.vectors else None

    def spell(self, spelt: Tensor, lengths: Tensor) -> Tensor:
        """Return [c→; c←], the last states of the character LSTMs, for padded forms."""
        by_length = lengths.argsort(descending=True, stable=True)
        inside, sizes = _steps(lengths[by_length])
        device = spelt.device
        ids = spelt[by_length.to(device)].t()[inside.to(device)]
        states = run_bidirectional(self.spelling, self.characters(ids), sizes)
        return last_states(states, lengths[by_length], sizes)[by_length.argsort().to(device)]


class NetworkModule(nn.Module):
    """All parameters, and the computations of training."""

    tag_matrix: Tensor

    def __init__(self, sizes: Sizes, parts: list[list[int]]) -> None:
        super().__init__()
        self.sizes = sizes
        self.words = Words(sizes)
        self.context = nn.ModuleList(
            nn.LSTM(sizes.word_dim if layer == 0 else 2 * sizes.hidden, sizes.hidden, bidirectional=True)
            for layer in range(sizes.layers)
        )
        outputs = sizes.tags + sizes.parts + sizes.rules + sizes.parser_dim
        self.heads = nn.Linear(2 * sizes.hidden + sizes.word_dim, outputs)
        self.tag_inputs = nn.Parameter(torch.zeros(sizes.tags, sizes.parser_dim))
        self.part_inputs = nn.Parameter(torch.zeros(sizes.parts, sizes.parser_dim))
        self.part_rules = nn.Parameter(torch.zeros(sizes.parts, sizes.rules))
        self.products = nn.Linear(sizes.parser_dim, sizes.slots * sizes.slot_dim, bias=False)
        self.special = nn.Parameter(torch.zeros(2, sizes.slots * sizes.slot_dim))      # a missing word, and the root
        self.labels = nn.Parameter(torch.zeros(sizes.slots * (sizes.labels + 1), sizes.slot_dim))
        self.slot_bias = nn.Parameter(torch.zeros(sizes.slot_dim))
        self.output = nn.Parameter(torch.zeros(sizes.slot_dim, sizes.classes))
        self.output_bias = nn.Parameter(torch.zeros(sizes.classes))
        self.arcs = Arcs(2 * sizes.hidden, sizes.arc_labels)
        matrix = torch.zeros(sizes.tags, sizes.parts)
        for row, numbers in zip(matrix, parts, strict=True):
            row[numbers] = 1
        self.register_buffer("tag_matrix", matrix, persistent=False)

    @property
    def device(self) -> torch.device:
        """The device of the parameters."""
        return self.output.device

    def initialise(self, seed: int) -> None:
        """Initialise all parameters.

        Matrices: Glorot and Bengio (2010); matrices of LSTMs: uniform; biases: 0, but 1 for the forget gates.
        """
        generator = torch.Generator().manual_seed(seed)
        for name, parameter in self.named_parameters():
            if "weight_hh" in name or "weight_ih" in name:
                bound = parameter.shape[0] ** -0.5 * 2
                nn.init.uniform_(parameter, -bound, bound, generator=generator)
            elif name in _EMBEDDINGS:
                nn.init.normal_(parameter, 0, 0.1, generator=generator)
            elif parameter.dim() > 1:
                nn.init.xavier_uniform_(parameter, generator=generator)
            else:
                nn.init.zeros_(parameter)
        for lstm in self.modules():
            if isinstance(lstm, nn.LSTM):
                for name, parameter in lstm.named_parameters():
                    if "bias_ih" in name:
                        parameter.data[lstm.hidden_size : 2 * lstm.hidden_size] = 1


@dataclass(frozen=True, slots=True)
class WordInputs:
    """The words of a batch, one sentence after the other, and its distinct forms."""

    lengths: Tensor          # of the sentences, on the CPU
    spellings: Tensor        # by word: a row of the following
    forms: Tensor            # by word: the id of its form, after dropout of forms
    spelt: Tensor            # by distinct form: the ids of its characters
    spelt_lengths: Tensor    # on the CPU
    vectors: Tensor | None   # by distinct form: its pretrained vector
    weights: Tensor | None = None    # by word: of its form and of its spelling, for dropout; None if all are 1


@dataclass(frozen=True, slots=True)
class Encoded:
    """What the network computes for the words of a batch."""

    states: Tensor           # of the sentence encoder, its last layer
    tags: Tensor             # log-probabilities of tags
    rules: Tensor            # scores of lemma rules, without those of the parts of tags
    table: Tensor            # products for the slots, after those of a missing word and of the root


class Dropout:
    """Sets random elements of vectors to zero. The probability is rounded to a multiple of 1/256."""

    def __init__(self, probability: float, random: np.random.Generator | None = None) -> None:
        self.limit = min(round(256 * probability), 255) if random is not None else 0
        self.random = random

    def __call__(self, vectors: Tensor) -> Tensor:
        """Return the vectors with some elements set to zero, and the others scaled up."""
        if not self.limit or self.random is None:
            return vectors
        drawn = np.frombuffer(self.random.bytes(vectors.numel()), np.uint8)
        kept = torch.from_numpy(drawn >= self.limit).view(vectors.shape).to(vectors.device)
        return vectors * (kept * (256 / (256 - self.limit)))


def encode(net: NetworkModule, inputs: WordInputs, dropout: Dropout) -> Encoded:
    """Compute everything that does not depend on configurations."""
    sizes = net.sizes
    spelt = net.words.spell(inputs.spelt, inputs.spelt_lengths)
    spellings = linear(spelt, net.words.spelt.weight, net.words.spelt.bias)[inputs.spellings]
    forms = net.words.forms(inputs.forms)
    if net.words.vectors is not None and inputs.vectors is not None:
        forms = forms + linear(inputs.vectors, net.words.vectors.weight)[inputs.spellings]
    if inputs.weights is not None:
        forms, spellings = forms * inputs.weights[:, :1], spellings * inputs.weights[:, 1:]
    x = dropout(forms + spellings)
    by_length = inputs.lengths.argsort(descending=True, stable=True)
    inside, steps = _steps(inputs.lengths[by_length])
    first = (torch.cumsum(inputs.lengths, 0) - inputs.lengths)[by_length]
    order = (first + torch.arange(len(inside))[:, None])[inside]
    back = order.argsort().to(x.device)
    h = x[order.to(x.device)]
    for layer in net.context:
        assert isinstance(layer, nn.LSTM)
        h = dropout(run_bidirectional(layer, h, steps))
    h = h[back]
    z = linear(torch.cat([h, x], 1), net.heads.weight, net.heads.bias)
    tags, parts, rules, parser = z.split([sizes.tags, sizes.parts, sizes.rules, sizes.parser_dim], 1)
    tags = (tags + parts @ net.tag_matrix.t()).log_softmax(1)
    v = torch.relu(parser + tags.exp() @ (net.tag_inputs + net.tag_matrix @ net.part_inputs))
    table = torch.cat([net.special, linear(dropout(v), net.products.weight)])
    return Encoded(h, tags, rules, table)


def rule_scores(net: NetworkModule, encoded: Encoded, tags: Tensor) -> Tensor:
    """Return the scores of lemma rules for words with these tags."""
    return encoded.rules + net.tag_matrix[tags] @ net.part_rules


def _steps(lengths: Tensor) -> tuple[Tensor, Tensor]:
    """Return which of the sequences have each position, and their number; the longest sequence comes first."""
    inside = torch.arange(int(lengths[0]))[:, None] < lengths
    return inside, inside.sum(1)


def decision_scores(net: NetworkModule, table: Tensor, words: Tensor, labels: Tensor, dropout: Dropout) -> Tensor:
    """Return the scores of all classes, for rows of slots: rows of the table of products, and rows of `net.labels`."""
    slots, size = net.sizes.slots, net.sizes.slot_dim
    places = words * slots + torch.arange(slots, device=words.device)
    hidden = functional.embedding_bag(places, table.view(-1, size), mode="sum")
    hidden = hidden + functional.embedding_bag(labels, net.labels, mode="sum") + net.slot_bias
    return linear(dropout(torch.relu(hidden)), net.output.t(), net.output_bias)


def decision_loss(scores: Tensor, marks: Tensor, decisions: Tensor) -> Tensor:
    """Return the sum over decisions of -log of the summed probability of all accepted classes.

    `marks` are 0 for invalid, 1 for valid, 2 for accepted classes. A decision can have several rows.
    """
    floor = torch.finfo(scores.dtype).min
    valid = scores.masked_fill(marks == 0, floor).logsumexp(1)
    accepted = scores.masked_fill(marks != 2, floor).logsumexp(1)
    count = int(decisions[-1]) + 1
    if count < len(decisions):
        valid, accepted = _joined(valid, decisions, count), _joined(accepted, decisions, count)
    return (valid - accepted).sum()


def _joined(logs: Tensor, groups: Tensor, count: int) -> Tensor:
    """Return the log of the sum of exponentials in each group."""
    top = logs.new_full((count,), torch.finfo(logs.dtype).min).scatter_reduce(0, groups, logs.detach(), "amax")
    total = logs.new_zeros(count).index_add(0, groups, (logs - top[groups]).exp())
    return top + total.log()


def untrained(vocabulary: Vocabulary, sizes: Sizes, seed: int) -> NetworkModule:
    """Return a network with initialised parameters."""
    net = NetworkModule(sizes, vocabulary.parts)
    net.initialise(seed)
    net.words.forms.weight.data[UNKNOWN] = 0
    return net
