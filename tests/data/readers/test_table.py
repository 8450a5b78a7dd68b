import json

import pytest

from pedkit.data.prepare import prepare
from pedkit.data.readers import read_mapped_table
from pedkit.errors import PedkitError


@pytest.fixture
def table(tmp_path):
    """Return a function that writes a table and reads it."""

    def read(text, name="t.csv", **options):
        (tmp_path / name).write_text(text, encoding="utf-8")
        return list(read_mapped_table(tmp_path / name, **options))

    return read


def lines(*records):
    return "".join(json.dumps(record) + "\n" for record in records)


class TestTheTable:
    def test_columns_called_like_fields_need_no_map(self, table):
        (utterance,) = table(
            "id,text,canonical,realized,groups.gender,extra.take,colour\na,is,IH1 Z,iy z,f,2,red\n",
            inventory="cmu39",
        )
        assert (utterance.id, utterance.text) == ("a", "is")
        assert (utterance.canonical, utterance.realized) == (("IH", "Z"), ("IY", "Z"))
        assert utterance.groups == {"gender": "female"}
        assert utterance.extra == {"take": "2", "colour": "red"}
        assert (utterance.corpus, utterance.audio, utterance.speaker) == ("t", None, None)

    def test_the_root_is_the_table_or_its_folder(self, tmp_path, table):
        (utterance,) = table("utt;wav\n1;a.wav\n", columns={"id": "utt", "audio": "wav"})
        assert utterance.audio.path == str(tmp_path / "a.wav")
        assert [u.id for u in read_mapped_table(tmp_path, columns={"id": "utt"})] == ["1"]
        (tmp_path / "notes.tsv").write_text("id\nx\n")
        with pytest.raises(PedkitError, match=r"but there are: notes\.tsv, t\.csv \(table=NAME chooses one"):
            read_mapped_table(tmp_path)
        assert [u.id for u in read_mapped_table(tmp_path, table="notes.tsv")] == ["x"]
        with pytest.raises(PedkitError, match=r"expected the table 'no\.csv' in this folder"):
            read_mapped_table(tmp_path, table="no.csv")
        with pytest.raises(PedkitError, match="none: expected a table or the folder it lies in"):
            read_mapped_table(tmp_path / "none")
        (tmp_path / "empty").mkdir()
        with pytest.raises(PedkitError, match="but there are: none"):
            read_mapped_table(tmp_path / "empty")

    def test_options_of_the_file_reach_it(self, table, tmp_path):
        (utterance,) = table('id|text\n1|"so\n', delimiter="|", quoted=False)
        assert utterance.text == '"so'
        (tmp_path / "latin.csv").write_bytes("id,text\n1,Zoë\n".encode("cp1252"))
        with pytest.raises(PedkitError, match=r"latin\.csv: expected utf-8 text, .* as in encoding=cp1252"):
            next(read_mapped_table(tmp_path / "latin.csv"))
        assert next(read_mapped_table(tmp_path / "latin.csv", encoding="cp1252")).text == "Zoë"
        for wrong in ({"delimiter": 1}, {"quoted": "no"}, {"encoding": 8}, {"audio_folder": 1}):
            with pytest.raises(PedkitError, match=f"expected '{next(iter(wrong))}' to be"):
                table("id\n1\n", **wrong)

    def test_json_lines_with_records_inside_records(self, table):
        (utterance,) = table(
            lines({"key": 7, "who": {"age": 44, "tags": {"l1": "Tamil"}}, "said": ["IH", "Z"], "none": None}),
            "t.jsonl",
            columns={
                "id": "key", "groups.age": "who.age", "groups.l1": "who.tags.l1", "realized": "said",
                "groups.accent": "none",
            },
            inventory="cmu39",
        )  # fmt: skip
        assert (utterance.id, utterance.realized) == ("7", ("IH", "Z"))
        assert utterance.groups == {"age": 44, "l1": "tamil", "age_group": "adult"}
        assert utterance.groups_raw == {"who.age": 44, "who.tags.l1": "Tamil"}
        assert utterance.extra == {}

    def test_nothing_said_is_an_empty_list(self, table):
        silent, missing = table(
            lines({"id": "a", "realized": []}, {"id": "b", "realized": None}), "t.jsonl", inventory="cmu39"
        )
        assert (silent.realized, missing.realized) == ((), None)
        (silent,) = table("id,realized\na,sil\n", inventory="cmu39", drop=["sil"])
        assert silent.realized == ()

    def test_a_manifest_made_from_it_is_not_taken_for_a_second_table(self, tmp_path):
        (tmp_path / "t.csv").write_text("id\na\n")
        for _ in range(2):
            prepare("table", tmp_path, tmp_path / "m.jsonl")
        (tmp_path / "mine.jsonl").write_text('{"id": "b"}\n')
        with pytest.raises(PedkitError, match=r"there are: mine\.jsonl, t\.csv"):
            prepare("table", tmp_path, tmp_path / "m.jsonl")


