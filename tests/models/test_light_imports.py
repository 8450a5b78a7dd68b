"""Hosted recognizers use prompts and answers where neither torch nor transformers is wanted."""

from __future__ import annotations

import subprocess
import sys


def test_prompts_and_answers_load_no_torch():
    code = (
        "import sys, pedkit.models.prompts as p, pedkit.models.answers as a;"
        "a.parse_answer(p.load_prompt().answer(('K',)));"
        "print(sorted({'torch', 'transformers', 'numba', 'omegaconf'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
