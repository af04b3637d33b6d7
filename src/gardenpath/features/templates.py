"""The template notation: one template a line, in the papers' shorthand.

    S0w S0p N0p     form and tag of the top of the stack, tag of the front of the buffer
    S0wp N0p        the same
    S0hp S0p N0p    ... with the tag of the top's head
    S0w vr          form and number of right children of the top
    S0p N0p d       tags, and the distance between the two

An atom is a word address and properties. Addresses: `S0`, `S1`, ... from the top of the stack down, `N0` (or `B0`), `N1`, ... from the front of the buffer on,
`A0`, `A1`, ... up the spine from above the head of a deep arc (in systems with deep arcs, where `S0` and `S1` are the two ends of the arc that a candidate builds), `CL`/`CR`
the first/last word between S0 and N0 whose head does not lie from S0 to N0 (Covington, where these two are the pair in focus), then steps: `h` head, `l`/`r`
farthest child on that side, `h2`/`l2`/`r2` the head's head, the second such child, `l'`/`r'` the nearest child. Properties: `w` form, `p` tag (XPOS or UPOS, by
the model's settings), `u` UPOS, `x` XPOS, `m` FEATS, `m[Case]` one feature, `i2`/`e3` first/last characters, `c` the word's cluster, `c4` its first four bits,
`l` label of the word's own arc, `vl`/`vr` number of left/right children, `sl`/`sr` set of their labels, `d` distance between the two words that the system
builds arcs between (S0 and N0, or S1 and S0). An atom without address speaks of the address before it. What follows `#` is a comment. A line `include rich`
stands for all templates of another set, or of a file beside this one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from gardenpath.errors import InputError, UsageError

FOLDER = Path(__file__).parent         # where the sets are
_ATOM = re.compile(r"(?P<base>[SNBA]\d|C[LR])?(?P<rest>\S*)")
_STEP = re.compile(r"(?:h2?|[lr][2']?)(?=[a-z])")
_PROPERTY = re.compile(r"m\[\w+(?:\[\w+\])?\]|[ie]\d|[vs][lr]|c[1-9]?|[wpuxmld]")
DISTANCE = "d"
INCLUDE = "include"
AUTO = "auto"
LARGEST = 4            # atoms a template


@dataclass(frozen=True, slots=True)
class Atom:
    """One property of the word at one address (`S0`, or `S0lr2` after steps); the distance has no address."""

    address: str
    property: str


@dataclass(frozen=True, slots=True)
class Template:
    """A line: atoms that are looked up together."""

    text: str
    atoms: tuple[Atom, ...]


def names() -> list[str]:
    """The template sets that come with gardenpath."""
    return sorted(entry.name.removesuffix(".txt") for entry in FOLDER.iterdir() if entry.name.endswith(".txt"))


def set_for(features: str, template_set: str | None, clusters: bool = False) -> str:
    """What a setting means: `auto` is the set made for the system, or `rich`, with word clusters `rich-clusters`; all else is what it says."""
    if features != AUTO:
        return features
    if template_set is not None:
        return template_set
    return "rich-clusters" if clusters else "rich"


def read_templates(source: str | Path) -> list[str]:
    """The lines of a template set, included sets among them: one that comes with gardenpath by name, any other by path."""
    return list(_read(source, (), ""))


def _read(source: str | Path, including: tuple[str, ...], place: str) -> Iterator[str]:
    """The lines of a set, which is included by others, at a place in the last of them."""
    name, text = _find(source, place)
    if name in including:
        raise InputError(f"{place}: {name} includes itself, by way of {' and '.join(including)}; take one of the `include` lines out")
    empty = True
    for number, line in enumerate(text.split("\n"), 1):
        content = line.partition("#")[0].strip()
        empty = empty and not content
        first, other = [*content.split(maxsplit=1), "", ""][:2]
        if first == INCLUDE:
            beside = (Path(name).parent / other).resolve()
            yield from _read(beside if other not in names() and beside.is_file() else other, (*including, name), f"{name}:{number}")
        elif content:
            parse_template(content, f"{name}:{number}")
            yield content
    if empty:
        raise InputError(f"{name}: no templates in it; write one a line, such as `S0w N0p`")


def _find(source: str | Path, place: str) -> tuple[str, str]:
    """What to call a set in messages, and its text."""
    if source in names():
        return str(source), (FOLDER / f"{source}.txt").read_text(encoding="utf-8")
    if Path(source).is_file():
        return str(Path(source)), _text_of(Path(source))
    problem = f"no template set {str(source)!r}: neither a file nor one of {', '.join(names())}"
    raise InputError(f"{place}: {problem}") if place else UsageError(problem)


def _text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: byte {error.start + 1} is not UTF-8; convert the file to UTF-8 first") from None


def parse_templates(lines: Iterable[str]) -> list[Template]:
    """The templates, each once, in the order of their first line."""
    templates = {template.atoms: template for template in (parse_template(line, f"template {number}") for number, line in enumerate(lines, 1))}
    return list(templates.values())


def parse_template(line: str, place: str) -> Template:
    """One template; `place` (file and line) goes into messages."""
    atoms: list[Atom] = []
    address = ""
    for word in line.split():
        match = _ATOM.fullmatch(word)
        rest = match["rest"] if match else ""
        if match and match["base"]:
            address, rest = _walk(match["base"].replace("B", "N"), rest)
        properties = _PROPERTY.findall(rest)
        if not properties or "".join(properties) != rest:
            raise InputError(f"{place}: {word!r} is not a word address and properties, such as `S0w`, `N0lp` or `vr`")
        for name in properties:
            if name != DISTANCE and not address:
                raise InputError(f"{place}: {word!r} has no address, and none stands before it; write `S0{word}` or `N0{word}`")
            atoms.append(Atom("" if name == DISTANCE else address, name))
    if len(atoms) > LARGEST:
        raise InputError(f"{place}: {line!r} has {len(atoms)} atoms; a template has {LARGEST} at most")
    return Template(line, tuple(atoms))


def _walk(address: str, rest: str) -> tuple[str, str]:
    """Split the steps from the properties: `S0lp` is the tag of a child, `S0l` the word's own label, `S0vl` a number of children."""
    while match := _STEP.match(rest):
        address += match[0]
        rest = rest[match.end() :]
    return address, rest
