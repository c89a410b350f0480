"""Everything that calls ffmpeg or PyAV: probe, decode frames and sound, embedded subtitles."""
