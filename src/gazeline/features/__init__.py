"""The window grid, the encoders and the shards they write."""
