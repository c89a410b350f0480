"""Gazeline: a reproducible pipeline from films and expert annotations to findings."""

__version__ = "0.1.0"
