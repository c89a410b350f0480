"""Figures of agreement, description and consistency; only here is matplotlib imported."""
