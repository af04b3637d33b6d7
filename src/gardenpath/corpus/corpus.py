"""Parse a corpus: do the missing shards and record each part."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing
from functools import cached_property
from pathlib import Path

from gardenpath import models
from gardenpath.corpus.engines import Engine, local
from gardenpath.corpus.folder import CorpusState, Folder
from gardenpath.corpus.inputs import find_inputs
from gardenpath.corpus.parsing import Counts
from gardenpath.corpus.plan import CorpusPlan, CorpusSettings, Shard
from gardenpath.corpus.work import Done, Work
from gardenpath.errors import UsageError
from gardenpath.formats.encodings import checked_encoding


class Corpus:
    """Files, or folders of files, to be parsed into an output folder.

    The constructor looks at the inputs. Nothing is written before `run`.
    """

    def __init__(
        self, inputs: Iterable[str | Path], output: str | Path, settings: CorpusSettings | None = None
    ) -> None:
        chosen = settings or CorpusSettings()
        encoding = checked_encoding(chosen.encoding)
        self.plan = CorpusPlan(chosen, find_inputs(inputs, chosen.input, Path(output), encoding))
        self._folder = Folder(output, self.plan)
        self._check_model()
        self._folder.compare()

    def _check_model(self) -> None:
        """Check that the model supports these inputs."""
        model = models.load(self.plan.model)
        kinds = {each.kind for each in self.plan.inputs} - {"conllu"}
        if kinds:
            model.pipeline()
        if kinds - {"tokens"} and model.tokenizer is None:
            raise UsageError("this model has no tokenizer; give it lines of tokens (--input tokens) or CoNLL-U")

    @cached_property
    def shards(self) -> list[Shard]:
        """The shards of the inputs."""
        return self.plan.shards()

    @property
    def size(self) -> int:
        """The total size of the input files in bytes."""
        return sum(each.size for each in self.plan.inputs)

    def state(self) -> CorpusState:
        """Return what is done and what is missing."""
        return self._folder.state(self.shards)

    def run(self, engine: Engine = local, workers: int | None = None) -> Iterator[Done]:
        """Do the missing shards and yield each part when it ends.

        It can be stopped at any moment and started again: finished parts are kept. A shard that cannot be done is
        yielded with its `failure` and retried by the next run. Documents that cannot be parsed are written to a file
        next to their part.
        """
        with self._folder.locked():
            self._folder.begin()
            work = Work(self.plan.model, self.plan.settings, self._folder.path)
            with closing(engine(work, self.state().missing, workers)) as parts:
                for ended in parts:
                    done = ended.result or Done(ended.task, Counts(), failure=ended.failure())
                    if done.failure is None:
                        self._folder.record(done)
                    yield done
