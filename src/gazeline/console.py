"""What a stage says: one summary line, progress on long work, errors without stack traces."""

from __future__ import annotations

import json
import logging
import os
import select
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from types import FrameType, TracebackType
from typing import NoReturn, TypeVar

from gazeline.errors import GazelineError

# Waiting threads of torch sleep instead of spinning: on a busy machine that is up to five times
# faster. Read when torch is first imported, which a stage does after this module.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

T = TypeVar("T")
TIMINGS = Path(".gazeline/timings.jsonl")
ERRORS = Path(".gazeline/errors.log")
# A file a stage that failed, with the reason; gone when it succeeds.
FAILURES = Path(".gazeline/failures")
INTERRUPTED = 130
UNREAD = 141
"""128 + SIGPIPE, as the shell counts it."""


def _quiet_interruption(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    """Say that Ctrl-C came while modules were still being imported, without a stack trace."""
    if issubclass(kind, KeyboardInterrupt):
        print("\ninterrupted; run the same command to go on\n", file=sys.stderr)
    else:
        sys.__excepthook__(kind, error, trace)


sys.excepthook = _quiet_interruption


def run_stage(name: str, work: Callable[[], str]) -> NoReturn:
    """Run a stage's one library call, print its summary line and exit.

    Args:
        name: the stage's name in `dvc.yaml`, e.g. `video@tt0097576`.
        work: does the work and returns the summary line.
    """
    with shown_errors(name), ExitStack() as noted:
        noted.push(partial(_note_outcome, name))
        start = time.monotonic()
        summary = work()
        _note_timing(name, time.monotonic() - start)
        print(f"{name}: {summary}", flush=True)
    sys.exit(0)


@contextmanager
def shown_errors(name: str) -> Iterator[None]:
    """Turn an error the user can act on, or an interruption, into a message and an exit status."""
    logging.basicConfig(
        level=os.environ.get("GAZELINE_LOG", "WARNING"),
        format="%(levelname)s %(name)s: %(message)s",
    )
    signal.signal(signal.SIGTERM, _as_interrupt)
    try:
        with _said_to_the_end():
            yield
    except GazelineError as error:
        print(f"\n{name} failed: {error}\n", file=sys.stderr, flush=True)
        sys.exit(1)
    except KeyboardInterrupt:
        print(f"\n{name} was interrupted; run the same command to go on\n", file=sys.stderr)
        sys.exit(INTERRUPTED)
    except MemoryError:
        print(
            f"\n{name} failed: out of memory\n  to do: lower runtime.batch_size\n", file=sys.stderr
        )
        sys.exit(1)
    except Exception as error:  # noqa: BLE001 - the one boundary: recorded in full, then it fails
        if isinstance(error, BrokenPipeError) and _nobody_reads():
            _end_quietly()
        print(f"\n{name} failed {_unexpected(name, error)}\n", file=sys.stderr)
        sys.exit(1)


@contextmanager
def recorded_failure(name: str) -> Iterator[None]:
    """Turn what is unexpected into an error that can be named, so that other files go on.

    Raises:
        GazelineError: as in the block, or for anything unexpected in it, whose trace is kept.
    """
    try:
        yield
    except (GazelineError, MemoryError):
        raise
    except Exception as error:
        if isinstance(error, BrokenPipeError) and _nobody_reads():
            raise
        raise _unexpected(name, error) from error


def _unexpected(name: str, error: Exception) -> GazelineError:
    """Keep the trace of an error that nobody expected and return it as one for the user."""
    log = _record(name, error)
    return GazelineError(
        f"unexpectedly ({type(error).__name__}): {_first_line(error)}",
        where=f"the full trace is in {log}",
        todo="this is a fault of Gazeline or a damaged file; report it with that trace",
    )


@contextmanager
def _said_to_the_end() -> Iterator[None]:
    """Write out what is still held back, while a reader that is gone can be noticed."""
    try:
        yield
    except SystemExit:
        sys.stdout.flush()
        raise
    sys.stdout.flush()


def _nobody_reads() -> bool:
    """Return whether the reader of this program's output is gone, as `head` is after its lines."""
    poll = select.poll()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            poll.register(stream.fileno(), 0)
    return any(event & (select.POLLERR | select.POLLHUP) for _, event in poll.poll(0))


def _end_quietly() -> NoReturn:
    """End as a program does whose reader is gone; what is held back is dropped."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            os.dup2(nowhere, stream.fileno())
    sys.exit(UNREAD)


def _record(name: str, error: Exception) -> Path:
    """Write the trace here, or where nothing may be written here in the folder of such files."""
    trace = f"{name}\n{''.join(traceback.format_exception(error))}\n"
    try:
        ERRORS.parent.mkdir(exist_ok=True)
        with ERRORS.open("a", encoding="utf-8", errors="backslashreplace") as file:
            file.write(trace)
    except OSError:
        handle, path = tempfile.mkstemp(prefix="gazeline-", suffix=".log")
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(trace)
        return Path(path)
    return ERRORS


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or ["no message"])[0]


def progress(items: Iterable[T], *, total: int | None, label: str, unit: str) -> Iterable[T]:
    """Show rate and time left on a terminal; stay quiet elsewhere."""
    if not sys.stderr.isatty():
        return items
    from tqdm import tqdm

    bar: Iterable[T] = tqdm(items, total=total, desc=label, unit=unit, leave=False)
    return bar


@contextmanager
def progress_bar(*, total: int | None, label: str, unit: str) -> Iterator[Callable[[int], object]]:
    """Yield a function that advances a bar of rate and time left; quiet where no terminal is."""
    if not sys.stderr.isatty():
        yield lambda n: None
        return
    from tqdm import tqdm

    with tqdm(total=total, desc=label, unit=unit, leave=False) as bar:
        yield bar.update


def note(text: str) -> None:
    """Say something on the way that is no result, beside standard output."""
    print(text, file=sys.stderr, flush=True)


def _as_interrupt(signum: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _note_timing(name: str, seconds: float) -> None:
    """Keep how long stages take, for `gazeline status`; outside every hashed output."""
    try:
        TIMINGS.parent.mkdir(exist_ok=True)
        with TIMINGS.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"stage": name, "seconds": round(seconds, 2)}) + "\n")
    except OSError as error:
        logging.getLogger(__name__).info("timings not kept: %s", error)


def _note_outcome(
    name: str,
    kind: type[BaseException] | None,
    error: BaseException | None,
    trace: TracebackType | None,
) -> None:
    """Keep why a stage failed, for `gazeline summary`; forget it when it succeeds."""
    path = FAILURES / name
    try:
        path.unlink(missing_ok=True)
        if isinstance(error, Exception):
            FAILURES.mkdir(parents=True, exist_ok=True)
            reason = error.what if isinstance(error, GazelineError) else _first_line(error)
            path.write_text(reason.strip().partition("\n")[0], encoding="utf-8")
    except OSError as problem:
        logging.getLogger(__name__).info("failure not kept: %s", problem)
