"""A Speech Accent Archive of eight rows for tests: the Kaggle copy's layout and columns, invented speakers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import soundfile

# The last three columns of the copy have neither names nor values.
TABLE = """\
age,age_onset,birthplace,filename,native_language,sex,speakerid,country,file_missing?,,,
24,12,"koussi, senegal",balanta,balanta,male,788,senegal,TRUE,,,
27.0,0,"seattle, washington, usa",english1,english,female,61,usa ,FALSE,,,
18,9,"addis ababa, ethiopia",amharic3,amharic,famale,7,ethiopia,FALSE,,,
0,NA,"null",korean2,korean,male,,,FALSE,,,
41,0.0,"nairobi, kenya",english9,english,male,007,kenya,FALSE,,,
33,20,"lima, peru",spanish4,spanish,female,90,peru,FALSE,,,
0,0,,synthesized1,synthesized,female,1000,usa,FALSE,,,
17,5,"pune, india",marathi1,marathi,female,91,india,false,,,
"""
PASSAGE = "Please call Stella.  Ask her to bring these things\nwith her from the store.\n"
RECORDED = ("english1", "amharic3", "korean2", "english9", "spanish4", "synthesized1", "marathi1")


def write_speech_accent_archive(root: Path, *, folder: str = "recordings/recordings") -> Path:
    """Write the miniature and return its root."""
    (root / folder).mkdir(parents=True)
    (root / "speakers_all.csv").write_text(TABLE, encoding="utf-8")
    (root / "reading-passage.txt").write_text(PASSAGE, encoding="utf-8")
    noise = np.random.default_rng(0).normal(0, 0.1, 22050)
    for name in RECORDED:
        soundfile.write(root / folder / f"{name}.mp3", noise, 44100, format="MP3")
    return root
