"""Words with their columns, and phrases that are extended to the left and to the right of a head."""

from __future__ import annotations

from collections.abc import Iterable

from inflection import gerund, participle, past, plural, third

AGREEMENT = {1: "Number={n}|Person=1", 2: "Number={n}|Person=2", 3: "Number={n}|Person=3"}


class Node:
    """A word: its columns, its head, and whether it is joined to the next word."""

    def __init__(self, form: str, lemma: str, upos: str, xpos: str, feats: str = "_") -> None:
        self.form, self.lemma, self.upos, self.xpos, self.feats = form, lemma, upos, xpos, feats
        self.head: Node | None = None
        self.deprel = "root"
        self.space_after = True
        self.joined = False
        self.empty: Node | None = None
        self.enhanced: tuple[Node, str] | None = None

    def attach(self, head: Node, deprel: str) -> Node:
        """Attach this node to a head."""
        self.head, self.deprel = head, deprel
        return self


class Phrase:
    """Nodes in order, their head, and the number and person for agreement."""

    def __init__(self, head: Node, number: str = "Sing", person: int = 3, kind: str = "") -> None:
        self.head, self.nodes = head, [head]
        self.number, self.person, self.kind = number, person, kind

    def before(self, other: Node | Phrase, deprel: str) -> Phrase:
        """Add another phrase in front and attach it to the head."""
        self.nodes[:0] = nodes_of(other)
        head_of(other).attach(self.head, deprel)
        return self

    def after(self, other: Node | Phrase, deprel: str) -> Phrase:
        """Add another phrase at the end and attach it to the head."""
        self.nodes += nodes_of(other)
        head_of(other).attach(self.head, deprel)
        return self

    def comma(self, head: Node | None = None) -> Phrase:
        """Add a comma at the end."""
        self.nodes.append(punct(",").attach(head or self.head, "punct"))
        return self


def head_of(other: Node | Phrase) -> Node:
    """Return the head of a phrase, or the node itself."""
    return other if isinstance(other, Node) else other.head


def nodes_of(other: Node | Phrase) -> list[Node]:
    """Return the nodes of a phrase, or the node itself, in order."""
    return [other] if isinstance(other, Node) else other.nodes


def feats(*pairs: str) -> str:
    """Join features in the order that CoNLL-U requires."""
    return "|".join(sorted("|".join(pair for pair in pairs if pair).split("|"), key=str.lower))


def punct(form: str) -> Node:
    """Make a punctuation mark."""
    return Node(form, form, "PUNCT", form if form in {",", "."} else ".")


def noun(lemma: str, number: str = "Sing") -> Node:
    """Make a noun."""
    form, xpos = (lemma, "NN") if number == "Sing" else (plural(lemma), "NNS")
    return Node(form, lemma, "NOUN", xpos, f"Number={number}")


def name(form: str) -> Node:
    """Make a proper noun."""
    return Node(form, form, "PROPN", "NNP", "Number=Sing")


def adjective(form: str) -> Node:
    """Make an adjective."""
    return Node(form, form, "ADJ", "JJ", "Degree=Pos")


def adverb(form: str) -> Node:
    """Make an adverb."""
    return Node(form, form, "ADV", "RB")


def preposition(form: str) -> Node:
    """Make a preposition."""
    return Node(form, form, "ADP", "IN")


def conjunction(form: str) -> Node:
    """Make a coordinating conjunction."""
    return Node(form, form, "CCONJ", "CC")


def subordinator(form: str) -> Node:
    """Make a subordinating conjunction."""
    return Node(form, form, "SCONJ", "IN")


def interjection(form: str) -> Node:
    """Make an interjection."""
    return Node(form, form, "INTJ", "UH")


def numeral(form: str) -> Node:
    """Make a number in letters."""
    return Node(form, form, "NUM", "CD", "NumForm=Word|NumType=Card")


def wh_adverb(form: str) -> Node:
    """Make an interrogative adverb."""
    return Node(form, form, "ADV", "WRB", "PronType=Int")


def particle(form: str) -> Node:
    """Make the `to` of an infinitive."""
    return Node(form, form, "PART", "TO")


def determiner(form: str, number: str = "Sing") -> Node:
    """Make a determiner that agrees in number."""
    lemma = {"an": "a", "these": "this", "those": "that"}.get(form, form)
    kinds = {
        "the": "Definite=Def|PronType=Art", "a": "Definite=Ind|PronType=Art", "this": f"Number={number}|PronType=Dem",
        "that": f"Number={number}|PronType=Dem", "every": "PronType=Tot", "all": "PronType=Tot", "no": "PronType=Neg",
        "some": "PronType=Ind",
    }
    return Node(form, lemma, "DET", "PDT" if form == "all" else "DT", kinds[lemma])


