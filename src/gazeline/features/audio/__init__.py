"""Chunks of sound, their encoder, and the acoustic series."""
