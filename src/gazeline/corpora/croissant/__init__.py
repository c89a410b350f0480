"""The Croissant format: checking a release's description and writing our own."""
