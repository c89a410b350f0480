"""Sound on the copy clock."""
