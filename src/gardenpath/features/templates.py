"""The template notation: one template per line, in the shorthand of the papers.

    S0w S0p N0p     form and tag of the top of the stack, tag of the front of the buffer
    S0wp N0p        the same
    S0hp S0p N0p    the tags of both words and of the head of the top of the stack
    S0w vr          form and number of right dependents of the top of the stack
    S0p N0p d       tags of both words, and the distance between them

An atom is a word address followed by properties. An address is a base followed by any number of steps.

Bases:
    S0, S1, ...     the stack, from the top down
    N0, N1, ...     the buffer, from the front on; `B` is the same as `N`
    A0, A1, ...     the spine above the head of a deep arc, from the bottom up (systems with deep arcs, where S0 and S1
                    are the two ends of the arc that a candidate adds)
    CL, CR          the first and the last word between S0 and N0 whose head is outside the words from S0 to N0
                    (Covington, where S0 and N0 are the pair in focus)

Steps:
    h, h2           the head, and the head of the head
    l, r            the farthest left and right dependent
    l2, r2          the second farthest left and right dependent
    l', r'          the nearest left and right dependent

Properties:
    w               form
    p               tag: XPOS or UPOS, depending on the settings of the model
    u, x            UPOS, XPOS
    m, m[Case]      FEATS, one feature of FEATS
    i2, e3          the first two, the last three characters
    c, c4           the cluster of the word, its first four bits
    l               label of the arc from the word's head
    vl, vr          number of left and right dependents
    sl, sr          set of the labels of left and right dependents
    d               distance between the two words that the system connects (S0 and N0, or S1 and S0)

An atom without an address belongs to the address before it. A comment begins with `#`. A line such as `include rich`
includes the templates of another set, or of a file, given by its path relative to the including file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from gardenpath.errors import InputError, UsageError

FOLDER = Path(__file__).parent         # contains the template sets
_ATOM = re.compile(r"(?P<base>[SNBA]\d|C[LR])?(?P<rest>\S*)")
_STEP = re.compile(r"(?:h2?|[lr][2']?)(?=[a-z])")
_PROPERTY = re.compile(r"m\[\w+(?:\[\w+\])?\]|[ie]\d|[vs][lr]|c[1-9]?|[wpuxmld]")
DISTANCE = "d"
INCLUDE = "include"
AUTO = "auto"
LARGEST = 4            # maximum number of atoms in a template


@dataclass(frozen=True, slots=True)
class Atom:
    """A property of the word at an address, such as `S0` or `S0lr2`. The distance has no address."""

    address: str
    property: str


@dataclass(frozen=True, slots=True)
class Template:
    """A template: the text of the line and its atoms, which form one feature."""

    text: str
    atoms: tuple[Atom, ...]


def names() -> list[str]:
    """Return the names of the template sets that come with gardenpath."""
    return sorted(entry.name.removesuffix(".txt") for entry in FOLDER.iterdir() if entry.name.endswith(".txt"))


def set_for(features: str, template_set: str | None, clusters: bool = False) -> str:
    """Return the template set that a setting means.

    `auto` means the set that was made for the system. If there is none, it means `rich-clusters` with word clusters,
    and `rich` without. Any other setting is returned unchanged.
    """
    if features != AUTO:
        return features
    if template_set is not None:
        return template_set
    return "rich-clusters" if clusters else "rich"


def read_templates(source: str | Path) -> list[str]:
    """Return the lines of a template set, given by name or by path, including those of included sets."""
    return list(_read(source, (), ""))


def _read(source: str | Path, including: tuple[str, ...], place: str) -> Iterator[str]:
    """Yield the lines of a set. `including` are the sets that include it, and `place` is the last `include` line."""
    name, text = _find(source, place)
    if name in including:
        chain = " and ".join(including)
        raise InputError(f"{place}: {name} includes itself through {chain}; remove one of the `include` lines")
    empty = True
    for number, line in enumerate(text.split("\n"), 1):
        content = line.partition("#")[0].strip()
        empty = empty and not content
        first, other = [*content.split(maxsplit=1), "", ""][:2]
        if first == INCLUDE:
            beside = Path(name).parent / other
            included = beside.resolve() if other not in names() and _is_file(beside) else other
            yield from _read(included, (*including, name), f"{name}:{number}")
        elif content:
            parse_template(content, f"{name}:{number}")
            yield content
    if empty:
        raise InputError(f"{name}: the file contains no templates; write one per line, such as `S0w N0p`")


def _find(source: str | Path, place: str) -> tuple[str, str]:
    """Return the name of a set for messages, and its text."""
    if source in names():
        return str(source), (FOLDER / f"{source}.txt").read_text(encoding="utf-8")
    if _is_file(Path(source)):
        return str(Path(source)), _text_of(Path(source))
    problem = f"there is no template set {str(source)!r}; use a file or one of {', '.join(names())}"
    raise InputError(f"{place}: {problem}") if place else UsageError(problem)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):        # the name is too long, or contains a NUL
        return False


def _text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: byte {error.start + 1} is not UTF-8; convert the file to UTF-8") from None


def parse_templates(lines: Iterable[str]) -> list[Template]:
    """Parse templates. Duplicates are removed; a template keeps the position of its first occurrence."""
    templates = (parse_template(line, f"template {number}") for number, line in enumerate(lines, 1))
    return list({template.atoms: template for template in templates}.values())


def parse_template(line: str, place: str) -> Template:
    """Parse a template. `place` (file and line) is used in messages."""
    atoms: list[Atom] = []
    address = ""
    for word in line.split():
        match = _ATOM.fullmatch(word)
        rest = match["rest"] if match else ""
        if match and match["base"]:
            address, rest = _walk(match["base"].replace("B", "N"), rest)
        properties = _PROPERTY.findall(rest)
        if not properties or "".join(properties) != rest:
            problem = f"{word!r} is not a word address followed by properties, such as `S0w`, `N0lp` or `vr`"
            raise InputError(f"{place}: {problem}")
        for name in properties:
            if name != DISTANCE and not address:
                problem = f"{word!r} has no address, and there is none before it"
                raise InputError(f"{place}: {problem}; write `S0{word}` or `N0{word}`")
            atoms.append(Atom("" if name == DISTANCE else address, name))
    if len(atoms) > LARGEST:
        raise InputError(f"{place}: {line!r} has {len(atoms)} atoms; a template can have at most {LARGEST}")
    return Template(line, tuple(atoms))


def _walk(address: str, rest: str) -> tuple[str, str]:
    """Split the steps from the properties.

    `S0lp` is the tag of a dependent, `S0l` the label of the word itself, and `S0vl` a number of dependents.
    """
    while match := _STEP.match(rest):
        address += match[0]
        rest = rest[match.end() :]
    return address, rest
