"""From what an engine puts out to what models read: rate, level, and if you like room, noise and channel."""

from pedkit.data.signal import Band, Codec, Noise, Room
from synthetic.post_processing.chain import PostProcessing

__all__ = ["Band", "Codec", "Noise", "PostProcessing", "Room"]