class TestCells:
    @pytest.mark.parametrize("mark", ["", "NA", "n/a", "null", "None", "NaN"])
    def test_missing_values(self, table, mark):
        (utterance,) = table(
            f"id,speaker,split,groups.age,groups.native,groups.l1,extra.note\n007,{mark},{mark},{mark},{mark},"
            f"{mark},{mark}\n"
        )
        assert utterance.id == "007"
        assert (utterance.speaker, utterance.split, utterance.groups, utterance.extra) == (None, None, {}, {})
        assert set(utterance.groups_raw.values()) == ({mark} if mark else set())

    def test_a_prompt_may_be_the_word_none(self, table):
        text = "id,text,realized\na,none,n a\nb,NA,NA\n"
        with pytest.raises(
            PedkitError,
            match=r"t\.csv:2: utterance 'a': the cell 'none' of the column 'text' may be a missing value .*"
            r'missing=\["none"\]',
        ):
            table(text, inventory="ipa")
        first, second = table(text, inventory="ipa", missing=["NA"])
        assert (first.text, first.realized) == ("none", ("n", "a"))
        assert (second.text, second.realized) == (None, None)
        assert [u.text for u in table(text, inventory="ipa", missing=[])] == ["none", "NA"]

    def test_value_maps_come_first(self, table):
        first, second, third = table(
            "id,split,groups.region,groups.gender,groups.native,groups.age\n"
            "a,validation,NA,1,1,20s\nb,test,zm,2,0,8\nc,test,,9,,\n",
            values={
                "split": {"validation": "dev"},
                "groups.region": {"NA": "namibia"},
                "groups.gender": {"1": "female", "2": "male", "9": None},
                "groups.native": {"0": False, "1": True},
                "groups.age": {"20s": None},
            },
        )
        assert (first.split, second.split) == ("dev", "test")
        assert first.groups == {"region": "namibia", "gender": "female", "native": True}
        assert second.groups == {
            "region": "zm", "gender": "male", "native": False, "age": 8, "age_group": "child",
        }  # fmt: skip
        assert third.groups == {}
        assert first.groups_raw["groups.age"] == "20s"

    def test_value_maps_give_numbers_and_truth_in_either_spelling(self, table):
        text = "id,groups.age,groups.native\na,thirty,oui\n"
        for age, native in (("30", "yes"), (30, True)):
            (utterance,) = table(text, values={"groups.age": {"thirty": age}, "groups.native": {"oui": native}})
            assert utterance.groups == {"age": 30, "age_group": "adult", "native": True}
        with pytest.raises(PedkitError, match=r"t\.csv:2: utterance 'a': expected a number .* but got 'old'"):
            table(text, values={"groups.age": {"thirty": "old"}})

    @pytest.mark.parametrize(
        ("field", "cell", "value"),
        [
            ("groups.gender", "F", "female"),
            ("groups.gender", "Non-binary", "non-binary"),
            ("groups.age", "9", 9),
            ("groups.age", "9.5", 9.5),
            ("groups.height", "170", 170),
            ("groups.native", "Yes", True),
            ("groups.l1", " Swiss German ", "swiss german"),
            ("groups.score", "007", "007"),
        ],
    )
    def test_group_values(self, table, field, cell, value):
        (utterance,) = table(f"id,x\na,{cell}\n", columns={"id": "id", field: "x"})
        assert utterance.groups[field.removeprefix("groups.")] == value
        assert utterance.groups_raw == {"x": cell}

    @pytest.mark.parametrize(
        ("field", "cell", "message"),
        [
            ("groups.gender", "1", "expected a gender in the column 'x', but got '1'"),
            ("groups.gender", "x", "expected a gender"),
            ("groups.age", "9 years", "expected a number in the column 'x', but got '9 years'"),
            ("groups.age", '"9,5"', "expected a number in the column 'x', but got '9,5'"),
            ("groups.age", "1_0", "expected a number"),
            ("groups.age", "-5", "expected an age of up to 120 years in the column 'x', but got '-5'"),
            ("groups.age", "0", "expected an age of up to 120 years"),
            ("groups.age", "121", "expected an age of up to 120 years"),
            ("groups.age", "9" * 5000, "expected a number"),
            ("groups.age", "inf", "expected a number"),
            ("groups.native", "1", "expected true, false, yes or no in the column 'x', but got '1'"),
            ("may_upload", "maybe", "expected true, false, yes or no"),
            ("level", "phrase", "expected 'level' to be one of word, sentence, passage, but got 'phrase'"),
            ("target_span", "2", "expected two indices such as 2:5 in the column 'x'"),
            ("canonical", "IH X", "the symbol 'X' of the column 'x' is not in the inventory cmu39"),
            ("realized", "sil IH", r"'sil' .* \(drop=\[\"sil\"\] leaves it out"),
        ],
    )
    def test_cells_that_stop(self, table, field, cell, message):
        with pytest.raises(PedkitError, match=rf"t\.csv:2: utterance 'a': .*{message}"):
            table(f"id,x\na,{cell}\n", columns={"id": "id", field: "x"}, inventory="cmu39")

    def test_phones(self, table):
        (utterance,) = table(
            "id,canonical,realized\na,th-ih1-ng-k,S--IH0- NG -<unk>\n", inventory="cmu39", separator="-"
        )
        assert (utterance.canonical, utterance.realized) == (("TH", "IH", "NG", "K"), ("S", "IH", "NG", "<unk>"))
        (utterance,) = table(
            "id,canonical,realized\na,ˈtʃeɪndʒ,t g | a:\n", inventory="ipa", phones="flat", drop=["|"]
        )
        assert (utterance.canonical, utterance.realized) == (("tʃ", "eɪ", "n", "dʒ"), ("t", "ɡ", "aː"))
        (utterance,) = table("id,realized\na,g a:\n", inventory="ipa")
        assert utterance.realized == ("ɡ", "aː")
        (utterance,) = table("id,realized\na,h# tcl t\n", inventory="timit61")
        assert utterance.realized == ("h#", "tcl", "t")

    def test_parts_of_recordings(self, table):
        first, second = table(
            "id,audio,audio.start,audio.end,audio.channel\na,/x/long,1.5,2.25,1\nb,/x/long,,0.1,\n",
            audio_suffix=".flac",
        )
        assert first.audio.to_json() == {"path": "/x/long.flac", "start": 1.5, "duration": 0.75, "channel": 1}
        assert second.audio.to_json() == {"path": "/x/long.flac", "duration": 0.1}
        with pytest.raises(PedkitError, match="utterance 'a': expected 'audio' to start at 0"):
            table("id,audio,audio.start,audio.end\na,x,2,1\n")

    def test_constants_spans_speakers_and_numbers(self, table):
        (utterance,) = table(
            "id,target_span,speaker,score,canonical\na,[1-3],S1,4.0,IH Z AE T\n",
            constants={"level": "sentence", "groups.l1": "german", "may_upload": False},
            columns={
                "id": "id", "target_span": "target_span", "speaker": "speaker", "extra.score": "score",
                "canonical": "canonical",
            },
            inventory="cmu39",
            corpus="mine",
            speaker_prefix="lab-",
            numbers=["extra.score"],
            language="eng",
        )  # fmt: skip
        assert (utterance.level, utterance.target_span, utterance.may_upload) == ("sentence", (1, 3), False)
        assert (utterance.speaker, utterance.corpus, utterance.language) == ("lab-S1", "mine", "eng")
        assert (utterance.groups, utterance.extra) == ({"l1": "german"}, {"score": 4})

    def test_a_column_of_languages_goes_before_the_option(self, table):
        first, second = table("id,language\na,deu\nb,\n", language="eng")
        assert (first.language, second.language) == ("deu", "eng")

    def test_columns_that_nobody_named(self, table):
        text = "id,colour,size\na,red,NA\n"
        assert table(text)[0].extra == {"colour": "red"}
        assert table(text, rest="drop")[0].extra == {}


