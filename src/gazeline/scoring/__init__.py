"""Score run files that anybody made, against the truth of a benchmark."""
