"""The few recordings that a report carries, as small as they can be while every phone stays audible."""

from __future__ import annotations

import base64
import io

from pedkit.data.utterance import Audio
from pedkit.errors import PedkitError

SAMPLE_RATE = 16000
OPUS_COMPRESSION = 0.9
"""About 33 kbit/s, at which Opus keeps fricatives: three seconds take 13 kB."""


def audio_address(audio: Audio | None) -> str | None:
    """Return a recording as a ``data:`` address (Opus, or FLAC where libsndfile has no Opus).

    Returns:
        ``None`` where there is no audio or it cannot be read: a report without a player is still a report.
    """
    if audio is None:
        return None
    import soundfile

    from pedkit.data.audio import load_audio

    try:
        samples = load_audio(audio, SAMPLE_RATE)
    except PedkitError:
        return None
    buffer = io.BytesIO()
    if "OPUS" in soundfile.available_subtypes("OGG"):
        soundfile.write(
            buffer, samples, SAMPLE_RATE, format="OGG", subtype="OPUS", compression_level=OPUS_COMPRESSION
        )
        kind = "audio/ogg"
    else:
        soundfile.write(buffer, samples, SAMPLE_RATE, format="FLAC", subtype="PCM_16")
        kind = "audio/flac"
    return f"data:{kind};base64,{base64.b64encode(buffer.getvalue()).decode()}"
