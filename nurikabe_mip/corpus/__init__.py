"""Puzzles that come with the package.

`river.txt` has ten boards in the river format (7x7, 5x5, six 15x15, two 20x20), free to copy; each has one solution.
"""
