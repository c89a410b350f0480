"""Windows of frames and their encoder."""
