"""Status tells a film that was refused from one that was not run yet."""

from __future__ import annotations

import pytest

from gazeline.console import run_stage
from gazeline.errors import AlignmentError
from gazeline.orchestration.status import film_states
from gazeline.params.whole import check_params

PARAMS = {
    "encoders": {
        "a": {"modality": "video", "source": "tiny"},
        "b": {"modality": "audio", "source": "tiny"},
        "c": {"modality": "text", "source": "tiny"},
    },
    "corpora": {
        "mine": {
            "format": "mobygaze",
            "release": "data/releases/mine",
            "encoders": {"video": "a", "audio": "b", "text": "c"},
            "concepts": {"visual": ["Look"], "speech": ["Speech"], "audio": ["Voice"]},
            "exclude": [],
            "frame_rates": {},
            "folds": [],
        }
    },
    "films": {"juno": {"copy": "data/films/juno.mkv", "corpora": ["mine"]}},
}


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)


def ended(work):
    with pytest.raises(SystemExit):
        run_stage("align@juno", work)


def alignment() -> str:
    (film,) = film_states(check_params(PARAMS))
    return film.alignment


def raising(error):
    def work():
        raise error

    return work


def test_an_alignment_that_failed_is_no_longer_not_yet(capsys):
    assert alignment() == "not yet"
    ended(raising(AlignmentError("no map is sure enough")))
    assert alignment() == "failed in the last run, see `gazeline align check juno`"
    ended(lambda: "aligned")
    assert alignment() == "not yet"
