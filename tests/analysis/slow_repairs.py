"""A slow twin of the analysis of repairs, from the arcs before and after each transition and the definitions."""

from __future__ import annotations

from collections import Counter
from copy import deepcopy

import gardenpath as gp
from brute import REORDERING, ROOT_FIRST, Mode, twin_of
from gardenpath.analysis.repairs import RepairCounts


def recount(model: gp.Model, sentences: list[gp.Sentence]) -> RepairCounts:
    """Count transitions, arcs, and the arcs that they replace."""
    counts = RepairCounts()
    for sentence in sentences:
        counts.sentences += 1
        twin = twin_of(Mode(model.system, model.system in ROOT_FIRST + REORDERING), len(sentence))
        gold = set(enumerate(sentence.heads, 1))
        for step in model.trace(sentence, policy=False):
            counts.moves += 1
            counts.repairs += twin.is_repair(step.move)
            before = set(twin.head.items())
            twin.apply(step.move)
            if step.arc is None:
                assert before <= set(twin.head.items())
                continue
            arc, gone = step.arc[::-1], before - set(twin.head.items())
            assert arc in twin.head.items() - before
            counts.arcs += 1
            if gone:
                counts.replacing += 1
                counts.gold += arc in gold
                counts.harmful += arc not in gold and bool(gone & gold)
    return counts


def learnt_from(name: str, c, gold: dict[int, int], costs: dict[str, int]) -> set[str]:
    """Return the transitions that training accepts in the arc-eager family.

    These are the transitions without cost, except those that the documented tables drop.
    """
    s, below, b = c.stack[-1], c.stack[-2] if len(c.stack) > 1 else None, c.buffer[0] if c.buffer else None
    free = [word for word in c.stack if word and c.heads[word - 1] == -1]
    if name == "arc-eager-unshift":
        drops = {
            "shift": gold.get(b) in c.stack or any(gold[word] == b for word in free),
            "unshift": gold[s] not in c.stack and not any(gold[word] == s for word in free),
        }
    else:
        drops = {"shift": gold.get(b) == s, "reduce": s in free and gold[s] != below}
    drops |= {"right-arc": gold.get(b) in c.buffer[1:], "left-arc": s not in free and gold[s] != b}
    optimal = {move for move, cost in costs.items() if not cost}
    return {move for move in optimal if not drops.get(move)} or optimal


def outcome(made: str, repair: str, costs: dict[str, int], accepted: set[str], builds_wrong_arc: bool) -> str:
    """Return the one outcome whose definition holds."""
    is_right, loses = repair in accepted and not builds_wrong_arc, costs[made] > min(costs.values())
    [fits] = [name for name, holds in {
        "true_positive": made == repair and is_right and not loses,
        "false_positive": made == repair and loses,
        "even": made == repair and not is_right and not loses,
        "false_negative": made != repair and is_right and made not in accepted,
        "true_negative": made != repair and not loses and (made in accepted or not is_right),
        "other": made != repair and loses and not is_right,
    }.items() if holds]
    return fits


def arc_of(c, move: str) -> tuple[int, int] | None:
    """Return head and dependent of the arc that a repair builds, by the definitions of the systems."""
    if move == "unshift":
        return None
    if move == "reduce":
        return c.stack[-2], c.stack[-1]
    return (c.buffer[0], c.stack[-1]) if move == "left-arc" else (c.stack[-1], c.buffer[0])


def reanalyse(
    model: gp.Model, sentences: list[gp.Sentence], punctuation: bool
) -> tuple[dict[str, Counter], Counter, int]:
    """Return outcomes by kind, changes of labels (old, new, head right, label right) and the gain.

    They come from the twin and from the costs that the oracle returns to Python.
    """
    kinds = {kind: Counter() for kind in model.parser.system.repairing}
    labels, gain = Counter(), 0
    oracle = gp.oracles.of(model.parser.system, "pc-upper" if model.system == "covington-nm" else "dynamic")
    for sentence in sentences:
        gold = sentence.heads if oracle.derives(sentence.heads) else gp.trees.projectivise(sentence.heads)
        twin = twin_of(Mode(model.system, model.system in ROOT_FIRST + REORDERING), len(sentence))
        for step in model.trace(sentence, policy=False):
            c, permitted = step.configuration, twin.valid()
            for move in permitted:
                if not twin.is_repair(move):
                    continue
                arc = arc_of(c, move)
                word = arc[1] if arc else c.stack[-1]
                if not punctuation and sentence.words[word - 1].upos == "PUNCT":
                    continue
                if len(permitted) > 1:
                    is_wrong = arc is not None and gold[word - 1] != arc[0]
                    accepted = set(oracle.training(c, gold))
                    kinds[move][outcome(step.move, move, oracle.costs(c, gold), accepted, is_wrong)] += 1
                if move == step.move:
                    after = deepcopy(twin).apply(move, step.label)
                    missing = 0 if model.system == "covington-nm" else None
                    gain += sum(after.head.get(i, missing) == head for i, head in enumerate(gold, 1))
                    gain -= sum(twin.head.get(i, missing) == head for i, head in enumerate(gold, 1))
                    if arc:
                        is_right = gold[word - 1] == arc[0]
                        is_right_label = is_right and sentence.words[word - 1].deprel == step.label
                        labels[twin.label.get(word), step.label, is_right, is_right_label] += 1
            twin.apply(step.move, step.label)
    return kinds, labels, gain
