"""Does a recording say what its label says? Forced choice by a recognizer, with a calibrated threshold."""

from synthetic.acceptance.settings import AcceptanceSettings
from synthetic.acceptance.verify import verify_set

__all__ = ["AcceptanceSettings", "verify_set"]
