"""From what an engine puts out to what models read: rate, level, and if you like room, noise and channel."""

from synthetic.post_processing.band import Band
from synthetic.post_processing.chain import PostProcessing
from synthetic.post_processing.codec import Codec
from synthetic.post_processing.noise import Noise
from synthetic.post_processing.room import Room

__all__ = ["Band", "Codec", "Noise", "PostProcessing", "Room"]
