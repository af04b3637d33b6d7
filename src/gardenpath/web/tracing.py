"""Convert derivations to the JSON for the page that shows them."""

from __future__ import annotations

from dataclasses import asdict
from itertools import chain
from typing import Any

from gardenpath.errors import InputError
from gardenpath.files import named
from gardenpath.formats.conllu import read_conllu
from gardenpath.formats.document import Sentence
from gardenpath.formats.drawing import Arc, is_right_to_left, plain_text, showable
from gardenpath.formats.svg import to_stage
from gardenpath.parsing.derivation import POLICIES, Derivation, Tree
from gardenpath.parsing.trace import TraceStep
from gardenpath.systems import Configuration, TransitionSystem
from gardenpath.web.served import Served

_COLUMNS = ("id", "form", "lemma", "upos", "xpos", "feats")
Triple = tuple[int, int, str | None]        # an arc: head, dependent, label


def first_sentence(conllu: str) -> Sentence:
    """Read the first sentence of CoNLL-U."""
    for sentence in read_conllu(named(conllu.encode(), "conllu")):
        return sentence
    raise InputError("conllu: no sentences; give CoNLL-U with at least one sentence")


def to_response(derivation: Derivation, served: Served | None) -> dict[str, Any]:
    """Return a derivation as plain values for JSON."""
    sentence, parse = derivation.sentence, derivation.parse()
    loss = derivation.gold and _loss(derivation.trees[-1], derivation.gold)
    final = {"heads": parse.heads, "labels": [word.deprel for word in parse], "loss": loss}
    strange_tags = sorted(set(served.model.strange_tags(sentence))) if served else []
    return {
        "model": served.name if served else None, "system": derivation.system.name, "oracle": derivation.oracle,
        "gold": derivation.gold, "lifted": derivation.lifted, "strange_tags": strange_tags,
        "text": plain_text(sentence), "right_to_left": is_right_to_left(sentence),
        "words": [{name: getattr(word, name) for name in _COLUMNS} for word in sentence],
        "svg": to_stage(sentence, _all_arcs(derivation)),
        "steps": [_step(derivation, i) for i in range(len(derivation.steps))],
        "final": _state(derivation.system, derivation.final) | final,
        "conllu": parse.to_conllu(),
    }


def to_reasons(number: int, step: TraceStep) -> dict[str, Any]:
    """Return the reasons of a step as plain values for JSON."""
    comparisons = [asdict(comparison) | {"text": comparison.text} for comparison in step.reasons]
    return {"step": number, "text": step.text, "comparisons": comparisons}


def _step(derivation: Derivation, i: int) -> dict[str, Any]:
    step, before, after = derivation.steps[i], derivation.trees[i], derivation.trees[i + 1]
    is_policy = step.move in POLICIES
    return _state(derivation.system, step.configuration) | {
        "move": step.move, "label": step.label, "text": step.text, "arc": step.arc, "repair": step.repair,
        "given": step.given, "policy": is_policy, "score": step.score,
        "moves": [] if is_policy else _valid_transitions(derivation, step), "loss": step.loss,
        "added": sorted(_triples(after) - _triples(before)), "removed": sorted(_triples(before) - _triples(after)),
    }


def _state(system: TransitionSystem, c: Configuration) -> dict[str, Any]:
    """Return the words in the data structures of a configuration."""
    return {
        "stack": c.stack, "buffer": c.buffer, "lambda2": c.lambda2 if system.has_pairs else None,
        "spines": c.spines if system.has_depths else None,
    }


def _valid_transitions(derivation: Derivation, step: TraceStep) -> list[dict[str, Any]]:
    """Return the valid transitions of a step, sorted by score, cost and name."""
    system, c = derivation.system, step.configuration
    moves = [
        {
            "move": move, "label": _label(derivation, step, move), "arc": system.arc(c, move),
            "repair": system.is_repair(c, move), "score": step.scores.get(move), "cost": (step.costs or {}).get(move),
            "chosen": move == step.move,
        }
        for move in step.valid
    ]

    def rank(entry: dict[str, Any]) -> tuple[Any, ...]:
        return -(entry["score"] or 0), entry["cost"] or 0, not entry["chosen"], entry["move"]

    return sorted(moves, key=rank)


def _label(derivation: Derivation, step: TraceStep, move: str) -> str | None:
    """Return the label of a valid transition: the parser's label, or for an oracle the DEPREL of the dependent."""
    if move == step.move or move in step.labels:
        return step.label if move == step.move else step.labels[move]
    arc = derivation.system.arc(step.configuration, move)
    return derivation.sentence.words[arc[1] - 1].deprel if arc and derivation.oracle else None


def _all_arcs(derivation: Derivation) -> list[Arc]:
    """Return all arcs of all steps and of the gold tree, each with the longest of its labels."""
    labels: dict[tuple[int, int], str] = {}
    gold_heads = zip(derivation.sentence, derivation.gold or (), strict=False)
    gold: Tree = {word.id: (head, word.deprel) for word, head in gold_heads}
    for head, dependent, label in chain.from_iterable(map(_triples, [*derivation.trees, gold])):
        labels[head, dependent] = max(labels.get((head, dependent), ""), showable(label or ""), key=len)
    by_dependent = sorted(labels.items(), key=lambda item: (item[0][1], item[0][0]))
    return [Arc(head, dependent, label) for (head, dependent), label in by_dependent]


def _triples(tree: Tree) -> set[Triple]:
    return {(head, dependent, label) for dependent, (head, label) in tree.items()}


def _loss(tree: Tree, gold: list[int]) -> int:
    """Return the number of words whose final head is not gold."""
    return sum(tree.get(word, (None, None))[0] != head for word, head in enumerate(gold, 1))
