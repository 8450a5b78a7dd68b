"""Items of a design are said by processes; an engine that crashes or hangs costs one item."""

from synthetic.speaking.items import Outcome, speak_items
from synthetic.speaking.progress import Progress
from synthetic.speaking.saying import Refused, Sayer, Spoken
from synthetic.speaking.workers import Failure, Workers

__all__ = ["Failure", "Outcome", "Progress", "Refused", "Sayer", "Spoken", "Workers", "speak_items"]
