"""Compiled loops over flat arrays of many utterances; importing this package loads numba (about half a second)."""
