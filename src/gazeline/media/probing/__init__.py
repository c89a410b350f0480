"""Find the programs, and ask what a media file holds."""
