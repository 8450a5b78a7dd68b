import pytest

from pedkit.data.check import check
from pedkit.data.manifest import read_manifest
from pedkit.data.prepare import prepare
from pedkit.data.readers import read_kaldi
from pedkit.data.readers.kaldi_lists import Recording, recording
from pedkit.errors import PedkitError
from tests.data.readers.kaldi_miniature import GENERIC, TIMIT, write_generic, write_lists, write_prism


class TestGenericFolder:
    def test_segments_pipes_words_and_speakers(self, tmp_path):
        root = write_generic(tmp_path / "mycorpus")
        summary = prepare("kaldi", root, tmp_path / "m.jsonl", language="eng")
        assert str(summary).endswith(
            "4 utterances of mycorpus (mycorpus 4) by 2 speakers, 0.00 h, 4 without canonical phones"
        )
        first, second, third, fourth = read_manifest(tmp_path / "m.jsonl")
        assert [u.id for u in (first, second, third, fourth)] == ["s1-a", "s1-b", "s2-a", "s2-b"]
        assert (first.text, fourth.text) == ("THINK", None)
        assert (first.speaker, third.speaker) == ("mycorpus:s1", "mycorpus:s2")
        assert first.groups == {"gender": "female", "age": 9, "age_group": "child"}
        assert third.groups == {"gender": "male"}
        assert third.groups_raw == {"gender": "m", "age": "NA"}
        assert second.audio.to_json() == {
            "path": str(root / "wav" / "rec1.wav"), "start": 0.5, "duration": 0.5,
        }  # fmt: skip
        assert (third.audio.channel, third.audio.start, third.audio.duration) == (1, 0.25, 0.75)
        assert third.audio.path.endswith("wav/rec2.sph")
        assert fourth.audio.path.endswith("wav/rec 3.flac")
        assert {u.inventory for u in (first, second, third, fourth)} == {None}
        assert check(tmp_path / "m.jsonl").ok

    def test_lists_of_phones_and_groups_by_name(self, tmp_path):
        root = write_lists(tmp_path, GENERIC)
        options = {"realized": "phones", "inventory": "cmu39", "drop": ["SIL"], "groups": {"l1": "spk2l1"}}
        first, second, third, fourth = read_kaldi(root, corpus="mine", may_upload=True, **options)
        assert first.realized == ("S", "IH", "NG", "K")
        assert second.realized == ("DH", "AH", "S", "IY", "T")
        assert (third.realized, fourth.realized) == (("SH", "IH", "P"), None)
        assert (first.groups["l1"], third.groups["l1"]) == ("tamil", "dutch")
        assert (first.corpus, first.speaker, first.may_upload) == ("mine", "mine:s1", True)
        with pytest.raises(PedkitError, match="expected 'inventory' to say which symbols the phones are"):
            read_kaldi(root, canonical="phones")
        with pytest.raises(PedkitError, match="utterance 's1-b': the symbol 'SIL'"):
            list(read_kaldi(root, canonical="phones", inventory="cmu39"))
        with pytest.raises(PedkitError, match="phonez: no such file"):
            read_kaldi(root, canonical="phonez", inventory="cmu39")

    def test_without_segments_a_recording_is_an_utterance(self, tmp_path):
        write_lists(tmp_path / "train", {"wav.scp": "a /x/a.wav\nb /x/b.wav\n", "utt2dur": "a 1.50\n"})
        write_lists(tmp_path / "dev", {"wav.scp": "c c.wav\n", "utt2lang": "c deu\n"})
        third, first, second = read_kaldi(tmp_path, audio_folder="audio", speaker_prefix="")
        assert [(u.id, u.split) for u in (first, second, third)] == [("a", "train"), ("b", "train"), ("c", "dev")]
        assert (first.audio.duration, second.audio.duration) == (1.5, None)
        assert (third.audio.path, third.language) == (str(tmp_path / "audio" / "c.wav"), "deu")
        assert (first.speaker, first.groups, first.corpus) == (None, {}, tmp_path.name)
        write_lists(tmp_path / "train", {"utt2dur": "a 0\n"})
        with pytest.raises(PedkitError, match="utterance 'a': expected utt2dur to be longer than 0"):
            list(read_kaldi(tmp_path))

    def test_an_utterance_that_a_list_lacks(self, tmp_path):
        root = write_lists(tmp_path, {**GENERIC, "text": "s1-a THINK\ns1-b X\ns2-b Y\n"})
        with pytest.raises(PedkitError, match=r"utterance 's2-a': the list of text lacks this .*incomplete=skip"):
            list(read_kaldi(root))
        assert [u.id for u in read_kaldi(root, incomplete="skip")] == ["s1-a", "s1-b", "s2-b"]
        with pytest.raises(PedkitError, match="expected 'incomplete' to be one of stop, skip"):
            read_kaldi(root, incomplete="keep")


