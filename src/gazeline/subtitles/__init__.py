"""Read, clean and join subtitle cues."""
