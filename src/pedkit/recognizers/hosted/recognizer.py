"""`HostedRecognizer`: phones from an audio language model behind an OpenAI-compatible server."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any
from urllib.parse import quote

from pedkit.data.prediction import Prediction
from pedkit.data.utterance import Utterance
from pedkit.errors import PedkitError
from pedkit.hints import keywords
from pedkit.models.answers import parse_answer
from pedkit.models.prompts import Prompt, load_prompt
from pedkit.provenance import config_hash
from pedkit.recognizers.hosted.adapter import ServedAdapter
from pedkit.recognizers.hosted.asking import Answered, Asker, Unanswered
from pedkit.recognizers.hosted.cache import AnswerCache, Entry
from pedkit.recognizers.hosted.endpoint import Endpoint
from pedkit.recognizers.hosted.generation import Generation
from pedkit.recognizers.hosted.permission import check_permission
from pedkit.recognizers.hosted.request import Request
from pedkit.recognizers.hosted.shown import Shown
from pedkit.recognizers.hosted.sound import SAMPLE_RATE, Sound
from pedkit.recognizers.hosted.traffic import Clock, SystemClock, Traffic
from pedkit.recognizers.hosted.transport import OpenAITransport, Transport
from pedkit.recognizers.hosted.usage import Prices, usage_of
from pedkit.recognizers.protocol import Clip


class HostedRecognizer:
    """Asks a server about each clip; answers are cached on disk and never paid for twice.

    Args:
        model: Name of the model, or of the LoRA adapter, as the server knows it.
        base_url: Address of the server up to ``/v1``.
        api_key_env: Environment variable that holds the key; ``None`` where the server wants none.
        adapter: Folder of the adapter that the server holds under the name ``model``: its own prompt is asked, and
            other weights get other answers from the cache.
        prompt: What is asked; ``None`` for the adapter's, or that of `load_prompt` without arguments.
        force_prompt: Ask what the adapter was not trained to be asked.
        examples: Few-shot: manifest of recordings that are shown with their realized phones, or the arguments of
            `pedkit.data.manifest_part.ManifestPart`.
        name: Name of the system in reports; ``model`` where ``None``.
        generation: Settings of `Generation`.
        traffic: Settings of `Traffic`.
        prices: Settings of `Prices`.
        own_server: True where audio stays with you: recordings that may not be passed on are then heard, too.
        longest: Seconds of the longest clip that is sent; ``None`` for any.
        cache_dir: Folder of the answers, one file a model.
        clock: The time; the computer's where ``None``.
        transport: What sends a request; the library ``openai`` where ``None``.

    Raises:
        PedkitError: A setting cannot be used.
    """

    sample_rate = SAMPLE_RATE

    def __init__(
        self,
        *,
        model: str,
        base_url: str,
        api_key_env: str | None,
        adapter: str | Path | None = None,
        prompt: Prompt | None = None,
        force_prompt: bool = False,
        examples: str | Mapping[str, Any] | None = None,
        name: str | None = None,
        generation: Mapping[str, Any] | None = None,
        traffic: Mapping[str, Any] | None = None,
        prices: Mapping[str, Any] | None = None,
        own_server: bool = False,
        longest: float | None = None,
        cache_dir: str | Path = "runs/hosted",
        clock: Clock | None = None,
        transport: Transport | None = None,
    ) -> None:
        self.endpoint = Endpoint(base_url, api_key_env)
        if own_server and self.endpoint.is_a_service:
            raise PedkitError(f"own_server=true cannot be: {self.endpoint.host} belongs to a service")
        self.model, self.name = model, name or model
        served = None if adapter is None else ServedAdapter.read(adapter)
        self._weights = None if served is None else served.weights
        asked = prompt or load_prompt() if served is None else served.asked(prompt, force=force_prompt)
        self.prompt, self._shown = asked, Shown.read(examples, asked)
        self.inventory, self.revision = self.prompt.inventory, None
        self.prompt_hash = self.prompt.request_hash(self._shown.examples)
        self._traffic = Traffic(**keywords(Traffic, traffic or {}, place="recognizer.traffic"))
        self._prices = Prices(**keywords(Prices, prices or {}, place="recognizer.prices"))
        chosen = Generation(**keywords(Generation, generation or {}, place="recognizer.generation"))
        self._settings = chosen.to_body(self.prompt)
        self._own_server, self._longest = own_server, longest
        request = {"model": model, "weights": self._weights, "server": self.endpoint.address}
        self.config_hash = config_hash({**request, "prompt": self.prompt_hash, "settings": self._settings})
        self._cache = AnswerCache(Path(cache_dir) / f"{quote(model, safe=' ')}.jsonl")
        self._clock = SystemClock() if clock is None else clock
        self._transport = OpenAITransport(self.endpoint, self._traffic.timeout) if transport is None else transport
        self._asker = Asker(self._transport, self._traffic, self._clock)

    def admit(self, utterances: Iterable[Utterance]) -> None:
        """Check, before anything is sent, that these recordings and the examples may be passed on.

        Raises:
            RecognizerStoppedError: One may not, or its manifest does not say; or one is itself an example.
        """
        recordings = list(utterances)
        self._shown.refuse(recordings)
        if not self._own_server:
            check_permission([*recordings, *self._shown.utterances], self.endpoint.host)

    def transcribe(self, batch: Sequence[Clip]) -> list[Prediction]:
        """Return one `Prediction` a clip, in order.

        Raises:
            RecognizerStoppedError: A recording may not be passed on (nothing of the batch is sent then), or no
                request can succeed. Answers that came before are in the cache.
        """
        self.admit(clip.utterance for clip in batch)
        found: dict[int, Prediction] = {}
        requests: dict[int, Request] = {}
        for i, clip in enumerate(batch):
            try:
                requests[i] = self._request(clip)
            except PedkitError as error:
                found[i] = self._failed(clip, error.message)
        with self._cache.held():
            keys = {i: request.key for i, request in requests.items()}
            missing: dict[str, int] = {}
            for i, key in keys.items():
                if self._cache.get(key) is None:
                    missing.setdefault(key, i)  # equal requests are sent once
            reasons = self._ask({key: requests[i] for key, i in missing.items()}, batch, missing)
            for i, key in keys.items():
                entry = self._cache.get(key)
                if entry is None:
                    found[i] = self._failed(batch[i], reasons[key])
                else:
                    found[i] = self._heard(batch[i], entry, from_cache=missing.get(key) != i)
        return [found[i] for i in range(len(batch))]

    def usage(self, predictions: Iterable[Prediction]) -> dict[str, Any]:
        """Return what predictions of this recognizer used: requests, tokens, cost, latency, as plain data."""
        return usage_of(predictions, self._prices, model=self.model, server=self.endpoint.host)

    def _request(self, clip: Clip) -> Request:
        if self._longest is not None and clip.seconds > self._longest:
            raise PedkitError(
                f"a clip of {clip.seconds:.1f} s is longer than the {self._longest:g} s of 'longest'"
            )
        conversation = self.prompt.conversation(clip.utterance, self._shown.examples)
        sounds = (*self._shown.sounds, Sound.of(clip))
        return Request(
            server=self.endpoint.address,
            model=self.model,
            weights=self._weights,
            prompt_hash=self.prompt_hash,
            conversation=conversation,
            sounds=sounds,
            settings=self._settings,
        )

    def _ask(
        self, requests: Mapping[str, Request], batch: Sequence[Clip], places: Mapping[str, int]
    ) -> dict[str, str]:
        """Send requests and keep their answers in the cache; return why the others have none.

        The first error stops all waits; requests on their way are waited for, since they will be paid for.
        """
        reasons: dict[str, str] = {}
        if not requests:
            return reasons
        self._clock.start()
        self._transport.open()
        pool = ThreadPoolExecutor(self._traffic.concurrency, thread_name_prefix="hosted")
        try:
            running: dict[Future[Answered | Unanswered | None], str] = {
                pool.submit(self._one, key, request, batch[places[key]].utterance.id): key
                for key, request in requests.items()
            }
            for future in as_completed(running):
                outcome = future.result()
                if isinstance(outcome, Unanswered):
                    reasons[running[future]] = outcome.reason
        except BaseException:
            self._clock.stop()
            raise
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
            self._transport.close()
        return reasons

    def _one(self, key: str, request: Request, utterance: str) -> Answered | Unanswered | None:
        try:
            outcome = self._asker.ask(request.body(), utterance)
            if isinstance(outcome, Answered):
                entry = Entry(key, outcome.completion, outcome.seconds, outcome.tries, request.asked())
                self._cache.add(entry)
        except BaseException:
            self._clock.stop()  # here, so that this thread begins no other request
            raise
        return outcome

    def _heard(self, clip: Clip, entry: Entry, *, from_cache: bool) -> Prediction:
        one = entry.completion
        usage = {**one.tokens.to_json(), "requests": entry.tries, "from_cache": from_cache}
        facts = {"seconds": entry.seconds, "usage": usage, "revision": one.model}
        if one.withheld is not None:
            facts |= {"outcome": "withheld", "raw": one.text or None}
            return self._prediction(clip, status="unparsable", reason=one.withheld, **facts)
        answer = parse_answer(one.text, cut_off=one.cut_off, key=self.prompt.template.key)
        return answer.prediction(clip.utterance.id, one.text, **self._facts, **facts)

    def _failed(self, clip: Clip, reason: str) -> Prediction:
        return self._prediction(clip, status="failed", reason=reason)

    def _prediction(self, clip: Clip, **fields: Any) -> Prediction:
        return Prediction(id=clip.utterance.id, inventory=self.inventory, **self._facts, **fields)

    @property
    def _facts(self) -> dict[str, Any]:
        hashes = {"config_hash": self.config_hash, "prompt_hash": self.prompt_hash}
        return {"model": self.name, "device": self.endpoint.host, **hashes}
