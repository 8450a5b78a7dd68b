"""``python slow_speaker.py OUT``: a small set by a slow engine, to be killed (`test_killed_runs.py`).

With a number behind OUT the disk is full when each process has written so many audio files.
"""

import errno
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1])]

import pytest  # noqa: E402
from hydra import compose, initialize_config_dir  # noqa: E402
from obedient_engine import ObedientEngine  # noqa: E402
from omegaconf import open_dict  # noqa: E402

from pedkit.data.atomic import replacing_bytes  # noqa: E402
from synthetic.output import folder  # noqa: E402


class SlowEngine(ObedientEngine):
    def say(self, request):
        time.sleep(0.01)
        return super().say(request)


def fill_the_disk(files):
    write, left = folder.write_bytes, [files]

    def write_some(path, content):
        if path.suffix == ".flac":
            left[0] -= 1
            if left[0] < 0:
                with replacing_bytes(path) as stream:
                    stream.write(content[:100])
                    raise OSError(errno.ENOSPC, "No space left on device", str(path))
        write(path, content)

    pytest.MonkeyPatch().setattr(folder, "write_bytes", write_some)


def main(place, files=None):
    from pedkit.entrypoint import run
    from synthetic.synthesize import synthesize

    if files is not None:
        fill_the_disk(int(files))

    with initialize_config_dir(str(HERE.parents[1] / "conf"), version_base="1.3"):
        cfg = compose("synthesize", overrides=["synthetic=short", f"output_dir={place}", "workers=2"])
    with open_dict(cfg):
        cfg.synthetic.speech.engine = {"_target_": "slow_speaker.SlowEngine"}
        cfg.synthetic.speech.voices = {"seen": ["f1", "m1"], "unseen": ["f9"]}
        cfg.synthetic.sizes = {"train": 60, "dev": 20, "test_seen": 20, "test_unseen": 20}
    run(lambda: synthesize(cfg))


if __name__ == "__main__":
    main(*sys.argv[1:])
