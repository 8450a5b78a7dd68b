"""Chromium without a window, driven through a pipe by the DevTools protocol: no port, no other library.

See https://chromedevtools.github.io/devtools-protocol for the methods and their arguments.
"""

import base64
import fcntl
import json
import os
import shutil
import signal
import time
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
PATIENCE = 60  # seconds until something that does not come is given up


class BrowserError(Exception):
    """The browser refused a command."""


def browser_path():
    """Return where a browser is, or ``None``."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    """One page of one browser; use it in a ``with`` statement.

    Args:
        profile: Folder for what the browser keeps, such as local storage.
    """

    def __init__(self, profile):
        self._profile, self._last, self._events = Path(profile), 0, []
        self._buffer, self._session = b"", None

    def __enter__(self):
        to_browser, self._to = os.pipe()
        self._from, from_browser = os.pipe()
        # Out of the way of 3 and 4, from and to which the browser reads commands and writes answers.
        ends = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in (to_browser, from_browser)]
        command = [
            browser_path(), "--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--no-first-run",
            "--disable-gpu", "--mute-audio", "--disable-background-networking",
            f"--user-data-dir={self._profile}", "about:blank",
        ]  # fmt: skip
        silent = [(os.POSIX_SPAWN_OPEN, stream, os.devnull, os.O_WRONLY, 0) for stream in (1, 2)]
        connected = [(os.POSIX_SPAWN_DUP2, end, number) for end, number in zip(ends, (3, 4), strict=True)]
        self._process = os.posix_spawn(
            command[0], command, os.environ, file_actions=silent + connected, setpgroup=0
        )
        for end in (to_browser, from_browser, *ends):
            os.close(end)
        target = self._send("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self._send(f"{domain}.enable")
        return self

    def __exit__(self, *_):
        os.close(self._to)
        os.close(self._from)
        os.killpg(self._process, signal.SIGKILL)
        os.waitpid(self._process, 0)

    def open(self, path):
        """Load a file and wait until its scripts have run; forget what happened before."""
        self._events.clear()
        self._load("Page.navigate", url=Path(path).resolve().as_uri())

    def reload(self):
        """Load the page again."""
        self._load("Page.reload")

    def value(self, expression):
        """Return the value of a JavaScript expression, awaited if it is a promise."""
        answer = self._send("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def wait_for(self, expression):
        """Return the value of an expression as soon as it is true."""
        end = time.monotonic() + PATIENCE
        while not (found := self.value(expression)):
            assert time.monotonic() < end, f"never true: {expression}"
            time.sleep(0.02)
        return found

    def press(self, key):
        """Press and release a key, such as ``a``, ``ArrowRight`` or ``Enter``."""
        text = {"text": key} if len(key) == 1 else {"text": "\r"} if key == "Enter" else {}
        self._send("Input.dispatchKeyEvent", type="keyDown", key=key, **text)
        self._send("Input.dispatchKeyEvent", type="keyUp", key=key)

    def type(self, text):
        """Write into what has the focus."""
        self._send("Input.insertText", text=text)

    def download_to(self, folder):
        """Let files come into a folder."""
        self._send("Page.setDownloadBehavior", behavior="allow", downloadPath=str(folder))

    def choose_file(self, selector, path):
        """Choose a file in a file field."""
        root = self._send("DOM.getDocument")["root"]["nodeId"]
        node = self._send("DOM.querySelector", nodeId=root, selector=selector)["nodeId"]
        self._send("DOM.setFileInputFiles", nodeId=node, files=[str(path)])

    def resize(self, width, height):
        """Show the page as on a screen of this many CSS pixels."""
        self._send(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=True
        )

    def prefer(self, scheme):
        """Show the page to somebody who prefers ``dark`` or ``light``."""
        self._send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def picture(self, path):
        """Write what is seen as a PNG file."""
        answer = self._send("Page.captureScreenshot", captureBeyondViewport=True)
        Path(path).write_bytes(base64.b64decode(answer["data"]))

    def faults(self):
        """Return what the browser complained about: exceptions, refused scripts, failed requests."""
        self.value("1")  # so that all that has happened is here
        logged = [e["params"]["entry"]["text"] for e in self._events if e["method"] == "Log.entryAdded"]
        thrown = [e["params"] for e in self._events if e["method"] == "Runtime.exceptionThrown"]
        return logged + thrown

    def requests(self):
        """Return the addresses of everything that was asked for."""
        return [e["params"]["request"]["url"] for e in self._events if e["method"] == "Network.requestWillBeSent"]

    def _load(self, method, **params):
        # Events of an earlier page may still be on their way, so the page itself is asked whether it is new.
        self.value("window.isOld = true")
        self._send(method, **params)
        end = time.monotonic() + PATIENCE
        while not self._is_loaded():
            assert time.monotonic() < end, "the page was never loaded"
            time.sleep(0.02)

    def _is_loaded(self):
        try:
            return self.value("!window.isOld && document.readyState === 'complete'")
        except BrowserError:  # asked between two pages
            return False

    def _send(self, method, **params):
        self._last += 1
        message = {"id": self._last, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive()
            if answer.get("id") == self._last:
                if "error" in answer:
                    raise BrowserError(f"{method}: {answer['error']}")
                return answer["result"]
            self._events.append(answer)

    def _receive(self):
        while b"\0" not in self._buffer:
            block = os.read(self._from, 1 << 16)
            assert block, "the browser has ended"
            self._buffer += block
        line, _, self._buffer = self._buffer.partition(b"\0")
        return json.loads(line)
