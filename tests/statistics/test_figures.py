"""Figures: what is drawn is what the metrics say; the same figures are the same bytes."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex

from gazeline.params.corpora import ConceptGroups
from gazeline.params.statistics import AgreementParams, ConsistencyParams, DescriptionParams
from gazeline.params.subset import SubsetParams
from gazeline.statistics.agreement.measure import measure_agreement, threshold_key
from gazeline.statistics.annotations import from_segments
from gazeline.statistics.consistency.acoustic import compare_curves
from gazeline.statistics.consistency.check import Consistency
from gazeline.statistics.consistency.testable import NotTestable
from gazeline.statistics.description.describe import describe
from gazeline.statistics.figures.agreement import agreement_figures
from gazeline.statistics.figures.consistency import consistency_figures, effects_figure
from gazeline.statistics.figures.description import description_figures
from gazeline.statistics.figures.style import COLUMN_IN, write_figures
from statistics_tables import segments

CONCEPTS = ("Body", "Look", "Posture", "Speech")
GROUPS = ConceptGroups(visual=CONCEPTS[:3], speech=("Speech",))
AGREEMENT = AgreementParams(bootstrap=50, thresholds=(0.2, 0.5, 0.9))
LACKING = NotTestable("no segment with an audio concept among those with sound")
CAPTION = SubsetParams(films=("f0", "f1"), share=0.5).caption()


def annotated(seed: int = 0, n_films: int = 4, annotators: int = 2) -> pd.DataFrame:
    """Films of 30 segments, whose levels and concepts two annotators partly share."""
    rng = np.random.default_rng(seed)
    rows = []
    for film in range(n_films):
        truth = rng.choice(["EN", "HN", "S"], 30)
        for k in range(annotators):
            cuts = np.cumsum(rng.integers(5, 9, 30))
            for i, (start, stop) in enumerate(zip([0, *cuts[:-1]], cuts, strict=True)):
                level = truth[i] if rng.random() < 0.8 else rng.choice(["EN", "HN", "S", "NS"])
                chances = (0.5, 0.3, 0.3, 0.2) if level in ("HN", "S") else (0, 0, 0, 0)
                drawn = rng.random(4) < chances
                names = ", ".join(np.array(CONCEPTS)[drawn])
                rows.append(
                    (f"f{film}", f"annotator{k + 1}", int(start), int(stop) - 1, level, names)
                )
    return segments(*rows)


def agreement_of(table: pd.DataFrame, caption: str = ""):
    annotations = from_segments(table, CONCEPTS)
    metrics = measure_agreement(annotations, AGREEMENT).metrics
    return metrics, agreement_figures(annotations, metrics, AGREEMENT, caption)


def description_of(table: pd.DataFrame, caption: str = ""):
    ids = sorted(table["film_id"].unique()) or ["f0"]
    films = pd.DataFrame({
        "film_id": ids,
        "title": [f"The Film {i}" for i in ids],
        "genres": [["Drama"] if i % 2 else ["Drama", "Comedy"] for i in range(len(ids))],
    })  # fmt: skip
    folds = pd.DataFrame(
        {"fold": 1, "film_id": ids, "split": ["test", *["train"] * (len(ids) - 1)]}
    )
    params = DescriptionParams()
    description = describe(table, films, folds, GROUPS, params)
    return description, description_figures(description, films, params, caption)


def consistency_of(caption: str = "", curves: bool = True):
    """Return made-up results: one significant category, one not, one undefined; curves."""
    rng = np.random.default_rng(0)
    series = rng.normal(size=(60, 10))
    positive = np.arange(60) < 25
    series[positive, 3:6] += 3
    family = {
        "love": {"effect": 0.4, "q": 0.001},
        "war": {"effect": -0.2, "q": 0.3},
        "money": {"undefined": 1, "reason": "no segment with money"},
    }
    metrics = {"speech": {"subtitles": {"annotators": {"annotator1": {"Speech": family}}},
                          "released_text": {"n_without_words": 60}}}  # fmt: skip
    found = {"annotator1": {"zcr": compare_curves(series, positive), "bandwidth_hz": LACKING,
                            "rms": LACKING}}  # fmt: skip
    if curves:
        metrics["visual"] = {"annotators": {"annotator1": {"Body": {"effect": 0.3, "q": 0.01}}}}
    consistency = Consistency(metrics, "", found if curves else {})
    return consistency, consistency_figures(consistency, ConsistencyParams(), caption)


def every_figure(caption: str = ""):
    table = annotated()
    for figures in (
        agreement_of(table, caption)[1],
        description_of(table, caption)[1],
        consistency_of(caption)[1],
    ):
        yield from figures.items()


def widths(axes) -> list[float]:
    return [patch.get_width() for patch in axes.patches]


def test_every_figure_is_one_column_wide_with_named_axes_and_the_caption_of_a_subset():
    names = []
    for name, figure in every_figure(CAPTION):
        if figure is None:
            continue
        names.append(name)
        assert figure.get_size_inches()[0] == COLUMN_IN
        title = figure.get_suptitle()
        assert title.endswith("SUBSET: 2 films, first 50% of each"), name
        named = [axes.get_xlabel() for axes in figure.axes] + [figure.get_supxlabel()]
        assert any(named) or name in ("tree", "concept_correlation"), name
    assert len(names) == 3 + 6 + 3
    assert all("SUBSET" not in f.get_suptitle() for _, f in every_figure() if f is not None)


def test_nothing_is_drawn_over_the_edge_of_a_figure():
    for name, figure in every_figure(CAPTION):
        if figure is None:
            continue
        figure.draw_without_rendering()
        box = figure.get_tightbbox()
        width, height = figure.get_size_inches()
        assert min(box.x0, box.y0) > -0.05, name
        assert box.x1 < width + 0.05, name
        assert box.y1 < height + 0.05, name


def test_the_same_figures_are_the_same_bytes(tmp_path):
    for folder in ("one", "two"):
        write_figures(tmp_path / folder, dict(every_figure()))
    paths = sorted((tmp_path / "one").iterdir())
    assert len(paths) == 12
    for path in paths:
        content = path.read_bytes()
        assert content == (tmp_path / "two" / path.name).read_bytes(), path.name
        assert b"<dc:date>" not in content


ONE_FIGURE = """
import sys
from pathlib import Path
import matplotlib
matplotlib.rcParams.update({"lines.linewidth": 9, "axes.grid": True, "font.size": 20})
from gazeline.statistics.figures.consistency import effects_figure
from gazeline.statistics.figures.style import house_style, write_figures
from gazeline.params.statistics import ConsistencyParams
with house_style():
    family = {"love": {"effect": 0.4, "q": 0.001}, "war": {"effect": -0.2, "q": 0.3}}
    figure = effects_figure("Effects", {"annotator1": family}, ConsistencyParams(), "")
