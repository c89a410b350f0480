"""Tasks over time: values per second, and intervals, learnt from the cells of stretches."""
