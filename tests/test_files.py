"""Atomic writing: a path is always the complete old file or the complete new file."""

import os
import stat
import threading

import pytest

from gardenpath.errors import UsageError
from gardenpath.files import replacing, require_writable


def write(path, *pieces):
    with replacing(path) as file:
        for piece in pieces:
            file.write(piece)


def test_a_new_file_and_one_that_replaces_it(tmp_path):
    for content in (b"one", b"two"):
        write(tmp_path / "file", content[:1], content[1:])
        assert (tmp_path / "file").read_bytes() == content
    assert os.listdir(tmp_path) == ["file"]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, OSError])
def test_the_old_file_stays_after_an_error(error, tmp_path):
    def fail(path):
        with replacing(path) as file:
            file.write(b"half")
            raise error

    (tmp_path / "file").write_bytes(b"old")
    for name in ("file", "new"):
        with pytest.raises(error):
            fail(tmp_path / name)
    assert os.listdir(tmp_path) == ["file"]
    assert (tmp_path / "file").read_bytes() == b"old"


def test_the_old_file_stays_until_the_new_one_is_complete(tmp_path):
    (tmp_path / "file").write_bytes(b"old")
    with replacing(tmp_path / "file") as file:
        file.write(b"new")
        file.flush()
        assert (tmp_path / "file").read_bytes() == b"old"
    assert (tmp_path / "file").read_bytes() == b"new"


@pytest.mark.skipif(os.name == "nt", reason="Windows has other permissions")
def test_permissions_follow_the_umask_or_the_old_file(tmp_path):
    mask = os.umask(0o027)
    try:
        write(tmp_path / "file", b"new")
    finally:
        os.umask(mask)
    assert stat.S_IMODE((tmp_path / "file").stat().st_mode) == 0o640
    (tmp_path / "file").chmod(0o600)
    write(tmp_path / "file", b"newer")
    assert stat.S_IMODE((tmp_path / "file").stat().st_mode) == 0o600


@pytest.mark.skipif(os.name == "nt", reason="symbolic links need special permissions on Windows")
def test_the_target_of_a_link_is_replaced(tmp_path):
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "file").write_bytes(b"old")
    (tmp_path / "link").symlink_to(tmp_path / "there" / "file")
    write(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "there" / "file").read_bytes() == b"new"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_written_to_and_stays_a_pipe(tmp_path):
    """The same holds for devices: `-o /dev/null` must leave /dev/null a device."""
    os.mkfifo(tmp_path / "pipe")
    got = []
    reader = threading.Thread(target=lambda: got.append((tmp_path / "pipe").read_bytes()))
    reader.start()
    write(tmp_path / "pipe", b"one", b"two")
    reader.join()
    assert got == [b"onetwo"]
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)


def test_paths_that_cannot_be_written(tmp_path):
    for path, error in ((tmp_path / "missing" / "file", FileNotFoundError), (tmp_path, IsADirectoryError)):
        with pytest.raises(error) as raised:
            write(path, b"new")
        assert str(raised.value.filename) == str(path)
    assert os.listdir(tmp_path) == []


def test_a_place_where_nothing_can_be_written_is_an_error(tmp_path, monkeypatch):
    (tmp_path / "old").write_bytes(b"old")
    for name in ("new", "old"):
        require_writable(tmp_path / name, "the model")
    monkeypatch.setattr(os, "access", lambda path, mode: not (path == tmp_path and mode == os.W_OK))
    require_writable(os.devnull, "the model")
    for name, reason in (("", "a directory"), ("no/x", "does not exist"), ("new", "read-only"), ("old", "read-only")):
        with pytest.raises(UsageError, match=f"^the model cannot be written to .*{name}: .*{reason}$"):
            require_writable(tmp_path / name, "the model")
