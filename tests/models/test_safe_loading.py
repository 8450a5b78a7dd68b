"""Nothing that pedkit reads is executed: weights only, everywhere."""

from __future__ import annotations

import ast
import json
import pickle
from pathlib import Path

import pytest
import torch

from pedkit.errors import PedkitError
from pedkit.recognizers.run import load_run

ROOT = Path(__file__).parents[2]
SOURCES = sorted([*(ROOT / "src" / "pedkit").rglob("*.py"), *(ROOT / "synthetic").rglob("*.py")])


def _calls(file):
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            yield ast.unparse(node.func), {word.arg: ast.unparse(word.value) for word in node.keywords}


def test_every_call_that_could_execute_what_it_reads_is_told_not_to():
    seen = 0
    for file in SOURCES:
        for name, keywords in _calls(file):
            assert name not in ("pickle.load", "pickle.loads", "joblib.load", "eval", "exec"), file
            assert keywords.get("allow_pickle", "False") == "False", file
            assert keywords.get("trust_remote_code", "False") == "False", file
            if name in ("torch.load", "trainer.fit") or name.endswith(".load_from_checkpoint"):
                assert keywords.get("weights_only") == "True", (file, name)
                seen += 1
    assert seen >= 3  # the reader of runs, the check of last.ckpt, the resume


class Evil:
    def __init__(self, target):
        self.target = target

    def __reduce__(self):
        return Path.touch, (self.target,)


def test_a_checkpoint_with_code_in_it_is_refused_and_not_run(tmp_path):
    trace = tmp_path / "was here"
    (tmp_path / "checkpoints").mkdir()
    torch.save({"state_dict": {}, "more": Evil(trace)}, tmp_path / "checkpoints" / "kept.ckpt")
    record = {"name": "x", "kept": {"checkpoint": "checkpoints/kept.ckpt"}}
    (tmp_path / "run.json").write_text(json.dumps(record), encoding="utf-8")
    vocabulary = {"inventory": "cmu39", "blank": 0, "size": 2, "ids": {"AA": 1}}
    (tmp_path / "vocabulary.json").write_text(json.dumps(vocabulary), encoding="utf-8")
    sizes = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32,
             "num_conv_pos_embeddings": 16, "num_conv_pos_embedding_groups": 2}  # fmt: skip
    encoder = {"model_type": "pedkit-log-mel-wav2vec2", "config": sizes, "normalize": False, "lora": None}
    (tmp_path / "encoder.json").write_text(json.dumps(encoder), encoding="utf-8")
    with pytest.raises(PedkitError, match="no checkpoint of pedkit"):
        load_run(tmp_path)
    assert not trace.exists()
    pickle.loads(pickle.dumps(Evil(trace)))  # the bait works
    assert trace.exists()
