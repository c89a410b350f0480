"""Segment tables for the tests: the real release read directly, and small ones by hand."""

from __future__ import annotations

import ast
from pathlib import Path

import pandas as pd

VISUAL = (
    "Type of shot",
    "Look",
    "Body",
    "Clothing",
    "Posture",
    "Appearance",
    "Exp of emotion",
    "Activities",
)
CONCEPTS = (*VISUAL, "Speech", "Voice", "Soundtrack")
FOLDS = {
    1: ("tt0097576 tt0822832 tt0108160 tt0970416", "tt0109830 tt1142988"),
    2: ("tt1454029 tt1568346 tt0119822 tt1907668", "tt2267998 tt0375679"),
    3: ("tt1285016 tt2267998 tt1193138 tt0375679", "tt0110912 tt1045658"),
    4: ("tt0467406 tt0109830 tt1570728 tt1142988", "tt1285016 tt1193138"),
    5: ("tt0110912 tt0120338 tt1045658 tt1632708", "tt0097576 tt0108160"),
}
LEVELS = {"Easy Negative": "EN", "Hard Negative": "HN", "Not Sure": "NS", "Sure": "S"}


def released_segments(shared: Path) -> pd.DataFrame:
    """Return the 6072 rows of the MObyGaze release in the columns of `segments`."""
    rows = pd.read_csv(shared / "mobygaze" / "mobygaze_dataframe.csv", sep=";", index_col=0)
    named = [sorted(set(ast.literal_eval(text))) for text in rows["concepts"]]
    fps = rows["framerate"].where(rows["framerate"] == 24, 24000 / 1001)
    return pd.DataFrame(
        {
            "segment_id": rows["imdb_key"] + "/" + rows["annotator"] + "/" + rows["clip_index"],
            "film_id": rows["imdb_key"],
            "annotator": rows["annotator"],
            "start_s": rows["start_frame"] / fps,
            "end_s": (rows["end_frame"] + 1) / fps,
            "start_frame": rows["start_frame"],
            "end_frame": rows["end_frame"],
            "label": rows["label"].map(LEVELS),
            "concepts": [[c for c in names if c in CONCEPTS] for names in named],
            "tags": [[c for c in names if c not in CONCEPTS] for names in named],
            "comment": rows["comment"],
            "text_released": rows["subtitle"].fillna(""),
            "source_row": range(len(rows)),
        }
    ).reset_index(drop=True)


def released_films(shared: Path) -> pd.DataFrame:
    """Return the 20 films of the release in the columns of `films` that description reads."""
    films = pd.read_csv(shared / "mobygaze" / "mobygaze_movielist.csv", sep=";")
    return pd.DataFrame(
        {
            "film_id": films["imdb_key"],
            "title": films["movie_title"],
            "genres": [[g.strip() for g in text.split(",")] for text in films["genre"]],
        }
    )


def released_folds(films: pd.DataFrame) -> pd.DataFrame:
    """Return the paper's folds (Table 16/17) in the columns of `folds`."""
    rows = []
    for fold, (test, validation) in FOLDS.items():
        for film in films["film_id"]:
            split = "test" if film in test else "validation" if film in validation else "train"
            rows.append({"fold": fold, "film_id": film, "split": split})
    return pd.DataFrame(rows)


def segments(*rows: tuple[str, str, int, int, str, str]) -> pd.DataFrame:
    """Return a table from (film, annotator, first frame, last frame, level, "A, B") at 1 fps."""
    return pd.DataFrame(
        [
            {
                "segment_id": f"{film}/{annotator}/{index}",
                "film_id": film,
                "annotator": annotator,
                "start_s": float(first),
                "end_s": float(last + 1),
                "start_frame": first,
                "end_frame": last,
                "label": level,
                "concepts": sorted(name for name in concepts.split(", ") if name),
                "tags": [],
                "comment": "",
                "text_released": "",
                "source_row": index,
            }
            for index, (film, annotator, first, last, level, concepts) in enumerate(rows)
        ],
        columns=[
            "segment_id",
            "film_id",
            "annotator",
            "start_s",
            "end_s",
            "start_frame",
            "end_frame",
            "label",
            "concepts",
            "tags",
            "comment",
            "text_released",
            "source_row",
        ],
    )
