"""`import pedkit` must stay cheap and must not need audio or torch."""

import subprocess
import sys

import pytest

HEAVY = (
    "torch",
    "torchaudio",
    "transformers",
    "pytorch_lightning",
    "matplotlib",
    "wandb",
    "panphon",
    "numba",
    "numpy",
)


def _modules_after(statement):
    code = f"import sys\n{statement}\nprint(' '.join(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_import_loads_nothing_heavy():
    assert not _modules_after("import pedkit") & set(HEAVY)


def test_import_works_where_torchaudio_cannot_load():
    broken = "import sys; sys.modules['torchaudio'] = None; import pedkit; pedkit.Utterance; pedkit.read_manifest"
    assert "pedkit.data.manifest" in _modules_after(broken)


def test_every_exported_name_resolves():
    import pedkit

    for name in pedkit.__all__:
        assert getattr(pedkit, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        pedkit.nothing  # noqa: B018
