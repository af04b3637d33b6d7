"""Whatever fits the API's description is answered as it says, and whatever does not is refused: schemathesis makes both up."""

import pytest
from hypothesis import HealthCheck, given, settings

import gardenpath as gp
from gardenpath.web.app import create_app
from gardenpath.web.limits import Limits
from gardenpath.web.served import Served, ServedModels

OPERATIONS = [
    ("GET", "/health"), ("GET", "/api/models"), ("GET", "/api/systems"), ("GET", "/api/systems/{name}"),
    ("POST", "/api/parse"), ("POST", "/api/evaluate"), ("POST", "/api/trace"), ("POST", "/api/trace.tex"),
]


@pytest.fixture(scope="module")
def schema():
    import schemathesis

    app = create_app(ServedModels([Served("en", gp.load("en"))]), Limits(threads=1))
    return schemathesis.openapi.from_asgi("/openapi.json", app)


def test_the_description_is_complete(schema):
    found = [(method.upper(), path) for path, operations in schema.raw_schema["paths"].items() for method in operations]
    assert sorted(found) == sorted(OPERATIONS)
    assert "422" not in str(schema.raw_schema)


def try_out(operation, mode, examples, **chosen):
    """Send so many requests that fit the description, or do not, and compare the answers with it.

    A request that fits may be refused all the same: what is no CoNLL-U, or no name of a model, a schema cannot tell.
    """
    from schemathesis import GenerationMode
    from schemathesis.specs.openapi.checks import positive_data_acceptance

    @given(case=operation.as_strategy(generation_mode=GenerationMode(mode)))
    @settings(max_examples=examples, deadline=None, database=None, suppress_health_check=list(HealthCheck), **chosen)
    def run(case):
        case.call_and_validate(excluded_checks=[positive_data_acceptance])
        if operation.path == "/api/parse" and mode == "positive":
            case.body = {"text": case.body["text"], "svg": True}
            case.call_and_validate()

    run()


@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_what_fits_is_answered_as_described(schema, method, path):
    try_out(schema[path][method], "positive", 15, derandomize=True)


@pytest.mark.parametrize("path", [path for method, path in OPERATIONS if method == "POST"])
def test_what_does_not_fit_is_refused(schema, path):
    try_out(schema[path]["POST"], "negative", 15, derandomize=True)


@pytest.mark.long
@pytest.mark.parametrize("mode", ["positive", "negative"])
@pytest.mark.parametrize("path", [path for method, path in OPERATIONS if method == "POST"])
def test_many_answers_fit_the_description(schema, path, mode):
    try_out(schema[path]["POST"], mode, 1000)
