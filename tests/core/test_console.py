"""Errors end in a message, never in a stack trace; what is unexpected is recorded in full."""

import io
import subprocess
import sys

import pytest

from gazeline.console import (
    ERRORS,
    FAILURES,
    INTERRUPTED,
    UNREAD,
    note,
    progress_bar,
    run_stage,
    shown_errors,
)
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


PRINTING = """
import sys
from gazeline.console import shown_errors
with shown_errors("gazeline summary"):
    for number in range({lines}):
        print(number)
    {last}
"""


def through(reader, lines, last="pass"):
    """Run a program that prints lines into a reader; return its status and what it complains."""
    code = PRINTING.format(lines=lines, last=last)
    program = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    reader(program.stdout)
    program.stdout.close()
    return program.wait(timeout=60), program.stderr.read()


@pytest.mark.parametrize("last", ["pass", "sys.exit(0)"])
@pytest.mark.parametrize("lines", [3, 100_000])
def test_a_reader_that_is_gone_ends_the_program_quietly(lines, last, tmp_path):
    if lines == 3:  # held back until the end, by when nobody reads
        last = f"import time; time.sleep(0.5); {last}"
    reader = (lambda stream: None) if lines == 3 else (lambda stream: stream.readline())
    status, complaint = through(reader, lines, last)
    assert (status, complaint) == (UNREAD, "")
    assert not ERRORS.exists()


def test_a_pipe_that_breaks_elsewhere_is_no_quiet_end(capsys):
    status, text = failing(BrokenPipeError(32, "Broken pipe"), capsys)
    assert status == 1
    assert "failed unexpectedly (BrokenPipeError)" in text
    assert ERRORS.exists()


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_progress_shows_rate_and_time_left_on_a_terminal_and_nothing_elsewhere(capsys, monkeypatch):
    def work():
        with progress_bar(total=40, label="my-film", unit=" windows") as advance:
            for _ in range(4):
                advance(10)

    work()
    assert capsys.readouterr() == ("", "")
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    work()
    assert "my-film:" in terminal.getvalue()
    assert "/40 [" in terminal.getvalue()
    assert "windows/s" in terminal.getvalue()


def test_a_note_goes_beside_the_results(capsys):
    note("resuming")
    assert capsys.readouterr() == ("", "resuming\n")


def test_why_a_stage_failed_is_kept_until_it_succeeds(capsys):
    def fail(error):
        raise error

    for error in (MediaError("x is no film", todo="check it"), KeyError("films")):
        with pytest.raises(SystemExit):
            run_stage("video@x", lambda error=error: fail(error))
        assert (FAILURES / "video@x").read_text() in ("x is no film", "'films'")
    with pytest.raises(SystemExit):
        run_stage("video@x", lambda: fail(KeyboardInterrupt()))
    assert not (FAILURES / "video@x").exists()
    with pytest.raises(SystemExit):
        run_stage("video@x", lambda: fail(MediaError("x is no film")))
    with pytest.raises(SystemExit):
        run_stage("video@x", lambda: "done")
    assert not (FAILURES / "video@x").exists()
