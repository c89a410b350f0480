"""Agreement of two annotations of a film."""
