"""The fuzzing: every seed of the corpus is used or refused, and the driver notices what goes wrong."""

import os
import random
import time

import driver
import pytest

from fuzz import TARGETS

CORPUS = [name for name in TARGETS if (driver.CORPUS / name).is_dir()]
pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="the driver needs fork")


@pytest.mark.parametrize("name", CORPUS)
def test_the_seeds(name):
    if name in ("arrow", "parquet"):
        pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    target = TARGETS[name]()
    assert target.seeds()
    for seed in target.seeds():
        for number in range(4):          # several choices of checks
            assert driver.problem_of(target, seed, random.Random(number)) in ("", driver.REFUSED)


class Clumsy(driver.Target):
    """Fails at some numbers, in all ways that the driver knows."""

    name = "clumsy"

    def seeds(self):
        return [b""]

    def mutated(self, rng, seeds):
        return str(rng.randrange(20)).encode()

    def run(self, data, rng):
        match int(data):
            case 3:
                raise KeyError("three")
            case 5:
                os.abort()
            case 7:
                time.sleep(driver.HANG + 60)
            case 9:
                raise driver.GardenpathError("not a finding")


def test_the_driver_notices_errors_crashes_and_hangs(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(driver, "HANG", 1)
    monkeypatch.setattr(driver, "MOST", 100)
    run = driver.Run(Clumsy(), 1, tmp_path / "clumsy")
    values = [int(driver.case(run.target, [b""], 1, number)[0]) for number in range(40)]
    assert {3, 5, 7, 9} <= set(values)
    assert run.run(0, 40, 1e6) == 40
    assert sorted(number for number, _ in run.problems) == [i for i, value in enumerate(values) if value in (3, 5, 7)]
    reasons = {values[number]: problem for number, problem in run.problems}
    assert "KeyError: 'three'" in reasons[3]
    assert "the process ended with -6" in reasons[5]
    assert "no end after 1 seconds" in reasons[7]
    run.report()
    assert f"clumsy, seed 1, input {values.index(3)}: " in capsys.readouterr().out
    assert (tmp_path / "clumsy" / f"clumsy-1-{values.index(3)}").read_bytes() == b"3"


def test_the_exit_code_tells_whether_there_are_findings(tmp_path, capsys):
    arguments = ["--folder", str(tmp_path), "--inputs", "1", "--first"]
    values = [int(driver.case(Clumsy(), [b""], 1, number)[0]) for number in range(60)]
    assert driver.main({"clumsy": Clumsy}, [*arguments, str(values.index(3))]) == 1
    assert driver.main({"clumsy": Clumsy}, [*arguments, str(values.index(9))]) == 0
    assert "clumsy: 1 inputs, 1 refused, 0 findings" in capsys.readouterr().out
