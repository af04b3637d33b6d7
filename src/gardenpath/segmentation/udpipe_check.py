"""Try a model of UDPipe in a process of its own.

UDPipe's loader trusts its input: a damaged or hostile model can end the process that loads it. A model file of
gardenpath may come from anywhere, so the tokenizer inside it is tried in a child process first.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import ModuleType

from gardenpath.core.stored import BadModelError

MOST_BYTES = 1 << 26     # size of a tokenizer; those of UDPipe's own models have less than 1 MiB
SECONDS = 20             # processor time of the trial
MEMORY = 1 << 30         # memory of the trial beyond that of the interpreter, in bytes
TEXT = "It's tried, isn't it?\\n\\nÉtude du 1er mai: 3,5 km. \\U0001f600\\x0c\\u2028 中文。 " + "word " * 200
CODE = f"""
import sys
sys.path.insert(0, sys.argv[2])
from ufal import udpipe
print("began", flush=True)
try:
    import resource
    resource.setrlimit(resource.RLIMIT_CPU, ({SECONDS}, {SECONDS}))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with open("/proc/self/statm") as file:
        memory = int(file.read().split()[0]) * resource.getpagesize() + {MEMORY}
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
except (ImportError, ValueError, OSError):
    pass
model = udpipe.Model.load(sys.argv[1])
for options in ("ranges", "ranges;presegmented") if model else ():
    tokenizer = model.newTokenizer(options)
    tokenizer.setText('''{TEXT}''')
    sentence, error = udpipe.Sentence(), udpipe.ProcessingError()
    while tokenizer.nextSentence(sentence, error):
        pass
print("tried" if model else "refused")
"""


def check_model(path: Path, library: ModuleType) -> None:
    """Raise `BadModelError` if a model of UDPipe cannot be loaded and used."""
    if path.stat().st_size > MOST_BYTES:
        raise BadModelError(f"its UDPipe tokenizer is larger than {MOST_BYTES:,} bytes")
    if not sys.executable or getattr(sys, "frozen", False):
        return                           # no interpreter to try it with
    command = [sys.executable, "-I", "-S", "-c", CODE, str(path), str(_folder_of(library))]
    try:
        result = subprocess.run(command, capture_output=True, timeout=10 * SECONDS, check=False)
    except subprocess.TimeoutExpired:
        raise BadModelError("its UDPipe tokenizer does not finish") from None
    if not result.stdout.startswith(b"began"):
        reason = result.stderr.decode(errors="replace")
        raise RuntimeError(f"cannot try a UDPipe tokenizer in another process: {reason}")
    if result.stdout.split() != [b"began", b"tried"]:
        raise BadModelError("UDPipe cannot load its tokenizer model")


def _folder_of(library: ModuleType) -> Path:
    """Return the folder from which a module was imported."""
    file = Path(str(library.__file__))
    return file.parents[library.__name__.count(".") + (file.stem == "__init__")]
