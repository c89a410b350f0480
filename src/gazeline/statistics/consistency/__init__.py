"""External consistency: the annotations against what is seen, said and heard (paper Sec. 3.2.2)."""
