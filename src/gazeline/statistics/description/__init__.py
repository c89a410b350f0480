"""Describe the labels and concepts of a corpus."""
