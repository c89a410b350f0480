"""Manifests, folders and hashes that datasets and training share."""
