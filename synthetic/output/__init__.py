"""What a run leaves behind: audio files, manifests, the design, the refusals, a data card and the run record."""

from synthetic.output.folder import OutputFolder
from synthetic.output.utterances import utterance

__all__ = ["OutputFolder", "utterance"]
