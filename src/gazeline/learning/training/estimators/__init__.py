"""Models that are fitted in one go: a baseline of scikit-learn and a kernel machine."""
