"""Batches, models and one training loop."""
