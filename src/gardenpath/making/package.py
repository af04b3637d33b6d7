"""Write a model as a Python package that is ready to be built: pyproject.toml, README, model file and entry point."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

from gardenpath.errors import UsageError
from gardenpath.models import Model
from gardenpath.models.packaged import GROUP

# The SPDX identifiers of licences of treebanks that do not follow from their names.
SPDX = {"LGPL-LR": "LGPLLR", "LGPLLR": "LGPLLR", "GNU GPL 3.0": "GPL-3.0-only", "GNU GPL 2.0": "GPL-2.0-only"}
PYPROJECT = """\
[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"

[project]
name = {distribution}
version = {version}
description = {description}
readme = "README.md"
requires-python = ">=3.11"
dependencies = [{requirement}]
{licence}
[project.entry-points."{group}"]
{name} = "{module}:PATH"

[tool.setuptools]
packages = ["{module}"]

[tool.setuptools.package-data]
"{module}" = ["*.gp"]
"""
MODULE = '''\
{description}

from pathlib import Path

PATH = Path(__file__).with_name({file})
'''
EXAMPLE = "import gardenpath as gp\n\nnlp = gp.load({name})"
README = """\
# {distribution}

{description}

```python
{example}
```

| | |
|---|---|
| treebank | {treebank} |
| licence | {licence} |
| trained on | {sentences:,} sentences, {words:,} words |
| made by | gardenpath {gardenpath} |

The licence of the treebank may also hold for the model. Citation:

{citation}
"""


def write_package(
    model: Model, path: Path, name: str, folder: str | Path = ".", *, version: str | None = None,
) -> Path:
    """Write a package with a model to `folder` and return its folder. `path` is the file of the model.

    The package is called `gardenpath-model-NAME`, and its entry point `NAME`. Its version is that of gardenpath with
    which the model was trained, unless another one is given.
    """
    about = model.about
    distribution = f"gardenpath-model-{name}".lower().replace("_", "-")
    module = distribution.replace("-", "_")
    target = Path(folder) / distribution
    if target.exists():
        raise UsageError(f"{target}: the folder exists already; move it away, or choose another --output")
    description = f"A model for gardenpath, trained on {about.treebank or 'an unnamed treebank'}"
    identifier = spdx(about.licence)
    texts = {
        "pyproject.toml": PYPROJECT.format(
            distribution=_quoted(distribution), version=_quoted(version or about.version),
            description=_quoted(description), requirement=_quoted(f"gardenpath>={about.version}"), group=GROUP,
            licence=f"license = {_quoted(identifier)}\n" if identifier else "", name=name, module=module,
        ),
        "README.md": README.format(
            distribution=distribution, description=f"{description}.", example=EXAMPLE.format(name=_quoted(name)),
            treebank=about.treebank or "not recorded", licence=about.licence or "not recorded",
            sentences=about.sentences, words=about.words, gardenpath=about.version,
            citation=about.citation or "not recorded",
        ),
        f"{module}/__init__.py": MODULE.format(description=_quoted(f"{description}."), file=_quoted(f"{name}.gp")),
    }
    (target / module).mkdir(parents=True)
    for file, text in texts.items():
        (target / file).write_text(text, encoding="utf-8", errors="replace")
    shutil.copyfile(path, target / module / f"{name}.gp")
    return target


def spdx(licence: str | None) -> str | None:
    """Return the SPDX identifier of a licence such as `CC BY-SA 4.0`, or None if it is not known."""
    found = re.fullmatch(r"(CC BY(?:-NC)?(?:-SA|-ND)?|CC0|C-UDA)[ -](\d\.\d)", (licence or "").strip())
    return f"{found[1].replace(' ', '-')}-{found[2]}" if found else SPDX.get((licence or "").strip())


def _quoted(text: str) -> str:
    """Return a text as a string literal of TOML and Python. The text may come from a model file of somebody else."""
    return json.dumps(" ".join(text.encode(errors="replace").decode().split()), ensure_ascii=False)
