"""The graph: its expansion, what would run and why, reports for pull requests."""
