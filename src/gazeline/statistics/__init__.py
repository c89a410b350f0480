"""Agreement, description and external consistency of annotations."""
