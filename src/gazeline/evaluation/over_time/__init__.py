"""Scores of experiments over time: values per second, and intervals."""
