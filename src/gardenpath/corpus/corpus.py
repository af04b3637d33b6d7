"""Parsing a corpus: what is missing is done, and written down part by part."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing
from functools import cached_property
from pathlib import Path

from gardenpath import models
from gardenpath.corpus.engines import Engine, local
from gardenpath.corpus.folder import Folder, State
from gardenpath.corpus.inputs import find_inputs
from gardenpath.corpus.parsing import Counts
from gardenpath.corpus.plan import Plan, Settings, Shard
from gardenpath.corpus.work import Done, Work
from gardenpath.crews.crew import told
from gardenpath.errors import UsageError


class Corpus:
    """Files, or folders of files, that are parsed to a folder.

    Inputs are looked at when it is made; nothing is written before `run`.
    """

    def __init__(self, inputs: Iterable[str | Path], output: str | Path, settings: Settings | None = None) -> None:
        chosen = settings or Settings()
        self.plan = Plan(chosen, find_inputs(inputs, chosen.input, Path(output)))
        self._folder = Folder(output, self.plan)
        self._check_model()
        self._folder.compare()

    def _check_model(self) -> None:
        """See that the model can do what it is to do, before anybody begins."""
        model = models.load(self.plan.model)
        kinds = {each.kind for each in self.plan.inputs} - {"conllu"}
        if kinds:
            model.pipeline()
        if kinds - {"tokens"} and model.tokenizer is None:
            raise UsageError("this model has no tokenizer: give it lines of tokens (--input tokens) or CoNLL-U")

    @cached_property
    def shards(self) -> list[Shard]:
        """What the inputs are cut into."""
        return self.plan.shards()

    @property
    def size(self) -> int:
        """How many bytes the input files have."""
        return sum(each.size for each in self.plan.inputs)

    def state(self) -> State:
        """What is done, and what is missing."""
        return self._folder.state(self.shards)

    def run(self, engine: Engine = local, workers: int | None = None) -> Iterator[Done]:
        """Do what is missing, yielding part by part as they end.

        Stop it at any moment, and start it again: what is done is not done again. A shard that cannot be done is yielded with its `failure`, and tried again
        the next time; documents that cannot be parsed are written to a file beside their part.
        """
        with self._folder.locked():
            self._folder.begin()
            work = Work(self.plan.model, self.plan.settings, self._folder.path)
            with closing(engine(work, self.state().missing, workers)) as parts:
                for ended in parts:
                    done = ended.result or Done(ended.task, Counts(), failure=told(ended))
                    if done.failure is None:
                        self._folder.record(done)
                    yield done
