"""Train a parser with arc-hybrid, save it, load it and score it."""

from arc_hybrid import ArcHybrid, ArcHybridOracle
from arc_hybrid_python import ArcHybrid as ArcHybridPython

import gardenpath as gp

gp.systems.register(ArcHybrid)
gp.oracles.register("arc-hybrid", ArcHybridOracle)

TREEBANK = "data/sample/sample"


def parsed_by(system):
    """Train a parser, save it, load it, and return the parsed test set."""
    train, dev = f"{TREEBANK}-train.conllu", f"{TREEBANK}-dev.conllu"
    gp.train(train, dev=dev, system=system, tags="gold", passes=3).save("hybrid.gp")
    return gp.load("hybrid.gp").parse(gp.read_conllu(f"{TREEBANK}-test.conllu"))


parsed = parsed_by("arc-hybrid")
print("LAS above 90:", gp.evaluate(f"{TREEBANK}-test.conllu", parsed).las > 90)
print("Same trees in plain Python:", [s.heads for s in parsed] == [s.heads for s in parsed_by(ArcHybridPython.name)])
