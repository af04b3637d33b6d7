"""The network of Kohita, Noji and Matsumoto (2017): words, a stack LSTM, a history LSTM and what they say of a configuration.

[a; b] is concatenation. Sizes are the paper's where it gives them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence

from gardenpath.neural.levels import Composition, Levels, Recurrence, Taken, advance, open_and_candidate
from gardenpath.neural.session import NetworkSession
from gardenpath.neural.symbols import CHARACTERS, COLUMNS, Encoded, Symbols
from gardenpath.neural.unroll import Unrolled

EMBEDDINGS = dict(zip(COLUMNS, (100, 50, 50, 50), strict=True))
CHARACTER, FORM_BY_CHARACTERS = 32, 32
NODE, STATE, HIDDEN = 100, 100, 100
ACTION, LABEL = 20, 20
CONTEXT = 200           # of each direction of the sentence LSTM
SPECIAL_NODES = 3       # no stack word, no buffer word, root
SLOTS = 8
UNSEEN = 0.5            # how often a word seen once is taken for an unknown one


@dataclass(frozen=True, slots=True)
class ComputationPlan:
    """Derivations of some sentences: all that has to be computed to score their configurations, level by level."""

    compositions: Levels
    pushes: Levels
    histories: Levels
    slots: Tensor       # a row for each configuration: stack state, history state, six nodes
    classes: Tensor     # the right ones
    valid: Tensor
    owners: Tensor      # by configuration: the number of its sentence

    @classmethod
    def of(cls, unrolled: Unrolled, device: torch.device) -> ComputationPlan:
        """Put what was recorded in order."""
        session = unrolled.recorded
        compositions = Levels.of(session.compositions.take(), SPECIAL_NODES + sum(session.lengths), 3, device)
        pushes = Levels.of(session.pushes.take(), 1, 1, device)
        histories = Levels.of(session.histories.take(), 1, 1, device)
        pushes.records[:, 1] = torch.from_numpy(compositions.places).to(device)[pushes.records[:, 1]]
        records, _, owners = unrolled.steps.take()
        slots = np.column_stack([
            pushes.places[records[:, 0]], histories.places[records[:, 1]], compositions.places[records[:, 2:SLOTS]],
        ])
        arrays = (slots, records[:, SLOTS], unrolled.valid, owners)
        return cls(compositions, pushes, histories, *(torch.from_numpy(array).to(device) for array in arrays))


class Noise:
    """Where training draws its random numbers; `dropout` is how likely a number is dropped."""

    def __init__(self, dropout: float, seed: int, device: torch.device) -> None:
        self.dropout = dropout
        self.generator = torch.Generator(device).manual_seed(seed)

    def mask(self, rows: int, size: int, like: Tensor) -> Tensor:
        """A mask for each row that keeps the expectation of what it is multiplied with."""
        kept = torch.rand(rows, size, generator=self.generator, device=like.device) >= self.dropout
        return kept.to(like.dtype) / (1 - self.dropout)

    def chosen(self, probability: float, size: int) -> Tensor:
        """Choose each of so many with that probability."""
        return torch.rand(size, generator=self.generator, device=self.generator.device) < probability


class BranchingLSTM(nn.Module):
    """An LSTM that can go on from any of its states: a stack that is popped, derivations that share their beginning."""

    def __init__(self, inputs: int, size: int) -> None:
        super().__init__()
        self.size = size
        self.weight_in = nn.Parameter(torch.empty(4 * size, inputs))
        self.weight_back = nn.Parameter(torch.empty(4 * size, size))
        self.bias = nn.Parameter(torch.zeros(4 * size))
        self.bottom = nn.Parameter(torch.zeros(2, size))

    def forward(self, inputs: Tensor, plan: Levels, noise: Noise | None, sentences: int, fresh: bool = True) -> Tensor:
        """The outputs of all states, the bottom one first. Noise drops numbers of each sentence's outputs and, if they are fresh, of its inputs."""
        mask = None
        if noise is not None and noise.dropout:
            if fresh:
                inputs = inputs * noise.mask(sentences, inputs.shape[1], inputs)[plan.owners]
            mask = noise.mask(sentences, self.size, inputs)[plan.owners]
        gates = torch.addmm(self.bias, inputs, self.weight_in.t())
        return Recurrence.apply(gates, self.weight_back, self.bottom, plan.records[:, 0], mask, plan.bounds)

    def step(self, gates: Tensor, outputs: Tensor, cells: Tensor) -> tuple[Tensor, Tensor]:
        """One step from each of some states; `gates` are those of the inputs, and are used up."""
        gates.addmm_(outputs, self.weight_back.t())
        open_and_candidate(gates, self.size)
        return advance(gates, cells, self.size)


