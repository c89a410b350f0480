"""Tasks, folds, batches, models and training."""
