"""What an experiment learns from."""