class Words(nn.Module):
    """The vector of a word: x = ReLU(V [w; t; tx; f; w_ch] + e), from its form, its tags, its features and its characters."""

    def __init__(self, symbols: Symbols) -> None:
        super().__init__()
        self.symbols = symbols
        self.tables = nn.ModuleList(nn.Embedding(symbols.size(column), EMBEDDINGS[column]) for column in COLUMNS)
        self.characters = nn.Embedding(symbols.size(CHARACTERS), CHARACTER)
        self.spelling = nn.LSTM(CHARACTER, CHARACTER, batch_first=True, bidirectional=True)
        self.form = nn.Linear(2 * CHARACTER, FORM_BY_CHARACTERS)
        self.token = nn.Linear(sum(EMBEDDINGS.values()) + FORM_BY_CHARACTERS, NODE)

    def spell(self, forms: list[str]) -> Tensor:
        """w_ch = C [c→; c←] + e for each form, from the last states of an LSTM over its characters in both directions."""
        spelt, lengths = self.symbols.spell(forms)
        vectors = self.characters(torch.from_numpy(spelt).to(self.token.weight.device))
        _, (last, _) = self.spelling(pack_padded_sequence(vectors, torch.from_numpy(lengths), batch_first=True, enforce_sorted=False))
        return self.form(torch.cat([last[0], last[1]], 1))

    def forward(self, ids: Tensor, spelt: Tensor, noise: Noise | None = None) -> Tensor:
        """The vectors of words with these numbers and these vectors of their characters; of each word, `noise` drops whole columns."""
        columns = [*(table(ids[:, i]) for i, table in enumerate(self.tables)), spelt]
        if noise is not None and noise.dropout:
            kept = noise.mask(len(ids), len(columns), spelt)
            columns = [column * kept[:, i : i + 1] for i, column in enumerate(columns)]
        return torch.relu(self.token(torch.cat(columns, 1)))


class Context(nn.Module):
    """Word vectors that know their sentence: ReLU(M [y; x] + e), with y from two layers of LSTMs in both directions."""

    def __init__(self) -> None:
        super().__init__()
        sizes = (NODE, 2 * CONTEXT)
        self.ahead = nn.ModuleList(BranchingLSTM(size, CONTEXT) for size in sizes)
        self.back = nn.ModuleList(BranchingLSTM(size, CONTEXT) for size in sizes)
        self.node = nn.Linear(2 * CONTEXT + NODE, NODE)

    def forward(self, tokens: Tensor, lengths: list[int], noise: Noise | None) -> Tensor:
        """The vectors of the words of sentences with these lengths."""
        vectors = tokens
        plans = _chains(lengths, tokens.device)
        for layer in zip(self.ahead, self.back, strict=True):
            # What the first layer reads is dropped by the LSTMs themselves, what the second reads has been dropped already.
            fresh = vectors is tokens
            states = [lstm(vectors[plan.records[:, 1]], plan, noise, len(lengths), fresh) for lstm, plan in zip(layer, plans, strict=True)]
            vectors = torch.cat([state[torch.from_numpy(plan.places[1:]).to(state.device)] for state, plan in zip(states, plans, strict=True)], 1)
        return torch.relu(self.node(torch.cat([vectors, tokens], 1)))


def _chains(lengths: list[int], device: torch.device) -> tuple[Levels, Levels]:
    """Each word after the one before it, and each before the one after it."""
    owners = np.repeat(np.arange(len(lengths)), lengths)
    ids = np.arange(1, len(owners) + 1)
    from_left = ids - np.repeat(np.cumsum([1, *lengths[:-1]]), lengths)
    from_right = np.repeat(lengths, lengths) - 1 - from_left
    sides = ((from_left, ids - 1), (from_right, ids + 1))
    left, right = (Levels.of((np.column_stack([np.where(places, next_ids, 0), ids - 1]), places, owners), 1, 1, device) for places, next_ids in sides)
    return left, right