PRONOUNS = {
    "I": ("I", "me", "my", "Number=Sing|Person=1"),
    "you": ("you", "you", "your", "Person=2"),
    "we": ("we", "us", "our", "Number=Plur|Person=1"),
    "he": ("he", "him", "his", "Gender=Masc|Number=Sing|Person=3"),
    "she": ("she", "her", "her", "Gender=Fem|Number=Sing|Person=3"),
    "they": ("they", "them", "their", "Number=Plur|Person=3"),
    "it": ("it", "it", "its", "Gender=Neut|Number=Sing|Person=3"),
}


def pronoun(lemma: str, case: str = "Nom") -> Phrase:
    """Make a personal pronoun as a phrase."""
    nominative, accusative, _, agreement = PRONOUNS[lemma]
    case_feature = "" if lemma in {"you", "it"} and case == "Any" else f"Case={case}"
    form = accusative if case == "Acc" else nominative
    head = Node(form, lemma, "PRON", "PRP", feats(case_feature, agreement, "PronType=Prs"))
    number = "Plur" if "Plur" in agreement or lemma == "you" else "Sing"
    return Phrase(head, number, int(agreement[-1]), "person")


def possessive(lemma: str) -> Node:
    """Make a possessive pronoun."""
    _, _, form, agreement = PRONOUNS[lemma]
    return Node(form, form, "PRON", "PRP$", feats("Case=Gen|Poss=Yes|PronType=Prs", agreement))


def wh(form: str, kind: str) -> Node:
    """Make a question word or relative pronoun (kind `Int` or `Rel`)."""
    return Node(form, form, "PRON", "WDT" if form in {"which", "that"} else "WP", f"PronType={kind}")


def verb(lemma: str, form: str, number: str = "Sing", person: int = 3, upos: str = "VERB") -> Node:
    """Make a verb in one of the forms VB, VBZ (any present), VBD, VBN, VBG, or `pass` for a passive participle."""
    finite = AGREEMENT[person].format(n=number)
    if form == "VBZ" and (number != "Sing" or person != 3):
        form = "VBP"
    columns = {
        "VB": (lemma, "VerbForm=Inf"), "VBZ": (third(lemma), f"Mood=Ind|{finite}|Tense=Pres|VerbForm=Fin"),
        "VBP": (lemma, f"Mood=Ind|{finite}|Tense=Pres|VerbForm=Fin"),
        "VBD": (past(lemma), f"Mood=Ind|{finite}|Tense=Past|VerbForm=Fin"),
        "VBN": (participle(lemma), "Tense=Past|VerbForm=Part"),
        "pass": (participle(lemma), "Tense=Past|VerbForm=Part|Voice=Pass"),
        "VBG": (gerund(lemma), "Tense=Pres|VerbForm=Part"),
    }
    return Node(columns[form][0], lemma, upos, "VBN" if form == "pass" else form, columns[form][1])


BE = {"VBZ": {("Sing", 1): "am", ("Sing", 3): "is"}, "VBD": {("Sing", 1): "was", ("Sing", 3): "was"}}


def be(form: str, number: str = "Sing", person: int = 3) -> Node:
    """Make a form of the auxiliary `be`."""
    node = verb("be", form, number, person, "AUX")
    regular = {"VB": "be", "VBN": "been", "VBG": "being"}.get(form)
    node.form = regular or BE[form].get((number, person)) or ("are" if form == "VBZ" else "were")
    return node


def auxiliary(lemma: str, form: str, number: str = "Sing", person: int = 3) -> Node:
    """Make a form of the auxiliaries `have` and `do`, or a modal (form MD)."""
    if form == "MD":
        return Node(lemma, lemma, "AUX", "MD", "Mood=Ind|VerbForm=Fin")
    node = verb(lemma, form, number, person, "AUX")
    irregular = {("have", "VBZ"): "has", ("have", "VBD"): "had", ("do", "VBZ"): "does", ("do", "VBD"): "did"}
    node.form = irregular.get((lemma, node.xpos), lemma)
    return node


def join(nodes: Iterable[Node]) -> None:
    """Join nodes to one multi-word token (`do` + `n't`)."""
    *but_last, _ = nodes
    for node in but_last:
        node.joined = True
