"""Random sentences and random patterns, for comparisons with the slow search."""

from gardenpath.formats.document import Sentence, Word

UPOS = ["NOUN", "VERB", "_"]
LEMMAS = ["a", "ab", "b", "_"]
LABELS = ["nsubj", "nsubj:pass", "obj", "obl:tmod", "_"]
FEATS = ["_", "Number=Sing", "Number=Plur", "Case=Nom|Number=Sing"]
MISC = ["_", "SpaceAfter=No", "Number=Dual", "Gloss=a"]
COMMENTS = [[], ["# text = a b"], ["# sent_id = s1", "# text = abc"]]


def sentence(random):
    """Return a sentence of up to five words. Heads need not be a tree: some are missing, some are part of cycles."""
    size = random.randint(1, 5)
    words = [
        Word(
            i, random.choice("ab"), random.choice(LEMMAS), random.choice(UPOS), "_", random.choice(FEATS),
            random.choice([None, *range(size + 1), 0]), random.choice(LABELS), "_", random.choice(MISC),
        )
        for i in range(1, size + 1)
    ]
    return Sentence(words, random.choice(COMMENTS))


class Writer:
    """Writes random patterns."""

    def __init__(self, random):
        self.random = random
        self.nodes, self.edges = [], []

    def pattern(self):
        blocks = [f"pattern {{ {self.clauses('XYZ')} }}"]
        nodes, edges = list(self.nodes), list(self.edges)
        for name in self.random.choices(["with", "without"], k=self.random.choice([0, 0, 1, 2])):
            self.nodes, self.edges = list(nodes), list(edges)
            blocks.append(f"{name} {{ {self.clauses([*nodes, 'U'])} }}")
        if self.random.random() < 0.2:
            blocks.append(f"global {{ {self.whole()} }}")
        self.random.shuffle(blocks)
        return " ".join(blocks)

    def whole(self):
        structure = self.random.choice(["is_", "is_not_"])
        structure += self.random.choice(["projective", "cyclic", "tree", "forest"])
        return self.random.choice([structure, "text = /a.*/", "!sent_id", 'text <> "abc"', "sent_id = s1 | s2"])

    def clauses(self, names):
        names = [name + self.random.choice(["", "", "", "$"]) if name in "XYZU" else name for name in names]
        declared = [self.declare(names) for _ in range(self.random.randint(1, 3))]
        more = [self.constraint() for _ in range(self.random.choice([0, 0, 1, 2]))]
        return "; ".join([*declared, *more])

    def declare(self, names):
        one, two = self.random.choice(names), self.random.choice(names)
        kind = self.random.randrange(4)
        if kind < 2:
            self.nodes.append(one)
            return f"{one} {self.features()}" + (f"|{self.features()}" if self.random.random() < 0.2 else "")
        self.nodes += [one, two]
        if kind == 2:
            return f"{one} {self.arrow()} {two}"
        name = f"e{len(self.edges)}_{self.random.randrange(10**6)}"
        self.edges.append(name)
        return f"{name}: {one} {self.arrow()} {two}"

    def features(self):
        return f"[{', '.join(self.feature() for _ in range(self.random.choice([0, 1, 1, 2])))}]"

    def feature(self):
        name, values = self.random.choice([
            ("upos", UPOS[:2]), ("lemma", [*LEMMAS[:3], "/a.?/", 're"a*b"']), ("form", ["a", "b", "__0__"]),
            ("Number", ["Sing", "Plur", "Dual"]), ("Case", ["Nom"]), ("Gloss", ["a", "/A/i"]),
        ])
        one, two = self.random.choice(values), self.random.choice(values)
        forms = [f"{name}={one}", f"{name}={one}|{two}", f"{name}<>{one}", f"{name}<>{one}|{two}", name, f"{name}=*"]
        return self.random.choice([*forms, f"!{name}"])

    def arrow(self):
        return self.random.choice([
            "->", "->", "-[nsubj]->", "-[nsubj|obj]->", "-[^nsubj|obj]->", "-[1=nsubj]->", "-[1=nsubj, 2=*]->",
            "-[1=nsubj, !2]->", "-[2<>pass]->", '-[re".*:.*"]->', "-[/NSUBJ.*/i]->", "-[1=nsubj|obl, 2=pass|tmod]->",
        ])

    def constraint(self):
        one, two = self.random.choice(self.nodes), self.random.choice(self.nodes)
        number, comparison = self.random.randint(-2, 3), self.random.choice(["<", "<=", "=", ">=", ">"])
        feature, sign = self.random.choice(["lemma", "form", "Number", "upos"]), self.random.choice(["=", "<>"])
        forms = [
            f"{one} < {two}", f"{one} << {two}", f"{one} > {two}", f"{one} >> {two}", f"{one} ->> {two}",
            f"{one}.{feature} {sign} {two}.{feature}", f"{one}.lemma {sign} {two}.form", f"{one}.lemma {sign} /a.*/",
            f"* {self.arrow()} {one}", f"{one} {self.arrow()} *", f"{one}.__id__ < {two}.__id__",
            f"length({one}, {two}) {comparison} {number}", f"delta({one}, {two}) {comparison} {number}",
        ]
        if self.edges:
            e, f = self.random.choice(self.edges), self.random.choice(self.edges)
            forms += [
                f"{e} >< {f}", f"{e} << {f}", f"{e} <> {f}", f"{one} << {e}", f"{e}.label {sign} {f}.label",
                f"{e}.1 {sign} {f}.1", f"{e}.label {sign} obj",
            ]
        return self.random.choice(forms)
