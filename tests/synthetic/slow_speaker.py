"""``python slow_speaker.py OUT``: a small set by a slow engine, to be killed (`test_killed_runs.py`)."""

import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1])]

from hydra import compose, initialize_config_dir  # noqa: E402
from obedient_engine import ObedientEngine  # noqa: E402
from omegaconf import open_dict  # noqa: E402


class SlowEngine(ObedientEngine):
    def say(self, request):
        time.sleep(0.01)
        return super().say(request)


def main(folder):
    from synthetic.synthesize import synthesize

    with initialize_config_dir(str(HERE.parents[1] / "conf"), version_base="1.3"):
        cfg = compose("synthesize", overrides=["synthetic=short", f"output_dir={folder}", "workers=2"])
    with open_dict(cfg):
        cfg.synthetic.speech.engine = {"_target_": "slow_speaker.SlowEngine"}
        cfg.synthetic.speech.voices = {"seen": ["f1", "m1"], "unseen": ["f9"]}
        cfg.synthetic.sizes = {"train": 60, "dev": 20, "test_seen": 20, "test_unseen": 20}
    synthesize(cfg)


if __name__ == "__main__":
    main(sys.argv[1])
