"""A slow implementation of the stack-LSTM: one sentence at a time, all LSTMs run from the start at every step."""

from __future__ import annotations

from typing import NamedTuple

import torch

import gardenpath as gp
from gardenpath.neural.network import SPECIAL_NODES

NO_STACK_WORD, NO_BUFFER_WORD, ROOT = range(SPECIAL_NODES)
LEFT, RIGHT = ("left-arc", "left-arc:2", "stay-left"), ("right-arc", "right-arc:2", "stay-right")
HEAD_ONLY = ("arc-standard", "attardi", "swap")


class Rejected(NamedTuple):
    """An arc that was scored and not built."""

    margin: float       # its score minus that of the transition that was made
    head: int
    label: str


class SlowParse(NamedTuple):
    """A derivation: its final configuration, its scored classes, and what the single-root policy needs."""

    c: gp.systems.Configuration
    chosen: list[int]                                       # the classes of the scored transitions
    scored: list[tuple[list[int], torch.Tensor]]            # the valid classes and their log-probabilities
    labels: dict[int, str]                                  # by word: the best label of a right-arc when it was pushed
    rejected: dict[int, Rejected]                           # by word: the best rejected arc

    def with_one_root(self, has_pairs: bool):
        """Return heads and labels after the single-root policy."""
        heads, labels = self.c.heads, self.c.labels
        first, *others = roots = [word for word, head in enumerate(heads, 1) if head == 0]
        if has_pairs and others:
            first = min(roots, key=lambda word: self.rejected[word].margin)
        for word in roots:
            if word == first:
                continue
            head, label = self.rejected[word][1:] if has_pairs else (first, self.labels[word])
            heads[word - 1], labels[word - 1] = first if word in ancestors(heads, head) else head, label
        return heads, labels


def ancestors(heads, word):
    """Return the word and the words on the path to its root."""
    return [word, *ancestors(heads, heads[word - 1])] if word else []


