"""Pictures and words by which a person sees whether a copy fits its annotations."""
