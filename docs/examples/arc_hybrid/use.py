"""Train a parser with arc-hybrid, save it, load it and score it."""

from arc_hybrid import ArcHybrid, ArcHybridOracle

import gardenpath as gp

gp.systems.register(ArcHybrid)
gp.oracles.register("arc-hybrid", ArcHybridOracle)

TREEBANK = "data/sample/sample"

model = gp.train(f"{TREEBANK}-train.conllu", dev=f"{TREEBANK}-dev.conllu", system="arc-hybrid", tags="gold", passes=3)
model.save("hybrid.gp")
model = gp.load("hybrid.gp")
parsed = model.parse(gp.read_conllu(f"{TREEBANK}-test.conllu"))
print(model.description["settings"]["system"], gp.evaluate(f"{TREEBANK}-test.conllu", parsed).las > 90)
