"""A derivation for the page that shows it: plain values, the picture, a table for papers."""

from __future__ import annotations

from itertools import chain
from typing import Any

from gardenpath.errors import InputError
from gardenpath.formats.conllu import read_conllu
from gardenpath.formats.document import Sentence
from gardenpath.formats.drawing import Arc, is_right_to_left, plain_text, showable
from gardenpath.formats.svg import to_stage
from gardenpath.search.derivation import POLICIES, Derivation, Tree
from gardenpath.search.trace import TraceStep
from gardenpath.systems import Configuration, TransitionSystem
from gardenpath.web.served import Served
from gardenpath.web.tasks import named

Triple = tuple[int, int, str | None]        # an arc: head, dependent, label


def first_sentence(conllu: str) -> Sentence:
    """The sentence to trace, from CoNLL-U."""
    for sentence in read_conllu(named(conllu.encode(), "conllu")):
        return sentence
    raise InputError("conllu: no sentence in it; give one, ten columns a word")


def to_answer(derivation: Derivation, served: Served | None) -> dict[str, Any]:
    """Everything that the page shows, as JSON has it."""
    sentence, parse = derivation.sentence, derivation.parse()
    loss = derivation.gold and _loss(derivation.trees[-1], derivation.gold)
    return {
        "model": served.name if served else None, "system": derivation.system.name, "oracle": derivation.oracle,
        "gold": derivation.gold, "lifted": derivation.lifted, "strange_tags": sorted(set(served.model.strange_tags(sentence))) if served else [],
        "text": plain_text(sentence), "right_to_left": is_right_to_left(sentence),
        "words": [{name: getattr(word, name) for name in ("id", "form", "lemma", "upos", "xpos")} for word in sentence],
        "svg": to_stage(sentence, _all_arcs(derivation)),
        "steps": [_step(derivation, i) for i in range(len(derivation.steps))],
        "final": _state(derivation.system, derivation.final) | {"heads": parse.heads, "labels": [word.deprel for word in parse], "loss": loss},
        "conllu": parse.to_conllu(),
    }


def _step(derivation: Derivation, i: int) -> dict[str, Any]:
    step, before, after = derivation.steps[i], derivation.trees[i], derivation.trees[i + 1]
    is_policy = step.move in POLICIES
    return _state(derivation.system, step.configuration) | {
        "move": step.move, "label": step.label, "text": step.text, "arc": step.arc, "repair": step.repair, "given": step.given, "policy": is_policy,
        "score": step.score, "moves": [] if is_policy else _moves(derivation, step), "loss": step.loss,
        "added": sorted(_triples(after) - _triples(before)), "removed": sorted(_triples(before) - _triples(after)),
    }


def _state(system: TransitionSystem, c: Configuration) -> dict[str, Any]:
    """Where the words are."""
    return {"stack": c.stack, "buffer": c.buffer, "lambda2": c.lambda2 if system.has_pairs else None, "spines": c.spines if system.has_depths else None}


def _moves(derivation: Derivation, step: TraceStep) -> list[dict[str, Any]]:
    """What can be done in the configuration, the best first: by score, by cost, by name."""
    system, c = derivation.system, step.configuration
    moves = [
        {
            "move": move, "label": _label(derivation, step, move), "arc": system.arc(c, move), "repair": system.is_repair(c, move),
            "score": step.scores.get(move), "cost": (step.costs or {}).get(move), "chosen": move == step.move,
        }
        for move in system.valid(c)
    ]
    return sorted(moves, key=lambda entry: (-(entry["score"] or 0), entry["cost"] or 0, not entry["chosen"], entry["move"]))


def _label(derivation: Derivation, step: TraceStep, move: str) -> str | None:
    """The label that a permitted move has or would have: the parser's, or that of its word in HEAD if nothing scores labels."""
    if move == step.move or move in step.labels:
        return step.label if move == step.move else step.labels[move]
    arc = derivation.system.arc(step.configuration, move)
    return derivation.sentence.words[arc[1] - 1].deprel if arc and derivation.oracle else None


def _all_arcs(derivation: Derivation) -> list[Arc]:
    """Every arc that is there at any time, or in gold, with the longest of its labels."""
    labels: dict[tuple[int, int], str] = {}
    gold: Tree = {word.id: (head, word.deprel) for word, head in zip(derivation.sentence, derivation.gold or (), strict=False)}
    for head, child, label in chain.from_iterable(map(_triples, [*derivation.trees, gold])):
        labels[head, child] = max(labels.get((head, child), ""), showable(label or ""), key=len)
    return [Arc(head, child, label) for (head, child), label in sorted(labels.items(), key=lambda item: (item[0][1], item[0][0]))]


def _triples(tree: Tree) -> set[Triple]:
    return {(head, child, label) for child, (head, label) in tree.items()}


def _loss(tree: Tree, gold: list[int]) -> int:
    """How many words have a wrong head in the end."""
    return sum(tree.get(word, (None, None))[0] != head for word, head in enumerate(gold, 1))
