"""Every file of the shared media folder gives the frames and times ffprobe counts, or an error."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from gazeline.errors import MediaError
from gazeline.features.audio.extract import AudioShards, extract_audio
from gazeline.features.video.extract import extract_video
from gazeline.media.probing.probe import probe
from gazeline.params.features import AudioParams, VideoParams
from gazeline.params.runtime import RuntimeParams
from gazeline.schema.features import windows
from gazeline.tables import read_frame, read_metadata
from media.clips import ffprobe

pytestmark = pytest.mark.slow


@dataclass(frozen=True)
class Expected:
    """Frames decoded and first and last window, or the error; chunks of sound (None: none).

    The numbers of the pictures were taken from ffprobe's account of each file; `chunks` is half
    the length of its sound, rounded up unless the rest is under 25 ms, and `sound_end_s` the end
    of its last packet, or of the last whole chunk before such a rest.
    """

    frames: int = 0
    first_s: float = 0.0
    last_end_s: float = 0.0
    error: str = ""
    chunks: int | None = None
    sound_end_s: float = 0.0
    sound_error: str = ""


FILES = {
    "axm_bbb_800x640_768kbps_30fps_avc_2b_firstpts_10_sec.mp4": Expected(120, 10, 10 + 112 / 30),
    "axm_invalid-bitstream.webm": Expected(error="Not one frame of"),
    "axm_sample_eac3.mp4": Expected(error="has no picture", chunks=1, sound_end_s=1.7013),
    "axm_sample_missing_stsd.mp4": Expected(30, 0, 16 * 1001 / 30000, sound_error="cannot be"),
    "axm_sample_portrait.mp4": Expected(30, 0, 16 * 1001 / 30000, chunks=1, sound_end_s=1.0879),
    "axm_sample_video_only.mp4": Expected(30, 0, 16 * 1001 / 30000),
    "axm_sample_with_srt.mkv": Expected(30, 0, 0.534, chunks=1, sound_end_s=1.071),
    "decord_corrupted.mp4": Expected(49, 0, 4.9),
    "mpy_big_buck_bunny_0_30.webm": Expected(720, 0.003, 30.002, chunks=15, sound_end_s=30),
    "mpy_fire2.mp4": Expected(25, 0, 1.4798, chunks=2, sound_end_s=2.4165),
    "mpy_no_duration.webm": Expected(74, 0, 4.272, chunks=3, sound_end_s=4.874),
    "mpy_video_with_failing_audio.mp4": Expected(280, 0, 272 / 25, chunks=6, sound_end_s=11.2337),
    "popeye_p1_pgs.mkv": Expected(1440, 0, 59.999),
    "popeye_p1_vobsub.mkv": Expected(1800, 0, 59.793),
    "psd_delayed_start.mp4": Expected(24, 1.075, 1.075 + 16 / 25),
    "se_sample_MP4.mp4": Expected(error="is not a film", sound_error="is not a film"),
    "se_sample_MP4_SRT.mp4": Expected(149, 0, 144 / 30, chunks=3, sound_end_s=4.992),
    "skv_bigbuckbunny.mp4": Expected(132, 0, 128 / 25, chunks=3, sound_end_s=5.312),
    "tc_h265_10bits.mp4": Expected(30, 0, 16 / 30),
    "tc_nasa_13013.mp4": Expected(390, 0, 384 * 1001 / 30000, chunks=7, sound_end_s=13.056),
    "tos-battle-clip-medium.webm": Expected(1691, 0, 70.0, chunks=36, sound_end_s=70.552),
}
MILLISECOND = 0.0011
RUNTIME = RuntimeParams(device="cpu", batch_size=32)


def test_the_table_names_every_file(shared):
    assert {path.name for path in (shared / "media").iterdir()} == set(FILES)


@pytest.mark.parametrize("name", FILES)
def test_pictures(shared, encoders, tmp_path, name):
    path, expected, out = shared / "media" / name, FILES[name], tmp_path / "x.parquet"
    if expected.error:
        with pytest.raises(MediaError, match=expected.error) as caught:
            extract_video(path, encoders["video"], VideoParams(), RUNTIME, 1.0, out)
        assert name in str(caught.value)
        assert not out.exists()
        return
    extract_video(path, encoders["video"], VideoParams(), RUNTIME, 1.0, out)
    table = read_frame(out, windows("video", 64))
    assert read_metadata(out)["frames_decoded"] == str(expected.frames)
    assert len(table) == expected.frames // 16
    assert table.start_s.iloc[0] == pytest.approx(expected.first_s, abs=MILLISECOND)
    assert table.end_s.iloc[-1] == pytest.approx(expected.last_end_s, abs=MILLISECOND)
    assert (table.start_s.to_numpy()[1:] == table.end_s.to_numpy()[:-1]).all()
    packets = ffprobe(path, str(probe(path).video.index), "packet=pts_time")
    if len(packets) == expected.frames:
        times = sorted(float(packet["pts_time"]) for packet in packets)
        starts = times[0 : len(table) * 16 : 16]
        assert table.start_s.to_numpy() == pytest.approx(starts, abs=1e-6)


@pytest.mark.parametrize("name", FILES)
def test_sound(shared, encoders, tmp_path, name):
    path, expected = shared / "media" / name, FILES[name]
    out = AudioShards(tmp_path / "x.parquet", tmp_path / "x.acoustic")
    if expected.sound_error:
        with pytest.raises(MediaError, match=expected.sound_error) as caught:
            extract_audio(path, encoders["audio"], AudioParams(), RUNTIME, 1.0, out)
        assert name in str(caught.value)
        assert not out.embeddings.exists()
        return
    extract_audio(path, encoders["audio"], AudioParams(), RUNTIME, 1.0, out)
    has_sound = expected.chunks is not None
    assert read_metadata(out.embeddings)["has_sound"] == ("yes" if has_sound else "no")
    table = read_frame(out.embeddings, windows("audio", 64))
    assert len(table) == (expected.chunks or 0)
    if has_sound:
        assert table.start_s.tolist() == [2.0 * n for n in range(len(table))]
        # A decoder may drop samples of the last packet.
        assert table.end_s.iloc[-1] == pytest.approx(expected.sound_end_s, abs=0.03)
        assert table.complete.iloc[:-1].all()