write_figures(Path(sys.argv[1]), {"said": figure})
"""


@pytest.mark.slow
def test_a_new_process_and_the_users_own_style_change_no_byte(tmp_path):
    contents = set()
    for name, code in (("theirs", ONE_FIGURE), ("ours", ONE_FIGURE.replace("matplotlib.rc", "#"))):
        subprocess.run([sys.executable, "-c", code, str(tmp_path / name)], check=True)
        contents.add((tmp_path / name / "said.svg").read_bytes())
    assert len(contents) == 1


def test_what_was_not_drawn_is_named_and_no_file_is_left(tmp_path):
    _, figures = consistency_of(curves=False)
    words = write_figures(tmp_path / "plots", figures)
    assert words == "1 figure, none of said_released_text, seen, heard"
    assert [path.name for path in (tmp_path / "plots").iterdir()] == ["said_subtitles.svg"]
    assert write_figures(tmp_path / "empty", {"tree": None}) == "no figure of tree"
    assert (tmp_path / "empty").is_dir()


def test_threshold_curves_are_those_of_the_metrics():
    metrics, figures = agreement_of(annotated())
    alpha, sigma = figures["thresholds"].axes
    for axes, name in ((alpha, "alpha"), (sigma, "sigma")):
        for line, overlap in zip(axes.lines, ("coverage", "iou"), strict=True):
            curve = metrics["levels"]["EN_HN_S"][overlap]
            for t, value in zip(*line.get_data(), strict=True):
                assert value == curve[threshold_key(t)][name]
        band = axes.collections[0].get_paths()[0].vertices
        coverage = metrics["levels"]["EN_HN_S"]["coverage"]
        assert band[:, 1].max() == max(e[f"{name}_high"] for e in coverage.values())


def test_distances_are_shares_of_all_pairs_and_means_stand_where_they_are():
    metrics, figures = agreement_of(annotated())
    (axes,) = figures["distances"].axes
    assert [patch.get_data().values.sum() for patch in axes.patches] == pytest.approx([1, 1])
    expected, observed = (line.get_xdata()[0] for line in axes.lines)
    published = metrics["as_published"]["levels"]["EN_HN_S"]
    assert 1 - observed / expected == pytest.approx(published["alpha"], abs=1e-6)
    assert f"alpha {published['alpha']:.2f}" in figures["distances"].get_suptitle()


def test_concepts_stand_at_their_alpha_by_both_readings():
    metrics, figures = agreement_of(annotated())
    alpha, _ = figures["concepts"].axes
    drawn = [line for line in alpha.lines if line.get_marker() in ("o", "D")]
    for line, reading in zip(drawn, ("as_published", "literal_reading"), strict=True):
        wanted = [metrics[reading]["concepts"][c] for c in CONCEPTS]
        assert list(line.get_xdata()) == [e["alpha"] for e in wanted if "alpha" in e]
    assert [text.get_text() for text in alpha.get_yticklabels()] == list(CONCEPTS)


def test_levels_fill_the_time_of_each_genre():
    description, figures = description_of(annotated())
    (axes,) = figures["levels_by_genre"].axes
    rows = [text.get_text() for text in axes.get_yticklabels()]
    assert rows[0] == "all films"
    assert set(rows[1:]) == {"Drama", "Comedy"}
    bars = np.array(widths(axes)).reshape(-1, 3)
    np.testing.assert_allclose(bars.sum(axis=0), 100, atol=1e-3)
    shares = description.metrics["levels"]["all"]
    wanted = [100 * shares[level]["time_share"] for level in ("EN", "HN", "S", "NS")]
    assert list(bars[:, 0]) == pytest.approx(wanted)


def test_positives_counts_and_contributions_are_those_of_the_metrics():
    description, figures = description_of(annotated())
    metrics = description.metrics
    (axes,) = figures["positives_by_film"].axes
    rows = [text.get_text() for text in axes.get_yticklabels()]
    for line, shares in zip(axes.lines, metrics["positives"].values(), strict=True):
        for x, y in zip(*line.get_data(), strict=True):
            film = rows[round(y)].removeprefix("The Film ")
            assert x == pytest.approx(100 * shares[film]["time_share"])
    counts = metrics["concepts"]["by_annotator"]
    drawn = widths(figures["concept_counts"].axes[0])
    assert drawn == [n for by_concept in counts.values() for n in by_concept.values()]
    first = figures["components"].axes[0]
    loadings = metrics["components"]["visual_concepts"]["covariance"]["without_EN"]["PC1"]
    assert sum(widths(first)) == pytest.approx(100, abs=0.01)
    largest = max(loadings["loadings"].values())
    assert max(widths(first)) == pytest.approx(100 * largest**2)


def test_the_matrix_shows_each_correlation_once():
    description, figures = description_of(annotated())
    correlation = description.metrics["concepts"]["correlation"]
    texts = [text.get_text() for text in figures["concept_correlation"].axes[0].texts]
    assert len(texts) == 6
    body_look = f"{correlation['Body']['Look']:.2f}".replace("0.", ".").replace("-", "−")
    assert texts[0] == body_look


def test_the_tree_shows_the_segments_of_each_branch():
    description, figures = description_of(annotated())
    root = description.tree
    texts = [text.get_text() for text in figures["tree"].axes[0].texts]
    assert f"{root.concept}?" in texts
    ends = [text for text in texts if text.endswith(")") and "%" in text]
    assert sum(int(text.split("(")[1][:-1]) for text in ends) == root.n
    assert root.n == description.metrics["tree"]["in_sample"]["n"]


def test_significant_effects_are_filled_and_undefined_ones_are_not_drawn():
    _, figures = consistency_of()
    (axes,) = figures["said_subtitles"].axes
    rows = [text.get_text() for text in axes.get_yticklabels()]
    assert rows == ["love", "money", "war"]
    assert [(t.get_text().strip(), rows[t.get_position()[1]]) for t in axes.texts] == [
        ("not testable", "money")
    ]
    assert axes.get_title() == "annotator1\n1 of the 2 tested"
    love, war = axes.patches
    assert (love.get_width(), war.get_width()) == (0.4, -0.2)
    assert to_hex(war.get_facecolor()) == "#ffffff"
    assert to_hex(love.get_facecolor()) != "#ffffff"


def test_acoustic_curves_are_means_and_only_significant_bins_are_shaded():
    consistency, figures = consistency_of()
    zcr, bandwidth, _ = figures["heard"].axes
    found = consistency.curves["annotator1"]["zcr"]
    positive, negative = (line.get_ydata() for line in zcr.lines)
    np.testing.assert_array_equal(positive, found.positive)
    np.testing.assert_array_equal(negative, found.negative)
    (shade,) = zcr.patches
    step = 100 / 9
    assert shade.get_x() == pytest.approx(2.5 * step)
    assert shade.get_width() == pytest.approx(3 * step)
    assert not bandwidth.lines
    assert [text.get_text() for text in bandwidth.texts] == ["not testable"]


@pytest.mark.parametrize(
    "table",
    [
        annotated(annotators=1),
        annotated(n_films=1),
        annotated().assign(label="EN", concepts=[[] for _ in range(240)]),
        annotated(n_films=1, annotators=1)[:1],
        annotated()[:0],
    ],
    ids=["one annotator", "one film", "all levels equal", "one segment", "no segment"],
)
def test_corpora_with_little_in_them_give_fewer_figures_and_no_error(table, tmp_path):
    _, agreement = agreement_of(table)
    _, description = description_of(table)
    for figures in (agreement, description):
        write_figures(tmp_path, figures)
    assert set(agreement) == {"distances", "thresholds", "concepts"}
    assert len(list(tmp_path.iterdir())) <= 9
    if table.empty:
        assert not list(tmp_path.iterdir())


def test_three_annotators_have_colours_and_rows_of_their_own():
    _, figures = description_of(annotated(annotators=3))
    colours = {to_hex(line.get_color()) for line in figures["positives_by_film"].axes[0].lines}
    assert len(colours) == 3


def test_a_figure_of_distances_that_are_all_zero_is_not_drawn():
    _, figures = agreement_of(annotated().assign(label="NS"))
    assert figures["distances"] is None


def test_a_concept_that_nobody_used_is_marked_undefined_in_its_row():
    table = annotated()
    kept = [[name for name in names if name != "Look"] for names in table["concepts"]]
    metrics, figures = agreement_of(table.assign(concepts=kept))
    for axes in figures["concepts"].axes:
        marks = [(text.get_text(), text.get_position()[1]) for text in axes.texts]
        assert marks.count(("undefined", CONCEPTS.index("Look"))) == 1
    reasons = metrics["as_published"]["concepts"]["Look"]
    assert reasons["alpha_reason"] == "no segment with the levels or concepts compared"


def test_an_annotator_with_nothing_to_test_has_a_panel_that_says_so():
    lacking = {"love": {"undefined": 1, "reason": "no segment with Speech"}}
    families = {"annotator1": {"love": {"effect": 0.4, "q": 0.001}}, "annotator2": lacking}
    figure = effects_figure("Said", families, ConsistencyParams(), "")
    titles = [axes.get_title().replace("\n", " ") for axes in figure.axes]
    assert titles == [
        "annotator1 1 of the 1 tested",
        "annotator2 not testable: no segment with Speech",
    ]
    assert effects_figure("Said", {"annotator2": lacking}, ConsistencyParams(), "") is None
