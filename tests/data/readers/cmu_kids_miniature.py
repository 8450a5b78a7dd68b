"""A CMU Kids for tests, in the form of the disc: no recording or text of the real corpus is in it."""

from __future__ import annotations

from pathlib import Path

from tests.data.mini_timit import sphere
from tests.data.readers.clips import noise16

SENTENCES = "2aa\t6\tI think it is a big seat.\r\n2ab\t2\tHe has 200 sheep.\r\n1ba\t3\tGo home!\r\n"
SPEAKERS = (
    "ID\tLOC\tGR/AGE\tTOT\tBIN2\r\n--\t---\t------\t---\t----\r\n"
    "fabm\tSUM95\t3/9\t2\t1\r\nfacs\tFP\t2/NA\t2\t1\r\nmbak\tFP\tNA/NA\t2\t2\r\n"
)
TRANSCRIPTS = (
    "fabm2aa1 I think it is a big seat\r\n"
    "fabm2aa2 [begin_noise] I /S IH NG K/ it is a big, seat [end_nosie]\r\n"
    "facs1ba1 go home\r\n"
    "facs2aa2 [being-noise]I think it is /EY/ big /s iy/[cut]\r\n"
    "mbak1ba2\r\n"
    "mbak2ab2 he has 200 [human-noise] /SH IY P S/\r\n"
)
DICTIONARY = (
    "A                 \tAX\r\nA(2)              \tEY\r\nBIG               \tB IH GD\r\n"
    "GO                \tG OW\r\n"
    "HAS               \tHH AE Z\r\nHE                \tHH IY\r\nHUNDRED           \tHH AH N DD R AXR DD\r\n"
    "I                 \tAY\r\nIS                \tIH Z\r\nIT                \tIH TD\r\n"
    "SEAT              \tS IY TD\r\nSHEEP             \tSH IY PD\r\nTHINK             \tTH IH NG KD\r\n"
    "TWO               \tT UW\r\n<sil>             \tSIL\r\n++NOISE++         \t+NOISE+\r\n"
)
"""Without HOME, which only cmudict has."""


def write_cmu_kids(root: Path, kids: str = "kids") -> Path:
    """Write the miniature and return the folder above ``cmu_kids``; ``kids`` names the folder of the speakers."""
    tables = root / "cmu_kids" / "tables"
    tables.mkdir(parents=True)
    for name, text in (
        ("sentence.tbl", SENTENCES),
        ("speaker.tbl", SPEAKERS),
        ("transcrp.tbl", TRANSCRIPTS),
        ("alignmnt.dic", DICTIONARY),
    ):
        (tables / name).write_bytes(text.encode("ascii"))
    for line in TRANSCRIPTS.splitlines():
        name = line.split()[0]
        speaker = root / "cmu_kids" / kids / name[:4]
        for folder in ("signal", "trans", "label", "raw"):
            (speaker / folder).mkdir(parents=True, exist_ok=True)
        (speaker / "signal" / f"{name}.sph").write_bytes(sphere(noise16(name, 2)))
        (speaker / "trans" / f"{name}.trn").write_text(line)
    return root