class TestPrism:
    def test_the_evaluation_sets(self, tmp_path):
        root = write_prism(tmp_path / "prism")
        summary = prepare("kaldi", root, tmp_path / "m.jsonl")
        assert str(summary).endswith(
            "3 utterances of timit and voxangeles (test 3) by 0 speakers, 0.00 h, 3 without canonical phones"
        )
        timit, abkhaz, zulu = read_manifest(tmp_path / "m.jsonl")
        assert (timit.id, timit.realized) == ("dr1-fvmh0_sx206", ("ʃ", "i", "ɦ", "æ", "d"))
        assert (timit.corpus, timit.language, timit.may_upload) == ("timit", "eng", False)
        assert (abkhaz.realized, abkhaz.language) == (("a", "t͡sʼ", "a"), "abk")
        assert (zulu.realized, zulu.language) == (("iː", "ŋ", "ɡ", "u", "b", "o"), None)
        assert (abkhaz.corpus, abkhaz.split, abkhaz.inventory, abkhaz.text) == ("voxangeles", "test", "ipa", None)
        assert check(tmp_path / "m.jsonl").ok

    def test_one_set_alone_needs_the_folder_of_its_paths(self, tmp_path):
        root = write_prism(tmp_path)
        (utterance,) = read_kaldi(root / "test_timit", audio_folder="..")
        assert utterance.audio.path == str(root / "test_timit" / "sx206.wav")
        assert utterance.corpus == "timit"

    def test_a_folder_of_another_name_is_another_corpus(self, tmp_path):
        write_lists(tmp_path / "mine", TIMIT)
        (utterance,) = read_kaldi(tmp_path / "mine")
        assert (utterance.corpus, utterance.split, utterance.may_upload) == ("mine", "mine", None)
        assert utterance.inventory == "ipa"

    def test_a_recording_without_a_transcription_stops(self, tmp_path):
        write_lists(tmp_path / "test_timit", {**TIMIT, "text.good": "other a\n"})
        with pytest.raises(PedkitError, match="utterance 'dr1-fvmh0_sx206': the list of realized lacks"):
            list(read_kaldi(tmp_path))


class TestLines:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("/a/b c.wav", Recording("/a/b c.wav", None)),
            ("sph2pipe -f wav -p /d/a.sph |", Recording("/d/a.sph", None)),
            ("sph2pipe -p -f wav -c 1 a.sph|", Recording("a.sph", 0)),
            ("flac -cds a.flac |", Recording("a.flac", None)),
            ("flac --decode --stdout --silent a.flac |", Recording("a.flac", None)),
        ],
    )
    def test_recordings(self, text, expected):
        assert recording(text) == expected

    @pytest.mark.parametrize(
        "text",
        [
            "sox a.wav -r 16000 -t wav - |",
            "sph2pipe -f wav a.sph | sox -t wav - -r 8000 -t wav - |",
            "sph2pipe -f wav -t 1:2 a.sph |",
            "sph2pipe -f wav -c 3 a.sph |",
            "sph2pipe a.sph b.wav |",
            "flac -c -d -s --skip=10 a.flac |",
            "cat a.wav |",
            "sph2pipe 'a.sph |",
            "| cat a.wav",
        ],
    )
    def test_commands_are_never_run(self, text):
        with pytest.raises(PedkitError, match=r"made by the command .* pedkit runs no commands"):
            recording(text)

    def test_archives_of_kaldi(self):
        with pytest.raises(PedkitError, match=r"'data\.ark:1234' is an archive of Kaldi"):
            recording("data.ark:1234")

    @pytest.mark.parametrize(
        ("name", "text", "message"),
        [
            ("wav.scp", "a x.wav\na y.wav\n", r"wav\.scp:2: 'a' stands twice"),
            ("wav.scp", "a x.wav\nb\n", r"wav\.scp:2: expected the path of a recording"),
            ("wav.scp", "a x.ark:5\n", r"wav\.scp:1: expected an audio file"),
            ("segments", "a r 0\n", r"segments:1: expected a recording and two times"),
            ("segments", "a r 0 x\n", r"segments:1: expected a recording and two times"),
            ("segments", "a r 2 1\n", r"segments:1: expected a recording and two times"),
            ("segments", "a r nan 1\n", r"segments:1: expected a recording and two times"),
            ("segments", "s1-a r9 0 1\n", r"utterance 's1-a': wav\.scp lacks the recording 'r9'"),
            ("spk2gender", "s1 x\ns2 m\n", "utterance 's1-a': expected a gender in the column 'gender'"),
        ],
    )
    def test_broken_lists(self, tmp_path, name, text, message):
        root = write_lists(tmp_path, {**GENERIC, name: text})
        with pytest.raises(PedkitError, match=message):
            list(read_kaldi(root))

    def test_a_path_that_is_none(self, tmp_path):
        write_lists(tmp_path, {"wav.scp": "a\tx\0.wav\n"})
        with pytest.raises(PedkitError, match=r"utterance 'a': expected a path, but got 'x\\x00\.wav'"):
            list(read_kaldi(tmp_path))

    def test_options(self, tmp_path):
        root = write_lists(tmp_path, GENERIC)
        for wrong, kind in (
            ({"drop": "SIL"}, "a list of texts"), ({"groups": "spk2l1"}, "an object of texts"),
            ({"groups": {"l1": 1}}, "an object of texts"), ({"corpus": 762}, "text"),
            ({"audio_folder": 1}, "text"),
        ):  # fmt: skip
            with pytest.raises(PedkitError, match=f"expected '{next(iter(wrong))}' to be {kind}"):
                read_kaldi(root, **wrong)
        with pytest.raises(PedkitError, match=r"expected an inventory out of .* but got 'cmu40'"):
            read_kaldi(root, inventory="cmu40")
        with pytest.raises(PedkitError, match="expected 'phones' to be one of separated, flat"):
            read_kaldi(root, phones="loose")

    def test_folders_without_lists(self, tmp_path):
        with pytest.raises(PedkitError, match=r"expected the file 'wav\.scp' in this folder"):
            read_kaldi(tmp_path)
        with pytest.raises(PedkitError, match="no such folder"):
            read_kaldi(tmp_path / "none")
