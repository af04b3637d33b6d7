"""Words with their columns, and phrases that grow to the left and to the right of a head."""

from __future__ import annotations

from collections.abc import Iterable

from inflection import gerund, participle, past, plural, third

AGREEMENT = {1: "Number={n}|Person=1", 2: "Number={n}|Person=2", 3: "Number={n}|Person=3"}


class Node:
    """A word: its columns, the node it hangs from, and whether it is written together with the next."""

    def __init__(self, form: str, lemma: str, upos: str, xpos: str, feats: str = "_") -> None:
        self.form, self.lemma, self.upos, self.xpos, self.feats = form, lemma, upos, xpos, feats
        self.head: Node | None = None
        self.deprel = "root"
        self.space_after = True
        self.joined = False
        self.empty: Node | None = None
        self.enhanced: tuple[Node, str] | None = None

    def attach(self, head: Node, deprel: str) -> Node:
        """Hang this node from a head."""
        self.head, self.deprel = head, deprel
        return self


class Phrase:
    """Nodes in their order, the head among them, and what others agree with."""

    def __init__(self, head: Node, number: str = "Sing", person: int = 3, kind: str = "") -> None:
        self.head, self.nodes = head, [head]
        self.number, self.person, self.kind = number, person, kind

    def before(self, other: Node | Phrase, deprel: str) -> Phrase:
        """Put another phrase in front and hang it from the head."""
        self.nodes[:0] = nodes_of(other)
        head_of(other).attach(self.head, deprel)
        return self

    def after(self, other: Node | Phrase, deprel: str) -> Phrase:
        """Put another phrase behind and hang it from the head."""
        self.nodes += nodes_of(other)
        head_of(other).attach(self.head, deprel)
        return self

    def comma(self, head: Node | None = None) -> Phrase:
        """Put a comma behind."""
        self.nodes.append(punct(",").attach(head or self.head, "punct"))
        return self


def head_of(other: Node | Phrase) -> Node:
    """The node that others see."""
    return other if isinstance(other, Node) else other.head


def nodes_of(other: Node | Phrase) -> list[Node]:
    """The nodes in their order."""
    return [other] if isinstance(other, Node) else other.nodes


def feats(*pairs: str) -> str:
    """Features in the order the format asks for."""
    return "|".join(sorted("|".join(pair for pair in pairs if pair).split("|"), key=str.lower))


def punct(form: str) -> Node:
    """A punctuation mark."""
    return Node(form, form, "PUNCT", form if form in {",", "."} else ".")


def noun(lemma: str, number: str = "Sing") -> Node:
    """A noun."""
    return Node(lemma if number == "Sing" else plural(lemma), lemma, "NOUN", "NN" if number == "Sing" else "NNS", f"Number={number}")


def name(form: str) -> Node:
    """A proper noun."""
    return Node(form, form, "PROPN", "NNP", "Number=Sing")


def adjective(form: str) -> Node:
    """An adjective."""
    return Node(form, form, "ADJ", "JJ", "Degree=Pos")


def adverb(form: str) -> Node:
    """An adverb."""
    return Node(form, form, "ADV", "RB")


def preposition(form: str) -> Node:
    """A preposition."""
    return Node(form, form, "ADP", "IN")


def conjunction(form: str) -> Node:
    """A coordinating conjunction."""
    return Node(form, form, "CCONJ", "CC")


def subordinator(form: str) -> Node:
    """A subordinating conjunction."""
    return Node(form, form, "SCONJ", "IN")


def interjection(form: str) -> Node:
    """An interjection."""
    return Node(form, form, "INTJ", "UH")


def numeral(form: str) -> Node:
    """A number in letters."""
    return Node(form, form, "NUM", "CD", "NumForm=Word|NumType=Card")


def wh_adverb(form: str) -> Node:
    """An adverb that asks."""
    return Node(form, form, "ADV", "WRB", "PronType=Int")


def particle(form: str) -> Node:
    """The `to` of an infinitive."""
    return Node(form, form, "PART", "TO")


def determiner(form: str, number: str = "Sing") -> Node:
    """A determiner that agrees in number."""
    lemma = {"an": "a", "these": "this", "those": "that"}.get(form, form)
    kinds = {"the": "Definite=Def|PronType=Art", "a": "Definite=Ind|PronType=Art", "this": f"Number={number}|PronType=Dem",
             "that": f"Number={number}|PronType=Dem", "every": "PronType=Tot", "all": "PronType=Tot", "no": "PronType=Neg", "some": "PronType=Ind"}
    return Node(form, lemma, "DET", "PDT" if form == "all" else "DT", kinds[lemma])


