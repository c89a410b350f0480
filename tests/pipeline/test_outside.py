"""`gazeline features` and `media` in a project: what its stages make, from the files alone."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.slow


def test_a_film_s_shards_are_those_of_the_stages(repository):
    film = "sample-lantern"
    made = repository.gazeline("features", f"data/films/{film}.mkv", "--out", "mine").output
    assert "3 made; in mine" in made
    for modality in ("video", "audio", "acoustic"):
        shard = f"{modality}/{film}.parquet"
        of_stage = (repository.root / "data/features" / shard).read_bytes()
        assert (repository.root / "mine" / shard).read_bytes() == of_stage, modality
    windows = made.split(" windows")[0].split(" ")[-1]
    shown = repository.gazeline("media", f"data/films/{film}.mkv").output
    assert f"{windows} windows of 16 frames every 16" in shown


def test_an_encoder_whose_settings_changed_is_made_again_not_taken_from_the_old_copy(repository):
    data = repository.params()
    data["encoders"]["tiny-xclip"]["seed"] = 9
    repository.write_params(data)
    film = "data/films/sample-lantern.mkv"
    repository.gazeline("features", film, "--out", "mine", "--modality", "video")
    shard = "video/sample-lantern.parquet"
    of_stage = (repository.root / "data/features" / shard).read_bytes()
    assert (repository.root / "mine" / shard).read_bytes() != of_stage


def test_doctor_looks_at_the_source_of_an_encoder_that_changed(repository):
    data = repository.params()
    data["encoders"]["tiny-bert"] = {"modality": "text", "source": "folder", "location": "nowhere"}
    repository.write_params(data)
    answer = repository.gazeline("doctor", check=False)
    assert answer.status == 1
    assert "BAD  encoder    tiny-bert: folder nowhere" in answer.output
    assert "tiny-ast: in data/encoders" in answer.output
