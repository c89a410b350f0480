"""Errors end in a message, never in a stack trace; what is unexpected is recorded in full."""

import pytest

from gazeline.console import ERRORS, INTERRUPTED, shown_errors
from gazeline.errors import MediaError


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def failing(error, capsys):
    with pytest.raises(SystemExit) as caught, shown_errors("video@x"):
        raise error
    return caught.value.code, capsys.readouterr().err


def test_an_error_says_what_where_and_what_to_do(capsys):
    status, text = failing(MediaError("x is no film", where="x.mkv", todo="check it"), capsys)
    assert status == 1
    assert "video@x failed: x is no film\n  where: x.mkv\n  to do: check it" in text
    assert not ERRORS.exists()


def test_an_interruption_is_a_sentence(capsys):
    status, text = failing(KeyboardInterrupt(), capsys)
    assert status == INTERRUPTED
    assert "was interrupted" in text


def test_what_is_unexpected_is_one_message_and_its_trace_is_kept(capsys):
    status, text = failing(KeyError("films"), capsys)
    assert status == 1
    assert "failed unexpectedly (KeyError): 'films'" in text
    assert "Traceback" not in text
    assert "Traceback" in ERRORS.read_text()


def test_where_nothing_may_be_written_the_trace_is_kept_elsewhere(capsys, tmp_path, monkeypatch):
    ERRORS.parent.touch()
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    status, text = failing(KeyError("films"), capsys)
    assert status == 1
    (log,) = (tmp_path / "temporary").iterdir()
    assert f"the full trace is in {log}" in text
    assert "Traceback" in log.read_text()
