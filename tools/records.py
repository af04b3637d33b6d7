"""Keep the records of an experiment that takes longer than one sitting.

`python tools/records.py save results/swap-stack-lstm experiments/records/swap-stack-lstm.zip`
`python tools/records.py restore experiments/records/swap-stack-lstm.zip results`

`save` packs the records of the runs of an experiment, without the parses, which contain the text of the treebanks.
`restore` adds them to a folder of results, where `gardenpath experiment` then finds them. Runs that are already there
stay as they are. Remove the archive when the report is complete.
"""

from __future__ import annotations

import argparse
import json
import sys
import zipfile
from pathlib import Path

from gardenpath.experiments.experiment import PLAN
from gardenpath.experiments.records import RunRecords
from gardenpath.experiments.run import RECORD, SENTENCES

DATE = (1980, 1, 1, 0, 0, 0)          # of all entries, so that the same records give the same bytes
KEPT = (RECORD, SENTENCES)


def save(experiment: Path, archive: Path) -> int:
    """Pack the records of an experiment. Return their number."""
    records = RunRecords(experiment.parent)
    plan = json.loads((experiment / PLAN).read_text(encoding="utf-8"))
    keys = sorted({run["key"] for run in plan["runs"] if records.has(run["key"])})
    archive.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_LZMA) as packed:
        for key in keys:
            for name in KEPT:
                entry = zipfile.ZipInfo(f"{key}/{name}", DATE)
                packed.writestr(entry, (records.path(key) / name).read_bytes(), zipfile.ZIP_LZMA)
    return len(keys)


def restore(archive: Path, folder: Path) -> int:
    """Unpack the records that a folder of results does not have. Return their number."""
    records = RunRecords(folder)
    with zipfile.ZipFile(archive) as packed, records.locked():
        keys = sorted({name.partition("/")[0] for name in packed.namelist()})
        missing = [key for key in keys if not records.has(key)]
        for key in missing:
            records.write(key, {name: packed.read(f"{key}/{name}") for name in KEPT})
    return len(missing)


def main(arguments: list[str]) -> None:
    """Save or restore."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    for command, first, second in ((save, "experiment", "archive"), (restore, "archive", "folder")):
        each = commands.add_parser(command.__name__, help=command.__doc__)
        each.add_argument(first, type=Path)
        each.add_argument(second, type=Path)
        each.set_defaults(command=command, places=(first, second))
    chosen = parser.parse_args(arguments)
    count = chosen.command(*(getattr(chosen, place) for place in chosen.places))
    print(f"{count} records")


if __name__ == "__main__":
    main(sys.argv[1:])