class Network(nn.Module):
    """All parameters of a model, and the scores that they give."""

    def __init__(self, symbols: Symbols, classes: int, labels: int, *, renews_dependent: bool, encoder: str) -> None:
        super().__init__()
        self.encoder = encoder
        self.words = Words(symbols)
        self.context = Context() if encoder == "bilstm" else None
        self.special_nodes = nn.Parameter(torch.zeros(SPECIAL_NODES, NODE))
        self.labels = nn.Embedding(labels, LABEL)
        self.compose_nodes = nn.Parameter(torch.empty(NODE, (3 if renews_dependent else 2) * NODE))
        self.compose_label = nn.Linear(LABEL, NODE)
        self.stack = BranchingLSTM(NODE, STATE)
        self.actions = nn.Embedding(classes, ACTION)
        self.history = BranchingLSTM(ACTION, STATE)
        self.configuration = nn.Linear(2 * STATE + 6 * NODE, HIDDEN)
        self.score = nn.Linear(HIDDEN, classes)

    @classmethod
    def without_values(cls, symbols: Symbols, classes: int, labels: int, *, renews_dependent: bool, encoder: str) -> Network:
        """A network whose parameters have shapes, but no values yet."""
        with torch.device("meta"):
            return cls(symbols, classes, labels, renews_dependent=renews_dependent, encoder=encoder)

    def initialised(self, seed: int) -> Network:
        """The network with initial values of its parameters."""
        network = self.to_empty(device="cpu")
        network._begin(seed)
        return network

    @property
    def device(self) -> torch.device:
        """Where the parameters are."""
        return self.score.weight.device

    @property
    def composed(self) -> int:
        """How many node vectors a composition reads."""
        return self.compose_nodes.shape[1] // NODE

    def _begin(self, seed: int) -> None:
        """Give all parameters their first values: matrices by Glorot and Bengio (2010), embeddings with unit length on average, LSTMs that forget little."""
        generator = torch.Generator().manual_seed(seed)
        embeddings = {id(module.weight) for module in self.modules() if isinstance(module, nn.Embedding)}
        for name, parameter in self.named_parameters():
            if id(parameter) in embeddings or name == "special_nodes":
                nn.init.uniform_(parameter, -math.sqrt(3 / parameter.shape[1]), math.sqrt(3 / parameter.shape[1]), generator=generator)
            elif parameter.dim() > 1 and not name.endswith("bottom"):
                nn.init.xavier_uniform_(parameter, generator=generator)
            else:
                nn.init.zeros_(parameter)
        for lstm in self.modules():
            if isinstance(lstm, BranchingLSTM):
                lstm.bias.data[lstm.size : 2 * lstm.size] = 1

    def tokens(self, encoded: Encoded, spelt: Tensor, noise: Noise | None = None, once: Tensor | None = None) -> Tensor:
        """The first vectors of the words. Those marked in `once`, by the number of their form, are now and then taken for unknown ones."""
        ids = torch.from_numpy(encoded.ids).to(self.device)
        if noise is not None and once is not None:
            ids[:, 0].masked_fill_(once[ids[:, 0]] & noise.chosen(UNSEEN, len(ids)), 0)
        spelt = spelt[torch.from_numpy(encoded.which).to(self.device)]
        return self.words(ids, spelt) if self.context is None else self.context(self.words(ids, spelt, noise), encoded.lengths, noise)

    def forward(self, tokens: Tensor, unrolled: ComputationPlan, noise: Noise | None, sentences: int) -> Tensor:
        """The log-probabilities of the classes in all configurations of some derivations; those of classes that are not valid are minus infinity."""
        arcs = unrolled.compositions.records
        biases = self.compose_label(self.labels(arcs[:, 3]))
        inputs = arcs[:, : self.composed].contiguous()
        nodes = Composition.apply(torch.cat([self.special_nodes, tokens]), biases, self.compose_nodes, inputs, unrolled.compositions.bounds)
        stacks = self.stack(nodes.index_select(0, unrolled.pushes.records[:, 1]), unrolled.pushes, noise, sentences)
        histories = self.history(self.actions(unrolled.histories.records[:, 1]), unrolled.histories, noise, sentences)
        mask = None
        if self.context is not None and noise is not None and noise.dropout:
            mask = noise.mask(sentences, HIDDEN, nodes)[unrolled.owners]
        scores = self.scores(nodes, stacks, histories, unrolled.slots, mask)
        return scores.masked_fill(~unrolled.valid, -torch.inf).log_softmax(1)

    def scores(self, nodes: Tensor, stacks: Tensor, histories: Tensor, slots: Tensor, mask: Tensor | None = None) -> Tensor:
        """g p + q with p = ReLU(W [s; a; s1; s2; s3; b1; b2; b3] + e), for each row of slots; p may be masked."""
        words = nodes.index_select(0, slots[:, 2:].reshape(-1)).view(len(slots), -1)
        seen = torch.cat([stacks.index_select(0, slots[:, 0]), histories.index_select(0, slots[:, 1]), words], 1)
        hidden = torch.relu(self.configuration(seen))
        return self.score(hidden if mask is None else hidden * mask)


