"""The page on tables is what the schemas say."""

from gazeline.orchestration.tables_page import tables_page


def test_the_committed_page_is_fresh(project):
    assert (project / "docs/tables.md").read_text() == tables_page()
