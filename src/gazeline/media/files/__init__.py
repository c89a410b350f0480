"""What a media file holds, and opening it."""
