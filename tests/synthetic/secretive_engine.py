"""An engine for tests that says what it is told but, like a neural one, cannot tell."""

from dataclasses import replace

from obedient_engine import ObedientEngine


class SecretiveEngine(ObedientEngine):
    name = "secretive"
    reports_phones = False

    def spoken(self, _request):
        return None

    def say(self, request):
        return replace(super().say(request), phones=None)