class TestFaults:
    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"columns": {"id": "utt"}}, r"t\.csv:2: there is no column 'utt' for 'id' .*did you mean 'utt_'"),
            ({"columns": {"id": "utt_", "text": "x"}}, r"t\.csv: there is no column 'x' for 'text' .*: utt_, sex"),
            ({"columns": {"id": "utt_", "groups": "sex"}}, "'columns' has the unknown field 'groups'"),
            ({"columns": {"id": "utt_", "realised": "sex"}}, "did you mean 'realized'"),
            ({"columns": {"id": "utt_", "extra.": "sex"}}, "unknown field 'extra.'"),
            ({"columns": {"text": "sex"}}, "expected 'columns' to name the column of the id"),
            ({}, "expected 'columns' to name the column of the id"),
            ({"columns": {"id": "utt_", "realized": "sex"}}, "expected 'inventory' to say which symbols"),
            ({"columns": ["utt_"]}, "expected 'columns' to be an object of fields"),
            ({"columns": {"id": 1}}, "expected 'columns' to name a column for 'id', but got 1"),
            ({"values": {"split": "x"}}, "expected 'values' to map what cells of 'split' mean"),
            ({"columns": {"id": "utt_", "split": "sex"}, "constants": {"split": "test"}}, "both a column and"),
            ({"columns": {"id": "sex"}}, r"t\.csv:3: utterance 'f': this id stands already on line 2"),
            ({"columns": {"id": "utt_"}, "rest": "keep"}, "expected 'rest' to be one of extra, drop"),
            ({"columns": {"id": "utt_"}, "drop": "sil"}, "expected 'drop' to be a list"),
            ({"columns": {"id": "utt_"}, "numbers": 5}, "expected 'numbers' to be a list"),
            (
                {"columns": {"id": "utt_"}, "numbers": ["extra.ratng"]},
                "'numbers' has 'extra.ratng', but no column",
            ),
            (
                {"columns": {"id": "utt_"}, "values": {"groups.gnder": {"f": "x"}}},
                "cells of 'groups.gnder' mean, but",
            ),
            (
                {"columns": {"id": "utt_"}, "audio_folder": "a\0b"},
                "expected 'audio_folder' to be text without NUL",
            ),
            ({"columns": {"id": "utt_"}, "missing": [1]}, "expected 'missing' to be a list"),
            ({"columns": {"id": "utt_"}, "language": 1}, "expected 'language' to be text"),
            (
                {"columns": {"id": "utt_", "realized": "sex"}, "inventory": "cmu39", "phones": "flat"},
                "only IPA can be split",
            ),
            (
                {"columns": {"id": "utt_", "realized": "sex"}, "inventory": "ipa", "phones": "loose"},
                "expected 'phones' to be one of separated, flat",
            ),
        ],
    )
    def test_maps_and_options(self, table, options, message):
        with pytest.raises(PedkitError, match=message):
            table("utt_,sex\na,f\nb,f\n", **options)

    def test_an_id_must_be_there(self, table):
        with pytest.raises(PedkitError, match=r"t\.csv:3: expected an id in the column 'id', but got ' '"):
            table("id,sex\na,f\n ,m\n")
        with pytest.raises(PedkitError, match=r"t\.jsonl:1: expected an id in the column 'id', but got 1\.5"):
            table(lines({"id": 1.5}), "t.jsonl")

    def test_a_table_without_lines(self, table):
        with pytest.raises(PedkitError, match="expected at least one line"):
            table("id,sex\n")

    def test_audio_that_is_no_path(self, table):
        with pytest.raises(PedkitError, match="utterance 'a': expected an audio path, but got 5"):
            table(lines({"id": "a", "audio": 5}), "t.jsonl")

    def test_nothing_is_written_when_the_last_line_is_wrong(self, tmp_path):
        (tmp_path / "t.csv").write_text("id,groups.age\na,8\nb,old\n")
        with pytest.raises(PedkitError, match=r"t\.csv:3: utterance 'b'"):
            prepare("table", tmp_path, tmp_path / "out" / "m.jsonl")
        assert not list((tmp_path / "out").iterdir())
