"""A job that is killed goes on and gives the same bytes; memory that runs out is met."""

from __future__ import annotations

import contextlib
import signal
import subprocess
import sys
import textwrap
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from gazeline.features.audio.encoder import AudioEncoder
from gazeline.features.audio.extract import AudioShards, extract_audio
from gazeline.features.common import scratch as scratch_module
from gazeline.features.common.scratch import Scratch, open_scratch
from gazeline.features.text.encoder import TextEncoder
from gazeline.features.text.extract import extract_text
from gazeline.features.video import extract as video_extract
from gazeline.features.video.encoder import VideoEncoder, load_video_encoder
from gazeline.features.video.extract import VideoJob, extract_video, extract_videos
from gazeline.params.features import AudioParams, TextParams, VideoParams
from gazeline.schema.annotations import SEGMENT_TEXT
from gazeline.tables import from_rows, write_table
from media.clips import tone, write_sound


class Interrupter:
    """Count what an encoder encodes and, at one batch, interrupt it."""

    def __init__(self, monkeypatch, encoder_class, method: str = "encode_staged") -> None:
        self.sizes: list[int] = []
        self.at: int | None = None
        real = getattr(encoder_class, method)

        def encode(encoder, batch):
            if len(self.sizes) == self.at:
                raise KeyboardInterrupt
            self.sizes.append(len(batch))
            return real(encoder, batch)

        monkeypatch.setattr(encoder_class, method, encode)

    def run(self, work, at: int | None) -> list[int]:
        """Return the sizes of the batches encoded until the interruption."""
        self.sizes, self.at = [], at
        if at is None:
            work()
        else:
            with pytest.raises(KeyboardInterrupt):
                work()
        return self.sizes


@pytest.fixture
def small(cpu):
    return cpu.model_copy(update={"batch_size": 2})


def files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