class SlowParser:
    """Walks a system through its Python interface and scores its transitions with the parameters of a network."""

    def __init__(self, network, system, classes):
        self.network, self.system, self.classes = network, system, classes
        self.numbers = self._numbered()

    def _numbered(self):
        """Return the number of the first class and the labels of each group: transitions in order, root arcs last."""
        left, right, root = (sorted(self.classes.inventories[kind]) for kind in ("left", "right", "root"))
        left, right = left or right or root, right or left or root
        if self.system.reorders:
            left = right = sorted({*left, *right})
        groups, first = {}, 0
        for group in (*self.system.moves, "root"):
            labels = left if group in LEFT else right if group in RIGHT else root if group == "root" else [None]
            if group == "right-root":
                labels = self.classes.inventories["root"][:1]
            if group == "unshift":
                labels = []
            groups[group] = (first, labels)
            first += len(labels)
        return groups

    def group(self, c, move):
        if move == "unshift":
            return "reduce"
        return "root" if move != "right-root" and self.arc(c, move)[0] == 0 else move

    def arc(self, c, move):
        """The head and the child of the arc that a move builds, found out by making it; without one, None twice."""
        after = c.copy()
        self.system.apply(after, move, label="?")
        changed = [word for word, label in enumerate(after.labels, 1) if label == "?"]
        if move == "reduce" and not changed:
            changed = [word for word in range(1, len(c) + 1) if c.heads[word - 1] == -1 and after.heads[word - 1] != -1]
        ended_in_root = (
            self.system.is_final(after)
            and self.system.name in ("arc-eager-unshift", "arc-eager-tree")
            and move == "reduce"
        )
        return (after.heads[changed[0] - 1], changed[0]) if changed and not ended_in_root else (None, None)

    def choices(self, c):
        """The class numbers that are valid, each with its move and label, in order."""
        found = {}
        for move in self.system.valid(c):
            first, labels = self.numbers[self.group(c, move)]
            found |= {first + i: (move, label) for i, label in enumerate(labels)}
        return dict(sorted(found.items()))

    def run(self, lstm, inputs):
        h, c = lstm.bottom
        for x in inputs:
            i, f, o, g = (lstm.weight_in @ x + lstm.weight_back @ h + lstm.bias).chunk(4)
            c = f.sigmoid() * c + i.sigmoid() * g.tanh()
            h = o.sigmoid() * c.tanh()
        return h

    def scores(self, c, nodes, history):
        net, special = self.network, self.network.special_nodes
        words = [[nodes[word] for word in c.stack[::-1][:3]], [nodes[word] for word in c.buffer[:3]]]
        slots = [
            *words[0],
            *[special[NO_STACK_WORD]] * (3 - len(words[0])),
            *words[1],
            *[special[NO_BUFFER_WORD]] * (3 - len(words[1])),
        ]
        stack = self.run(net.stack, [nodes[word] for word in c.stack])
        actions = self.run(net.history, [net.actions.weight[number] for number in history])
        return net.score(torch.relu(net.configuration(torch.cat([stack, actions, *slots]))))

    def compose(self, nodes, head, child, label):
        net = self.network
        h, d, bias = nodes[head], nodes[child], net.compose_label(net.labels.weight[self.classes.labels.index(label)])
        if self.system.name in HEAD_ONLY:
            nodes[head] = torch.tanh(net.compose_nodes @ torch.cat([h, d]) + bias)
            return
        nodes[head] = torch.tanh(net.compose_nodes @ torch.cat([h, d, h]) + bias)
        nodes[child] = torch.tanh(net.compose_nodes @ torch.cat([h, d, d]) + bias)

    def parse(self, tokens, wanted=None):
        """Parse greedily or, with `wanted`, with the classes that it chooses."""
        c, history, chosen, scored, remembered, rejected = self.system.initial(len(tokens)), [], [], [], {}, {}
        nodes = dict(enumerate([self.network.special_nodes[ROOT], *tokens]))
        while not self.system.is_final(c):
            choices = self.choices(c)
            number = next(iter(choices))
            if len(choices) > 1:
                scores = self.scores(c, nodes, history)
                scored.append((list(choices), torch.stack([scores[i] for i in choices]).log_softmax(0)))
                number = wanted(c, choices) if wanted else max(choices, key=lambda i: (scores[i].item(), -i))
                chosen.append(number)
                self._remember(c, scores, remembered)
                self._reject(c, choices, scores, number, rejected)
            move, label = choices[number]
            head, child = self.arc(c, move)
            self.system.apply(c, move, label=label)
            if head is not None:
                self.compose(nodes, head, child, c.labels[child - 1])
            if (self.system.name, move) != ("stay-eager", "unshift"):
                history.append(number)
        return SlowParse(c, chosen, scored, remembered, rejected)

    def _remember(self, c, scores, remembered):
        if self.system.remembers_labels and c.buffer and c.buffer[0]:
            first, labels = self.numbers["right-arc"]
            remembered[c.buffer[0]] = labels[int(scores[first : first + len(labels)].argmax())]
            c.remember(c.buffer[0], remembered[c.buffer[0]])

    def _reject(self, c, choices, scores, number, rejected):
        """Keep the best arcs to each word that were scored and not built."""
        for other, (move, label) in choices.items():
            if move in ("left-arc", "right-arc") and move != choices[number][0]:
                head, child = self.arc(c, move)
                margin = (scores[other] - scores[number]).item()
                if child not in rejected or margin > rejected[child].margin:
                    rejected[child] = Rejected(margin, head, label)


def by_oracle(parser, oracle, gold):
    """Return a function that chooses the transition that the oracle accepts, with the gold label."""
    heads, labels = gold

    def wanted(c, choices):
        (move,) = oracle.training(c, heads)
        head, child = parser.arc(c, move)
        label = labels[child - 1] if head is not None else None
        return next(number for number, (name, given) in choices.items() if name == move and given in (None, label))

    return wanted


def words_of(rng, n):
    """Return words of a small language."""
    forms, tags = [rng.choice("abcde") * rng.randint(1, 3) for _ in range(n)], ("NOUN", "VERB", "ADJ")
    return [
        gp.Word(i, form, upos=rng.choice(tags), xpos=rng.choice(tags), feats=rng.choice("_xyz"))
        for i, form in enumerate(forms, 1)
    ]
