"""A CORAAL of three recordings for tests: true layout and column names, invented speakers and words."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import soundfile

COLUMNS_ATL = (
    "CORAAL.Sub", "Version.Rev", "CORAAL.Spkr", "CORAAL.File", "Audio.Folder", "Tar", "Primary.Spkr", "Gender",
    "Age", "Age.Group", "Year.of.Birth", "Year.of.Interview", "CORAAL.SEC.Group", "Education", "Edu.Group",
    "Occupation", "Interviewer.Code", "Interviewer.Gender",
)  # fmt: skip
ATL = (
    # One speaker in two archives: two rows of one recording; the youngest age group overlaps 20-29.
    "ATL 2020.05 ATL_se0_ag1_f_01 ATL_se0_ag1_f_01_1 audio_part01 ATL_audio_part01 Yes Female 25 -29 1992 2017 "
    "NA Some|College 3 Barber ATL_int_01 Male",
    "ATL 2020.05 ATL_se0_ag1_f_01 ATL_se0_ag1_f_01_1 audio_part02 ATL_audio_part02 Yes Female 25 -29 1992 2017 "
    "NA Some|College 3 Barber ATL_int_01 Male",
)
# Other columns than ATL's; the second recording was made when the speaker was a year older.
COLUMNS_DCB = (
    "CORAAL.Sub", "CORAAL.Spkr", "CORAAL.File", "Primary.Spkr", "Gender", "Age", "Age.Group", "CORAAL.SEC.Group",
    "Education", "Interviewer.Code", "Interviewer.Gender",
)  # fmt: skip
DCB = (
    "DCB DCB_se2_ag1_m_02 DCB_se2_ag1_m_02_1 Yes Male 16 -19 Working|Class NA DCB_int_07 Female",
    "DCB DCB_se2_ag1_m_02 DCB_se2_ag1_m_02_2 Yes Male 17 -19 Working|Class NA DCB_int_07 Female",
)

LINES = {
    "ATL_se0_ag1_f_01_1": (
        ("1", "ATL_int_01", "0.0000", "So where you from?", "1.2000"),
        ("2", "ATL_se0_ag1_f_01", "1.2000", "(pause 0.42)", "1.6200"),
        ("3", "ATL_se0_ag1_f_01", "1.6200", 'Well, <laugh> I\'m the "cat" lady.', "2.9000"),
        ("4", "ATL_se0_ag1_f_01", "2.9000", "[Right] now?", "3.1000"),
        ("5", "ATL_int_01", "2.9500", "[Yeah.]", "3.0500"),
        ("6", "ATL_se0_ag1_f_01", "3.1000", "My name is /RD-NAME-2/.", "3.4000"),
        ("7", "ATL_se0_ag1_f_01", "3.4000", "None", "3.6000"),  # a word here, elsewhere a missing value
        ("8", "ATL_se0_ag1_f_01", "3.6000", "<ts>", "3.7000"),
        ("9", "ATL_misc_01", "3.7000", "Hey y'all.", "3.9000"),
        ("10", "ATL_se0_ag1_f_01", "3.9000", "Beca-", "3.9000"),  # no time at all
    ),
    "DCB_se2_ag1_m_02_1": (
        ("1", "DCB_int_07", "0.0000", "Go ahead.", "0.5000"),
        ("2", "DCB_se2_ag1_m_02", "0.5000", "They was at the zqyx (breathy) house.", "2.0000"),
    ),
    "DCB_se2_ag1_m_02_2": (("1", "DCB_se2_ag1_m_02", "0.2500", "Okay.", "0.7500"),),
}


def write_coraal(root: Path) -> Path:
    """Write the miniature as it lies after the archives have been unpacked, and return its root."""
    _write_table(root / "ATL" / "ATL_metadata_2020.05.txt", COLUMNS_ATL, ATL)
    _write_table(root / "DCB" / "DCB_metadata_2018.10.06.txt", COLUMNS_DCB, DCB)
    (root / "ATL" / "CORAALUserGuide_current.txt").write_text("No transcript.\n")
    for name, lines in LINES.items():
        folder = root / name[:3]
        text = folder / f"{name[:3]}_textfiles_2020.05" / f"{name}.txt"
        text.parent.mkdir(parents=True, exist_ok=True)
        rows = ["Line\tSpkr\tStTime\tContent\tEnTime", *map("\t".join, lines)]
        text.write_text("\n".join(rows) + "\n", encoding="utf-8")
        (text.parent / f"._{name}.txt").write_bytes(b"\0\5\26\7")  # what macOS puts into archives
        sound = folder / f"{name[:3]}_audio_part01_2020.05" / f"{name}.wav"
        sound.parent.mkdir(parents=True, exist_ok=True)
        soundfile.write(sound, np.zeros(4 * 44100), 44100, subtype="PCM_16")
    return root


def _write_table(path: Path, columns: tuple[str, ...], rows: tuple[str, ...]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [columns, *(tuple(cell.replace("|", " ") for cell in row.split(" ")) for row in rows)]
    path.write_text("".join("\t".join(line) + "\r\n" for line in lines))
