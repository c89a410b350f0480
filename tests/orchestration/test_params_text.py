"""Editing params.yaml keeps every comment."""

from gazeline.orchestration.params_text import (
    flow_entry,
    insert_entry,
    remove_entry,
    replace_entry,
    set_list,
)

TEXT = """\
# the manual
corpora:
  # the sample
  sample:
    format: mobygaze
    # inner
    folds: []

# Films.
films:
  a: {copy: x.mkv}  # first
  # second film
  b:
    copy: y.mkv

# Run a part.
subset: {}
"""


def test_an_entry_is_appended_before_the_comment_of_the_next_section():
    new = insert_entry(TEXT, "films", "c: {copy: z.mkv}")
    assert new == TEXT.replace("    copy: y.mkv\n", "    copy: y.mkv\n  c: {copy: z.mkv}\n")


def test_removing_the_last_entry_keeps_the_next_sections_comment():
    new = remove_entry(TEXT, "films", "b")
    assert new == TEXT.replace("  # second film\n  b:\n    copy: y.mkv\n", "")


def test_removing_what_was_inserted_restores_the_file():
    block = "c:\n  # why\n  copy: z.mkv"
    assert remove_entry(insert_entry(TEXT, "films", block), "films", "c") == TEXT


def test_an_emptied_section_becomes_an_empty_mapping_and_can_be_filled_again():
    empty = remove_entry(TEXT, "corpora", "sample")
    assert "corpora: {}\n" in empty
    assert "# Films." in empty
    filled = insert_entry(empty, "corpora", "other:\n  format: mobygaze")
    assert "corpora:\n  other:\n    format: mobygaze\n" in filled


def test_an_entry_is_replaced_in_place():
    new = replace_entry(TEXT, "films", "a", flow_entry("a", {"copy": "w.mkv", "corpora": ["m"]}))
    assert "  a: {copy: w.mkv, corpora: [m]}\n  # second film\n" in new


def test_the_committed_params_file_can_lose_and_regain_any_film(project):
    text = (project / "params.yaml").read_text()
    without = remove_entry(text, "films", "sample-tram")
    assert "sample-tram: {" not in without
    assert len(text.splitlines()) - len(without.splitlines()) == 1


def test_a_list_is_replaced_on_its_line(project):
    text = (project / "params.yaml").read_text()
    path = ("corpora", "sample", "exclude")
    assert set_list(text, path, ["a", "b"]) == text.replace("exclude: []", "exclude: [a, b]")
    assert set_list(set_list(text, path, ["a", "b"]), path, []) == text
