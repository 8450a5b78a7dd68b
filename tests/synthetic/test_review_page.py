import base64
import hashlib
import json
import re
import shutil

import pytest
from miniature_set import utterance, write_set
from msgspec.structs import replace

from pedkit.data.utterance import Word
from pedkit.errors import PedkitError
from synthetic.made_set import MadeSet
from synthetic.review.page import write_page
from synthetic.review.sheet import Group, cards, chosen

NAMES = [f"id{k}" for k in range(20)]


def data_of(page):
    """Return the data that a page carries."""
    return json.loads(
        re.search(r'<script type="application/json" id="data">(.*?)</script>', page.read_text()).group(1)
    )


def test_every_reviewer_hears_the_same_sample_in_an_order_of_their_own():
    anna, bob = (chosen(NAMES, 8, 1, reviewer) for reviewer in ("anna", "bob"))
    assert set(anna) == set(bob)
    assert len(set(anna)) == 8
    assert anna != bob
    assert anna == chosen(reversed(NAMES), 8, 1, "anna")  # whatever the order of the manifests
    assert set(anna) != set(chosen(NAMES, 8, 2, "anna"))
    assert set(chosen(NAMES, None, 1, "anna")) == set(NAMES)


def test_a_larger_sample_holds_the_smaller_one():
    assert set(chosen(NAMES, 5, 3, "anna")) < set(chosen(NAMES, 6, 3, "anna"))


@pytest.mark.parametrize("sample", [0, 21])
def test_a_sample_that_cannot_be_drawn_is_named(sample):
    with pytest.raises(PedkitError, match=f"a sample of 1 to 20 recordings, but got {sample}"):
        chosen(NAMES, sample, 1, "anna")


def test_errors_are_told_in_words():
    found = cards(
        [
            utterance("a", "B AH T ER", "B AH D ER"),
            utterance("b", "B AH T", "B AH"),
            utterance("c", "B AH T", "B AH T Z"),
            utterance("d", "B AH T", "B AH T"),
        ]
    )
    assert [card.errors for card in found] == [("T becomes D",), ("T is left out",), ("Z is added",), ()]
    assert (found[0].canonical, found[0].realized) == ("b ʌ t ə˞", "b ʌ d ə˞")
    assert found[1].groups == (Group("", False, (("B", "B"), ("AH", "AH"), ("T", None))),)


def test_a_sentence_is_shown_word_by_word():
    one = replace(
        utterance("s", "DH AH K AE T S AE T", "DH AH K AE T S S EH T", text="the cat sat"),
        words=(Word("the", 0, 2), Word("cat", 2, 5), Word("sat", 5, 8)),
        target_span=(5, 8),
    )
    [card] = cards([one])
    assert [(group.word, group.target) for group in card.groups] == [("the", False), ("cat", False), ("sat", True)]
    said = [" ".join(phone or "-" for _, phone in group.columns) for group in card.groups]
    assert said[0] == "DH AH"
    assert " ".join(said).replace(" -", "").split() == ["DH", "AH", "K", "AE", "T", "S", "S", "EH", "T"]
    assert card.errors == ("S is added", "AE becomes EH")


def test_the_page_is_blind(tmp_path):
    made = write_set(tmp_path / "made", [utterance("a", "B AH T", "B AH D", voice="robot", engine="mbrola")])
    (made / "acceptance.jsonl").write_text('{"id": "a", "score": 0.123456, "accepted": false}\n')
    (made / "reviews.jsonl").write_text('{"id": "a", "reviewer": "carla", "verdict": "reject", "note": "bah"}\n')
    write_page(MadeSet(made), tmp_path / "review.html", reviewer="anna")
    page = (tmp_path / "review.html").read_text()
    for hidden in ("0.123456", "carla", "bah", "robot", "mbrola"):
        assert hidden not in page
    assert sorted(data_of(tmp_path / "review.html")["items"][0]) == [
        "audio", "canonical", "errors", "groups", "id", "realized", "text",
    ]  # fmt: skip


