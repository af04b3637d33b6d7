"""Train, dev and test are found by their names, and zip archives are unpacked safely."""

import stat
import zipfile

import pytest

from gardenpath.errors import InputError
from gardenpath.treebank import archive
from gardenpath.treebank.parts import find_parts
from gardenpath.treebank.zip_archive import unpack_zip


def with_files(folder, *names):
    for name in names:
        (folder / name).write_text("")
    return folder


def test_parts_by_their_names(tmp_path):
    names = ("cs_pdt-ud-train-l.conllu", "cs_pdt-ud-train-a-1.conllu", "cs_pdt-ud-test.conllu", "README.md", "a.conllu")
    found = find_parts(with_files(tmp_path, *names))
    assert (found.code, list(found.by_part)) == ("cs_pdt", ["train", "test"])
    assert [path.name for path in found.files()] == [names[1], names[0], names[2]]


@pytest.mark.parametrize("names, message", [
    (("train.conllu",), "no file has a name of Universal Dependencies"),
    (("de_gsd-ud-train.conllu", "de_hdt-ud-dev.conllu"), "files of several treebanks: de_gsd, de_hdt"),
])
def test_folders_that_are_no_treebanks(tmp_path, names, message):
    with pytest.raises(InputError, match=message):
        find_parts(with_files(tmp_path, *names))


def packed(path, members):
    with zipfile.ZipFile(path, "w") as file:
        for member, content in members.items():
            file.writestr(member, content)
    return path


def unpacked(tmp_path, members):
    (tmp_path / "out").mkdir()
    unpack_zip(packed(tmp_path / "a.zip", members), tmp_path / "out")
    return sorted(path.relative_to(tmp_path / "out").as_posix() for path in (tmp_path / "out").rglob("*.conllu"))


@pytest.mark.parametrize("members, expected", [
    ({"top/a.conllu": "x", "top/README.md": "y"}, ["a.conllu"]),
    ({"a.conllu": "x", "sub/b.conllu": "y"}, ["a.conllu", "sub/b.conllu"]),
    ({"top/not-to-release/a.conllu": "x", "top/b.conllu": "y"}, ["b.conllu"]),
])
def test_zip_files(tmp_path, members, expected):
    assert unpacked(tmp_path, members) == expected


@pytest.mark.parametrize("members, message", [
    ({"top/../../evil": "x"}, "is not a valid path"), ({"/tmp/evil": "x"}, "is not a valid path"),
    ({"a.conllu": "x" * 3000}, "more than 50 files or 2,000 bytes"),
    ({f"{i}.conllu": "" for i in range(60)}, "more than 50 files or 2,000 bytes"),
    ({"a.conllu": "", "a.conllu/b": ""}, "occurs twice"),
])
def test_hostile_zip_files(tmp_path, monkeypatch, members, message):
    monkeypatch.setattr(archive, "MOST_FILES", 50)
    monkeypatch.setattr(archive, "MOST_BYTES", 2000)
    with pytest.raises(InputError, match=message):
        unpacked(tmp_path, members)
    assert not (tmp_path / "evil").exists()


def test_links_in_zip_files_are_skipped(tmp_path):
    link = zipfile.ZipInfo("top/link.conllu")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    assert unpacked(tmp_path, {link: "/etc/passwd", "top/a.conllu": "x"}) == ["a.conllu"]


def test_damaged_zip_files(tmp_path):
    path = packed(tmp_path / "a.zip", {"a.conllu": "x" * 1000})
    path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(InputError, match=r"a\.zip: the archive is damaged, encrypted or of another kind"):
        unpack_zip(path, tmp_path)


def test_no_changed_byte_of_a_zip_file_raises_another_error(tmp_path):
    content = packed(tmp_path / "a.zip", {"\u00e9": "x", "a": "y"}).read_bytes()
    refused = 0
    for place in range(len(content)):
        changed = bytearray(content)
        changed[place] ^= 0x80
        (tmp_path / "a.zip").write_bytes(changed)
        (tmp_path / f"out{place}").mkdir()
        try:
            unpack_zip(tmp_path / "a.zip", tmp_path / f"out{place}")
        except InputError:
            refused += 1
    assert 0 < refused < len(content)


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_zip_files_with_other_methods_are_refused(tmp_path, method):
    with zipfile.ZipFile(tmp_path / "a.zip", "w", method) as file:
        file.writestr("a.conllu", "x")
    with pytest.raises(InputError, match=r"'a\.conllu' is compressed by another method than deflate"):
        unpack_zip(tmp_path / "a.zip", tmp_path)


def test_a_zip_file_with_a_member_without_name(tmp_path):
    content = packed(tmp_path / "a.zip", {"a": "x"}).read_bytes()
    entry = content.index(b"PK\x01\x02")
    content = bytearray(content)
    content[entry + 28] = 0                # the length of its name, which becomes a comment
    content[entry + 32] = 1
    (tmp_path / "a.zip").write_bytes(content)
    (tmp_path / "out").mkdir()
    unpack_zip(tmp_path / "a.zip", tmp_path / "out")
    assert not list((tmp_path / "out").iterdir())
