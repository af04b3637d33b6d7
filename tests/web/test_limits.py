"""The limits: each has an option of the command and a row in the documentation."""

from dataclasses import fields

from typer.main import get_command

from gardenpath.cli.main import app_with
from gardenpath.web.limits import MEBIBYTE, Limits
from gardenpath.web.origins import OriginPolicy
from test_docs import rows

OPTIONS = {
    "body": "--max-body", "words": "--max-words", "traced_words": "--max-traced-words", "seconds": "--timeout",
    "requests": "--max-requests", "connections": "--max-connections", "bodies": "--max-bodies", "threads": "--threads",
}


def command():
    return get_command(app_with(("serve", "info"))).commands["serve"]


def test_every_limit_is_an_option_with_its_default():
    assert list(OPTIONS) == [field.name for field in fields(Limits)]
    given = {option: parameter.default for parameter in command().params for option in parameter.opts}
    limits = Limits()
    assert given["--max-body"] * MEBIBYTE == limits.body
    assert given["--max-bodies"] * MEBIBYTE == limits.bodies
    assert given["--threads"] is None
    for name in ("words", "traced_words", "seconds", "requests", "connections"):
        assert given[OPTIONS[name]] == getattr(limits, name)


def test_every_limit_is_documented():
    assert [row[0] for row in rows("serve.md", "option")] == list(OPTIONS.values())


def test_the_command_passes_the_limits_to_the_server(monkeypatch):
    seen = []
    monkeypatch.setattr("gardenpath.web.server.serve", lambda models, *rest: seen.append((models.default.name, *rest)))
    arguments = (
        "en --host ::1 --port 9 --threads 3 --max-body 0.5 --max-words 7 --max-traced-words 8 --timeout 9 "
        "--max-requests 10 --max-connections 11 --max-bodies 2 --allow-host example.org --allow-origin http://a "
        "--access-log -"
    )
    app_with(("serve", "info"))(["serve", *arguments.split()], standalone_mode=False)
    policy = OriginPolicy.of("::1", ["example.org"], ["http://a"])
    assert seen == [("en", Limits(MEBIBYTE // 2, 7, 8, 9.0, 10, 11, 2 * MEBIBYTE, 3), "::1", 9, "-", policy)]


def test_the_bodies_of_all_requests_have_room_for_one_body(monkeypatch):
    seen = []
    monkeypatch.setattr("gardenpath.web.server.serve", lambda _, limits, *rest: seen.append(limits.bodies))
    app_with(("serve", "info"))(["serve", "--max-body", "50"], standalone_mode=False)
    assert seen == [50 * MEBIBYTE]
