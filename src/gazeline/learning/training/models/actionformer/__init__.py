"""ActionFormer (Zhang, Wu and Li 2022): a pyramid of local attention that localises intervals.

Written from the paper and from the settings that its authors' public code documents; times are
counted in cells, of which point i is the middle of cell i.
"""