class Tables:
    """Node vectors and LSTM states of derivations under way, for parsing: they grow from round to round."""

    def __init__(self, network: Network, tokens: Tensor) -> None:
        self.network = network
        self.nodes = torch.cat([network.special_nodes, tokens])
        self.stacks, self.stack_cells = (row.clone().view(1, -1) for row in network.stack.bottom)
        self.histories, self.history_cells = (row.clone().view(1, -1) for row in network.history.bottom)
        self.label_biases = network.compose_label(network.labels.weight)
        self.action_gates = torch.addmm(network.history.bias, network.actions.weight, network.history.weight_in.t())
        self.ends = [len(self.nodes), 1, 1]

    @torch.inference_mode()
    def scores(self, slots: np.ndarray) -> np.ndarray:
        """The scores of all classes for each row of slots."""
        return self.network.scores(self.nodes, self.stacks, self.histories, torch.from_numpy(slots).to(self.network.device)).cpu().numpy()

    @torch.inference_mode()
    def extend(self, session: NetworkSession) -> None:
        """Compute all that the session has recorded."""
        net = self.network
        for arcs, rows in self._rounds(0, session.compositions.take()):
            self.nodes = _with_room(self.nodes, self.ends[0])
            gathered = self.nodes.index_select(0, arcs[:, : net.composed].reshape(-1)).view(len(arcs), -1)
            self.nodes[rows] = torch.addmm(self.label_biases[arcs[:, 3]], gathered, net.compose_nodes.t()).tanh_()
        for pushes, rows in self._rounds(1, session.pushes.take()):
            self.stacks, self.stack_cells = (_with_room(table, self.ends[1]) for table in (self.stacks, self.stack_cells))
            gates = torch.addmm(net.stack.bias, self.nodes.index_select(0, pushes[:, 1]), net.stack.weight_in.t())
            self.stacks[rows], self.stack_cells[rows] = net.stack.step(gates, self.stacks[pushes[:, 0]], self.stack_cells[pushes[:, 0]])
        for moves, rows in self._rounds(2, session.histories.take()):
            self.histories, self.history_cells = (_with_room(table, self.ends[2]) for table in (self.histories, self.history_cells))
            gates = self.action_gates.index_select(0, moves[:, 1])
            self.histories[rows], self.history_cells[rows] = net.history.step(gates, self.histories[moves[:, 0]], self.history_cells[moves[:, 0]])

    def _rounds(self, kind: int, taken: Taken) -> Iterator[tuple[Tensor, slice | Tensor]]:
        """The records of each level with the rows where their results belong; mostly there is one level, or none."""
        records, levels, _ = taken
        first = self.ends[kind]
        self.ends[kind] += len(records)
        for level in range(int(levels.max(initial=-1)) + 1):
            chosen = np.flatnonzero(levels == level)
            part = torch.from_numpy(records[chosen]).to(self.network.device)
            yield part, slice(first, first + len(records)) if len(chosen) == len(records) else torch.from_numpy(first + chosen).to(self.network.device)


def _with_room(table: Tensor, rows: int) -> Tensor:
    """The table with so many rows or more."""
    if rows <= len(table):
        return table
    return torch.cat([table, table.new_empty(max(rows, 2 * len(table)) - len(table), table.shape[1])])
