"""MediaEval 2011 violent scenes: Hollywood films with violent events and concepts."""
