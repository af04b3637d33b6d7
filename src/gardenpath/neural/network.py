"""The network of Kohita, Noji and Matsumoto (2017): word vectors, a stack LSTM, a history LSTM, and scores.

The formulas use the symbols of the paper: [a; b] is concatenation, ⊙ the element-wise product, e a bias. The sizes are
those of the paper where it gives them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence

from gardenpath.neural.levels import Composition, Levels, Recurrence, Taken, activate_gates, next_state
from gardenpath.neural.session import NetworkSession
from gardenpath.neural.symbols import CHARACTERS, COLUMNS, UNKNOWN, Encoded, Symbols
from gardenpath.neural.unroll import Unrolled

EMBEDDING_DIMS = dict(zip(COLUMNS, (100, 50, 50, 50), strict=True))     # w, t, tx, f
CHARACTER_EMBEDDING_DIM = 32
CHARACTER_HIDDEN_SIZE = 32      # of each direction of the character LSTM
CHARACTER_VECTOR_SIZE = 32      # of w_ch
NODE_SIZE = 100                 # of x and of the node vectors
LSTM_HIDDEN_SIZE = 100          # of s and a
HIDDEN_SIZE = 100               # of p
CLASS_EMBEDDING_DIM = 20
LABEL_EMBEDDING_DIM = 20
BILSTM_HIDDEN_SIZE = 200        # of each direction of the sentence LSTM
SPECIAL_NODES = 3               # no stack word, no buffer word, root
INPUTS = 8                      # vectors that describe a configuration: s, a, s1, s2, s3, b1, b2, b3
LARGEST = 1e30                  # score of a class that overflows
UNKNOWN_PROBABILITY = 0.5       # that training replaces a form seen once by the unknown form


@dataclass(frozen=True, slots=True)
class ComputationPlan:
    """The computations that score the configurations of several derivations, sorted by level."""

    compositions: Levels
    pushes: Levels      # steps of the stack LSTM
    histories: Levels   # steps of the history LSTM
    inputs: Tensor      # by configuration: the ids of a state of the stack, a state of the history, and six nodes
    classes: Tensor     # by configuration: the gold class
    valid: Tensor       # by configuration: whether each class is valid
    owners: Tensor      # by configuration: the number of its sentence

    @classmethod
    def of(cls, unrolled: Unrolled, device: torch.device) -> ComputationPlan:
        """Sort the recorded computations by level."""
        session = unrolled.recorded
        compositions = Levels.of(session.compositions.take(), SPECIAL_NODES + sum(session.lengths), 3, device)
        pushes = Levels.of(session.pushes.take(), 1, 1, device)
        histories = Levels.of(session.histories.take(), 1, 1, device)
        pushes.records[:, 1] = torch.from_numpy(compositions.places).to(device)[pushes.records[:, 1]]
        records, _, owners = unrolled.steps.take()
        inputs = np.column_stack([
            pushes.places[records[:, 0]], histories.places[records[:, 1]], compositions.places[records[:, 2:INPUTS]],
        ])
        arrays = (inputs, records[:, INPUTS], unrolled.valid, owners)
        return cls(compositions, pushes, histories, *(torch.from_numpy(array).to(device) for array in arrays))


class Dropout:
    """Dropout masks from a random generator of its own. All random numbers of an epoch come from this generator."""

    def __init__(self, probability: float, seed: int, device: torch.device) -> None:
        self.probability = probability
        self.generator = torch.Generator(device).manual_seed(seed)

    def mask(self, rows: int, size: int, like: Tensor) -> Tensor:
        """Return a mask of zeros and 1 / (1 - probability) for each row."""
        kept = torch.rand(rows, size, generator=self.generator, device=like.device) >= self.probability
        return kept.to(like.dtype) / (1 - self.probability)

    def draw(self, probability: float, size: int) -> Tensor:
        """Return booleans that are true with this probability."""
        return torch.rand(size, generator=self.generator, device=self.generator.device) < probability


class BranchingLSTM(nn.Module):
    """An LSTM that can continue from any earlier state.

    After a pop, the stack LSTM continues from the state below. Derivations in a beam share the states of their prefix.
    """

    def __init__(self, input_size: int, hidden_size: int) -> None:
        super().__init__()
        self.hidden_size = hidden_size
        self.weight_in = nn.Parameter(torch.empty(4 * hidden_size, input_size))         # W
        self.weight_back = nn.Parameter(torch.empty(4 * hidden_size, hidden_size))      # R
        self.bias = nn.Parameter(torch.zeros(4 * hidden_size))
        self.bottom = nn.Parameter(torch.zeros(2, hidden_size))                         # output and cell at the start

    def forward(
        self, inputs: Tensor, plan: Levels, dropout: Dropout | None, sentences: int, drop_inputs: bool = True,
    ) -> Tensor:
        """Return the outputs of all states, first the initial one.

        Dropout has one mask per sentence for the outputs and, with `drop_inputs`, one for the inputs.
        """
        mask = None
        if dropout is not None and dropout.probability:
            if drop_inputs:
                inputs = inputs * dropout.mask(sentences, inputs.shape[1], inputs)[plan.owners]
            mask = dropout.mask(sentences, self.hidden_size, inputs)[plan.owners]
        gates = torch.addmm(self.bias, inputs, self.weight_in.t())
        return Recurrence.apply(gates, self.weight_back, self.bottom, plan.records[:, 0], mask, plan.bounds)

    def step(self, gates: Tensor, outputs: Tensor, cells: Tensor) -> tuple[Tensor, Tensor]:
        """Return the outputs and cells after one step from each of several states.

        `gates` holds W x + b for each state and is overwritten.
        """
        gates.addmm_(outputs, self.weight_back.t())
        activate_gates(gates, self.hidden_size)
        return next_state(gates, cells, self.hidden_size)


class WordEncoder(nn.Module):
    """Word vectors from form, tags, features and characters: x = ReLU(V [w; t; tx; f; w_ch] + e_x)."""

    def __init__(self, symbols: Symbols) -> None:
        super().__init__()
        self.symbols = symbols
        self.tables = nn.ModuleList(nn.Embedding(symbols.size(column), EMBEDDING_DIMS[column]) for column in COLUMNS)
        self.characters = nn.Embedding(symbols.size(CHARACTERS), CHARACTER_EMBEDDING_DIM)
        self.spelling = nn.LSTM(CHARACTER_EMBEDDING_DIM, CHARACTER_HIDDEN_SIZE, batch_first=True, bidirectional=True)
        self.form = nn.Linear(2 * CHARACTER_HIDDEN_SIZE, CHARACTER_VECTOR_SIZE)
        self.token = nn.Linear(sum(EMBEDDING_DIMS.values()) + CHARACTER_VECTOR_SIZE, NODE_SIZE)

    def spell(self, forms: list[str]) -> Tensor:
        """Return w_ch = C [c→; c←] + e_c for each form, from the last states of the character LSTMs."""
        spelt, lengths = self.symbols.spell(forms)
        vectors = self.characters(torch.from_numpy(spelt).to(self.token.weight.device))
        packed = pack_padded_sequence(vectors, torch.from_numpy(lengths), batch_first=True, enforce_sorted=False)
        _, (last, _) = self.spelling(packed)
        return self.form(torch.cat([last[0], last[1]], 1))

    def forward(self, ids: Tensor, spelt: Tensor, dropout: Dropout | None = None) -> Tensor:
        """Return x for words with these symbol numbers and these w_ch. Dropout drops whole columns of a word."""
        columns = [*(table(ids[:, i]) for i, table in enumerate(self.tables)), spelt]
        if dropout is not None and dropout.probability:
            kept = dropout.mask(len(ids), len(columns), spelt)
            columns = [column * kept[:, i : i + 1] for i, column in enumerate(columns)]
        return torch.relu(self.token(torch.cat(columns, 1)))


class SentenceEncoder(nn.Module):
    """Word vectors in context: v = ReLU(M [y; x] + e_m), where y is the output of two layers of bidirectional LSTMs."""

    def __init__(self) -> None:
        super().__init__()
        sizes = (NODE_SIZE, 2 * BILSTM_HIDDEN_SIZE)
        self.ahead = nn.ModuleList(BranchingLSTM(size, BILSTM_HIDDEN_SIZE) for size in sizes)
        self.back = nn.ModuleList(BranchingLSTM(size, BILSTM_HIDDEN_SIZE) for size in sizes)
        self.node = nn.Linear(2 * BILSTM_HIDDEN_SIZE + NODE_SIZE, NODE_SIZE)

    def forward(self, tokens: Tensor, lengths: list[int], dropout: Dropout | None) -> Tensor:
        """Return v for the words of sentences with these lengths."""
        vectors = tokens
        plans = _chains(lengths, tokens.device)
        for layer in zip(self.ahead, self.back, strict=True):
            # The inputs of the second layer are outputs of the first one, which already have dropout.
            is_first = vectors is tokens
            states = [
                lstm(vectors[plan.records[:, 1]], plan, dropout, len(lengths), drop_inputs=is_first)
                for lstm, plan in zip(layer, plans, strict=True)
            ]
            vectors = torch.cat([
                state[torch.from_numpy(plan.places[1:]).to(state.device)]
                for state, plan in zip(states, plans, strict=True)
            ], 1)
        return torch.relu(self.node(torch.cat([vectors, tokens], 1)))


def _chains(lengths: list[int], device: torch.device) -> tuple[Levels, Levels]:
    """Return the plans of an LSTM that reads each sentence from left to right, and of one from right to left."""
    owners = np.repeat(np.arange(len(lengths)), lengths)
    ids = np.arange(1, len(owners) + 1)
    from_left = ids - np.repeat(np.cumsum([1, *lengths[:-1]]), lengths)
    from_right = np.repeat(lengths, lengths) - 1 - from_left
    left, right = (
        Levels.of((np.column_stack([np.where(levels, parents, 0), ids - 1]), levels, owners), 1, 1, device)
        for levels, parents in ((from_left, ids - 1), (from_right, ids + 1))
    )
    return left, right


class Network(nn.Module):
    """All parameters of a model, and the scores that they give."""

    def __init__(self, symbols: Symbols, classes: int, labels: int, *, renews_dependent: bool, encoder: str) -> None:
        super().__init__()
        self.encoder = encoder
        self.words = WordEncoder(symbols)
        self.context = SentenceEncoder() if encoder == "bilstm" else None
        self.special_nodes = nn.Parameter(torch.zeros(SPECIAL_NODES, NODE_SIZE))
        self.labels = nn.Embedding(labels, LABEL_EMBEDDING_DIM)
        # U is stored in two parts: one for the node vectors, one for the label.
        self.compose_nodes = nn.Parameter(torch.empty(NODE_SIZE, (3 if renews_dependent else 2) * NODE_SIZE))
        self.compose_label = nn.Linear(LABEL_EMBEDDING_DIM, NODE_SIZE)
        self.stack = BranchingLSTM(NODE_SIZE, LSTM_HIDDEN_SIZE)
        self.actions = nn.Embedding(classes, CLASS_EMBEDDING_DIM)
        self.history = BranchingLSTM(CLASS_EMBEDDING_DIM, LSTM_HIDDEN_SIZE)
        self.configuration = nn.Linear(2 * LSTM_HIDDEN_SIZE + 6 * NODE_SIZE, HIDDEN_SIZE)
        self.score = nn.Linear(HIDDEN_SIZE, classes)

    @classmethod
    def without_values(
        cls, symbols: Symbols, classes: int, labels: int, *, renews_dependent: bool, encoder: str,
    ) -> Network:
        """Return a network whose parameters have shapes, but no values yet."""
        with torch.device("meta"):
            return cls(symbols, classes, labels, renews_dependent=renews_dependent, encoder=encoder)

    def initialised(self, seed: int) -> Network:
        """Return the network with initialised parameters."""
        network = self.to_empty(device="cpu")
        network._initialise(seed)
        return network

    @property
    def device(self) -> torch.device:
        """The device of the parameters."""
        return self.score.weight.device

    @property
    def composed(self) -> int:
        """The number of node vectors that a composition reads."""
        return self.compose_nodes.shape[1] // NODE_SIZE

    def _initialise(self, seed: int) -> None:
        """Initialise all parameters.

        Matrices: Glorot and Bengio (2010). Embeddings: unit length on average. Biases: 0, but 1 for the forget gates.
        """
        generator = torch.Generator().manual_seed(seed)
        embeddings = {id(module.weight) for module in self.modules() if isinstance(module, nn.Embedding)}
        for name, parameter in self.named_parameters():
            if id(parameter) in embeddings or name == "special_nodes":
                bound = math.sqrt(3 / parameter.shape[1])
                nn.init.uniform_(parameter, -bound, bound, generator=generator)
            elif parameter.dim() > 1 and not name.endswith("bottom"):
                nn.init.xavier_uniform_(parameter, generator=generator)
            else:
                nn.init.zeros_(parameter)
        for lstm in self.modules():
            if isinstance(lstm, BranchingLSTM):
                lstm.bias.data[lstm.hidden_size : 2 * lstm.hidden_size] = 1

    def tokens(
        self, encoded: Encoded, spelt: Tensor, dropout: Dropout | None = None, once: Tensor | None = None,
    ) -> Tensor:
        """Return the initial node vectors of the words.

        `spelt` has w_ch for each distinct form. In training, forms that are marked in `once` are randomly replaced by
        the unknown form.
        """
        ids = torch.from_numpy(encoded.ids).to(self.device)
        if dropout is not None and once is not None:
            ids[:, 0].masked_fill_(once[ids[:, 0]] & dropout.draw(UNKNOWN_PROBABILITY, len(ids)), UNKNOWN)
        spelt = spelt[torch.from_numpy(encoded.which).to(self.device)]
        if self.context is None:
            return self.words(ids, spelt)
        return self.context(self.words(ids, spelt, dropout), encoded.lengths, dropout)

    def forward(self, tokens: Tensor, plan: ComputationPlan, dropout: Dropout | None, sentences: int) -> Tensor:
        """Return log P(z|c) for all classes z and all configurations c of a plan; minus infinity if z is not valid."""
        arcs = plan.compositions.records
        biases = self.compose_label(self.labels(arcs[:, 3]))
        inputs = arcs[:, : self.composed].contiguous()
        given = torch.cat([self.special_nodes, tokens])
        nodes = Composition.apply(given, biases, self.compose_nodes, inputs, plan.compositions.bounds)
        stacks = self.stack(nodes.index_select(0, plan.pushes.records[:, 1]), plan.pushes, dropout, sentences)
        histories = self.history(self.actions(plan.histories.records[:, 1]), plan.histories, dropout, sentences)
        mask = None
        if self.context is not None and dropout is not None and dropout.probability:
            mask = dropout.mask(sentences, HIDDEN_SIZE, nodes)[plan.owners]
        scores = self.scores(nodes, stacks, histories, plan.inputs, mask)
        return scores.masked_fill(~plan.valid, -torch.inf).log_softmax(1)

    def scores(
        self, nodes: Tensor, stacks: Tensor, histories: Tensor, inputs: Tensor, mask: Tensor | None = None,
    ) -> Tensor:
        """Return g_z p + q_z for all classes z, with p = ReLU(W [s; a; s1; s2; s3; b1; b2; b3] + e_p).

        A row of `inputs` has the ids of the eight vectors. p is multiplied by `mask`.
        """
        words = nodes.index_select(0, inputs[:, 2:].reshape(-1)).view(len(inputs), -1)
        vectors = torch.cat([stacks.index_select(0, inputs[:, 0]), histories.index_select(0, inputs[:, 1]), words], 1)
        hidden = torch.relu(self.configuration(vectors))
        return self.score(hidden if mask is None else hidden * mask)


class Tables:
    """The node vectors and LSTM states of derivations in inference. The tables grow with every round of the search."""

    def __init__(self, network: Network, tokens: Tensor) -> None:
        self.network = network
        self.nodes = torch.cat([network.special_nodes, tokens])
        self.stacks, self.stack_cells = (row.clone().view(1, -1) for row in network.stack.bottom)
        self.histories, self.history_cells = (row.clone().view(1, -1) for row in network.history.bottom)
        self.label_biases = network.compose_label(network.labels.weight)
        self.action_gates = torch.addmm(network.history.bias, network.actions.weight, network.history.weight_in.t())
        self.ends = [len(self.nodes), 1, 1]

    @torch.inference_mode()
    def scores(self, inputs: np.ndarray) -> np.ndarray:
        """Return the scores of all classes for each row of `inputs`. They are finite, whatever the parameters are."""
        ids = torch.from_numpy(inputs).to(self.network.device)
        scores = self.network.scores(self.nodes, self.stacks, self.histories, ids)
        return scores.nan_to_num_(-LARGEST, LARGEST, -LARGEST).cpu().numpy()

    @torch.inference_mode()
    def extend(self, session: NetworkSession) -> None:
        """Compute everything that the session has recorded."""
        net = self.network
        for arcs, rows in self._rounds(0, session.compositions.take()):
            self.nodes = _with_room(self.nodes, self.ends[0])
            gathered = self.nodes.index_select(0, arcs[:, : net.composed].reshape(-1)).view(len(arcs), -1)
            self.nodes[rows] = torch.addmm(self.label_biases[arcs[:, 3]], gathered, net.compose_nodes.t()).tanh_()
        for pushes, rows in self._rounds(1, session.pushes.take()):
            self.stacks, self.stack_cells = (
                _with_room(table, self.ends[1]) for table in (self.stacks, self.stack_cells)
            )
            below, nodes = pushes[:, 0], self.nodes.index_select(0, pushes[:, 1])
            gates = torch.addmm(net.stack.bias, nodes, net.stack.weight_in.t())
            self.stacks[rows], self.stack_cells[rows] = net.stack.step(
                gates, self.stacks[below], self.stack_cells[below],
            )
        for actions, rows in self._rounds(2, session.histories.take()):
            self.histories, self.history_cells = (
                _with_room(table, self.ends[2]) for table in (self.histories, self.history_cells)
            )
            before, gates = actions[:, 0], self.action_gates.index_select(0, actions[:, 1])
            self.histories[rows], self.history_cells[rows] = net.history.step(
                gates, self.histories[before], self.history_cells[before],
            )

    def _rounds(self, kind: int, taken: Taken) -> Iterator[tuple[Tensor, slice | Tensor]]:
        """Yield the records of each level and the rows for their results. Usually, there is at most one level."""
        records, levels, _ = taken
        first = self.ends[kind]
        self.ends[kind] += len(records)
        for level in range(int(levels.max(initial=-1)) + 1):
            chosen = np.flatnonzero(levels == level)
            part = torch.from_numpy(records[chosen]).to(self.network.device)
            if len(chosen) == len(records):
                yield part, slice(first, first + len(records))
            else:
                yield part, torch.from_numpy(first + chosen).to(self.network.device)


def _with_room(table: Tensor, rows: int) -> Tensor:
    """Return the table with at least this number of rows."""
    if rows <= len(table):
        return table
    return torch.cat([table, table.new_empty(max(rows, 2 * len(table)) - len(table), table.shape[1])])
