"""The subtitles that a film file carries: which text track to take, and what any file holds."""
