"""Exact frame rates, half-open intervals and maps between the two clocks. Pure."""
