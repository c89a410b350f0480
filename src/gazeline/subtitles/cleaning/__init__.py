"""Clean cues and join them to segments."""
