"""A pipeline step of our own: declared, run, stored and loaded by one class."""

import numpy as np
import pytest

import gardenpath as gp
from gardenpath.core.stored import BadModelError, require, require_arrays
from gardenpath.pipeline import steps
from gardenpath.pipeline.steps import PipelineStep
from sample import trained

TEXT = "The old captain slept. Every farmer saw the doctor."


class LowerCaseLemmas(PipelineStep):
    """Lemmas that are the first letters of the forms, in lower case."""

    name = "lower-case-lemmas"
    requires = ("words",)
    provides = ("lemmas",)

    def __init__(self, ending: str = "", limit: int = 4) -> None:
        self.ending, self.limit = ending, limit

    def run(self, drafts):
        for draft in drafts:
            draft.set_lemmas([[form.lower()[: self.limit] + self.ending for form in forms] for forms in draft.forms])

    def record(self):
        return {"ending": self.ending}

    def arrays(self):
        return {"limit": np.array([self.limit], np.uint8)}

    @classmethod
    def build(cls, record, arrays):
        require(record, {"ending": str}, "the step lower-case-lemmas")
        require_arrays(arrays, {"limit": "U8"}, "the step lower-case-lemmas")
        return cls(record["ending"], int(arrays["limit"][0]))


@pytest.fixture(scope="module")
def model():
    steps.register(LowerCaseLemmas)
    return trained(tags="predicted").with_step(LowerCaseLemmas("+"))


def lemmas(model):
    return [[word.lemma for word in sentence] for sentence in model(TEXT)]


def test_it_runs_after_the_parser(model):
    expected = [["the+", "old+", "capt+", "slep+", ".+"], ["ever+", "farm+", "saw+", "the+", "doct+", ".+"]]
    assert lemmas(model) == expected
    before = gp.Model(model.parser, model.about, model.tokenizer, model.tagger)(TEXT)
    assert [s.heads for s in model(TEXT)] == [s.heads for s in before]


def test_it_is_stored_in_the_model_file(model, tmp_path):
    model.save(tmp_path / "model.gp")
    loaded = gp.load(tmp_path / "model.gp")
    assert lemmas(loaded) == lemmas(model)
    assert loaded.about.steps == [{"name": "lower-case-lemmas", "ending": "+"}]


def test_it_does_not_run_if_its_columns_are_not_wanted(model):
    pipeline = model.pipeline()
    draft = pipeline.divide(TEXT)
    pipeline.analyse([draft], tag=False)
    assert {word.lemma for sentence in pipeline.output().document(draft) for word in sentence} == {"_"}
    assert [word.upos for word in next(iter(pipeline.output().document(draft)))] == ["_"] * 5


def test_a_file_that_misstates_it_is_a_bad_model(model, tmp_path):
    with pytest.raises(BadModelError, match="'ending' of the step lower-case-lemmas is not valid"):
        LowerCaseLemmas.build({"ending": 3}, {})
    with pytest.raises(BadModelError, match="has no array 'limit'"):
        LowerCaseLemmas.build({"ending": ""}, {})


def test_an_unknown_step_in_a_file_is_an_error(model, tmp_path, monkeypatch):
    model.save(tmp_path / "model.gp")
    monkeypatch.setattr(steps, "_STEPS", {})
    with pytest.raises(gp.UsageError, match="there is no pipeline step 'lower-case-lemmas'; register it"):
        gp.load(tmp_path / "model.gp")


def test_steps_are_in_an_order_that_works(model):
    class Needy(LowerCaseLemmas):
        name = "needy"
        requires = ("trees",)

    assert steps.needed([Needy()], {"lemmas"})
    with pytest.raises(gp.UsageError, match="the step needy requires trees, which no earlier step provides"):
        steps.check_order([Needy()])


@pytest.mark.parametrize("step, message", [
    (int, "is not a pipeline step"),
    (type("Odd", (LowerCaseLemmas,), {"name": "odd", "provides": ("colours",)}), "there is no column 'colours'"),
    (type("Same", (LowerCaseLemmas,), {}), "there is already a pipeline step called 'lower-case-lemmas'"),
])
def test_what_cannot_be_registered(model, step, message):
    with pytest.raises(gp.UsageError, match=message):
        steps.register(step)
