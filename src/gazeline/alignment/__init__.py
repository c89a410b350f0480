"""From the annotation clock to the clock of a copy."""
