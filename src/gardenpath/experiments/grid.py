"""Read experiments from TOML files.

The values listed in a grid are combined. Errors are found before anything runs.

    title = "Three oracles, with and without a beam"
    treebanks = ["ud-2.0/el", "ud-2.0/hu"]      # folders with *-train, *-dev and *-test.conllu
    seeds = [1, 2, 3]

    [settings]                                  # for every run: fields of `Settings`
    tags = "gold"

    [[grid]]                                    # every combination of the listed values
    beam = [1, 8]
    oracle = ["static", "nondet", "dynamic"]
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

from gardenpath.errors import InputError, UsageError
from gardenpath.evaluation.layout import SPACES
from gardenpath.experiments.plan import Claim, Condition, ExperimentPlan, Treebank
from gardenpath.experiments.shape import DECODE, check_shape
from gardenpath.formats.conllu import read_conllu
from gardenpath.formats.document import EMPTY
from gardenpath.formats.treebank_folder import PARTS, parts_of
from gardenpath.models.setting_names import flattened
from gardenpath.models.settings import Settings

KEYS = ("title", "notes", "treebanks", "seeds", "score", "input", "baseline", "settings", "grid", "compare", "speed")
TREEBANK = "{treebank}" # the name of a treebank in the pattern of input files


def read_plan(path: str | Path, treebanks: str | Path | None = None) -> ExperimentPlan:
    """Read an experiment from a TOML file.

    Folders of treebanks are looked up in `treebanks`, by default the folder of the file.
    """
    path = Path(path)
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: the file is not valid TOML: {error}; see `gardenpath experiment --help`") from None
    try:
        return _plan(path.stem, content, Path(treebanks) if treebanks else path.parent)
    except UsageError as error:
        raise InputError(f"{path}: {error}") from None


def _plan(name: str, content: dict[str, Any], root: Path) -> ExperimentPlan:
    for key in content:
        if key not in KEYS:
            raise UsageError(f"there is no key {key!r}; the keys are {', '.join(KEYS)}")
    check_shape(content)
    if not content.get("grid"):
        raise UsageError("there is nothing to run; add at least one [[grid]] with a system")
    score = content.get("score", "test")
    if score not in ("test", "dev"):
        raise UsageError(f"score must be `test` or `dev`, not {score!r}")
    conditions = _conditions(content["grid"], content.get("settings", {}))
    treebanks = [_treebank(key, where, root, score) for key, where in _named(content.get("treebanks", []))]
    pattern = content.get("input", "")
    if "input" in content:
        are_tagged = any(condition.settings.get("tags") == "gold" for condition in conditions)
        treebanks = [_with_input(treebank, pattern, root, score, are_tagged) for treebank in treebanks]
    if not treebanks:
        raise UsageError("there are no treebanks; give a list of folders, or a table of names and folders")
    _no_doubles("treebanks", [treebank.name for treebank in treebanks])
    names = [condition.name for condition in conditions]
    claims = [_claim(claim, names) for claim in content.get("compare", [])]
    seeds = content.get("seeds", [1])
    if not seeds:
        raise UsageError("seeds must be a list of integers, such as [1, 2, 3]")
    _no_doubles("seeds", seeds)
    plan = ExperimentPlan(
        name,
        content.get("title", name),
        treebanks,
        conditions,
        seeds,
        _known(content.get("baseline", names[0]), names),
        claims,
        content.get("notes", ""),
        score,
        content.get("speed", False),
        pattern,
    )
    _check(plan)
    return plan


def _conditions(grids: list[dict[str, Any]], common: dict[str, Any]) -> list[Condition]:
    conditions = [condition for grid in grids for condition in _of_grid(grid, common)]
    _no_doubles("conditions", [condition.name for condition in conditions])
    return conditions


def _of_grid(grid: dict[str, Any], common: dict[str, Any]) -> Iterator[Condition]:
    """Yield every combination of the listed values. The name is made of these values, or by the pattern of the grid."""
    pattern = grid.get("name")
    axes = {key: value if isinstance(value, list) else [value] for key, value in grid.items() if key != "name"}
    if "seed" in common or "seed" in axes:
        raise UsageError("a seed cannot be set in [settings] or [[grid]]; give `seeds = [1, 2, 3]` at the top")
    for values in product(*axes.values()):
        chosen = dict(zip(axes, values, strict=True))
        try:
            name = (
                pattern.format(**chosen) if pattern else ", ".join(_shown(key, value) for key, value in chosen.items())
            )
        except (KeyError, IndexError, ValueError, AttributeError):
            raise UsageError(
                f"the name {pattern!r} uses a setting that is not in the grid; the grid has {', '.join(axes)}, which "
                "are written in braces, such as {" + next(iter(axes), "system") + "}"
            ) from None
        beam = chosen.pop(DECODE, None)
        yield Condition(name, flattened(common) | flattened(chosen), beam)


def _shown(key: str, value: object) -> str:
    """Return a setting as part of the name of a condition: strings alone, other values with the name of the setting."""
    return value if isinstance(value, str) else f"{'beam' if key == DECODE else key} {json.dumps(value)}"


def _named(treebanks: list[str] | dict[str, Any]) -> Iterator[tuple[str, Any]]:
    if isinstance(treebanks, dict):
        yield from treebanks.items()
    else:
        yield from ((Path(folder).name, folder) for folder in treebanks)


def _treebank(name: str, where: str | dict[str, str], root: Path, score: str) -> Treebank:
    if isinstance(where, str):
        files = parts_of(root / where) if (root / where).is_dir() else {}
    else:
        _known_parts(name, where)
        files = {part: root / file for part, file in where.items()}
    for part in PARTS:
        path = files.get(part)
        if (path is None and part in ("train", score)) or (path is not None and not path.is_file()):
            raise UsageError(
                f"treebank {name}: there is no {part} file {path or f'{root / str(where)}/*-{part}.conllu'}; give the "
                "folder of the treebanks with --treebanks"
            )
    return Treebank(name, **files)


def _with_input(treebank: Treebank, pattern: str, root: Path, score: str, needs_tags: bool) -> Treebank:
    """Return the treebank with its input file, whose text must be that of the file that is scored."""
    if TREEBANK not in pattern:
        raise UsageError(f"input must be a path with {TREEBANK} for the name of the treebank, not {pattern!r}")
    path = root / pattern.replace(TREEBANK, treebank.name)
    if not path.is_file():
        raise UsageError(f"treebank {treebank.name}: there is no input file {path}; correct `input` or the name")
    scored = treebank.file(score)
    ours, theirs = _characters(scored), _characters(path)
    if ours != theirs:
        shorter = min(len(ours), len(theirs))
        place = next((i for i in range(shorter) if ours[i] != theirs[i]), shorter)
        raise UsageError(
            f"{path}: the text differs from that of {scored}, which is scored, at {theirs[place:place + 20]!r} instead "
            f"of {ours[place:place + 20]!r}; correct `input`"
        )
    if needs_tags and all(word.upos == EMPTY for sentence in read_conllu(path) for word in sentence):
        raise UsageError(f'{path}: no word has UPOS, which `tags = "gold"` needs; tag the file first')
    return replace(treebank, input=path)


def _characters(path: Path) -> str:
    """Return the text of a CoNLL-U file without spaces."""
    return "".join(SPACES.sub("", token.form) for sentence in read_conllu(path) for token in sentence.tokens)


def _known_parts(name: str, files: dict[str, str]) -> None:
    for part in files:
        if part not in PARTS:
            raise UsageError(f"treebank {name}: there is no part {part!r}; the parts are {', '.join(PARTS)}")


def _claim(claim: dict[str, str], names: list[str]) -> Claim:
    try:
        return Claim(_known(claim["first"], names), _known(claim["second"], names), claim.get("claim", ""))
    except KeyError as missing:
        raise UsageError(f"a [[compare]] lacks {missing}; give the name of a condition") from None


def _known(name: str, names: list[str]) -> str:
    if name not in names:
        raise UsageError(f"there is no condition {name!r}; the conditions are: {'; '.join(names)}")
    return name


def _no_doubles(what: str, names: Sequence[object]) -> None:
    doubles = sorted({str(name) for name in names if names.count(name) > 1})
    if doubles:
        raise UsageError(f"some {what} occur twice: {'; '.join(doubles)}; give each once")


def _check(plan: ExperimentPlan) -> None:
    """Check before anything runs that all settings are valid together."""
    for condition in plan.conditions:
        try:
            Settings.of(**condition.settings, seed=plan.seeds[0])
        except UsageError as error:
            raise UsageError(f"{condition.name}: {error}") from None
    for seed in plan.seeds:
        Settings(seed=seed)
