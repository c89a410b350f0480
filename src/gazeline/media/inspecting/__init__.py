"""What a film file really holds, found by decoding it."""
