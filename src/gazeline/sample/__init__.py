"""The embedded sample corpus, made from code."""
