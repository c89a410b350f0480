"""The embedded sample: a release in the formats of three corpora at once."""