PRONOUNS = {
    "I": ("I", "me", "my", "Number=Sing|Person=1"), "you": ("you", "you", "your", "Person=2"), "we": ("we", "us", "our", "Number=Plur|Person=1"),
    "he": ("he", "him", "his", "Gender=Masc|Number=Sing|Person=3"), "she": ("she", "her", "her", "Gender=Fem|Number=Sing|Person=3"),
    "they": ("they", "them", "their", "Number=Plur|Person=3"), "it": ("it", "it", "its", "Gender=Neut|Number=Sing|Person=3"),
}


def pronoun(lemma: str, case: str = "Nom") -> Phrase:
    """A personal pronoun as a phrase."""
    nominative, accusative, _, agreement = PRONOUNS[lemma]
    case_feature = "" if lemma in {"you", "it"} and case == "Any" else f"Case={case}"
    head = Node(accusative if case == "Acc" else nominative, lemma, "PRON", "PRP", feats(case_feature, agreement, "PronType=Prs"))
    number = "Plur" if "Plur" in agreement or lemma == "you" else "Sing"
    return Phrase(head, number, int(agreement[-1]), "person")


def possessive(lemma: str) -> Node:
    """A possessive pronoun."""
    return Node(PRONOUNS[lemma][2], PRONOUNS[lemma][2], "PRON", "PRP$", feats("Case=Gen|Poss=Yes|PronType=Prs", PRONOUNS[lemma][3]))


def wh(form: str, kind: str) -> Node:
    """A question word or relative pronoun (kind `Int` or `Rel`)."""
    return Node(form, form, "PRON", "WDT" if form in {"which", "that"} else "WP", f"PronType={kind}")


def verb(lemma: str, form: str, number: str = "Sing", person: int = 3, upos: str = "VERB") -> Node:
    """A verb in one of the forms VB, VBZ (any present), VBD, VBN, VBG, or `pass` for a passive participle."""
    finite = AGREEMENT[person].format(n=number)
    if form == "VBZ" and (number != "Sing" or person != 3):
        form = "VBP"
    columns = {
        "VB": (lemma, "VerbForm=Inf"), "VBZ": (third(lemma), f"Mood=Ind|{finite}|Tense=Pres|VerbForm=Fin"),
        "VBP": (lemma, f"Mood=Ind|{finite}|Tense=Pres|VerbForm=Fin"), "VBD": (past(lemma), f"Mood=Ind|{finite}|Tense=Past|VerbForm=Fin"),
        "VBN": (participle(lemma), "Tense=Past|VerbForm=Part"), "pass": (participle(lemma), "Tense=Past|VerbForm=Part|Voice=Pass"),
        "VBG": (gerund(lemma), "Tense=Pres|VerbForm=Part"),
    }
    return Node(columns[form][0], lemma, upos, "VBN" if form == "pass" else form, columns[form][1])


BE = {"VBZ": {("Sing", 1): "am", ("Sing", 3): "is"}, "VBD": {("Sing", 1): "was", ("Sing", 3): "was"}}


def be(form: str, number: str = "Sing", person: int = 3) -> Node:
    """A form of the auxiliary `be`."""
    node = verb("be", form, number, person, "AUX")
    node.form = {"VB": "be", "VBN": "been", "VBG": "being"}.get(form) or BE[form].get((number, person)) or ("are" if form == "VBZ" else "were")
    return node


def auxiliary(lemma: str, form: str, number: str = "Sing", person: int = 3) -> Node:
    """A form of the auxiliaries `have` and `do`, or a modal (form MD)."""
    if form == "MD":
        return Node(lemma, lemma, "AUX", "MD", "Mood=Ind|VerbForm=Fin")
    node = verb(lemma, form, number, person, "AUX")
    node.form = {("have", "VBZ"): "has", ("have", "VBD"): "had", ("do", "VBZ"): "does", ("do", "VBD"): "did"}.get((lemma, node.xpos), lemma)
    return node


def join(nodes: Iterable[Node]) -> None:
    """Write nodes together as one token (`do` + `n't`)."""
    *but_last, _ = nodes
    for node in but_last:
        node.joined = True
