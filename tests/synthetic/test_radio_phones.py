import pytest

from synthetic.engines.diphones import missing_diphones, with_gaps
from synthetic.engines.radio_phones import read_segments


@pytest.mark.parametrize(
    ("segments", "asked", "phones"),
    [
        ("pau k ae t pau", "K AE1 T", "K AE1 T"),
        ("pau ax b aw t pau h#", "AH0 B AW2 T", "AH0 B AW2 T"),
        ("k ae t", "K AE1 D", "K AE1 T"),  # another phone was said
        ("k ax t", "K IH0 T", "K AH0 T"),  # festival's PostLex would do this
        ("k ax t", "K AH1 T", "K <ax> T"),
        ("k ah t", "K AH0 T", "K <ah> T"),
        ("k iy", "K IY0 T", "K IY0"),  # the end is missing
        ("k iy t z", "K IY0 T", "K IY0 T Z"),
        ("k dx", "K T", "K <dx>"),
    ],
)
def test_segments_are_read_back(segments, asked, phones):
    assert read_segments(segments.split(), asked.split()) == tuple(phones.split())


def gaps(phones, *phrases, voice="us3"):
    written = [phrase.split() for phrase in phrases]
    return " ".join(with_gaps(phones.split(), written, engine="mbrola", voice=voice, pause="_"))


def test_missing_diphones_are_marked_where_they_are():
    assert gaps("HH Y UW1", "h j u") == "HH <h-j> Y UW1"
    assert gaps("S NG AH1 Y", "s N V j") == "S <s-N> NG AH1 Y <j-_>"
    assert gaps("AH1 Y K AE1", "V j", "k {") == "AH1 Y <j-_> K AE1"
    assert gaps("HH AE1 T", "h { t") == "HH AE1 T"
    assert gaps("HH Y UW1", "h j u", voice="us1") == "HH Y UW1"


def test_a_voice_without_a_row_lacks_nothing():
    assert missing_diphones("flite", "slt") == frozenset()
    assert len(missing_diphones("mbrola", "us3")) == 51
