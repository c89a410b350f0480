"""Token embeddings of a segment's text."""
