"""How a symbol becomes a key of the hash table that `SpelledIds` fills and its kernel reads."""

from __future__ import annotations

LONGEST = 8
"""Bytes of the longest symbol: as many as fit into one integer."""
FACTOR = 0x9E3779B97F4A7C15
"""Spreads integers over a hash table (Knuth, The Art of Computer Programming 3, section 6.4)."""
