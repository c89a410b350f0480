"""Bring an encoder into the project: tiny, from the hub, a folder or a package."""
