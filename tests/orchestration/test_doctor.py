"""What is wrong is named with its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from gazeline.orchestration.doctor import diagnose


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)


def finding(topic: str):
    (found,) = (finding for finding in diagnose() if finding.topic == topic)
    return found


def test_a_params_file_that_is_no_yaml_is_named_with_its_line():
    Path("params.yaml").write_text("corpora: {}\nfilms: [\nencoders: {}\n", encoding="utf-8")
    found = finding("params")
    assert not found.fine
    assert "(params.yaml, line 4)" in found.text


def test_an_encoder_whose_source_changed_is_looked_for_at_its_new_source():
    Path("params.yaml").write_text(
        "encoders:\n  mine: {modality: text, source: folder, location: nowhere}\n",
        encoding="utf-8",
    )
    Path("plan.yaml").write_text("plan: {}\n", encoding="utf-8")
    Path("data/encoders/mine").mkdir(parents=True)
    Path("dvc.lock").write_text(
        "stages:\n  encoders@mine:\n    params:\n      params.yaml:\n"
        "        encoders.mine: {modality: text, source: tiny, seed: 3}\n",
        encoding="utf-8",
    )
    found = finding("encoder")
    assert not found.fine
    assert found.text == (
        "mine: folder nowhere; data/encoders holds an older one, which a run replaces"
    )
    assert "encoders.mine.location" in found.todo
