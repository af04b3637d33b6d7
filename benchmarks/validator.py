"""Compare `gardenpath check` with levels 2 and 3 of the official validator, rule by rule, on UD treebanks.

The validator is `udtools` (GPL), which gardenpath never imports. Install it elsewhere and name the folder:

    pip install --target /tmp/udtools udtools
    python benchmarks/validator.py --udtools /tmp/udtools --treebanks ../shared/treebanks --part dev

It needs about 5 seconds for 10,000 words. Its results are kept in the folder `--cache`.
"""

import argparse
import bisect
import json
import sys
from collections import Counter
from pathlib import Path

from common import CACHE, ROOT
from gardenpath.formats.conllu import read_conllu
from gardenpath.treebank import check
from gardenpath.treebank.rules import RULES

Places = Counter[tuple[str, int]]        # violations by rule and line
# The validator has several tests where gardenpath has one.
SAME = {
    "head-self-loop": "tree", "multiple-roots": "tree", "non-tree": "tree", "unknown-head": "tree",
    "invalid-head": "tree", "invalid-ehead": "invalid-deps", "invalid-feature-value": "invalid-feature",
}

OURS = {"unreadable", "no-sentences", "missing-deprel", "no-tags", "large-inventory"}       # not in the validator


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--udtools", type=Path, default=Path("/tmp/udtools"), help="folder with the package udtools")
    parser.add_argument("--treebanks", type=Path, default=ROOT.parent / "shared" / "treebanks")
    parser.add_argument("--part", nargs="+", default=["dev", "test", "train"], help="parts of the treebanks")
    parser.add_argument("--file", type=Path, nargs="+", help="files to compare instead of treebanks")
    parser.add_argument("--cache", type=Path, default=CACHE / "validator", help="folder for the validator's results")
    parser.add_argument("--differences", type=int, default=0, help="number of differences to show per rule")
    settings = parser.parse_args()
    both, ours, theirs = Counter[str](), Counter[str](), Counter[str]()
    differences: dict[str, list[str]] = {}
    files = settings.file or [
        path for path in sorted(settings.treebanks.glob("ud-*/*/*.conllu")) if path.stem.split("-")[-1] in settings.part
    ]
    words = 0
    for path in files:
        found = validated(path, settings)
        report = check(path, systems=(), allow_multiple_roots=True)
        words += report.words
        starts = [int(sentence.place.rpartition(":")[2]) for sentence in read_conllu(path)]
        left = Counter(place(v.rule, line_of(v.message, path), starts) for v in report.violations)
        right = Counter(place(SAME.get(rule, rule), line, starts) for rule, line in found)
        for (rule, _), count in (left & right).items():
            both[rule] += count
        for counts, rest, side in ((ours, left - right, "gardenpath"), (theirs, right - left, "udtools")):
            for (rule, line), count in rest.items():
                counts[rule] += count
                differences.setdefault(rule, []).append(f"{path}:{line}: only {side}")
        print(f"{path.name}: {sum((left & right).values())} in both", file=sys.stderr)
    show(both, ours, theirs, f"{len(files)} files, {words:,} words", differences, settings.differences)


def validated(path: Path, settings: argparse.Namespace) -> list[tuple[str, int]]:
    """Return the violations that the validator finds at levels 1 to 3, as pairs of test and line."""
    cached = settings.cache / f"{path.resolve().parts[-3]}-{path.stem}.json"
    if not cached.exists():
        sys.path.insert(0, str(settings.udtools))
        from udtools.validator import Validator

        state = Validator(lang="ud", level=3, output=None).validate_files([str(path)])
        cached.parent.mkdir(parents=True, exist_ok=True)
        cached.write_text(json.dumps([(incident.testid, incident.lineno) for incident in state.error_tracker]))
    return [(rule, line) for rule, line in json.loads(cached.read_text())]


def line_of(message: str, path: Path) -> int:
    """Return the line of a message, 0 for a message about the whole file."""
    rest = message.removeprefix(f"{path}:").split(":")[0]
    return int(rest) if rest.isdecimal() else 0


def place(rule: str, line: int, starts: list[int]) -> tuple[str, int]:
    """Return rule and line; for rules about sentences the first line of the sentence."""
    if rule in RULES and RULES[rule].group not in ("metadata", "training"):
        return rule, line
    return rule, starts[max(0, bisect.bisect_right(starts, line) - 1)]


def show(both: Counter[str], ours: Counter[str], theirs: Counter[str], about: str, differences: dict[str, list[str]],
         most: int) -> None:
    """Print the table, rules of both first."""
    print(about)
    print(f"{'rule':<28}{'both':>8}{'only gardenpath':>17}{'only udtools':>14}")
    shared = [rule for rule in (both + ours + theirs) if rule in RULES and rule not in OURS]
    others = [rule for rule in theirs if rule not in RULES]
    for rule in (*sorted(shared), *sorted(others)):
        print(f"{rule:<28}{both[rule]:>8}{ours[rule]:>17}{theirs[rule]:>14}")
        for text in differences.get(rule, [])[:most]:
            print(f"    {text}")
    counts = [sum(counter[rule] for rule in shared) for counter in (both, ours, theirs)]
    print(f"{'rules of both':<28}{counts[0]:>8}{counts[1]:>17}{counts[2]:>14}")
    print(f"agreement on the rules of both: {100 * counts[0] / max(1, sum(counts)):.2f} %")


if __name__ == "__main__":
    main()
