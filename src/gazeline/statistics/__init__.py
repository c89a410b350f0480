"""Agreement of the annotators, description of a corpus, consistency with what is seen and said."""
