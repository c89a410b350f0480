"""Frames by presentation time."""