@pytest.mark.parametrize("params", [VideoParams(), VideoParams(partial="repeat", stride_frames=7)])
def test_video_goes_on_after_an_interruption_at_any_batch(
    film, encoders, small, tmp_path, monkeypatch, capsys, params
):
    out, kept = tmp_path / "out" / "film.parquet", tmp_path / "scratch"

    def work() -> None:
        extract_video(film, encoders["video"], params, small, 1.0, out, scratch=kept)

    interrupter = Interrupter(monkeypatch, VideoEncoder)
    sizes = interrupter.run(work, at=None)
    whole = out.read_bytes()
    assert files(kept) == []
    for at in sorted({0, len(sizes) // 2, len(sizes) - 1}):
        out.unlink()
        assert interrupter.run(work, at) == sizes[:at]
        assert not out.exists()
        assert interrupter.run(work, at=None) == sizes[at:]
        assert out.read_bytes() == whole
        assert files(kept) == []
        said = capsys.readouterr().err
        assert said == (f"video@film: resuming after {2 * at} encoded before\n" if at else "")


def test_sound_goes_on_after_an_interruption_at_any_batch(encoders, cpu, tmp_path, monkeypatch):
    film = write_sound(tmp_path / "tone.wav", tone(9, 16_000), 16_000)
    out = AudioShards(tmp_path / "a" / "x.parquet", tmp_path / "b" / "x.parquet")
    kept = tmp_path / "scratch"
    runtime = cpu.model_copy(update={"batch_size": 2})

    def work() -> None:
        extract_audio(film, encoders["audio"], AudioParams(), runtime, 1.0, out, scratch=kept)

    interrupter = Interrupter(monkeypatch, AudioEncoder)
    assert interrupter.run(work, at=None) == [2, 2, 1]
    whole = out.embeddings.read_bytes(), out.acoustic.read_bytes()
    for at in range(3):
        out.embeddings.unlink()
        interrupter.run(work, at)
        assert interrupter.run(work, at=None) == [2, 2, 1][at:]
        assert (out.embeddings.read_bytes(), out.acoustic.read_bytes()) == whole
    assert files(kept) == []


def test_text_goes_on_after_an_interruption_at_any_batch(encoders, small, tmp_path, monkeypatch):
    rows = [{"segment_id": f"s{n}", "n_cues": 1, "text": "word " * n} for n in range(6)]
    write_table(from_rows(rows, SEGMENT_TEXT), SEGMENT_TEXT, tmp_path / "texts.parquet")
    out, kept = tmp_path / "text.parquet", tmp_path / "scratch"

    def work() -> None:
        extract_text(
            tmp_path / "texts.parquet", encoders["text"], TextParams(), small, out, scratch=kept
        )

    interrupter = Interrupter(monkeypatch, TextEncoder, "encode")
    assert interrupter.run(work, at=None) == [2, 2, 1, 1]
    whole = out.read_bytes()
    for at in range(4):
        out.unlink()
        interrupter.run(work, at)
        assert interrupter.run(work, at=None) == [2, 2, 1, 1][at:]
        assert out.read_bytes() == whole


def test_a_part_that_the_disk_lost_is_encoded_again(film, encoders, small, tmp_path, monkeypatch):
    out, kept = tmp_path / "film.parquet", tmp_path / "scratch"
    monkeypatch.setattr(scratch_module, "SAVE_EVERY_S", 0.0)

    def work() -> None:
        extract_video(film, encoders["video"], VideoParams(), small, 1.0, out, scratch=kept)

    interrupter = Interrupter(monkeypatch, VideoEncoder)
    interrupter.run(work, at=None)
    whole = out.read_bytes()
    interrupter.run(work, at=2)
    first, second = sorted(files(kept))
    second.write_bytes(second.read_bytes()[:-40])
    assert interrupter.run(work, at=1) == [2]
    first.write_bytes(b"")
    assert interrupter.run(work, at=None) == [2, 2, 1]
    assert out.read_bytes() == whole


def test_other_inputs_resume_nothing_and_remove_what_was_left(
    film, encoders, small, tmp_path, monkeypatch
):
    out, kept = tmp_path / "film.parquet", tmp_path / "scratch"
    interrupter = Interrupter(monkeypatch, VideoEncoder)

    def work(**change) -> None:
        params = VideoParams(**{"partial": "drop", **change})
        extract_video(film, encoders["video"], params, small, 1.0, out, scratch=kept)

    interrupter.run(work, at=1)
    (left,) = files(kept)
    assert interrupter.run(lambda: work(stride_frames=8), at=1) == [2]
    (other,) = files(kept)
    assert left.parent != other.parent
    # A share that allows less changes no window: that try goes on.
    assert interrupter.run(lambda: work(stride_frames=8, min_decoded=0.5), at=None)[0] == 2
    assert sum(interrupter.sizes) == 10 - 2
    assert files(kept) == []


def interrupt(kept: Scratch, rows: np.ndarray) -> None:
    """Leave a scratch by an interruption, after three items."""
    with contextlib.suppress(KeyboardInterrupt), kept:
        kept.add(3, rows)
        raise KeyboardInterrupt


def test_other_code_resumes_nothing(tmp_path, monkeypatch):
    rows = np.ones((3, 4), np.float32)
    for code, n_resumed in (("a", 0), ("a", 3), ("b", 0)):
        monkeypatch.setattr(scratch_module, "code_hash", lambda code=code: code)
        kept = open_scratch(tmp_path, "video", Path("film.parquet"), {"x": 1}, 4)
        assert kept.n_resumed == n_resumed
        if not n_resumed:
            interrupt(kept, rows)
    assert len(files(tmp_path)) == 1


def test_several_encoders_share_one_decoding_and_give_what_each_gives_alone(
    film, encoders, cpu, tmp_path, monkeypatch
):
    import shutil

    other = tmp_path / "other"
    shutil.copytree(encoders["video"], other)
    settings = (other / "preprocessor_config.json").read_text(encoding="utf-8")
    changed = settings.replace('"resample": 2', '"resample": 3')
    assert changed != settings
    (other / "preprocessor_config.json").write_text(changed, encoding="utf-8")
    jobs = [
        VideoJob(encoders["video"], VideoParams(), tmp_path / "together" / "a.parquet"),
        VideoJob(other, VideoParams(stride_frames=5), tmp_path / "together" / "b.parquet"),
    ]
    passes = []
    real = video_extract.read_views
    monkeypatch.setattr(
        video_extract, "read_views", lambda *a, **k: passes.append(1) or real(*a, **k)
    )
    reports = extract_videos(film, jobs, cpu, 1.0)
    assert passes == [1]
    assert [report.n_windows for report in reports] == [5, 15]
    for job in jobs:
        alone = tmp_path / "alone" / job.out.name
        extract_video(film, job.encoder_dir, job.params, cpu, 1.0, alone)
        assert alone.read_bytes() == job.out.read_bytes()


def test_where_one_of_several_shards_cannot_be_written_none_is_left(film, encoders, cpu, tmp_path):
    from gazeline.errors import TableError

    (tmp_path / "b.parquet").mkdir()
    jobs = [VideoJob(encoders["video"], VideoParams(), tmp_path / f"{n}.parquet") for n in "ab"]
    with pytest.raises(TableError, match=r"Cannot write b\.parquet"):
        extract_videos(film, jobs, cpu, 1.0)
    assert files(tmp_path) == []


class SmallMemory(torch.nn.Module):
    """A model whose device holds two windows at once."""

    def __init__(self, model) -> None:
        super().__init__()
        self.model = model
        self.sizes: list[int] = []

    def get_video_features(self, pixel_values: torch.Tensor):
        self.sizes.append(len(pixel_values))
        if len(pixel_values) > 2:
            raise torch.OutOfMemoryError("CUDA out of memory")
        return self.model.get_video_features(pixel_values=pixel_values)


def test_memory_that_runs_out_halves_the_batch_and_the_film_goes_on(
    film, encoders, cpu, tmp_path, monkeypatch
):
    runtime = cpu.model_copy(update={"batch_size": 4})
    encoder = load_video_encoder(encoders["video"], torch.device("cpu"))
    model = SmallMemory(encoder.model)
    monkeypatch.setattr(
        video_extract, "load_video_encoder", lambda *a: replace(encoder, model=model)
    )
    made = []
    for size in (4, 2):
        runtime = cpu.model_copy(update={"batch_size": size})
        out = tmp_path / f"{size}.parquet"
        extract_video(film, encoders["video"], VideoParams(), runtime, 1.0, out)
        made.append(out.read_bytes())
    assert model.sizes == [4, 2, 2, 1, 2, 2, 1]
    assert made[0] == made[1]


KILLED = """
    import os, signal, sys, time
    from pathlib import Path
    from gazeline.console import run_stage
    from gazeline.features.common import scratch
    from gazeline.features.video.encoder import VideoEncoder
    from gazeline.features.video.extract import extract_video
    from gazeline.params.features import VideoParams
    from gazeline.params.runtime import RuntimeParams

    scratch.SAVE_EVERY_S = 0.0
    film, encoder, out, kept = map(Path, sys.argv[1:5])
    real, n_encoded = VideoEncoder.encode_staged, 0

    def encode(self, batch):
        global n_encoded
        n_encoded += 1
        if n_encoded == 3:
            os.kill(os.getpid(), getattr(signal, sys.argv[5]))
            time.sleep(10)
        return real(self, batch)

    VideoEncoder.encode_staged = encode
    params, runtime = VideoParams(), RuntimeParams(device="cpu", batch_size=2, threads=1)
    run_stage("video@film", lambda: extract_video(
        film, encoder, params, runtime, 1.0, out, scratch=kept).sentence())
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["SIGKILL", "SIGINT", "SIGTERM"])
def test_a_process_that_is_ended_leaves_no_shard_and_no_trace_and_goes_on(
    film, encoders, cpu, tmp_path, project, name
):
    script = tmp_path / "killed.py"
    script.write_text(textwrap.dedent(KILLED), encoding="utf-8")
    out, kept = tmp_path / "film.parquet", tmp_path / "scratch"
    arguments = [str(path) for path in (film, encoders["video"], out, kept)]
    done = subprocess.run(
        [sys.executable, str(script), *arguments, name],
        cwd=tmp_path,
        env={"PYTHONPATH": str(project / "src"), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == (-signal.SIGKILL if name == "SIGKILL" else 130)
    assert done.stderr == (
        ""
        if name == "SIGKILL"
        else "\nvideo@film was interrupted; run the same command to go on\n\n"
    )
    assert not out.exists()
    torch_threads = torch.get_num_threads()
    runtime = cpu.model_copy(update={"batch_size": 2, "threads": 1})
    report = extract_video(film, encoders["video"], VideoParams(), runtime, 1.0, out, scratch=kept)
    assert report.n_resumed == 4
    whole = tmp_path / "whole.parquet"
    extract_video(film, encoders["video"], VideoParams(), runtime, 1.0, whole)
    torch.set_num_threads(torch_threads)
    assert out.read_bytes() == whole.read_bytes()
