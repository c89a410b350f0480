"""Adapters that translate a release into the canonical tables, and what `ingest` does with them."""
