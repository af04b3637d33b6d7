"""One model in many threads and processes: the same bytes everywhere."""

import os
import subprocess
import sys
import traceback
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import get_context

import pytest

import gardenpath as gp

TEXTS = [f"The old man number {number} saw the boat. It didn't sink, did it?\n\nNobody saw it." for number in range(40)]
IN_SUBINTERPRETER = """
import gardenpath as gp
gp.load("en-fast")
import _xxsubinterpreters as interpreters
other = interpreters.create()
try:
    interpreters.run_string(other, "import gardenpath as gp; gp.load('en-fast')('A dog barked.')")
except interpreters.RunFailedError as error:
    print(error)
print(len(gp.load("en-fast")("A dog barked.")))
"""


@pytest.fixture(scope="module", params=["en", "en-fast"])
def model(request):
    return gp.load(request.param)


@pytest.fixture(scope="module")
def expected(model):
    return parsed(model)


def parsed(model, **options):
    return "".join(document.to_conllu() for document in model.pipe(TEXTS, **options))


@pytest.mark.parametrize("threads", range(2, 9))
def test_any_number_of_threads_gives_the_same_result(model, expected, threads):
    assert parsed(model, threads=threads) == expected


def test_eight_threads_of_python_share_a_model(model, expected):
    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(lambda _: parsed(model), range(8))) == {expected}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_forked_process_uses_the_model(model, expected):
    parsed(model, threads=2)
    child = os.fork()
    if not child:
        try:
            os._exit(parsed(model) != expected or parsed(model, threads=2) != expected)
        except BaseException:
            traceback.print_exc()
            os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert parsed(model, threads=2) == expected


def test_a_spawned_process_gets_the_model(model, expected):
    with get_context("spawn").Pool(1) as pool:
        assert pool.apply(parsed, [model]) == expected


@pytest.mark.skipif(sys.version_info >= (3, 13), reason="the module for subinterpreters has another name")
def test_a_subinterpreter_is_refused():
    """Cython's modules can be loaded once per process. The error must not end the process."""
    result = subprocess.run([sys.executable, "-c", IN_SUBINTERPRETER], capture_output=True, text=True, check=True)
    refusal, sentences = result.stdout.splitlines()
    assert "ImportError" in refusal
    assert "one interpreter per process" in refusal
    assert sentences == "1"
