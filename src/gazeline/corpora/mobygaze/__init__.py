"""MObyGaze: read its release as published, in both generations of the CSV, with its SQL dumps."""
