"""What the training loop asks of each kind of task."""
