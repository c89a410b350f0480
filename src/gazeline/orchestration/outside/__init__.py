"""What the pipeline does, for any file and outside DVC."""
