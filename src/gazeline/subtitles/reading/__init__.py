"""Read subtitle files with every cue accounted for."""
