"""What happens to sound on its way to a microphone and a file: room, noise, band limits, codec.

`pedkit.data.augment` applies them to training clips, ``synthetic.post_processing`` to what speech engines say.
"""

from pedkit.data.signal.band import Band
from pedkit.data.signal.codec import Codec
from pedkit.data.signal.noise import Noise
from pedkit.data.signal.room import Room

__all__ = ["Band", "Codec", "Noise", "Room"]
