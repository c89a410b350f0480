"""Models: one module each, all taking the tokens of every modality of an experiment."""
