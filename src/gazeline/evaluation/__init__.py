"""Scores, intervals and their aggregation."""
