"""Scores of the benchmarks over time: violent scenes, valence and arousal, fear."""