def test_no_text_of_a_set_is_markup(tmp_path):
    evil = "</script><script>alert(1)</script><b>&amp;"
    made = write_set(tmp_path / "a<b>", [utterance("a", "B AH T", "B AH D", text=evil)])
    write_page(MadeSet(made), tmp_path / "review.html", reviewer="<i>eve</i>")
    page = (tmp_path / "review.html").read_text()
    assert page.count("<script") == 2
    assert "<i>" not in page
    assert "a<b>" not in page
    assert data_of(tmp_path / "review.html")["items"][0]["text"] == evil


def test_the_policy_allows_this_script_and_this_style_and_no_other(tmp_path):
    made = write_set(tmp_path / "made", [utterance("a", "B AH T", "B AH D")])
    write_page(MadeSet(made), tmp_path / "review.html", reviewer="anna")
    page = (tmp_path / "review.html").read_text()
    policy = re.search(r'http-equiv="Content-Security-Policy" content="(.*?)"', page).group(1)
    for element in ("script", "style"):
        text = re.search(f"<{element}>(.*?)</{element}>", page, re.DOTALL).group(1)
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{element}-src 'sha256-{digest}';" in policy
    assert policy.startswith("default-src 'none';")
    assert not re.search(r"(src|href)=[\"']?(https?:)?//", page)


def test_recordings_are_linked_from_where_the_page_is(tmp_path):
    made = write_set(tmp_path / "my set#1", [utterance("a b%", "B AH T", "B AH D")])
    (tmp_path / "pages").mkdir()
    write_page(MadeSet(made), tmp_path / "pages" / "review.html", reviewer="anna")
    assert (
        data_of(tmp_path / "pages" / "review.html")["items"][0]["audio"] == "../my%20set%231/audio/a%20b%25.flac"
    )


def test_recordings_can_be_inside_the_page(tmp_path):
    made = write_set(tmp_path / "made", [utterance("a", "B AH T", "B AH D")])
    write_page(MadeSet(made), tmp_path / "review.html", reviewer="anna", embed=True)
    kind, _, content = data_of(tmp_path / "review.html")["items"][0]["audio"].partition(",")
    assert kind == "data:audio/flac;base64"
    assert base64.b64decode(content) == (made / "audio" / "a.flac").read_bytes()


def test_a_missing_recording_is_named(tmp_path):
    made = write_set(tmp_path / "made", [utterance("a", "B AH T", "B AH D")])
    (made / "audio" / "a.flac").unlink()
    with pytest.raises(PedkitError, match=r"a\.flac: utterance 'a': this recording is missing"):
        write_page(MadeSet(made), tmp_path / "review.html", reviewer="anna")


def test_the_mark_of_a_set_is_that_of_what_was_made(tmp_path):
    items = [utterance("a", "B AH T", "B AH D"), utterance("b", "B AH T", "B AH T")]
    made = write_set(tmp_path / "made", items)
    mark = MadeSet(made).mark
    shutil.move(made, tmp_path / "moved")
    moved = MadeSet(tmp_path / "moved")
    moved.write_selection("accepted", lambda one: one.id == "a", {"a": {"acceptance_score": 1.0}})
    assert MadeSet(tmp_path / "moved", "accepted").mark == mark
    assert list(MadeSet(tmp_path / "moved", "accepted").utterances) == ["a"]
    other = write_set(tmp_path / "other", [items[0], utterance("b", "B AH T", "B AH")])
    assert MadeSet(other).mark != mark


def test_a_selection_that_is_not_there_is_named(tmp_path):
    made = write_set(tmp_path / "made", [utterance("a", "B AH T", "B AH D")])
    with pytest.raises(PedkitError, match=r"train\.accepted\.jsonl: this manifest of the set is missing"):
        MadeSet(made, "accepted")


def test_an_id_in_two_manifests_is_named(tmp_path):
    made = write_set(
        tmp_path / "made", [utterance("a", "B AH T", "B AH D"), utterance("b", "T", "D", split="dev")]
    )
    (made / "dev.jsonl").write_bytes((made / "train.jsonl").read_bytes())
    with pytest.raises(PedkitError, match=r"dev\.jsonl: utterance 'a': this id stands in another manifest"):
        _ = MadeSet(made).utterances
